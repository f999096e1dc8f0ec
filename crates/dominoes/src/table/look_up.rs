//! Many positions at once: the values of packed states, by the million.

use thiserror::Error;

use crate::position::{Layout, Position, SCORE_SHIFT, TOTAL_POINTS};
use crate::seat::Seat;
use crate::solver::backward::Minimax;
use crate::solver::level::lane;
use crate::solver::trick_traversal::TrickTraversal;
use crate::table::Table;
use crate::table::evaluate::EvaluateError;
use crate::table::rows::{NOT_LEGAL, Row};
use crate::table::spread::{SpreadTable, move_values};

/// A state in a list that the table cannot value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("state number {number} of the list: {error}")]
pub struct LookUpError {
    /// Its place in the list, from 0 on.
    pub number: usize,
    /// What is wrong with it.
    pub error: EvaluateError,
}

/// From so many states on, preparing pays.
const MANY: usize = 10_000;
/// States that are sorted and looked up together. More of them share more of what they read, and leave the cache sooner: of 2¹⁵ to
/// 2¹⁹, this took the least time for states in random order.
const CHUNK: usize = 1 << 17;
/// Positions that differ in seat 0's hand alone are valued one by one if there are no more, else 64 together.
const FEW: usize = 2;
/// Seat 0's hand is in the lowest bits of a state.
const HAND_BITS: u32 = 7;
const HAND: u64 = (1 << HAND_BITS) - 1;
/// The score of the scored layout, and what is below it.
const SCORE_BITS: u32 = 6;
const SCORE: u64 = 63 << SCORE_SHIFT;
const BELOW_SCORE: u64 = (1 << SCORE_SHIFT) - 1;

impl Table {
    /// The value after each move of many states, [`NOT_LEGAL`](crate::NOT_LEGAL) where there is none: what a row file has in `q0` to
    /// `q6`.
    ///
    /// ```
    /// use noregret_dominoes::{Deal, Layout, NOT_LEGAL, Position, Table, Threads};
    ///
    /// let table = Table::solve(&Deal::from_seed(0), "blanks".parse()?, Threads::Pool);
    /// let lead = Position::START.with_play(0).ok_or("seat 0 holds it")?;
    /// let states = [Position::START.pack(Layout::ToGo, 0), lead.pack(Layout::ToGo, 0)];
    /// let q = table.q(&states, Layout::ToGo)?;
    /// assert_eq!(q[0], [42, 38, 42, 42, 38, 42, 42]);
    /// assert!(q[1].contains(&NOT_LEGAL));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn q(&self, states: &[i64], layout: Layout) -> Result<Vec<[i8; 7]>, LookUpError> {
        let mut q = vec![[NOT_LEGAL; 7]; states.len()];
        self.q_into(states, layout, &mut q)?;
        Ok(q)
    }

    /// As [`q`](Self::q), into a place that is there already, with little memory beside it: the values of the `i`-th state are
    /// put into the `i`-th place, as far as there are both.
    pub fn q_into(&self, states: &[i64], layout: Layout, out: &mut [[i8; 7]]) -> Result<(), LookUpError> {
        let mut answers = MoveAnswers { out, error: None };
        self.answer(states, layout, &mut answers);
        match answers.error {
            Some((number, error)) => Err(LookUpError { number, error }),
            None => Ok(()),
        }
    }

    /// Many states as the rows that a file has for them, in the order asked for: what [`look_up`](Self::look_up) finds
    /// for each. From some hundred on they take a fraction of the time.
    ///
    /// The first time it lays the values out anew, for up to 30 MB of memory as long as the table is there.
    pub fn look_up_many(&self, states: &[i64], layout: Layout) -> Vec<Result<Row, EvaluateError>> {
        let mut rows = vec![Err(EvaluateError::NotReachable(0)); states.len()];
        self.answer(states, layout, &mut rows);
        rows
    }

    /// Looks up many states, sorted by what they read as far as that pays.
    fn answer(&self, states: &[i64], layout: Layout, answers: &mut impl Answers) {
        if states.len() < MANY && self.spread_if_made().is_none() {
            for (place, &state) in states.iter().enumerate() {
                answers.put(place, self.look_up(state, layout));
            }
            return;
        }
        let spread = self.spread();
        let mut order = LookUpOrder::new();
        for (chunk, states) in states.chunks(CHUNK).enumerate() {
            let (order, first) = (order.sort(states, layout), chunk * CHUNK);
            pulp::Arch::new().dispatch(LookUpPass { table: self, spread, layout, order, first, answers });
        }
    }

    /// Lays the values out so that a look-up reads fewer places, for up to 30 MB of memory as long as the table is
    /// there. It pays for many look-ups.
    pub fn prepare_look_ups(&self) {
        self.spread();
    }

    /// One state as the row that a file has for it.
    ///
    /// Of a score in the scored layout it is checked that there are as many points, but not that a play of the deal
    /// leads to it with this position: [`evaluate_state`](Self::evaluate_state) does that, and takes far longer.
    pub fn look_up(&self, state: i64, layout: Layout) -> Result<Row, EvaluateError> {
        let (position, score) = Position::unpack(state, layout)?;
        let evaluation = self.evaluate(&position).ok_or(EvaluateError::NotReachable(state))?;
        if score > TOTAL_POINTS - evaluation.points_left {
            return Err(EvaluateError::Score(state, score));
        }
        Ok(evaluation.row(state, layout, score))
    }
}

