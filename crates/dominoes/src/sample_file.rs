//! Samples of many tables in one Parquet file.

use std::fmt;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, Length, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use thiserror::Error;

use crate::deal::Deal;
use crate::declaration::Declaration;
use crate::domino::Domino;
use crate::hand::Hand;
use crate::parquet_file::ParquetFile;
use crate::position::{Layout, Position, StateError};
use crate::run::{Split, TableJob};
use crate::seat::{Seat, Team};
use crate::table::rows::{NOT_LEGAL, Row};

/// Rows of a row group.
const GROUP: usize = 1 << 17;

/// A thousand seeds, whose samples are one file: those from a thousand times the number on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SampleShard(pub u64);

impl SampleShard {
    const SEEDS: u64 = 1000;

    /// The one that a seed belongs to.
    pub const fn of_seed(seed: u64) -> Self {
        Self(seed / Self::SEEDS)
    }

    /// Its seeds.
    pub const fn seeds(self) -> RangeInclusive<u64> {
        let first = self.0 * Self::SEEDS;
        first..=first.saturating_add(Self::SEEDS - 1)
    }

    /// Those of its seeds that belong to a part of a data set.
    pub const fn seeds_of(self, split: Split) -> RangeInclusive<u64> {
        let (first, part) = (self.0 * Self::SEEDS, split.remainders());
        first.saturating_add(*part.start())..=first.saturating_add(*part.end())
    }
}

impl fmt::Display for SampleShard {
    /// The name of its file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seeds = self.seeds();
        write!(f, "samples_{:08}_{:08}.parquet", seeds.start(), seeds.end())
    }
}

/// The rows and bytes of a file of samples, and an entry of its metadata. None if there is no file.
pub fn sample_metadata(path: &Path, key: &str) -> Result<Option<(u64, u64, String)>, SampleFileError> {
    let file = match ParquetFile::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let bytes = file.len();
    let reader = SerializedFileReader::new(file)?;
    let metadata = reader.metadata().file_metadata();
    let entry = metadata.key_value_metadata().into_iter().flatten().find(|entry| entry.key == key);
    let value = entry.and_then(|entry| entry.value.clone()).unwrap_or_default();
    Ok(Some((metadata.num_rows().unsigned_abs(), bytes, value)))
}

/// Which columns a file of samples has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleFormat {
    /// How states are packed.
    pub layout: Layout,
    /// Whether there is a column with the seed of the opponents' hands.
    pub has_opponents: bool,
    /// Whether there are columns that a person or a network can read without unpacking.
    pub is_decoded: bool,
}

/// A file of samples that cannot be written.
#[derive(Debug, Error)]
pub enum SampleFileError {
    /// The rows are of another layout than the file.
    #[error(transparent)]
    State(#[from] StateError),
    /// The disk said no.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not what it should be.
    #[error(transparent)]
    Parquet(ParquetError),
}

impl From<ParquetError> for SampleFileError {
    /// What the disk said comes through Parquet.
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(error) => Self::Io(*error),
                Err(inner) => Self::Parquet(ParquetError::External(inner)),
            },
            error => Self::Parquet(error),
        }
    }
}

/// The width of a column's numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Byte,
    Word,
    Long,
}

impl SampleFormat {
    /// The names of the columns, in order, and how wide they are.
    fn columns(&self) -> Vec<(String, Width)> {
        let mut columns = vec![("seed".to_owned(), Width::Long)];
        if self.has_opponents {
            columns.push(("opponents".to_owned(), Width::Long));
        }
        columns.push(("decl_id".to_owned(), Width::Byte));
        columns.push(("state".to_owned(), Width::Long));
        let bytes = |names: &mut dyn Iterator<Item = String>| {
            names.map(|name| (name, Width::Byte)).collect::<Vec<_>>()
        };
        let numbered = |letter: char| (0..7).map(move |local| format!("{letter}{local}"));
        columns.extend(bytes(&mut std::iter::once("V".to_owned()).chain(numbered('q'))));
        if self.is_decoded {
            columns.extend((0..4).map(|seat| (format!("hand{seat}"), Width::Word)));
            columns.push(("legal".to_owned(), Width::Word));
            let mut names = vec!["turn", "led_suit", "trump"];
            if self.layout == Layout::Scored {
                names.push("score");
            }
            names.push("best");
            columns.extend(bytes(&mut names.into_iter().map(str::to_owned)));
            columns.extend(bytes(&mut numbered('d').chain(numbered('r'))));
        }
        columns
    }

    fn schema(&self) -> String {
        let fields = self.columns().into_iter().map(|(name, width)| match width {
            Width::Byte => format!("REQUIRED INT32 {name} (INTEGER(8, true));"),
            Width::Word => format!("REQUIRED INT32 {name};"),
            Width::Long => format!("REQUIRED INT64 {name};"),
        });
        format!("message samples {{ {} }}", fields.collect::<Vec<_>>().join(" "))
    }

