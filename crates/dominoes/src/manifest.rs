//! The list of what a run was to make and of what it made, to check against later.
//!
//! A text file with tabs: what it is, a line for each run that wrote to the directory, a heading, then a line for each file
//! with its name, length and digest, ascending by seed and declaration; at its end how many files there are and a checksum of
//! all that is before.

use std::io;
use std::path::Path;

use noregret_store::{Digest, Place, Shard, update_whole, write_whole};
use thiserror::Error;

use crate::run::{FileName, TableJob};

const TITLE: &str = "# noregret manifest 2";
/// What the first line of a manifest of any version begins with.
const ANY_TITLE: &str = "# noregret manifest ";
const RUN: &str = "# run\t";
const END: &str = "# end\t";
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

/// A list of files, each once, in order, and of the runs that were to make them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    runs: Vec<String>,
    entries: Vec<ManifestEntry>,
    is_unchecked: bool,
}

/// What is wrong with the text of a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ManifestFault {
    /// A later program wrote it.
    #[error(
        "a manifest of version {0}, and this program, noregret {program}, reads versions 1 and 2: a later noregret wrote it and can read it",
        program = env!("CARGO_PKG_VERSION")
    )]
    Version(u32),
    /// A line makes no sense.
    #[error("line {0} is not a manifest line")]
    Line(usize),
    /// A file has two lines.
    #[error("line {0} lists a file for the second time")]
    Twice(usize),
    /// The last line is not there.
    #[error("its end is cut off")]
    Cut,
    /// It has another number of files than it says.
    #[error("it lists {0} files, and says that it has {1}")]
    Count(usize, usize),
    /// It is not what was written.
    #[error("it does not match its checksum")]
    Checksum,
}

/// A manifest that cannot be read.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// The disk said no.
    #[error("cannot read {0}: {1}")]
    Io(String, io::Error),
    /// It is not what was written.
    #[error("{0}: {1}; delete the file and solve again, and it is made anew")]
    Content(String, ManifestFault),
    /// This program cannot read what another wrote.
    #[error("{0}: {1}")]
    Version(String, ManifestFault),
}

