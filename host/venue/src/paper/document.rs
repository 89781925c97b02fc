//! Pages of A4 with text and lines, written as PDF.
//!
//! Places are in millimetres from the top left corner of a page; a text stands on its baseline. Sizes of characters are in
//! points, as printers count them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use subsetter::GlyphRemapper;

use super::face::{Face, Reader};

/// A4 in millimetres.
pub(super) const WIDTH: f32 = 210.0;
/// A4 in millimetres.
pub(super) const HEIGHT: f32 = 297.0;
/// Points of a millimetre.
const POINTS: f32 = 72.0 / 25.4;

const FONT: Name<'static> = Name(b"F");
const FONT_NAME: Name<'static> = Name(b"LUOZIP+LXGWWenKai");
const IDENTITY: SystemInfo<'static> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// How dark something is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ink {
    /// What is said.
    Black,
    /// What it is called.
    Faint,
    /// Lines between.
    Rule,
}

impl Ink {
    const fn grey(self) -> f32 {
        match self {
            Ink::Black => 0.0,
            Ink::Faint => 0.33,
            Ink::Rule => 0.6,
        }
    }
}

/// Where a text stands relative to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Middle,
    Right,
}

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Style {
    /// In points.
    pub size: f32,
    pub ink: Ink,
    pub align: Align,
}

impl Style {
    /// Black, from the place to the right.
    pub const fn plain(size: f32) -> Style {
        Style { size, ink: Ink::Black, align: Align::Left }
    }

    /// What something is called, from the place to the right.
    pub const fn faint(size: f32) -> Style {
        Style { size, ink: Ink::Faint, align: Align::Left }
    }

    pub const fn to(self, align: Align) -> Style {
        Style { align, ..self }
    }
}

/// A document that is being written.
pub(super) struct Document<'a> {
    face: &'a Face,
    reader: Reader<'a>,
    glyphs: GlyphRemapper,
    /// Of each glyph in use, by its number in the file: its width and the character that it was first used for.
    used: BTreeMap<u16, (f32, char)>,
    missing: BTreeSet<char>,
    pages: Vec<Content>,
}

