//! `luozi broker-password`: who may log in to the embedded broker.

use std::fs;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use broker::Passwords;

use crate::outcome::{Answer, Failure, Outcome};
use crate::whole_file;

/// Set a password in the file of those who may log in to the embedded broker. The file keeps a sum of it, in mosquitto's format.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file, for `luozi venue --broker-users` or mosquitto's `password_file`; it is made where it is not there
    file: PathBuf,
    /// Whose: a board's id, `venue` or `arbiter`
    name: String,
    /// Draw a password and print it, instead of reading one line from standard input
    #[arg(long)]
    new: bool,
}

/// A password that nobody thought of.
pub fn drawn() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Sets it.
pub fn run(args: &Args) -> Outcome {
    let about = |why: &dyn std::fmt::Display| Failure::new(format_args!("{}: {why}", args.file.display()));
    let text = match fs::read_to_string(&args.file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(about(&error)),
    };
    text.parse::<Passwords>().map_err(|error| about(&error))?;
    let password = if args.new { drawn().map_err(|error| about(&error))? } else { typed()? };
    let Some(line) = Passwords::line(&args.name, &password) else {
        return Err(Failure::new(
            "expected a name without spaces and colons, and a password in one line that is not empty",
        ));
    };
    write(&args.file, &with_line(&text, &args.name, &line)).map_err(|error| about(&error))?;
    if args.new {
        println!("{password}");
    }
    Ok(Answer::Yes)
}

fn typed() -> Result<String, Failure> {
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// The text of the file, with that line in place of those of that name or at the end.
fn with_line(text: &str, name: &str, line: &str) -> String {
    let is_anothers = |old: &&str| old.trim().split_once(':').is_none_or(|(other, _)| other != name);
    let kept = text.lines().filter(is_anothers);
    kept.chain([line]).map(|line| format!("{line}\n")).collect()
}

/// A new file is its owner's alone.
fn write(path: &Path, text: &str) -> io::Result<()> {
    match fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    whole_file::write(path, text.as_bytes())
}
