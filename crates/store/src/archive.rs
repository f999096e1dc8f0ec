//! A file of named sections on disk: written one after the other, read one at a time. Laid out as in `header.rs`.

use crate::header::{self, PREFIX, Prefix, SectionEntry};
use crate::kind::tag_text;
use crate::stored_file::StoredFile;
use crate::whole_file::WholeFile;
use crate::{ContainerError, Digest, Kind};
use std::collections::HashMap;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;
use thiserror::Error;

/// Bytes that are written at once: sections may be small, and thousands.
const BUFFER: usize = 1 << 16;

/// An archive being written beside its place.
#[derive(Debug)]
pub struct ArchiveWriter {
    part: BufWriter<WholeFile>,
    kind: Kind,
    count: u32,
    entries: Vec<SectionEntry>,
}

impl ArchiveWriter {
    /// Starts an archive that will be at `path` and have `count` sections.
    pub fn create(path: &Path, kind: Kind, count: u32) -> io::Result<Self> {
        let mut part = BufWriter::with_capacity(BUFFER, WholeFile::create(path)?);
        part.seek(SeekFrom::Start(header::head_length(count)))?;
        Ok(Self { part, kind, count, entries: Vec::with_capacity(count as usize) })
    }

    /// Writes the next section.
    pub fn section(&mut self, tag: [u8; 4], bytes: &[u8]) -> io::Result<()> {
        self.entries.push(SectionEntry { tag, length: bytes.len() as u64, digest: Digest::of(bytes) });
        self.part.write_all(bytes)
    }

    /// Puts the archive in its place, and returns once disk has it. An older file there is replaced.
    pub fn finish(mut self) -> io::Result<()> {
        if self.entries.len() != self.count as usize {
            let message = format!("{} sections where {} were announced", self.entries.len(), self.count);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        self.part.seek(SeekFrom::Start(0))?;
        self.part.write_all(&header::encode(self.kind, &self.entries))?;
        self.part.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
    }
}

/// Why an archive, or a section of it, cannot be read.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The system does not let it be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is not what it should be.
    #[error("{0}")]
    Content(#[from] ContainerError),
}

impl ArchiveError {
    /// Whether it is a file of the right kind and version that has come to harm, so that nothing is lost with it.
    pub fn is_damage(&self) -> bool {
        use ContainerError::{Cut, Empty, Header, Length, Section};
        matches!(self, Self::Content(Empty(_) | Length { .. } | Cut { .. } | Header | Section(_)))
    }
}

/// Where a section is.
#[derive(Clone, Copy, Debug)]
struct StoredSection {
    start: u64,
    length: u64,
    digest: Digest,
}

/// An archive that is open: its head is read and checked, sections are when they are asked for.
#[derive(Debug)]
pub struct Archive {
    file: StoredFile,
    kind: Kind,
    sections: HashMap<[u8; 4], StoredSection>,
    digest: Digest,
    length: u64,
}

impl Archive {
    /// Opens an archive of one of some kinds.
    pub fn open(path: &Path, kinds: &[Kind]) -> Result<Self, ArchiveError> {
        let file = crate::files::open(path)?;
        let length = file.length()?;
        let first = file.read_at(0, PREFIX as u64)?;
        let kind = kinds.iter().find(|kind| first.starts_with(&kind.magic)).or(kinds.first()).copied();
        let kind = kind.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        if length == 0 {
            return Err(ContainerError::Empty(kind.name).into());
        }
        let prefix = Prefix::decode(kind, &first)?;
        if prefix.head_length() > length {
            return Err(ContainerError::Cut {
                tag: "header".to_owned(),
                found: length,
                expected: prefix.head_length(),
            }
            .into());
        }
        let mut head = first;
        let rest = prefix.head_length() - head.len() as u64;
        head.extend(file.read_at(PREFIX as u64, rest)?);
        let (entries, digest) = header::decode(kind, prefix, &head)?;
        let sections = locate(&entries, head.len() as u64, length)?;
        Ok(Self { file, kind, sections, digest, length })
    }

    /// Which of the kinds it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// A digest of the head, and with it of everything: it holds the checksum of each section.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// How long the file is, in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// All bytes of the file that is open, also if another file is at its path by now.
    pub fn bytes(&self) -> io::Result<Vec<u8>> {
        self.file.read_at(0, self.length)
    }

    /// The names of all sections, in no order.
    pub fn tags(&self) -> impl Iterator<Item = [u8; 4]> {
        self.sections.keys().copied()
    }

    /// Whether there is a section of this name.
    pub fn has(&self, tag: [u8; 4]) -> bool {
        self.sections.contains_key(&tag)
    }

