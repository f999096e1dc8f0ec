//! What runs on a cluster need of files: lists, small contents, manifests.

use crate::error;
use crate::place::{check, check_writable, place};
use noregret_dominoes::{Manifest, ManifestEntry, TableJob};
use noregret_holdem::SOLUTION_OUTPUT;
use noregret_store::Shard;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;

/// What a folder has in it: names, whether they are folders, and bytes. One that is not there has nothing.
#[pyfunction]
pub fn list_place(py: Python<'_>, folder: PathBuf) -> PyResult<Vec<(String, bool, u64)>> {
    place(&folder)?;
    match py.detach(|| noregret_store::list(&folder)) {
        Ok(files) => Ok(files.into_iter().map(|file| (file.name, file.is_directory, file.bytes)).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error::cannot_read("", &folder, &error)),
    }
}

/// The content of a file or an object.
#[pyfunction]
pub fn read_place(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyBytes>> {
    place(&path)?;
    let bytes = py.detach(|| noregret_store::read(&path));
    bytes.map(|bytes| PyBytes::new(py, &bytes)).map_err(|error| error::cannot_read("", &path, &error))
}

/// Writes a file or an object, whole or not at all.
#[pyfunction]
pub fn write_place(py: Python<'_>, path: PathBuf, content: &[u8]) -> PyResult<()> {
    place(&path)?;
    let written = py.detach(|| noregret_store::write_whole(&path, content));
    written.map_err(|error| error::cannot_write(&path, error))
}

/// Writes a file or an object unless there is one, and says whether it did: of several who do so at once, one does.
#[pyfunction]
pub fn create_place(py: Python<'_>, path: PathBuf, content: &[u8]) -> PyResult<bool> {
    place(&path)?;
    let created = py.detach(|| match noregret_store::create_whole(&path, content) {
        // The answer of a store may have been lost, and the object have been written.
        Ok(false) => noregret_store::read(&path).map(|there| there == content),
        created => created,
    });
    created.map_err(|error| error::cannot_write(&path, error))
}

/// Removes what killed processes left behind in a folder of a file of this name, and of files whose names go on with a dot after it.
#[pyfunction]
pub fn remove_left_overs(py: Python<'_>, folder: PathBuf, name: &str) -> PyResult<()> {
    place(&folder)?;
    let is_ours =
        |found: &str| found.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let removed = py.detach(|| noregret_store::remove_left_overs(&folder, is_ours));
    removed.map_err(|error| error::cannot_write(&folder, error))
}

/// Makes sure that a file could be put somewhere.
#[pyfunction]
pub fn check_writable_place(py: Python<'_>, path: PathBuf) -> PyResult<()> {
    place(&path)?;
    check_writable(py, &path)
}

/// Refuses to write a solution over what is none, and where it cannot be written.
#[pyfunction]
#[pyo3(signature = (path, force=false))]
pub fn check_solution_place(py: Python<'_>, path: PathBuf, force: bool) -> PyResult<()> {
    check(py, &path, SOLUTION_OUTPUT, &[], force)?;
    check_writable(py, &path)
}

/// Adds a run and its files, each with its length and digest, to the manifest of a folder of Texas 42 files.
#[pyfunction]
pub fn save_manifest(
    py: Python<'_>,
    folder: PathBuf,
    run: &str,
    files: Vec<(String, u64, String)>,
) -> PyResult<()> {
    place(&folder)?;
    let path = folder.join(Manifest::name(&Shard::WHOLE));
    let mut entries = Vec::with_capacity(files.len());
    for (name, bytes, digest) in files {
        let entry = TableJob::from_file_name(&name).zip(digest.parse().ok());
        let (file, digest) =
            entry.ok_or_else(|| error::field("files", format!("`{name}` is no such file")))?;
        entries.push(ManifestEntry { file, bytes, digest });
    }
    py.detach(|| {
        noregret_store::make_directories(&folder).map_err(|error| error::cannot_write(&folder, error))?;
        let mut manifest =
            Manifest::load(&path).map_err(|error| error::FileError::new_err(error.to_string()))?;
        manifest.add_run(run);
        manifest.extend(entries);
        manifest.save(&path).map_err(|error| error::cannot_write(&path, error))
    })
}
