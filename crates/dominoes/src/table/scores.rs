//! Which scores go with which positions.

use crate::position::{Position, TOTAL_POINTS};
use crate::seat::Seat;
use crate::solver::level::{TRICKS, bits, hand_of_lane, hands_of_row};
use crate::solver::rule_tables::RuleTables;
use crate::solver::trick_traversal::{PlayableLanes, PlayedTrick, TrickFold, TrickTraversal};
use crate::table::Table;

/// Team 0 can have 0 to 42 points.
const SCORES: usize = TOTAL_POINTS as usize + 1;

/// For every reachable position between tricks, the set of Team 0's possible scores there, a bit for each.
pub(crate) struct Scores {
    levels: [Vec<u64>; TRICKS + 1],
}

impl Scores {
    /// The scores of every position.
    pub(crate) fn new(table: &Table) -> Self {
        Self::toward(table, [0; 4])
    }

    /// The scores of the positions that can lead to these hands, and of the hands themselves.
    pub(crate) fn toward(table: &Table, target: [u8; 4]) -> Self {
        let mut levels: [Vec<u64>; TRICKS + 1] = Default::default();
        let mut level = ScoredLanes::empty(&table.reach().levels[TRICKS]);
        // Before the first trick Team 0 has no points.
        level.rows[0][0] = table.reach().levels[TRICKS][0];
        levels[TRICKS] = level.by_position(table, TRICKS);
        for k in (1 + target[1].count_ones() as usize..=TRICKS).rev() {
            let mut next = ScoredLanes::empty(&table.reach().levels[k - 1]);
            pulp::Arch::new().dispatch(ScorePass { table, k, target, level: &level, next: &mut next });
            levels[k - 1] = next.by_position(table, k - 1);
            level = next;
        }
        Self { levels }
    }

    /// The scores at a position between tricks, if it is reachable.
    pub(crate) fn at(&self, table: &Table, held: [u8; 4], leader: usize) -> Option<u64> {
        let k = held[1].count_ones() as usize;
        table.index(k, held, leader).and_then(|index| self.levels[k].get(index).copied())
    }

    /// The scores of a level, in the order of [`for_each_position`].
    pub(crate) fn level(&self, k: usize) -> &[u64] {
        &self.levels[k]
    }
}

/// Visits a level's reachable positions in the order of their values.
pub(crate) fn for_each_position(table: &Table, k: usize, mut visit: impl FnMut([u8; 4], usize)) {
    for (number, &lanes) in table.reach().levels[k].iter().enumerate().filter(|(_, lanes)| **lanes != 0) {
        let (mut held, leader) = hands_of_row(k, number);
        for lane in bits(lanes) {
            held[0] = hand_of_lane(k, lane);
            visit(held, leader);
        }
    }
}

/// A level's reachable rows, each with the lanes that occur with each score.
struct ScoredLanes {
    /// By number of the row among all: its place among the reachable ones.
    places: Vec<u32>,
    rows: Vec<[u64; SCORES]>,
}

impl ScoredLanes {
    fn empty(reach: &[u64]) -> Self {
        let mut count = 0;
        let places = reach.iter().map(|&lanes| {
            let place = count;
            count += u32::from(lanes != 0);
            place
        });
        Self { places: places.collect(), rows: vec![[0; SCORES]; count as usize] }
    }

    /// The set of scores of each position, in the order of [`for_each_position`].
    fn by_position(&self, table: &Table, k: usize) -> Vec<u64> {
        let mut sets = vec![0; table.points(k).len()];
        let mut from = 0;
        let reach = table.reach().levels[k].iter().filter(|lanes| **lanes != 0);
        for (&reach, row) in reach.zip(&self.rows) {
            for (score, &lanes) in row.iter().enumerate().filter(|(_, lanes)| **lanes != 0) {
                for lane in bits(lanes) {
                    let below = (reach & ((1 << lane) - 1)).count_ones() as usize;
                    sets[from + below] |= 1 << score;
                }
            }
            from += reach.count_ones() as usize;
        }
        sets
    }
}

/// The forward pass over one level, with a set of lanes for each score: a trick moves all of them alike.
struct ScorePass<'a> {
    table: &'a Table,
    k: usize,
    target: [u8; 4],
    level: &'a ScoredLanes,
    next: &'a mut ScoredLanes,
}

impl pulp::NullaryFnOnce for ScorePass<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { table, k, target, level, next } = self;
        let rules = table.rules();
        let playable = PlayableLanes::new(rules, k);
        for (triple, leaders) in table.reach().levels[k].chunks_exact(4).enumerate() {
            let (held, _) = hands_of_row(k, 4 * triple);
            let leads_there = (1..4).all(|seat| held[seat] & target[seat] == target[seat]);
            if leaders == [0; 4] || !leads_there {
                continue;
            }
            let trick = TrickTraversal::new(rules, &playable, k, held);
            for (leader, &lanes) in leaders.iter().enumerate().filter(|(_, lanes)| **lanes != 0) {
                let row = &level.rows[level.places[4 * triple + leader] as usize];
                let mut mark = MarkScores::new(row, next);
                match leader {
                    0 => trick.fold::<0, 1, 2, 3, _>(lanes, &mut mark),
                    1 => trick.fold::<1, 2, 3, 0, _>(lanes, &mut mark),
                    2 => trick.fold::<2, 3, 0, 1, _>(lanes, &mut mark),
                    _ => trick.fold::<3, 0, 1, 2, _>(lanes, &mut mark),
                }
            }
        }
    }
}