/// A state whose score is moved below everything but seat 0's hand, so that what is valued together is sorted together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u64);

impl Key {
    #[inline(always)]
    fn new(state: i64, layout: Layout) -> Self {
        let state = state as u64;
        match layout {
            Layout::ToGo => Self(state),
            Layout::Scored => {
                let (hand, others) = (state & HAND, state & BELOW_SCORE & !HAND);
                let (score, rest) = (state & SCORE, state & !SCORE & !BELOW_SCORE);
                Self(rest | others << SCORE_BITS | score >> (SCORE_SHIFT - HAND_BITS) | hand)
            }
        }
    }

    #[inline(always)]
    fn state(self, layout: Layout) -> i64 {
        let Self(key) = self;
        let state = match layout {
            Layout::ToGo => key,
            Layout::Scored => {
                let (hand, others) = (key & HAND, key >> SCORE_BITS & BELOW_SCORE & !HAND);
                let score = key << (SCORE_SHIFT - HAND_BITS) & SCORE;
                key & !SCORE & !BELOW_SCORE | others | score | hand
            }
        };
        state as i64
    }

    /// What states must have in common to be valued together: all but the score and seat 0's hand.
    #[inline(always)]
    fn group(self, layout: Layout) -> u64 {
        match layout {
            Layout::ToGo => self.0 >> HAND_BITS,
            Layout::Scored => self.0 >> (HAND_BITS + SCORE_BITS),
        }
    }
}

/// A state to look up, and its place in the list.
#[derive(Clone, Copy)]
struct LookUp {
    key: Key,
    place: u32,
}

/// Sorts states by what they read: first by the hands of seats 3 and 2, which decide the part of the table, then by key.
///
/// One pass of a bucket sort does the first (Knuth, volume 3, 5.2.5), and leaves few states to be sorted in each bucket.
struct LookUpOrder {
    /// By bucket: how many states, then where the next one goes.
    ends: Vec<u32>,
    sorted: Vec<LookUp>,
}

impl LookUpOrder {
    const BUCKETS: usize = 1 << 14;

    fn new() -> Self {
        Self { ends: vec![0; Self::BUCKETS], sorted: Vec::new() }
    }

    #[inline(always)]
    fn bucket(state: i64) -> usize {
        (state >> (2 * HAND_BITS)) as usize % Self::BUCKETS
    }

    fn sort(&mut self, states: &[i64], layout: Layout) -> &[LookUp] {
        self.ends.fill(0);
        for &state in states {
            self.ends[Self::bucket(state)] += 1;
        }
        let mut all = 0;
        for end in &mut self.ends {
            all += std::mem::replace(end, all);
        }
        self.sorted.resize(states.len(), LookUp { key: Key(0), place: 0 });
        for (&state, place) in states.iter().zip(0..) {
            let end = &mut self.ends[Self::bucket(state)];
            self.sorted[*end as usize] = LookUp { key: Key::new(state, layout), place };
            *end += 1;
        }
        let mut from = 0;
        for &end in &self.ends {
            let bucket = &mut self.sorted[from..end as usize];
            if bucket.len() > 1 {
                bucket.sort_unstable_by_key(|look_up| look_up.key);
            }
            from = end as usize;
        }
        &self.sorted
    }
}

/// Where answers go, by the places of their states in the list.
trait Answers {
    fn put(&mut self, place: usize, answer: Result<Row, EvaluateError>);
}

impl Answers for Vec<Result<Row, EvaluateError>> {
    #[inline(always)]
    fn put(&mut self, place: usize, answer: Result<Row, EvaluateError>) {
        if let Some(row) = self.get_mut(place) {
            *row = answer;
        }
    }
}

/// The values of moves alone, and the first state that has none.
struct MoveAnswers<'a> {
    out: &'a mut [[i8; 7]],
    error: Option<(usize, EvaluateError)>,
}

