//! What a worker does.

use super::plan::{CutLayout, SpreadError};
use crate::saved::{FileProgress, SavedParts, save_checkpoint_part, save_solution_part};
use crate::{Postflop, Spec};
use noregret_cards::Board;
use noregret_cfr::{Branches, Deal, MessageError, StateBytes};
use noregret_store::ArchiveError;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The turns of one worker with all their rivers: it answers the requests of a [`TrunkSolver`](super::TrunkSolver), on the current
/// thread pool.
pub struct BranchSolver {
    spec: Spec,
    branches: Branches<Postflop>,
}

impl BranchSolver {
    /// Before the first iteration, with these turns of a [plan](super::SpreadPlan); it allocates what they take.
    pub fn new(spec: Spec, deals: Vec<usize>) -> Result<Self, SpreadError> {
        let CutLayout { spec, layout } = CutLayout::new(&spec)?;
        let turns = layout.branch_boards().count();
        if let Some(&wrong) = deals.iter().find(|&&deal| deal >= turns) {
            return Err(SpreadError::Turn(wrong, turns));
        }
        let game = layout.build_as_needed();
        let storage = spec.solver.storage(spec.spot.board().street());
        let branches = Branches::new(game.clone(), spec.solver.schedule(), &storage, deals);
        let branches = branches.pruning(spec.solver.prunes);
        game.fill_tables_of(&branches.stored_deals());
        Ok(Self { spec, branches })
    }

    /// How many iterations have been made.
    pub fn iteration(&self) -> u32 {
        self.branches.progress().iteration
    }

    /// What the regrets and the strategies take, as allocated.
    pub fn state_bytes(&self) -> StateBytes {
        self.branches.bytes()
    }

    /// Its turns, each with the time that its updates took so far; on one thread that is what the turn costs.
    pub fn elapsed(&self) -> Vec<(Board, Duration)> {
        let game = self.branches.game();
        self.branches.elapsed().map(|(deal, elapsed)| (game.board(deal), elapsed)).collect()
    }

    /// The numbers of its turns.
    pub fn deals(&self) -> impl Iterator<Item = usize> + '_ {
        self.branches.elapsed().map(|(Deal { index, .. }, _)| index)
    }

    /// Answers a request of the trunk. After an error nothing has changed.
    pub fn answer(&mut self, request: &[u8]) -> Result<Vec<u8>, MessageError> {
        self.branches.answer(request)
    }

    /// Writes its part of a checkpoint.
    pub fn save_checkpoint(&self, path: &Path) -> io::Result<()> {
        save_checkpoint_part(path, &self.spec, &self.branches, &self.progress())
    }

    /// Goes back to where a checkpoint left off, whoever wrote its parts.
    pub fn restore(&mut self, parts: &[PathBuf]) -> Result<(), ArchiveError> {
        SavedParts::open(parts, &self.spec)?.restore(&self.spec, &mut self.branches)
    }

    /// Writes its part of the solution, after [`TrunkSolver::solution`](super::TrunkSolver::solution).
    pub fn save_solution(&self, path: &Path) -> io::Result<()> {
        save_solution_part(path, &self.spec, &self.branches, &self.progress())
    }

    fn progress(&self) -> FileProgress {
        let progress = self.branches.progress();
        FileProgress {
            iterations: progress.iteration,
            average_weight: progress.average_weight,
            ..FileProgress::default()
        }
    }
}
