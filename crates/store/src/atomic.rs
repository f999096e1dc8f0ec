//! Files that are whole or absent: written beside, synced, renamed.

use crate::Digest;
use crate::disk::{Disk, DiskFile, check_regular, disk, is_being_written};
use std::collections::hash_map::RandomState;
use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const PART: &str = ".part";
/// Letters and digits of a part's name that tell it from others of the same file.
const MARK: usize = 6;
/// The longest name that file systems take, and the longest of a file whose part still has it in full.
const LONGEST: usize = 255;
const LONGEST_STEM: usize = LONGEST - 2 - MARK - PART.len();
/// How many links are followed, as systems have it.
const MOST_LINKS: usize = 40;
/// How many names are tried for a part.
const TRIES: usize = 1000;

/// A file being written beside its place. Dropped before [`PartFile::finish`], it leaves nothing behind; after a kill
/// it leaves a file that [`is_part_of`] recognises.
#[derive(Debug)]
pub struct PartFile {
    disk: Arc<dyn Disk>,
    part: Box<dyn DiskFile>,
    beside: PathBuf,
    path: PathBuf,
    /// Whether there is nothing more to take away.
    is_placed: bool,
}

impl PartFile {
    /// Starts a file that will be at `path`, or where the link leads that is there. What is there and not a file is an
    /// error.
    pub fn create(path: &Path) -> io::Result<Self> {
        let path = follow_links(path)?;
        let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        if let Ok(there) = std::fs::metadata(&path) {
            check_regular(&there)?;
        }
        let disk = disk();
        let stem = part_stem(name);
        for _ in 0..TRIES {
            let mut part_name = OsString::from(".");
            part_name.push(&stem);
            part_name.push(format!(".{}{PART}", random_mark()));
            let beside = directory(&path).join(part_name);
            match disk.create(&beside) {
                Ok(part) => return Ok(Self { disk, part, beside, path, is_placed: false }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Where it is while it is being written: to look at it before it is put in its place.
    pub fn beside(&self) -> &Path {
        &self.beside
    }

    /// Puts the file in its place, and returns once disk has it. An older file there is replaced.
    pub fn finish(mut self) -> io::Result<()> {
        self.part.sync()?;
        self.disk.rename(&self.beside, &self.path)?;
        self.is_placed = true;
        self.disk.sync_directory(directory(&self.path))
    }

    /// The same unless there is a file in its place, and says whether there was none: of several who do so at once, one does.
    fn finish_new(mut self) -> io::Result<bool> {
        self.part.sync()?;
        match self.disk.rename_new(&self.beside, &self.path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
            renamed => renamed?,
        }
        self.is_placed = true;
        self.disk.sync_directory(directory(&self.path))?;
        Ok(true)
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if !self.is_placed {
            // What cannot be taken away now is by the next run.
            let _ = self.disk.remove(&self.beside);
        }
    }
}

impl Write for PartFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.part.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.part.flush()
    }
}

impl Seek for PartFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.part.seek(to)
    }
}

/// Letters and digits that no other part is likely to have.
fn random_mark() -> String {
    // The standard library's hashers have keys that are random.
    let mut random = RandomState::new().build_hasher().finish();
    let mut mark = String::with_capacity(MARK);
    for _ in 0..MARK {
        mark.push(char::from(
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef0123456789ghijklmnopqrstuvwxyz"[(random % 62) as usize],
        ));
        random /= 62;
    }
    mark
}

/// What the name of a part has of that of its file: all of it, unless the part's would be too long for a file system.
fn part_stem(name: &OsStr) -> OsString {
    if name.len() <= LONGEST_STEM {
        return name.to_owned();
    }
    let mut start = name.to_string_lossy().into_owned();
    let digest = Digest::of(name.as_encoded_bytes()).to_string();
    while start.len() + 1 + digest.len() > LONGEST_STEM {
        start.pop();
    }
    format!("{start}~{digest}").into()
}

/// Where a path leads when links are followed, also to a file that is not there yet.
pub fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match std::fs::symlink_metadata(&path) {
            Ok(there) if there.is_symlink() => path = directory(&path).join(std::fs::read_link(&path)?),
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("too many links lead from one to the next"))
}

/// Writes a whole file, or none.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut part = PartFile::create(path)?;
    part.write_all(bytes)?;
    part.finish()
}

/// Writes a whole file unless there is one, and says whether there was none: of several who write at once, one does.
pub fn create_whole(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let mut part = PartFile::create(path)?;
    part.write_all(bytes)?;
    let disk = part.disk.clone();
    match part.finish_new() {
        // A file system without links: a file of one write is whole but for a loss of power.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied) =>
        {
            let mut file = match disk.create(path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
                created => created?,
            };
            file.write_all(bytes)?;
            file.sync()?;
            disk.sync_directory(directory(path)).map(|()| true)
        }
        finished => finished,
    }
}