    /// The numbers of a row, in the order of the columns.
    fn numbers(&self, job: &TableJob, deal: &Deal, row: &Row, out: &mut Vec<i64>) -> Result<(), StateError> {
        out.push(job.seed as i64);
        if self.has_opponents {
            out.push(job.opponents.map_or(-1, |seed| seed as i64));
        }
        out.push(i64::from(job.declaration.number()));
        out.push(row.state);
        out.push(i64::from(row.value));
        out.extend(row.moves.map(i64::from));
        if self.is_decoded {
            self.decode(deal, job.declaration, row, out)?;
        }
        Ok(())
    }

    fn decode(
        &self,
        deal: &Deal,
        declaration: Declaration,
        row: &Row,
        out: &mut Vec<i64>,
    ) -> Result<(), StateError> {
        let (position, score) = Position::unpack(row.state, self.layout)?;
        let turn = position.turn();
        let set = |hand: Hand| hand.iter().fold(0_i64, |set, domino| set | 1 << domino.number());
        out.extend(Seat::ALL.map(|seat| set(deal.held(seat, position.remaining(seat)))));
        let dominoes = deal.hand(turn);
        let moves = || row.moves.iter().zip(dominoes).filter(|(value, _)| **value != NOT_LEGAL);
        out.push(set(moves().map(|(_, &domino)| domino).collect()));
        let led = position.plays().first().map(|&local| {
            let lead: Domino = deal.hand(position.leader())[usize::from(local)];
            declaration.suit_led(lead).index() as i64
        });
        out.push(turn.index() as i64);
        out.push(led.unwrap_or(-1));
        out.push(declaration.trump().map_or(-1, |suit| suit.index() as i64));
        if self.layout == Layout::Scored {
            out.push(i64::from(score));
        }
        let best = moves().find(|(value, _)| **value == row.value);
        out.push(best.map_or(-1, |(_, domino)| i64::from(domino.number())));
        out.extend(dominoes.map(|domino| i64::from(domino.number())));
        // What a move gives away, from the side of the team that makes it.
        let regret = |value: i8| match turn.team() {
            Team::Zero => i64::from(row.value) - i64::from(value),
            Team::One => i64::from(value) - i64::from(row.value),
        };
        out.extend(
            row.moves.map(|value| if value == NOT_LEGAL { i64::from(NOT_LEGAL) } else { regret(value) }),
        );
        Ok(())
    }
}

/// A file of samples that is being written.
pub struct SampleFile<W: Write + Send> {
    format: SampleFormat,
    writer: SerializedFileWriter<W>,
    widths: Vec<Width>,
    columns: Vec<Vec<i64>>,
    rows: u64,
}

impl<W: Write + Send> SampleFile<W> {
    /// Begins a file. The layout and the other entries go into its metadata.
    pub fn new(out: W, format: SampleFormat, metadata: &[(&str, String)]) -> Result<Self, SampleFileError> {
        let entry = |(key, value): (&str, String)| KeyValue::new(key.to_owned(), value);
        let layout = ("layout", format.layout.name().to_owned());
        let entries = std::iter::once(layout).chain(metadata.iter().cloned()).map(entry).collect();
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
            .set_key_value_metadata(Some(entries))
            .build();
        let schema = Arc::new(parse_message_type(&format.schema())?);
        let widths: Vec<Width> = format.columns().into_iter().map(|(_, width)| width).collect();
        let columns = vec![Vec::new(); widths.len()];
        let writer = SerializedFileWriter::new(out, schema, Arc::new(properties))?;
        Ok(Self { format, writer, widths, columns, rows: 0 })
    }

    /// Adds samples of a table.
    pub fn add(&mut self, job: &TableJob, rows: &[Row]) -> Result<(), SampleFileError> {
        let deal = job.deal();
        let mut numbers = Vec::with_capacity(self.columns.len());
        for row in rows {
            numbers.clear();
            self.format.numbers(job, &deal, row, &mut numbers)?;
            for (column, &number) in self.columns.iter_mut().zip(&numbers) {
                column.push(number);
            }
            self.rows += 1;
            if self.columns[0].len() == GROUP {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Writes what is left and the footer; returns how many rows there are.
    pub fn finish(mut self) -> Result<u64, SampleFileError> {
        if !self.columns[0].is_empty() {
            self.flush()?;
        }
        self.writer.close()?;
        Ok(self.rows)
    }

    fn flush(&mut self) -> Result<(), SampleFileError> {
        let mut group = self.writer.next_row_group()?;
        for (column, width) in self.columns.iter_mut().zip(&self.widths) {
            match width {
                Width::Long => write_column::<Int64Type, W>(&mut group, column)?,
                _ => {
                    let narrow: Vec<i32> = column.iter().map(|&number| number as i32).collect();
                    write_column::<Int32Type, W>(&mut group, &narrow)?;
                }
            }
            column.clear();
        }
        group.close()?;
        Ok(())
    }
}

fn write_column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
) -> Result<(), ParquetError> {
    let missing = || ParquetError::General("the schema has fewer columns than a row".to_owned());
    let mut column = group.next_column()?.ok_or_else(missing)?;
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}
