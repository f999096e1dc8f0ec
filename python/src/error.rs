//! What the libraries complain about, as exceptions of Python with the same texts.

use noregret_holdem::{
    BettingTreeError, JobError, LayOutError, ReadError, ResumeError, SpecError as HoldemSpecError,
};
use pyo3::import_exception;
use pyo3::prelude::*;
use std::fmt::Display;
use std::path::Path;

import_exception!(noregret._errors, SpecError);
import_exception!(noregret._errors, LineError);
import_exception!(noregret._errors, FileError);
import_exception!(noregret._errors, DoesNotFit);
import_exception!(noregret._errors, StateError);

/// A spec that is wrong.
pub fn spec(error: &HoldemSpecError) -> PyErr {
    SpecError::new_err((
        error.message.clone(),
        error.line,
        error.field.as_deref().map(str::to_owned),
        error.help.clone(),
    ))
}

/// A value of a spot or of a solve that is wrong, by the name of its field.
pub fn field(name: &str, message: impl Display) -> PyErr {
    SpecError::new_err((format!("{name}: {message}"), None::<u32>, name.to_owned()))
}

/// A question that has no answer, without a field to blame.
pub fn request(message: impl Display) -> PyErr {
    SpecError::new_err(message.to_string())
}

/// A line that leads nowhere, or a file that cannot be read.
pub fn read(error: &ReadError, path: Option<&Path>) -> PyErr {
    match (error, path) {
        (ReadError::Text(_) | ReadError::Line(_), _) => LineError::new_err(error.to_string()),
        (ReadError::File(error), Some(path)) => file(path, error),
        (ReadError::File(error), None) => FileError::new_err(error.to_string()),
    }
}

/// A file that is not what it should be.
pub fn file(path: &Path, error: impl Display) -> PyErr {
    FileError::new_err(format!("{}: {error}", path.display()))
}

/// A file that cannot be written.
pub fn cannot_write(path: &Path, error: impl Display) -> PyErr {
    FileError::new_err(format!("cannot write {}: {error}", path.display()))
}

/// A job that cannot be run.
pub fn job(error: &JobError) -> PyErr {
    match error {
        JobError::Memory(_) => DoesNotFit::new_err(error.to_string()),
        JobError::LayOut(
            LayOutError::Tree(BettingTreeError::TooLarge(_)) | LayOutError::OverMemory { .. },
        ) => DoesNotFit::new_err(error.to_string()),
        JobError::LayOut(error) => request(error),
        JobError::Resume(error) => resume(error),
    }
}

/// A file that a solve cannot go on from.
pub fn resume(error: &ResumeError) -> PyErr {
    FileError::new_err(error.to_string())
}

/// A position of Texas 42 that is none, or that a table does not have.
pub fn state(error: impl Display) -> PyErr {
    StateError::new_err(error.to_string())
}