impl<'a> Document<'a> {
    /// A document without pages; none where the font cannot be read.
    pub fn new(face: &'a Face) -> Option<Document<'a>> {
        let reader = face.reader()?;
        let (glyphs, used, missing) = (GlyphRemapper::new(), BTreeMap::new(), BTreeSet::new());
        Some(Document { face, reader, glyphs, used, missing, pages: Vec::new() })
    }

    /// Begins a page, which everything that follows is put on.
    pub fn turn_page(&mut self) {
        self.pages.push(Content::new());
    }

    pub fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// The characters that were written and that the font lacks: each was drawn as a box.
    pub fn missing(&self) -> &BTreeSet<char> {
        &self.missing
    }

    /// How wide a text is, in millimetres.
    pub fn width(&self, text: &str, size: f32) -> f32 {
        self.reader.width(text) / 1000.0 * size / POINTS
    }

    /// The largest size up to `size` at which a text is no wider than `width`.
    pub fn fitting(&self, text: &str, size: f32, width: f32) -> f32 {
        size * (width / self.width(text, size).max(f32::EPSILON)).min(1.0)
    }

    /// A text in lines no wider than `width`, broken at spaces or, where a word is too long or has none, anywhere.
    pub fn lines(&self, text: &str, size: f32, width: f32) -> Vec<String> {
        let mut lines = vec![String::new()];
        for piece in text.split_inclusive([' ', '，', '、', '/']) {
            let last = lines.last().map_or("", String::as_str);
            let fits = |text: &str| self.width(text.trim_end(), size) <= width;
            if !last.is_empty() && !fits(&format!("{last}{piece}")) && fits(piece) {
                lines.push(String::new());
            }
            for character in piece.chars() {
                let last = lines.last().map_or("", String::as_str);
                if !last.is_empty() && !fits(&format!("{last}{character}")) {
                    lines.push(String::new());
                }
                lines.extend(lines.is_empty().then(String::new));
                if let Some(last) = lines.last_mut() {
                    last.push(character);
                }
            }
        }
        lines
    }

    /// Writes a text on the last page.
    pub fn text(&mut self, x: f32, y: f32, text: &str, style: Style) {
        let last = self.pages.len().saturating_sub(1);
        self.text_on(last, x, y, text, style);
    }

    /// Writes a text on a page.
    pub fn text_on(&mut self, page: usize, x: f32, y: f32, text: &str, style: Style) {
        let back = match style.align {
            Align::Left => 0.0,
            Align::Middle => self.width(text, style.size) / 2.0,
            Align::Right => self.width(text, style.size),
        };
        let Some(content) = self.pages.get_mut(page).filter(|_| !text.is_empty()) else { return };
        content.begin_text().set_font(FONT, style.size).set_fill_gray(style.ink.grey());
        content.next_line((x - back) * POINTS, (HEIGHT - y) * POINTS);
        let mut run: Vec<u8> = Vec::new();
        for character in text.chars().filter(|character| !character.is_control()) {
            let (glyph, own) = self.reader.glyph(character);
            let number = self.glyphs.remap(glyph.0);
            let shown = if own { character } else { '□' };
            self.used.entry(number).or_insert_with(|| (self.reader.advance(glyph), shown));
            if own {
                run.extend(number.to_be_bytes());
                continue;
            }
            // Who copies or searches the text finds the character itself.
            self.missing.insert(character);
            if !run.is_empty() {
                content.show(Str(&std::mem::take(&mut run)));
            }
            let mut buffer = [0; 4];
            let mut marked = content.begin_marked_content_with_properties(Name(b"Span"));
            marked.properties().actual_text(TextStr(character.encode_utf8(&mut buffer)));
            drop(marked);
            content.show(Str(&number.to_be_bytes())).end_marked_content();
        }
        if !run.is_empty() {
            content.show(Str(&run));
        }
        content.end_text();
    }

    /// Draws a line on the last page, so wide in millimetres.
    pub fn line(&mut self, from: (f32, f32), to: (f32, f32), width: f32, ink: Ink) {
        let Some(content) = self.pages.last_mut() else { return };
        let place = |(x, y): (f32, f32)| (x * POINTS, (HEIGHT - y) * POINTS);
        let ((x1, y1), (x2, y2)) = (place(from), place(to));
        content.set_line_width(width * POINTS).set_stroke_gray(ink.grey());
        content.move_to(x1, y1).line_to(x2, y2).stroke();
    }

    /// Draws the edges of a rectangle on the last page.
    pub fn frame(&mut self, left: f32, top: f32, right: f32, bottom: f32, width: f32, ink: Ink) {
        self.line((left, top), (right, top), width, ink);
        self.line((left, bottom), (right, bottom), width, ink);
        self.line((left, top), (left, bottom), width, ink);
        self.line((right, top), (right, bottom), width, ink);
    }

    /// The file. None where the font cannot be cut down.
    pub fn finish(self, title: &str, language: &str) -> Option<Vec<u8>> {
        let font = subsetter::subset(self.face.bytes(), 0, &self.glyphs).ok()?;
        let mut next = 0;
        let mut id = || {
            next += 1;
            Ref::new(next)
        };
        let (catalog, tree, info, font_id) = (id(), id(), id(), id());
        let mut pdf = Pdf::new();
        pdf.document_info(info).title(TextStr(title)).creator(TextStr("luozi"));
        let mut root = pdf.catalog(catalog);
        root.pages(tree).lang(TextStr(language));
        root.viewer_preferences().display_doc_title(true);
        root.finish();
        let pages: Vec<(Ref, Ref)> = self.pages.iter().map(|_| (id(), id())).collect();
        let count = i32::try_from(pages.len()).unwrap_or(i32::MAX);
        pdf.pages(tree).kids(pages.iter().map(|(page, _)| *page)).count(count);
        for ((page_id, content_id), content) in pages.into_iter().zip(self.pages) {
            let mut page = pdf.page(page_id);
            page.parent(tree).media_box(Rect::new(0.0, 0.0, WIDTH * POINTS, HEIGHT * POINTS));
            page.contents(content_id).resources().fonts().pair(FONT, font_id);
            page.finish();
            pdf.stream(content_id, &packed(content.finish().as_slice())).filter(Filter::FlateDecode);
        }
        let parts = [id(), id(), id(), id()];
        write_font(&mut pdf, font_id, parts, &self.reader, &self.used, &font);
        Some(pdf.finish())
    }
}

fn write_font(
    pdf: &mut Pdf,
    font_id: Ref,
    [cid_font, descriptor, file, to_unicode]: [Ref; 4],
    reader: &Reader<'_>,
    used: &BTreeMap<u16, (f32, char)>,
    font: &[u8],
) {
    let mut root = pdf.type0_font(font_id);
    root.base_font(FONT_NAME).encoding_predefined(Name(b"Identity-H"));
    root.descendant_font(cid_font).to_unicode(to_unicode);
    root.finish();
    let mut cid = pdf.cid_font(cid_font);
    cid.subtype(CidFontType::Type2).base_font(FONT_NAME).system_info(IDENTITY).font_descriptor(descriptor);
    cid.cid_to_gid_map_predefined(Name(b"Identity")).default_width(1000.0);
    let mut widths = cid.widths();
    for (&number, &(width, _)) in used {
        widths.consecutive(number, [width]);
    }
    widths.finish();
    cid.finish();
    let measures = reader.measures();
    let [left, bottom, right, top] = measures.bounds;
    pdf.font_descriptor(descriptor)
        .name(FONT_NAME)
        .flags(FontFlags::SYMBOLIC)
        .bbox(Rect::new(left, bottom, right, top))
        .italic_angle(0.0)
        .ascent(measures.ascent)
        .descent(measures.descent)
        .cap_height(measures.cap_height)
        .stem_v(80.0)
        .font_file2(file);
    let length = i32::try_from(font.len()).unwrap_or(i32::MAX);
    pdf.stream(file, &packed(font)).filter(Filter::FlateDecode).pair(Name(b"Length1"), length);
    let mut map = UnicodeCmap::new(Name(b"Luozi"), IDENTITY);
    for (&number, &(_, character)) in used {
        map.pair(number, character);
    }
    pdf.cmap(to_unicode, map.finish().as_slice());
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Memory takes everything.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}
