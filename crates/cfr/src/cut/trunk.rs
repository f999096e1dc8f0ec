//! The first round of a game whose later rounds are elsewhere.

use super::message::{MessageError, Request, Step, Task, read_digests, read_values};
use crate::branch_values::BranchValues;
use crate::encoding::{ArrayKind, DecodeError, EncodedArray};
use crate::profile::Response;
use crate::reach::{ReachProbabilities, root_rows};
use crate::state::{StateBuffers, StateBytes, StoragePrecision, StoredDeals};
use crate::strategy::digest_of_deals;
use crate::trainer::{Trainer, TrainerProgress};
use crate::{Deal, Game, NodeId, Player, Schedule};
use std::fmt;
use std::sync::Arc;

/// Why the trunk got no values.
#[derive(Debug)]
pub enum CutError<E> {
    /// The function that carries messages failed.
    Transport(E),
    /// The answers cannot be used.
    Message(MessageError),
}

impl<E: fmt::Display> fmt::Display for CutError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transport(error) => error.fmt(f),
            Self::Message(error) => error.fmt(f),
        }
    }
}

impl<E: std::error::Error> std::error::Error for CutError<E> {}

impl<E> From<MessageError> for CutError<E> {
    fn from(error: MessageError) -> Self {
        Self::Message(error)
    }
}

/// The regrets and average strategies of the first round of a game, trained together with [`Branches`](super::Branches).
///
/// Methods that need values of later rounds take `exchange`, which hands a request to all branches and returns the answer of each, in
/// any order. After an error the trunk and the branches may have come to different points: put all of them back.
///
/// ```
/// use noregret_cfr::{Branches, Dcfr, StoragePrecision, Trainer, Trunk, games::Leduc};
/// use std::sync::Arc;
///
/// let (game, storage) = (Arc::new(Leduc::new()), StoragePrecision::default());
/// let mut trunk = Trunk::new(game.clone(), Dcfr::default(), &storage);
/// let parts = [vec![0, 1], vec![2, 3, 4, 5]];
/// let mut branches = parts.map(|deals| Branches::new(game.clone(), Dcfr::default(), &storage, deals));
/// let mut exchange =
///     |request: &[u8]| branches.iter_mut().map(|branch| branch.answer(request)).collect::<Result<Vec<_>, _>>();
/// let mut whole = Trainer::new(game, Dcfr::default());
/// for _ in 0..20 {
///     trunk.iterate(&mut exchange)?;
///     whole.iterate();
/// }
/// assert_eq!(trunk.exploitability(&mut exchange)?, whole.exploitability());
/// assert_eq!(trunk.digest(&mut exchange)?, whole.average().digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Trunk<G> {
    trainer: Trainer<G>,
}

impl<G: Game> Trunk<G> {
    /// Before the first iteration.
    pub fn new(game: Arc<G>, schedule: impl Schedule + 'static, storage: &StoragePrecision) -> Self {
        let deal_counts: Vec<usize> =
            (0..game.tree().round_count()).map(|round| game.deal_count(round)).collect();
        let stored = StoredDeals::trunk(&deal_counts);
        Self { trainer: Trainer::storing(&stored, game, schedule, storage, StateBuffers::default()) }
    }

    /// As [`Trainer::pruning`], which the branches have to do as well.
    #[must_use]
    pub fn pruning(self, prunes: bool) -> Self {
        Self { trainer: self.trainer.pruning(prunes) }
    }

    /// As [`Trainer::without_skipping`].
    #[doc(hidden)]
    #[must_use]
    pub fn without_skipping(self) -> Self {
        Self { trainer: self.trainer.without_skipping() }
    }

    /// The game.
    pub fn game(&self) -> &Arc<G> {
        self.trainer.game()
    }

    /// The memory that regrets and strategies have allocated.
    pub fn bytes(&self) -> StateBytes {
        self.trainer.bytes()
    }

    /// How far training has come.
    pub fn progress(&self) -> TrainerProgress {
        self.trainer.progress()
    }

    /// Continues where another trunk had come to, once its arrays are decoded.
    pub fn set_progress(&mut self, progress: TrainerProgress) {
        self.trainer.set_progress(progress);
    }

    /// As [`Trainer::encode`], for the first round.
    pub fn encode(&self, player: Player, kind: ArrayKind) -> EncodedArray {
        self.trainer.encode(Deal::ROOT, NodeId::ROOT, player, kind)
    }

    /// Puts back what [`Trunk::encode`] gave.
    pub fn decode(
        &mut self,
        player: Player,
        kind: ArrayKind,
        array: &EncodedArray,
    ) -> Result<(), DecodeError> {
        self.trainer.decode(Deal::ROOT, NodeId::ROOT, player, kind, array)
    }

