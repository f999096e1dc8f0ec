//! Going on where a file left off.

use super::file::{read_layout, read_spec, section};
use super::memory::ReadMemory;
use super::pages::{SectionReader, arrays_of, precisions_of};
use super::{CHECKPOINT, FileProgress, PROGRESS, Part, SOLUTION, SUMMARY, Summary, content, difference, tag};
use crate::game::runouts::symmetries;
use crate::{MemoryLimit, PriorRun, Solver, Spec, Spot};
use noregret_cfr::{ArrayKind, Deal, EncodedArray, EncodedShape, Game, Player};
use noregret_store::{Archive, ArchiveError};
use rayon::prelude::*;
use std::fmt;
use std::path::Path;

/// A checkpoint or a solution to go on from.
pub struct ResumeFile {
    archive: Archive,
    spec: Spec,
    progress: FileProgress,
    summary: Option<Summary>,
}

/// What a solve makes of a file to go on from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Continuation {
    /// It goes on where the file left off.
    Resume,
    /// Locks have changed: it begins with the regrets of the file.
    FromRegrets,
    /// Locks have changed and the file has no regrets, or not for the boards that there are with other locks: it begins with nothing.
    StartOver,
}

/// Why a solve cannot go on from a file.
#[derive(Debug)]
pub enum ResumeError {
    /// The file cannot be read.
    File(ArchiveError),
    /// Its iterations, made again, lead elsewhere: so many they were.
    Elsewhere(u32),
}

impl fmt::Display for ResumeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Elsewhere(iterations) => write!(
                f,
                "the {iterations} iterations of this spec lead elsewhere now: another version of the program made them"
            ),
        }
    }
}

impl std::error::Error for ResumeError {}

/// The numbers of a deal: which array of which player in which root tree.
pub(super) type LoadedArrays = Vec<(noregret_cfr::NodeId, Player, ArrayKind, EncodedArray)>;

/// The numbers of a deal out of a section of an archive with this spec.
pub(super) fn load_arrays<G: Game>(
    archive: &Archive,
    spec: &Spec,
    game: &G,
    deal: Deal,
    part: Part,
) -> Result<LoadedArrays, ArchiveError> {
    let tag = tag(part, spec.spot.board().street(), deal);
    let bytes = section(archive, tag)?;
    let mut reader = SectionReader { tag, bytes: &bytes };
    let mut loaded = Vec::new();
    let precision = precisions_of(spec, part)[deal.round];
    for root in game.tree().roots(deal.round) {
        for player in Player::BOTH {
            for &kind in arrays_of(spec, part) {
                let shape = EncodedShape::of(game, deal, root, player, kind, precision);
                loaded.push((root, player, kind, reader.numbers(shape)?));
            }
        }
    }
    reader.end()?;
    Ok(loaded)
}

