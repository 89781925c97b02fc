//! The pieces and the panel as a terminal shows them.

use boardd::{Half, Lamp, Panel};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color as Ink, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use xiangqi::{Color, File, Piece, Rank, Role, Square};

use crate::keyboard_board::Pieces;

/// Columns of the board with its clocks.
const BOARD_COLUMNS: u16 = 42;
/// Rows of the board with its clocks.
const ROWS: u16 = 22;
const KEYS: [(&str, &str); 9] = [
    ("arrows", "move the cursor"),
    ("space", "take a piece up, set it down"),
    ("r b", "press the clock: Red, Black"),
    ("d D", "draw: Red, Black"),
    ("g G", "resign: Red, Black"),
    ("a A", "adjust (摆正): Red, Black"),
    ("s p c", "start, pause or resume, call the arbiter"),
    ("n", "next game, after a result"),
    ("q", "leave"),
];

/// Draws all of it.
pub fn draw(frame: &mut Frame<'_>, pieces: &Pieces, panel: &Panel) {
    let area = frame.area();
    if area.width < BOARD_COLUMNS || area.height < ROWS {
        let asked = format!("The board needs {BOARD_COLUMNS} columns and {ROWS} rows.");
        return frame.render_widget(Paragraph::new(asked).wrap(Wrap { trim: true }), area);
    }
    let columns = Layout::horizontal([Constraint::Length(BOARD_COLUMNS), Constraint::Min(0)]);
    let [board, side] = columns.areas(area);
    frame.render_widget(Paragraph::new(board_lines(pieces, panel)), board);
    frame.render_widget(Paragraph::new(side_lines(pieces, panel)).wrap(Wrap { trim: false }), side);
}

/// Black's clock, the board with Red at the bottom, Red's clock.
fn board_lines(pieces: &Pieces, panel: &Panel) -> Vec<Line<'static>> {
    let mut lines = vec![half("Black", &panel.halves.black)];
    for rank in Rank::ALL.into_iter().rev() {
        lines.push(points(pieces, panel, rank));
        lines.extend((rank.index() > 0).then(|| Line::from(between(rank)).dim()));
    }
    lines.push(Line::from("  a   b   c   d   e   f   g   h   i").dim());
    lines.push(half("Red", &panel.halves.red));
    lines
}

fn half(name: &str, half: &Half) -> Line<'static> {
    let lamp = match half.lamp {
        Lamp::Off => Span::from("○ "),
        Lamp::On => Span::from("● ").green(),
        Lamp::Blinking => Span::from("● ").yellow().add_modifier(Modifier::SLOW_BLINK),
    };
    let mut line = vec![lamp, Span::from(format!("{name:<5} {:>8}", half.time)).bold()];
    line.push(Span::from(format!("  moves {}", half.moves)));
    line.extend(half.moves_to_go.map(|to_go| Span::from(format!(", {to_go} to go"))));
    line.extend(half.periods.map(|periods| Span::from(format!(", {periods}×"))));
    Line::from(line)
}

/// One rank: a point is a piece, two columns wide, or a crossing.
fn points(pieces: &Pieces, panel: &Panel, rank: Rank) -> Line<'static> {
    let mut line = vec![Span::from(format!("{} ", rank.index())).dim()];
    for file in File::ALL {
        let square = Square::at(file, rank);
        let (text, columns, style) = match pieces.board.piece_at(square) {
            Some(piece) => (glyph(piece), 2, ink(piece.color)),
            None => (crossing(file, rank), 1, Style::new().dim()),
        };
        let is_last = panel.last.is_some_and(|mv| mv.to == square);
        let style = if is_last { style.add_modifier(Modifier::UNDERLINED) } else { style };
        let style =
            if square == pieces.cursor { style.not_dim().fg(Ink::Black).bg(Ink::Yellow) } else { style };
        line.push(Span::styled(text, style));
        line.extend((file != File::ALL[8]).then(|| Span::from("─".repeat(4 - columns)).dim()));
    }
    Line::from(line)
}

fn crossing(file: File, rank: Rank) -> &'static str {
    let (left, right) = (file == File::ALL[0], file == File::ALL[8]);
    match (rank.index(), left, right) {
        (9, true, _) => "┌",
        (9, _, true) => "┐",
        (0, true, _) => "└",
        (0, _, true) => "┘",
        (_, true, _) => "├",
        (_, _, true) => "┤",
        (9 | 4, ..) => "┬",
        (0 | 5, ..) => "┴",
        _ => "┼",
    }
}

/// The lines between a rank and the one below it: files, the river, the diagonals of the palaces.
fn between(rank: Rank) -> &'static str {
    match rank.index() {
        5 => "  │      楚  河          漢  界      │",
        9 | 2 => "  │   │   │   │ ╲ │ ╱ │   │   │   │",
        8 | 1 => "  │   │   │   │ ╱ │ ╲ │   │   │   │",
        _ => "  │   │   │   │   │   │   │   │   │",
    }
}

