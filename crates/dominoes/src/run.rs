//! Tables by the million: one file each, made once, found again, checked later.

use std::fmt;
use std::io::{self, BufWriter, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use noregret_store::{ContainerError, Digest, Hasher, WholeFile, is_replaceable, write_new, write_whole};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use thiserror::Error;

use crate::deal::Deal;
use crate::declaration::Declaration;
#[cfg(feature = "gpu")]
use crate::gpu::Gpu;
#[cfg(not(feature = "gpu"))]
use crate::no_gpu::Gpu;
use crate::parquet_file::ParquetFile;
use crate::position::Layout;
use crate::random::SplitMix64;
use crate::seat::Seat;
use crate::table::Table;
use crate::table::file::{MAGIC, TableHeader, TableSummary};
use crate::table::parquet_rows::{RowProgress, WriteRowsError};

/// One table to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableJob {
    /// The seed that deals it, or that deals seat 0's hand alone.
    pub seed: u64,
    /// The seed that deals the other 21 dominoes, if it is not the same.
    pub opponents: Option<u64>,
    /// The declaration.
    pub declaration: Declaration,
}

/// A part of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Split {
    /// To train on: nine seeds of ten.
    Train,
    /// To tune on: one of twenty.
    Val,
    /// To test on: one of twenty.
    Test,
}

impl Split {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Train, Self::Val, Self::Test];

    /// The remainders by 1000 of its seeds.
    pub const fn remainders(self) -> RangeInclusive<u64> {
        match self {
            Self::Train => 0..=899,
            Self::Val => 900..=949,
            Self::Test => 950..=999,
        }
    }

    /// The name of its folder.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Val => "val",
            Self::Test => "test",
        }
    }
}

/// What is written for a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A compact `.n42` file.
    Table,
    /// A `.parquet` file of every row.
    Rows(Layout),
}

/// The name of a job's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileName {
    /// Whose file.
    pub job: TableJob,
    /// Whether it is of rows; else it is a table.
    pub is_rows: bool,
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TableJob { seed, opponents, declaration } = self.job;
        let extension = if self.is_rows { "parquet" } else { "n42" };
        write!(f, "seed_{seed:08}")?;
        if let Some(opponents) = opponents {
            write!(f, "_opp{opponents}")?;
        }
        write!(f, "_decl_{}.{extension}", declaration.number())
    }
}

/// A file that was made, or found whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenFile {
    /// The first things that people ask of it.
    pub summary: TableSummary,
    /// How long the file is.
    pub bytes: u64,
    /// A digest of it.
    pub digest: Digest,
    /// How many rows it has, if it is of rows.
    pub rows: Option<u64>,
}

impl WrittenFile {
    /// What a table file will be, from its bytes.
    pub fn of_table(bytes: Vec<u8>) -> Result<Self, ContainerError> {
        let length = bytes.len() as u64;
        let head = TableHeader::read(bytes)?;
        Ok(Self { summary: head.summary, bytes: length, digest: head.digest, rows: None })
    }
}