impl ResumeFile {
    /// Opens a checkpoint or a solution file.
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        let archive = Archive::open(path, &[CHECKPOINT, SOLUTION])?;
        let spec = read_spec(&archive)?;
        // The tree of this spec must be the one that was solved.
        read_layout(&archive, &spec, ReadMemory(MemoryLimit::ANY))?;
        let progress = FileProgress::from_bytes(&section(&archive, PROGRESS)?)?;
        let summary = match archive.has(SUMMARY) {
            true => Some(Summary::from_bytes(&section(&archive, SUMMARY)?)?),
            false if archive.kind() == CHECKPOINT => None,
            false => return Err(noregret_store::ContainerError::Missing("sum".to_owned()).into()),
        };
        Ok(Self { archive, spec, progress, summary })
    }

    /// What was being solved, and how.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// How far it had come.
    pub fn progress(&self) -> &FileProgress {
        &self.progress
    }

    /// What another spec asks for that is not what was being solved, in words; none if it may go on from here. The target, the
    /// last iteration, the locks and where the answer goes may differ.
    pub fn difference(&self, spec: &Spec) -> Option<String> {
        difference(&self.spec, spec)
    }

    /// Whether the file has all numbers of the solver. Otherwise they come from the same iterations once more: they lead to the
    /// same numbers, and sooner than solving again what was left out.
    pub fn has_state(&self) -> bool {
        self.summary.as_ref().is_none_or(|summary| summary.has_regrets)
    }

    /// The digest of the strategies in a solution file.
    pub fn digest(&self) -> Option<&str> {
        self.summary.as_ref().map(|summary| summary.digest.as_str())
    }

    /// What is made of the file for a spot that may have other locks.
    pub fn continuation_for(&self, spot: &Spot) -> Continuation {
        let has_same_deals = || symmetries(spot).members() == symmetries(&self.spec.spot).members();
        // A lock by merit binds nobody before its hands are known: until then the solution without it is continued.
        if spot.binds_as(&self.spec.spot) && has_same_deals() {
            Continuation::Resume
        } else if self.has_state() && has_same_deals() {
            Continuation::FromRegrets
        } else {
            Continuation::StartOver
        }
    }

    /// Puts a new solution of the same spec where the file left off: from its numbers, or by its iterations once more, where it has
    /// none. `go_on` is asked between those, with their number; none if it says no. With other locks, it goes on from what was learned, as far
    /// as the file has that, and its average begins anew.
    pub fn resume_in(
        &self,
        solver: &mut Solver,
        mut go_on: impl FnMut(u32) -> bool,
    ) -> Result<Option<PriorRun>, ResumeError> {
        match self.continuation_for(solver.game().spot()) {
            Continuation::Resume => {}
            Continuation::FromRegrets => {
                self.restore(solver).map_err(ResumeError::File)?;
                let iteration = self.progress.iterations;
                solver.set_progress(noregret_cfr::TrainerProgress { iteration, average_weight: 0.0 });
                return Ok(Some(PriorRun::default()));
            }
            Continuation::StartOver => return Ok(Some(PriorRun::default())),
        }
        if self.has_state() {
            self.restore(solver).map_err(ResumeError::File)?;
        } else {
            while solver.iteration() < self.progress.iterations {
                if !go_on(solver.iteration()) {
                    return Ok(None);
                }
                solver.iterate();
            }
        }
        if self.digest().is_some_and(|digest| digest != solver.digest()) {
            return Err(ResumeError::Elsewhere(self.progress.iterations));
        }
        let FileProgress { history, elapsed, .. } = self.progress.clone();
        Ok(Some(PriorRun { history, elapsed }))
    }

    /// Puts a solution of the same spec where the file left off.
    pub fn restore(&self, solver: &mut Solver) -> Result<(), ArchiveError> {
        let game = solver.game().clone();
        let game = &*game;
        let deals: Vec<Deal> = (0..game.tree().round_count())
            .flat_map(|round| (0..game.deal_count(round)).map(move |index| Deal { round, index }))
            .collect();
        for batch in deals.chunks(2 * rayon::current_num_threads()) {
            for part in [Part::Strategy, Part::Regrets] {
                let load = |&deal: &Deal| load_arrays(&self.archive, &self.spec, game, deal, part);
                let loaded: Vec<Result<LoadedArrays, ArchiveError>> = batch.par_iter().map(load).collect();
                for (&deal, loaded) in batch.iter().zip(loaded) {
                    for (root, player, kind, array) in loaded? {
                        let decoded = solver.trainer.decode(deal, root, player, kind, &array);
                        decoded.map_err(|error| content(self.tag(part, deal), error))?;
                    }
                }
            }
        }
        let FileProgress { iterations, average_weight, .. } = self.progress;
        solver.set_progress(noregret_cfr::TrainerProgress { iteration: iterations, average_weight });
        Ok(())
    }

    fn tag(&self, part: Part, deal: Deal) -> [u8; 4] {
        tag(part, self.spec.spot.board().street(), deal)
    }
}