/// What there is to say beside the board.
fn side_lines(pieces: &Pieces, panel: &Panel) -> Vec<Line<'static>> {
    let mut lines = vec![Line::from(format!("ply {}", panel.plies))];
    lines.extend(panel.last.map(|mv| Line::from(format!("last move {mv}"))));
    lines.extend(panel.provisional.map(|mv| Line::from(format!("{mv} stands until the clock is pressed"))));
    lines.extend(pieces.hand.map(|piece| Line::from(format!("in hand {}", glyph(piece)))));
    if !panel.shared.is_empty() {
        lines.push(Line::from(format!("shared time {}", panel.shared)));
    }
    // Beside the clocks there is no room for them.
    for side in Color::ALL {
        let Half { stage, fouls, .. } = panel.halves[side];
        lines.extend((stage > 1).then(|| Line::from(format!("{side}: stage {stage}"))));
        lines.extend((fouls > 0).then(|| Line::from(format!("{side}: fouls {fouls}")).red()));
    }
    lines.extend(panel.offer.map(|side| Line::from(format!("a draw is offered by {side}")).yellow()));
    if panel.paused {
        lines.push(Line::from("the clock is paused").yellow());
    }
    lines.extend(panel.waits.iter().map(|wait| Line::from(format!("the arbiter is asked: {wait}")).yellow()));
    lines.extend(
        panel.result.as_ref().map(|(score, why)| Line::from(format!("result {score}, {why}")).bold()),
    );
    lines.extend(panel.buzzer.then(|| Line::from("♪ buzzer").yellow()));
    lines.push(Line::default());
    lines.extend(KEYS.iter().map(|(key, does)| {
        Line::from(vec![Span::from(format!("{key:<7}")).bold(), Span::from(*does).dim()])
    }));
    lines
}

fn ink(color: Color) -> Style {
    match color {
        Color::Red => Style::new().fg(Ink::Red).bold(),
        Color::Black => Style::new().bold(),
    }
}

/// The face of a piece, as it is carved.
fn glyph(piece: Piece) -> &'static str {
    match (piece.color, piece.role) {
        (Color::Red, Role::King) => "帅",
        (Color::Red, Role::Advisor) => "仕",
        (Color::Red, Role::Elephant) => "相",
        (Color::Red, Role::Pawn) => "兵",
        (Color::Black, Role::King) => "将",
        (Color::Black, Role::Advisor) => "士",
        (Color::Black, Role::Elephant) => "象",
        (Color::Black, Role::Pawn) => "卒",
        (_, Role::Horse) => "马",
        (_, Role::Rook) => "车",
        (_, Role::Cannon) => "炮",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use sense::Uptime;
    use xiangqi::{ByColor, Position};

    fn screen(columns: u16, rows: u16, pieces: &Pieces, panel: &Panel) -> Vec<String> {
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("a terminal");
        terminal.draw(|frame| draw(frame, pieces, panel)).expect("drawn");
        let buffer = terminal.backend().buffer();
        let row = |y| (0..columns).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        (0..rows).map(row).collect()
    }

    fn panel() -> Panel {
        let half = |time: &str, lamp| Half { time: time.to_owned(), lamp, moves: 12, ..Half::default() };
        Panel {
            halves: ByColor { red: half("9:58", Lamp::On), black: half("0:09.9", Lamp::Off) },
            plies: 24,
            last: Some("h2e2".parse().expect("a move")),
            ..Panel::default()
        }
    }

    #[test]
    fn the_board_has_red_at_the_bottom_between_two_clocks() {
        let pieces = Pieces::of(&Position::initial(), Uptime::ZERO);
        let screen = screen(80, 24, &pieces, &panel());
        assert!(screen[0].starts_with("○ Black   0:09.9  moves 12"), "{}", screen[0]);
        assert!(screen[21].starts_with("● Red       9:58  moves 12"), "{}", screen[21]);
        // A wide character owns the column after it.
        let rank = |y: usize| screen[y].split_whitespace().next().map(str::to_owned);
        assert_eq!((rank(1), rank(19)), (Some("9".into()), Some("0".into())));
        assert!(screen[1].contains("车") && screen[1].contains("将"), "{}", screen[1]);
        assert!(screen[19].contains("帅") && screen[19].contains("相"), "{}", screen[19]);
        assert!(screen[10].contains("楚") && screen[10].contains("漢"), "{}", screen[10]);
        assert!(screen.iter().any(|row| row.contains("last move h2e2")));
    }

    #[test]
    fn what_waits_is_said_beside_the_board() {
        let mut pieces = Pieces::of(&Position::initial(), Uptime::ZERO);
        pieces.cursor = "h2".parse().expect("a square");
        pieces.touch(Uptime::ZERO);
        let (waits, offer) = (vec!["flag 0-1 (4.1.4)".to_owned()], Some(Color::Red));
        let mut panel = panel();
        panel.halves.red =
            Half { stage: 2, moves_to_go: Some(9), periods: Some(3), fouls: 1, ..panel.halves.red };
        let said =
            screen(110, 30, &pieces, &Panel { waits, paused: true, buzzer: true, offer, ..panel }).join("\n");
        for words in [
            "a draw is offered by red",
            "moves 12, 9 to go, 3×",
            "red: stage 2",
            "red: fouls 1",
            "in hand 炮",
            "the clock is paused",
            "the arbiter is asked: flag 0-1",
            "♪ buzzer",
        ] {
            // The test terminal writes a blank behind each wide character.
            assert!(said.contains(words), "{words} is not in\n{said}");
        }
    }

    #[test]
    fn a_small_terminal_is_told_what_is_needed() {
        let pieces = Pieces::of(&Position::initial(), Uptime::ZERO);
        for (columns, rows) in [(41, 30), (80, 21), (1, 1)] {
            let said = screen(columns, rows, &pieces, &panel()).join("");
            assert!(!said.contains("帅"), "{columns}×{rows}: {said}");
        }
    }
}
