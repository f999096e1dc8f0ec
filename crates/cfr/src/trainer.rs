//! Training: iterations of a regret minimiser.

use crate::branch_values::BranchValues;
use crate::encoding::{ArrayKind, DecodeError, EncodedArray};
use crate::iteration::IterationParams;
use crate::past_discounts::PastDiscounts;
use crate::profile::Profile;
use crate::reach::{ReachProbabilities, root_rows};
use crate::regret_table::RegretTable;
use crate::schedule::{Discounts, Schedule};
use crate::simd::Row;
use crate::state::{
    DealState, StateBuffers, StateBytes, StateLayout, StateView, StoragePrecision, StoredDeals,
};
use crate::strategy::Strategy;
use crate::traverse::{Mode, OpponentStrategy, Traversal};
use crate::tree::{AllIns, MAX_ROUNDS, NodeId};
use crate::warm_start::{Counterpart, RegretTransfer};
use crate::{Deal, Game, Player, prune};
use std::sync::Arc;

/// A game in training: the regrets and average strategies of both players, and the schedule that updates them.
///
/// It owns all that it needs, so it can be kept in a struct or moved to another thread. What a checkpoint holds is its
/// [progress](Trainer::progress) and its [arrays](Trainer::encode).
pub struct Trainer<G> {
    game: Arc<G>,
    strategy: Strategy,
    regrets: RegretTable,
    schedule: Box<dyn Schedule>,
    iteration: u32,
    /// The weight of all iterations so far in the average strategy, where the last one has weight one.
    average_weight: f64,
    /// Every so many iterations one counts in the average strategy.
    average_every: u32,
    prunes: bool,
    skips: bool,
    past: PastDiscounts,
}

/// How far training has come, apart from the arrays.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TrainerProgress {
    /// How many iterations have been made.
    pub iteration: u32,
    /// Their weight in the average strategy, where the last one has weight one.
    pub average_weight: f64,
}

/// Iterations before this one all count in the average strategy.
const AVERAGE_ALL: u32 = 10;

/// Which iterations count in the average strategy. Consecutive strategies are so similar that every other one is enough, which
/// saves time and rounds half as often. With predictions strategies swing too much for that.
fn average_every(predicts: bool) -> u32 {
    if predicts { 1 } else { 2 }
}

impl<G: Game> Trainer<G> {
    /// Before the first iteration, with 32-bit floats.
    pub fn new(game: Arc<G>, schedule: impl Schedule + 'static) -> Self {
        Self::with_storage(game, schedule, &StoragePrecision::default())
    }

    /// Before the first iteration, in other precisions; allocates [`state_bytes`](crate::state_bytes).
    pub fn with_storage(game: Arc<G>, schedule: impl Schedule + 'static, storage: &StoragePrecision) -> Self {
        Self::with_buffers(game, schedule, storage, StateBuffers::default())
    }

    /// As [`Trainer::with_storage`], in the memory of an earlier trainer as far as that serves.
    pub fn with_buffers(
        game: Arc<G>,
        schedule: impl Schedule + 'static,
        storage: &StoragePrecision,
        buffers: StateBuffers,
    ) -> Self {
        Self::storing(&StoredDeals::ALL, game, schedule, storage, buffers)
    }

    /// As [`Trainer::with_buffers`], with regrets and strategies of some deals only. Nothing else may be read or updated then: see
    /// `cut.rs`.
    pub(crate) fn storing(
        stored: &StoredDeals,
        game: Arc<G>,
        schedule: impl Schedule + 'static,
        storage: &StoragePrecision,
        mut buffers: StateBuffers,
    ) -> Self {
        let predicts = schedule.prediction_weight() > 0.0;
        let signed = predicts || schedule.keeps_negative();
        let layouts = Arc::new(StateLayout::of_game(&*game, stored));
        Self {
            strategy: Strategy::with_layouts(&*game, storage, stored, layouts.clone(), &mut buffers),
            regrets: RegretTable::zero(&*game, storage, layouts, signed, predicts, &mut buffers),
            game,
            schedule: Box::new(schedule),
            iteration: 0,
            average_weight: 0.0,
            average_every: average_every(predicts),
            prunes: false,
            skips: true,
            past: PastDiscounts::default(),
        }
    }

