//! Rows for files: the positions of one beginning of a trick at a time, 64 hands of seat 0 together.
//!
//! The values of the moves are those of the backward pass inside a trick: the rest of the trick is traversed for all
//! lanes at once ([`TrickTraversal`]). [`Table::rows`] is the plain twin that makes the same rows one by one.

use crate::position::{Layout, Position, TOTAL_POINTS};
use crate::solver::backward::Minimax;
use crate::solver::lanes::LaneValues;
use crate::solver::level::{LANES, LOW_LANES, bits, hand_of_lane};
use crate::solver::trick_traversal::TrickTraversal;
use crate::table::Table;
use crate::table::rows::NOT_LEGAL;
use crate::table::scores::Scores;
use crate::table::spread::{LaneMoves, SpreadTable, move_values};
use crate::table::trick_prefix::TrickPrefix;

/// Rows, column by column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RowColumns {
    /// The packed positions.
    pub(crate) states: Vec<i64>,
    /// The values under best play.
    pub(crate) values: Vec<i8>,
    /// By local index the values after each move, [`NOT_LEGAL`] where there is none.
    pub(crate) moves: [Vec<i8>; 7],
}

impl RowColumns {
    pub(crate) fn with_capacity(rows: usize) -> Self {
        Self {
            states: Vec::with_capacity(rows),
            values: Vec::with_capacity(rows),
            moves: std::array::from_fn(|_| Vec::with_capacity(rows)),
        }
    }

    fn len(&self) -> usize {
        self.states.len()
    }

    /// Adds a row: its state, its value and those of the moves.
    #[cfg(feature = "gpu")]
    pub(crate) fn push(&mut self, state: i64, [value, moves @ ..]: [i8; 8]) {
        self.states.push(state);
        self.values.push(value);
        for (column, value) in self.moves.iter_mut().zip(moves) {
            column.push(value);
        }
    }
}

/// Makes the rows of a table.
pub(crate) struct RowMaker<'a> {
    table: &'a Table,
    layout: Layout,
    scores: Option<Scores>,
    spread: &'a SpreadTable,
}

/// The rows of one beginning of a trick. In the scored layout the values are Team 0's points to go and the states lack
/// the score: a row occurs once for each of its scores.
#[derive(Default)]
pub(crate) struct PrefixRows {
    columns: RowColumns,
    /// In the scored layout, by row: the scores that it occurs with, a bit for each.
    scores: Vec<u64>,
    /// By score, how many rows have that score or a lower one.
    ends: Vec<usize>,
}

impl<'a> RowMaker<'a> {
    pub(crate) fn new(table: &'a Table, layout: Layout) -> Self {
        let scores = (layout == Layout::Scored).then(|| Scores::new(table));
        Self { table, layout, scores, spread: table.spread() }
    }

    /// The rows of one beginning of a trick.
    pub(crate) fn prefix_rows(&self, prefix: TrickPrefix) -> PrefixRows {
        let mut rows = PrefixRows::default();
        pulp::Arch::new().dispatch(PrefixPass { maker: self, prefix, rows: &mut rows });
        rows.count();
        rows
    }
}

impl PrefixRows {
    /// Rows of one beginning of a trick, with the scores of each in the scored layout.
    #[cfg(feature = "gpu")]
    pub(crate) fn new(columns: RowColumns, scores: Vec<u64>) -> Self {
        let mut rows = Self { columns, scores, ends: Vec::new() };
        rows.count();
        rows
    }

    fn count(&mut self) {
        if self.scores.is_empty() {
            self.ends = vec![self.columns.len()];
            return;
        }
        let mut counts = [0; 64];
        for &scores in &self.scores {
            for score in bits(scores) {
                counts[score as usize] += 1;
            }
        }
        let mut end = 0;
        self.ends = counts[..=usize::from(TOTAL_POINTS)]
            .iter()
            .map(|count| {
                end += count;
                end
            })
            .collect();
    }

