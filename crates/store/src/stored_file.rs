//! A file or an object that is open to be read.

#[cfg(feature = "cloud")]
use crate::cloud::ObjectFile;
#[cfg(not(feature = "cloud"))]
use crate::no_cloud::ObjectFile;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};

/// How much of an object is fetched at once by who reads it from its beginning to its end.
const AHEAD: u64 = 4 << 20;

/// A file or an object that is open to be read: from its beginning to its end, or here and there.
#[derive(Debug)]
pub struct StoredFile {
    source: Source,
    position: u64,
    /// What was fetched last, and where it begins.
    ahead: (u64, Vec<u8>),
}

#[derive(Debug)]
enum Source {
    Disk(Mutex<File>),
    Object(ObjectFile),
}

impl From<File> for StoredFile {
    fn from(file: File) -> Self {
        Self { source: Source::Disk(Mutex::new(file)), position: 0, ahead: (0, Vec::new()) }
    }
}

impl From<ObjectFile> for StoredFile {
    fn from(object: ObjectFile) -> Self {
        Self { source: Source::Object(object), position: 0, ahead: (0, Vec::new()) }
    }
}

impl StoredFile {
    /// How long it is, in bytes.
    pub fn length(&self) -> io::Result<u64> {
        match &self.source {
            Source::Disk(file) => {
                let file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.metadata().map(|metadata| metadata.len())
            }
            Source::Object(object) => Ok(object.length()),
        }
    }

    /// So many bytes from `start` on; fewer where it ends before. Of an object no more than these are fetched.
    pub fn read_at(&self, start: u64, length: u64) -> io::Result<Vec<u8>> {
        match &self.source {
            Source::Disk(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                // A file can be shorter than whoever asks believes.
                let there = file.metadata()?.len().saturating_sub(start).min(length);
                let mut bytes = Vec::with_capacity(there as usize);
                file.seek(SeekFrom::Start(start))?;
                Read::by_ref(&mut *file).take(length).read_to_end(&mut bytes)?;
                Ok(bytes)
            }
            Source::Object(object) => object.read_at(start, length),
        }
    }
}

impl Read for StoredFile {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let object = match &mut self.source {
            Source::Disk(file) => {
                let file = file.get_mut().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(self.position))?;
                let read = file.read(out)?;
                self.position += read as u64;
                return Ok(read);
            }
            Source::Object(object) => object,
        };
        let (start, bytes) = &mut self.ahead;
        if out.is_empty() || self.position >= object.length() {
            return Ok(0);
        }
        if !(*start..*start + bytes.len() as u64).contains(&self.position) {
            (*start, *bytes) = (self.position, object.read_at(self.position, AHEAD.max(out.len() as u64))?);
        }
        let there = &bytes[(self.position - *start) as usize..];
        let count = there.len().min(out.len());
        out[..count].copy_from_slice(&there[..count]);
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for StoredFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let from = |start: u64, by: i64| start.checked_add_signed(by).ok_or(io::ErrorKind::InvalidInput);
        self.position = match to {
            SeekFrom::Start(position) => position,
            SeekFrom::Current(by) => from(self.position, by)?,
            SeekFrom::End(by) => from(self.length()?, by)?,
        };
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_through_and_here_and_there() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("a");
        std::fs::write(&path, b"0123456789").unwrap();
        let mut file = StoredFile::from(File::open(&path).unwrap());
        let mut start = [0; 4];
        file.read_exact(&mut start).unwrap();
        assert_eq!(file.read_at(8, 10).unwrap(), b"89");
        assert_eq!(file.read_at(20, 1).unwrap(), b"");
        let mut rest = String::new();
        // Whoever looks here and there does not move who reads through.
        file.read_to_string(&mut rest).unwrap();
        assert_eq!((&start, rest.as_str(), file.length().unwrap()), (b"0123", "456789", 10));
        assert_eq!(file.seek(SeekFrom::End(-1)).unwrap(), 9);
        assert!(file.seek(SeekFrom::Current(-10)).is_err());
    }
}