/// A file that could not be written or read.
#[derive(Debug, Error)]
pub enum RunError {
    /// The disk said no.
    #[error("cannot write {path}: {error}", path = .path.display())]
    Write {
        /// What was being written.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The file cannot be read.
    #[error("cannot read {path}: {error}", path = .path.display())]
    Read {
        /// What was being read.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The file is not a whole table.
    #[error("{path}: {error}", path = .path.display())]
    Table {
        /// What was being read.
        path: PathBuf,
        /// What is wrong with it.
        error: ContainerError,
    },
    /// The file is not a whole row file.
    #[error("{path}: not a whole row file: {reason}", path = .path.display())]
    Rows {
        /// What was being read.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The file is something else than a row file.
    #[error("{path}: not a Parquet file: move it away, or choose another directory", path = .path.display())]
    NotRows {
        /// What was being read.
        path: PathBuf,
    },
    /// The file is whole, but of something else.
    #[error("{path}: it holds another table than its name says", path = .path.display())]
    Other {
        /// What was being read.
        path: PathBuf,
    },
    /// The file holds rows of the other layout.
    #[error("{path}: it holds rows of another layout: choose that layout or another directory", path = .path.display())]
    Layout {
        /// What was being read.
        path: PathBuf,
    },
    /// Whoever was told of the progress ended the work.
    #[error("stopped before the file was whole")]
    Stopped,
    /// What makes the rows failed.
    #[error(transparent)]
    Source(Box<dyn std::error::Error + Send + Sync>),
    /// A row file is not what a manifest says, or no manifest says anything of it.
    #[error("{path}: {reason}", path = .path.display())]
    Unsure {
        /// What was being read.
        path: PathBuf,
        /// Why it cannot be trusted.
        reason: &'static str,
    },
}

impl RunError {
    /// Whether making the file again would lose something that somebody may want.
    pub fn guards_a_file(&self) -> bool {
        match self {
            Self::Layout { .. } | Self::Read { .. } => true,
            Self::Table { error, .. } => {
                matches!(error, ContainerError::Version { .. } | ContainerError::Kind(_))
            }
            Self::NotRows { .. } => true,
            _ => false,
        }
    }
}

/// The largest table file: one byte for each of the positions that a deal can have at most, and room for the rest.
const MAX_TABLE_BYTES: u64 = 16 << 20;

/// Whether a file begins like a table.
pub fn is_table(path: &Path) -> io::Result<bool> {
    Ok(noregret_store::read_start(path, MAGIC.len() as u64)? == MAGIC)
}

/// Reads a table file, but not more than a table can have.
pub fn read_table_file(path: &Path) -> Result<Vec<u8>, RunError> {
    let failed = |error| RunError::Read { path: path.to_owned(), error };
    let bytes = noregret_store::read_start(path, MAX_TABLE_BYTES + 1).map_err(failed)?;
    if bytes.len() as u64 > MAX_TABLE_BYTES {
        let error = ContainerError::Length { found: bytes.len() as u64, expected: MAX_TABLE_BYTES };
        return Err(RunError::Table { path: path.to_owned(), error });
    }
    Ok(bytes)
}

impl TableJob {
    /// The deal of a seed.
    pub fn new(seed: u64, declaration: Declaration) -> Self {
        Self { seed, opponents: None, declaration }
    }

    /// The deal of its seeds.
    pub fn deal(&self) -> Deal {
        let deal = Deal::from_seed(self.seed);
        let around = |seed| Deal::around(deal.held(Seat::ALL[0], 0x7f), seed);
        self.opponents.and_then(|seed| around(seed).ok()).unwrap_or(deal)
    }

    /// The seed that a file of the table carries: none if two seeds deal it.
    pub fn file_seed(&self) -> Option<u64> {
        self.opponents.is_none().then_some(self.seed)
    }

    /// The seed of samples of this table, one of many that are drawn from with one seed.
    pub fn sample_seed(&self, seed: u64) -> u64 {
        let opponents = self.opponents.map_or(0, |number| number.wrapping_add(1));
        let parts = [self.seed, opponents, u64::from(self.declaration.number())];
        parts.into_iter().fold(seed, |seed, part| SplitMix64::new(seed, part).next())
    }

    /// Which part of a data set the table belongs to, by its seed as the data sets in use have it.
    pub fn split(&self) -> Split {
        let is_here = |split: &Split| split.remainders().contains(&(self.seed % 1000));
        Split::ALL.into_iter().find(is_here).unwrap_or(Split::Test)
    }

    /// The name of its file.
    pub fn file_name(&self, format: Format) -> FileName {
        FileName { job: *self, is_rows: format != Format::Table }
    }

    /// The job that a file name is of, if it is one.
    pub fn from_file_name(name: &str) -> Option<FileName> {
        let (stem, extension) = name.rsplit_once('.')?;
        let (seeds, declaration) = stem.strip_prefix("seed_")?.split_once("_decl_")?;
        let (seed, opponents) = match seeds.split_once("_opp") {
            Some((seed, opponents)) => (seed, Some(opponents.parse().ok()?)),
            None => (seeds, None),
        };
        let declaration = Declaration::new(declaration.parse().ok()?)?;
        let job = Self { seed: seed.parse().ok()?, opponents, declaration };
        let file = FileName { job, is_rows: extension == "parquet" };
        (file.to_string() == name).then_some(file)
    }

    /// The file in the directory, if it is there. An error if it is not whole or of something else.
    pub fn find(&self, directory: &Path, format: Format) -> Result<Option<WrittenFile>, RunError> {
        let path = directory.join(self.file_name(format).to_string());
        let found = match format {
            Format::Table => self.find_table(&path),
            Format::Rows(layout) => self.find_rows(&path, layout),
        };
        match found {
            Err(RunError::Read { error, .. }) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            found => found.map(Some),
        }
    }

    fn find_table(&self, path: &Path) -> Result<WrittenFile, RunError> {
        let bytes = read_table_file(path)?;
        let path = || path.to_owned();
        let length = bytes.len() as u64;
        let head = TableHeader::read(bytes).map_err(|error| RunError::Table { path: path(), error })?;
        if (head.seed, head.deal, head.declaration) != (self.file_seed(), self.deal(), self.declaration) {
            return Err(RunError::Other { path: path() });
        }
        Ok(WrittenFile { summary: head.summary, bytes: length, digest: head.digest, rows: None })
    }

    fn find_rows(&self, path: &Path, layout: Layout) -> Result<WrittenFile, RunError> {
        let failed = |error| RunError::Read { path: path.to_owned(), error };
        if !is_replaceable(path, &[b"PAR1"]).map_err(failed)? {
            return Err(RunError::NotRows { path: path.to_owned() });
        }
        let (bytes, digest) = digest_file(path).map_err(failed)?;
        let (summary, rows) = self.rows_summary(path, ParquetFile::open(path).map_err(failed)?, layout)?;
        Ok(WrittenFile { summary, bytes, digest, rows: Some(rows) })
    }

    fn rows_summary(
        &self,
        path: &Path,
        file: ParquetFile,
        layout: Layout,
    ) -> Result<(TableSummary, u64), RunError> {
        let wrong = |reason: String| RunError::Rows { path: path.to_owned(), reason };
        let reader = SerializedFileReader::new(file).map_err(|error| wrong(error.to_string()))?;
        let metadata = reader.metadata().file_metadata().key_value_metadata();
        let value = |key: &str| {
            metadata
                .into_iter()
                .flatten()
                .find(|entry| entry.key == key)
                .and_then(|entry| entry.value.clone())
        };
        let expected = [
            ("seed", self.file_seed().map(|seed| seed.to_string())),
            ("deal", Some(self.deal().to_string())),
            ("decl_id", Some(self.declaration.number().to_string())),
        ];
        if expected.into_iter().any(|(key, expected)| value(key) != expected) {
            return Err(RunError::Other { path: path.to_owned() });
        }
        if value("layout").as_deref() != Some(layout.name()) {
            return Err(RunError::Layout { path: path.to_owned() });
        }
        let rows = reader.metadata().file_metadata().num_rows().unsigned_abs();
        value("summary")
            .and_then(|text| TableSummary::from_text(&text))
            .map(|summary| (summary, rows))
            .ok_or_else(|| wrong("its metadata has no summary".to_owned()))
    }

    /// Writes the bytes of a solved table into the directory, whole or not at all.
    pub fn write_table(&self, directory: &Path, bytes: &[u8]) -> Result<(), RunError> {
        let path = directory.join(self.file_name(Format::Table).to_string());
        let written = write_new(&path, bytes).and_then(|is_new| {
            // In a bucket another run may have been quicker: what it wrote is the same, unless it is no table.
            if is_new || self.find_table(&path).is_ok() { Ok(()) } else { write_whole(&path, bytes) }
        });
        written.map_err(|error| RunError::Write { path, error })
    }

    /// Writes the rows of a solved table into the directory, whole or not at all. A GPU makes the rows if there is one,
    /// else the CPU. `progress` is told how far it is, and false from it ends the work.
    pub fn write_rows(
        &self,
        directory: &Path,
        table: &Table,
        layout: Layout,
        gpu: Option<&Gpu>,
        progress: impl FnMut(RowProgress) -> bool,
    ) -> Result<WrittenFile, RunError> {
        let path = directory.join(self.file_name(Format::Rows(layout)).to_string());
        write_rows(&path, table, self.file_seed(), layout, gpu, progress)
    }
}

impl FileName {
    /// Reads the file in the directory through and returns its length and digest. An error if it is not whole.
    pub fn check(&self, directory: &Path) -> Result<(u64, Digest), RunError> {
        let path = directory.join(self.to_string());
        if self.is_rows {
            digest_file(&path).map_err(|error| RunError::Read { path, error })
        } else {
            self.job.find_table(&path).map(|made| (made.bytes, made.digest))
        }
    }
}

fn digest_file(path: &Path) -> io::Result<(u64, Digest)> {
    let mut tee = Tee { out: io::sink(), hasher: Hasher::default(), bytes: 0 };
    io::copy(&mut noregret_store::open(path)?, &mut tee)?;
    Ok((tee.bytes, tee.hasher.digest()))
}

/// Writes a row file, whole or not at all. A GPU makes the rows if there is one, else the CPU: the bytes are the same.
pub fn write_rows(
    path: &Path,
    table: &Table,
    seed: Option<u64>,
    layout: Layout,
    gpu: Option<&Gpu>,
    progress: impl FnMut(RowProgress) -> bool,
) -> Result<WrittenFile, RunError> {
    let failed = |error| RunError::Write { path: path.to_owned(), error };
    let mut part = BufWriter::with_capacity(1 << 20, WholeFile::create(path).map_err(failed)?);
    let mut tee = Tee { out: &mut part, hasher: Hasher::default(), bytes: 0 };
    let written = match gpu {
        Some(gpu) => gpu.write_rows(table, seed, layout, &mut tee, progress),
        None => table.write_rows(seed, layout, &mut tee, progress),
    };
    let rows = written.map_err(|error| match error {
        WriteRowsError::Stopped => RunError::Stopped,
        WriteRowsError::Parquet(error) => failed(io_error(error)),
        WriteRowsError::Source(error) => RunError::Source(error),
    })?;
    let (bytes, digest) = (tee.bytes, tee.hasher.digest());
    let part = part.into_inner().map_err(|error| failed(error.into_error()))?;
    part.finish().map_err(failed)?;
    Ok(WrittenFile { summary: TableSummary::of(table), bytes, digest, rows: Some(rows) })
}

/// What the disk said, where Parquet passes it on.
pub(crate) fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

/// Counts and digests what passes through.
struct Tee<W> {
    out: W,
    hasher: Hasher,
    bytes: u64,
}

impl<W: Write> Write for Tee<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Threads;
    use std::fs;

    #[test]
    fn file_names_go_there_and_back_and_others_are_not_taken_for_them() {
        let job = TableJob::new(42, Declaration::NO_TRUMP);
        for (format, name) in [
            (Format::Table, "seed_00000042_decl_9.n42"),
            (Format::Rows(Layout::ToGo), "seed_00000042_decl_9.parquet"),
        ] {
            assert_eq!(job.file_name(format).to_string(), name);
            assert_eq!(TableJob::from_file_name(name), Some(job.file_name(format)));
        }
        for name in
            ["seed_42_decl_9.n42", "seed_00000042_decl_10.n42", "seed_00000042_decl_9.txt", "manifest.tsv"]
        {
            assert_eq!(TableJob::from_file_name(name), None, "{name}");
        }
    }

    #[test]
    fn opponents_keep_the_first_hand_and_have_a_name_of_their_own() {
        let base = TableJob::new(7, Declaration::NO_TRUMP);
        let job = TableJob { opponents: Some(3), ..base };
        let first = Seat::ALL[0];
        assert_eq!(job.deal().hand(first), base.deal().hand(first));
        assert_eq!(Ok(job.deal()), Deal::around(base.deal().held(first, 0x7f), 3));
        let name = job.file_name(Format::Table).to_string();
        assert_eq!(name, "seed_00000007_opp3_decl_9.n42");
        assert_eq!(TableJob::from_file_name(&name).map(|file| file.job), Some(job));
        assert_eq!(TableJob::from_file_name("seed_00000007_opp03_decl_9.n42"), None);
        let splits =
            [899, 900, 949, 950, 1000].map(|seed| TableJob::new(seed, Declaration::NO_TRUMP).split());
        assert_eq!(splits.map(Split::name), ["train", "val", "val", "test", "train"]);
    }

    #[test]
    fn a_file_of_another_table_or_of_nonsense_is_told_apart() {
        let directory = tempfile::tempdir().unwrap();
        let job = TableJob::new(511, Declaration::new(6).unwrap());
        let other = TableJob { seed: 512, ..job };
        let bytes = Table::solve(&job.deal(), job.declaration, Threads::Pool).to_bytes(Some(job.seed));
        assert_eq!(job.find(directory.path(), Format::Table).unwrap(), None);
        other.write_table(directory.path(), &bytes).unwrap();
        let error = other.find(directory.path(), Format::Table).unwrap_err().to_string();
        assert!(
            error.ends_with("seed_00000512_decl_6.n42: it holds another table than its name says"),
            "{error}"
        );
        fs::write(directory.path().join("seed_00000511_decl_6.parquet"), b"PAR1 and no more").unwrap();
        let error = job.find(directory.path(), Format::Rows(Layout::ToGo)).unwrap_err().to_string();
        assert!(error.contains("seed_00000511_decl_6.parquet: not a whole row file: "), "{error}");
        let error = job.write_table(&directory.path().join("no"), &bytes).unwrap_err().to_string();
        assert!(error.starts_with("cannot write ") && error.contains("No such file"), "{error}");
    }
}
