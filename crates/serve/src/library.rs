//! The library: the one folder that is read and written.

use crate::examples;
use crate::failure::ApiFailure;
use noregret_report::BATCH_LIST;
use noregret_store::Digest;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The longest id, in bytes.
const MAX_ID: usize = 200;
/// How many folders deep an id may be.
const MAX_DEPTH: usize = 8;
/// How many files are listed at most.
const MAX_FILES: usize = 20_000;
/// The ending of solution files.
const ENDING: &str = ".nrs";
/// The id of the library folder itself.
pub const ROOT: &str = "~";

/// A folder of the library for the examples that the program carries, where they are read from like other files.
const EXAMPLES: &str = ".examples";

/// A folder of the library for sessions of drills.
pub const DRILL_FOLDER: &str = ".drills";
/// What is to be asked again.
pub const REVIEW_FILE: &str = "review.json";
/// What the names of sessions begin with: drills of hold'em and of Texas 42, and hands.
pub const SESSION_PREFIXES: [&str; 3] = ["drill-", "forty-two-", "session-"];

/// The number of the session that a file is of, if its name begins so. Only the name that the server itself gives has one: two files
/// never have the same.
pub fn session_number(name: &str, prefix: &str) -> Option<u32> {
    let digits = name.strip_prefix(prefix)?.strip_suffix(".json")?;
    digits.parse().ok().filter(|number: &u32| number.to_string() == digits)
}

/// Names that mean a device on some systems, with or without an ending.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// A folder of solutions; whatever has a name from outside goes through here.
pub struct Library {
    root: PathBuf,
    reserved: Mutex<HashSet<String>>,
}

/// A path inside the library that looks harmless: no part of it leads up, hides, or means a device.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Id(String);

impl Id {
    /// Checks a text from outside.
    pub fn new(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split('/').collect();
        if text.is_empty() {
            return Err("a name is missing".to_owned());
        }
        if text.len() > MAX_ID || parts.len() > MAX_DEPTH {
            return Err(format!("a name has at most {MAX_ID} bytes and {MAX_DEPTH} parts"));
        }
        parts.iter().try_for_each(|part| check_part(part))?;
        Ok(Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The name with a number added, its last part cut short where it would be too long; none if nothing would be left of
    /// that.
    fn numbered(&self, number: u32) -> Option<Self> {
        if number < 2 {
            return Some(self.clone());
        }
        let suffix = format!("-{number}");
        let (folder, name) = self.0.split_at(self.0.len() - self.name().len());
        let room = MAX_ID.checked_sub(folder.len() + suffix.len())?;
        let mut stem = name.to_owned();
        while stem.len() > room {
            stem.pop();
        }
        (!stem.is_empty()).then(|| Self::new(&format!("{folder}{stem}{suffix}")).ok()).flatten()
    }
}

fn check_part(part: &str) -> Result<(), String> {
    let shown: String = part.chars().take(40).flat_map(char::escape_default).collect();
    let stem = part.split('.').next().unwrap_or(part).trim_end().to_ascii_lowercase();
    let is_port = |name: &str| {
        stem.strip_prefix(name)
            .is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    if part.is_empty() {
        Err("a part of the name is empty: write it like `folder/name`".to_owned())
    } else if part.starts_with('.') || part.ends_with(['.', ' ']) || part.starts_with(' ') || part == ROOT {
        Err(format!("`{shown}`: a name does not begin or end with a dot or a blank"))
    } else if part.chars().any(|c| c.is_control() || "\\:*?\"<>|%".contains(c)) {
        Err(format!("`{shown}`: a name has none of \\ : * ? \" < > | % and no control characters"))
    } else if DEVICES.contains(&stem.as_str()) || is_port("com") || is_port("lpt") {
        Err(format!("`{shown}` is the name of a device on some systems"))
    } else {
        Ok(())
    }
}

/// A solution file of the library.
#[derive(Clone, Debug)]
pub struct Found {
    pub id: Id,
    pub path: PathBuf,
    pub stamp: Stamp,
}

/// When a file was written and how large it is: whether it is still the one that was read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stamp {
    pub modified: std::time::SystemTime,
    pub bytes: u64,
}

impl Stamp {
    fn of(metadata: &fs::Metadata) -> Self {
        let modified = metadata.modified().unwrap_or(std::time::SystemTime::UNIX_EPOCH);
        Self { modified, bytes: metadata.len() }
    }
}

/// A name that is kept free for somebody until it is dropped.
pub struct Reserved<'a> {
    library: &'a Library,
    pub id: Id,
    pub path: PathBuf,
    /// Folders that were made for it, the innermost first.
    made: Vec<PathBuf>,
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        let mut reserved = self.library.lock();
        reserved.remove(self.id.as_str());
        // Folders that nothing has come into go again, unless somebody else was promised a place there meanwhile.
        for folder in &self.made {
            let promised = reserved.iter().any(|id| self.library.root.join(id).starts_with(folder));
            if promised || fs::remove_dir(folder).is_err() {
                break;
            }
        }
    }
}

