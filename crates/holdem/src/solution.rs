//! What has been solved: in memory, or in a file.

use crate::saved::{FileProgress, ReadError, SavedStreets, SolutionFile, save_strategy};
use crate::solve::board_cache::BoardCache;
use crate::solve::exploit::ExploitView;
use crate::solve::reading::{NodeReach, NodeView, PointStrategy};
use crate::{Action, Line, Postflop, Solver, Spec};
use noregret_cfr::{Player, Profile, Strategy};
use noregret_store::ArchiveError;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The strategies of both players at every point of a spot: from a solver that is done, or from a file. Streets that a file left
/// out are re-solved when they are read.
///
/// It owns all that it needs: it can be kept in a cache, or shared between threads behind an [`Arc`].
pub struct Solution(SolutionSource);

enum SolutionSource {
    Memory { game: Arc<Postflop>, strategy: Strategy, boards: BoardCache },
    File(Box<SolutionFile>),
}

impl Solution {
    fn in_memory(game: Arc<Postflop>, strategy: Strategy) -> Self {
        Self(SolutionSource::Memory { game, strategy, boards: BoardCache::default() })
    }

    /// All strategies of a file, read into memory: for what needs those of all streets at once. An error if it leaves out a street.
    pub fn read(file: &SolutionFile) -> Result<Self, ArchiveError> {
        Ok(Self::in_memory(file.game().clone(), file.strategy()?))
    }

    /// Opens a solution file.
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        SolutionFile::open(path).map(Self::from)
    }

    /// The game: the betting tree, the boards and the hands.
    pub fn game(&self) -> &Arc<Postflop> {
        match &self.0 {
            SolutionSource::Memory { game, .. } => game,
            SolutionSource::File(file) => file.game(),
        }
    }

    /// What a player expects at the root, in chips; the starting pot is counted.
    pub fn ev(&self, player: Player) -> f64 {
        match &self.0 {
            SolutionSource::Memory { game, strategy, .. } => {
                game.spot().granularity().chips(Profile::new(&**game, strategy).expected_value(player))
            }
            SolutionSource::File(file) => file.summary().ev[player.index()],
        }
    }

    /// Which share of the pot a player wins if both check from the root to the end.
    pub fn equity(&self, player: Player) -> f64 {
        match &self.0 {
            SolutionSource::Memory { game, .. } => game.root_equity(player),
            SolutionSource::File(file) => file.summary().equity[player.index()],
        }
    }

    /// A hash of the average strategies: equal digests mean equal solutions.
    pub fn digest(&self) -> String {
        match &self.0 {
            SolutionSource::Memory { game, strategy, .. } => strategy.digest(&**game),
            SolutionSource::File(file) => file.summary().digest.clone(),
        }
    }

    /// The file that it is read from; none if it is in memory.
    pub fn file(&self) -> Option<&SolutionFile> {
        match &self.0 {
            SolutionSource::Memory { .. } => None,
            SolutionSource::File(file) => Some(file),
        }
    }

    /// Writes a solution that is in memory to `path`: whole or not at all. `spec` is what was solved, `progress` how far it has come.
    /// One that is read from a file is there already, which is an error.
    pub fn save(
        &self,
        path: &Path,
        spec: &Spec,
        progress: &FileProgress,
        keep: SavedStreets,
    ) -> io::Result<()> {
        match &self.0 {
            SolutionSource::Memory { game, strategy, .. } => {
                save_strategy(path, spec, game, strategy, progress, keep)
            }
            SolutionSource::File(_) => Err(io::Error::other("the solution is in a file already: copy that")),
        }
    }

    /// What happens at the end of a line of actions and cards: `"check, bet 50"`, or a [`Line`].
    pub fn at(&self, line: impl TryInto<Line, Error: Into<ReadError>>) -> Result<NodeView, ReadError> {
        let line = line.try_into().map_err(Into::into)?;
        match &self.0 {
            SolutionSource::Memory { game, strategy, boards } => {
                Ok(boards.view_of(Profile::new(&**game, strategy), 0, &line)?)
            }
            SolutionSource::File(file) => file.at(&line),
        }
    }

    /// As [`Solution::at`] without EVs and equities, which take most of the time.
    pub fn reach_at(&self, line: impl TryInto<Line, Error: Into<ReadError>>) -> Result<NodeReach, ReadError> {
        let line = line.try_into().map_err(Into::into)?;
        match &self.0 {
            SolutionSource::Memory { game, strategy, boards } => {
                Ok(boards.reach_of(Profile::new(&**game, strategy), 0, &line)?)
            }
            SolutionSource::File(file) => file.reach_at(&line),
        }
    }

    /// What a best response of a player to the other's strategy does at the end of a line, and what it gains. It is worked out from
    /// the strategies of all streets: a file is [read](Solution::read) for each answer.
    pub fn exploit(
        &self,
        line: impl TryInto<Line, Error: Into<ReadError>>,
        player: Player,
    ) -> Result<ExploitView, ReadError> {
        let line = line.try_into().map_err(Into::into)?;
        match &self.0 {
            SolutionSource::Memory { game, strategy, .. } => {
                Ok(ExploitView::at(Profile::new(&**game, strategy), &line, player)?)
            }
            SolutionSource::File(file) => Self::read(file)?.exploit(line, player),
        }
    }

    /// How often each action is taken at the end of a line, over all hands of the player there after card removal.
    pub fn frequencies(
        &self,
        line: impl TryInto<Line, Error: Into<ReadError>>,
    ) -> Result<Vec<(Action, f64)>, ReadError> {
        let line = line.try_into().map_err(Into::into)?;
        match &self.0 {
            SolutionSource::Memory { game, strategy, .. } => {
                Ok(PointStrategy::frequencies_at(Profile::new(&**game, strategy), &line)?)
            }
            SolutionSource::File(file) => file.frequencies(&line),
        }
    }
}

impl From<Solver> for Solution {
    fn from(solver: Solver) -> Self {
        Self::in_memory(solver.game().clone(), solver.into_strategy())
    }
}

impl From<&Solver> for Solution {
    /// The strategies as they are now, copied: the solver can go on.
    fn from(solver: &Solver) -> Self {
        Self::in_memory(solver.game().clone(), solver.trainer.strategy().clone())
    }
}

impl From<SolutionFile> for Solution {
    fn from(file: SolutionFile) -> Self {
        Self(SolutionSource::File(file.into()))
    }
}