impl Answers for MoveAnswers<'_> {
    #[inline(always)]
    fn put(&mut self, place: usize, answer: Result<Row, EvaluateError>) {
        match (self.out.get_mut(place), answer) {
            (Some(moves), Ok(row)) => *moves = row.moves,
            (Some(_), Err(error)) if self.error.is_none_or(|(first, _)| place < first) => {
                self.error = Some((place, error));
            }
            _ => {}
        }
    }
}

/// Looks up states in the order of their keys.
struct LookUpPass<'a, A> {
    table: &'a Table,
    spread: &'a SpreadTable,
    layout: Layout,
    order: &'a [LookUp],
    /// The place of the first of these states in the list.
    first: usize,
    answers: &'a mut A,
}

impl<A: Answers> pulp::NullaryFnOnce for LookUpPass<'_, A> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { table, spread, layout, order, first, answers } = self;
        for group in order.chunk_by(|one, other| one.key.group(layout) == other.key.group(layout)) {
            let look_ups =
                || group.iter().map(|look_up| (first + look_up.place as usize, look_up.key.state(layout)));
            if group.len() <= FEW {
                for (place, state) in look_ups() {
                    let row = spread.look_up(table, state, layout);
                    answers.put(place, row.map_or_else(|| table.look_up(state, layout), Ok));
                }
                continue;
            }
            let states = look_ups().map(|(_, state)| state);
            let Some(members) = GroupMembers::new(table, spread, layout, states) else {
                for (place, state) in look_ups() {
                    answers.put(place, table.look_up(state, layout));
                }
                continue;
            };
            let GroupMembers { position, held, k, lanes, taken } = members;
            let mut plays = [0; 3];
            for (place, &local) in plays.iter_mut().zip(position.plays()) {
                *place = usize::from(local);
            }
            let plays = &plays[..position.plays().len()];
            let leader = position.leader().index();
            let trick = TrickTraversal::new(table.rules(), &spread.playable[k], k, held);
            let mut minimax = Minimax::new(&spread.masks[k], &spread.levels[k - 1]);
            let is_open = taken == 0;
            let values = match leader {
                0 => move_values::<0, 1, 2, 3>(&trick, &mut minimax, lanes, is_open, plays),
                1 => move_values::<1, 2, 3, 0>(&trick, &mut minimax, lanes, is_open, plays),
                2 => move_values::<2, 3, 0, 1>(&trick, &mut minimax, lanes, is_open, plays),
                _ => move_values::<3, 0, 1, 2>(&trick, &mut minimax, lanes, is_open, plays),
            };
            let points_left = spread.points_left(k, held);
            let turn = position.turn().index();
            let suit = plays.first().map(|&lead| table.rules().lead(leader, lead).suit);
            for (place, state) in look_ups() {
                let hand = (state as u64 & HAND) as u8 | taken;
                let lane = lane(hand);
                let legal = match (turn, suit) {
                    (0, None) => hand,
                    (0, Some(suit)) => table.rules().legal(suit, 0, hand),
                    _ => values.legal,
                };
                let left = points_left.at(lane);
                let score = match layout {
                    Layout::ToGo => None,
                    Layout::Scored => Some((state >> SCORE_SHIFT & 63) as u8),
                };
                if score.is_some_and(|score| score > TOTAL_POINTS - left) {
                    answers.put(place, table.look_up(state, layout));
                    continue;
                }
                let value = |points: u8| match score {
                    None => 2 * points as i8 - left as i8,
                    Some(score) => 2 * (points + score) as i8 - TOTAL_POINTS as i8,
                };
                let mut moves = [NOT_LEGAL; 7];
                for (local, points) in moves.iter_mut().enumerate() {
                    if legal >> local & 1 == 1 {
                        *points = value(values.moves[local].at(lane));
                    }
                }
                answers.put(place, Ok(Row { state, value: value(values.best.at(lane)), moves }));
            }
        }
    }
}

/// States of one group: positions that differ in seat 0's hand alone.
struct GroupMembers {
    /// One of them.
    position: Position,
    /// What seats 1 to 3 held before the trick.
    held: [u8; 4],
    /// Tricks left.
    k: usize,
    /// The lanes of seat 0's hands before the trick.
    lanes: u64,
    /// What seat 0 has played to the trick, as a mask.
    taken: u8,
}

