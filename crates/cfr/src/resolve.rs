//! Solving a part of a game again without becoming more exploitable.
//!
//! One player, the *hero*, wants a strategy for a subgame that fits what it plays elsewhere. Its reach at the start is known, and
//! for each hand of the other, the *villain*, what a best response against the hero's former strategy was worth there.
//! If no hand of the villain gets more than that now, no way to play the whole game gains the villain anything that it
//! did not gain before, however it comes to the subgame.
//!
//! So the villain is given a choice for each hand before the subgame (Burch, Johanson and Bowling: *Solving imperfect
//! information games using decomposition*, 2014): take the former value, or play. Against that the hero learns to leave
//! every hand no better off. Of the villain's hands a small share plays in any case, as the former strategy brought
//! them there: where all hands rather take the value, that still tells the hero what to do against those that come.

use crate::simd::{Row, WIDTH, flat, flat_mut};
use crate::solver::root_reaches;
use crate::traverse::Learning;
use crate::{DcfrPlus, Game, Player, Response, Solver};

/// What the villain's hands were worth at the start of a subgame, and when the hero is good enough.
pub struct Bound<'a> {
    /// The value of a best response with each hand, counterfactual as [`Solver::root_values`] has it.
    pub values: &'a [f32],
    /// How much of each hand could come, whatever the villain plays.
    pub entries: &'a [f32],
    /// How much the villain's hands may gain in all, each as likely as it could come.
    pub tolerance: f64,
    /// The last iteration in any case.
    pub max_iterations: u32,
    /// Which share of the hands that came before plays in any case.
    pub natural: f32,
}

/// Iterations between two looks at what the villain gains.
const CHECK_EVERY: u32 = 10;

/// A solver whose average strategy of `hero` gives no hand of the villain more than the bound says, as far as the
/// tolerance and the iterations go. The weights of the game are both players' former reaches.
pub fn resolve<'g, G: Game>(game: &'g G, hero: Player, bound: &Bound<'_>) -> Solver<'g, G> {
    let mut solver = Solver::new(game, DcfrPlus::default());
    let tree = game.tree();
    let has_choices = (0..tree.round_count()).any(|round| tree.decisions(round, hero) > 0);
    let villain = hero.opponent();
    let mut choice = Choice::new(bound, game.weights(villain));
    let mut reaches = Player::BOTH.map(|player| root_reaches(game, Some(player)));
    while has_choices && solver.iteration() < bound.max_iterations {
        let learning = solver.next_iteration();
        for player in Player::BOTH {
            let reaches = &mut reaches[player.index()];
            choice.enter(&mut reaches.players[villain.index()]);
            // Nobody asks what the villain played on average.
            let past_share = learning.past_share.filter(|_| player == hero);
            let values = solver.learn(player, Learning { past_share, ..learning }, reaches);
            if player == villain {
                choice.learn(&values, learning.discounts.positive, learning.discounts.negative);
            }
        }
        if solver.iteration().is_multiple_of(CHECK_EVERY) && gain(&solver, villain, bound) <= bound.tolerance
        {
            break;
        }
    }
    solver
}

/// How much more than the bound the villain's hands can get against the hero's average strategy, in all.
fn gain<G: Game>(solver: &Solver<'_, G>, villain: Player, bound: &Bound<'_>) -> f64 {
    let best = solver.root_values(&solver.start(), villain, Response::Best);
    let hands = best[0].iter().zip(bound.values).zip(bound.entries);
    hands.map(|((&best, &value), &entry)| f64::from(entry) * f64::from((best - value).max(0.0))).sum()
}

/// For each hand of the villain, whether to play or to take the former value: regret matching between the two.
struct Choice<'a> {
    bound: &'a Bound<'a>,
    natural: &'a [f32],
    /// Regrets for not playing and for not taking.
    regrets: Vec<[f32; 2]>,
}

impl<'a> Choice<'a> {
    fn new(bound: &'a Bound<'a>, natural: &'a [f32]) -> Self {
        Self { bound, natural, regrets: vec![[0.0; 2]; natural.len()] }
    }

    fn plays(&self, hand: usize) -> f32 {
        let [play, take] = self.regrets[hand].map(|regret| regret.max(0.0));
        if play + take >= f32::MIN_POSITIVE { play / (play + take) } else { 0.5 }
    }

    /// The villain's reach of the subgame.
    fn enter(&self, reach: &mut [Row]) {
        reach.fill(Row::ZERO);
        let share = self.bound.natural;
        for (hand, to) in flat_mut(reach).iter_mut().take(self.natural.len()).enumerate() {
            *to = (1.0 - share) * self.bound.entries[hand] * self.plays(hand) + share * self.natural[hand];
        }
    }

    fn learn(&mut self, values: &[Row], positive: f32, negative: f32) {
        debug_assert!(values.len() * WIDTH >= self.regrets.len());
        for hand in 0..self.regrets.len() {
            let options = [flat(values)[hand], self.bound.values[hand]];
            let plays = self.plays(hand);
            let mean = plays * options[0] + (1.0 - plays) * options[1];
            for (regret, value) in self.regrets[hand].iter_mut().zip(options) {
                *regret = *regret * if *regret > 0.0 { positive } else { negative } + (value - mean);
            }
        }
    }
}
