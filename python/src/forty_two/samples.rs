//! Positions that were drawn of a table.

use crate::arrow;
use crate::numbers::{matrix, vector};
use arrow_array::{ArrayRef, Int8Array, Int64Array, RecordBatch};
use noregret_dominoes::Row;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::collections::HashMap;
use std::sync::Arc;

/// Positions with the values of their moves: `states` (int64), `values` (int8) and `q` (int8, n × 7). It unpacks into states and q,
/// and whoever reads Arrow reads it as rows: `state`, `V`, `q0` … `q6`. Arrays are views of the same memory and cannot be written to.
///
/// >>> from noregret import forty_two
/// >>> samples = forty_two.solve(seed=0, decl="blanks").sample(1000, seed=1)
/// >>> len(samples), samples.q.shape
/// (1000, (1000, 7))
/// >>> states, q = samples
#[pyclass(name = "Samples", module = "noregret.forty_two", frozen)]
pub struct PySamples {
    states: Int64Array,
    values: Int8Array,
    /// Move by move.
    q: Int8Array,
    table: RecordBatch,
}

impl PySamples {
    /// Rows that were drawn.
    pub fn new(rows: &[Row]) -> PyResult<Self> {
        let states = Int64Array::from_iter_values(rows.iter().map(|row| row.state));
        let values = Int8Array::from_iter_values(rows.iter().map(|row| row.value));
        let moves = (0..7).flat_map(|place| rows.iter().map(move |row| row.moves[place]));
        let q = Int8Array::from_iter_values(moves);
        let mut columns: Vec<(String, ArrayRef)> =
            vec![("state".to_owned(), Arc::new(states.clone())), ("V".to_owned(), Arc::new(values.clone()))];
        for place in 0..7 {
            columns.push((format!("q{place}"), Arc::new(q.slice(place * rows.len(), rows.len()))));
        }
        let metadata = HashMap::from([("noregret_version".to_owned(), env!("CARGO_PKG_VERSION").to_owned())]);
        let table = arrow::record_batch(columns, metadata).map_err(arrow::failed)?;
        Ok(Self { states, values, q, table })
    }
}

#[pymethods]
impl PySamples {
    /// The packed states.
    #[getter]
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        vector(py, &self.states)
    }

    /// Their values under best play.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        vector(py, &self.values)
    }

    /// The values after each move, −128 where it is not legal.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        matrix(py, &self.q, self.states.len(), 0..self.states.len())
    }

    fn __len__(&self) -> usize {
        self.states.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyTuple::new(py, [self.states(py)?, self.q(py)?])?.into_any().try_iter()?.into_any())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::stream(py, &self.table, requested_schema)
    }

    fn __repr__(&self) -> String {
        format!("<{} samples>", self.states.len())
    }
}
