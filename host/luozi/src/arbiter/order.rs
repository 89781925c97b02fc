//! The orders, as they are typed.

use std::path::PathBuf;

use referee::claim::ClaimKind;
use referee::foul::Offence;
use referee::{ClaimRuling, Command, Reason, Score};
use xiangqi::{Color, Move, Position};

use super::words;

/// What is ordered. The clock first, then fouls, players, moves, the result.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum What {
    /// Start the clock of the side with the first move
    Start,
    /// Stop both clocks
    Pause,
    /// Let the clock run again
    Resume {
        /// Whose clock runs [default: the one that ran before]
        side: Option<Color>,
    },
    /// Set what a side has left
    SetClock {
        /// Whose clock
        side: Color,
        /// What is left
        #[arg(value_parser = words::time_ms, value_name = "TIME")]
        left: u64,
    },
    /// Count time as used though it did not pass
    Charge {
        /// Whose clock
        side: Color,
        /// How much
        #[arg(value_parser = words::time_ms, value_name = "TIME")]
        time: u64,
    },
    /// A side is not at the board; before the start
    Absent {
        /// Which
        side: Color,
    },
    /// A late side has sat down (21.2)
    Arrived {
        /// Which
        side: Color,
    },
    /// Enter a foul
    Foul {
        /// Whose
        side: Color,
        /// What for, by name or by its article: conduct, 9.1.8, 8.1(9) …
        #[arg(value_parser = words::offence, long_help = words::OFFENCES)]
        offence: Offence,
    },
    /// Enter missed lines of a player's own record (7.1)
    MissedLines {
        /// Whose record
        side: Color,
        /// How many lines in a row
        lines: u32,
    },
    /// Take a foul back
    WithdrawFoul {
        /// Its number
        foul: u32,
    },
    /// Warn a player (18.1)
    Warn {
        /// Whom
        side: Color,
    },
    /// A player says "draw": offers one, or accepts the opponent's (23.1)
    Draw {
        /// Who
        side: Color,
    },
    /// A player refuses the draw that is offered
    DeclineDraw {
        /// Who
        side: Color,
    },
    /// A player resigns
    Resign {
        /// Who
        side: Color,
    },
    /// A player claims; the clocks stop, and the claim waits for a ruling
    Claim {
        /// Who
        side: Color,
        /// What: natural-limit, repetition or flag
        #[arg(value_parser = words::named::<ClaimKind>)]
        claim: ClaimKind,
    },
    /// Rule on the claim that waits
    Rule {
        /// granted, denied, red-must-vary, black-must-vary, red-loses or black-loses
        #[arg(value_parser = words::named::<ClaimRuling>)]
        ruling: ClaimRuling,
        /// Within how many of its own moves a side must vary [default: it may not go round once more]
        #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..=99))]
        within: Option<u32>,
    },
    /// An irregular move stands
    AcceptMove {
        /// The ply, from 1
        ply: u32,
    },
    /// Take moves back, down to and with that ply
    TakeBack {
        /// The ply, from 1
        ply: u32,
    },
    /// Choose among the readings of an ambiguous ply
    Choose {
        /// The ply, from 1
        ply: u32,
        /// The move that was played, as h2e2
        #[arg(value_name = "MOVE")]
        mv: Move,
    },
    /// Say what stands on the board
    SetPosition {
        /// The position, as FEN
        fen: Position,
    },
    /// Declare a result, or correct the one in force
    Declare {
        /// 1-0, 0-1, 1/2-1/2 or 0-0
        score: Score,
        /// Why: resignation, agreement, flag, arbiter …
        #[arg(value_parser = words::named::<Reason>, value_name = "WHY", long_help = words::REASONS)]
        ending: Reason,
    },
    /// Play goes on; the clock waits, paused
    Reopen,
    /// Sign the result (10.1)
    Sign {
        /// The player who signs in the arbiter's presence [default: the arbiter]
        side: Option<Color>,
    },
    /// Take a still with the board's camera; the picture is kept beside its journal
    Still,
    /// Undo an earlier order
    Undo {
        /// Its number, as the board's answer gave it
        order: u32,
    },
    /// Make a key for an arbiter, and print how boards are told of it
    NewKey {
        /// What boards know the key by
        #[arg(value_name = "KEY")]
        new_key: String,
        /// Whose it is
        #[arg(value_name = "NAME")]
        owner: String,
        /// The file that will keep it
        file: PathBuf,
        /// The key of a hall server: it gives orders in the names of those who are logged in there
        #[arg(long)]
        for_others: bool,
    },
}

impl What {
    /// The order; none for what is not ordered of a board.
    pub fn command(&self) -> Option<Command> {
        Some(match self.clone() {
            What::Start => Command::Start,
            What::Pause => Command::Pause,
            What::Resume { side } => Command::Resume { side },
            What::SetClock { side, left } => Command::SetClock { side, left_ms: left },
            What::Charge { side, time } => Command::Charge { side, charge_ms: time },
            What::Absent { side } => Command::Absent { side },
            What::Arrived { side } => Command::Arrived { side },
            What::Foul { side, offence } => Command::AddFoul { side, offence },
            What::MissedLines { side, lines } => Command::MissedLines { side, lines },
            What::WithdrawFoul { foul } => Command::WithdrawFoul { foul },
            What::Warn { side } => Command::Warn { side },
            What::Draw { side } => Command::Draw { side },
            What::DeclineDraw { side } => Command::DeclineDraw { side },
            What::Resign { side } => Command::Resign { side },
            What::Claim { side, claim } => Command::Claim { side, claim },
            What::Rule { ruling, within } => Command::RuleClaim { ruling, within },
            What::AcceptMove { ply } => Command::AcceptMove { ply },
            What::TakeBack { ply } => Command::TakeBack { ply },
            What::Choose { ply, mv } => Command::Choose { ply, mv },
            What::SetPosition { fen } => Command::SetPosition { fen: Box::new(fen) },
            What::Declare { score, ending } => Command::Declare { score, ending },
            What::Reopen => Command::Reopen,
            What::Sign { side } => Command::Sign { side },
            What::Still => Command::Still,
            What::Undo { order } => Command::Undo { undo: order },
            What::NewKey { .. } => return None,
        })
    }
}
