//! One server at a time on a library.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

/// The file that is locked, in the library.
const NAME: &str = ".lock";

/// That this server alone has the library, until it is dropped. The file stays: only its lock means something.
pub struct LibraryLock {
    _file: File,
}

impl LibraryLock {
    /// Takes the library, whose folder is made if it is not there.
    pub fn take(library: &Path) -> io::Result<Self> {
        noregret_store::make_directories(library)?;
        let path = library.join(NAME);
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(io::Error::other(format!(
                "another server has this library open (it holds {}): end that one, or give another folder",
                path.display()
            ))),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_refused_until_the_first_has_ended() {
        let home = tempfile::tempdir().unwrap();
        let library = home.path().join("new");
        let first = LibraryLock::take(&library).unwrap();
        let message = LibraryLock::take(&library).err().unwrap().to_string();
        assert!(message.starts_with("another server has this library open"), "{message}");
        drop(first);
        assert!(LibraryLock::take(&library).is_ok());
    }
}
