//! Naming what the two sides set up.

use xiangqi::{Color, Move, Position, Rank, Role, Square};

/// So many plies show what a side sets up.
const SETTLED: usize = 12;

/// The name of the opening that moves from the usual start lead into.
pub(super) fn name(moves: &[Move]) -> Option<String> {
    let first = *moves.first()?;
    let red = first_move(first, Color::Red)?;
    let Some(answer) = moves.get(1) else { return Some(red.into()) };
    let reply = first_move(*answer, Color::Black);
    Some(match (red, reply) {
        ("中炮", _) => against_central_cannon(moves),
        ("仙人指路", Some("仙人指路")) => "对兵局".into(),
        ("仙人指路", Some("金钩炮")) => "仙人指路对卒底炮".into(),
        (red, Some(reply)) => format!("{red}对{}", as_reply(reply)),
        (red, None) => red.into(),
    })
}

/// What a move begins, seen by the side that makes it. Left and right are alike.
fn first_move(m: Move, color: Color) -> Option<&'static str> {
    let role = Position::initial().piece_at(m.from).filter(|piece| piece.color == color)?.role;
    let (file, to_file) = (m.from.file().index(), m.to.file().index());
    let from_centre = to_file.abs_diff(4);
    let crosses = (file < 4) != (to_file < 4);
    let steps = m.to.rank().from_home_of(color).abs_diff(m.from.rank().from_home_of(color));
    Some(match (role, from_centre, steps) {
        (Role::Cannon, 0, 0) => "中炮",
        (Role::Cannon, 1, 0) if crosses => "过宫炮",
        (Role::Cannon, 1, 0) => "仕角炮",
        (Role::Cannon, 2, 0) if crosses => "敛炮",
        (Role::Cannon, 2, 0) => "金钩炮",
        (Role::Cannon, 4, 0) => "边炮",
        (Role::Cannon, _, 1) => "高炮",
        (Role::Cannon, _, 2) => "巡河炮",
        (Role::Cannon, _, 4) => "过河炮",
        (Role::Elephant, 0, _) => "飞相局",
        (Role::Elephant, ..) => "飞边相",
        (Role::Horse, 2, _) => "起马局",
        (Role::Horse, ..) => "边马局",
        (Role::Pawn, 2, _) => "仙人指路",
        (Role::Pawn, 0, _) => "中兵局",
        (Role::Pawn, ..) => "边兵局",
        (Role::Advisor, ..) => "上仕局",
        (Role::Rook, ..) => "横车局",
        _ => "其他开局",
    })
}

/// The same as an answer, where the words of Black's pieces and customs differ.
fn as_reply(name: &str) -> &str {
    match name {
        "飞相局" => "飞象",
        "飞边相" => "飞边象",
        "起马局" => "起马",
        "边马局" => "边马",
        "仙人指路" => "挺卒",
        "中兵局" => "挺中卒",
        "边兵局" => "挺边卒",
        "上仕局" => "上士",
        "横车局" => "横车",
        "仕角炮" => "士角炮",
        other => other,
    }
}

/// A central cannon meets another one, or two horses.
fn against_central_cannon(moves: &[Move]) -> String {
    let own = moves[0].from.file();
    if moves[1].to == at(4, Rank::R7) && moves[1].from.rank() == Rank::R7 {
        return if moves[1].from.file() == own { "顺炮" } else { "列炮" }.into();
    }
    let mut position = Position::initial();
    for m in moves.iter().take(SETTLED) {
        let Ok(after) = position.play(*m) else { break };
        position = after;
    }
    let stands = |role: Role, file: usize, rank: Rank| {
        let piece = position.piece_at(at(file, rank));
        piece.is_some_and(|piece| piece.color == Color::Black && piece.role == role)
    };
    let horse = |file: usize| stands(Role::Horse, file, Rank::R7);
    let cannon = |file: usize| stands(Role::Cannon, file, Rank::R7);
    let system = if cannon(4) {
        "半途列炮"
    } else if horse(2) && horse(6) && (cannon(3) || cannon(5)) {
        "反宫马"
    } else if horse(2) && horse(6) {
        "屏风马"
    } else if (horse(2) && horse(8)) || (horse(6) && horse(0)) {
        "单提马"
    } else if horse(2) || horse(6) {
        "进马"
    } else {
        "其他应着"
    };
    format!("中炮对{system}")
}

fn at(file: usize, rank: Rank) -> Square {
    Square::at(xiangqi::File::ALL[file], rank)
}
