//! What a position is worth, move by move, and the line of best play.

use thiserror::Error;

use crate::domino::Domino;
use crate::position::{Layout, Position, StateError, TOTAL_POINTS};
use crate::scores::Scores;
use crate::seat::Seat;
use crate::table::Table;
use crate::tables::{Standing, better};

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
    /// A count of Team 0's points as the difference still to be won.
    pub fn difference(&self, points: u8) -> i8 {
        2 * points as i8 - self.points_left as i8
    }

    /// What the move gives away against the best one, in difference, from the mover's own side.
    pub fn regret(&self, local: usize) -> Option<u8> {
        self.moves.get(local).copied().flatten().map(|points| 2 * points.abs_diff(self.best))
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
        score <= TOTAL_POINTS - left
            && Scores::new(self)
                .at(self, position.held_before_trick(), position.leader().index())
                .is_some_and(|scores| scores >> score & 1 == 1)
    }

    fn is_legal_so_far(&self, position: &Position) -> bool {
        let mut before = Position::between_unchecked(position.held_before_trick(), position.leader());
        position.plays().iter().all(|&local| {
            let legal = self.tables().legal_at(&before) >> local & 1 == 1;
            match before.with_play(local) {
                Some(next) if legal => {
                    before = next;
                    true
                }
                _ => false,
            }
        })
    }

    pub(crate) fn evaluate_reachable(&self, position: &Position) -> Evaluation {
        let turn = position.turn();
        let remaining = Seat::ALL.map(|seat| position.remaining(seat));
        let mut evaluation = Evaluation {
            turn,
            points_left: self.tables().points_left(position.held_before_trick()),
            best: 0,
            moves: [None; 7],
        };
        let mut best = None;
        for local in 0..7 {
            if self.tables().legal_at(position) >> local & 1 == 1 {
                let standing = self.tables().standing_after(position, local);
                let mut remaining = remaining;
                remaining[turn.index()] &= !(1 << local);
                let points =
                    self.points_inside(remaining, standing, turn.after(1), position.plays().len() + 1);
                evaluation.moves[usize::from(local)] = Some(points);
                best = Some(best.map_or(points, |best| better(turn, best, points)));
            }
        }
        evaluation.best = best.unwrap_or(0);
        evaluation
    }

    /// The points that Team 0 still wins from inside a trick: a plain search down to the values between tricks.
    pub(crate) fn points_inside(&self, remaining: [u8; 4], trick: Standing, turn: Seat, played: usize) -> u8 {
        if played == 4 {
            // Legal play from a reachable position stays on reachable ones.
            return trick.gain() + self.points_between(remaining, trick.winner()).unwrap_or(0);
        }
        let seat = turn.index();
        let mut legal = self.tables().legal(trick.suit, seat, remaining[seat]);
        let mut best = None;
        while legal != 0 {
            let local = legal.trailing_zeros() as usize;
            legal &= legal - 1;
            let mut next = remaining;
            next[seat] &= !(1 << local);
            let points =
                self.points_inside(next, self.tables().follow(trick, seat, local), turn.after(1), played + 1);
            best = Some(best.map_or(points, |best| better(turn, best, points)));
        }
        best.unwrap_or(0)
    }

    /// The position after a legal move, and what Team 0 wins by it.
    pub(crate) fn after(&self, position: &Position, local: u8) -> (Position, u8) {
        position.with_play(local).map_or_else(
            || {
                let standing = self.tables().standing_after(position, local);
                let mut held = Seat::ALL.map(|seat| position.remaining(seat));
                held[position.turn().index()] &= !(1 << local);
                (Position::between_unchecked(held, Seat::ALL[standing.winner()]), standing.gain())
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
