//! Files and their names.

use crate::error;
use noregret_report::TableFormat;
use noregret_store::{OutputKind, PartFile, remove_parts};
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
/// unless `force` allows it.
pub fn check(path: &Path, kind: OutputKind, inputs: &[&Path], force: bool) -> PyResult<()> {
    local(path)?;
    if force {
        return Ok(());
    }
    kind.check(path, inputs)
        .map_err(|error| error::kept(path, format!("{error}: {}, or force=True", error.advice())))
}

/// Makes sure that a file could be put there.
pub fn check_writable(path: &Path) -> PyResult<()> {
    let tried = || {
        drop(PartFile::create(path)?);
        // Nothing stays of the trial, even if it could not be removed at once.
        remove_parts(path)
    };
    tried().map_err(|error| error::cannot_write(path, error))
}

/// Refuses a place on another machine: this version reads and writes files alone.
pub fn local(path: &Path) -> PyResult<()> {
    let text = path.to_string_lossy();
    match text.split_once("://").or_else(|| text.split_once(":/")) {
        Some((scheme, _))
            if scheme.len() > 1 && scheme.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()) =>
        {
            Err(error::FileError::new_err(format!(
                "{text}: object storage is not supported by this version: give a file"
            )))
        }
        _ => Ok(()),
    }
}
