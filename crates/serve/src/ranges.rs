//! The saved ranges: one file of names and texts.

use crate::api::ranges::SavedRange;
use crate::failure::ApiFailure;
use noregret_store::write_whole;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// How many ranges are kept at most.
const MAX_RANGES: usize = 1000;
/// The longest name, in characters.
const MAX_NAME: usize = 100;

/// Ranges by name.
pub struct RangeList {
    path: PathBuf,
    ranges: Mutex<BTreeMap<String, String>>,
}

impl RangeList {
    /// Reads the file, if there is one.
    pub fn open(path: PathBuf) -> std::io::Result<Self> {
        let ranges = match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map_err(|error| std::io::Error::other(format!("{}: {error}", path.display())))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(error),
        };
        Ok(Self { path, ranges: Mutex::new(ranges) })
    }

    /// All of them, by name.
    pub fn list(&self) -> Vec<SavedRange> {
        let ranges = self.ranges.lock().unwrap_or_else(PoisonError::into_inner);
        ranges.iter().map(|(name, text)| SavedRange { name: name.clone(), text: text.clone() }).collect()
    }

    /// Adds one, or puts it in the place of an older one.
    pub fn save(&self, name: &str, text: &str) -> Result<SavedRange, ApiFailure> {
        if name.trim().is_empty() || name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
            let message = format!("a name has 1 to {MAX_NAME} characters, and none that controls");
            return Err(ApiFailure::field("name", message));
        }
        self.change(|ranges| {
            if ranges.len() >= MAX_RANGES && !ranges.contains_key(name) {
                return Err(ApiFailure::conflict(format!(
                    "{MAX_RANGES} ranges are saved already: delete some first"
                )));
            }
            ranges.insert(name.to_owned(), text.to_owned());
            Ok(())
        })?;
        Ok(SavedRange { name: name.to_owned(), text: text.to_owned() })
    }

    /// Takes one out.
    pub fn remove(&self, name: &str) -> Result<(), ApiFailure> {
        self.change(|ranges| {
            let removed = ranges.remove(name).map(drop);
            removed.ok_or_else(|| {
                ApiFailure::missing(format!("there is no range `{}`", crate::library::shown(name)))
            })
        })
    }

    /// Changes the list, in the file first.
    fn change(
        &self,
        change: impl FnOnce(&mut BTreeMap<String, String>) -> Result<(), ApiFailure>,
    ) -> Result<(), ApiFailure> {
        let mut ranges = self.ranges.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed = ranges.clone();
        change(&mut changed)?;
        let text = serde_json::to_vec_pretty(&changed).map_err(ApiFailure::job)?;
        write_whole(&self.path, &text).map_err(ApiFailure::cannot_write)?;
        *ranges = changed;
        Ok(())
    }
}
