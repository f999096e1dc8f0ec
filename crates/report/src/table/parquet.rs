//! Apache Parquet, a row group at a time.

use super::cell::{Column, ColumnType, TableCell};
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::io::{self, Write};
use std::sync::Arc;

/// Rows of a row group: what is held in memory at a time.
const GROUP: usize = 1 << 16;

pub struct ParquetSink<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<Column>,
    rows: Vec<Vec<TableCell>>,
}

impl<W: Write + Send> ParquetSink<W> {
    pub fn new(columns: &[Column], metadata: &[(&str, String)], out: W) -> io::Result<Self> {
        let writer = start(columns, metadata, out).map_err(io_error)?;
        Ok(Self { writer, columns: columns.to_vec(), rows: Vec::new() })
    }

    pub fn row(&mut self, cells: Vec<TableCell>) -> io::Result<()> {
        self.rows.push(cells);
        if self.rows.len() == GROUP { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let group = self.writer.next_row_group().map_err(io_error)?;
        write_group(group, &self.columns, &rows).map_err(io_error)
    }

    pub fn finish(mut self) -> io::Result<W> {
        if !self.rows.is_empty() {
            self.flush()?;
        }
        self.writer.into_inner().map_err(io_error)
    }
}

fn start<W: Write + Send>(
    columns: &[Column],
    metadata: &[(&str, String)],
    out: W,
) -> Result<SerializedFileWriter<W>, ParquetError> {
    let field = |column: &Column| {
        let (physical, repetition) = match column.kind {
            ColumnType::Text => (PhysicalType::BYTE_ARRAY, Repetition::REQUIRED),
            ColumnType::Whole => (PhysicalType::INT64, Repetition::REQUIRED),
            ColumnType::Number => (PhysicalType::DOUBLE, Repetition::OPTIONAL),
        };
        let builder = Type::primitive_type_builder(&column.name, physical).with_repetition(repetition);
        let builder = match column.kind {
            ColumnType::Text => {
                builder.with_logical_type(Some(LogicalType::String)).with_converted_type(ConvertedType::UTF8)
            }
            _ => builder,
        };
        builder.build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
    let schema = Arc::new(Type::group_type_builder("rows").with_fields(fields).build()?);
    let entries = metadata.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone()));
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_key_value_metadata(Some(entries.collect()))
        .build();
    SerializedFileWriter::new(out, schema, Arc::new(properties))
}

fn write_group<W: Write + Send>(
    mut group: SerializedRowGroupWriter<'_, W>,
    columns: &[Column],
    rows: &[Vec<TableCell>],
) -> Result<(), ParquetError> {
    for (place, column) in columns.iter().enumerate() {
        let cells = || rows.iter().map(|row| &row[place]);
        match column.kind {
            ColumnType::Text => {
                let text = |cell: &TableCell| match cell {
                    TableCell::Text(text) => ByteArray::from(text.as_str()),
                    _ => ByteArray::from(""),
                };
                write_column::<ByteArrayType, W>(&mut group, &cells().map(text).collect::<Vec<_>>(), None)?;
            }
            ColumnType::Whole => {
                let whole = |cell: &TableCell| match cell {
                    TableCell::Whole(number) => *number,
                    _ => 0,
                };
                write_column::<Int64Type, W>(&mut group, &cells().map(whole).collect::<Vec<_>>(), None)?;
            }
            ColumnType::Number => {
                let there: Vec<i16> = cells().map(|cell| i16::from(cell.number().is_some())).collect();
                let numbers: Vec<f64> = cells().filter_map(TableCell::number).collect();
                write_column::<DoubleType, W>(&mut group, &numbers, Some(&there))?;
            }
        }
    }
    group.close()?;
    Ok(())
}

fn write_column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
    there: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let missing = || ParquetError::General("the schema has fewer columns than a row".to_owned());
    let mut column = group.next_column()?.ok_or_else(missing)?;
    column.typed::<T>().write_batch(values, there, None)?;
    column.close()
}

fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}
