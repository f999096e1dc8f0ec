//! Texas 42.

mod batches;
mod deal;
mod drill;
mod expect;
mod samples;
mod table;

use crate::error;
use noregret_dominoes::{Declaration, Layout};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Adds what `noregret.forty_two` has to the native module.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<deal::PyDeal>()?;
    module.add_class::<table::PyTable>()?;
    module.add_class::<samples::PySamples>()?;
    module.add_class::<table::PyPosition>()?;
    module.add_class::<batches::PyTables>()?;
    module.add_class::<batches::PyBatches>()?;
    module.add_class::<batches::PyBatch>()?;
    module.add_class::<drill::PyDominoDrill>()?;
    module.add_class::<drill::PyDominoQuestion>()?;
    module.add_class::<drill::PyDominoGrade>()?;
    module.add_class::<drill::PyDominoMove>()?;
    module.add_class::<expect::PyExpectation>()?;
    module.add_class::<expect::PyMoveExpectation>()?;
    module.add_function(wrap_pyfunction!(table::solve_table, module)?)?;
    module.add_function(wrap_pyfunction!(table::open_table, module)?)?;
    module.add_function(wrap_pyfunction!(expect::expect, module)?)
}

/// The declaration that an argument names: by its name or its number.
fn declaration(value: &Bound<'_, PyAny>) -> PyResult<Declaration> {
    let text = match (value.extract::<String>(), value.extract::<i64>()) {
        (Ok(text), _) => text,
        (_, Ok(number)) => number.to_string(),
        _ => {
            return Err(PyTypeError::new_err("decl: must be a name like \"blanks\" or a number from 0 to 9"));
        }
    };
    text.parse().map_err(|error| error::field("decl", error))
}

fn layout(text: &str) -> PyResult<Layout> {
    text.parse().map_err(|error| error::field("layout", error))
}
