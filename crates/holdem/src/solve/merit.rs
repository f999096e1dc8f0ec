//! Locks by merit: a frequency that is asked for is reached by the hands that lose least by it.
//!
//! A solution without the lock says what each action of each hand is worth. To take an action more often, hands are moved there
//! from what they do, first those that lose least by it; to take one less often, hands are moved from it to their next best
//! action, again first those that lose least. With one target this gives up as little as any way to reach it: it is the fractional
//! knapsack problem (Dantzig 1957), where the greedy order is the best one.

use super::reading::{HandView, NodeView};
use crate::betting::locks::{Lock, LockBy, MeritTarget};
use crate::{Action, Line, Player, Spot};
use noregret_cards::Hole;

/// Resolved frequencies have four digits, so that a spec can show them.
const STEPS: f64 = 10_000.0;

/// What a lock makes of the hands that it binds, and what it costs them.
#[derive(Clone, PartialEq, Debug)]
pub struct LockEffect {
    /// The line, in the tree's own words.
    pub line: Line,
    /// Whose hands are bound.
    pub player: Player,
    /// What can be done there.
    pub actions: Vec<Action>,
    /// Each hand and what it does, action by action. Hands that do not get there in the solution without the lock are left out
    /// by merit.
    pub hands: Vec<(Hole, Vec<f64>)>,
    /// How often the hands take each action without the lock, after card removal.
    pub before: Vec<f64>,
    /// The same with it.
    pub after: Vec<f64>,
    /// What the hands give up on average against an opponent who does not react, in chips.
    pub given_up: f64,
}

/// A hand that is bound, as the solution without the lock has it.
struct Held<'v> {
    hole: Hole,
    share: f64,
    evs: &'v [f64],
    /// How often it takes each action.
    plays: Vec<f64>,
}

impl LockEffect {
    /// What a lock of a spot does to the hands at its line, where a solution without it is as in `view`. None if the lock is not of
    /// this spot, or nobody decides there.
    pub fn of(spot: &Spot, lock: usize, view: &NodeView) -> Option<Self> {
        let (lock, bound) = (spot.locks().get(lock)?, spot.bound().get(lock)?);
        let (player, actions) = (view.player?, view.actions.clone());
        let targets = targets(lock, &actions);
        let hand = |hole: &Hole| view.hands[player.index()].iter().find(|hand| hand.hole == *hole);
        let held: Vec<Held<'_>> = bound.holes.iter().filter_map(|hole| Held::of(hand(hole)?)).collect();
        let before = frequencies(&held, actions.len());
        let worth = value(&held);
        let (held, hands) = match &lock.by {
            LockBy::Uniform => {
                let plays: Vec<f64> = targets.iter().map(|target| target.unwrap_or_default()).collect();
                let held: Vec<Held<'_>> =
                    held.into_iter().map(|hand| Held { plays: plays.clone(), ..hand }).collect();
                (held, bound.holes.iter().map(|&hole| (hole, plays.clone())).collect())
            }
            LockBy::Merit(merit) => {
                let moved = moved(held, &targets, merit.target);
                let hands = moved.iter().map(|hand| (hand.hole, hand.plays.clone())).collect();
                (moved, hands)
            }
        };
        let total: f64 = held.iter().map(|hand| hand.share).sum();
        Some(Self {
            line: lock.line.clone(),
            player,
            after: frequencies(&held, actions.len()),
            given_up: if total > 0.0 { (worth - value(&held)) / total } else { 0.0 },
            actions,
            hands,
            before,
        })
    }

    /// The lock with its hands as they are here.
    pub fn resolve(&self, lock: Lock) -> Lock {
        match lock.by {
            LockBy::Merit(merit) => Lock {
                by: LockBy::Merit(crate::Merit { resolved: Some(self.hands.clone()), ..merit }),
                ..lock
            },
            LockBy::Uniform => lock,
        }
    }
}

impl<'v> Held<'v> {
    /// A hand that gets there and has an opponent.
    fn of(hand: &'v HandView) -> Option<Self> {
        let plays = hand.strategy.clone().filter(|_| hand.share > 0.0)?;
        Some(Self { hole: hand.hole, share: hand.share, evs: hand.root_action_evs.as_ref()?, plays })
    }

