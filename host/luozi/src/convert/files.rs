//! Which files are read and where each goes.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use formats::Format;

use crate::outcome::Failure;

/// Everything that a run reads and writes.
#[derive(Debug)]
pub struct Plan {
    /// The files in order, each with its path below the folder that was named.
    pub inputs: Vec<Input>,
    /// Where the games go.
    pub output: Output,
}

/// A file to read.
#[derive(Debug)]
pub struct Input {
    /// The file.
    pub path: PathBuf,
    /// Its place below the folder that was named; its name if it was named itself.
    pub relative: PathBuf,
}

/// Where games go.
#[derive(Debug)]
pub enum Output {
    /// Nowhere: they are looked at.
    None,
    /// All into one file.
    File(PathBuf, Format),
    /// Each file into one beside the first, numbered from the second game on, of a format that holds one game.
    Numbered(PathBuf, Format),
    /// Each file into one or more of its own in a folder.
    Folder(PathBuf, Format),
}

impl Plan {
    /// To look at files.
    pub fn to_look_at(paths: &[PathBuf]) -> Result<Plan, Failure> {
        Ok(Plan { inputs: inputs(paths)?, output: Output::None })
    }

    /// To convert files.
    pub fn to_write(paths: &[PathBuf], output: &Path, to: Option<Format>) -> Result<Plan, Failure> {
        let inputs = inputs(paths)?;
        let by_name = Format::of_name(output);
        let format = match (to, by_name) {
            (Some(format), _) => Some(format),
            (None, Some(format)) if format.is_written() => Some(format),
            (None, Some(format)) => {
                return Err(Failure::new(format_args!(
                    "{}: {format} is only read; use another ending or --to",
                    output.display()
                )));
            }
            (None, None) => None,
        };
        let is_folder =
            output.is_dir() || ends_with_slash(output) || by_name.is_none() && output.as_os_str() != "-";
        let Some(format) = format else {
            return Err(Failure::new(format_args!(
                "{}: its ending names no format; say --to pgn, xqf, cbr, cbf, dhtmlxq, wxf or json",
                output.display()
            )));
        };
        let output = match (is_folder, format.holds_many() || output.as_os_str() == "-") {
            (true, _) => Output::Folder(output.to_owned(), format),
            (false, true) => Output::File(output.to_owned(), format),
            (false, false) => Output::Numbered(output.to_owned(), format),
        };
        if let (Output::Numbered(path, format), true) = (&output, inputs.len() > 1) {
            return Err(Failure::new(format_args!(
                "{}: a {format} file holds one game; name a folder for several files",
                path.display()
            )));
        }
        Ok(Plan { inputs, output })
    }

    /// The one file for all games.
    pub fn single_output(&self) -> Option<&Path> {
        match &self.output {
            Output::File(path, _) => Some(path),
            _ => None,
        }
    }
}

fn ends_with_slash(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

fn inputs(paths: &[PathBuf]) -> Result<Vec<Input>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            walk(path, &mut found)?;
        } else {
            let relative = path.file_name().map(PathBuf::from).unwrap_or_default();
            found.push(Input { path: path.clone(), relative });
        }
    }
    match found.is_empty() {
        true => Err(Failure::new("the folder holds no file")),
        false => Ok(found),
    }
}

/// All files below a folder, by name. Folders that lead back to themselves are entered once.
fn walk(root: &Path, found: &mut Vec<Input>) -> Result<(), Failure> {
    let failure =
        |path: &Path, error: std::io::Error| Failure::new(format_args!("{}: {error}", path.display()));
    let mut folders = vec![root.to_owned()];
    let mut seen = HashSet::new();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let real = folder.canonicalize().map_err(|error| failure(&folder, error))?;
        if !seen.insert(real) {
            continue;
        }
        for entry in std::fs::read_dir(&folder).map_err(|error| failure(&folder, error))? {
            let path = entry.map_err(|error| failure(&folder, error))?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    found.extend(files.into_iter().map(|path| {
        let relative = path.strip_prefix(root).unwrap_or(&path).to_owned();
        Input { path, relative }
    }));
    Ok(())
}
