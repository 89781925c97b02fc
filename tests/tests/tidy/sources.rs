//! Every text file that we wrote.

use std::fs;
use std::path::Path;

/// Folders that hold what others wrote or tools made.
const NOT_OURS: [&str; 5] = [".git", "target", "node_modules", "dist", "data"];
const ENDINGS: [&str; 14] =
    ["rs", "ts", "tsx", "svelte", "toml", "md", "py", "sh", "txt", "html", "css", "yml", "service", "sql"];

/// A file with its path from the root of the repository.
pub struct Source {
    pub name: String,
    pub text: String,
}

impl Source {
    pub fn is_any(&self, endings: &[&str]) -> bool {
        self.name.rsplit_once('.').is_some_and(|(_, ending)| endings.contains(&ending))
    }
}

/// All of them, in the order of their names.
pub fn all() -> Vec<Source> {
    let root = tests::repository();
    let mut sources = Vec::new();
    gather(&root, &root, &mut sources);
    sources.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(sources.len() > 10, "nothing found under {}", root.display());
    sources
}

fn gather(root: &Path, folder: &Path, sources: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let entry = entry.expect("an entry");
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let kind = entry.file_type().expect("a kind");
        if kind.is_dir() {
            if !NOT_OURS.contains(&name.as_str()) {
                gather(root, &path, sources);
            }
            continue;
        }
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        if !kind.is_file() || !(ENDINGS.contains(&ending) || name == "Makefile") {
            continue;
        }
        let Ok(text) = fs::read_to_string(&path) else { panic!("{}: not UTF-8", path.display()) };
        let name = path.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
        sources.push(Source { name, text });
    }
}
