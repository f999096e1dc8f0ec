//! Every reachable position as a row, in ascending order of its packed state.
//!
//! From the highest bits down a packed state holds the plays, how many there are, the leader, the score and the hands
//! of seats 3, 2, 1 and 0. So rows come group by group, one for each start of a trick and its leader, and within a group
//! by score and hands. No row is kept longer than its group.

use crate::level::{HANDS, LOW_LANES, MASKS, RANK, TRICKS, bits, hand_of_lane, playable_lanes, strides};
use crate::position::{Layout, Position, TOTAL_POINTS};
use crate::scores::Scores;
use crate::seat::Seat;
use crate::table::Table;

/// The place of a move that is not legal in [`Row::moves`].
pub const NOT_LEGAL: i8 = i8::MIN;

/// One position: its packed state, its value, and the value after each move, from Team 0's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The packed position.
    pub state: i64,
    /// The value under best play.
    pub value: i8,
    /// The value after each move by local index, [`NOT_LEGAL`] where there is none.
    pub moves: [i8; 7],
}

/// Iterates over the rows of a table.
pub struct Rows<'a> {
    table: &'a Table,
    layout: Layout,
    scores: Option<Scores>,
    starts: std::vec::IntoIter<Start>,
    group: Vec<Member>,
    next: usize,
    score: u8,
}

/// How a trick starts: who leads, and the plays so far.
#[derive(Clone, Copy, Debug)]
struct Start {
    leader: Seat,
    plays: [Option<u8>; 3],
}

/// A row of the group at hand, without a score, and the scores that it occurs with.
struct Member {
    row: Row,
    scores: u64,
}

impl Table {
    /// Every reachable position, ascending by its packed state.
    pub fn rows(&self, layout: Layout) -> Rows<'_> {
        let scores = (layout == Layout::Scored).then(|| Scores::new(self));
        let starts = Start::all().into_iter();
        Rows { table: self, layout, scores, starts, group: Vec::new(), next: 0, score: TOTAL_POINTS }
    }
}

impl Iterator for Rows<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        loop {
            while let Some(member) = self.group.get(self.next) {
                self.next += 1;
                if member.scores >> self.score & 1 == 1 {
                    return Some(self.with_score(member.row));
                }
            }
            self.next = 0;
            if self.score < TOTAL_POINTS && self.layout == Layout::Scored {
                self.score += 1;
            } else {
                self.group.clear();
                let start = self.starts.next()?;
                self.gather(start);
                self.score = 0;
            }
        }
    }
}

impl std::iter::FusedIterator for Rows<'_> {}

impl Rows<'_> {
    /// Moves a row's values from points still to be won to the layout's.
    fn with_score(&self, row: Row) -> Row {
        match self.layout {
            Layout::ToGo => row,
            Layout::Scored => {
                // Kept as Team 0's points to go; the final difference is twice all its points less 42.
                let end = |points: i8| 2 * (points + self.score as i8) - TOTAL_POINTS as i8;
                let moves = row.moves.map(|points| if points == NOT_LEGAL { NOT_LEGAL } else { end(points) });
                Row { state: row.state | i64::from(self.score) << 28, value: end(row.value), moves }
            }
        }
    }

    /// Collects the rows of a group by the hands of seats 3, 2, 1 and 0.
    fn gather(&mut self, start: Start) {
        let table = self.table;
        let tables = table.tables();
        let play = |seat: usize| start.play_of(seat);
        let suit = start.plays[0].map(|lead| tables.lead(start.leader.index(), usize::from(lead)).suit);
        let lowest = usize::from(suit.is_some());
        let may = |seat: usize, held: u8| match (play(seat), suit) {
            (None, _) => true,
            (Some(local), Some(suit)) if seat != start.leader.index() => {
                tables.legal(suit, seat, held) >> local & 1 == 1
            }
            (Some(local), _) => held >> local & 1 == 1,
        };
        for remaining in 0..128_u8 {
            let Some((k, third)) = before(remaining, play(3)) else { continue };
            if k < lowest || !may(3, third) {
                continue;
            }
            let lanes_open = match (play(0), suit) {
                (None, _) => u64::MAX,
                (Some(local), Some(suit)) if start.leader.index() != 0 => {
                    playable_lanes(k, tables.follow[suit][0])[usize::from(local)]
                }
                (Some(local), _) => playable_lanes(k, 0x7f)[usize::from(local)],
            };
            let strides = strides(k);
            let masks = &MASKS[k][..HANDS[k]];
            let place = |seat: usize, held: u8| usize::from(RANK[usize::from(held)]) * strides[seat];
            for &second in masks.iter().filter(|&&held| may(2, held)) {
                for &first in masks.iter().filter(|&&held| may(1, held)) {
                    let row = place(3, third) + place(2, second) + place(1, first) + start.leader.index();
                    let lanes = table.reach().levels[k][row] & lanes_open;
                    if lanes != 0 {
                        self.gather_lanes(start, k, lanes, [0, first, second, third]);
                    }
                }
            }
        }
    }

    fn gather_lanes(&mut self, start: Start, k: usize, lanes: u64, mut held: [u8; 4]) {
        // Hands without the seventh domino come before those with it.
        let without = LOW_LANES[k];
        for lane in bits(lanes & without).chain(bits(lanes & !without)) {
            held[0] = hand_of_lane(k, lane);
            let mut position = Position::between_unchecked(held, start.leader);
            for local in start.plays.into_iter().flatten() {
                position = position.with_play(local).unwrap_or(position);
            }
            let scores = match &self.scores {
                Some(scores) => scores.at(self.table, held, start.leader.index()).unwrap_or(0),
                None => 1,
            };
            let row = self.row(&position);
            self.group.push(Member { row, scores });
        }
    }

    fn row(&self, position: &Position) -> Row {
        let evaluation = self.table.evaluate_reachable(position);
        let value = |points: u8| match self.layout {
            Layout::ToGo => evaluation.difference(points),
            Layout::Scored => points as i8,
        };
        Row {
            state: position.pack(self.layout, 0),
            value: value(evaluation.best),
            moves: evaluation.moves.map(|points| points.map_or(NOT_LEGAL, value)),
        }
    }
}

/// What a seat held before a play, and how many tricks were left then. None if it cannot have made the play.
fn before(remaining: u8, play: Option<u8>) -> Option<(usize, u8)> {
    let held = match play {
        Some(local) if remaining >> local & 1 == 1 => return None,
        Some(local) => remaining | 1 << local,
        None => remaining,
    };
    let k = held.count_ones() as usize;
    (k <= TRICKS).then_some((k, held))
}

impl Start {
    /// Every start of a trick, in the order of packed states: a play not made counts as the highest.
    fn all() -> Vec<Self> {
        let places = || (0..7).map(Some).chain([None]);
        let mut starts = Vec::new();
        for third in places() {
            for second in places() {
                for first in places() {
                    let in_order =
                        !(second.is_none() && third.is_some() || first.is_none() && second.is_some());
                    if in_order {
                        let plays = [first, second, third];
                        starts.extend(Seat::ALL.map(|leader| Self { leader, plays }));
                    }
                }
            }
        }
        starts
    }

    fn play_of(&self, seat: usize) -> Option<u8> {
        let turn = (seat + 4 - self.leader.index()) % 4;
        self.plays.get(turn).copied().flatten()
    }
}
