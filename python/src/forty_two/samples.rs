//! Positions that were drawn of a table.

use crate::arrow::{self, NamedColumn};
use crate::numbers::{matrix, vector};
use arrow_array::{Int8Array, Int64Array, RecordBatch};
use noregret_dominoes::{Declaration, Layout, Row};
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

/// What positions were drawn of.
pub struct SampledTable {
    pub seed: Option<u64>,
    pub declaration: Declaration,
    pub layout: Layout,
}

impl SampledTable {
    /// What tables carry along: as row files have it.
    fn metadata(&self) -> HashMap<String, String> {
        let mut metadata = HashMap::from([
            ("noregret_version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
            ("decl_id".to_owned(), self.declaration.number().to_string()),
            ("layout".to_owned(), self.layout.name().to_owned()),
        ]);
        if let Some(seed) = self.seed {
            metadata.insert("seed".to_owned(), seed.to_string());
        }
        metadata
    }
}

impl PySamples {
    /// Rows that were drawn of a table.
    pub fn new(rows: &[Row], of: &SampledTable) -> PyResult<Self> {
        let states = Int64Array::from_iter_values(rows.iter().map(|row| row.state));
        let values = Int8Array::from_iter_values(rows.iter().map(|row| row.value));
        let moves = (0..7).flat_map(|place| rows.iter().map(move |row| row.moves[place]));
        let q = Int8Array::from_iter_values(moves);
        let mut columns = vec![
            NamedColumn::full("state", Arc::new(states.clone())),
            NamedColumn::full("V", Arc::new(values.clone())),
        ];
        for place in 0..7 {
            let column = Arc::new(q.slice(place * rows.len(), rows.len()));
            columns.push(NamedColumn::full(format!("q{place}"), column));
        }
        let table = arrow::record_batch(columns, of.metadata()).map_err(arrow::failed)?;
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

    /// The values after each move, −128 where it is not legal. Its columns are those of the Arrow table, one after the other (Fortran
    /// order): `numpy.ascontiguousarray(samples.q)` has a row's values side by side.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        matrix(py, &self.q, 7, self.states.len(), 0..self.states.len())
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

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.table)
    }

    fn __repr__(&self) -> String {
        format!("<{} samples>", self.states.len())
    }
}
