//! Tables for whoever reads Arrow, through the PyCapsule interface.

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray};
use arrow_schema::{ArrowError, Field, Schema};
use noregret_report::{Column, ColumnType, TableCell};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::collections::HashMap;
use std::sync::Arc;

/// The name that the interface gives to the capsule of a stream.
const STREAM: &std::ffi::CStr = c"arrow_array_stream";

/// A column with its name.
pub struct NamedColumn {
    name: String,
    array: ArrayRef,
    has_gaps: bool,
}

impl NamedColumn {
    /// A column with a value in every row.
    pub fn full(name: impl Into<String>, array: ArrayRef) -> Self {
        Self { name: name.into(), array, has_gaps: false }
    }

    /// A column that some rows may have no value in.
    pub fn with_gaps(name: impl Into<String>, array: ArrayRef) -> Self {
        Self { name: name.into(), array, has_gaps: true }
    }
}

/// Columns of equal length, and what is to be known about all of them.
pub fn record_batch(
    columns: Vec<NamedColumn>,
    metadata: HashMap<String, String>,
) -> Result<RecordBatch, ArrowError> {
    let field =
        |column: &NamedColumn| Field::new(&column.name, column.array.data_type().clone(), column.has_gaps);
    let schema = Schema::new_with_metadata(columns.iter().map(field).collect::<Vec<_>>(), metadata);
    RecordBatch::try_new(Arc::new(schema), columns.into_iter().map(|column| column.array).collect())
}

/// A table of the reports.
pub fn of_table(
    columns: &[Column],
    rows: &[Vec<TableCell>],
    metadata: HashMap<String, String>,
) -> Result<RecordBatch, ArrowError> {
    let column = |(c, column): (usize, &Column)| {
        let cells = rows.iter().map(|row| &row[c]);
        let array: ArrayRef = match column.kind {
            ColumnType::Text => Arc::new(cells.map(text).collect::<StringArray>()),
            ColumnType::Whole => Arc::new(cells.map(whole).collect::<Int64Array>()),
            ColumnType::Number => Arc::new(cells.map(TableCell::number).collect::<Float64Array>()),
        };
        NamedColumn::with_gaps(column.name.to_string(), array)
    };
    record_batch(columns.iter().enumerate().map(column).collect(), metadata)
}

fn text(cell: &TableCell) -> Option<&str> {
    match cell {
        TableCell::Text(text) => Some(text),
        _ => None,
    }
}

fn whole(cell: &TableCell) -> Option<i64> {
    match cell {
        TableCell::Whole(number) => Some(*number),
        _ => None,
    }
}

/// The batch as a stream of one: its buffers are shared, not copied. The interface lets a producer take the schema that is asked for as
/// a wish, and this one has a single form.
pub fn stream<'py>(
    py: Python<'py>,
    batch: &RecordBatch,
    _requested_schema: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), STREAM)
}

/// An Arrow schema as a capsule, for those who ask before they read.
pub fn schema<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = arrow_schema::ffi::FFI_ArrowSchema::try_from(batch.schema().as_ref()).map_err(failed)?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

/// What cannot happen with columns of equal length.
pub fn failed(error: ArrowError) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// A column of texts.
pub fn texts<T: AsRef<str>>(values: impl Iterator<Item = T>) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(values))
}

/// A column of numbers.
pub fn numbers(values: impl Iterator<Item = f64>) -> ArrayRef {
    Arc::new(Float64Array::from_iter_values(values))
}
