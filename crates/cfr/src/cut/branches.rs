//! Some deals of the second round of a game, with all that can follow them.

use super::message::{MessageError, Request, Step, Task, write_digests, write_values};
use crate::encoding::{ArrayKind, DecodeError, EncodedArray};
use crate::profile::{ReachedDeal, Response};
use crate::reach::ReachProbabilities;
use crate::state::{StateBuffers, StateBytes, StoragePrecision, StoredDeals};
use crate::trainer::{NextIteration, Trainer, TrainerProgress};
use crate::traverse::{BranchVisit, Traversal};
use crate::{Deal, Game, NodeId, Player, Schedule};
use std::sync::Arc;
use std::time::Duration;

/// The regrets and average strategies of some deals of the second round and of all that can follow them: what one machine holds of a
/// game whose [`Trunk`](super::Trunk) is elsewhere.
pub struct Branches<G> {
    trainer: Trainer<G>,
    stored: StoredDeals,
    /// Deals of the second round, ascending.
    deals: Vec<usize>,
    /// An iteration of which the first player has made its update.
    under_way: Option<NextIteration>,
    /// How long the updates of each deal took in all.
    elapsed: Vec<Duration>,
    /// Reach probabilities at the chance nodes of the first round with average strategies and all-ins dealt, by the player who is
    /// valued.
    kept_reach: [Option<ReachProbabilities>; 2],
}

impl<G: Game> Branches<G> {
    /// Before the first iteration, with these deals of the second round; allocates what they need and no more.
    ///
    /// # Panics
    ///
    /// If the second round does not have one of the deals.
    pub fn new(
        game: Arc<G>,
        schedule: impl Schedule + 'static,
        storage: &StoragePrecision,
        mut deals: Vec<usize>,
    ) -> Self {
        deals.sort_unstable();
        deals.dedup();
        let deal_counts: Vec<usize> =
            (0..game.tree().round_count()).map(|round| game.deal_count(round)).collect();
        let stored = StoredDeals::branches(&deal_counts, |deal| game.next_deals(deal), &deals);
        let elapsed = vec![Duration::ZERO; deals.len()];
        let trainer = Trainer::storing(&stored, game, schedule, storage, StateBuffers::default());
        Self { trainer, stored, deals, under_way: None, elapsed, kept_reach: [None, None] }
    }

    /// As [`Trainer::pruning`], which the trunk has to do as well.
    #[must_use]
    pub fn pruning(self, prunes: bool) -> Self {
        Self { trainer: self.trainer.pruning(prunes), ..self }
    }

    /// As [`Trainer::without_skipping`].
    #[doc(hidden)]
    #[must_use]
    pub fn without_skipping(self) -> Self {
        Self { trainer: self.trainer.without_skipping(), ..self }
    }

    /// The game.
    pub fn game(&self) -> &Arc<G> {
        self.trainer.game()
    }

    /// The memory that regrets and strategies have allocated.
    pub fn bytes(&self) -> StateBytes {
        self.trainer.bytes()
    }

    /// All deals that it stores, round by round.
    pub fn stored_deals(&self) -> Vec<Deal> {
        let game = self.game();
        let rounds = 1..game.tree().round_count();
        let deals =
            rounds.flat_map(|round| (0..game.deal_count(round)).map(move |index| Deal { round, index }));
        deals.filter(|&deal| self.stored.contains(deal)).collect()
    }

