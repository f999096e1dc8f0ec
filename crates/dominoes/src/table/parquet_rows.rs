//! Rows as a Parquet file, made, encoded and compressed by all threads and written in order.

use std::collections::VecDeque;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnDescPtr;
use rayon::prelude::*;
use thiserror::Error;

use crate::position::Layout;
use crate::table::Table;
use crate::table::file::TableSummary;
use crate::table::parquet_pages::{ColumnEncoder, EncodedColumn, ZSTD_LEVEL};
use crate::table::row_groups::{PrefixRows, RowColumns, RowMaker};
use crate::table::trick_prefix::TrickPrefix;

/// Rows of a row group. All row groups have as many but the last, whatever the number of threads.
const GROUP: usize = 1 << 17;
/// Beginnings of tricks whose rows are made together, for each thread: enough to keep the threads even, and few enough
/// that the largest ones, the last, stay small in memory.
const PREFIXES_AT_ONCE: usize = 4;

const SCHEMA: &str = "message rows {
    REQUIRED INT64 state;
    REQUIRED INT32 V (INTEGER(8, true));
    REQUIRED INT32 q0 (INTEGER(8, true));
    REQUIRED INT32 q1 (INTEGER(8, true));
    REQUIRED INT32 q2 (INTEGER(8, true));
    REQUIRED INT32 q3 (INTEGER(8, true));
    REQUIRED INT32 q4 (INTEGER(8, true));
    REQUIRED INT32 q5 (INTEGER(8, true));
    REQUIRED INT32 q6 (INTEGER(8, true));
}";

/// How far a row file is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowProgress {
    /// Rows written.
    pub rows: u64,
    /// The share of the work that is done, 0 to 1.
    pub share: f64,
}

/// A row file that was not written.
#[derive(Debug, Error)]
pub enum WriteRowsError {
    /// Whoever was told of the progress ended the work.
    #[error("stopped before the file was whole")]
    Stopped,
    /// Parquet or the disk said no.
    #[error(transparent)]
    Parquet(#[from] ParquetError),
    /// What makes the rows failed.
    #[error(transparent)]
    Source(Box<dyn std::error::Error + Send + Sync>),
}

/// What makes the rows of a table: the CPU or a GPU.
pub(crate) trait RowSource: Sync {
    /// How many beginnings of tricks it takes at once.
    fn batch(&self) -> usize;

    /// The rows of some beginnings of tricks, of which the first has this number among [`TrickPrefix::all`].
    fn rows(&self, first: usize, prefixes: &[TrickPrefix]) -> Result<Vec<PrefixRows>, WriteRowsError>;
}

impl RowSource for RowMaker<'_> {
    fn batch(&self) -> usize {
        PREFIXES_AT_ONCE * rayon::current_num_threads()
    }

    fn rows(&self, _: usize, prefixes: &[TrickPrefix]) -> Result<Vec<PrefixRows>, WriteRowsError> {
        Ok(prefixes.par_iter().map(|&prefix| self.prefix_rows(prefix)).collect())
    }
}

impl Table {
    /// Writes every row of the table, ascending by state, and returns how many there are. The seed, the declaration's
    /// number and the layout go into the file's metadata. All threads of the rayon pool that the caller is in take
    /// part; the bytes do not depend on how many there are.
    ///
    /// `progress` is told how far it is, again and again; false from it ends the work.
    pub fn write_rows<W: Write + Send>(
        &self,
        seed: Option<u64>,
        layout: Layout,
        out: W,
        progress: impl FnMut(RowProgress) -> bool,
    ) -> Result<u64, WriteRowsError> {
        self.write_rows_of(&RowMaker::new(self, layout), seed, layout, out, progress)
    }

    /// The same with rows that something else makes.
    pub(crate) fn write_rows_of<W: Write + Send>(
        &self,
        source: &impl RowSource,
        seed: Option<u64>,
        layout: Layout,
        out: W,
        mut progress: impl FnMut(RowProgress) -> bool,
    ) -> Result<u64, WriteRowsError> {
        let schema = Arc::new(parse_message_type(SCHEMA)?);
        let properties = Arc::new(properties(self, seed, layout)?);
        let mut writer = SerializedFileWriter::new(out, schema, properties)?;
        let columns: Vec<ColumnDescPtr> = writer.schema_descr().columns().to_vec();
        let prefixes = TrickPrefix::all();
        let size = source.batch();
        let mut batches = prefixes.chunks(size).enumerate();
        let batch_count = batches.len();
        let make = |(number, batch): (usize, &[TrickPrefix])| source.rows(number * size, batch);
        let mut waiting = WaitingRows::default();
        let mut made = batches.next().map(make);
        let mut encoded = Vec::new();
        let mut written = 0;
        while let Some(rows) = made {
            waiting.extend(rows?);
            let next = batches.next();
            let groups = waiting.take_groups(next.is_none());
            // While these rows are encoded, the next are made and those before are written.
            let (done, (next_encoded, next)) = rayon::join(
                || write_groups(&mut writer, std::mem::take(&mut encoded)),
                || rayon::join(|| encode_groups(&columns, &groups), || next.map(make)),
            );
            written += done?;
            let share = 1.0 - batches.len() as f64 / batch_count as f64;
            if !progress(RowProgress { rows: written, share }) {
                return Err(WriteRowsError::Stopped);
            }
            (encoded, made) = (next_encoded?, next);
        }
        written += write_groups(&mut writer, encoded)?;
        writer.close()?;
        Ok(written)
    }
}

