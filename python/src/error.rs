//! What the libraries complain about, as exceptions of Python with the same texts.

use noregret_dominoes::RunError;
use noregret_holdem::{
    BettingTreeError, JobError, LayOutError, OverLimit, ReadError, ResumeError, SpecError as HoldemSpecError,
};
use noregret_store::ArchiveError;
use pyo3::import_exception;
use pyo3::prelude::*;
use std::fmt::Display;
use std::io;
use std::path::Path;

import_exception!(noregret._errors, SpecError);
import_exception!(noregret._errors, LineError);
import_exception!(noregret._errors, FileError);
import_exception!(noregret._errors, MissingFile);
import_exception!(noregret._errors, ContentError);
import_exception!(noregret._errors, DoesNotFit);
import_exception!(noregret._errors, StateError);
import_exception!(noregret._errors, HandError);

/// A spec that is wrong.
pub fn spec(error: &HoldemSpecError) -> PyErr {
    let help = error.help.as_ref().map_or_else(String::new, |help| format!("\n  = help: {help}"));
    spec_with_text(error, format!("{}{help}", error.message))
}

/// A spec that is wrong, with the line of its text, as the command line shows it. `name` is what the text is called.
pub fn spec_in_text(error: &HoldemSpecError, name: &str, text: &str) -> PyErr {
    let shown = error.render(name, text, false);
    spec_with_text(error, shown.strip_prefix("error: ").unwrap_or(&shown).to_owned())
}

fn spec_with_text(error: &HoldemSpecError, text: String) -> PyErr {
    SpecError::new_err((text, error.line, error.field.as_deref().map(str::to_owned), error.help.clone()))
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
        // A text that is no line is none of any file.
        (ReadError::Line(_), Some(path)) => LineError::new_err(format!("{}: {error}", path.display())),
        (ReadError::Text(_) | ReadError::Line(_), _) => LineError::new_err(error.to_string()),
        (ReadError::File(error), Some(path)) => file(path, error),
        (ReadError::File(error), None) => FileError::new_err(error.to_string()),
    }
}

/// A file that the system does not give or take: with its error number and its name, as Python has them.
fn os(message: String, error: &io::Error, path: &Path) -> PyErr {
    let arguments = (message, error.raw_os_error(), path.to_owned());
    if error.kind() == io::ErrorKind::NotFound {
        MissingFile::new_err(arguments)
    } else {
        FileError::new_err(arguments)
    }
}

/// A file that is not what it should be.
pub fn file(path: &Path, error: &ArchiveError) -> PyErr {
    let message = format!("{}: {error}", path.display());
    match error {
        ArchiveError::Io(error) => os(message, error, path),
        ArchiveError::Content(_) => ContentError::new_err((message, None::<i32>, path.to_owned())),
    }
}

/// A file that must not be written over.
pub fn kept(path: &Path, message: String) -> PyErr {
    FileError::new_err((format!("{}: {message}", path.display()), None::<i32>, path.to_owned()))
}

/// A file of Texas 42 that cannot be read or written.
pub fn table_file(error: &RunError) -> PyErr {
    let message = error.to_string();
    match error {
        RunError::Read { path, error } | RunError::Write { path, error } => os(message, error, path),
        _ => FileError::new_err(message),
    }
}

/// A file that is not there.
pub fn missing(message: String, path: &Path) -> PyErr {
    MissingFile::new_err((message, NOT_FOUND, path.to_owned()))
}

/// What systems call a file that is not there.
const NOT_FOUND: i32 = 2;

/// A file that cannot be read. `what` is what messages call it.
pub fn cannot_read(what: &str, path: &Path, error: &io::Error) -> PyErr {
    os(format!("cannot read {what}{}: {error}", path.display()), error, path)
}

/// A file to go on from that cannot be read.
pub fn cannot_read_archive(path: &Path, error: &ArchiveError) -> PyErr {
    match error {
        ArchiveError::Io(error) => cannot_read("", path, error),
        ArchiveError::Content(_) => {
            let message = format!("cannot read {}: {error}", path.display());
            ContentError::new_err((message, None::<i32>, path.to_owned()))
        }
    }
}

/// A file that cannot be written.
pub fn cannot_write(path: &Path, error: io::Error) -> PyErr {
    os(format!("cannot write {}: {error}", path.display()), &error, path)
}

/// A temporary file that cannot be written.
pub fn cannot_write_temporary(error: io::Error) -> PyErr {
    FileError::new_err((format!("cannot write a temporary file: {error}"), error.raw_os_error()))
}

/// A job that cannot be run. `resume` is the file that it was to go on from.
pub fn job(error: &JobError, resumed: Option<&Path>) -> PyErr {
    match error {
        JobError::Memory(error) => memory(error),
        JobError::LayOut(error) => lay_out(error),
        JobError::Resume(error) => resume(error, resumed),
    }
}

/// A spot that takes more memory than allowed.
pub fn memory(error: &OverLimit) -> PyErr {
    DoesNotFit::new_err(error.to_string())
}

/// A spot that cannot be laid out.
pub fn lay_out(error: &LayOutError) -> PyErr {
    match error {
        LayOutError::Tree(BettingTreeError::TooLarge(_)) | LayOutError::OverMemory { .. } => {
            DoesNotFit::new_err(error.to_string())
        }
        error => request(error),
    }
}

/// A file that a solve cannot go on from.
pub fn resume(error: &ResumeError, path: Option<&Path>) -> PyErr {
    match (error, path) {
        (ResumeError::File(error), Some(path)) => cannot_read_archive(path, error),
        (ResumeError::Elsewhere(_), Some(path)) => FileError::new_err((
            format!("{}: {error}. Solve the spot again without `resume`", path.display()),
            None::<i32>,
            path.to_owned(),
        )),
        (error, None) => FileError::new_err(error.to_string()),
    }
}

/// A hand that is not in a range: a `KeyError` whose text has no quotes around it.
pub fn hand_key(error: impl Display) -> PyErr {
    HandError::new_err(error.to_string())
}

/// A position of Texas 42 that is none, or that a table does not have.
pub fn state(error: impl Display) -> PyErr {
    StateError::new_err(error.to_string())
}