    /// How many rows a file has of them.
    pub(crate) fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Adds some of the rows, counted in file order, to columns.
    pub(crate) fn copy_to(&self, range: std::ops::Range<usize>, out: &mut RowColumns) {
        if self.scores.is_empty() {
            out.states.extend_from_slice(&self.columns.states[range.clone()]);
            out.values.extend_from_slice(&self.columns.values[range.clone()]);
            for (out, moves) in out.moves.iter_mut().zip(&self.columns.moves) {
                out.extend_from_slice(&moves[range.clone()]);
            }
            return;
        }
        let mut start = 0;
        for (score, &end) in self.ends.iter().enumerate() {
            let (from, to) = (range.start.max(start), range.end.min(end));
            if from < to {
                self.copy_score(score as u8, from - start, to - from, out);
            }
            start = end;
        }
    }

    /// Adds rows with one score: leaves out so many, and takes so many.
    fn copy_score(&self, score: u8, skip: usize, take: usize, out: &mut RowColumns) {
        let members = self.scores.iter().enumerate().filter(|(_, scores)| **scores >> score & 1 == 1);
        let picked: Vec<u32> = members.skip(skip).take(take).map(|(row, _)| row as u32).collect();
        let score_bits = Position::score_bits(score);
        out.states.extend(picked.iter().map(|&row| self.columns.states[row as usize] | score_bits));
        // The final difference is twice all of Team 0's points less 42.
        let final_value = |points: i8| {
            if points == NOT_LEGAL { NOT_LEGAL } else { 2 * (points + score as i8) - TOTAL_POINTS as i8 }
        };
        let mut final_values = [0; 256];
        for points in 0..=u8::MAX {
            if points as i8 == NOT_LEGAL || points <= TOTAL_POINTS - score {
                final_values[usize::from(points)] = final_value(points as i8);
            }
        }
        let with_score = |column: &[i8], out: &mut Vec<i8>| {
            out.extend(picked.iter().map(|&row| final_values[usize::from(column[row as usize] as u8)]));
        };
        with_score(&self.columns.values, &mut out.values);
        for (moves, out) in self.columns.moves.iter().zip(&mut out.moves) {
            with_score(moves, out);
        }
    }
}

struct PrefixPass<'a> {
    maker: &'a RowMaker<'a>,
    prefix: TrickPrefix,
    rows: &'a mut PrefixRows,
}

impl pulp::NullaryFnOnce for PrefixPass<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { maker, prefix, rows } = self;
        match prefix.leader().index() {
            0 => make_rows::<0, 1, 2, 3>(maker, prefix, rows),
            1 => make_rows::<1, 2, 3, 0>(maker, prefix, rows),
            2 => make_rows::<2, 3, 0, 1>(maker, prefix, rows),
            _ => make_rows::<3, 0, 1, 2>(maker, prefix, rows),
        }
    }
}

