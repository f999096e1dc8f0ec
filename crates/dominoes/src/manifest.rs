//! The list of what a run made, to check against later.
//!
//! A text file with tabs: a heading, then a line for each file with its name, length and digest, ascending by seed and
//! declaration.

use std::path::Path;
use std::{fs, io};

use noregret_store::{Digest, Shard, write_whole};
use thiserror::Error;

use crate::run::{FileName, TableJob};

const HEADING: &str = "file\tbytes\tdigest";

/// What a manifest says of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ManifestEntry {
    /// Which file.
    pub file: FileName,
    /// How long it is.
    pub bytes: u64,
    /// Its digest.
    pub digest: Digest,
}

/// A list of files, each once, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    entries: Vec<ManifestEntry>,
}

/// A manifest that cannot be read.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// The disk said no.
    #[error("cannot read {0}: {1}")]
    Io(String, io::Error),
    /// A line makes no sense.
    #[error("{0}, line {1}: not a manifest line; delete the file and solve again, and it is made anew")]
    Line(String, usize),
}

impl Manifest {
    /// Reads a manifest; one that is not there is empty.
    pub fn load(path: &Path) -> Result<Self, ManifestError> {
        let shown = || path.display().to_string();
        match fs::read(path) {
            Ok(bytes) => Self::parse(&bytes).map_err(|line| ManifestError::Line(shown(), line)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(ManifestError::Io(shown(), error)),
        }
    }

    /// The name of a shard's manifest.
    pub fn name(shard: &Shard) -> String {
        shard.named("manifest", "tsv")
    }

    /// Whether a file of this name is a manifest.
    pub fn is_name(name: &str) -> bool {
        name.starts_with("manifest") && name.ends_with(".tsv")
    }

    /// What a manifest says of a file.
    pub fn entry(&self, file: FileName) -> Option<&ManifestEntry> {
        self.entries.binary_search_by_key(&file, |entry| entry.file).ok().map(|place| &self.entries[place])
    }

    /// Reads the text of a manifest. The error is the number of the line that is wrong.
    pub fn parse(bytes: &[u8]) -> Result<Self, usize> {
        let text = std::str::from_utf8(bytes).map_err(|_| 1_usize)?;
        let mut lines = text.lines().zip(1_usize..);
        if lines.next().is_none_or(|(line, _)| line != HEADING) {
            return Err(1);
        }
        let entries = lines.map(|(line, number)| parse_line(line).ok_or(number)).collect::<Result<_, _>>()?;
        Ok(Self::of(entries))
    }

    fn of(mut entries: Vec<ManifestEntry>) -> Self {
        // Of two lines for one file the later one holds: the sort is stable, and the last of equals is kept.
        entries.sort_by_key(|entry| entry.file);
        entries.reverse();
        entries.dedup_by_key(|entry| entry.file);
        entries.reverse();
        Self { entries }
    }

    /// Adds files; a new entry replaces an older one for the same file.
    pub fn extend(&mut self, new: impl IntoIterator<Item = ManifestEntry>) {
        let mut entries = std::mem::take(&mut self.entries);
        entries.extend(new);
        *self = Self::of(entries);
    }

    /// What is listed, ascending.
    pub fn entries(&self) -> &[ManifestEntry] {
        &self.entries
    }

    /// The text of the manifest.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEADING}\n");
        for entry in &self.entries {
            text.push_str(&format!("{}\t{}\t{}\n", entry.file, entry.bytes, entry.digest));
        }
        text
    }

    /// Writes the manifest, whole or not at all.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        write_whole(path, self.to_text().as_bytes())
    }
}

fn parse_line(line: &str) -> Option<ManifestEntry> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [name, bytes, digest] = fields[..] else { return None };
    Some(ManifestEntry {
        file: TableJob::from_file_name(name)?,
        bytes: bytes.parse().ok()?,
        digest: digest.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(name: &str, bytes: u64) -> ManifestEntry {
        ManifestEntry { file: TableJob::from_file_name(name).unwrap(), bytes, digest: Digest([7; 16]) }
    }

    #[test]
    fn a_manifest_reads_back_and_a_bad_line_is_named() {
        let mut manifest = Manifest::default();
        manifest.extend([entry("seed_00000001_decl_0.n42", 5), entry("seed_00000000_decl_9.n42", 7)]);
        manifest.extend([entry("seed_00000001_decl_0.n42", 6)]);
        assert_eq!(manifest.entries().iter().map(|entry| entry.bytes).collect::<Vec<_>>(), [7, 6]);
        assert_eq!(Manifest::parse(manifest.to_text().as_bytes()), Ok(manifest.clone()));
        assert_eq!(Manifest::parse(b"nonsense"), Err(1));
        let cut = manifest.to_text();
        assert_eq!(Manifest::parse(&cut.as_bytes()[..cut.len() - 3]), Err(3));
    }

    #[test]
    fn a_bad_manifest_says_where() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("manifest.tsv");
        assert_eq!(Manifest::load(&path).unwrap(), Manifest::default());
        fs::write(&path, "file\tbytes\tdigest\nx\ty\tz\n").unwrap();
        let error = Manifest::load(&path).unwrap_err().to_string();
        assert_eq!(
            error,
            format!(
                "{}, line 2: not a manifest line; delete the file and solve again, and it is made anew",
                path.display()
            )
        );
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), headed in any::<bool>()) {
            let mut text = if headed { format!("{HEADING}\n").into_bytes() } else { Vec::new() };
            text.extend(bytes);
            let _ = Manifest::parse(&text);
        }
    }
}
