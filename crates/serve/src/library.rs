//! The library: the one place where solutions are read and written, and the folder of what is the server's own.
//!
//! Of a folder of this machine both are the same. A library in a bucket has its own files on this machine.

mod bucket;
mod folder;
mod id;
mod shelf;

use crate::examples;
use crate::failure::ApiFailure;
use bucket::BucketShelf;
use folder::FolderShelf;
use id::MAX_DEPTH;
pub use id::{Id, ROOT};
use noregret_report::BATCH_LIST;
use noregret_store::{Digest, Place};
use shelf::Shelf;
pub use shelf::Stamp;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// How many files are listed at most.
const MAX_FILES: usize = 20_000;
/// The ending of solution files.
pub const ENDING: &str = ".nrs";

/// A folder of the library for the examples that the program carries, where they are read from like other files.
const EXAMPLES: &str = ".examples";

/// A folder of the library for sessions of drills.
pub const DRILL_FOLDER: &str = ".drills";
/// What is to be asked again.
pub const REVIEW_FILE: &str = "review.json";
/// The file in the folder of a solve without which there is no solve.
pub const SOLVE_STATE: &str = "state.json";
/// What the names of sessions begin with: drills of hold'em and of Texas 42, and hands.
pub const SESSION_PREFIXES: [&str; 3] = ["drill-", "forty-two-", "session-"];

/// The number of the session that a file is of, if its name begins so. Only the name that the server itself gives has one: two files
/// never have the same.
pub fn session_number(name: &str, prefix: &str) -> Option<u32> {
    let digits = name.strip_prefix(prefix)?.strip_suffix(".json")?;
    digits.parse().ok().filter(|number: &u32| number.to_string() == digits)
}

/// Solutions, and what is the server's own; whatever has a name from outside goes through here.
pub struct Library {
    shelf: Box<dyn Shelf>,
    own: PathBuf,
    reserved: Mutex<HashSet<String>>,
}

/// A solution file of the library.
#[derive(Clone, Debug)]
pub struct Found {
    pub id: Id,
    /// Its path, or its URL.
    pub path: PathBuf,
    pub stamp: Stamp,
}

/// A name that is kept free for somebody until it is dropped.
pub struct Reserved {
    library: Arc<Library>,
    pub id: Id,
    pub path: PathBuf,
    /// Folders that were made for it, the innermost first.
    made: Vec<PathBuf>,
}

impl Drop for Reserved {
    fn drop(&mut self) {
        let mut reserved = self.library.lock();
        reserved.remove(self.id.as_str());
        // Folders that nothing has come into go again, unless somebody else was promised a place there meanwhile.
        for folder in &self.made {
            let promised = reserved.iter().any(|id| self.library.place().join(id).starts_with(folder));
            if promised || fs::remove_dir(folder).is_err() {
                break;
            }
        }
    }
}

/// The name of a file in a folder that an id has been given to.
fn within(folder: &str, name: &str) -> String {
    if folder == ROOT { name.to_owned() } else { format!("{folder}/{name}") }
}

/// An id as the name of one file: no id has a percent sign.
pub fn flat(id: &str) -> String {
    id.replace('/', "%2F")
}

impl Library {
    /// Opens a folder, which is made if it is not there, or a place in a bucket, with a folder of this machine for what is the
    /// server's own.
    pub fn open(place: &Path, own: &Path) -> std::io::Result<Self> {
        let reserved = Mutex::default();
        match Place::of(place)? {
            Place::Local(folder) => {
                let shelf = FolderShelf::open(&folder)?;
                Ok(Self { own: shelf.place().to_owned(), shelf: Box::new(shelf), reserved })
            }
            Place::Object(object) => {
                noregret_store::make_directories(own)?;
                let shelf = BucketShelf::open(object.to_string().into())?;
                Ok(Self { shelf: Box::new(shelf), own: fs::canonicalize(own)?, reserved })
            }
        }
    }

    /// The folder or the URL of the solutions.
    pub fn place(&self) -> &Path {
        self.shelf.place()
    }

    /// Whether the solutions are in a bucket.
    pub fn is_remote(&self) -> bool {
        Place::is_remote(self.place())
    }