impl Library {
    /// Opens a folder, which is made if it is not there.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        noregret_store::make_directories(path)?;
        Ok(Self { root: fs::canonicalize(path)?, reserved: Mutex::default() })
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Removes what a server left behind that was killed while it wrote: in all folders, its own included. What somebody is
    /// writing now stays.
    pub fn remove_left_overs(&self) {
        let is_ours = |name: &str| {
            let is_report = |stem: &str| stem.parse::<Digest>().is_ok();
            [ENDING, ".nrc"].iter().any(|ending| name.ends_with(ending))
                || ["state.json", "spec.toml", "plan.toml", ".ranges.json", ".notes.json"].contains(&name)
                || [BATCH_LIST, REVIEW_FILE].contains(&name)
                || name.strip_suffix(".json").is_some_and(is_report)
                || SESSION_PREFIXES.iter().any(|prefix| session_number(name, prefix).is_some())
        };
        let mut folders = vec![(self.root.clone(), 0)];
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

    /// A file of the server's own in the folder.
    pub fn own(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashSet<String>> {
        self.reserved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(&self, id: &Id) -> PathBuf {
        self.root.join(format!("{}{ENDING}", id.0))
    }

    /// Whether a path, its links followed, is inside the folder.
    fn holds(&self, path: &Path) -> bool {
        fs::canonicalize(path).is_ok_and(|path| path.starts_with(&self.root))
    }

    /// The solution with an id.
    pub fn solution(&self, id: &str) -> Result<Found, ApiFailure> {
        if examples::is_example(id) {
            return self.example(id);
        }
        let missing = || ApiFailure::missing(format!("there is no solution `{}` in the library", shown(id)));
        let id =
            Id::new(id).map_err(|error| ApiFailure::request(format!("the id of the solution: {error}")))?;
        let path = self.place(&id);
        let metadata = fs::metadata(&path).ok().filter(fs::Metadata::is_file).ok_or_else(missing)?;
        if !self.holds(&path) {
            return Err(missing());
        }
        Ok(Found { id, path, stamp: Stamp::of(&metadata) })
    }

    /// An example that the program carries. It is written out when it is first asked for, and again if it is not what is carried.
    fn example(&self, id: &str) -> Result<Found, ApiFailure> {
        let (name, bytes) = examples::solution(id)
            .ok_or_else(|| ApiFailure::missing(format!("there is no example `{}`", shown(id))))?;
        let folder = self.root.join(EXAMPLES);
        let digest = Digest::of(bytes).to_string();
        let path = folder.join(format!("{name}-{}{ENDING}", &digest[..8]));
        if !fs::metadata(&path).is_ok_and(|file| file.is_file() && file.len() == bytes.len() as u64) {
            noregret_store::make_directories(&folder).map_err(ApiFailure::cannot_write)?;
            noregret_store::write_whole(&path, bytes).map_err(ApiFailure::cannot_write)?;
        }
        let metadata = fs::metadata(&path).map_err(ApiFailure::job)?;
        Ok(Found { id: Id(id.to_owned()), path, stamp: Stamp::of(&metadata) })
    }

    /// A place for a new solution: with a number added to the name where that is taken. Its folder is made.
    pub fn reserve(&self, wanted: &Id) -> std::io::Result<Reserved<'_>> {
        let mut reserved = self.lock();
        let folder = self.place(wanted).parent().map_or_else(|| self.root.clone(), Path::to_owned);
        let made = self.make_folder(&folder)?;
        let free = |id: &Id| !reserved.contains(id.as_str()) && fs::symlink_metadata(self.place(id)).is_err();
        let id = (1..10_000).filter_map(|number| wanted.numbered(number)).find(free);
        let id = id.ok_or_else(|| {
            std::io::Error::other("too many solutions have this name, or it has no room for a number")
        })?;
        reserved.insert(id.0.clone());
        Ok(Reserved { library: self, path: self.place(&id), id, made })
    }

    /// Makes a folder inside the library, if no link on the way leads out; gives those that were not there, the innermost
    /// first.
    fn make_folder(&self, folder: &Path) -> std::io::Result<Vec<PathBuf>> {
        let there = folder.ancestors().find(|path| path.exists());
        if !there.is_some_and(|path| self.holds(path)) {
            return Err(std::io::Error::other("a link on the way leads out of the library"));
        }
        let missing = folder.ancestors().take_while(|path| !path.exists()).map(Path::to_owned).collect();
        noregret_store::make_directories(folder)?;
        Ok(missing)
    }

    /// Makes a folder that an id has been given to.
    pub fn make(&self, id: &str) -> std::io::Result<()> {
        self.make_folder(&self.root.join(id)).map(drop)
    }

    /// The folder with an id, `~` for the library itself.
    pub fn folder(&self, id: &str) -> Result<PathBuf, ApiFailure> {
        if id == ROOT {
            return Ok(self.root.clone());
        }
        let missing = || ApiFailure::missing(format!("there is no folder `{}` in the library", shown(id)));
        let id = Id::new(id).map_err(|error| ApiFailure::request(format!("the id of the batch: {error}")))?;
        let path = self.root.join(&id.0);
        if path.is_dir() && self.holds(&path) { Ok(path) } else { Err(missing()) }
    }

    /// All solutions, in no order.
    pub fn solutions(&self) -> Vec<Found> {
        let mut found = Vec::new();
        self.walk(&mut |prefix, name, metadata| {
            let Some(stem) = name.strip_suffix(ENDING) else { return };
            let Ok(id) = Id::new(&format!("{prefix}{stem}")) else { return };
            if metadata.is_file() && found.len() < MAX_FILES {
                found.push(Found { path: self.place(&id), stamp: Stamp::of(metadata), id });
            }
        });
        found
    }

    /// The ids of all folders that have a file of this name, the library itself first.
    pub fn folders_with(&self, wanted: &str) -> Vec<String> {
        let mut found = Vec::new();
        self.walk(&mut |prefix, name, metadata| {
            if name == wanted && metadata.is_file() {
                let id = prefix.strip_suffix('/').unwrap_or(ROOT);
                found.push(id.to_owned());
            }
        });
        found.sort_by_key(|id| (id != ROOT, id.clone()));
        found
    }

    /// Calls `visit` with each file: the id of its folder with a slash, its name, what it is. Links are not followed.
    fn walk(&self, visit: &mut impl FnMut(&str, &str, &fs::Metadata)) {
        let mut folders = vec![(String::new(), 1)];
        while let Some((prefix, depth)) = folders.pop() {
            let Ok(entries) = fs::read_dir(self.root.join(&prefix)) else { continue };
            for entry in entries.flatten() {
                let name = entry.file_name();
                let (Some(name), Ok(metadata)) = (name.to_str(), entry.metadata()) else { continue };
                if check_part(name).is_err() {
                    continue;
                }
                if metadata.is_dir() && depth < MAX_DEPTH {
                    folders.push((format!("{prefix}{name}/"), depth + 1));
                } else {
                    visit(&prefix, name, &metadata);
                }
            }
        }
    }
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

    fn library() -> (tempfile::TempDir, Library) {
        let home = tempfile::tempdir().unwrap();
        let library = Library::open(&home.path().join("library")).unwrap();
        fs::write(home.path().join("outside.nrs"), "x").unwrap();
        (home, library)
    }

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        for bad in [
            "",
            "..",
            "../outside",
            "a/../../outside",
            "/etc/passwd",
            "a//b",
            "a/",
            ".jobs/1",
            ".ranges",
            "a\\b",
            "c:x",
            "a\0b",
            "nul",
            "NUL.txt",
            "com1",
            "LPT9.x",
            "a ",
            "a.",
            " a",
            "a\nb",
            "~",
            "a/~/b",
            "con ",
            "*",
        ] {
            assert!(Id::new(bad).is_err(), "{bad:?}");
        }
        assert!(Id::new(&"a".repeat(201)).is_err() && Id::new(&["a"; 9].join("/")).is_err());
        for good in ["spot", "flops/QsJh2h", "a b", "v1.2", "ünïcode", "com", "com12", "console"] {
            assert!(Id::new(good).is_ok(), "{good:?}");
        }
        assert_eq!(Id::new("nul").unwrap_err(), "`nul` is the name of a device on some systems");
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
                |to: &Path, name: &str| std::os::unix::fs::symlink(to, library.root().join(name)).unwrap();
            link(&home.path().join("outside.nrs"), "linked.nrs");
            link(home.path(), "away");
            assert!(library.solution("linked").is_err() && library.solution("away/outside").is_err());
            assert!(library.folder("away").is_err());
            assert!(library.reserve(&Id::new("away/new").unwrap()).is_err());
            assert!(library.solutions().is_empty());
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
        fs::write(library.root().join("deep/spot.nrs"), "x").unwrap();
        assert_eq!(library.reserve(&id).unwrap().id.as_str(), "deep/spot-3");
        let ids: HashSet<String> = library.solutions().into_iter().map(|found| found.id.0).collect();
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
        let there = |folder: &str| library.root().join(folder).is_dir();
        fs::create_dir(library.root().join("old")).unwrap();
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
