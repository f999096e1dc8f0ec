//! What people write about their solutions: tags, notes, bookmarks. One file for all of them.

use crate::api::solutions::{Annotation, Bookmark};
use crate::failure::ApiFailure;
use noregret_store::write_whole;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// How long a note may be, in characters.
const MAX_NOTE: usize = 10_000;
/// How many tags and bookmarks a solution may have.
const MAX_MARKS: usize = 100;
/// How long a tag or the name of a bookmark may be, in characters.
const MAX_WORD: usize = 60;
/// The longest line of a bookmark, in bytes.
const MAX_LINE: usize = 2000;

/// What comes before the ids of deleted solutions; no id begins like this.
const TRASHED: &str = ".trash/";

fn trashed(id: &str) -> String {
    format!("{TRASHED}{id}")
}

/// Annotations by the id of their solution.
pub struct Annotations {
    path: PathBuf,
    notes: Mutex<BTreeMap<String, Annotation>>,
}

impl Annotations {
    /// Reads the file, if there is one.
    pub fn open(path: PathBuf) -> std::io::Result<Self> {
        let notes = match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map_err(|error| std::io::Error::other(format!("{}: {error}", path.display())))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(error),
        };
        Ok(Self { path, notes: Mutex::new(notes) })
    }

    /// What is written about a solution.
    pub fn of(&self, id: &str) -> Annotation {
        let notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.get(id).cloned().unwrap_or_default()
    }

    /// Writes about a solution in the place of what was there.
    pub fn write(&self, id: &str, annotation: Annotation) -> Result<Annotation, ApiFailure> {
        let annotation = checked(annotation)?;
        self.change(|notes| {
            if annotation == Annotation::default() {
                notes.remove(id);
            } else {
                notes.insert(id.to_owned(), annotation.clone());
            }
        })?;
        Ok(annotation)
    }

    /// Takes what is written about a solution to its new name.
    pub fn rename(&self, from: &str, to: &str) -> Result<(), ApiFailure> {
        if self.of(from) == Annotation::default() && self.of(to) == Annotation::default() {
            return Ok(());
        }
        self.change(|notes| {
            match notes.remove(from) {
                Some(note) => notes.insert(to.to_owned(), note),
                None => notes.remove(to),
            };
        })
    }

    /// Takes what is written about a solution into the trash with it. `older` is what the one is called now that was
    /// deleted under this name before.
    pub fn delete(&self, id: &str, older: Option<&str>) -> Result<(), ApiFailure> {
        if let Some(older) = older {
            self.rename(&trashed(id), &trashed(older))?;
        }
        self.rename(id, &trashed(id))
    }

    /// Takes what is written about a deleted solution to the name that it is taken back under.
    pub fn take_back(&self, id: &str, to: &str) -> Result<(), ApiFailure> {
        self.rename(&trashed(id), to)
    }

    /// Forgets what is written about deleted solutions, but for those that are still there.
    pub fn forget_deleted(&self, still_there: &[String]) -> Result<(), ApiFailure> {
        let kept: BTreeSet<String> = still_there.iter().map(|id| trashed(id)).collect();
        let is_kept = |id: &String| !id.starts_with(TRASHED) || kept.contains(id);
        if self.notes.lock().unwrap_or_else(PoisonError::into_inner).keys().all(is_kept) {
            return Ok(());
        }
        self.change(|notes| notes.retain(|id, _| is_kept(id)))
    }

    /// Changes them, in the file first.
    fn change(&self, change: impl FnOnce(&mut BTreeMap<String, Annotation>)) -> Result<(), ApiFailure> {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed = notes.clone();
        change(&mut changed);
        let text = serde_json::to_vec_pretty(&changed).map_err(ApiFailure::job)?;
        write_whole(&self.path, &text).map_err(ApiFailure::cannot_write)?;
        *notes = changed;
        Ok(())
    }
}

/// An annotation whose parts are not too long, its tags in order and each once.
fn checked(annotation: Annotation) -> Result<Annotation, ApiFailure> {
    let Annotation { mut tags, note, bookmarks } = annotation;
    let is_word = |text: &str| {
        !text.trim().is_empty() && text.chars().count() <= MAX_WORD && !text.chars().any(char::is_control)
    };
    if note.chars().count() > MAX_NOTE {
        return Err(ApiFailure::field("note", format!("a note has at most {MAX_NOTE} characters")));
    }
    if tags.len() > MAX_MARKS || bookmarks.len() > MAX_MARKS {
        return Err(ApiFailure::field(
            "tags",
            format!("a solution has at most {MAX_MARKS} tags and bookmarks"),
        ));
    }
    if let Some(tag) = tags.iter().find(|tag| !is_word(tag) || tag.contains(',')) {
        let shown = crate::library::shown(tag);
        return Err(ApiFailure::field(
            "tags",
            format!("`{shown}`: a tag has 1 to {MAX_WORD} characters, and no comma"),
        ));
    }
    let is_mark = |mark: &Bookmark| is_word(&mark.name) && mark.line.len() <= MAX_LINE;
    if let Some(mark) = bookmarks.iter().find(|mark| !is_mark(mark)) {
        let shown = crate::library::shown(&mark.name);
        let message = format!("`{shown}`: the name of a bookmark has 1 to {MAX_WORD} characters");
        return Err(ApiFailure::field("bookmarks", message));
    }
    tags = tags.into_iter().map(|tag| tag.trim().to_owned()).collect();
    tags.sort();
    tags.dedup();
    Ok(Annotation { tags, note, bookmarks })
}
