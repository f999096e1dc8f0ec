//! Sessions and solves that were forgotten and can be taken back, in the trash of the server's own folder.

use crate::api::solutions::{TrashKind, TrashedItem};
use crate::failure::ApiFailure;
use crate::library::{Library, SESSION_PREFIXES, SOLVE_STATE, session_number};
use crate::trash::{FOLDER, is_old};
use serde::Deserialize;
use serde_json::Value;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What the names of solves begin with: in their own folder they are numbers.
const SOLVE_PREFIX: &str = "solve-";
/// The kinds of sessions, in the order of their prefixes.
const SESSION_KINDS: [TrashKind; 3] = [TrashKind::Drill, TrashKind::FortyTwo, TrashKind::Hands];

/// What was forgotten: the file of a session under its own name, the folder of a solve under `solve-` and its number. No number is given
/// again as long as it is here.
pub struct Forgotten {
    folder: PathBuf,
}

/// What people call it, as far as its file says.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Title {
    name: Option<String>,
    solution: Option<String>,
    /// Of a drill, the session of hands that it is about; of a session of hands, how many it has.
    hands: Value,
}

/// The name of a forgotten solve.
pub fn solve_name(id: u32) -> String {
    format!("{SOLVE_PREFIX}{id}")
}

fn solve_number(name: &str) -> Option<u32> {
    let digits = name.strip_prefix(SOLVE_PREFIX)?;
    digits.parse().ok().filter(|number: &u32| number.to_string() == digits)
}

/// What a name is of, and its number.
fn kind_of(name: &str) -> Option<(TrashKind, u32)> {
    let mut sessions = SESSION_PREFIXES.iter().zip(SESSION_KINDS);
    let session = sessions.find_map(|(prefix, kind)| Some((kind, session_number(name, prefix)?)));
    session.or_else(|| Some((TrashKind::Solve, solve_number(name)?)))
}

/// The file that tells of it: without the state there is no solve.
fn head(place: &Path) -> PathBuf {
    if place.is_dir() { place.join(SOLVE_STATE) } else { place.to_owned() }
}

/// Removes a session, or the folder of a solve with all that is in it, the state first.
pub fn remove_item(place: &Path) -> io::Result<()> {
    match noregret_store::remove(&head(place)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        removed => removed?,
    }
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        // What is left without a state is removed by the next server.
        let _ = noregret_store::remove(&entry.path());
    }
    let _ = fs::remove_dir(place);
    Ok(())
}

fn bytes(place: &Path) -> u64 {
    let of = |path: &Path| fs::metadata(path).ok().filter(fs::Metadata::is_file).map_or(0, |file| file.len());
    of(place)
        + fs::read_dir(place).into_iter().flatten().flatten().map(|entry| of(&entry.path())).sum::<u64>()
}

impl Forgotten {
    /// What was forgotten in a library.
    pub fn of(library: &Library) -> Self {
        Self { folder: library.own(FOLDER) }
    }

    /// Removes for good what is older than a week.
    pub fn clear_up(&self) {
        for (name, ..) in self.entries().unwrap_or_default() {
            let place = self.folder.join(name);
            let written = fs::metadata(head(&place)).and_then(|file| file.modified());
            // A folder without a state is what is left of a solve.
            if written.map_or(place.is_dir(), is_old) {
                // What cannot be removed now is tried again at the next start.
                let _ = remove_item(&place);
            }
        }
    }