impl GroupMembers {
    /// None if one of the states is not a reachable position at which a move can be made.
    #[inline(always)]
    fn new(
        table: &Table,
        spread: &SpreadTable,
        layout: Layout,
        mut states: impl Iterator<Item = i64> + Clone,
    ) -> Option<Self> {
        let (position, _) = Position::unpack(states.clone().next()?, layout).ok()?;
        let held = position.held_before_trick();
        let k = held[1].count_ones() as usize;
        let leader = position.leader().index();
        if k == 0 || !table.is_legal_so_far(&position) {
            return None;
        }
        let taken = held[0] & !position.remaining(Seat::ALL[0]);
        let suit = position.plays().first().map(|&lead| table.rules().lead(leader, usize::from(lead)).suit);
        let local = taken.trailing_zeros() as usize;
        let open = match suit {
            _ if taken == 0 => u64::MAX,
            Some(suit) if leader != 0 => spread.playable[k].follow[suit & 7][local],
            _ => spread.playable[k].lead[local],
        };
        let open = open & table.reach_of(k, held, leader);
        let mut lanes = 0;
        let fits = states.all(|state| {
            let hand = (state as u64 & HAND) as u8;
            let before = hand | taken;
            lanes |= 1 << lane(before);
            hand & taken == 0 && before.count_ones() as usize == k && open >> lane(before) & 1 == 1
        });
        fits.then_some(Self { position, held, k, lanes, taken })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::Deal;
    use crate::random::SplitMix64;
    use crate::table::Threads;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    static TABLE: LazyLock<Table> =
        LazyLock::new(|| Table::solve(&Deal::from_seed(511), "sixes".parse().unwrap(), Threads::Pool));

    #[test]
    fn look_ups_are_the_rows() {
        for layout in [Layout::ToGo, Layout::Scored] {
            let rows: Vec<Row> = TABLE.rows(layout).step_by(37).collect();
            let states: Vec<i64> = rows.iter().map(|row| row.state).collect();
            // Many at once are looked up in another way than a few.
            let q = TABLE.q(&states, layout).unwrap();
            assert!(states.len() > MANY);
            let fresh = Table::from_bytes(TABLE.to_bytes(None), Threads::Pool).unwrap().1;
            assert_eq!(fresh.q(&states[..5000], layout).unwrap(), q[..5000]);
            for (row, q) in rows.iter().zip(q) {
                assert_eq!(TABLE.look_up(row.state, layout).as_ref(), Ok(row));
                assert_eq!(q, row.moves);
            }
        }
    }

    #[test]
    fn a_state_that_cannot_be_valued_is_named_by_its_place() {
        let start = Position::START.pack(Layout::ToGo, 0);
        let error = TABLE.q(&[start, -5], Layout::ToGo).unwrap_err();
        assert_eq!(
            error.to_string(),
            "state number 1 of the list: state -5 has bits outside the to-go layout"
        );
        let error = TABLE.look_up(start | 1 << 28, Layout::ToGo).unwrap_err().to_string();
        assert!(error.ends_with("is not reachable in this deal under this declaration"), "{error}");
        let scored = Position::START.pack(Layout::Scored, 1);
        let error = TABLE.look_up(scored, Layout::Scored).unwrap_err().to_string();
        assert!(error.ends_with("is not reachable with a score of 1"), "{error}");
    }

    #[test]
    fn many_states_good_and_bad_in_any_order_are_answered_as_one_by_one() {
        for layout in [Layout::ToGo, Layout::Scored] {
            let mut random = SplitMix64::new(7, 0);
            let mut states: Vec<i64> = TABLE.rows(layout).step_by(301).map(|row| row.state).collect();
            for at in (1..states.len()).rev() {
                states.swap(at, random.below(at as u64 + 1) as usize);
            }
            // Some have a wrong bit, a hand of another size, a play against the rules or a score that is too high.
            for state in states.iter_mut().step_by(5) {
                *state ^= 1 << random.below(48);
            }
            states.extend([-1, i64::MIN, 0, i64::MAX, Position::START.pack(layout, 0)]);
            TABLE.prepare_look_ups();
            let rows = TABLE.look_up_many(&states, layout);
            for (&state, row) in states.iter().zip(rows) {
                assert_eq!(row, TABLE.look_up(state, layout), "{state}");
            }
        }
    }

    proptest! {
        #[test]
        fn a_key_holds_the_whole_state(state in any::<i64>()) {
            for layout in [Layout::ToGo, Layout::Scored] {
                prop_assert_eq!(Key::new(state, layout).state(layout), state);
            }
        }

        #[test]
        fn no_number_makes_a_look_up_panic(state in any::<i64>(), bits in 0_u32..40, scored in any::<bool>()) {
            let layout = if scored { Layout::Scored } else { Layout::ToGo };
            let states = [state >> bits, (state >> 23) & 0x1ff_ffff_ffff];
            TABLE.prepare_look_ups();
            let rows = TABLE.look_up_many(&states, layout);
            prop_assert_eq!(rows, states.map(|state| TABLE.look_up(state, layout)));
        }
    }
}