#[inline(always)]
fn make_rows<const A: usize, const B: usize, const C: usize, const D: usize>(
    maker: &RowMaker<'_>,
    prefix: TrickPrefix,
    rows: &mut PrefixRows,
) {
    let RowMaker { table, layout, spread, .. } = maker;
    let SpreadTable { levels, playable, masks, .. } = spread;
    let rules = table.rules();
    let mut plays = [0; 3];
    let mut played = 0;
    for (place, local) in plays.iter_mut().zip(prefix.plays()) {
        *place = usize::from(local);
        played += 1;
    }
    let suit = (played > 0).then(|| rules.lead(A, plays[0]).suit);
    let turn = (A + played) % 4;
    let is_open = prefix.play_of(0).is_none();
    // Inlined, so that it is compiled for the instruction set that the pass was dispatched to.
    prefix.for_each_row(
        table,
        playable,
        #[inline(always)]
        |k, lanes, held| {
            let values = if k == 0 {
                LaneMoves::NONE
            } else {
                let trick = TrickTraversal::new(rules, &playable[k], k, held);
                let mut minimax = Minimax::new(&masks[k], &levels[k - 1]);
                move_values::<A, B, C, D>(&trick, &mut minimax, lanes, is_open, &plays[..played])
            };
            // Illegal for seat 0 in some of the lanes; the other seats' hands are the same in all.
            let legal_lanes = |local: usize| match (turn, suit) {
                (0, None) => Some(&masks[k].lead[local]),
                (0, Some(suit)) => Some(&masks[k].follow[suit & 7][local]),
                _ => None,
            };
            let points_left = spread.points_left(k, held);
            let in_layout = |points: LaneValues| match layout {
                Layout::ToGo => points.difference(&points_left),
                Layout::Scored => points,
            };
            let remaining = |seat: usize| held[seat] & !prefix.play_of(seat).map_or(0, |local| 1 << local);
            let base = Position::pack_parts(
                [0, remaining(1), remaining(2), remaining(3)],
                prefix.leader(),
                prefix.plays(),
                *layout,
            );
            let taken = prefix.play_of(0).map_or(0, |local| 1 << local);
            // Hands without the seventh domino come before those with it.
            let mut order = [0_u8; LANES];
            let mut count = 0;
            for lane in bits(lanes & LOW_LANES[k]).chain(bits(lanes & !LOW_LANES[k])) {
                order[count] = lane as u8;
                count += 1;
            }
            let order = &order[..count];
            let hand = |lane: u8| i64::from(hand_of_lane(k, u32::from(lane)) & !taken);
            rows.columns.states.extend(order.iter().map(|&lane| base | hand(lane)));
            in_layout(values.best).pick(order, &mut rows.columns.values);
            for (local, column) in rows.columns.moves.iter_mut().enumerate() {
                if values.legal >> local & 1 == 0 {
                    column.extend(order.iter().map(|_| NOT_LEGAL));
                } else {
                    let mut moves = in_layout(values.moves[local]);
                    if let Some(mask) = legal_lanes(local) {
                        moves = moves.or_else(mask, NOT_LEGAL as u8);
                    }
                    moves.pick(order, column);
                }
            }
            if let Some(scores) = &maker.scores {
                let index = table.first_index(k, held, A);
                let reach = table.reach_of(k, held, A);
                let level = &scores.level(k)[index..];
                let below = |lane: u8| (reach & ((1 << lane) - 1)).count_ones() as usize;
                rows.scores.extend(order.iter().map(|&lane| level[below(lane)]));
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::Deal;
    use crate::table::Threads;
    use crate::table::rows::Row;

    /// Every row of every beginning of a trick, in one go.
    fn all_rows(table: &Table, layout: Layout) -> RowColumns {
        let maker = RowMaker::new(table, layout);
        let mut columns = RowColumns::default();
        for prefix in TrickPrefix::all() {
            let rows = maker.prefix_rows(prefix);
            // In two parts, as row groups may cut it.
            let middle = rows.len() / 3;
            rows.copy_to(0..middle, &mut columns);
            rows.copy_to(middle..rows.len(), &mut columns);
        }
        columns
    }

    #[test]
    fn rows_made_together_are_those_made_one_by_one() {
        for (seed, declaration) in [(511, "sixes"), (1150, "doubles-suit"), (484, "blanks")] {
            let table = Table::solve(&Deal::from_seed(seed), declaration.parse().unwrap(), Threads::Pool);
            for layout in [Layout::ToGo, Layout::Scored] {
                let columns = all_rows(&table, layout);
                let mut count = 0;
                for (at, row) in table.rows(layout).enumerate() {
                    let moves = std::array::from_fn(|local| columns.moves[local][at]);
                    let made = Row { state: columns.states[at], value: columns.values[at], moves };
                    assert_eq!(made, row, "seed {seed} {declaration} row {at}");
                    count += 1;
                }
                assert_eq!(columns.len(), count);
            }
        }
    }
}
