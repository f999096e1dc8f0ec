//! Solutions that were deleted and can be taken back.

use crate::api::solutions::{TrashKind, TrashedItem};
use crate::failure::ApiFailure;
use crate::library::{ENDING, Found, Id, Library, Reserved, flat};
use noregret_store::ListedFile;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// The folder beside the solutions for those that were deleted. In a bucket it is there too: a store moves what it has, and nothing
/// has to come to this machine.
pub const FOLDER: &str = ".trash";
/// How long something can be taken back after the next start of a server.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);

/// Whether something was deleted so long ago that it goes for good.
pub fn is_old(deleted: SystemTime) -> bool {
    SystemTime::now().duration_since(deleted).is_ok_and(|age| age > KEPT)
}

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
        // What cannot be listed is somebody's who may not look, or asks again later.
        for (id, file) in trash.entries().unwrap_or_default() {
            if is_old(file.modified) {
                // What cannot be removed now is tried again at the next start.
                let _ = noregret_store::remove(&trash.place(&id));
            }
        }
        trash
    }

    fn folder(&self) -> PathBuf {
        self.library.place().join(FOLDER)
    }

    fn place(&self, id: &Id) -> PathBuf {
        self.folder().join(format!("{}{ENDING}", flat(id.as_str())))
    }

    fn entries(&self) -> io::Result<Vec<(Id, ListedFile)>> {
        let files = match noregret_store::list(&self.folder()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            listed => listed?,
        };
        let read = |file: ListedFile| {
            let name = file.name.strip_suffix(ENDING)?.replace("%2F", "/");
            Some((Id::new(&name).ok()?, file))
        };
        Ok(files.into_iter().filter(|file| !file.is_directory).filter_map(read).collect())
    }

    /// Deletes a solution; it can be taken back, under its id. Says what the one is called now that had this id before.
    pub fn put(&self, found: &Found) -> Result<Option<Id>, ApiFailure> {
        noregret_store::make_directories(&self.folder()).map_err(ApiFailure::cannot_delete)?;
        let place = self.place(&found.id);
        let older = if noregret_store::exists(&place) { self.free(&found.id) } else { None };
        if let Some(older) = &older {
            noregret_store::rename(&place, &self.place(older)).map_err(ApiFailure::cannot_delete)?;
        }
        let moved = noregret_store::rename(&found.path, &place);
        self.library.changed(&found.id);
        moved.map_err(ApiFailure::cannot_delete)?;
        // It is as old as its deletion, for whoever clears up. An object is as old as this copy of it.
        let _ = fs::File::options()
            .write(true)
            .open(&place)
            .and_then(|file| file.set_modified(SystemTime::now()));
        Ok(older)
    }

    /// An id with a number that nothing here has.
    fn free(&self, id: &Id) -> Option<Id> {
        let numbered = |number: u32| Id::new(&format!("{}-{number}", id.as_str())).ok();
        (2..10_000).filter_map(numbered).find(|id| !noregret_store::exists(&self.place(id)))
    }

    /// Takes a solution back, under another name if its own is taken by now.
    pub fn take_back(&self, id: &str) -> Result<Found, ApiFailure> {
        let missing =
            || ApiFailure::missing(format!("`{}` is not among what was deleted", crate::library::shown(id)));
        let id =
            Id::new(id).map_err(|error| ApiFailure::request(format!("the id of the solution: {error}")))?;
        let from = self.place(&id);
        match noregret_store::entry(&from) {
            Ok(file) if !file.is_directory => {}
            Ok(_) => return Err(missing()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(missing()),
            Err(error) => return Err(ApiFailure::cannot_read(error)),
        }
        let place = self.library.reserve(&id).map_err(ApiFailure::cannot_write)?;
        moved(&self.library, &from, &place)
    }

    /// What can be taken back, the last deleted first.
    pub fn list(&self) -> Result<Vec<TrashedItem>, ApiFailure> {
        let mut entries = self.entries().map_err(ApiFailure::cannot_read)?;
        entries.sort_by_key(|(_, file)| std::cmp::Reverse(file.modified));
        let told = |(id, file): (Id, ListedFile)| TrashedItem {
            kind: TrashKind::Solution,
            name: id.as_str().to_owned(),
            id: id.as_str().to_owned(),
            bytes: file.bytes,
            deleted: humantime::format_rfc3339_millis(file.modified).to_string(),
        };
        Ok(entries.into_iter().map(told).collect())
    }

    /// Deletes all of it for good.
    pub fn empty(&self) -> Result<(), ApiFailure> {
        let entries = self.entries().map_err(ApiFailure::cannot_read)?;
        let remove = |(id, _): &(Id, _)| noregret_store::remove(&self.place(id));
        entries.iter().try_for_each(remove).map_err(ApiFailure::cannot_delete)
    }
}

/// Moves a file to a place that was kept free for it.
pub fn moved(library: &Library, from: &Path, to: &Reserved) -> Result<Found, ApiFailure> {
    let moved = noregret_store::rename(from, &to.path);
    library.changed(&to.id);
    moved.map_err(ApiFailure::cannot_write)?;
    library.solution(to.id.as_str())
}