/// Rows that are made but not yet in a row group.
#[derive(Default)]
struct WaitingRows {
    parts: VecDeque<(Arc<PrefixRows>, Range<usize>)>,
    count: usize,
}

/// A row group's rows: parts of what was made.
struct GroupParts(Vec<(Arc<PrefixRows>, Range<usize>)>);

impl GroupParts {
    fn len(&self) -> usize {
        self.0.iter().map(|(_, range)| range.len()).sum()
    }
}

impl WaitingRows {
    fn extend(&mut self, rows: Vec<PrefixRows>) {
        for rows in rows {
            self.count += rows.len();
            let range = 0..rows.len();
            self.parts.push_back((Arc::new(rows), range));
        }
    }

    /// Takes whole row groups out, and the rest too if no more rows follow.
    fn take_groups(&mut self, is_last: bool) -> Vec<GroupParts> {
        let mut groups = Vec::new();
        while self.count >= GROUP || (is_last && self.count > 0) {
            groups.push(self.take_group(GROUP.min(self.count)));
        }
        groups
    }

    fn take_group(&mut self, size: usize) -> GroupParts {
        let (mut parts, mut missing) = (Vec::new(), size);
        while let Some((rows, range)) = self.parts.front_mut() {
            let taken = range.start..range.end.min(range.start + missing);
            missing -= taken.len();
            range.start = taken.end;
            parts.push((Arc::clone(rows), taken));
            if range.start == range.end {
                self.parts.pop_front();
            }
            if missing == 0 {
                break;
            }
        }
        self.count -= size;
        GroupParts(parts)
    }
}

/// A row group as it stands in a file.
struct EncodedGroup {
    rows: u64,
    columns: Vec<EncodedColumn>,
}

fn encode_groups(
    columns: &[ColumnDescPtr],
    groups: &[GroupParts],
) -> Result<Vec<EncodedGroup>, ParquetError> {
    groups.par_iter().map(|group| encode(columns, group)).collect()
}

/// Writes row groups, and returns how many rows they have.
fn write_groups<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    groups: Vec<EncodedGroup>,
) -> Result<u64, ParquetError> {
    let mut rows = 0;
    for group in groups {
        let mut row_group = writer.next_row_group()?;
        for column in group.columns {
            row_group.append_column(&column.bytes, column.close)?;
        }
        row_group.close()?;
        rows += group.rows;
    }
    Ok(rows)
}

fn encode(columns: &[ColumnDescPtr], group: &GroupParts) -> Result<EncodedGroup, ParquetError> {
    let mut rows = RowColumns::with_capacity(group.len());
    for (part, range) in &group.0 {
        part.copy_to(range.clone(), &mut rows);
    }
    let mut encoder = ColumnEncoder::new()?;
    let mut encoded = Vec::with_capacity(columns.len());
    if let Some((state, values)) = columns.split_first() {
        encoded.push(encoder.states(state, &rows.states)?);
        for (column, values) in values.iter().zip(std::iter::once(&rows.values).chain(&rows.moves)) {
            encoded.push(encoder.values(column, values)?);
        }
    }
    Ok(EncodedGroup { rows: group.len() as u64, columns: encoded })
}

fn properties(table: &Table, seed: Option<u64>, layout: Layout) -> Result<WriterProperties, ParquetError> {
    let entry = |key: &str, value: String| KeyValue::new(key.to_owned(), value);
    let mut metadata = vec![
        entry("decl_id", table.declaration().number().to_string()),
        entry("layout", layout.name().to_owned()),
        entry("deal", table.deal().to_string()),
        entry("summary", TableSummary::of(table).to_text()),
    ];
    metadata.extend(seed.map(|seed| entry("seed", seed.to_string())));
    Ok(WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
        .set_key_value_metadata(Some(metadata))
        .build())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::Deal;
    use crate::table::Threads;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    #[test]
    fn a_row_file_reads_back_row_by_row_with_its_metadata() {
        let table = Table::solve(&Deal::from_seed(511), "sixes".parse().unwrap(), Threads::Pool);
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows.parquet");
        let written = table
            .write_rows(Some(511), Layout::ToGo, std::fs::File::create(&path).unwrap(), |_| true)
            .unwrap();
        let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        let file = reader.metadata().file_metadata();
        assert_eq!(file.num_rows() as u64, written);
        let metadata: Vec<_> = file.key_value_metadata().unwrap().iter().map(|kv| kv.key.as_str()).collect();
        assert_eq!(&metadata[..5], ["decl_id", "layout", "deal", "summary", "seed"]);
        let mut read = reader.get_row_iter(None).unwrap();
        for (number, expected) in table.rows(Layout::ToGo).enumerate().step_by(1) {
            if number > 5000 {
                break;
            }
            let row = read.next().unwrap().unwrap();
            assert_eq!(row.get_long(0).unwrap(), expected.state);
            assert_eq!(row.get_byte(1).unwrap(), expected.value);
            for local in 0..7 {
                assert_eq!(row.get_byte(2 + local).unwrap(), expected.moves[local]);
            }
        }
    }
}
