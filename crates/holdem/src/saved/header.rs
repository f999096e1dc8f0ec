//! What a solution file says of itself.

use super::file::{read_spec, section};
use super::{FileProgress, PROGRESS, SOLUTION, SUMMARY, Summary};
use crate::Spec;
use noregret_store::{Archive, ArchiveError};
use std::path::Path;

/// The spec, the measurements and the summary of a solution file, read without building the game: for lists of files.
#[derive(Clone, PartialEq, Debug)]
pub struct SolutionHeader {
    /// What it is the solution of, and how it was solved.
    pub spec: Spec,
    /// How far the solve had come.
    pub progress: FileProgress,
    /// EVs and equities at the root, the digest, and what the file holds.
    pub summary: Summary,
}

impl SolutionHeader {
    /// Reads it.
    pub fn read(path: &Path) -> Result<Self, ArchiveError> {
        let archive = Archive::open(path, &[SOLUTION])?;
        Ok(Self {
            spec: read_spec(&archive)?,
            progress: FileProgress::from_bytes(&section(&archive, PROGRESS)?)?,
            summary: Summary::from_bytes(&section(&archive, SUMMARY)?)?,
        })
    }
}
