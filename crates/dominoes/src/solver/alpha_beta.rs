//! The moves of one position, searched with alpha-beta and a transposition table.
//!
//! A table values every position that can occur; whoever asks for the moves of one position needs a small share of
//! them. The search visits the positions between tricks that decide the answer (Knuth and Moore 1975), remembers the
//! bounds it found for each, and closes in on a value with null windows (MTD(f): Plaat, Schaeffer, Pijls and de Bruin
//! 1996). Values are Team 0's points to come, as in the levels.

use super::level::bits;
use super::rule_tables::{RuleTables, TrickState};
use crate::position::Position;
use crate::seat::Seat;

/// Places of the transposition table. A deal fills about this many; what falls on a place that is taken replaces it.
const PLACES: usize = 1 << 16;
/// Where the parts of an entry start: the hands and the leader, the bounds, the best lead, the search it is of.
const LOW: u32 = 30;
const HIGH: u32 = 36;
const LEAD: u32 = 42;
const NUMBER: u32 = 45;
/// No lead is known to be best.
const NO_LEAD: u64 = 7;
/// Searches after which the numbers start again.
const NUMBERS: u64 = 1 << (64 - NUMBER);

/// Searches positions one after the other and keeps its memory from one to the next.
pub(crate) struct Searcher {
    /// Each entry is one word: the position, the bounds of its value, its best lead and the number of the search.
    entries: Vec<u64>,
    number: u64,
}

/// What is known of a position between tricks.
struct Known {
    low: i8,
    high: i8,
    lead: u64,
}

impl Searcher {
    pub(crate) fn new() -> Self {
        Self { entries: vec![0; PLACES], number: 0 }
    }

    /// The points that Team 0 still wins after each legal move at a position, by local index.
    pub(crate) fn moves(&mut self, rules: &RuleTables, position: &Position) -> [Option<u8>; 7] {
        let mut search = self.start(rules);
        let (held, turn) = (Seat::ALL.map(|seat| position.remaining(seat)), position.turn().index());
        let trick = rules.trick_at(position);
        let points_left = rules.points_left(position.held_before_trick());
        let mut moves = [None; 7];
        // Moves of one position are mostly worth about the same, so each guess is the value before.
        let mut guess = (points_left / 2) as i8;
        let before = TrickPosition { held, seat: turn, plays: position.plays().len(), points_left };
        for local in bits(u64::from(rules.legal_at(position))) {
            guess = search.close_in(guess, points_left, |search, alpha, beta| {
                search.after_play(&before, trick, local as usize, alpha, beta)
            });
            moves[local as usize] = Some(guess as u8);
        }
        moves
    }

    fn start<'a>(&'a mut self, rules: &'a RuleTables) -> AlphaBeta<'a> {
        self.number += 1;
        if self.number == NUMBERS {
            self.entries.fill(0);
            self.number = 1;
        }
        AlphaBeta { rules, entries: &mut self.entries, number: self.number }
    }
}

/// One search.
struct AlphaBeta<'a> {
    rules: &'a RuleTables,
    entries: &'a mut [u64],
    number: u64,
}

/// A position before some play of a trick.
#[derive(Clone, Copy)]
struct TrickPosition {
    /// What each seat still holds.
    held: [u8; 4],
    /// Whose turn it is.
    seat: usize,
    /// Plays made to the trick.
    plays: usize,
    /// Points still to be won by either team when the trick began.
    points_left: u8,
}

/// Plays in the order in which they are tried.
struct Ordered {
    plays: [(i16, u8); 7],
    count: usize,
}

impl Ordered {
    fn new() -> Self {
        Self { plays: [(0, 0); 7], count: 0 }
    }

    /// Adds a play; the highest merit is tried first, the first of equals before the others.
    #[inline(always)]
    fn insert(&mut self, merit: i16, local: u8) {
        let mut at = self.count.min(6);
        while at > 0 && self.plays[at - 1].0 < merit {
            self.plays[at] = self.plays[at - 1];
            at -= 1;
        }
        self.plays[at] = (merit, local);
        self.count += 1;
    }

    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = usize> {
        self.plays[..self.count.min(7)].iter().map(|&(_, local)| usize::from(local))
    }
}

