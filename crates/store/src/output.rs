//! What may be written over, for whoever writes a file that a person has named.

use crate::atomic::follow_links;
use crate::files::is_replaceable;
use crate::place::Place;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A kind of file to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputKind {
    /// What a person calls such a file, with its article: `a solution`.
    pub name: &'static str,
    /// The endings that its name may have, the usual one first.
    pub endings: &'static [&'static str],
    /// What such a file begins with.
    pub beginnings: &'static [&'static [u8]],
}

/// Why a file is not to be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OverwriteError {
    /// It is being read.
    #[error("this is {0} that is being read, and it would be lost")]
    BeingRead(String),
    /// It is of another kind, whatever its name.
    #[error("there is a file that is not {0}, and it would be lost")]
    AnotherKind(&'static str),
    /// Its name says that it is something else.
    #[error("{name} ends in `.{ending}`")]
    Ending {
        /// What is to be written.
        name: &'static str,
        /// How the name of such a file ends.
        ending: &'static str,
    },
}

impl OverwriteError {
    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::BeingRead(_) | Self::AnotherKind(_) => "choose another name",
            Self::Ending { .. } => "give it that ending",
        }
    }
}

impl OutputKind {
    /// Refuses a path where writing would destroy something: a file that is being read, or one of another kind. Also a name that
    /// says that it is something else.
    pub fn check(&self, path: &Path, inputs: &[&Path]) -> Result<(), OverwriteError> {
        if let Some(input) = inputs.iter().find(|input| is_same_file(input, path)) {
            let named = if *input == path { String::new() } else { format!(" {}", input.display()) };
            return Err(OverwriteError::BeingRead(format!("the file{named}")));
        }
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
        if !self.endings.iter().any(|known| ending.as_deref() == Some(known)) {
            let ending = self.endings.first().copied().unwrap_or_default();
            return Err(OverwriteError::Ending { name: self.name, ending });
        }
        self.check_content(path)
    }

    /// Refuses to replace a file of another kind, whatever the name.
    pub fn check_content(&self, path: &Path) -> Result<(), OverwriteError> {
        // What cannot be looked at is found by whoever tries to write.
        match is_replaceable(path, self.beginnings) {
            Ok(false) => Err(OverwriteError::AnotherKind(self.name)),
            Ok(true) | Err(_) => Ok(()),
        }
    }
}

/// Whether two paths lead to the same file, whatever links and dots are on the way; also if there is none yet.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    match (Place::of(a), Place::of(b)) {
        (Ok(Place::Local(a)), Ok(Place::Local(b))) => {
            a == b || resolved(&a).zip(resolved(&b)).is_some_and(|(a, b)| a == b)
        }
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

/// A path without links and dots; the file itself may be missing.
fn resolved(path: &Path) -> Option<PathBuf> {
    if let Ok(there) = path.canonicalize() {
        return Some(there);
    }
    let path = follow_links(path).ok()?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(parent.canonicalize().ok()?.join(path.file_name()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTE: OutputKind = OutputKind { name: "a note", endings: &["note", "txt"], beginnings: &[b"NOTE"] };

    #[test]
    fn only_a_file_of_its_kind_with_its_ending_that_nobody_reads_is_replaced() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        std::fs::write(at("a.note"), "NOTE and more").unwrap();
        std::fs::write(at("b.note"), "something else").unwrap();
        let check = |name: &str, inputs: &[&Path]| {
            NOTE.check(&at(name), inputs).map_err(|error| format!("{error}: {}", error.advice()))
        };
        assert_eq!(check("a.note", &[&at("b.note")]), Ok(()));
        assert_eq!(check("new.TXT", &[]), Ok(()));
        assert_eq!(
            check("a.note", &[&at("a.note")]).unwrap_err(),
            "this is the file that is being read, and it would be lost: choose another name"
        );
        let roundabout = home.path().join(".").join("a.note");
        assert!(check("a.note", &[&roundabout]).unwrap_err().starts_with("this is the file"));
        assert_eq!(check("a.nrs", &[]).unwrap_err(), "a note ends in `.note`: give it that ending");
        assert_eq!(
            check("b.note", &[]).unwrap_err(),
            "there is a file that is not a note, and it would be lost: choose another name"
        );
        assert_eq!(NOTE.check_content(&at("a.other")), Ok(()));
        assert_eq!(NOTE.check_content(&at("b.note")), Err(OverwriteError::AnotherKind("a note")));
    }

    #[test]
    #[cfg(unix)]
    fn links_and_missing_files_are_the_same_file_where_they_lead_to_the_same_place() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        std::os::unix::fs::symlink("there", at("link")).unwrap();
        assert!(is_same_file(&at("link"), &at("there")) && !is_same_file(&at("link"), &at("else")));
        std::fs::write(at("there"), "x").unwrap();
        assert!(is_same_file(&at("link"), &at("there")));
    }
}