/// Adds the lanes of every score of one row, moved by a finished trick, to the row that it leads to.
struct MarkScores<'a> {
    row: &'a [u64; SCORES],
    /// The scores that the row occurs with lie between these, the second excluded.
    low: usize,
    high: usize,
    next: &'a mut ScoredLanes,
}

impl<'a> MarkScores<'a> {
    #[inline(always)]
    fn new(row: &'a [u64; SCORES], next: &'a mut ScoredLanes) -> Self {
        let low = row.iter().position(|&lanes| lanes != 0).unwrap_or(0);
        let high = row.iter().rposition(|&lanes| lanes != 0).map_or(0, |last| last + 1);
        Self { row, low, high, next }
    }
}

impl TrickFold for MarkScores<'_> {
    type Value = ();

    #[inline(always)]
    fn finish(&mut self, trick: PlayedTrick) {
        let gain = usize::from(trick.state.gain());
        // No position has a score that the trick lifts above 42, but lanes that did not play this trick may.
        let high = self.high.min(SCORES.saturating_sub(gain));
        if self.low >= high {
            return;
        }
        let before = trick.lanes << trick.shift;
        let place = self.next.places[4 * trick.triple + trick.state.winner()] as usize;
        let next = &mut self.next.rows[place][self.low + gain..high + gain];
        for (next, lanes) in next.iter_mut().zip(&self.row[self.low..high]) {
            *next |= (lanes & before) >> trick.shift;
        }
    }

    #[inline(always)]
    fn start<const SEAT: usize>(&self) {}

    #[inline(always)]
    fn add_lead<const SEAT: usize>(&self, (): (), (): (), _: usize) {}

    #[inline(always)]
    fn add_follow<const SEAT: usize>(&self, (): (), (): (), _: usize, _: usize) {}
}

/// How many positions there are from a position between tricks to just before the trick's last play, by plays made.
pub(crate) fn prefixes(rules: &RuleTables, position: &Position) -> [u64; 4] {
    let leader = position.leader();
    let held = |seat: Seat| position.remaining(seat);
    let mut counts = [1, 0, 0, 0];
    for local in bits(u64::from(held(leader))) {
        let suit = rules.lead(leader.index(), local as usize).suit;
        let choices = |i: usize| {
            let seat = leader.after(i);
            u64::from(rules.legal(suit, seat.index(), held(seat)).count_ones())
        };
        counts[1] += 1;
        counts[2] += choices(1);
        counts[3] += choices(1) * choices(2);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::Deal;
    use crate::solver::rule_tables::TrickState;
    use crate::table::Threads;

    /// Visits every legal trick from a position: what is left of the hands, and how it ended.
    fn for_each_trick(
        rules: &RuleTables,
        held: [u8; 4],
        leader: usize,
        mut visit: impl FnMut([u8; 4], TrickState),
    ) {
        let seats = [0, 1, 2, 3].map(|i| (leader + i) % 4);
        let play = |held: [u8; 4], seat: usize, local: u32| {
            let mut rest = held;
            rest[seat] &= !(1 << local);
            rest
        };
        let legal =
            |trick: TrickState, seat: usize| bits(u64::from(rules.legal(trick.suit, seat, held[seat])));
        for a in bits(u64::from(held[leader])) {
            let (rest, trick) = (play(held, leader, a), rules.lead(leader, a as usize));
            for b in legal(trick, seats[1]) {
                let (rest, trick) = (play(rest, seats[1], b), rules.follow(trick, seats[1], b as usize));
                for c in legal(trick, seats[2]) {
                    let (rest, trick) = (play(rest, seats[2], c), rules.follow(trick, seats[2], c as usize));
                    for d in legal(trick, seats[3]) {
                        visit(play(rest, seats[3], d), rules.follow(trick, seats[3], d as usize));
                    }
                }
            }
        }
    }

    /// The scores of every position, trick by trick.
    fn plain_scores(table: &Table) -> [Vec<u64>; TRICKS + 1] {
        let mut levels: [Vec<u64>; TRICKS + 1] = std::array::from_fn(|k| vec![0; table.points(k).len()]);
        levels[TRICKS][0] = 1;
        for k in (1..=TRICKS).rev() {
            let (lower, upper) = levels.split_at_mut(k);
            let mut next = upper[0].iter();
            for_each_position(table, k, |held, leader| {
                let scores = *next.next().unwrap();
                for_each_trick(table.rules(), held, leader, |rest, trick| {
                    let index = table.index(k - 1, rest, trick.winner()).unwrap();
                    lower[k - 1][index] |= scores << trick.gain();
                });
            });
        }
        levels
    }

    #[test]
    fn scores_of_64_hands_together_are_those_of_each_position() {
        for (seed, declaration) in [
            (511, "sixes"),
            (1150, "doubles-suit"),
            (484, "blanks"),
            (930, "doubles-trump"),
            (12, "no-trump"),
        ] {
            let table = Table::solve(&Deal::from_seed(seed), declaration.parse().unwrap(), Threads::Pool);
            let (scores, plain) = (Scores::new(&table), plain_scores(&table));
            assert!(scores.levels == plain, "seed {seed} {declaration}");
            // Toward some hands, their scores are the same.
            for k in 0..=TRICKS {
                let mut number = 0;
                for_each_position(&table, k, |held, leader| {
                    number += 1;
                    if number % 20_011 == 1 {
                        let toward = Scores::toward(&table, held).at(&table, held, leader);
                        assert_eq!(toward, scores.at(&table, held, leader), "{held:?} {leader}");
                    }
                });
            }
        }
    }
}