impl AlphaBeta<'_> {
    /// The value that null windows close in on from a guess.
    fn close_in(
        &mut self,
        guess: i8,
        points_left: u8,
        mut search: impl FnMut(&mut Self, i8, i8) -> i8,
    ) -> i8 {
        let (mut low, mut high) = (0, points_left as i8);
        let mut value = guess.clamp(low, high);
        while low < high {
            let beta = if value == low { value + 1 } else { value };
            value = search(self, beta - 1, beta);
            if value < beta {
                high = value;
            } else {
                low = value;
            }
        }
        low
    }

    /// The value of a position between tricks: exact inside the window, at most the value if below, at least if above.
    fn between(&mut self, held: [u8; 4], leader: usize, points_left: u8, alpha: i8, beta: i8) -> i8 {
        if held[0] == 0 || alpha >= points_left as i8 {
            return points_left as i8;
        }
        if beta <= 0 {
            return 0;
        }
        let key = held.iter().rev().fold(leader as u64, |key, &hand| key << 7 | u64::from(hand));
        let at = place_of(key);
        let known = self.known(at, key, points_left);
        if known.low >= beta || known.low == known.high {
            return known.low;
        }
        if known.high <= alpha {
            return known.high;
        }
        let position = TrickPosition { held, seat: leader, plays: 0, points_left };
        let mut ordered = Ordered::new();
        for local in bits(u64::from(held[leader])) {
            let trick = self.rules.lead(leader, local as usize);
            // High dominoes first: they win the trick more often than not.
            let merit = if u64::from(local) == known.lead { i16::MAX } else { i16::from(trick.claim) };
            ordered.insert(merit, local as u8);
        }
        let (value, lead) = self.best_of(&position, None, &ordered, alpha, beta);
        let (low, high) = match value {
            value if value <= alpha => (known.low, value),
            value if value >= beta => (value, known.high),
            value => (value, value),
        };
        self.entries[at] =
            key | (low as u64) << LOW | (high as u64) << HIGH | (lead as u64) << LEAD | self.number << NUMBER;
        value
    }

    #[inline(always)]
    fn known(&self, at: usize, key: u64, points_left: u8) -> Known {
        let entry = self.entries[at];
        if entry >> NUMBER == self.number && entry & ((1 << LOW) - 1) == key {
            Known {
                low: (entry >> LOW & 63) as i8,
                high: (entry >> HIGH & 63) as i8,
                lead: entry >> LEAD & 7,
            }
        } else {
            Known { low: 0, high: points_left as i8, lead: NO_LEAD }
        }
    }

    /// The best value of some plays for the seat, and the play.
    #[inline(always)]
    fn best_of(
        &mut self,
        position: &TrickPosition,
        trick: Option<TrickState>,
        plays: &Ordered,
        mut alpha: i8,
        mut beta: i8,
    ) -> (i8, usize) {
        let is_high = position.seat.is_multiple_of(2);
        let (mut best, mut best_play) = (if is_high { i8::MIN } else { i8::MAX }, 0);
        for local in plays.iter() {
            let value = self.after_play(position, trick, local, alpha, beta);
            if if is_high { value > best } else { value < best } {
                (best, best_play) = (value, local);
            }
            if is_high {
                alpha = alpha.max(best);
            } else {
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
        }
        (best, best_play)
    }

    /// The value after a play.
    fn after_play(
        &mut self,
        position: &TrickPosition,
        trick: Option<TrickState>,
        local: usize,
        alpha: i8,
        beta: i8,
    ) -> i8 {
        let TrickPosition { mut held, seat, plays, points_left } = *position;
        held[seat & 3] &= !(1 << local);
        let trick = match trick {
            Some(trick) => self.rules.follow(trick, seat & 3, local),
            None => self.rules.lead(seat & 3, local),
        };
        if plays == 3 {
            let gain = trick.gain() as i8;
            let after = points_left - trick.points;
            return gain + self.between(held, trick.winner(), after, alpha - gain, beta - gain);
        }
        let position = TrickPosition { held, seat: (seat + 1) & 3, plays: plays + 1, points_left };
        let mut ordered = Ordered::new();
        let own = position.seat as u8 & 1;
        for local in bits(u64::from(self.rules.legal(trick.suit & 7, position.seat, held[position.seat]))) {
            let next = self.rules.follow(trick, position.seat, local as usize);
            // What the trick is worth as it stands; of equals the lower domino, so that the higher is kept.
            let sign = if next.claim & 1 == own { 1 } else { -1 };
            let effect = self.rules.effect[trick.suit & 7][position.seat][local as usize & 7];
            ordered.insert(sign * 128 * i16::from(next.points) - i16::from(effect.claim), local as u8);
        }
        self.best_of(&position, Some(trick), &ordered, alpha, beta).0
    }
}

/// A place for a position: multiplication spreads its bits (Knuth, volume 3, 6.4).
#[inline(always)]
fn place_of(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - PLACES.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::Deal;
    use crate::declaration::Declaration;
    use crate::table::{Table, Threads};

    #[test]
    fn moves_are_worth_what_they_are_in_the_table_from_the_start_to_the_end() {
        let mut searcher = Searcher::new();
        for seed in 0..10 {
            let declaration = Declaration::new(seed as u8).unwrap();
            let table = Table::solve(&Deal::from_seed(1000 + seed), declaration, Threads::Pool);
            let mut position = Position::START;
            let mut random = seed;
            while !position.is_over() {
                let evaluation = table.evaluate(&position).unwrap();
                assert_eq!(searcher.moves(table.rules(), &position), evaluation.moves, "{position:?}");
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
                let legal: Vec<u8> =
                    (0..7).filter(|&local| evaluation.moves[usize::from(local)].is_some()).collect();
                position = table.after(&position, legal[(random >> 33) as usize % legal.len()]).0;
            }
        }
    }

    #[test]
    fn numbers_that_start_again_forget_what_was_found() {
        let mut searcher = Searcher::new();
        let rules = |seed| RuleTables::new(&Deal::from_seed(seed), Declaration::NO_TRUMP);
        let expected = [3, 4].map(|seed| Searcher::new().moves(&rules(seed), &Position::START));
        searcher.number = NUMBERS - 2;
        assert_eq!(searcher.moves(&rules(3), &Position::START), expected[0]);
        assert_eq!(searcher.moves(&rules(4), &Position::START), expected[1]);
        assert_eq!(searcher.number, 1);
    }
}
