//! Re-solving a subgame without becoming more exploitable.
//!
//! One player, the *hero*, wants a strategy for a subgame that fits what it plays elsewhere. Its reach probabilities at the start are
//! known, and for each hand of the opponent the counterfactual best-response value against the hero's former strategy. If no hand
//! of the opponent gets more than that now, no strategy for the whole game gains the opponent anything that it did not gain
//! before.
//!
//! So a gadget gives the opponent a choice for each hand before the subgame (Burch, Johanson and Bowling, *Solving imperfect
//! information games using decomposition*, 2014): terminate with the former value, or follow into the subgame. Against that the
//! hero's regrets make every hand no better off. A share of the opponent's hands follows in any case, with the reach
//! probabilities of the former strategy: where all hands would rather terminate, it still says what to play against them.

use crate::profile::sum_over_hands;
use crate::reach::ReachProbabilities;
use crate::simd::{Row, WIDTH, flat, flat_mut};
use crate::trainer::{NextIteration, Trainer};
use crate::{DcfrPlus, Deal, Game, Player, Response, Strategy};
use std::sync::Arc;

/// The values of the opponent's hands at the start of a subgame, and the stop condition.
pub struct ResolveBound<'a> {
    /// The counterfactual best-response value of each hand, as [`Profile::root_values`](crate::Profile::root_values) has it.
    pub values: &'a [f32],
    /// The largest reach probability that each hand can have, whatever the opponent plays.
    pub entries: &'a [f32],
    /// How much the opponent's hands may gain in all, each weighted by its entry.
    pub tolerance: f64,
    /// The last iteration in any case.
    pub max_iterations: u32,
    /// Which share of the opponent's hands follows into the subgame in any case.
    pub natural: f32,
}

/// Iterations from one measurement of the opponent's gain to the next.
const CHECK_EVERY: u32 = 10;

/// Strategies of a subgame of which `hero`'s gives no hand of the opponent more than the bound says, as far as the tolerance and the
/// iterations allow; the opponent's is of no use. The weights of the game are both players' former reach probabilities.
pub fn resolve<G: Game>(game: &Arc<G>, hero: Player, bound: &ResolveBound<'_>) -> Strategy {
    let mut trainer = Trainer::new(game.clone(), DcfrPlus::default());
    let tree = game.tree();
    let has_choices = (0..tree.round_count()).any(|round| tree.decisions(round, hero) > 0);
    let opponent = hero.opponent();
    let mut gadget = Gadget::new(bound, game.weights(opponent));
    let mut reach = Player::BOTH.map(|player| ReachProbabilities::at_root(&**game, Some(player)));
    while has_choices && trainer.iteration() < bound.max_iterations {
        let next = trainer.next_iteration();
        for player in Player::BOTH {
            let reach = &mut reach[player.index()];
            gadget.enter(&mut reach.players[opponent.index()]);
            // The opponent's average strategy is not needed.
            let past_weight = next.past_weight.filter(|_| player == hero);
            let values = trainer.update(player, &NextIteration { past_weight, ..next }, reach);
            if player == opponent {
                gadget.update_regrets(&values, next.discounts.positive, next.discounts.negative);
            }
        }
        let is_due = trainer.iteration().is_multiple_of(CHECK_EVERY);
        if is_due && gain(&trainer, opponent, bound) <= bound.tolerance {
            break;
        }
    }
    trainer.into_strategy()
}

/// The sum over the opponent's hands of how much more than the bound each can get against the hero's average strategy.
fn gain<G: Game>(trainer: &Trainer<G>, opponent: Player, bound: &ResolveBound<'_>) -> f64 {
    let profile = trainer.average();
    let best = profile.root_values(&profile.start(), opponent, Response::Best);
    let hands = best[0].iter().zip(bound.values).zip(bound.entries);
    let gains = hands.map(|((&best, &value), &entry)| f64::from(entry) * f64::from((best - value).max(0.0)));
    sum_over_hands(trainer.game().orbit_sizes(Deal::ROOT, opponent), gains)
}

/// For each hand of the opponent, whether to follow into the subgame or to terminate: regret matching between the two.
struct Gadget<'a> {
    bound: &'a ResolveBound<'a>,
    natural: &'a [f32],
    /// Cumulative regrets of following and of terminating.
    regrets: Vec<[f32; 2]>,
}

impl<'a> Gadget<'a> {
    fn new(bound: &'a ResolveBound<'a>, natural: &'a [f32]) -> Self {
        Self { bound, natural, regrets: vec![[0.0; 2]; natural.len()] }
    }

    /// The probability of following.
    fn follows(&self, hand: usize) -> f32 {
        let [follow, terminate] = self.regrets[hand].map(|regret| regret.max(0.0));
        if follow + terminate >= f32::MIN_POSITIVE { follow / (follow + terminate) } else { 0.5 }
    }

    /// Sets the opponent's reach probabilities at the start of the subgame.
    fn enter(&self, reach: &mut [Row]) {
        reach.fill(Row::ZERO);
        let share = self.bound.natural;
        for (hand, to) in flat_mut(reach).iter_mut().take(self.natural.len()).enumerate() {
            *to = (1.0 - share) * self.bound.entries[hand] * self.follows(hand) + share * self.natural[hand];
        }
    }

    fn update_regrets(&mut self, values: &[Row], positive: f32, negative: f32) {
        debug_assert!(values.len() * WIDTH >= self.regrets.len());
        for hand in 0..self.regrets.len() {
            let options = [flat(values)[hand], self.bound.values[hand]];
            let follows = self.follows(hand);
            let mean = follows * options[0] + (1.0 - follows) * options[1];
            for (regret, value) in self.regrets[hand].iter_mut().zip(options) {
                *regret = *regret * if *regret > 0.0 { positive } else { negative } + (value - mean);
            }
        }
    }
}