    /// The action that is worth most among some.
    fn best(&self, among: impl Iterator<Item = usize>) -> Option<usize> {
        among.max_by(|&a, &b| self.evs[a].total_cmp(&self.evs[b]).then(b.cmp(&a)))
    }
}

/// The number of each action that a lock names.
fn targets(lock: &Lock, actions: &[Action]) -> Vec<Option<f64>> {
    let number = |action: &Action| {
        let named = lock.strategy.iter().find(|(step, _)| *step == crate::Step::Action(*action));
        named.map(|&(_, number)| number)
    };
    actions.iter().map(number).collect()
}

/// How often hands take each action.
fn frequencies(held: &[Held<'_>], actions: usize) -> Vec<f64> {
    let total: f64 = held.iter().map(|hand| hand.share).sum();
    let sum = |action: usize| held.iter().map(|hand| hand.share * hand.plays[action]).sum::<f64>();
    (0..actions).map(|action| if total > 0.0 { sum(action) / total } else { 0.0 }).collect()
}

/// What hands expect, all together.
fn value(held: &[Held<'_>]) -> f64 {
    let ev = |hand: &Held<'_>| hand.plays.iter().zip(hand.evs).map(|(play, ev)| play * ev).sum::<f64>();
    held.iter().map(|hand| hand.share * ev(hand)).sum()
}

/// Some of a hand that can be moved from one action to another, and what it loses by it.
struct Move {
    hand: usize,
    from: usize,
    to: usize,
    loss: f64,
}

/// The hands, moved to the targets action by action. An action whose target is reached is not touched again.
fn moved<'v>(mut held: Vec<Held<'v>>, targets: &[Option<f64>], target: MeritTarget) -> Vec<Held<'v>> {
    let total: f64 = held.iter().map(|hand| hand.share).sum();
    let before = frequencies(&held, targets.len());
    let mut is_free = vec![true; targets.len()];
    let mut fixed = 0.0;
    for (action, &number) in targets.iter().enumerate() {
        let Some(number) = number else { continue };
        let wanted = match target {
            MeritTarget::Frequency => number,
            MeritTarget::Change => before[action] + number,
        };
        let wanted = wanted.clamp(0.0, 1.0 - fixed);
        is_free[action] = false;
        let now: f64 = held.iter().map(|hand| hand.share * hand.plays[action]).sum();
        let missing = wanted * total - now;
        let free = |other: &usize| is_free[*other];
        let mut moves: Vec<Move> = Vec::new();
        for (hand, held) in held.iter().enumerate() {
            let others = (0..targets.len()).filter(free);
            let ways: Vec<(usize, usize)> = if missing > 0.0 {
                others.map(|from| (from, action)).collect()
            } else {
                held.best(others).map(|to| (action, to)).into_iter().collect()
            };
            moves.extend(
                ways.into_iter().filter(|&(from, _)| held.plays[from] > 0.0).map(|(from, to)| Move {
                    hand,
                    from,
                    to,
                    loss: held.evs[from] - held.evs[to],
                }),
            );
        }
        make(&mut held, moves, missing.abs());
        let reached: f64 = held.iter().map(|hand| hand.share * hand.plays[action]).sum();
        fixed += if total > 0.0 { reached / total } else { 0.0 };
    }
    held.iter_mut().for_each(|hand| hand.plays = rounded(&hand.plays));
    held
}

