//! Solution files as commands read them.

use crate::failure::Failure;
use noregret_holdem::{MemoryLimit, ReadError, SolutionFile};
use noregret_store::ArchiveError;
use std::io::ErrorKind;
use std::path::Path;

/// Opens a solution file, to take no more memory than there is. One that is not there is a wrong request, one that is not
/// whole a failed job.
pub fn open(path: &Path) -> Result<SolutionFile, Failure> {
    SolutionFile::open_within(path, MemoryLimit::of_machine()).map_err(|error| match &error {
        ArchiveError::Io(missing) if missing.kind() == ErrorKind::NotFound => Failure::request(format!(
            "there is no solution file {}: `noregret solve SPEC --out FILE.nrs` makes one",
            path.display()
        )),
        _ => Failure::job(format!("{}: {error}", path.display())),
    })
}

/// A line that is not there is a wrong request, a file that cannot be read a failed job.
pub fn failure(path: &Path, error: &ReadError) -> Failure {
    match error {
        ReadError::Text(_) => Failure::request(format!("{}: {error}", path.display())),
        ReadError::Line(_) => Failure::request(format!("{}: {error}", path.display())),
        ReadError::File(_) => Failure::job(format!("{}: {error}", path.display())),
    }
}
