//! Every reachable position as a row, in ascending order of its packed state, one position at a time.
//!
//! This is the plain way to make rows, and the one that decides what is right. Row files are made by
//! [`row_groups`](super::row_groups), which values 64 positions together.

use crate::position::{Layout, Position, TOTAL_POINTS};
use crate::solver::level::{LOW_LANES, TRICKS, bits, hand_of_lane};
use crate::solver::trick_traversal::PlayableLanes;
use crate::table::Table;
use crate::table::scores::Scores;
use crate::table::trick_prefix::TrickPrefix;

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
    /// By tricks left.
    playable: [PlayableLanes; TRICKS + 1],
    prefixes: std::vec::IntoIter<TrickPrefix>,
    group: Vec<Member>,
    next: usize,
    score: u8,
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
        let prefixes = TrickPrefix::all().into_iter();
        let playable = std::array::from_fn(|k| PlayableLanes::new(self.rules(), k));
        Rows {
            table: self,
            layout,
            scores,
            playable,
            prefixes,
            group: Vec::new(),
            next: 0,
            score: TOTAL_POINTS,
        }
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
                let prefix = self.prefixes.next()?;
                self.gather(prefix);
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
    fn gather(&mut self, prefix: TrickPrefix) {
        let mut rows = Vec::new();
        prefix.for_each_row(self.table, &self.playable, |k, lanes, held| rows.push((k, lanes, held)));
        for (k, lanes, held) in rows {
            self.gather_lanes(prefix, k, lanes, held);
        }
    }

    fn gather_lanes(&mut self, prefix: TrickPrefix, k: usize, lanes: u64, mut held: [u8; 4]) {
        // Hands without the seventh domino come before those with it.
        let without = LOW_LANES[k];
        for lane in bits(lanes & without).chain(bits(lanes & !without)) {
            held[0] = hand_of_lane(k, lane);
            let mut position = Position::between_unchecked(held, prefix.leader());
            for local in prefix.plays() {
                position = position.with_play(local).unwrap_or(position);
            }
            let scores = match &self.scores {
                Some(scores) => scores.at(self.table, held, prefix.leader().index()).unwrap_or(0),
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
