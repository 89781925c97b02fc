//! The formats, their names and their file endings.

use std::fmt;
use std::path::Path;

/// A way of writing games down in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// PGN in Chinese, WXF, ICCS or SAN.
    Pgn,
    /// The text of the World Xiangqi Federation.
    Wxf,
    /// Moves alone, or under CCBridge's fields.
    Text,
    /// What a controller says to an engine.
    Engine,
    /// A list of positions to solve.
    Problems,
    /// A setup of hartwork's xiangqi-setup (XAY).
    Diagram,
    /// Our own JSON, a game a line; other JSON is read.
    Json,
    /// XQStudio (象棋演播室).
    Xqf,
    /// One game of CCBridge (象棋桥).
    Cbr,
    /// A library of CCBridge.
    Cbl,
    /// A library of an older CCBridge, compressed.
    CblEarly,
    /// CCBridge's XML.
    Cbf,
    /// The marked-up text of dpxq.com (东萍).
    DhtmlXq,
    /// 弈天 (movesky.net).
    Mxq,
    /// QQ.
    Che,
    /// 联众 (ourgame.com).
    Chn,
    /// 17pk.com.
    Ccm,
}

/// What is known about a format without reading a file.
struct Facts {
    format: Format,
    name: &'static str,
    endings: &'static [&'static str],
    written: bool,
    many: bool,
}

const fn row(
    format: Format,
    name: &'static str,
    endings: &'static [&'static str],
    written: bool,
    many: bool,
) -> Facts {
    Facts { format, name, endings, written, many }
}

/// Name, endings, whether it is written, whether it holds several games.
const FACTS: &[Facts] = &[
    row(Format::Pgn, "pgn", &["pgn"], true, true),
    row(Format::Wxf, "wxf", &["wxf"], true, false),
    row(Format::Text, "text", &["txt"], false, true),
    row(Format::Engine, "engine", &["log"], false, true),
    row(Format::Problems, "problems", &["epd"], false, true),
    row(Format::Diagram, "diagram", &["xay"], false, false),
    row(Format::Json, "json", &["json", "jsonl"], true, true),
    row(Format::Xqf, "xqf", &["xqf"], true, false),
    row(Format::Cbr, "cbr", &["cbr"], true, false),
    row(Format::Cbl, "cbl", &["cbl"], false, true),
    row(Format::CblEarly, "cbl-early", &["cbl"], false, true),
    row(Format::Cbf, "cbf", &["cbf"], true, false),
    row(Format::DhtmlXq, "dhtmlxq", &["ubb", "dhtmlxq", "html", "htm"], true, true),
    row(Format::Mxq, "mxq", &["mxq"], false, false),
    row(Format::Che, "che", &["che"], false, false),
    row(Format::Chn, "chn", &["chn"], false, false),
    row(Format::Ccm, "ccm", &["ccm"], false, false),
];

impl Format {
    /// Every format.
    pub fn all() -> impl Iterator<Item = Format> {
        FACTS.iter().map(|facts| facts.format)
    }

    fn facts(self) -> &'static Facts {
        FACTS.iter().find(|facts| facts.format == self).expect("every format has its row")
    }

    /// The name, as `--to` takes it.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// The format of that name.
    pub fn named(name: &str) -> Option<Format> {
        FACTS.iter().find(|facts| facts.name.eq_ignore_ascii_case(name)).map(|facts| facts.format)
    }

    /// The ending that its files have.
    pub fn ending(self) -> &'static str {
        self.facts().endings[0]
    }

    /// The format that a file of that name is written in, by its ending.
    pub fn of_name(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?;
        let has = |facts: &&Facts| facts.endings.iter().any(|known| known.eq_ignore_ascii_case(ending));
        FACTS.iter().find(has).map(|facts| facts.format)
    }

    /// Whether it can be written, not only read.
    pub fn is_written(self) -> bool {
        self.facts().written
    }

    /// Whether one file holds several games.
    pub fn holds_many(self) -> bool {
        self.facts().many
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