    /// Continues from the same regrets on another game with the same tree, deals and hands: one with other locks. The average begins anew
    /// with the next iteration.
    ///
    /// # Panics
    ///
    /// If the games differ in the number of deals or hands.
    pub fn set_game(&mut self, game: Arc<G>) {
        for round in 0..self.game.tree().round_count().max(game.tree().round_count()) {
            assert_eq!(self.game.deal_count(round), game.deal_count(round), "the same deals");
            for deal in (0..game.deal_count(round)).map(|index| Deal { round, index }) {
                let hands = |game: &G| Player::BOTH.map(|player| game.hand_count(deal, player));
                assert_eq!(hands(&self.game), hands(&game), "the same hands");
            }
        }
        self.game = game;
        self.average_weight = 0.0;
    }

    /// Prunes actions with clearly negative regret in most iterations (regret-based pruning, see `prune.rs`). A schedule that floors regrets at
    /// zero has no such actions.
    #[must_use]
    pub fn pruning(self, prunes: bool) -> Self {
        Self { prunes, ..self }
    }

    /// Iterations visit what the opponent does not reach, too. The answer is the same; tests check that.
    #[doc(hidden)]
    #[must_use]
    pub fn without_skipping(self) -> Self {
        Self { skips: false, ..self }
    }

    /// The memory that regrets and strategies have allocated.
    pub fn bytes(&self) -> StateBytes {
        StateBytes { regrets: self.regrets.bytes(), strategy: self.strategy.bytes() }
    }

    /// The game.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// The cumulative regrets.
    #[cfg(test)]
    pub(crate) fn regrets(&self) -> &RegretTable {
        &self.regrets
    }

    /// The cumulative regrets, to write.
    #[cfg(test)]
    pub(crate) fn regrets_mut(&mut self) -> &mut RegretTable {
        &mut self.regrets
    }

    /// The average strategies.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// The average strategies, to replace. Iterations that follow average on from them.
    pub fn strategy_mut(&mut self) -> &mut Strategy {
        &mut self.strategy
    }

    /// The memory of its arrays, for the next trainer.
    pub fn into_buffers(self) -> StateBuffers {
        let mut buffers = StateBuffers::default();
        self.strategy.recycle(&mut buffers);
        self.regrets.recycle(&mut buffers);
        buffers
    }

    /// The average strategies, and nothing else.
    pub fn into_strategy(self) -> Strategy {
        self.strategy
    }

