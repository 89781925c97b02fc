//! What a record says around the moves: who, where, when.

use std::collections::BTreeMap;
use std::fmt;

use crate::Text;

macro_rules! tags {
    ($($(#[$doc:meta])* $variant:ident = $name:literal),+ $(,)?) => {
        /// A field of a record's header. Formats call the same thing by different names; these are PGN's where PGN
        /// has one. The order is the order in which text formats write them.
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Tag {
            $($(#[$doc])* $variant,)+
            /// A field that only its own format knows, by the name it has there.
            Other(Box<str>),
        }

        impl Tag {
            const KNOWN: &'static [(Tag, &'static str)] = &[$((Tag::$variant, $name)),+];

            /// The name of the field.
            pub fn name(&self) -> &str {
                match self {
                    $(Tag::$variant => $name,)+
                    Tag::Other(name) => name,
                }
            }
        }
    };
}

tags! {
    /// 标题: what the record is called.
    Title = "Title",
    /// A second title.
    Subtitle = "Subtitle",
    /// 赛事: the competition.
    Event = "Event",
    /// 赛事类型: what kind of competition.
    EventClass = "EventClass",
    /// 轮次: the round.
    Round = "Round",
    /// 组别: the group.
    Group = "Group",
    /// 台次: the table.
    Table = "Table",
    /// 日期: the day.
    Date = "Date",
    /// 地点: the place.
    Site = "Site",
    /// 红方团体: Red's team.
    RedTeam = "RedTeam",
    /// 红方: Red's name.
    Red = "Red",
    /// 红方等级分: Red's rating.
    RedElo = "RedElo",
    /// 红方用时: the time that Red used.
    RedTime = "RedTime",
    /// 黑方团体: Black's team.
    BlackTeam = "BlackTeam",
    /// 黑方: Black's name.
    Black = "Black",
    /// 黑方等级分: Black's rating.
    BlackElo = "BlackElo",
    /// 黑方用时: the time that Black used.
    BlackTime = "BlackTime",
    /// 时间规则: the time control.
    TimeControl = "TimeControl",
    /// 结束方式: how the game ended.
    Termination = "Termination",
    /// 开局编号: the opening's code, A00 to E99.
    Ecco = "ECCO",
    /// 开局: the opening's name.
    Opening = "Opening",
    /// The opening's variation.
    Variation = "Variation",
    /// 棋谱类型: 全局, 开局, 中局 or 残局.
    Kind = "Kind",
    /// 棋谱主人: who owns the record.
    Owner = "Owner",
    /// 分类: where a library files the record.
    Category = "Category",
    /// 来源: where the record was taken from.
    Source = "Source",
    /// 裁判: the referee.
    Referee = "Referee",
    /// 记录: who wrote the moves down at the board.
    Recorder = "Recorder",
    /// 讲评: who commented.
    Annotator = "Annotator",
    /// 作者: who made the record.
    Author = "Author",
    /// 备注: a remark on the record.
    Remark = "Remark",
    /// When the record was made.
    Created = "Created",
    /// When the record was last saved.
    Modified = "Modified",
}

impl Tag {
    /// The field of a name, whatever its case. `White` is Red, as programs of western chess have it.
    pub fn named(name: &str) -> Tag {
        let alias = match name.to_ascii_lowercase().as_str() {
            "white" => "Red",
            "whiteelo" => "RedElo",
            "whiteteam" => "RedTeam",
            "eco" => "ECCO",
            "titlea" => "Title",
            "titleb" => "Subtitle",
            "type" | "playtype" => "Kind",
            "writer" | "rmkwriter" => "Annotator",
            _ => name,
        };
        let known = Tag::KNOWN.iter().find(|(_, known)| known.eq_ignore_ascii_case(alias));
        known.map_or_else(|| Tag::Other(name.into()), |(tag, _)| tag.clone())
    }
}

impl Tag {
    /// The field that has exactly this name.
    pub(crate) fn exactly(name: &str) -> Tag {
        let known = Tag::KNOWN.iter().find(|(_, known)| *known == name);
        known.map_or_else(|| Tag::Other(name.into()), |(tag, _)| tag.clone())
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The header of a record. A field that says nothing is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    fields: BTreeMap<Tag, Text>,
    /// Whether a field found no room.
    is_over_full: bool,
}

impl Headers {
    /// No field.
    pub fn new() -> Headers {
        Headers::default()
    }

    /// As many fields have room.
    pub const MOST_FIELDS: usize = 10_000;

    /// Whether more fields were set than there is room for.
    pub fn is_over_full(&self) -> bool {
        self.is_over_full
    }

    /// Sets a field; an empty text removes it. Beyond [`Headers::MOST_FIELDS`] a further one is not kept, and
    /// [`Headers::is_over_full`] tells.
    pub fn set(&mut self, tag: Tag, text: impl Into<Text>) {
        let text = text.into();
        if self.len() >= Headers::MOST_FIELDS && !self.fields.contains_key(&tag) {
            self.is_over_full = true;
        } else if text.is_empty() {
            self.fields.remove(&tag);
        } else {
            self.fields.insert(tag, text);
        }
    }

    /// What a field says.
    pub fn get(&self, tag: &Tag) -> Option<&Text> {
        self.fields.get(tag)
    }

    /// What a field says, or nothing.
    pub fn text(&self, tag: &Tag) -> &str {
        self.get(tag).map_or("", Text::as_str)
    }

    /// All fields, in the order of [`Tag`].
    pub fn iter(&self) -> impl Iterator<Item = (&Tag, &Text)> {
        self.fields.iter()
    }

    /// How many fields there are.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }
}
