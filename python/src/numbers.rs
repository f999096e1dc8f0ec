//! Numbers that numpy and Arrow read in one place.

use arrow_array::builder::PrimitiveBuilder;
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{Array, ArrayRef, PrimitiveArray};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ops::Range;
use std::sync::Arc;

/// A column of numbers, some of which may be missing: Arrow has these as null, and numpy reads `missing` there.
pub fn column<T: ArrowPrimitiveType>(
    numbers: impl Iterator<Item = Option<T::Native>>,
    missing: T::Native,
) -> PrimitiveArray<T> {
    let (values, are_there): (Vec<_>, Vec<_>) =
        numbers.map(|number| (number.unwrap_or(missing), number.is_some())).unzip();
    let mut builder = PrimitiveBuilder::with_capacity(values.len());
    builder.append_values(&values, &are_there);
    builder.finish()
}

/// The numbers of a column as an array of numpy: the same memory, which cannot be written to.
pub fn vector<'py, T: ArrowPrimitiveType>(
    py: Python<'py>,
    column: &PrimitiveArray<T>,
) -> PyResult<Bound<'py, PyAny>> {
    ArrayInterface::new(column, 0, vec![column.len()], vec![size_of::<T::Native>()]).into_numpy(py)
}

/// Some rows of `count` columns that follow each other, `rows` long each, as an array of numpy with two dimensions: the same memory, which
/// cannot be written to.
pub fn matrix<'py, T: ArrowPrimitiveType>(
    py: Python<'py>,
    columns: &PrimitiveArray<T>,
    count: usize,
    rows: usize,
    of: Range<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let size = size_of::<T::Native>();
    ArrayInterface::new(columns, of.start * size, vec![of.len(), count], vec![size, size * rows])
        .into_numpy(py)
}

/// Numbers in the memory of an Arrow array, as numpy's array interface describes them. The array of numpy that is made of it keeps
/// it, and with it the memory.
#[pyclass(frozen)]
struct ArrayInterface {
    _owner: ArrayRef,
    address: usize,
    type_name: String,
    shape: Vec<usize>,
    strides: Vec<usize>,
}

impl ArrayInterface {
    fn new<T: ArrowPrimitiveType>(
        owner: &PrimitiveArray<T>,
        offset: usize,
        shape: Vec<usize>,
        strides: Vec<usize>,
    ) -> Self {
        let order = if cfg!(target_endian = "big") { '>' } else { '<' };
        let kind = if owner.data_type().is_floating() { 'f' } else { 'i' };
        Self {
            _owner: Arc::new(owner.clone()),
            address: owner.values().as_ptr().addr() + offset,
            type_name: format!("{order}{kind}{}", size_of::<T::Native>()),
            shape,
            strides,
        }
    }

    fn into_numpy(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        py.import("numpy")?.call_method1("asarray", (Bound::new(py, self)?,))
    }
}

#[pymethods]
impl ArrayInterface {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", &self.type_name)?;
        interface.set_item("shape", PyTuple::new(py, &self.shape)?)?;
        interface.set_item("strides", PyTuple::new(py, &self.strides)?)?;
        // Whether it is read-only comes second.
        interface.set_item("data", (self.address, true))?;
        Ok(interface)
    }
}
