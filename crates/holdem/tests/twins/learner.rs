//! The twin of the solver: Discounted CFR, a pair of hands at a time.

use crate::twin::{Infoset, Profile, Twin};
use noregret_cfr::{Dcfr, Player, Schedule};
use noregret_holdem::cards::{Board, Hole};
use noregret_holdem::{BettingNodeKind, BettingTree, NodeId};
use std::collections::{HashMap, HashSet};

/// How near to zero the best regret may come, in pots, before rounding decides what is played next.
const CLOSE: f64 = 1e-4;

/// Regrets and strategy sums of both players.
pub struct Learner<'t> {
    twin: &'t Twin,
    schedule: Dcfr,
    iteration: u32,
    regrets: HashMap<Infoset, Vec<f64>>,
    sums: HashMap<Infoset, Vec<f64>>,
    /// Whether some hand was so close to indifferent that rounding decides what it plays.
    pub close_call: bool,
}

/// What one walk of one player adds.
#[derive(Default)]
struct Lesson {
    regrets: HashMap<Infoset, Vec<f64>>,
    played: HashMap<Infoset, Vec<f64>>,
    /// Where the opponent gets with some hand.
    reached: HashSet<(NodeId, Board)>,
}

impl<'t> Learner<'t> {
    pub fn new(twin: &'t Twin, schedule: Dcfr) -> Self {
        let (regrets, sums) = (HashMap::new(), HashMap::new());
        Self { twin, schedule, iteration: 0, regrets, sums, close_call: false }
    }

    pub fn iterate(&mut self) {
        self.iteration += 1;
        for player in Player::BOTH {
            let mut lesson = Lesson::default();
            for (holes, weights) in self.twin.deals() {
                let board = self.twin.spot.board();
                self.walk(&mut lesson, player, BettingTree::ROOT, board, holes, weights);
            }
            self.learn(lesson);
        }
    }

    /// What `player` expects from here with these hands; `reaches` are both players' own.
    fn walk(
        &self,
        lesson: &mut Lesson,
        player: Player,
        node: NodeId,
        board: &Board,
        holes: [Hole; 2],
        reaches: [f64; 2],
    ) -> f64 {
        let tree = &self.twin.tree;
        let actor = match tree[node].kind {
            BettingNodeKind::Fold(_) | BettingNodeKind::Showdown => {
                return self.twin.payoff(node, board, holes, player);
            }
            BettingNodeKind::Chance => {
                let (cards, chance) = self.twin.cards(board, holes);
                let next = tree[node].first_child;
                let after =
                    |card| self.walk(lesson, player, next, &board.with(card).unwrap(), holes, reaches);
                return cards.into_iter().map(after).sum::<f64>() * chance;
            }
            BettingNodeKind::Decision(actor) => actor,
        };
        let infoset = (node, *board, holes[actor.index()]);
        let strategy = self.current(infoset);
        let mut values = Vec::new();
        for (child, share) in tree.children(node).zip(&strategy) {
            let mut reaches = reaches;
            reaches[actor.index()] *= share;
            values.push(self.walk(lesson, player, child, board, holes, reaches));
        }
        let mean = values.iter().zip(&strategy).map(|(value, share)| value * share).sum();
        if actor == player {
            let opponent = reaches[player.opponent().index()];
            let regrets = lesson.regrets.entry(infoset).or_insert_with(|| vec![0.0; values.len()]);
            for (regret, value) in regrets.iter_mut().zip(&values) {
                *regret += opponent * (value - mean);
            }
            if opponent > 0.0 {
                lesson.reached.insert((node, *board));
            }
            // The same for every hand of the opponent, so it counts once.
            let own = reaches[player.index()];
            lesson.played.insert(infoset, strategy.iter().map(|share| own * share).collect());
        }
        mean
    }

    /// The lock of a hand that has one; regret matching otherwise.
    fn current(&self, infoset: Infoset) -> Vec<f64> {
        if let Some(lock) = self.twin.locks.get(&infoset) {
            return lock.clone();
        }
        let actions = usize::from(self.twin.tree[infoset.0].child_count);
        let positive: Vec<f64> = match self.regrets.get(&infoset) {
            Some(regrets) => regrets.iter().map(|regret| regret.max(0.0)).collect(),
            None => vec![0.0; actions],
        };
        normalized(&positive).unwrap_or_else(|| vec![1.0 / actions as f64; actions])
    }

    fn learn(&mut self, lesson: Lesson) {
        let discounts = self.schedule.discounts(self.iteration);
        for (infoset, new) in lesson.regrets {
            let regrets = self.regrets.entry(infoset).or_insert_with(|| vec![0.0; new.len()]);
            for (regret, new) in regrets.iter_mut().zip(new) {
                let factor = if *regret > 0.0 { discounts.positive } else { discounts.negative };
                *regret = *regret * f64::from(factor) + new;
            }
            let best = regrets.iter().fold(f64::NEG_INFINITY, |best, &regret| best.max(regret));
            // Where the opponent does get, a hand that meets none of it has regrets made of rounding alone.
            let live = regrets.iter().any(|&regret| regret != 0.0)
                || lesson.reached.contains(&(infoset.0, infoset.1));
            let free = !self.twin.locks.contains_key(&infoset);
            self.close_call |= free && live && best.abs() < CLOSE * self.twin.pot();
        }
        // From the tenth iteration on, every other one counts in the average.
        let counts = if self.iteration < 10 || self.iteration.is_multiple_of(2) { 1.0 } else { 0.0 };
        for (infoset, new) in lesson.played {
            let sums = self.sums.entry(infoset).or_insert_with(|| vec![0.0; new.len()]);
            for (sum, new) in sums.iter_mut().zip(new) {
                *sum = *sum * f64::from(discounts.average) + counts * new;
            }
        }
    }

    /// The average strategies.
    pub fn profile(&self) -> Profile {
        let most = self.sums.values().map(|sums| sums.iter().sum()).fold(0.0, f64::max);
        // Shares of 32 bits cannot tell what hardly ever happens from what never does.
        let reached = |(_, sums): &(&Infoset, &Vec<f64>)| sums.iter().sum::<f64>() > 1e-5 * most;
        let average = |(&infoset, sums): (&Infoset, &Vec<f64>)| Some((infoset, normalized(sums)?));
        self.sums.iter().filter(reached).filter_map(average).collect()
    }
}

/// The shares of the sum, if there is one.
fn normalized(numbers: &[f64]) -> Option<Vec<f64>> {
    let sum: f64 = numbers.iter().sum();
    (sum > 0.0).then(|| numbers.iter().map(|number| number / sum).collect())
}
