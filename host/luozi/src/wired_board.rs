//! A board that is wired to this machine: its profile, its wiring, its pins.

use std::path::{Path, PathBuf};

use calibration::{BoardProfile, PinMap, WiringFlaw};
use referee::time_control::TimeControl;
#[cfg(feature = "rpi")]
use sense::Debounce;
use xiangqi::law::edition::Edition;

use crate::outcome::Failure;

/// What tells a board how it is wired.
#[derive(Debug, clap::Args)]
pub struct WiredArgs {
    /// The profile of this board; of a simulated one its id and its camera [default: the serial variant, nothing masked]
    #[arg(long, value_name = "BOARD.toml")]
    profile: Option<PathBuf>,
    /// The wiring [default: that of hardware/pinmap.toml]
    #[arg(long, value_name = "PINMAP.toml")]
    pinmap: Option<PathBuf>,
}

/// A board as it is described.
#[cfg_attr(not(feature = "rpi"), allow(dead_code))]
pub struct Wired {
    pub profile: BoardProfile,
    pub map: PinMap,
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|e| Failure::new(format_args!("{}: {e}", path.display())))
}

impl WiredArgs {
    /// Reads the profile alone.
    pub fn profile(&self) -> Result<BoardProfile, Failure> {
        match &self.profile {
            Some(path) => BoardProfile::from_toml(&read(path)?)
                .map_err(|e| Failure::new(format_args!("{}: {}", path.display(), one_line(&e)))),
            None => Ok(BoardProfile::new("board-1")),
        }
    }

    /// Reads the description; what is wrong with it is said in one line.
    pub fn read(&self) -> Result<Wired, Failure> {
        let profile = self.profile()?;
        let map = match &self.pinmap {
            Some(path) => {
                let text = read(path)?;
                PinMap::from_toml(&text).map_err(|flaws| {
                    let told = |flaw: &WiringFlaw| match flaw.line(&text) {
                        Some(line) => format!("line {line}: {}", one_line(flaw)),
                        None => one_line(flaw),
                    };
                    let flaws: Vec<String> = flaws.iter().map(told).collect();
                    Failure::new(format_args!("{}: {}", path.display(), flaws.join("; ")))
                })?
            }
            None => PinMap::shipped(),
        };
        Ok(Wired { profile, map })
    }
}

fn one_line(what: &impl ToString) -> String {
    what.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Above everything that is not as urgent as a scan, below what the kernel itself does at real-time priority.
#[cfg(feature = "rpi")]
const PRIORITY: u8 = 40;

#[cfg(feature = "rpi")]
type Board = boardd::ScannedBoard<
    boardd::rpi::Reeds,
    boardd::rpi::Button,
    boardd::rpi::Monotonic,
    boardd::rpi::PiFront,
>;

#[cfg(feature = "rpi")]
impl Wired {
    /// The board on its pins, as a service of the system.
    pub fn source(
        &self,
        id: &str,
        clock: Option<&TimeControl>,
        rules: &Edition,
    ) -> Result<boardd::Service<Board>, Failure> {
        let mut header = boardd::usual_header(id, clock.map(ToString::to_string));
        header.rules = rules.to_string();
        let debounce = self.profile.debounce();
        header.reeds = (debounce != Debounce::default()).then(|| debounce.into());
        let board = boardd::rpi::board(&self.profile, &self.map, header).map_err(Failure::new)?;
        Ok(boardd::Service::new(board, boardd::Notifier::from_env(), Some(PRIORITY)))
    }
}

#[cfg(not(feature = "rpi"))]
impl Wired {
    /// This binary knows no pins.
    pub fn source(
        &self,
        _: &str,
        _: Option<&TimeControl>,
        _: &Edition,
    ) -> Result<crate::simulated_board::SimulatedBoard, Failure> {
        Err(Failure::new("this luozi was built without the pins of a Raspberry Pi; expected --simulated"))
    }
}
