//! A disk on which one operation goes wrong.

use crate::disk::{Disk, DiskFile, MachineDisk};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// What goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiskFault {
    /// The operation fails, whatever it is.
    Error,
    /// Half of the bytes of a write are written, then it fails.
    ShortWrite,
    /// From then on nothing more can be written.
    Full,
    /// What was written cannot be synced.
    NoSync,
    /// The process ends at once, as if it were killed.
    Kill,
    /// The process ends at once, with half of the bytes of a write written.
    KillInWrite,
}

impl DiskFault {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Error, Self::ShortWrite, Self::Full, Self::NoSync, Self::Kill, Self::KillInWrite];

    /// Whether it ends the process.
    pub fn kills(self) -> bool {
        matches!(self, Self::Kill | Self::KillInWrite)
    }

    /// Whether an operation can go wrong like this.
    pub fn concerns(self, operation: DiskOperation) -> bool {
        match self {
            Self::Error | Self::Kill => true,
            Self::ShortWrite | Self::KillInWrite => operation == DiskOperation::Write,
            Self::Full => matches!(operation, DiskOperation::Write | DiskOperation::Create),
            Self::NoSync => operation == DiskOperation::Sync,
        }
    }
}

/// The machine's disk, on which one operation goes wrong.
#[derive(Clone, Debug)]
pub struct FaultyDisk {
    seen: Arc<Mutex<Vec<DiskOperation>>>,
    at: usize,
    fault: DiskFault,
}

/// What an operation does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiskOperation {
    /// Bytes are written.
    Write,
    /// A file or a directory is made, or a file opened to write at its end.
    Create,
    /// A file or a directory is synced.
    Sync,
    /// A file is renamed or removed.
    Name,
}

impl DiskOperation {
    const LETTERS: [(Self, char); 4] =
        [(Self::Write, 'w'), (Self::Create, 'c'), (Self::Sync, 's'), (Self::Name, 'n')];

    /// A letter for it, to hand it from one process to the other.
    pub fn letter(self) -> char {
        Self::LETTERS.iter().find(|(operation, _)| *operation == self).map_or('?', |&(_, letter)| letter)
    }

    /// The operation of a letter.
    pub fn of_letter(letter: char) -> Option<Self> {
        Self::LETTERS.iter().find(|(_, known)| *known == letter).map(|&(operation, _)| operation)
    }
}

impl FaultyDisk {
    /// A disk whose operation of this number, counted from 0, goes wrong.
    pub fn new(at: usize, fault: DiskFault) -> Self {
        Self { seen: Arc::default(), at, fault }
    }

    /// The operations that there were.
    pub fn operations(&self) -> Vec<DiskOperation> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts an operation and gives its number; an error if it is to go wrong.
    fn step(&self, operation: DiskOperation) -> io::Result<usize> {
        let now = {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.push(operation);
            seen.len() - 1
        };
        if !self.fault.concerns(operation) {
            return Ok(now);
        }
        match self.fault {
            DiskFault::Error | DiskFault::NoSync if now == self.at => {
                Err(io::Error::other("the disk has failed"))
            }
            DiskFault::Full if now >= self.at => Err(io::ErrorKind::StorageFull.into()),
            DiskFault::Kill if now == self.at => std::process::abort(),
            _ => Ok(now),
        }
    }

    fn file(&self, inner: io::Result<Box<dyn DiskFile>>) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(FaultyFile { disk: self.clone(), inner: inner? }))
    }
}

#[derive(Debug)]
struct FaultyFile {
    disk: FaultyDisk,
    inner: Box<dyn DiskFile>,
}

impl Write for FaultyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let now = self.disk.step(DiskOperation::Write)?;
        match self.disk.fault {
            DiskFault::ShortWrite | DiskFault::KillInWrite if now == self.disk.at => {
                self.inner.write_all(&bytes[..bytes.len() / 2])?;
                if self.disk.fault.kills() {
                    std::process::abort();
                }
                Err(io::ErrorKind::StorageFull.into())
            }
            _ => self.inner.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl Seek for FaultyFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

impl DiskFile for FaultyFile {
    fn sync(&mut self) -> io::Result<()> {
        self.disk.step(DiskOperation::Sync)?;
        self.inner.sync()
    }
}

impl Disk for FaultyDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        self.step(DiskOperation::Create)?;
        self.file(MachineDisk.create(path))
    }

    fn append(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        self.step(DiskOperation::Create)?;
        self.file(MachineDisk.append(path))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(DiskOperation::Name)?;
        MachineDisk.rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(DiskOperation::Name)?;
        MachineDisk.rename_new(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step(DiskOperation::Name)?;
        MachineDisk.remove(path)
    }

    fn make_directory(&self, path: &Path) -> io::Result<()> {
        self.step(DiskOperation::Create)?;
        MachineDisk.make_directory(path)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.step(DiskOperation::Sync)?;
        MachineDisk.sync_directory(path)
    }
}
