//! The argument `ranges` of what reads hands.

use crate::error;
use crate::place::place;
use crate::range::range;
use noregret_holdem::Spec;
use noregret_holdem::preflop::{OwnRanges, RangeName};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyMapping;
use std::path::{Path, PathBuf};

/// Ranges in the place of those of the charts: none, a mapping from names to ranges, or a TOML file with them.
pub fn own_ranges(value: Option<&Bound<'_, PyAny>>) -> PyResult<OwnRanges> {
    let Some(value) = value else { return Ok(OwnRanges::default()) };
    if let Ok(mapping) = value.cast::<PyMapping>() {
        return of_mapping(mapping);
    }
    let path: PathBuf = value.extract().map_err(|_| {
        PyTypeError::new_err("ranges: must be a mapping from names to ranges, or a TOML file")
    })?;
    place(&path)?;
    value.py().detach(|| of_file(&path))
}

fn of_mapping(mapping: &Bound<'_, PyMapping>) -> PyResult<OwnRanges> {
    let mut own = OwnRanges::default();
    for item in mapping.items()? {
        let (key, hands): (String, Bound<'_, PyAny>) = item.extract()?;
        let name: RangeName = key.parse().map_err(|wrong| error::field("ranges", wrong))?;
        if own.get(name).is_some() {
            return Err(error::field("ranges", format!("`{name}` is there twice")));
        }
        let field = format!("ranges.{name}");
        own.set(name, range(&hands, &field)?).map_err(|wrong| error::field(&field, wrong))?;
    }
    Ok(own)
}

fn of_file(path: &Path) -> PyResult<OwnRanges> {
    let bytes =
        noregret_store::read(path).map_err(|error| error::cannot_read("the ranges ", path, &error))?;
    OwnRanges::from_bytes(&bytes).map_err(|error| {
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(Spec::MAX_BYTES)]);
        error::spec_in_text(&error, &path.display().to_string(), &text)
    })
}
