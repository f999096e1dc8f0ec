//! A tree that nobody solves at the moment: in memory, or in a file.

use crate::locking::SetNodes;
use crate::tree_reader::{Source, TreeReader};
use noregret_holdem::{
    BoardCache, Measurement, MemoryLimit, Postflop, SavedStreets, SolutionFile, Solver, Spec,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A tree at rest.
pub(crate) enum RestingTree {
    Memory(Box<IdleSolver>),
    File(OpenFile),
}

/// A solver that is at rest.
pub(crate) struct IdleSolver {
    pub solver: Solver,
    pub cache: BoardCache,
    pub history: Vec<Measurement>,
    pub elapsed: Duration,
    /// Whether it can go on from here: its regrets are those of its iterations.
    pub has_regrets: bool,
    /// Where to go on instead, if it has none: the file that its strategies are from.
    pub file: Option<FileOrigin>,
    /// Whether strategies were set or locked since it was measured.
    pub is_changed: bool,
    /// Whether isomorphic boards and hands share their numbers. They do not where a set strategy tells them apart.
    pub merges: bool,
}

/// Where strategies are from.
pub(crate) struct FileOrigin {
    pub path: PathBuf,
    /// Of the strategies in it.
    pub digest: String,
}

/// A solution file that is open.
pub(crate) struct OpenFile {
    pub file: Box<SolutionFile>,
    pub path: PathBuf,
}

impl FileOrigin {
    /// The file, unless it is gone or another one by now.
    pub fn open(&self) -> Result<OpenFile, String> {
        let open = OpenFile::open(self.path.clone(), None)?;
        if open.file.summary().digest == self.digest {
            Ok(open)
        } else {
            Err(format!("{} cannot be continued: it is another file now", self.path.display()))
        }
    }
}

impl IdleSolver {
    pub fn new(solver: Solver) -> Self {
        Self {
            solver,
            cache: BoardCache::default(),
            history: Vec::new(),
            elapsed: Duration::ZERO,
            has_regrets: true,
            file: None,
            is_changed: false,
            merges: true,
        }
    }

    /// What is free once it is dropped.
    pub fn bytes(&self) -> u64 {
        let state = self.solver.state_bytes();
        (state.regrets + state.strategy) as u64
    }
}

impl OpenFile {
    /// Opens a solution file, to take no more memory than there is.
    pub fn open(path: PathBuf, resolve_accuracy: Option<[f64; 3]>) -> Result<Self, String> {
        let file = open(&path)?;
        let file = match resolve_accuracy {
            Some(accuracy) => file.resolving_to(accuracy),
            None => file,
        };
        Ok(Self { file: file.into(), path })
    }

    /// Re-solves what the file leaves out to another accuracy from now on.
    pub fn resolving_to(self, accuracy: [f64; 3]) -> Self {
        Self { file: Box::new(self.file.resolving_to(accuracy)), path: self.path }
    }

    pub fn read<T>(
        &self,
        (spec, set): (&Spec, &SetNodes),
        read: impl FnOnce(&mut TreeReader<'_>) -> Result<T, String>,
    ) -> Result<T, String> {
        let progress = self.file.progress();
        let (history, elapsed) = (&progress.history[..], progress.elapsed);
        read(&mut TreeReader { source: Source::File(&self.file), spec, set, history, elapsed })
    }
}

impl RestingTree {
    pub fn game(&self) -> &Arc<Postflop> {
        match self {
            Self::Memory(idle) => idle.solver.game(),
            Self::File(open) => open.file.game(),
        }
    }

    /// Which streets it has.
    pub fn keep(&self) -> SavedStreets {
        match self {
            Self::Memory(_) => SavedStreets::Full,
            Self::File(open) => open.file.summary().keep,
        }
    }

    pub fn read<T>(
        &mut self,
        (spec, set): (&Spec, &SetNodes),
        read: impl FnOnce(&mut TreeReader<'_>) -> Result<T, String>,
    ) -> Result<T, String> {
        match self {
            Self::Memory(idle) => {
                let IdleSolver { solver, cache, history, elapsed, .. } = &mut **idle;
                let source = Source::Solver(solver, cache);
                read(&mut TreeReader { source, spec, set, history, elapsed: *elapsed })
            }
            Self::File(open) => open.read((spec, set), read),
        }
    }
}

/// Opens a solution file, to take no more memory than there is.
pub(crate) fn open(path: &Path) -> Result<SolutionFile, String> {
    if !path.is_file() {
        return Err(format!("there is no file {}", path.display()));
    }
    SolutionFile::open_within(path, MemoryLimit::of_machine())
        .map_err(|error| format!("{}: {error}", path.display()))
}
