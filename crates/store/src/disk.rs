//! The one way by which files are written, so that tests can make every step of it fail.

use std::fmt::Debug;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

/// A file that is open for writing.
pub trait DiskFile: Write + Seek + Send + Debug {
    /// Returns once the disk has what was written.
    fn sync(&mut self) -> io::Result<()>;
}

impl DiskFile for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

/// Where files are written.
pub trait Disk: Send + Sync + Debug {
    /// Makes a file that is not there yet.
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;

    /// Opens a file, which is made if it is not there, to write at its end.
    fn append(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;

    /// Gives a file another name; an older file of that name is gone.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file another name, unless there is a file of that name: an error of the kind [`io::ErrorKind::AlreadyExists`].
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Takes a file away.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes a directory in one that is there.
    fn make_directory(&self, path: &Path) -> io::Result<()>;

    /// Returns once the disk has the names in a directory.
    fn sync_directory(&self, path: &Path) -> io::Result<()>;
}

/// The disk of the machine.
#[derive(Clone, Copy, Debug)]
pub struct MachineDisk;

impl Disk for MachineDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        // As long as it is open, others know that somebody is writing it. Elsewhere a lock would keep them from reading it.
        #[cfg(unix)]
        let _ = file.try_lock();
        Ok(Box::new(file))
    }

    fn append(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(OpenOptions::new().append(true).create(true).open(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        // Of several links of one name, one is made.
        std::fs::hard_link(from, to)?;
        // What cannot be taken away now is by the next run.
        let _ = std::fs::remove_file(from);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }

    fn make_directory(&self, path: &Path) -> io::Result<()> {
        std::fs::create_dir(path)
    }

    #[cfg(unix)]
    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    /// Elsewhere a directory cannot be opened as a file, and a rename is durable without.
    #[cfg(not(unix))]
    fn sync_directory(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

static DISK: RwLock<Option<Arc<dyn Disk>>> = RwLock::new(None);

/// The disk that files are written to now.
pub(crate) fn disk() -> Arc<dyn Disk> {
    let set = DISK.read().unwrap_or_else(PoisonError::into_inner);
    set.clone().unwrap_or_else(|| Arc::new(MachineDisk))
}

/// For tests: from now on everything that this process writes goes through another disk; none is the machine's again.
pub fn set_disk(disk: Option<Arc<dyn Disk>>) {
    *DISK.write().unwrap_or_else(PoisonError::into_inner) = disk;
}

/// Opens a file, which is made if it is not there, to write at its end.
pub fn append(path: &Path) -> io::Result<Box<dyn DiskFile>> {
    disk().append(path)
}

/// Takes a file away.
pub fn remove(path: &Path) -> io::Result<()> {
    disk().remove(path)
}

/// Gives a file another name, perhaps in another directory, and returns once the disk has the new name.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    let disk = disk();
    disk.rename(from, to)?;
    match to.parent() {
        Some(parent) => disk.sync_directory(parent),
        None => Ok(()),
    }
}

/// Makes a directory and those that it is in, where they are missing, and returns once disk has them: a file in a
/// directory that power takes away is lost with it.
pub fn make_directories(path: &Path) -> io::Result<()> {
    if path.as_os_str().is_empty() || path.is_dir() {
        return Ok(());
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if path.parent().is_some() {
        make_directories(parent)?;
    }
    let disk = disk();
    match disk.make_directory(path) {
        // Another process may have been quicker.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(error) => Err(error),
        Ok(()) => disk.sync_directory(parent),
    }
}

/// Whether somebody has a file open that was made by [`Disk::create`], as far as the system tells.
pub(crate) fn is_being_written(path: &Path) -> bool {
    let file = File::open(path);
    file.is_ok_and(|file| matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock)))
}

/// Opens a file to read it. A directory, a pipe or a device is an error: a pipe that nobody writes to would be waited for.
pub fn open(path: &Path) -> io::Result<File> {
    check_regular(&std::fs::metadata(path)?)?;
    File::open(path)
}

/// The whole content of a file; what is not one is an error, as in [`open`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// An error for what is there and not a file.
pub(crate) fn check_regular(metadata: &std::fs::Metadata) -> io::Result<()> {
    if metadata.is_dir() {
        Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"))
    } else if !metadata.is_file() {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a pipe or a device, and not a file"))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn what_is_not_a_file_is_refused_at_once() {
        let home = tempfile::tempdir().unwrap();
        let pipe = home.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [pipe.as_path(), Path::new("/dev/null")] {
            assert_eq!(open(path).unwrap_err().to_string(), "it is a pipe or a device, and not a file");
        }
        assert_eq!(read(home.path()).unwrap_err().to_string(), "it is a directory");
        assert_eq!(open(&home.path().join("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
