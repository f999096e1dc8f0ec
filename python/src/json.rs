//! What programs read as JSON, for Python.

use pyo3::prelude::*;
use serde::Serialize;

/// What programs read as JSON, as dicts and lists.
pub fn document<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(crate::error::request)?;
    py.import("json")?.call_method1("loads", (text,))
}

/// The word by which JSON has something.
pub fn word(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().map_or_else(String::new, str::to_owned)
}