    /// Removes what a server left behind that was killed while it wrote: in all folders, its own included. What somebody is
    /// writing now stays.
    pub fn remove_left_overs(&self) {
        let is_ours = |name: &str| {
            let is_report = |stem: &str| stem.parse::<Digest>().is_ok();
            [ENDING, ".nrc"].iter().any(|ending| name.ends_with(ending))
                || [SOLVE_STATE, "spec.toml", "plan.toml"].contains(&name)
                || [".ranges.json", ".notes.json", ".infos.json"].contains(&name)
                || [BATCH_LIST, REVIEW_FILE].contains(&name)
                || name.strip_suffix(".json").is_some_and(is_report)
                || SESSION_PREFIXES.iter().any(|prefix| session_number(name, prefix).is_some())
        };
        let mut folders = vec![(self.own.clone(), 0)];
        while let Some((folder, depth)) = folders.pop() {
            // What cannot be read or removed is in nobody's way.
            let _ = noregret_store::remove_left_overs(&folder, is_ours);
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            for entry in entries.flatten() {
                // Links are not followed.
                if depth < MAX_DEPTH && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push((entry.path(), depth + 1));
                }
            }
        }
    }

    /// A file of the server's own.
    pub fn own(&self, name: &str) -> PathBuf {
        self.own.join(name)
    }

    /// A folder of the server's own about a batch: beside its solutions, where these are on this machine.
    pub fn own_of_batch(&self, batch: &str, name: &str) -> PathBuf {
        match self.is_remote() {
            true => self.own(name).join(flat(batch)),
            false => self.place().join(within(batch, name)),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashSet<String>> {
        self.reserved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, id: &Id) -> PathBuf {
        self.place().join(file_name(id))
    }

    /// The solution with an id.
    pub fn solution(&self, id: &str) -> Result<Found, ApiFailure> {
        if examples::is_example(id) {
            return self.example(id);
        }
        let missing = || ApiFailure::missing(format!("there is no solution `{}` in the library", shown(id)));
        let id =
            Id::new(id).map_err(|error| ApiFailure::request(format!("the id of the solution: {error}")))?;
        let stamp = self.shelf.stamp(&file_name(&id)).map_err(ApiFailure::cannot_read)?;
        Ok(Found { path: self.path(&id), stamp: stamp.ok_or_else(missing)?, id })
    }

    /// The same for who asks about many: none if there is no such solution, as far as a list tells that is not old.
    pub fn listed(&self, id: &str) -> Result<Option<Found>, ApiFailure> {
        if examples::is_example(id) {
            return Ok(self.example(id).ok());
        }
        let Ok(id) = Id::new(id) else { return Ok(None) };
        let stamp = self.shelf.listed(&file_name(&id)).map_err(ApiFailure::cannot_read)?;
        Ok(stamp.map(|stamp| Found { path: self.path(&id), stamp, id }))
    }

    /// Whether there is a solution or an example with an id.
    pub fn has(&self, id: &str) -> Result<bool, ApiFailure> {
        match self.solution(id) {
            Ok(_) => Ok(true),
            Err(failure) if failure.is_lasting() => Ok(false),
            Err(failure) => Err(failure),
        }
    }

    /// An example that the program carries. It is written out when it is first asked for, and again if it is not what is carried.
    fn example(&self, id: &str) -> Result<Found, ApiFailure> {
        let (name, bytes) = examples::solution(id)
            .ok_or_else(|| ApiFailure::missing(format!("there is no example `{}`", shown(id))))?;
        let folder = self.own(EXAMPLES);
        let digest = Digest::of(bytes).to_string();
        let path = folder.join(format!("{name}-{}{ENDING}", &digest[..8]));
        if !fs::metadata(&path).is_ok_and(|file| file.is_file() && file.len() == bytes.len() as u64) {
            noregret_store::make_directories(&folder).map_err(ApiFailure::cannot_write)?;
            noregret_store::write_whole(&path, bytes).map_err(ApiFailure::cannot_write)?;
        }
        let metadata = fs::metadata(&path).map_err(ApiFailure::job)?;
        Ok(Found { id: Id(id.to_owned()), path, stamp: folder::stamp(&metadata) })
    }

    /// A place for a new solution: with a number added to the name where that is taken. Its folder is made.
    pub fn reserve(self: &Arc<Self>, wanted: &Id) -> std::io::Result<Reserved> {
        let folder = wanted.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
        for id in (1..10_000).filter_map(|number| wanted.numbered(number)) {
            if !self.lock().insert(id.as_str().to_owned()) {
                continue;
            }
            // Not under the lock: a store may take its time. What is not free is given back when it is dropped.
            let path = self.path(&id);
            let mut reserved = Reserved { library: Arc::clone(self), path, id, made: Vec::new() };
            if self.shelf.is_free(&file_name(&reserved.id))? {
                // Only now that a place in it is promised, which nobody removes.
                reserved.made = self.shelf.make_folder(folder)?;
                return Ok(reserved);
            }
        }
        Err(std::io::Error::other("too many solutions have this name, or it has no room for a number"))
    }

    /// Takes notice of a solution that was written, moved or removed.
    pub fn changed(&self, id: &Id) {
        self.shelf.changed(&file_name(id));
    }

    /// Makes a folder for a batch, under a name that nothing has; gives its id.
    pub fn make_new_folder(&self, wanted: &Id) -> Result<String, ApiFailure> {
        let named = |number: u32| match number {
            1 => wanted.as_str().to_owned(),
            _ => format!("{}-{number}", wanted.as_str()),
        };
        for name in (1..1000).map(named).filter(|name| Id::new(name).is_ok()) {
            if self.shelf.is_free(&name).map_err(ApiFailure::cannot_read)? {
                self.shelf.make_folder(&name).map_err(ApiFailure::cannot_write)?;
                return Ok(name);
            }
        }
        Err(ApiFailure::field("name", "too many batches have this name"))
    }

    /// Checks that there is a folder with an id, `~` for the library itself.
    pub fn check_folder(&self, id: &str) -> Result<(), ApiFailure> {
        if id == ROOT {
            return Ok(());
        }
        let known =
            Id::new(id).map_err(|error| ApiFailure::request(format!("the id of the batch: {error}")))?;
        match self.shelf.has_folder(known.as_str()).map_err(ApiFailure::cannot_read)? {
            true => Ok(()),
            false => Err(ApiFailure::missing(format!("there is no folder `{}` in the library", shown(id)))),
        }
    }

    /// The text of a file in a folder with this id; none if there is none.
    pub fn text(&self, folder: &str, name: &str) -> Result<Option<String>, ApiFailure> {
        self.check_folder(folder)?;
        self.shelf.text(&within(folder, name)).map_err(ApiFailure::cannot_read)
    }

    /// Writes a text into a folder that an id has been given to.
    pub fn write_text(&self, folder: &str, name: &str, text: &str) -> Result<(), ApiFailure> {
        let name = within(folder, name);
        let written = noregret_store::write_whole(&self.place().join(&name), text.as_bytes());
        self.shelf.changed(&name);
        written.map_err(ApiFailure::cannot_write)
    }

    /// Takes away a folder that an id has been given to, with files of these names.
    pub fn take_folder_away(&self, folder: &str, names: &[&str]) {
        for name in names.iter().map(|name| within(folder, name)) {
            // What cannot be removed is in nobody's way.
            let _ = noregret_store::remove(&self.place().join(&name));
            self.shelf.changed(&name);
        }
        // A bucket has no folders.
        let _ = fs::remove_dir(self.place().join(folder));
    }

    /// Whether a folder has a file of this name.
    pub fn has_file(&self, folder: &str, name: &str) -> Result<bool, ApiFailure> {
        let listed = self.shelf.listed(&within(folder, name)).map_err(ApiFailure::cannot_read)?;
        Ok(listed.is_some())
    }

    /// All solutions, in no order.
    pub fn solutions(&self) -> Result<Vec<Found>, ApiFailure> {
        let mut found = Vec::new();
        let visited = self.shelf.visit(&mut |name, stamp| {
            let id = name.strip_suffix(ENDING).and_then(|id| Id::new(id).ok());
            if let Some(id) = id.filter(|_| found.len() < MAX_FILES) {
                found.push(Found { path: self.path(&id), stamp, id });
            }
        });
        visited.map(|()| found).map_err(ApiFailure::cannot_read)
    }

    /// The ids of all folders that have a file of this name, the library itself first.
    pub fn folders_with(&self, wanted: &str) -> Result<Vec<String>, ApiFailure> {
        let mut found = Vec::new();
        let visited = self.shelf.visit(&mut |name, _| {
            let (folder, name) = name.rsplit_once('/').unwrap_or((ROOT, name));
            if name == wanted {
                found.push(folder.to_owned());
            }
        });
        visited.map_err(ApiFailure::cannot_read)?;
        found.sort_by_key(|id| (id != ROOT, id.clone()));
        Ok(found)
    }
}

fn file_name(id: &Id) -> String {
    format!("{}{ENDING}", id.as_str())
}

/// A text from outside, as much of it as a message shows.
pub fn shown(text: &str) -> String {
    text.chars()
        .take(80)
        .flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn library() -> (tempfile::TempDir, Arc<Library>) {
        let home = tempfile::tempdir().unwrap();
        let place = home.path().join("library");
        let library = Arc::new(Library::open(&place, &place).unwrap());
        fs::write(home.path().join("outside.nrs"), "x").unwrap();
        (home, library)
    }

    #[test]
    fn a_session_has_one_name() {
        assert_eq!(session_number("session-7.json", "session-"), Some(7));
        for other in
            ["session-+7.json", "session-007.json", "session-.json", "drill-7.json", "session-7.toml"]
        {
            assert_eq!(session_number(other, "session-"), None, "{other}");
        }
    }

    #[test]
    fn links_that_lead_out_are_not_followed() {
        #[cfg(unix)]
        {
            let (home, library) = library();
            let link =
                |to: &Path, name: &str| std::os::unix::fs::symlink(to, library.place().join(name)).unwrap();
            link(&home.path().join("outside.nrs"), "linked.nrs");
            link(home.path(), "away");
            assert!(library.solution("linked").is_err() && library.solution("away/outside").is_err());
            assert!(library.check_folder("away").is_err());
            assert!(library.reserve(&Id::new("away/new").unwrap()).is_err());
            assert!(library.solutions().unwrap().is_empty());
        }
    }

    #[test]
    fn a_taken_name_gets_a_number() {
        let (_home, library) = library();
        let id = Id::new("deep/spot").unwrap();
        let first = library.reserve(&id).unwrap();
        let second = library.reserve(&id).unwrap();
        assert_eq!((first.id.as_str(), second.id.as_str()), ("deep/spot", "deep/spot-2"));
        fs::write(&second.path, "x").unwrap();
        drop((first, second));
        fs::write(library.place().join("deep/spot.nrs"), "x").unwrap();
        assert_eq!(library.reserve(&id).unwrap().id.as_str(), "deep/spot-3");
        let ids: HashSet<String> =
            library.solutions().unwrap().into_iter().map(|found| found.id.as_str().to_owned()).collect();
        assert_eq!(ids, HashSet::from(["deep/spot".to_owned(), "deep/spot-2".to_owned()]));
    }

    #[test]
    fn a_number_makes_no_name_that_is_too_long() {
        let (_home, library) = library();
        for name in ["a".repeat(200), "ü".repeat(100), format!("{}/{}", "f".repeat(100), "n".repeat(99))] {
            let id = Id::new(&name).unwrap();
            let _first = library.reserve(&id).unwrap();
            let second = library.reserve(&id).unwrap().id.clone();
            assert!(second.as_str().ends_with("-2") && Id::new(second.as_str()).is_ok(), "{second:?}");
            assert_eq!(second.as_str().split('/').count(), name.split('/').count());
        }
        let id = Id::new(&format!("{}/n", "f".repeat(198))).unwrap();
        let _first = library.reserve(&id).unwrap();
        assert!(library.reserve(&id).is_err(), "there is no room for a number");
    }

    #[test]
    fn folders_go_again_that_nothing_came_into() {
        let (_home, library) = library();
        let reserve = |id: &str| library.reserve(&Id::new(id).unwrap()).unwrap();
        let there = |folder: &str| library.place().join(folder).is_dir();
        fs::create_dir(library.place().join("old")).unwrap();
        drop(reserve("old/spot"));
        drop(reserve("a/b/spot"));
        assert!(there("old") && !there("a"));
        let first = reserve("a/b/spot");
        let second = reserve("a/other");
        drop(first);
        assert!(there("a") && !there("a/b"), "the second was promised a place in a");
        fs::write(&second.path, "x").unwrap();
        drop(second);
        assert!(there("a"));
    }

    proptest! {
        #[test]
        fn whatever_the_text_the_place_is_inside(text in "([a-z.]|/|\\.\\.|\\\\|\\PC|~){0,12}") {
            if let Ok(id) = Id::new(&text) {
                let path = Path::new("/library").join(format!("{}{ENDING}", id.as_str()));
                prop_assert!(path.starts_with("/library"));
                prop_assert!(path.components().all(|part| !matches!(part, std::path::Component::ParentDir)));
            }
        }
    }
}
