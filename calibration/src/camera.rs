//! The `[camera]` table of a board's profile.

use serde::{Deserialize, Serialize};

/// What in an argument of a camera's program stands for the file that it writes.
const FILE: &str = "{file}";

/// A board's camera: how it takes a picture, and where the board lies in it. Either may be left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardCamera {
    /// The program that takes a picture, and its arguments; `{file}` stands for the file that it writes.
    #[serde(default)]
    pub command: Vec<String>,
    /// The points a0, i0, i9 and a9 in the picture, see [`vision::Camera::corners`].
    #[serde(default)]
    pub corners: Option<[[f64; 2]; 4]>,
    /// Pictures of the initial position, see [`vision::Camera::start`].
    #[serde(default)]
    pub start: Vec<String>,
}

impl BoardCamera {
    /// Where the board lies in its pictures, if that is known.
    pub fn view(&self) -> Option<vision::Camera> {
        let start = self.start.clone();
        self.corners.map(|corners| vision::Camera { corners, start })
    }

    /// What is wrong with it, in one line.
    pub(crate) fn flaw(&self) -> Option<String> {
        let names_file = self.command.iter().skip(1).any(|argument| argument.contains(FILE));
        (!self.command.is_empty() && !names_file)
            .then(|| format!("[camera] command: expected a program and its arguments, {FILE} among them"))
    }

    /// The table as it is written.
    pub(crate) fn to_toml(&self) -> String {
        // Debug forms of numbers and texts are those of TOML.
        let command = (!self.command.is_empty()).then(|| format!("command = {:?}\n", self.command));
        let corners = self.corners.map(|corners| format!("corners = {corners:?}\n"));
        let start = (!self.start.is_empty()).then(|| format!("start = {:?}\n", self.start));
        let keys: String = [command, corners, start].into_iter().flatten().collect();
        format!("\n[camera]\n{keys}")
    }
}