    fn entries(&self) -> io::Result<Vec<(String, TrashKind, u32)>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let named = entries.flatten().filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let (kind, number) = kind_of(&name)?;
            Some((name, kind, number))
        });
        Ok(named.collect())
    }

    /// Moves the file of a session or the folder of a solve here, under a name.
    pub fn put(&self, name: &str, from: &Path) -> io::Result<()> {
        noregret_store::make_directories(&self.folder)?;
        let place = self.folder.join(name);
        // Numbers are not given twice, so what is here is what a killed server has left.
        if place.exists() {
            remove_item(&place)?;
        }
        noregret_store::rename(from, &place)?;
        // It is as old as its deletion, for whoever clears up.
        let _ = fs::File::options()
            .write(true)
            .open(head(&place))
            .and_then(|file| file.set_modified(SystemTime::now()));
        Ok(())
    }

    /// Moves something back to where it was.
    pub fn take_back(&self, name: &str, to: &Path) -> Result<(), ApiFailure> {
        let place = self.folder.join(name);
        if !head(&place).is_file() {
            return Err(ApiFailure::missing(format!("`{name}` is not among what was deleted")));
        }
        if to.exists() {
            return Err(ApiFailure::conflict(format!("the place of `{name}` is taken")));
        }
        noregret_store::rename(&place, to).map_err(ApiFailure::cannot_write)
    }

    /// The highest number of a kind.
    pub fn last(&self, kind: TrashKind) -> u32 {
        let entries = self.entries().unwrap_or_default();
        entries.into_iter().filter(|(_, of, _)| *of == kind).map(|(.., id)| id).max().unwrap_or(0)
    }

    /// What can be taken back.
    pub fn list(&self) -> Result<Vec<TrashedItem>, ApiFailure> {
        let entries = self.entries().map_err(ApiFailure::cannot_read)?;
        let told = |(name, kind, id): (String, TrashKind, u32)| {
            let place = self.folder.join(name);
            let modified = fs::metadata(head(&place)).and_then(|file| file.modified()).ok()?;
            let text = fs::read(head(&place)).unwrap_or_default();
            let title: Title = serde_json::from_slice(&text).unwrap_or_default();
            let hands = title.hands.as_str().map(str::to_owned);
            let names = [title.name, title.solution, hands];
            Some(TrashedItem {
                kind,
                id: id.to_string(),
                name: names.into_iter().flatten().find(|name| !name.is_empty()).unwrap_or_default(),
                bytes: bytes(&place),
                deleted: humantime::format_rfc3339_millis(modified).to_string(),
            })
        };
        Ok(entries.into_iter().filter_map(told).collect())
    }

    /// Deletes all of it for good.
    pub fn empty(&self) -> Result<(), ApiFailure> {
        let entries = self.entries().map_err(ApiFailure::cannot_read)?;
        let remove = |(name, ..): &(String, _, _)| remove_item(&self.folder.join(name));
        entries.iter().try_for_each(remove).map_err(ApiFailure::cannot_delete)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_the_server_gives_are_its_own() {
        assert_eq!(kind_of("session-7.json"), Some((TrashKind::Hands, 7)));
        assert_eq!(kind_of("drill-1.json"), Some((TrashKind::Drill, 1)));
        assert_eq!(kind_of("forty-two-12.json"), Some((TrashKind::FortyTwo, 12)));
        assert_eq!(kind_of("solve-3"), Some((TrashKind::Solve, 3)));
        for other in ["solve-03", "solve-", "solve-3.nrs", "session-7.nrs", "river.nrs"] {
            assert_eq!(kind_of(other), None, "{other}");
        }
    }

    #[test]
    fn what_was_forgotten_long_ago_goes_at_the_next_start() {
        let home = tempfile::tempdir().unwrap();
        let library = Library::open(home.path(), home.path()).unwrap();
        let forgotten = Forgotten::of(&library);
        for (name, id) in [("old", 1), ("new", 2)] {
            let solve = home.path().join(name);
            fs::create_dir(&solve).unwrap();
            fs::write(solve.join(SOLVE_STATE), format!(r#"{{"name": "{name}"}}"#)).unwrap();
            fs::write(solve.join("checkpoint.nrc"), "12345").unwrap();
            forgotten.put(&solve_name(id), &solve).unwrap();
        }
        let trash = home.path().join(FOLDER);
        let state = fs::File::options().write(true).open(trash.join("solve-1").join(SOLVE_STATE)).unwrap();
        state.set_modified(SystemTime::now() - 8 * std::time::Duration::from_secs(24 * 3600)).unwrap();
        fs::create_dir(trash.join("solve-9")).unwrap();
        forgotten.clear_up();
        let listed = forgotten.list().unwrap();
        assert_eq!((listed.len(), listed[0].name.as_str(), listed[0].id.as_str()), (1, "new", "2"));
        assert_eq!((listed[0].bytes, forgotten.last(TrashKind::Solve)), (5 + 15, 2));
        assert!(!trash.join("solve-1").exists() && !trash.join("solve-9").exists());
        forgotten.empty().unwrap();
        let missing = forgotten.take_back("solve-2", &home.path().join("back")).unwrap_err();
        assert_eq!(missing.message(), "`solve-2` is not among what was deleted");
    }
}