    /// The average strategies with their game, to read and to measure.
    pub fn average(&self) -> Profile<'_, G> {
        Profile::new(&self.game, &self.strategy)
    }

    /// Half the sum of what both players would gain by a best response: the distance to a Nash equilibrium, zero at one.
    pub fn exploitability(&self) -> f64 {
        self.average().exploitability()
    }

    /// How many iterations have been made.
    pub fn iteration(&self) -> u32 {
        self.iteration
    }

    /// How far training has come.
    pub fn progress(&self) -> TrainerProgress {
        TrainerProgress { iteration: self.iteration, average_weight: self.average_weight }
    }

    /// Continues where another trainer had come to, once its arrays are decoded.
    pub fn set_progress(&mut self, progress: TrainerProgress) {
        self.iteration = progress.iteration;
        self.average_weight = progress.average_weight;
    }

    /// One of the arrays in the root tree of a deal that begins at `root`, as bytes.
    pub fn encode(&self, deal: Deal, root: NodeId, player: Player, kind: ArrayKind) -> EncodedArray {
        match kind {
            ArrayKind::Strategy => self.strategy.encode(&*self.game, deal, root, player),
            ArrayKind::Regrets | ArrayKind::Predictions => {
                self.regrets.encode(&*self.game, deal, root, player, kind)
            }
        }
    }

    /// Puts back what [`Trainer::encode`] gave for the same place.
    pub fn decode(
        &mut self,
        deal: Deal,
        root: NodeId,
        player: Player,
        kind: ArrayKind,
        array: &EncodedArray,
    ) -> Result<(), DecodeError> {
        match kind {
            ArrayKind::Strategy => self.strategy.decode(&*self.game, deal, root, player, array),
            ArrayKind::Regrets | ArrayKind::Predictions => {
                self.regrets.decode(&*self.game, deal, root, player, kind, array)
            }
        }
    }

    /// One iteration of CFR with alternating updates: each player in turn updates its regrets against the other's current
    /// strategy (Tammelin, Burch, Johanson and Bowling, *Solving heads-up limit Texas hold'em*, IJCAI 2015; Burch, Moravčík and
    /// Schmid, *Revisiting CFR+ and alternating updates*, JAIR 2019).
    pub fn iterate(&mut self) {
        let next = self.next_iteration();
        for player in Player::BOTH {
            let reach = ReachProbabilities::at_root(&*self.game, Some(player));
            self.update(player, &next, &reach);
        }
    }

    /// Begins an iteration.
    pub(crate) fn next_iteration(&mut self) -> NextIteration {
        self.iteration += 1;
        self.past.extend_to(self.iteration, &*self.schedule);
        let discounts = self.schedule.discounts(self.iteration);
        // The first iteration of an average counts in any case.
        let averages = self.iteration < AVERAGE_ALL
            || self.iteration.is_multiple_of(self.average_every)
            || self.average_weight == 0.0;
        let past = f64::from(discounts.average) * self.average_weight;
        self.average_weight = past + if averages { 1.0 } else { 0.0 };
        NextIteration {
            discounts,
            past_weight: averages.then_some((past / self.average_weight) as f32),
            average_number: self.iteration / self.average_every,
            prunes: self.prunes
                && self.schedule.keeps_negative()
                && !self.iteration.is_multiple_of(prune::REVISIT),
        }
    }

    /// Updates a player's regrets and average strategy, from these reach probabilities at the root; returns the counterfactual
    /// values of its hands there.
    pub(crate) fn update(
        &mut self,
        player: Player,
        next: &NextIteration,
        reach: &ReachProbabilities,
    ) -> Vec<Row> {
        let mut values = root_rows(&*self.game, player);
        self.updating(player, next, None, |traversal, state| {
            traversal.visit(Deal::ROOT, reach, Some(state), &mut values);
        });
        values
    }

    /// Runs a traversal that updates a player's regrets and average strategy, with the state that it may write; `branches` has
    /// the values of deals that others visit.
    pub(crate) fn updating<R>(
        &mut self,
        player: Player,
        next: &NextIteration,
        branches: Option<&BranchValues>,
        run: impl FnOnce(&Traversal<'_, G>, StateView<'_>) -> R,
    ) -> R {
        let params = IterationParams {
            schedule: &*self.schedule,
            iteration: self.iteration,
            discounts: next.discounts,
            past: &self.past,
            past_weight: next.past_weight,
            average_number: next.average_number,
            prunes: next.prunes,
        };
        let layouts = self.strategy.layouts().clone();
        let (mut regrets, opponent) = self.regrets.split(player);
        let mut average = self.strategy.rounds_mut(player);
        let rounds: [Option<DealState<'_>>; MAX_ROUNDS] =
            std::array::from_fn(|_| Some(DealState { regrets: regrets.next()?, average: average.next()? }));
        let traversal = Traversal {
            game: &*self.game,
            player,
            all_ins: AllIns::Collapsed,
            mode: Mode::UpdateRegrets(params),
            opponent: OpponentStrategy::Current(opponent),
            layout: &layouts[player.index()],
            skips: self.skips,
            branches,
        };
        run(&traversal, StateView { rounds })
    }

    /// Takes over the regrets of a trainer on a coarser tree with the same deals and hands, scaled to what `iterations`
    /// iterations weigh, and continues from there: the next iteration is the one after. Nothing counts in the average yet, and
    /// nothing is predicted. Both trainers must have the same schedule and precisions, and `counterparts` one for each node of
    /// this one's tree.
    pub fn warm_start<C: Game>(
        &mut self,
        coarse: &Trainer<C>,
        counterparts: &[Counterpart],
        iterations: u32,
    ) {
        for player in Player::BOTH {
            let transfer = RegretTransfer {
                game: &*self.game,
                coarse: &*coarse.game,
                regrets: coarse.regrets.player(player),
                player,
                schedule: &*coarse.schedule,
                coarse_iterations: coarse.iteration,
                iterations,
                counterparts,
            };
            let layouts = self.strategy.layouts().clone();
            let (mut regrets, _) = self.regrets.split(player);
            let mut average = self.strategy.rounds_mut(player);
            let rounds: [Option<DealState<'_>>; MAX_ROUNDS] = std::array::from_fn(|_| {
                Some(DealState { regrets: regrets.next()?, average: average.next()? })
            });
            transfer.run(&layouts[player.index()], StateView { rounds });
        }
        self.iteration = iterations;
        self.average_weight = 0.0;
    }
}

/// The parameters of the next iteration, by the schedule.
#[derive(Clone, Copy)]
pub(crate) struct NextIteration {
    pub discounts: Discounts,
    /// See [`IterationParams::past_weight`].
    pub past_weight: Option<f32>,
    /// See [`IterationParams::average_number`].
    pub average_number: u32,
    pub prunes: bool,
}
