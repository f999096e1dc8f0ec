//! Files and their names.

use crate::error;
use noregret_report::TableFormat;
use noregret_store::{OutputKind, Place, remove_parts};
use pyo3::prelude::*;
use std::path::Path;

/// What a table is written as, by the ending of its path.
pub fn table_format(path: &Path) -> Option<TableFormat> {
    match path.extension()?.to_string_lossy().to_ascii_lowercase().as_str() {
        "csv" => Some(TableFormat::Csv),
        "json" | "jsonl" => Some(TableFormat::Json),
        "parquet" => Some(TableFormat::Parquet),
        _ => None,
    }
}

/// Refuses to write over what is not a file of the kind to be written, or what is being read, and names with another ending,
/// unless `force` allows it. What killed programs have left beside it is cleared. Other threads of Python go on while a store is asked.
pub fn check(py: Python<'_>, path: &Path, kind: OutputKind, inputs: &[&Path], force: bool) -> PyResult<()> {
    place(path)?;
    if !force {
        py.detach(|| kind.check(path, inputs))
            .map_err(|error| error::kept(path, format!("{error}: {}, or force=True", error.advice())))?;
    }
    clear_parts(py, path);
    Ok(())
}

/// Clears what killed programs have left of a file. Where it cannot be, whoever tries to write says why.
pub fn clear_parts(py: Python<'_>, path: &Path) {
    py.detach(|| drop(remove_parts(path)));
}

/// Makes sure that a file could be put there.
pub fn check_writable(py: Python<'_>, path: &Path) -> PyResult<()> {
    py.detach(|| noregret_store::check_writable(path)).map_err(|error| error::cannot_write(path, error))
}

/// Refuses what names neither a file nor an object.
pub fn place(path: &Path) -> PyResult<Place> {
    Place::of(path).map_err(|error| error::FileError::new_err(format!("{}: {error}", path.display())))
}