/// The name of the file that a file of this name is a left-over part of, if it is one; names that are too long are cut
/// short.
pub fn is_part_of(name: &str) -> Option<&str> {
    let inner = name.strip_prefix('.')?.strip_suffix(PART)?;
    let (whole, mark) = inner.rsplit_once('.')?;
    (mark.len() == MARK && mark.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(whole)
}

/// Removes what killed runs have left of a file that was to be at `path`. What somebody is writing now stays.
pub fn remove_parts(path: &Path) -> io::Result<()> {
    let path = follow_links(path)?;
    let stem = path.file_name().map(part_stem);
    let stem = stem.as_ref().and_then(|stem| stem.to_str());
    remove_left_overs(directory(&path), |name| Some(name) == stem)
}

/// Removes what killed runs left behind of the files whose names are ours. What somebody is writing now stays.
pub fn remove_left_overs(directory: &Path, is_ours: impl Fn(&str) -> bool) -> io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_ours = name.to_str().and_then(is_part_of).is_some_and(&is_ours);
        if is_ours && !is_being_written(&entry.path()) {
            disk().remove(&entry.path())?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(directory).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// What a kill leaves.
    fn leave_a_part(path: &Path) {
        let beside = PartFile::create(path).unwrap().beside().to_owned();
        std::fs::write(beside, b"half").unwrap();
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
    fn of_those_who_create_a_file_at_once_one_does() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.bin");
        let created: Vec<bool> = std::thread::scope(|scope| {
            let path = &path;
            let writers: Vec<_> =
                (0..8u8).map(|writer| scope.spawn(move || create_whole(path, &[writer]).unwrap())).collect();
            writers.into_iter().map(|writer| writer.join().unwrap()).collect()
        });
        assert_eq!(created.iter().filter(|is_new| **is_new).count(), 1);
        let winner = created.iter().position(|is_new| *is_new).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), [winner as u8]);
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
        // What somebody is writing stays.
        remove_parts(&directory.path().join("a.bin")).unwrap();
        assert_eq!(names(directory.path()), std::slice::from_ref(&name));
        drop(part);
        assert!(names(directory.path()).is_empty());
        std::fs::write(directory.path().join(&name), b"half").unwrap();
        remove_parts(&directory.path().join("b.bin")).unwrap();
        assert_eq!(names(directory.path()), [name]);
        remove_parts(&directory.path().join("a.bin")).unwrap();
        assert!(names(directory.path()).is_empty());
        for other in [".a.bin.part", ".a.bin.AbC12.part", ".a.bin.AbC-12.part", "a.bin.AbC123.part"] {
            assert_eq!(is_part_of(other), None, "{other}");
        }
    }

    #[test]
    fn a_directory_that_is_not_there_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let error = write_whole(&directory.path().join("no/a.bin"), b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn names_of_every_length_that_a_file_can_have_are_written() {
        let directory = tempfile::tempdir().unwrap();
        for length in (1..4).chain(LONGEST_STEM - 2..=LONGEST) {
            // Two names that differ at the end only, as their parts must too.
            for end in ["a", "b"] {
                let path = directory.path().join(format!("{}{end}", "n".repeat(length - 1)));
                write_whole(&path, end.as_bytes()).unwrap_or_else(|error| panic!("{length}: {error}"));
                leave_a_part(&path);
            }
            let [a, b] =
                ["a", "b"].map(|end| directory.path().join(format!("{}{end}", "n".repeat(length - 1))));
            assert_eq!([std::fs::read(&a).unwrap(), std::fs::read(&b).unwrap()], [b"a", b"b"]);
            remove_parts(&a).unwrap();
            assert_eq!(names(directory.path()).len(), 3, "{length}: the part of the other file stays");
            remove_parts(&b).unwrap();
            assert_eq!(names(directory.path()).len(), 2, "{length}");
            for path in [a, b] {
                std::fs::remove_file(path).unwrap();
            }
        }
        // A character of several bytes is not cut in two.
        write_whole(&directory.path().join("ü".repeat(127)), b"x").unwrap();
        assert!(write_whole(&directory.path().join("n".repeat(256)), b"x").is_err());
    }

    #[test]
    #[cfg(unix)]
    fn a_link_is_followed_and_stays() {
        use std::os::unix::fs::symlink;
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        std::fs::create_dir(at("far")).unwrap();
        std::fs::write(at("far/there.bin"), b"old").unwrap();
        symlink("far/there.bin", at("one")).unwrap();
        symlink(at("one"), at("two")).unwrap();
        symlink("far/new.bin", at("dangling")).unwrap();
        symlink("circle", at("circle")).unwrap();
        write_whole(&at("two"), b"new").unwrap();
        write_whole(&at("dangling"), b"made").unwrap();
        assert_eq!(std::fs::read(at("far/there.bin")).unwrap(), b"new");
        assert_eq!(std::fs::read(at("far/new.bin")).unwrap(), b"made");
        assert!(at("two").is_symlink() && at("dangling").is_symlink());
        let error = write_whole(&at("circle"), b"x").unwrap_err().to_string();
        assert_eq!(error, "too many links lead from one to the next");
        // What a killed run left is beside the file that the link leads to.
        leave_a_part(&at("two"));
        assert_eq!(names(&at("far")).len(), 3);
        remove_parts(&at("two")).unwrap();
        assert_eq!(names(&at("far")).len(), 2);
    }

    #[test]
    #[cfg(unix)]
    fn what_is_not_a_file_is_not_written_over() {
        let home = tempfile::tempdir().unwrap();
        let error = PartFile::create(home.path()).unwrap_err().to_string();
        assert_eq!(error, "it is a directory");
        let error = PartFile::create(Path::new("/dev/null")).unwrap_err().to_string();
        assert_eq!(error, "it is a pipe or a device, and not a file");
    }
}