    /// Its deals of the second round, each with the time that its updates took so far. On one thread that is what the deal costs.
    pub fn elapsed(&self) -> impl Iterator<Item = (Deal, Duration)> + '_ {
        self.deals.iter().map(|&index| Deal { round: 1, index }).zip(self.elapsed.iter().copied())
    }

    /// How far training has come.
    pub fn progress(&self) -> TrainerProgress {
        self.trainer.progress()
    }

    /// Continues where others had come to, once their arrays are decoded.
    pub fn set_progress(&mut self, progress: TrainerProgress) {
        self.trainer.set_progress(progress);
        self.under_way = None;
        self.kept_reach = [None, None];
        self.elapsed.fill(Duration::ZERO);
    }

    /// As [`Trainer::encode`], for a deal that it stores.
    pub fn encode(&self, deal: Deal, root: NodeId, player: Player, kind: ArrayKind) -> EncodedArray {
        self.trainer.encode(deal, root, player, kind)
    }

    /// Puts back what [`Branches::encode`] gave for the same place.
    pub fn decode(
        &mut self,
        deal: Deal,
        root: NodeId,
        player: Player,
        kind: ArrayKind,
        array: &EncodedArray,
    ) -> Result<(), DecodeError> {
        self.trainer.decode(deal, root, player, kind, array)
    }

    /// Answers a request of the trunk. After an error nothing has changed.
    pub fn answer(&mut self, request: &[u8]) -> Result<Vec<u8>, MessageError> {
        let game = self.game().clone();
        let Request { step, reach } = Request::from_bytes(request, &*game)?;
        self.check_step(step)?;
        let visits = match step.task {
            Task::UpdateRegrets => self.update(step.player, &reach),
            Task::Digest => {
                let deals = self.stored_deals();
                let digests = self.trainer.strategy().deal_digests(&*game, &deals);
                return Ok(write_digests(step, deals.into_iter().zip(digests)));
            }
            Task::BestResponse | Task::Average | Task::AverageDealt => {
                let profile = self.trainer.average();
                let mode = profile.mode(step.task.response());
                let all_ins = step.task.all_ins();
                let traversal = Traversal { all_ins, ..profile.traversal(step.player, mode) };
                traversal.visit_branches(Deal::ROOT, &self.deals, &reach, None)
            }
        };
        if step.task == Task::AverageDealt {
            self.kept_reach[step.player.index()] = Some(reach);
        }
        let values = visits.iter().map(|visit| visit.values.as_slice());
        Ok(write_values(step, &*game, self.deals.iter().copied().zip(values)))
    }

    /// As [`Profile::chance_values`](crate::Profile::chance_values) of one of its deals of the second round; none before
    /// [`Trunk::chance_values`](super::Trunk::chance_values) has asked for those of the first one.
    pub fn chance_values(&self, deal: Deal, player: Player) -> Option<Vec<Vec<f32>>> {
        let profile = self.trainer.average();
        let traversal = profile.traversal(player, profile.mode(Response::Average));
        let mut reach = ReachProbabilities::default();
        traversal.map_reach(Deal::ROOT, deal, self.kept_reach[player.index()].as_ref()?, &mut reach);
        Some(profile.chance_values(&ReachedDeal::new(deal, reach), player, Response::Average))
    }

    /// Refuses what is not due. Players update in turn, and in every iteration.
    fn check_step(&self, found: Step) -> Result<(), MessageError> {
        let (player, iteration) = match (&self.under_way, found.task) {
            (Some(_), _) => (Player::Second, self.trainer.iteration()),
            (None, Task::UpdateRegrets) => (Player::First, self.trainer.iteration() + 1),
            (None, _) => (found.player, self.trainer.iteration()),
        };
        let task = if self.under_way.is_some() { Task::UpdateRegrets } else { found.task };
        found.check(Step { task, player, iteration })
    }

    fn update(&mut self, player: Player, reach: &ReachProbabilities) -> Vec<BranchVisit> {
        self.kept_reach = [None, None];
        let next = match self.under_way.take() {
            Some(next) => next,
            None => self.trainer.next_iteration(),
        };
        let deals = &self.deals;
        let visits = self.trainer.updating(player, &next, None, |traversal, state| {
            traversal.visit_branches(Deal::ROOT, deals, reach, Some(state))
        });
        for (elapsed, visit) in self.elapsed.iter_mut().zip(&visits) {
            *elapsed += visit.elapsed;
        }
        self.under_way = (player == Player::First).then_some(next);
        visits
    }
}
