//! Which files are read and where each goes.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use formats::Format;

use crate::outcome::Failure;

/// Everything that a run reads and writes.
#[derive(Debug)]
pub struct Plan {
    /// The files in order, each with its path below the folder that was named.
    pub inputs: Vec<Input>,
    /// Where the games go.
    pub output: Output,
    /// The file below an output folder that each input begins with; no other may take its name.
    pub targets: HashSet<PathBuf>,
}

/// A file to read.
#[derive(Debug)]
pub struct Input {
    /// The file.
    pub path: PathBuf,
    /// Its place below the folder that was named; its name if it was named itself. In an output folder, where the
    /// games go.
    pub relative: PathBuf,
}

/// Where games go.
#[derive(Debug)]
pub enum Output {
    /// Nowhere: they are looked at.
    None,
    /// All into one file.
    File(PathBuf, Format),
    /// The one game of the one file to standard output.
    One(Format),
    /// Each file into one beside the first, numbered from the second game on, of a format that holds one game.
    Numbered(PathBuf, Format),
    /// Each file into one or more of its own in a folder.
    Folder(PathBuf, Format),
}

impl Plan {
    /// To look at files.
    pub fn to_look_at(paths: &[PathBuf]) -> Result<Plan, Failure> {
        Ok(Plan { inputs: inputs(paths)?, output: Output::None, targets: HashSet::new() })
    }

    /// To convert files.
    pub fn to_write(paths: &[PathBuf], output: &Path, to: Option<Format>) -> Result<Plan, Failure> {
        let mut inputs = inputs(paths)?;
        let several = paths.len() > 1 || paths.iter().any(|path| path.is_dir());
        let format = format_of(output, to)?;
        let output = match (is_folder(output, format, several), format.holds_many()) {
            (true, _) => Output::Folder(output.to_owned(), format),
            (false, true) => Output::File(output.to_owned(), format),
            (false, false) if is_standard(output) => Output::One(format),
            (false, false) => Output::Numbered(output.to_owned(), format),
        };
        match &output {
            Output::One(format) if several => {
                return Err(Failure::new(format_args!(
                    "-: {format} holds one game; name a folder for several files"
                )));
            }
            Output::Numbered(path, format) if several => {
                return Err(Failure::new(format_args!(
                    "{}: a {format} file holds one game; name a folder for several files",
                    path.display()
                )));
            }
            Output::Folder(_, format) => name_targets(&mut inputs, format.ending()),
            _ => {}
        }
        let targets = inputs.iter().map(|input| input.relative.clone()).collect();
        Ok(Plan { inputs, output, targets })
    }

    /// The one file for all games.
    pub fn single_output(&self) -> Option<&Path> {
        match &self.output {
            Output::File(path, _) => Some(path),
            Output::One(_) => Some(Path::new("-")),
            _ => None,
        }
    }
}

fn format_of(output: &Path, to: Option<Format>) -> Result<Format, Failure> {
    match (to, Format::of_name(output)) {
        (Some(format), _) => Ok(format),
        (None, Some(format)) if format.is_written() => Ok(format),
        (None, Some(format)) => Err(Failure::new(format_args!(
            "{}: {format} is only read; use another ending or --to",
            output.display()
        ))),
        (None, None) => Err(Failure::new(format_args!(
            "{}: its ending names no format; say --to pgn, xqf, cbr, cbf, dhtmlxq, wxf or json",
            output.display()
        ))),
    }
}

/// Whether games go into a folder of that name, as with `cp`: one that is there, or that ends in a slash; or, when
/// several files are read, one that is not there and has no ending.
fn is_folder(output: &Path, format: Format, several: bool) -> bool {
    let names_a_file = match Format::of_name(output) {
        Some(_) => true,
        None => output.extension().is_some() && format.holds_many(),
    };
    output.is_dir()
        || ends_with_slash(output)
        || several && !is_standard(output) && !output.exists() && !names_a_file
}

/// Whether a path stands for standard output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Gives each input a file of its own below the output folder: its name with the new ending; where two meet, with its
/// old ending too; where they still meet, below the folders through which it was named; and at last with a number.
fn name_targets(inputs: &mut [Input], ending: &str) {
    let short: Vec<PathBuf> = inputs.iter().map(|input| ended(&input.relative, ending)).collect();
    let long: Vec<PathBuf> = inputs.iter().map(|input| with_ending(&input.relative, ending)).collect();
    let shared = shared_folders(inputs);
    let full: Vec<PathBuf> = inputs
        .iter()
        .map(|input| with_ending(&named_parts(&input.path).iter().skip(shared).collect::<PathBuf>(), ending))
        .collect();
    let mut taken: HashMap<PathBuf, usize> = HashMap::new();
    let count = |names: &[PathBuf]| {
        let mut counts: HashMap<PathBuf, usize> = HashMap::new();
        names.iter().for_each(|name| *counts.entry(name.clone()).or_default() += 1);
        counts
    };
    let (shorts, longs) = (count(&short), count(&long));
    for (i, input) in inputs.iter_mut().enumerate() {
        let name = match (shorts[&short[i]], longs[&long[i]]) {
            (1, _) => &short[i],
            (_, 1) => &long[i],
            _ => &full[i],
        };
        let mut free = name.clone();
        while let Some(before) = taken.get_mut(&free) {
            *before += 1;
            free = numbered(name, *before);
        }
        taken.insert(free.clone(), 1);
        input.relative = free;
    }
}

/// How many folders all inputs are in.
fn shared_folders(inputs: &[Input]) -> usize {
    let folders = |input: &Input| named_parts(&input.path).parent().map(Path::to_owned).unwrap_or_default();
    let Some((first, others)) = inputs.split_first() else { return 0 };
    let first = folders(first);
    let same = |other: &Input| {
        let other = folders(other);
        first.iter().zip(other.iter()).take_while(|(a, b)| a == b).count()
    };
    others.iter().map(same).min().unwrap_or(0)
}

/// The folders and the name of a path, without its root and steps upwards.
fn named_parts(path: &Path) -> PathBuf {
    let is_name = |part: &Component<'_>| matches!(part, Component::Normal(_));
    path.components().filter(is_name).collect()
}

/// The name with another ending for that of a record, and for that of its compression.
fn ended(path: &Path, ending: &str) -> PathBuf {
    let packed = path.extension().is_some_and(|old| old.eq_ignore_ascii_case("gz"));
    let bare = if packed { path.with_extension("") } else { path.to_owned() };
    match Format::of_name(&bare) {
        Some(_) => bare.with_extension(ending),
        None => with_ending(&bare, ending),
    }
}

/// The name with one more ending, unless it has it.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    if path.extension().is_some_and(|old| old.eq_ignore_ascii_case(ending)) {
        return path.to_owned();
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// `name-2.xqf` of `name.xqf`.
pub fn numbered(path: &Path, number: usize) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(ending) = path.extension() {
        name.push(".");
        name.push(ending);
    }
    path.with_file_name(name)
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
            let name = if is_standard(path) { Some("standard-input".as_ref()) } else { path.file_name() };
            let relative = name.map(PathBuf::from).unwrap_or_default();
            found.push(Input { path: path.clone(), relative });
        }
    }
    match (found.is_empty(), paths) {
        (false, _) => Ok(found),
        (true, [path]) => Err(Failure::new(format_args!("{}: the folder holds no file", path.display()))),
        (true, _) => {
            let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
            Err(Failure::new(format_args!("{}: the folders hold no file", names.join(", "))))
        }
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
