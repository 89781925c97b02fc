//! Files that are written whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Writes beside the file first and then takes its place, so that a full disk costs neither the old file nor half of the
/// new one. What is no regular file (a device, a pipe) is written to as it is.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return fs::write(path, bytes);
    }
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut beside = tempfile::Builder::new()
        .permissions(permissions(&path))
        .tempfile_in(folder)
        // The error would name the file beside, which nobody asked for.
        .map_err(|error| match folder.is_dir() {
            true => io::Error::new(error.kind(), format!("cannot write into its folder: {}", error.kind())),
            false => io::Error::new(error.kind(), "its folder is not there"),
        })?;
    beside.write_all(bytes)?;
    beside.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

/// Those of the file that is replaced, or of any new file (the process's mask applies).
fn permissions(path: &Path) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).map_or_else(|_| fs::Permissions::from_mode(0o666), |found| found.permissions())
}
