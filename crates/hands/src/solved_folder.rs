//! The solution of a spot in a folder of them.

use noregret_holdem::{MemoryLimit, ReadError, SolutionFile, Spot};
use noregret_store::{ArchiveError, list};
use std::io;
use std::path::{Path, PathBuf};

/// Why a folder of solutions cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Its files cannot be listed.
    #[error("cannot read {}: {error}", path.display())]
    List {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A solution cannot be opened.
    #[error("{}: {error}", path.display())]
    Open {
        /// Its file.
        path: PathBuf,
        /// Why.
        error: ArchiveError,
    },
    /// A solution does not answer.
    #[error("{}: {error}", path.display())]
    Read {
        /// Its file.
        path: PathBuf,
        /// Why.
        error: ReadError,
    },
}

/// A folder with the names of its files.
pub(crate) struct SolvedFolder<'a> {
    path: &'a Path,
    files: Vec<String>,
}

/// A solution of the folder.
pub(crate) struct FoundSolution {
    pub path: PathBuf,
    /// The name of its file without the ending.
    pub name: String,
    pub saved: SolutionFile,
}

impl<'a> SolvedFolder<'a> {
    /// Lists the files of a folder.
    pub fn open(path: &'a Path) -> Result<Self, FolderError> {
        let cannot = |error| FolderError::List { path: path.to_owned(), error };
        Ok(Self { path, files: list(path).map_err(cannot)?.into_iter().map(|entry| entry.name).collect() })
    }

    /// The solution with the name `own`, or else the best of the same spot, which was solved to another target.
    pub fn best(&self, own: &str, spot: &Spot) -> Result<Option<FoundSolution>, FolderError> {
        let flop = format!("{}-", spot.board());
        let names = self.files.iter().filter_map(|name| name.strip_suffix(".nrs"));
        let mut best: Option<(f64, FoundSolution)> = None;
        for name in names.filter(|name| name.starts_with(&flop)) {
            let path = self.path.join(format!("{name}.nrs"));
            let saved = SolutionFile::open_within(&path, MemoryLimit::of_machine())
                .map_err(|error| FolderError::Open { path: path.clone(), error })?;
            if saved.spec().spot != *spot {
                continue;
            }
            let last = saved.progress().history.last();
            let rank =
                if name == own { -1.0 } else { last.map_or(f64::MAX, |check| check.exploitability_pct) };
            if best.as_ref().is_none_or(|(lowest, _)| rank < *lowest) {
                best = Some((rank, FoundSolution { path, name: name.to_owned(), saved }));
            }
        }
        Ok(best.map(|(_, found)| found))
    }
}
