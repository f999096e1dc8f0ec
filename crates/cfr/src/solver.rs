//! Iterations, and what they have led to.

use crate::kernels::blocks;
use crate::simd::{Row, flat, flat_mut};
use crate::state::{Memory, StateBytes, Storage};
use crate::traverse::{Aim, Follow, Learning, Reaches, Traversal};
use crate::tree::Way;
use crate::{Deal, Game, Kept, Player, Precision, Schedule, prune};
use rayon::prelude::*;

/// A game being solved: the regrets and average strategies of both players.
pub struct Solver<'g, G> {
    pub(crate) game: &'g G,
    pub(crate) memories: [Memory; 2],
    pub(crate) schedule: Box<dyn Schedule>,
    pub(crate) iteration: u32,
    /// What all iterations so far count in the average, if the last one counts as one.
    pub(crate) average_weight: f64,
    /// One of so many iterations counts in the average.
    average_every: u32,
    /// Whether actions that no hand wants are left out now and then.
    prunes: bool,
    /// Whether what cannot matter is left out.
    skips: bool,
}

/// Iterations before this one all count in the average.
const AVERAGE_ALL: u32 = 10;

/// Which of the iterations count in the average. Neighbours are so alike that every other one will do, which saves time and rounds half
/// as often; strategies of 4 bits, which suffer most from rounding, take a third. Schedules that predict swing too much for that.
fn average_every(storage: &Storage, predicts: bool) -> u32 {
    match (predicts, storage.strategy.contains(&Precision::Bits4)) {
        (true, _) => 1,
        (false, false) => 2,
        (false, true) => 3,
    }
}

impl<'g, G: Game> Solver<'g, G> {
    /// A solver that has not learned anything, with 32-bit floats.
    pub fn new(game: &'g G, schedule: impl Schedule + 'static) -> Self {
        Self::with_storage(game, schedule, &Storage::default())
    }

    /// A solver that stores its numbers in other precisions; allocates [`state_bytes`](crate::state_bytes).
    pub fn with_storage(game: &'g G, schedule: impl Schedule + 'static, storage: &Storage) -> Self {
        let predicts = schedule.foresight() > 0.0;
        let signed = predicts || schedule.keeps_negative();
        let memories = Player::BOTH.map(|player| Memory::new(game, player, storage, signed, predicts));
        Self {
            game,
            memories,
            schedule: Box::new(schedule),
            iteration: 0,
            average_weight: 0.0,
            average_every: average_every(storage, predicts),
            prunes: false,
            skips: true,
        }
    }

    /// Leaves out actions that no hand wants in most iterations. A schedule that keeps no negative regrets cannot tell them.
    #[must_use]
    pub fn pruning(self, prunes: bool) -> Self {
        Self { prunes, ..self }
    }

    /// Visits also what cannot matter. The answer is the same, which is what this is good for.
    #[doc(hidden)]
    #[must_use]
    pub fn visiting_everything(self) -> Self {
        Self { skips: false, ..self }
    }

    /// What its numbers take, as allocated.
    pub fn bytes(&self) -> StateBytes {
        let [first, second] = self.memories.each_ref().map(Memory::bytes);
        StateBytes { regrets: first.regrets + second.regrets, strategy: first.strategy + second.strategy }
    }

