//! The font of what is printed: LXGW WenKai, whole, as the pages carry it.

use std::sync::OnceLock;

use ttf_parser::GlyphId;

use crate::web_files::WebFiles;

/// What stands for a character that the font lacks.
const MISSING: char = '□';

/// A font that has been read. All measures are in thousandths of its size.
#[derive(Debug)]
pub(crate) struct Face {
    bytes: Vec<u8>,
    per_em: f32,
}

/// What a font says of itself, for the PDF.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measures {
    pub bounds: [f32; 4],
    pub ascent: f32,
    pub descent: f32,
    pub cap_height: f32,
}

impl Face {
    /// The font of the pages; none where the binary was built without them. It is unpacked once, when the first sheet is
    /// asked for, and takes 15 MB from then on.
    pub(crate) fn of_pages() -> Option<&'static Face> {
        static FACE: OnceLock<Option<Face>> = OnceLock::new();
        FACE.get_or_init(|| {
            let name = WebFiles::iter().find(|name| name.contains("lxgw-wenkai"))?;
            let packed = WebFiles::get(&name)?;
            Face::of(wuff::decompress_woff2(&packed.data).ok()?)
        })
        .as_ref()
    }

    /// A font in the OpenType format; none where it is no such thing.
    pub(crate) fn of(bytes: Vec<u8>) -> Option<Face> {
        let per_em = f32::from(ttf_parser::Face::parse(&bytes, 0).ok()?.units_per_em());
        Some(Face { bytes, per_em })
    }

    /// Its bytes, to be cut down to the characters in use.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A reader of its tables. They were readable when the font was taken.
    pub(super) fn reader(&self) -> Option<Reader<'_>> {
        let tables = ttf_parser::Face::parse(&self.bytes, 0).ok()?;
        Some(Reader { tables, scale: 1000.0 / self.per_em })
    }
}

/// Reads a font's tables.
pub(super) struct Reader<'a> {
    tables: ttf_parser::Face<'a>,
    scale: f32,
}

impl Reader<'_> {
    /// The glyph of a character, and whether it is that character's own.
    pub fn glyph(&self, character: char) -> (GlyphId, bool) {
        match self.tables.glyph_index(character) {
            Some(glyph) => (glyph, true),
            None => (self.tables.glyph_index(MISSING).unwrap_or_default(), false),
        }
    }

    /// How far a glyph moves the pen.
    pub fn advance(&self, glyph: GlyphId) -> f32 {
        f32::from(self.tables.glyph_hor_advance(glyph).unwrap_or(0)) * self.scale
    }

    /// How wide a text is.
    pub fn width(&self, text: &str) -> f32 {
        text.chars().map(|character| self.advance(self.glyph(character).0)).sum()
    }

    pub fn measures(&self) -> Measures {
        let scaled = |units: i16| f32::from(units) * self.scale;
        let all = self.tables.global_bounding_box();
        Measures {
            bounds: [all.x_min, all.y_min, all.x_max, all.y_max].map(scaled),
            ascent: scaled(self.tables.ascender()),
            descent: scaled(self.tables.descender()),
            cap_height: scaled(self.tables.capital_height().unwrap_or(self.tables.ascender())),
        }
    }
}
