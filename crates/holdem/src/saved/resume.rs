//! Going on where a file left off.

use super::file::{read_outline, read_spec, section};
use super::memory::Memory;
use super::pages::{Reader, arrays_of, precisions_of};
use super::{CHECKPOINT, PROGRESS, Part, Progress, SOLUTION, SUMMARY, Summary, content, difference, tag};
use crate::runouts::symmetries;
use crate::{Earlier, Solution, Spec, Spot};
use noregret_cfr::{Deal, Game, Kept, Numbers, Player, Shape};
use noregret_store::{Archive, ArchiveError};
use rayon::prelude::*;
use std::fmt;
use std::path::Path;

/// A checkpoint or a solution to go on from.
pub struct Resume {
    archive: Archive,
    spec: Spec,
    progress: Progress,
    summary: Option<Summary>,
}

/// What a solve makes of a file to go on from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// It goes on where the file left off.
    GoOn,
    /// Locks have changed: it begins with the regrets of the file.
    Learned,
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
type Loaded = Vec<(noregret_cfr::NodeId, Player, Kept, Numbers)>;

impl Resume {
    /// Opens a checkpoint or a solution file.
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        let archive = Archive::open(path, &[CHECKPOINT, SOLUTION])?;
        let spec = read_spec(&archive)?;
        // The tree of this spec must be the one that was solved.
        read_outline(&archive, &spec, Memory::ANY)?;
        let progress = Progress::from_bytes(&section(&archive, PROGRESS)?)?;
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
    pub fn progress(&self) -> &Progress {
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

    /// The digest of the strategies in a solution.
    pub fn digest(&self) -> Option<&str> {
        self.summary.as_ref().map(|summary| summary.digest.as_str())
    }

    /// What is made of the file for a spot that may have other locks.
    pub fn use_for(&self, spot: &Spot) -> Use {
        if spot.locks() == self.spec.spot.locks() {
            Use::GoOn
        } else if self.has_state() && symmetries(spot).members() == symmetries(&self.spec.spot).members() {
            Use::Learned
        } else {
            Use::StartOver
        }
    }

    /// Puts a new solution of the same spec where the file left off: from its numbers, or by its iterations once more, where it has
    /// none. `go_on` is asked between those, with their number; none if it says no. With other locks, it goes on from what was learned, as far
    /// as the file has that, and its average begins anew.
    pub fn bring(
        &self,
        solution: &mut Solution<'_>,
        mut go_on: impl FnMut(u32) -> bool,
    ) -> Result<Option<Earlier>, ResumeError> {
        match self.use_for(solution.game().spot()) {
            Use::GoOn => {}
            Use::Learned => {
                self.restore(solution).map_err(ResumeError::File)?;
                let iteration = self.progress.iterations;
                solution.set_progress(noregret_cfr::Progress { iteration, average_weight: 0.0 });
                return Ok(Some(Earlier::default()));
            }
            Use::StartOver => return Ok(Some(Earlier::default())),
        }
        if self.has_state() {
            self.restore(solution).map_err(ResumeError::File)?;
        } else {
            while solution.iteration() < self.progress.iterations {
                if !go_on(solution.iteration()) {
                    return Ok(None);
                }
                solution.iterate();
            }
        }
        if self.digest().is_some_and(|digest| digest != solution.digest()) {
            return Err(ResumeError::Elsewhere(self.progress.iterations));
        }
        let Progress { history, elapsed, .. } = self.progress.clone();
        Ok(Some(Earlier { history, elapsed }))
    }

    /// Puts a solution of the same spec where the file left off.
    pub fn restore(&self, solution: &mut Solution<'_>) -> Result<(), ArchiveError> {
        let game = solution.game();
        let deals: Vec<Deal> = (0..game.tree().round_count())
            .flat_map(|round| (0..game.deal_count(round)).map(move |index| Deal { round, index }))
            .collect();
        for batch in deals.chunks(2 * rayon::current_num_threads()) {
            for part in [Part::Strategy, Part::Regrets] {
                let loaded: Vec<Result<Loaded, ArchiveError>> =
                    batch.par_iter().map(|&deal| self.load(game, deal, part)).collect();
                for (&deal, loaded) in batch.iter().zip(loaded) {
                    for (root, player, kept, numbers) in loaded? {
                        let set = solution.solver.set_numbers(deal, root, player, kept, &numbers);
                        set.map_err(|error| content(self.tag(part, deal), error))?;
                    }
                }
            }
        }
        let Progress { iterations, average_weight, .. } = self.progress;
        solution.set_progress(noregret_cfr::Progress { iteration: iterations, average_weight });
        Ok(())
    }

    fn tag(&self, part: Part, deal: Deal) -> [u8; 4] {
        tag(part, self.spec.spot.board().street(), deal)
    }

    fn load<G: Game>(&self, game: &G, deal: Deal, part: Part) -> Result<Loaded, ArchiveError> {
        let tag = self.tag(part, deal);
        let bytes = section(&self.archive, tag)?;
        let mut reader = Reader { tag, bytes: &bytes };
        let mut loaded = Vec::new();
        let precision = precisions_of(&self.spec, part)[deal.round];
        for root in game.tree().roots(deal.round) {
            for player in Player::BOTH {
                for &kept in arrays_of(&self.spec, part) {
                    let shape = Shape::of(game, deal, root, player, kept, precision);
                    loaded.push((root, player, kept, reader.numbers(shape)?));
                }
            }
        }
        reader.end()?;
        Ok(loaded)
    }
}
