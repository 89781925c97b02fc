//! Texts that say what PGN says with other words around the moves. Each is rewritten line by line as PGN and read as
//! that, so that lines keep their numbers and moves are read in one place only.
//!
//! | dialect | from | what tells it |
//! |---|---|---|
//! | WXF | wxf.org, playOK, XieXie | `FORMAT WXF`, or `START{` |
//! | engine log | UCCI and UCI | lines `position … moves …` |
//! | listing | collections for engines | a line that ends in `EOD` before the moves |
//! | sheet | CCBridge and people | `标题：…`, `红方：…`, or moves alone |

mod engine;
mod listing;
mod sheet;
mod wxf;

pub(crate) use engine::{is as is_engine, rewritten as from_engine};
pub(crate) use listing::{is as is_listing, rewritten as from_listing};
pub(crate) use sheet::{is_fen, rewritten as from_sheet};
pub(crate) use wxf::{
    is as is_wxf, is_at_once as is_wxf_at_once, is_cut as is_cut_wxf, rewritten as from_wxf,
    write as write_wxf,
};

/// A PGN tag.
fn tag(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]", value.trim().replace('\\', "\\\\").replace('"', "\\\""))
}
