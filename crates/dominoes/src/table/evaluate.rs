//! What a position is worth, move by move, and the line of best play.

use thiserror::Error;

use crate::domino::Domino;
use crate::position::{Layout, Position, StateError, TOTAL_POINTS};
use crate::seat::Seat;
use crate::solver::rule_tables::better;
use crate::solver::search::move_points;
use crate::table::Table;
use crate::table::rows::{NOT_LEGAL, Row};
use crate::table::scores::Scores;

/// A position's worth: the points that Team 0 still wins after each legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// Whose turn it is.
    pub turn: Seat,
    /// Points still to be won by either team, those on the table included.
    pub points_left: u8,
    /// What Team 0 wins of them under best play.
    pub best: u8,
    /// The same after each legal move, by local index.
    pub moves: [Option<u8>; 7],
}

impl Evaluation {
    /// From what each move is worth.
    #[inline(always)]
    pub(crate) fn of_moves(turn: Seat, points_left: u8, moves: [Option<u8>; 7]) -> Self {
        let best = moves.into_iter().flatten().reduce(|best, points| better(turn, best, points));
        Self { turn, points_left, best: best.unwrap_or(0), moves }
    }

    /// A count of Team 0's points as the difference still to be won.
    pub fn difference(&self, points: u8) -> i8 {
        2 * points as i8 - self.points_left as i8
    }

    /// What the move gives away against the best one, in difference, from the mover's own side.
    pub fn regret(&self, local: usize) -> Option<u8> {
        self.moves.get(local).copied().flatten().map(|points| 2 * points.abs_diff(self.best))
    }

    /// The row of the position with a packed state and a score.
    pub(crate) fn row(&self, state: i64, layout: Layout, score: u8) -> Row {
        let value = |points: u8| match layout {
            Layout::ToGo => self.difference(points),
            Layout::Scored => 2 * (points + score) as i8 - TOTAL_POINTS as i8,
        };
        Row {
            state,
            value: value(self.best),
            moves: self.moves.map(|points| points.map_or(NOT_LEGAL, value)),
        }
    }
}

/// A question that the table cannot answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EvaluateError {
    /// The number is no state.
    #[error(transparent)]
    State(#[from] StateError),
    /// No play of this deal leads there.
    #[error("state {0} is not reachable in this deal under this declaration")]
    NotReachable(i64),
    /// The position is reachable, but not with this score.
    #[error("state {0} is not reachable with a score of {1}")]
    Score(i64, u8),
}

impl Table {
    /// Values every legal move at a position. None if no play leads there.
    pub fn evaluate(&self, position: &Position) -> Option<Evaluation> {
        let held = position.held_before_trick();
        self.points_between(held, position.leader().index())?;
        if !self.is_legal_so_far(position) {
            return None;
        }
        Some(self.evaluate_reachable(position))
    }

    /// Values a packed state, with the score that it holds. A score that no play leads to is an error.
    pub fn evaluate_state(
        &self,
        state: i64,
        layout: Layout,
    ) -> Result<(Position, u8, Evaluation), EvaluateError> {
        let (position, score) = Position::unpack(state, layout)?;
        let evaluation = self.evaluate(&position).ok_or(EvaluateError::NotReachable(state))?;
        if layout == Layout::Scored && !self.has_score(&position, score, evaluation.points_left) {
            return Err(EvaluateError::Score(state, score));
        }
        Ok((position, score, evaluation))
    }

    fn has_score(&self, position: &Position, score: u8, left: u8) -> bool {
        let held = position.held_before_trick();
        score <= TOTAL_POINTS - left
            && Scores::toward(self, held)
                .at(self, held, position.leader().index())
                .is_some_and(|scores| scores >> score & 1 == 1)
    }

    #[inline]
    pub(crate) fn is_legal_so_far(&self, position: &Position) -> bool {
        let leader = position.leader();
        let held = position.held_before_trick();
        let Some((&lead, others)) = position.plays().split_first() else { return true };
        let suit = self.rules().lead(leader.index(), usize::from(lead)).suit;
        others.iter().zip(1..).all(|(&local, turn)| {
            let seat = leader.after(turn).index();
            self.rules().legal(suit, seat, held[seat]) >> local & 1 == 1
        })
    }

    pub(crate) fn evaluate_reachable(&self, position: &Position) -> Evaluation {
        let turn = position.turn();
        let held = position.held_before_trick();
        // Legal play from a reachable position stays on reachable ones.
        let moves = match self.spread_if_made() {
            Some(spread) => spread.move_points(self.rules(), position.tricks_left(), position),
            None => move_points(self.rules(), position, &|held, leader| {
                self.points_between(held, leader).unwrap_or(0)
            }),
        };
        Evaluation::of_moves(turn, self.rules().points_left(held), moves)
    }

    /// The position after a legal move, and what Team 0 wins by it.
    pub(crate) fn after(&self, position: &Position, local: u8) -> (Position, u8) {
        position.with_play(local).map_or_else(
            || {
                let trick = self.rules().trick_after(position, local);
                let mut held = Seat::ALL.map(|seat| position.remaining(seat));
                held[position.turn().index()] &= !(1 << local);
                (Position::between_unchecked(held, Seat::ALL[trick.winner()]), trick.gain())
            },
            |next| (next, 0),
        )
    }

    /// The line of best play from a position to the end; among equals the lowest domino. Empty if it is not
    /// reachable.
    pub fn best_line(&self, position: &Position) -> Vec<(Seat, Domino)> {
        let mut line = Vec::new();
        let mut position = *position;
        while !position.is_over() {
            let Some(evaluation) = self.evaluate(&position) else { break };
            let best = evaluation.moves.iter().position(|&points| points == Some(evaluation.best));
            let Some(local) = best else { break };
            line.push((evaluation.turn, self.deal().hand(evaluation.turn)[local]));
            position = self.after(&position, local as u8).0;
        }
        line
    }
}
