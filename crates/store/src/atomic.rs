//! Files that are whole or absent: written beside, synced, renamed.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

const PART: &str = ".part";

/// A file being written beside its place. Dropped before [`PartFile::finish`], it leaves nothing behind; after a kill
/// it leaves a file that [`is_part_of`] recognises.
#[derive(Debug)]
pub struct PartFile {
    part: NamedTempFile,
    path: PathBuf,
}

impl PartFile {
    /// Starts a file that will be at `path`.
    pub fn create(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        let mut prefix = OsStr::new(".").to_owned();
        prefix.push(name);
        prefix.push(".");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(PART);
        // Like any file: readable as the umask says, and not by its owner alone.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // As below: a message would show the name.
        let part = builder.tempfile_in(directory(path)).map_err(nameless)?;
        Ok(Self { part, path: path.to_owned() })
    }

    /// Where it is while it is being written: to look at it before it is put in its place.
    pub fn beside(&self) -> &Path {
        self.part.path()
    }

    /// Puts the file in its place, and returns once disk has it. An older file there is replaced.
    pub fn finish(self) -> io::Result<()> {
        self.part.as_file().sync_all()?;
        self.part.persist(&self.path).map_err(|error| error.error)?;
        sync_directory(directory(&self.path))
    }
}

impl Write for PartFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The file itself: its name, which a message would show otherwise, means nothing to anybody.
        self.part.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.part.as_file_mut().flush()
    }
}

impl Seek for PartFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.part.as_file_mut().seek(to)
    }
}

/// The error without the name of the part, which `tempfile` adds at its end.
fn nameless(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.rsplit_once(" at path ") {
        Some((cause, _)) => io::Error::new(error.kind(), cause),
        None => error,
    }
}

/// Writes a whole file, or none.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut part = PartFile::create(path)?;
    part.write_all(bytes)?;
    part.finish()
}

/// The name of the file that a file of this name is a left-over part of, if it is one.
pub fn is_part_of(name: &str) -> Option<&str> {
    let inner = name.strip_prefix('.')?.strip_suffix(PART)?;
    inner.rsplit_once('.').map(|(whole, _)| whole)
}

/// Removes what killed runs have left of a file that was to be at `path`. Whoever is writing it now loses its part.
pub fn remove_parts(path: &Path) -> io::Result<()> {
    let whole = path.file_name().and_then(OsStr::to_str);
    remove_left_overs(directory(path), |name| Some(name) == whole)
}

/// Removes what a killed run left behind of the files whose names are ours.
pub fn remove_left_overs(directory: &Path, is_ours: impl Fn(&str) -> bool) -> io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        if name.to_str().and_then(is_part_of).is_some_and(&is_ours) {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

#[cfg(unix)]
fn sync_directory(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

/// Elsewhere a directory cannot be opened as a file, and a rename is durable without.
#[cfg(not(unix))]
fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(directory).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_finished_file_is_there_alone_and_replaces_an_older_one() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.bin");
        write_whole(&path, b"one").unwrap();
        write_whole(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(names(directory.path()), ["a.bin"]);
    }

    #[test]
    fn errors_do_not_tell_the_name_of_the_part() {
        let directory = tempfile::tempdir().unwrap();
        let error = PartFile::create(&directory.path().join("none/a.bin")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert_eq!(error.to_string(), "No such file or directory (os error 2)");
    }

    #[test]
    fn an_unfinished_file_leaves_nothing_and_its_part_is_recognised() {
        let directory = tempfile::tempdir().unwrap();
        let mut part = PartFile::create(&directory.path().join("a.bin")).unwrap();
        part.write_all(b"half").unwrap();
        let name = names(directory.path()).remove(0);
        assert_eq!(is_part_of(&name), Some("a.bin"));
        assert_eq!(is_part_of("a.bin"), None);
        remove_parts(&directory.path().join("b.bin")).unwrap();
        assert_eq!(names(directory.path()), [name]);
        remove_parts(&directory.path().join("a.bin")).unwrap();
        assert!(names(directory.path()).is_empty());
        drop(part);
        assert!(names(directory.path()).is_empty());
    }

    #[test]
    fn a_directory_that_is_not_there_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let error = write_whole(&directory.path().join("no/a.bin"), b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
