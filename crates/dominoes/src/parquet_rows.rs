//! Rows as a Parquet file, written a row group at a time.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::data_type::{DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use crate::file::Summary;
use crate::position::Layout;
use crate::rows::Row;
use crate::table::Table;

/// Rows of a row group: what is held in memory at a time.
const GROUP: usize = 1 << 17;

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

impl Table {
    /// Writes every row of the table, ascending by state, and returns how many there are. The seed, the declaration's
    /// number and the layout go into the file's metadata.
    pub fn write_rows<W: Write + Send>(
        &self,
        seed: Option<u64>,
        layout: Layout,
        out: W,
    ) -> Result<u64, ParquetError> {
        let schema = Arc::new(parse_message_type(SCHEMA)?);
        let properties = Arc::new(properties(self, seed, layout)?);
        let mut writer = SerializedFileWriter::new(out, schema, properties)?;
        let mut rows = self.rows(layout);
        let mut group: Vec<Row> = Vec::with_capacity(GROUP);
        let mut written = 0;
        loop {
            group.clear();
            group.extend(rows.by_ref().take(GROUP));
            if group.is_empty() {
                break;
            }
            written += group.len() as u64;
            write_group(writer.next_row_group()?, &group)?;
        }
        writer.close()?;
        Ok(written)
    }
}

fn properties(table: &Table, seed: Option<u64>, layout: Layout) -> Result<WriterProperties, ParquetError> {
    let state = ColumnPath::from("state");
    let entry = |key: &str, value: String| KeyValue::new(key.to_owned(), value);
    let mut metadata = vec![
        entry("decl_id", table.declaration().number().to_string()),
        entry("layout", layout.name().to_owned()),
        entry("deal", table.deal().to_string()),
        entry("summary", Summary::of(table).to_text()),
    ];
    metadata.extend(seed.map(|seed| entry("seed", seed.to_string())));
    Ok(WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_column_dictionary_enabled(state.clone(), false)
        .set_column_encoding(state, Encoding::DELTA_BINARY_PACKED)
        .set_key_value_metadata(Some(metadata))
        .build())
}

fn write_group<W: Write + Send>(
    mut group: SerializedRowGroupWriter<'_, W>,
    rows: &[Row],
) -> Result<(), ParquetError> {
    let states: Vec<i64> = rows.iter().map(|row| row.state).collect();
    write_column::<Int64Type, W>(&mut group, &states)?;
    let values: Vec<i32> = rows.iter().map(|row| i32::from(row.value)).collect();
    write_column::<Int32Type, W>(&mut group, &values)?;
    for local in 0..7 {
        let values: Vec<i32> = rows.iter().map(|row| i32::from(row.moves[local])).collect();
        write_column::<Int32Type, W>(&mut group, &values)?;
    }
    group.close()?;
    Ok(())
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
        let written =
            table.write_rows(Some(511), Layout::ToGo, std::fs::File::create(&path).unwrap()).unwrap();
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
