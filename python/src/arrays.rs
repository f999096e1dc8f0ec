//! Numbers from Python: numpy arrays, Arrow arrays, lists.

use crate::error;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, PrimitiveArray, make_array};
use arrow_data::ArrayData;
use arrow_pyarrow::FromPyArrow;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The numbers of an argument, as float64.
pub fn floats(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<f64>> {
    let array = as_numpy(value, "float64").map_err(|error| not_numbers(value, name, &error))?;
    let array = array.cast::<PyArray1<f64>>().map_err(|_| one_dimension(name))?;
    Ok(array.try_readonly().map_err(|_| written_to(name))?.as_array().to_vec())
}

/// Packed states from Python: a numpy array as it is, an Arrow array as it is, or anything that numpy makes one of.
pub enum States<'py> {
    /// Of numpy.
    Numpy(PyReadonlyArray1<'py, i64>),
    /// Of Arrow.
    Arrow(PrimitiveArray<Int64Type>),
}

impl<'py> States<'py> {
    /// The states of an argument. Arrays of int64 are not copied.
    pub fn new(value: &Bound<'py, PyAny>) -> PyResult<Self> {
        if value.hasattr("__arrow_c_array__")? {
            let data = make_array(ArrayData::from_pyarrow_bound(value)?);
            let states = data.as_primitive_opt::<Int64Type>();
            let states = states.ok_or_else(|| wrong_type(&data.data_type().to_string()))?;
            if states.null_count() > 0 {
                return Err(PyValueError::new_err("states: an entry is null"));
            }
            return Ok(Self::Arrow(states.clone()));
        }
        let array = match value.cast::<PyUntypedArray>() {
            Ok(array) => array.clone(),
            Err(_) => {
                let made = as_numpy(value, "")?;
                // A list of whole numbers is int32 to an older numpy on Windows; other numbers are refused below.
                let is_whole = made.getattr("dtype")?.getattr("kind")?.extract::<String>()? == "i";
                let made = if is_whole { as_numpy(&made, "int64")? } else { made };
                made.cast_into::<PyUntypedArray>()?
            }
        };
        if array.ndim() != 1 {
            return Err(one_dimension("states"));
        }
        // What numpy makes of an empty list has no whole numbers, and needs none.
        let array = if array.len() == 0 { as_numpy(array.as_any(), "int64")? } else { array.into_any() };
        let states = array.cast::<PyArray1<i64>>().map_err(|_| {
            let dtype =
                array.getattr("dtype").map_or_else(|_| "another type".to_owned(), |dtype| dtype.to_string());
            wrong_type(&dtype)
        })?;
        let states = states.try_readonly().map_err(|_| written_to("states"))?;
        if states.as_slice().is_ok() {
            return Ok(Self::Numpy(states));
        }
        let copy = states.as_array().to_vec();
        Ok(Self::Arrow(copy.into()))
    }

    /// The states, one after the other.
    pub fn as_slice(&self) -> &[i64] {
        match self {
            // It was made of one that is contiguous.
            Self::Numpy(states) => states.as_slice().unwrap_or_default(),
            Self::Arrow(states) => states.values(),
        }
    }
}

fn as_numpy<'py>(value: &Bound<'py, PyAny>, dtype: &str) -> PyResult<Bound<'py, PyAny>> {
    let kwargs = PyDict::new(value.py());
    if !dtype.is_empty() {
        kwargs.set_item("dtype", dtype)?;
    }
    value.py().import("numpy")?.call_method("asarray", (value,), Some(&kwargs))
}

fn not_numbers(value: &Bound<'_, PyAny>, name: &str, error: &PyErr) -> PyErr {
    let kind = value.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{name}: {kind} is not an array of numbers: {}", error.value(value.py())))
}

fn one_dimension(name: &str) -> PyErr {
    error::field(name, "must be an array of one dimension")
}

/// Another thread has lent the array to Rust to write to.
fn written_to(name: &str) -> PyErr {
    PyValueError::new_err(format!("{name}: another call writes to this array: wait for it, or give a copy"))
}

fn wrong_type(found: &str) -> PyErr {
    PyTypeError::new_err(format!("states: must be int64, not {found}"))
}
