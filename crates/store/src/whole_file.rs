//! A file or an object being written: whole or not at all.

use crate::atomic::PartFile;
#[cfg(feature = "cloud")]
use crate::cloud::ObjectWriter;
#[cfg(not(feature = "cloud"))]
use crate::no_cloud::ObjectWriter;
use crate::place::Place;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// A file beside its place, or an object that is not put together yet. Dropped before [`WholeFile::finish`], it leaves nothing behind.
#[derive(Debug)]
pub struct WholeFile(Target);

#[derive(Debug)]
enum Target {
    Disk(PartFile),
    Object(ObjectWriter),
}

impl WholeFile {
    /// Starts what will be at `path`, which may be a URL.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self(match Place::of(path)? {
            Place::Local(path) => Target::Disk(PartFile::create(&path)?),
            Place::Object(object) => Target::Object(object.writer()?),
        }))
    }

    /// Puts it in its place, and returns once it is there. What was there before is replaced.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Target::Disk(part) => part.finish(),
            Target::Object(writer) => writer.finish(),
        }
    }
}

impl From<PartFile> for WholeFile {
    fn from(part: PartFile) -> Self {
        Self(Target::Disk(part))
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Target::Disk(part) => part.write(bytes),
            Target::Object(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Target::Disk(part) => part.flush(),
            Target::Object(writer) => writer.flush(),
        }
    }
}

impl Seek for WholeFile {
    /// In an object only the first megabytes can be written again.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.0 {
            Target::Disk(part) => part.seek(to),
            Target::Object(writer) => writer.seek(to),
        }
    }
}