    /// The game.
    pub fn game(&self) -> &'g G {
        self.game
    }

    /// How many iterations have been made.
    pub fn iteration(&self) -> u32 {
        self.iteration
    }

    /// Lets each player in turn learn from a walk against the other's current strategy.
    pub fn iterate(&mut self) {
        let learning = self.next_iteration();
        for player in Player::BOTH {
            self.learn(player, learning, &root_reaches(self.game, Some(player)));
        }
    }

    /// Counts an iteration, and says how players learn in it.
    pub(crate) fn next_iteration(&mut self) -> Learning {
        self.iteration += 1;
        let discounts = self.schedule.discounts(self.iteration);
        // The first that an average has counts in any case.
        let averages = self.iteration < AVERAGE_ALL
            || self.iteration.is_multiple_of(self.average_every)
            || self.average_weight == 0.0;
        let past = f64::from(discounts.average) * self.average_weight;
        self.average_weight = past + if averages { 1.0 } else { 0.0 };
        Learning {
            iteration: self.iteration,
            discounts,
            past_share: averages.then_some((past / self.average_weight) as f32),
            keeps_negative: self.schedule.keeps_negative(),
            prunes: self.prunes
                && self.schedule.keeps_negative()
                && !self.iteration.is_multiple_of(prune::REVISIT),
        }
    }

    /// Lets a player learn from a walk that starts with these reaches; what its hands were worth.
    pub(crate) fn learn(&mut self, player: Player, learning: Learning, reaches: &Reaches) -> Vec<Row> {
        let [first, second] = &mut self.memories;
        let (own, opponent) = match player {
            Player::First => (first, &*second),
            Player::Second => (second, &*first),
        };
        let (layout, view) = own.view();
        let traversal = Traversal {
            game: self.game,
            player,
            way: Way::Short,
            aim: Aim::Learn(learning),
            opponent,
            opponent_plays: Follow::Current,
            layout,
            schedule: &*self.schedule,
            skips: self.skips,
        };
        let mut values = root_rows(self.game, player);
        traversal.visit(Deal::ROOT, reaches, Some(view), &mut values);
        values
    }

    /// What a player gets, per deal, when both follow their average strategies.
    pub fn expected_value(&self, player: Player) -> f64 {
        self.mean(player, Aim::Follow(&self.memories[player.index()]))
    }

    /// What a player gets, per deal, with a best response to the other's average strategy.
    pub fn best_response_value(&self, player: Player) -> f64 {
        self.mean(player, Aim::BestRespond)
    }

    /// Half of what two best responders would gain over the average strategies.
    pub fn exploitability(&self) -> f64 {
        let best: f64 = Player::BOTH.iter().map(|&player| self.best_response_value(player)).sum();
        let now = self
            .game
            .constant_sum()
            .unwrap_or_else(|| Player::BOTH.iter().map(|&player| self.expected_value(player)).sum());
        // Rounding may leave a little less than nothing.
        ((best - now) / 2.0).max(0.0)
    }

    /// A hash of the stored average strategies: equal digests mean equal solutions. It goes through them deal by deal and root tree by
    /// root tree, so that it does not depend on how they lie in memory.
    pub fn digest(&self) -> String {
        let tree = self.game.tree();
        let mut hasher = blake3::Hasher::new();
        for round in 0..tree.round_count() {
            let roots = tree.roots(round);
            let deal = |index| {
                let mut hasher = blake3::Hasher::new();
                for &root in &roots {
                    for player in Player::BOTH {
                        let numbers = self.numbers(Deal { round, index }, root, player, Kept::Strategy);
                        hasher.update(&numbers.alive).update(&numbers.numbers);
                    }
                }
                hasher.finalize()
            };
            let deals: Vec<blake3::Hash> =
                (0..self.game.deal_count(round)).into_par_iter().map(deal).collect();
            deals.iter().for_each(|deal| {
                hasher.update(deal.as_bytes());
            });
        }
        hasher.finalize().to_hex()[..32].to_owned()
    }

    fn mean(&self, player: Player, aim: Aim<'_>) -> f64 {
        let mut values = root_rows(self.game, player);
        let traversal = Traversal { way: Way::Short, ..self.averaged(player, aim) };
        traversal.visit(Deal::ROOT, &root_reaches(self.game, None), None, &mut values);
        let weights = self.game.weights(player).iter();
        let sum: f64 =
            weights.zip(flat(&values)).map(|(&weight, &value)| f64::from(weight) * f64::from(value)).sum();
        sum / self.game.total_weight()
    }

    /// A traversal of `player` against the opponent's average strategy.
    pub(crate) fn averaged<'a>(&'a self, player: Player, aim: Aim<'a>) -> Traversal<'a, G> {
        Traversal {
            game: self.game,
            player,
            way: Way::Whole,
            aim,
            opponent: &self.memories[player.opponent().index()],
            opponent_plays: Follow::Average,
            layout: &self.memories[player.index()].layout,
            schedule: &*self.schedule,
            skips: self.skips,
        }
    }
}

fn root_rows<G: Game>(game: &G, player: Player) -> Vec<Row> {
    vec![Row::ZERO; blocks(game.hand_count(Deal::ROOT, player))]
}

/// The weights of all hands, as the reaches of the one root of the first deal.
pub(crate) fn root_reaches<G: Game>(game: &G, learner: Option<Player>) -> Reaches {
    let players = Player::BOTH.map(|player| {
        let mut rows = root_rows(game, player);
        let weights = game.weights(player);
        flat_mut(&mut rows)[..weights.len()].copy_from_slice(weights);
        rows
    });
    let average = learner.map(|player| players[player.index()].clone()).unwrap_or_default();
    Reaches { players, average }
}
