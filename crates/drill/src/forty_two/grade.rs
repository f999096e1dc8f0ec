//! What a play gave away: in the deal as it is, and as far as it could be known.

use super::hand::{DominoDrillError, DominoHand};
use crate::grade::Verdict;
use noregret_dominoes::{
    Domino, ExpectOptions, Expectation, MoveExpectation, PlayError, PlayerView, TOTAL_POINTS, Table, Team,
};

/// The most that a fine play, an inaccuracy and a mistake give away over the deals that could be, in difference.
const VERDICTS: [f64; 3] = [0.5, 2.0, 6.0];

/// A legal move. Values are final differences from the player's own side.
#[derive(Clone, PartialEq, Debug)]
pub struct GradedMove {
    /// The domino.
    pub domino: Domino,
    /// What it is worth in this deal, if everybody sees all hands.
    pub value: i8,
    /// What it gives away against the best move in this deal.
    pub regret: u8,
    /// What it is worth on average over the deals that agree with the own hand and all that was played. The declaration is taken to
    /// tell nothing about who holds what.
    pub mean: f64,
    /// What it gives away against the move that is best on average.
    pub known_regret: f64,
    /// What the mean may be off by: the standard deviation of a mean of so many draws; 0 if all deals were counted.
    pub standard_error: f64,
}

/// What a play gave away.
#[derive(Clone, PartialEq, Debug)]
pub struct DominoGrade {
    /// The legal moves, by domino.
    pub moves: Vec<GradedMove>,
    /// Which of them was played.
    pub played: usize,
    /// Which is worth most in this deal, the first of equals.
    pub best: usize,
    /// Which is worth most on average over the deals that could be, the first of equals.
    pub best_known: usize,
    /// How many deals agree with what the player knew.
    pub possible: u64,
    /// How many of them were looked at.
    pub worlds: u64,
    /// Whether each of them was looked at once.
    pub exact: bool,
    /// How good the play was, by what it gave away as far as that could be known.
    pub verdict: Verdict,
}

impl DominoGrade {
    /// Grades a play where a hand asks, over so many deals that are drawn from a seed.
    pub fn new(
        table: &Table,
        hand: &DominoHand,
        domino: Domino,
        worlds: u64,
        seed: u64,
    ) -> Result<Self, DominoDrillError> {
        if !hand.is_asked() {
            return Err(DominoDrillError::Over);
        }
        hand.game.clone().play(domino)?;
        let plays: Vec<Domino> = hand.plays.iter().map(|(_, domino)| *domino).collect();
        let dealt = hand.deal.held(hand.seat, 0x7f);
        let view = PlayerView::new(dealt, hand.declaration, &plays).map_err(|_| DominoDrillError::Table)?;
        let expectation = Expectation::new(&view, &ExpectOptions { worlds, error: None, seed }, |_| true);
        let evaluation = hand.evaluation(table)?;
        let highest = expectation.best().map_or(0.0, MoveExpectation::mean);
        let mut moves = Vec::new();
        for play in &expectation.moves {
            let local = hand.deal.hand(hand.seat).iter().position(|held| *held == play.domino);
            let worth = local.and_then(|local| Some((evaluation.moves[local]?, evaluation.regret(local)?)));
            let (points, regret) = worth.ok_or(DominoDrillError::Table)?;
            let difference = 2 * (hand.game.score() + points) as i8 - TOTAL_POINTS as i8;
            moves.push(GradedMove {
                domino: play.domino,
                value: if hand.seat.team() == Team::Zero { difference } else { -difference },
                regret,
                mean: play.mean(),
                known_regret: highest - play.mean(),
                standard_error: expectation.standard_error(play),
            });
        }
        let place = |is: &dyn Fn(&GradedMove) -> bool| moves.iter().position(is);
        let illegal = || DominoDrillError::Play(PlayError::NotHeld(hand.seat, domino));
        let played = place(&|play| play.domino == domino).ok_or_else(illegal)?;
        let verdict = Verdict::within(moves[played].known_regret, VERDICTS);
        Ok(Self {
            best: place(&|play| play.regret == 0).unwrap_or(played),
            best_known: place(&|play| play.known_regret <= 0.0).unwrap_or(played),
            played,
            possible: expectation.possible,
            worlds: expectation.worlds,
            exact: expectation.exact,
            verdict,
            moves,
        })
    }

    /// The move that was played.
    pub fn chosen(&self) -> Option<&GradedMove> {
        self.moves.get(self.played)
    }
}