/// Makes moves from the least loss on, until so much has been moved. Hands that lose the same are moved alike, so that hands which
/// differ in the names of their suits stay the same.
fn make(held: &mut [Held<'_>], mut moves: Vec<Move>, mut left: f64) {
    moves.sort_by(|a, b| a.loss.total_cmp(&b.loss));
    for alike in moves.chunk_by(|a, b| a.loss == b.loss) {
        let mass: f64 =
            alike.iter().map(|step| held[step.hand].share * held[step.hand].plays[step.from]).sum();
        let part = if mass > 0.0 { (left / mass).min(1.0) } else { 0.0 };
        for step in alike {
            let plays = &mut held[step.hand].plays;
            let play = part * plays[step.from];
            plays[step.from] -= play;
            plays[step.to] += play;
        }
        left -= part * mass;
        if left <= 0.0 {
            return;
        }
    }
}

/// Frequencies with four digits that add up to 1.
fn rounded(plays: &[f64]) -> Vec<f64> {
    let mut steps: Vec<f64> = plays.iter().map(|play| (play * STEPS).round()).collect();
    let rest = STEPS - steps.iter().sum::<f64>();
    let largest = (0..steps.len()).max_by(|&a, &b| steps[a].total_cmp(&steps[b]).then(b.cmp(&a)));
    if let Some(largest) = largest {
        steps[largest] += rest;
    }
    steps.into_iter().map(|step| step / STEPS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held<'v>(hands: &'v [(&str, f64, [f64; 3], [f64; 3])]) -> Vec<Held<'v>> {
        let hand = |(hole, share, plays, evs): &'v (&str, f64, [f64; 3], [f64; 3])| Held {
            hole: hole.parse().unwrap(),
            share: *share,
            evs,
            plays: plays.to_vec(),
        };
        hands.iter().map(hand).collect()
    }

    fn plays(held: Vec<Held<'_>>, targets: &[Option<f64>], target: MeritTarget) -> Vec<Vec<f64>> {
        moved(held, targets, target).into_iter().map(|hand| hand.plays).collect()
    }

    /// Fold, call and raise of four hands that are as likely; the first is the worst.
    const HANDS: [(&str, f64, [f64; 3], [f64; 3]); 4] = [
        ("3c2d", 1.0, [1.0, 0.0, 0.0], [0.0, -8.0, -2.0]),
        ("7c6c", 1.0, [0.5, 0.5, 0.0], [0.0, 0.0, -1.0]),
        ("AcQd", 1.0, [0.0, 1.0, 0.0], [0.0, 9.0, 4.0]),
        ("AcAd", 1.0, [0.0, 0.0, 1.0], [0.0, 20.0, 30.0]),
    ];

    #[test]
    fn the_worst_hands_fold_first() {
        let fold = |share| plays(held(&HANDS), &[Some(share), None, None], MeritTarget::Frequency);
        assert_eq!(fold(0.5)[1..3], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        assert_eq!(fold(0.625)[2..], [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]);
        assert_eq!(fold(1.0), vec![vec![1.0, 0.0, 0.0]; 4]);
    }

    #[test]
    fn hands_that_are_to_do_less_of_something_do_their_next_best() {
        let never_raise = plays(held(&HANDS), &[None, None, Some(0.0)], MeritTarget::Frequency);
        assert_eq!(never_raise[3], [0.0, 1.0, 0.0]);
        assert_eq!(never_raise[0], [1.0, 0.0, 0.0]);
        // Those who have to fold less call with what loses least by it.
        let fewer_folds = plays(held(&HANDS), &[Some(0.25), None, None], MeritTarget::Frequency);
        assert_eq!(fewer_folds[..2], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    }

    #[test]
    fn changes_count_from_what_was_done_and_stop_at_all_or_nothing() {
        let more_calls = plays(held(&HANDS), &[None, Some(0.125), None], MeritTarget::Change);
        assert_eq!(more_calls[1], [0.0, 1.0, 0.0]);
        let all = plays(held(&HANDS), &[None, Some(1.0), None], MeritTarget::Change);
        assert!(all.iter().all(|plays| plays[1] == 1.0), "{all:?}");
    }

    #[test]
    fn hands_that_lose_the_same_are_moved_alike() {
        let same = [
            ("AcKc", 1.0, [0.0, 1.0, 0.0], [0.0, 5.0, 0.0]),
            ("AdKd", 1.0, [0.0, 1.0, 0.0], [0.0, 5.0, 0.0]),
        ];
        let half = plays(held(&same), &[Some(0.25), None, None], MeritTarget::Frequency);
        assert_eq!(half, [[0.25, 0.75, 0.0], [0.25, 0.75, 0.0]]);
    }

    #[test]
    fn all_targets_are_reached_together() {
        let targets = [Some(0.5), Some(0.375), Some(0.125)];
        let moved = moved(held(&HANDS), &targets, MeritTarget::Frequency);
        assert_eq!(frequencies(&moved, 3), [0.5, 0.375, 0.125]);
    }

    #[test]
    fn frequencies_are_rounded_to_what_adds_up() {
        assert_eq!(rounded(&[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]), [0.3334, 0.3333, 0.3333]);
    }
}
