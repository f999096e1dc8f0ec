//! Solutions that were deleted and can be taken back.

use crate::api::solutions::TrashedSolution;
use crate::failure::ApiFailure;
use crate::library::{Found, Id, Library};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// The folder of the library for what was deleted.
const FOLDER: &str = ".trash";
/// The ending of solution files.
const ENDING: &str = ".nrs";
/// How long something can be taken back after the next start of a server.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);

/// What was deleted: each file under its id with `%2F` for slashes. Where an id was deleted before, the older file gets a number.
pub struct Trash {
    library: Arc<Library>,
}

impl Trash {
    /// The trash of a library; what is older than a week goes for good.
    pub fn open(library: Arc<Library>) -> Self {
        let trash = Self { library };
        // Now, so that solutions can be deleted when the disk is full. Where it cannot be made, a deletion says why.
        let _ = noregret_store::make_directories(&trash.folder());
        for (id, metadata) in trash.entries() {
            let age = metadata.modified().ok().and_then(|then| SystemTime::now().duration_since(then).ok());
            if age.is_some_and(|age| age > KEPT) {
                // What cannot be removed now is tried again at the next start.
                let _ = noregret_store::remove(&trash.place(&id));
            }
        }
        trash
    }

    fn folder(&self) -> PathBuf {
        self.library.own(FOLDER)
    }

    fn place(&self, id: &Id) -> PathBuf {
        // An id has no percent sign.
        self.folder().join(format!("{}{ENDING}", id.as_str().replace('/', "%2F")))
    }

    fn entries(&self) -> Vec<(Id, fs::Metadata)> {
        let read = |entry: fs::DirEntry| {
            let name = entry.file_name().to_str()?.strip_suffix(ENDING)?.replace("%2F", "/");
            Some((Id::new(&name).ok()?, entry.metadata().ok().filter(fs::Metadata::is_file)?))
        };
        fs::read_dir(self.folder()).into_iter().flatten().flatten().filter_map(read).collect()
    }

    /// Deletes a solution; it can be taken back, under its id. Says what the one is called now that had this id before.
    pub fn put(&self, found: &Found) -> Result<Option<Id>, ApiFailure> {
        noregret_store::make_directories(&self.folder()).map_err(ApiFailure::cannot_delete)?;
        let place = self.place(&found.id);
        let older = if place.exists() { self.free(&found.id) } else { None };
        if let Some(older) = &older {
            noregret_store::rename(&place, &self.place(older)).map_err(ApiFailure::cannot_delete)?;
        }
        noregret_store::rename(&found.path, &place).map_err(ApiFailure::cannot_delete)?;
        // It is as old as its deletion, for whoever clears up.
        let _ = fs::File::options()
            .write(true)
            .open(&place)
            .and_then(|file| file.set_modified(SystemTime::now()));
        Ok(older)
    }

    /// An id with a number that nothing here has.
    fn free(&self, id: &Id) -> Option<Id> {
        let numbered = |number: u32| Id::new(&format!("{}-{number}", id.as_str())).ok();
        (2..10_000).filter_map(numbered).find(|id| !self.place(id).exists())
    }

    /// Takes a solution back, under another name if its own is taken by now.
    pub fn take_back(&self, id: &str) -> Result<Found, ApiFailure> {
        let missing =
            || ApiFailure::missing(format!("`{}` is not among what was deleted", crate::library::shown(id)));
        let id =
            Id::new(id).map_err(|error| ApiFailure::request(format!("the id of the solution: {error}")))?;
        let from = self.place(&id);
        if !from.is_file() {
            return Err(missing());
        }
        let place = self.library.reserve(&id).map_err(ApiFailure::cannot_write)?;
        moved(&from, &place.path)?;
        self.library.solution(place.id.as_str())
    }

    /// What can be taken back, the last deleted first.
    pub fn list(&self) -> Vec<TrashedSolution> {
        let mut entries = self.entries();
        let when = |metadata: &fs::Metadata| metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        entries.sort_by_key(|(_, metadata)| std::cmp::Reverse(when(metadata)));
        let told = |(id, metadata): (Id, fs::Metadata)| TrashedSolution {
            id: id.as_str().to_owned(),
            bytes: metadata.len(),
            deleted: humantime::format_rfc3339_millis(when(&metadata)).to_string(),
        };
        entries.into_iter().map(told).collect()
    }

    /// Deletes all of it for good.
    pub fn empty(&self) -> Result<(), ApiFailure> {
        let remove = |(id, _): &(Id, _)| noregret_store::remove(&self.place(id));
        self.entries().iter().try_for_each(remove).map_err(ApiFailure::cannot_delete)
    }
}

/// Moves a file to a place that is free.
pub fn moved(from: &Path, to: &Path) -> Result<(), ApiFailure> {
    noregret_store::rename(from, to).map_err(ApiFailure::cannot_write)
}