    /// One iteration, to the bits of [`Trainer::iterate`].
    pub fn iterate<E>(
        &mut self,
        exchange: &mut impl FnMut(&[u8]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<(), CutError<E>> {
        let next = self.trainer.next_iteration();
        for player in Player::BOTH {
            let game = self.game().clone();
            let root = ReachProbabilities::at_root(&*game, Some(player));
            let reach = self.trainer.updating(player, &next, None, |traversal, mut state| {
                traversal.chance_reach(Deal::ROOT, &root, state.take(0).as_ref())
            });
            let branches = self.ask(Task::UpdateRegrets, player, reach, exchange)?;
            let mut values = root_rows(&*game, player);
            self.trainer.updating(player, &next, Some(&branches), |traversal, state| {
                traversal.visit(Deal::ROOT, &root, Some(state), &mut values);
            });
        }
        Ok(())
    }

    /// As [`Profile::expected_value`](crate::Profile::expected_value).
    pub fn expected_value<E>(
        &self,
        player: Player,
        exchange: &mut impl FnMut(&[u8]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<f64, CutError<E>> {
        let branches = self.ask_for_values(Task::Average, player, exchange)?;
        Ok(self.trainer.average().with_branches(&branches).expected_value(player))
    }

    /// As [`Profile::best_response_value`](crate::Profile::best_response_value).
    pub fn best_response_value<E>(
        &self,
        player: Player,
        exchange: &mut impl FnMut(&[u8]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<f64, CutError<E>> {
        let branches = self.ask_for_values(Task::BestResponse, player, exchange)?;
        Ok(self.trainer.average().with_branches(&branches).best_response_value(player))
    }

    /// As [`Profile::exploitability`](crate::Profile::exploitability).
    pub fn exploitability<E>(
        &self,
        exchange: &mut impl FnMut(&[u8]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<f64, CutError<E>> {
        let mut best = 0.0;
        for player in Player::BOTH {
            best += self.best_response_value(player, exchange)?;
        }
        let now = match self.game().constant_sum() {
            Some(sum) => sum,
            None => {
                let first = self.expected_value(Player::First, exchange)?;
                first + self.expected_value(Player::Second, exchange)?
            }
        };
        Ok(((best - now) / 2.0).max(0.0))
    }

    /// As [`Profile::chance_values`](crate::Profile::chance_values) of both players' average strategies in the first round. The
    /// branches keep what they need for the [same](super::Branches::chance_values) of their deals.
    pub fn chance_values<E>(
        &self,
        player: Player,
        exchange: &mut impl FnMut(&[u8]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<Vec<Vec<f32>>, CutError<E>> {
        let branches = self.ask_for_values(Task::AverageDealt, player, exchange)?;
        let profile = self.trainer.average().with_branches(&branches);
        Ok(profile.chance_values(&profile.start(), player, Response::Average))
    }

    /// As [`Profile::digest`](crate::Profile::digest).
    pub fn digest<E>(
        &self,
        exchange: &mut impl FnMut(&[u8]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<String, CutError<E>> {
        let step = self.step(Task::Digest, Player::First);
        let answers = self.carry(&Request { step, reach: ReachProbabilities::default() }, exchange)?;
        let first = self.trainer.strategy().deal_digests(&**self.game(), &[Deal::ROOT]);
        let later = read_digests(step, &**self.game(), &answers)?;
        Ok(digest_of_deals(first.into_iter().chain(later)))
    }

    fn step(&self, task: Task, player: Player) -> Step {
        Step { task, player, iteration: self.trainer.iteration() }
    }

    /// The values of all branches for a traversal that updates nothing.
    fn ask_for_values<E>(
        &self,
        task: Task,
        player: Player,
        exchange: &mut impl FnMut(&[u8]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<BranchValues, CutError<E>> {
        let reach = self.trainer.average().chance_reach(player, task.response(), task.all_ins());
        self.ask(task, player, reach, exchange)
    }

    fn ask<E>(
        &self,
        task: Task,
        player: Player,
        reach: ReachProbabilities,
        exchange: &mut impl FnMut(&[u8]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<BranchValues, CutError<E>> {
        let step = self.step(task, player);
        let answers = self.carry(&Request { step, reach }, exchange)?;
        Ok(BranchValues::new(read_values(step, &**self.game(), &answers)?))
    }

    fn carry<E>(
        &self,
        request: &Request,
        exchange: &mut impl FnMut(&[u8]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<Vec<Vec<u8>>, CutError<E>> {
        exchange(&request.to_bytes(&**self.game())).map_err(CutError::Transport)
    }
}
