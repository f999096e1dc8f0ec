//! Rows in the formats that other programs read: CSV, lines of JSON, Parquet. Written as they come; no more than a
//! group of them is in memory.

mod cell;
mod csv;
mod json;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(feature = "parquet"))]
#[path = "table/no_parquet.rs"]
mod parquet;

pub use cell::{Column, ColumnType, TableCell};
use noregret_store::OutputKind;
use std::io::{self, Write};

/// What rows are written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableFormat {
    /// Comma-separated values with a heading; what is missing is empty.
    Csv,
    /// An object a line; what is missing is null.
    Json,
    /// Apache Parquet.
    Parquet,
}

impl TableFormat {
    /// Files of it, for knowing what they may be written over.
    pub fn output_kind(self) -> OutputKind {
        let (name, endings, beginnings): (_, &'static [_], &'static [&'static [u8]]) = match self {
            Self::Parquet => ("a Parquet file", &["parquet"], &[b"PAR1"]),
            // The first column of an export, and that of a report.
            Self::Csv => ("a CSV file of noregret", &["csv"], &[b"line,board,", b"file,variant,"]),
            Self::Json => {
                ("a JSON file of noregret", &["json", "jsonl", "ndjson"], &[b"{\"line\":", b"{\"file\":"])
            }
        };
        OutputKind { name, endings, beginnings }
    }
}

/// Rows on their way to a file.
pub struct TableWriter<W: Write + Send> {
    sink: Sink<W>,
    columns: Vec<Column>,
    rows: u64,
}

enum Sink<W: Write + Send> {
    Csv(W),
    Json(W),
    Parquet(Box<parquet::ParquetSink<W>>),
}

impl<W: Write + Send> TableWriter<W> {
    /// Starts a table; `metadata` goes into a Parquet file.
    pub fn new(
        format: TableFormat,
        columns: Vec<Column>,
        metadata: &[(&str, String)],
        mut out: W,
    ) -> io::Result<Self> {
        let sink = match format {
            TableFormat::Csv => {
                csv::write_heading(&mut out, &columns)?;
                Sink::Csv(out)
            }
            TableFormat::Json => Sink::Json(out),
            TableFormat::Parquet => {
                Sink::Parquet(Box::new(parquet::ParquetSink::new(&columns, metadata, out)?))
            }
        };
        Ok(Self { sink, columns, rows: 0 })
    }

    /// Adds a row: a cell for each column, in order.
    pub fn row(&mut self, cells: Vec<TableCell>) -> io::Result<()> {
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows += 1;
        match &mut self.sink {
            Sink::Csv(out) => csv::write_row(out, &cells),
            Sink::Json(out) => json::write_row(out, &self.columns, &cells),
            Sink::Parquet(sink) => sink.row(cells),
        }
    }

    /// Ends the table; returns what it was written to, and how many rows there are.
    pub fn finish(self) -> io::Result<(W, u64)> {
        let out = match self.sink {
            Sink::Csv(mut out) | Sink::Json(mut out) => {
                out.flush()?;
                out
            }
            Sink::Parquet(sink) => sink.finish()?,
        };
        Ok((out, self.rows))
    }
}

#[cfg(all(test, feature = "parquet"))]
mod tests {
    use super::*;
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::RowAccessor;
    use proptest::prelude::*;

    fn columns() -> Vec<Column> {
        vec![
            Column::new("line", ColumnType::Text),
            Column::new("runouts", ColumnType::Whole),
            Column::new("ev", ColumnType::Number),
        ]
    }

    fn write(format: TableFormat, rows: &[(String, i64, Option<f64>)]) -> Vec<u8> {
        let metadata = [("spot", "QsJh2h".to_owned())];
        let mut table = TableWriter::new(format, columns(), &metadata, Vec::new()).unwrap();
        for (text, whole, number) in rows {
            table
                .row(vec![
                    TableCell::Text(text.clone()),
                    TableCell::Whole(*whole),
                    TableCell::Number(*number),
                ])
                .unwrap();
        }
        let (bytes, count) = table.finish().unwrap();
        assert_eq!(count, rows.len() as u64);
        bytes
    }

    #[test]
    fn csv_quotes_what_has_commas_and_leaves_out_what_is_missing() {
        let rows = [("check, bet 94".to_owned(), 3, Some(0.5)), ("say \"x\"".to_owned(), -1, None)];
        let text = String::from_utf8(write(TableFormat::Csv, &rows)).unwrap();
        assert_eq!(text, "line,runouts,ev\n\"check, bet 94\",3,0.5\n\"say \"\"x\"\"\",-1,\n");
    }

    #[test]
    fn json_is_an_object_a_line() {
        let rows = [("check".to_owned(), 3, Some(0.5)), ("\n".to_owned(), 0, Some(f64::NAN))];
        let text = String::from_utf8(write(TableFormat::Json, &rows)).unwrap();
        assert_eq!(
            text,
            "{\"line\":\"check\",\"runouts\":3,\"ev\":0.5}\n{\"line\":\"\\n\",\"runouts\":0,\"ev\":null}\n"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn parquet_reads_back(rows in prop::collection::vec((".{0,9}", any::<i64>(), prop::option::of(-1e9f64..1e9)), 0..300)) {
            let reader = SerializedFileReader::new(bytes::Bytes::from(write(TableFormat::Parquet, &rows))).unwrap();
            let metadata = reader.metadata().file_metadata().key_value_metadata().unwrap();
            prop_assert!(metadata.iter().any(|entry| entry.key == "spot" && entry.value.as_deref() == Some("QsJh2h")));
            let read: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
            prop_assert_eq!(read.len(), rows.len());
            for (row, (text, whole, number)) in read.iter().zip(&rows) {
                prop_assert_eq!(row.get_string(0).unwrap(), text);
                prop_assert_eq!(row.get_long(1).unwrap(), *whole);
                prop_assert_eq!(row.get_double(2).ok(), *number);
            }
        }
    }
}