    /// Reads a section and checks it.
    pub fn section(&self, tag: [u8; 4]) -> Result<Vec<u8>, ArchiveError> {
        let missing = || ContainerError::Missing(tag_text(tag));
        let StoredSection { start, length, digest } = *self.sections.get(&tag).ok_or_else(missing)?;
        let bytes = self.file.read_at(start, length)?;
        if bytes.len() as u64 != length || Digest::of(&bytes) != digest {
            return Err(ContainerError::Section(tag_text(tag)).into());
        }
        Ok(bytes)
    }
}

/// Finds each section, which must together fill the file after its head.
fn locate(
    entries: &[SectionEntry],
    start: u64,
    found: u64,
) -> Result<HashMap<[u8; 4], StoredSection>, ContainerError> {
    let expected = entries.iter().fold(start, |end, entry| end.saturating_add(entry.length));
    let mut sections = HashMap::with_capacity(entries.len());
    let mut next = start;
    for &SectionEntry { tag, length, digest } in entries {
        let end = next.saturating_add(length);
        if end > found {
            return Err(ContainerError::Cut { tag: tag_text(tag), found, expected });
        }
        if sections.insert(tag, StoredSection { start: next, length, digest }).is_some() {
            return Err(ContainerError::content(tag, "it comes twice"));
        }
        next = end;
    }
    if next != found {
        return Err(ContainerError::Length { found, expected });
    }
    Ok(sections)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PartFile;
    use proptest::prelude::*;
    use std::path::PathBuf;
    use tempfile::TempDir;

    const KIND: Kind = Kind { magic: *b"NR-TEST!", version: 3, name: "test" };

    fn home() -> (TempDir, PathBuf) {
        let home = TempDir::new().unwrap();
        let path = home.path().join("a.bin");
        (home, path)
    }

    fn write(path: &Path, sections: &[([u8; 4], Vec<u8>)]) {
        let mut writer = ArchiveWriter::create(path, KIND, sections.len() as u32).unwrap();
        for (tag, bytes) in sections {
            writer.section(*tag, bytes).unwrap();
        }
        writer.finish().unwrap();
    }

    fn sample(path: &Path) {
        write(path, &[(*b"one ", b"first".to_vec()), (*b"two ", vec![7; 40]), (*b"none", Vec::new())]);
    }

    #[test]
    fn sections_come_back_in_any_order() {
        let (_home, path) = home();
        sample(&path);
        let archive = Archive::open(&path, &[KIND]).unwrap();
        assert_eq!(archive.section(*b"two ").unwrap(), [7; 40]);
        assert_eq!(archive.section(*b"one ").unwrap(), b"first");
        assert_eq!(archive.section(*b"none").unwrap(), b"");
        assert!(archive.has(*b"one ") && !archive.has(*b"six "));
        assert_eq!(archive.section(*b"six ").unwrap_err().to_string(), "section `six` is missing");
        assert_eq!((archive.kind(), archive.length()), (KIND, std::fs::metadata(&path).unwrap().len()));
    }

    #[test]
    fn an_archive_is_a_container() {
        let (_home, path) = home();
        sample(&path);
        let container = crate::Container::decode(KIND, std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(container.section(*b"two ").unwrap(), [7; 40]);
        assert_eq!(container.digest(), Archive::open(&path, &[KIND]).unwrap().digest());
    }

    #[test]
    fn a_writer_that_is_killed_leaves_the_earlier_file() {
        let (home, path) = home();
        sample(&path);
        let earlier = std::fs::read(&path).unwrap();
        let mut writer = ArchiveWriter::create(&path, KIND, 2).unwrap();
        writer.section(*b"one ", &[1; 1000]).unwrap();
        // Nothing runs any more after a kill, no destructor either.
        let left = PartFile::create(&path).unwrap().beside().to_owned();
        drop(writer);
        std::fs::write(left, b"half").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), earlier);
        assert_eq!(home.path().read_dir().unwrap().count(), 2);
        crate::remove_parts(&path).unwrap();
        assert_eq!(home.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn other_sections_than_were_announced_are_not_put_in_place() {
        let (home, path) = home();
        let error = ArchiveWriter::create(&path, KIND, 2).unwrap().finish().unwrap_err();
        assert_eq!(error.to_string(), "0 sections where 2 were announced");
        assert_eq!(home.path().read_dir().unwrap().count(), 0);
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let (_home, path) = home();
        sample(&path);
        let good = std::fs::read(&path).unwrap();
        let complaint = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            Archive::open(&path, &[KIND]).unwrap_err().to_string()
        };
        let length = good.len();
        assert_eq!(complaint(b""), "an empty file, and not a test file");
        assert_eq!(complaint(b"PK\x03\x04"), "not a test file");
        assert_eq!(complaint(&good[..9]), "torn: 9 bytes where 16 belong");
        assert_eq!(
            complaint(&good[..50]),
            "torn: 50 bytes where 116 belong, and section `header` is cut off"
        );
        assert_eq!(
            complaint(&good[..length - 1]),
            format!("torn: {} bytes where {length} belong, and section `two` is cut off", length - 1)
        );
        assert_eq!(
            complaint(&[&good[..], b"x"].concat()),
            format!("torn: {} bytes where {length} belong", length + 1)
        );
        write(&path, &[(*b"same", vec![1]), (*b"same", vec![2])]);
        let twice = Archive::open(&path, &[KIND]).unwrap_err().to_string();
        assert_eq!(twice, "section `same` cannot be read: it comes twice");
        let error = Archive::open(path.parent().unwrap(), &[KIND]).unwrap_err().to_string();
        assert_eq!(error, "it is a directory");
    }

    #[test]
    fn every_flipped_bit_is_found_by_whoever_reads_there() {
        let (_home, path) = home();
        sample(&path);
        let good = std::fs::read(&path).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            std::fs::write(&path, bad).unwrap();
            let read = Archive::open(&path, &[KIND]).and_then(|archive| {
                archive.section(*b"one ")?;
                archive.section(*b"two ")
            });
            assert!(read.is_err(), "byte {at}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(tail in prop::collection::vec(any::<u8>(), 0..200), known in any::<bool>()) {
            let (_home, path) = home();
            let mut bytes = if known { [&KIND.magic[..], &3_u32.to_le_bytes()].concat() } else { Vec::new() };
            bytes.extend(tail);
            std::fs::write(&path, bytes).unwrap();
            prop_assert!(Archive::open(&path, &[KIND]).is_err());
        }
    }
}
