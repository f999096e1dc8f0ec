//! Many positions at once: the values of packed states, by the million.

use thiserror::Error;

use crate::position::{Layout, Position, TOTAL_POINTS};
use crate::table::Table;
use crate::table::evaluate::EvaluateError;
use crate::table::rows::Row;

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
        if states.len() >= MANY {
            self.prepare_look_ups();
        }
        let numbered = states.iter().enumerate();
        numbered
            .map(|(number, &state)| match self.look_up(state, layout) {
                Ok(row) => Ok(row.moves),
                Err(error) => Err(LookUpError { number, error }),
            })
            .collect()
    }

    /// Lays the values out so that a look-up reads fewer places, for up to 30 MB of memory as long as the table is
    /// there. It pays for many look-ups.
    pub fn prepare_look_ups(&self) {
        self.spread_levels();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::Deal;
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

    proptest! {
        #[test]
        fn no_number_makes_a_look_up_panic(state in any::<i64>(), bits in 0_u32..40, scored in any::<bool>()) {
            let layout = if scored { Layout::Scored } else { Layout::ToGo };
            let _ = TABLE.look_up(state >> bits, layout);
            let _ = TABLE.look_up((state >> 23) & 0x1ff_ffff_ffff, layout);
        }
    }
}