impl Manifest {
    /// Reads a manifest; one that is not there is empty.
    pub fn load(path: &Path) -> Result<Self, ManifestError> {
        let shown = || path.display().to_string();
        match noregret_store::read(path) {
            Ok(bytes) => Self::parse(&bytes).map_err(|fault| match fault {
                ManifestFault::Version(_) => ManifestError::Version(shown(), fault),
                _ => ManifestError::Content(shown(), fault),
            }),
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

    /// Reads the text of a manifest.
    pub fn parse(bytes: &[u8]) -> Result<Self, ManifestFault> {
        let text = std::str::from_utf8(bytes).map_err(|_| ManifestFault::Line(1))?;
        let mut lines = text.lines().zip(1_usize..).peekable();
        // Manifests of the first kind begin with the heading, and nothing tells whether they are whole.
        let is_unchecked = lines.peek().is_some_and(|(line, _)| *line == HEADING);
        if !is_unchecked {
            let title = lines.next().map_or("", |(line, _)| line);
            let version = title.strip_prefix(ANY_TITLE).and_then(|version| version.parse::<u32>().ok());
            match version {
                Some(later) if later > 2 => return Err(ManifestFault::Version(later)),
                _ if title != TITLE => return Err(ManifestFault::Line(1)),
                _ => {}
            }
        }
        let mut manifest = Self { is_unchecked, ..Self::default() };
        while let Some((line, _)) = lines.next_if(|(line, _)| line.starts_with(RUN)) {
            manifest.runs.push(line[RUN.len()..].to_owned());
        }
        match lines.next() {
            Some((HEADING, _)) => {}
            Some((_, number)) => return Err(ManifestFault::Line(number)),
            None => return Err(ManifestFault::Cut),
        }
        let mut end = None;
        for (line, number) in lines {
            if end.is_some() {
                return Err(ManifestFault::Line(number));
            }
            if let Some(said) = line.strip_prefix(END).filter(|_| !is_unchecked) {
                end = Some(parse_end(said).ok_or(ManifestFault::Line(number))?);
                continue;
            }
            manifest.entries.push(parse_line(line).ok_or(ManifestFault::Line(number))?);
        }
        let heading = manifest.runs.len() + if is_unchecked { 1 } else { 2 };
        manifest.refuse_twice(heading)?;
        if is_unchecked {
            return Ok(manifest);
        }
        let (count, digest) = end.ok_or(ManifestFault::Cut)?;
        if count != manifest.entries.len() {
            return Err(ManifestFault::Count(manifest.entries.len(), count));
        }
        let before = text.rfind(END).unwrap_or(0);
        // Only the order that is written is read, so that no line can be moved either.
        if Digest::of(&bytes[..before]) != digest || !text.ends_with('\n') {
            return Err(ManifestFault::Checksum);
        }
        Ok(manifest)
    }

    /// Refuses files that are listed twice, and puts the others in order. Lines before the first file are counted.
    fn refuse_twice(&mut self, before: usize) -> Result<(), ManifestFault> {
        let mut seen = std::collections::BTreeSet::new();
        if let Some(place) = self.entries.iter().position(|entry| !seen.insert(entry.file)) {
            return Err(ManifestFault::Twice(before + place + 1));
        }
        self.entries.sort_by_key(|entry| entry.file);
        Ok(())
    }

    /// Whether an earlier program wrote it, without a count and a checksum: nothing tells whether it is whole.
    pub fn is_unchecked(&self) -> bool {
        self.is_unchecked
    }

    /// What runs were to make, as [`Manifest::add_run`] was told.
    pub fn runs(&self) -> &[String] {
        &self.runs
    }

    /// Adds what a run is to make, in a line that whoever checks it understands.
    pub fn add_run(&mut self, run: &str) {
        if !self.runs.iter().any(|known| known == run) {
            self.runs.push(run.replace(['\n', '\r'], " "));
        }
    }

    /// Adds files; a new entry replaces an older one for the same file.
    pub fn extend(&mut self, new: impl IntoIterator<Item = ManifestEntry>) {
        self.entries.extend(new);
        // The sort is stable, and the last of equals is kept.
        self.entries.sort_by_key(|entry| entry.file);
        self.entries.reverse();
        self.entries.dedup_by_key(|entry| entry.file);
        self.entries.reverse();
    }

    /// What is listed, ascending.
    pub fn entries(&self) -> &[ManifestEntry] {
        &self.entries
    }

    /// The text of the manifest.
    pub fn to_text(&self) -> String {
        let mut text = format!("{TITLE}\n");
        for run in &self.runs {
            text.push_str(&format!("{RUN}{run}\n"));
        }
        text.push_str(&format!("{HEADING}\n"));
        for entry in &self.entries {
            text.push_str(&format!("{}\t{}\t{}\n", entry.file, entry.bytes, entry.digest));
        }
        let digest = Digest::of(text.as_bytes());
        text + &format!("{END}{}\t{digest}\n", self.entries.len())
    }

    /// Writes the manifest, whole or not at all. In a bucket, where no lock keeps others away, what they have listed meanwhile stays.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        if !Place::is_remote(path) {
            return write_whole(path, self.to_text().as_bytes());
        }
        update_whole(path, |there| {
            let there = there.map(Self::parse).transpose();
            let mut all =
                there.map_err(|fault| io::Error::new(io::ErrorKind::InvalidData, fault))?.unwrap_or_default();
            all.is_unchecked = false;
            self.runs.iter().for_each(|run| all.add_run(run));
            all.extend(self.entries.iter().copied());
            Ok(all.to_text().into_bytes())
        })
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

/// How many files there are, and the checksum of what is before.
fn parse_end(text: &str) -> Option<(usize, Digest)> {
    let (count, digest) = text.split_once('\t')?;
    Some((count.parse().ok()?, digest.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fs;

    fn entry(name: &str, bytes: u64) -> ManifestEntry {
        ManifestEntry { file: TableJob::from_file_name(name).unwrap(), bytes, digest: Digest([7; 16]) }
    }

    fn sample() -> Manifest {
        let mut manifest = Manifest::default();
        manifest.add_run("seeds=0..=1");
        manifest.add_run("seeds=0..=1");
        manifest.extend([entry("seed_00000001_decl_0.n42", 5), entry("seed_00000000_decl_9.n42", 7)]);
        manifest.extend([entry("seed_00000001_decl_0.n42", 6)]);
        manifest
    }

    #[test]
    fn a_manifest_reads_back() {
        let manifest = sample();
        assert_eq!(manifest.entries().iter().map(|entry| entry.bytes).collect::<Vec<_>>(), [7, 6]);
        assert_eq!(manifest.runs(), ["seeds=0..=1"]);
        assert_eq!(Manifest::parse(manifest.to_text().as_bytes()), Ok(manifest));
        let empty = Manifest::default();
        assert_eq!(Manifest::parse(empty.to_text().as_bytes()), Ok(empty));
    }

    #[test]
    fn a_manifest_that_was_cut_or_changed_anywhere_is_refused() {
        let text = sample().to_text();
        for cut in 0..text.len() {
            assert!(Manifest::parse(&text.as_bytes()[..cut]).is_err(), "{cut}");
        }
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] ^= 1;
            assert!(Manifest::parse(&changed).is_err(), "{at}: {}", String::from_utf8_lossy(&changed));
        }
        let lines: Vec<&str> = text.lines().collect();
        for gone in 0..lines.len() {
            let kept: Vec<&str> =
                (0..lines.len()).filter(|&line| line != gone).map(|line| lines[line]).collect();
            assert!(Manifest::parse((kept.join("\n") + "\n").as_bytes()).is_err(), "{gone}");
        }
        assert_eq!(Manifest::parse(b"nonsense"), Err(ManifestFault::Line(1)));
        assert_eq!(Manifest::parse(&text.as_bytes()[..TITLE.len()]), Err(ManifestFault::Cut));
        assert_eq!(Manifest::parse(&text.as_bytes()[..TITLE.len() + 3]), Err(ManifestFault::Line(2)));
        let fewer = text.replace("# end\t2", "# end\t3");
        assert_eq!(Manifest::parse(fewer.as_bytes()), Err(ManifestFault::Count(2, 3)));
        let other = text.replace("\t7\t", "\t8\t");
        assert_eq!(Manifest::parse(other.as_bytes()), Err(ManifestFault::Checksum));
    }

    #[test]
    fn a_second_line_for_a_file_is_refused_even_with_a_right_checksum() {
        let text = sample().to_text();
        let listed = text.lines().find(|line| line.starts_with("seed_00000001")).unwrap();
        let wrong = listed.replace("\t6\t", "\t5\t");
        let doubled = text.replace(listed, &format!("{wrong}\n{listed}"));
        let before = &doubled[..doubled.rfind(END).unwrap()];
        let doubled = format!("{before}{END}3\t{}\n", Digest::of(before.as_bytes()));
        assert_eq!(Manifest::parse(doubled.as_bytes()), Err(ManifestFault::Twice(6)));
    }

    #[test]
    fn a_manifest_of_the_first_kind_is_read_and_told_apart() {
        let old = format!("{HEADING}\nseed_00000000_decl_9.n42\t7\t{}\n", Digest([7; 16]));
        let manifest = Manifest::parse(old.as_bytes()).unwrap();
        assert!(manifest.is_unchecked() && manifest.entries().len() == 1);
        assert_eq!(
            Manifest::parse((old.clone() + &old[HEADING.len() + 1..]).as_bytes()),
            Err(ManifestFault::Twice(3))
        );
        // Written again it has what it lacked.
        assert!(!Manifest::parse(manifest.to_text().as_bytes()).unwrap().is_unchecked());
    }

    #[test]
    fn a_bad_manifest_says_where() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("manifest.tsv");
        assert_eq!(Manifest::load(&path).unwrap(), Manifest::default());
        fs::write(&path, "# noregret manifest 3\nwhatever\n").unwrap();
        let error = Manifest::load(&path).unwrap_err().to_string();
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            error,
            format!(
                "{}: a manifest of version 3, and this program, noregret {version}, reads versions 1 and 2: a later noregret wrote it and can read it",
                path.display()
            )
        );
        fs::write(&path, "file\tbytes\tdigest\nx\ty\tz\n").unwrap();
        let error = Manifest::load(&path).unwrap_err().to_string();
        assert_eq!(
            error,
            format!(
                "{}: line 2 is not a manifest line; delete the file and solve again, and it is made anew",
                path.display()
            )
        );
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), headed in 0..3) {
            let mut text = match headed {
                0 => Vec::new(),
                1 => format!("{HEADING}\n").into_bytes(),
                _ => format!("{TITLE}\n{HEADING}\n").into_bytes(),
            };
            text.extend(bytes);
            let _ = Manifest::parse(&text);
        }
    }
}
