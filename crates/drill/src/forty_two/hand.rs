//! A hand of Texas 42: dealt from a seed, played exactly by the seats that nobody is asked for.

use super::settings::DominoSettings;
use crate::random::{DrillRandom, Purpose};
use noregret_dominoes::{Deal, Declaration, Domino, Evaluation, Game, PlayError, Seat, Table, Team, Threads};

/// Why a hand of Texas 42 cannot be played on.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DominoDrillError {
    /// The play is not allowed.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// More was answered than was asked.
    #[error("the hand is over: nothing is asked any more")]
    Over,
    /// The table is of another deal, or of another declaration.
    #[error("the table is not that of the hand")]
    Table,
}

/// Hands of Texas 42, one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DominoDrill {
    settings: DominoSettings,
}

/// A hand of Texas 42 where it asks, or at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DominoHand {
    /// Who is asked.
    pub seat: Seat,
    /// The deal, which whoever is asked does not see.
    pub deal: Deal,
    /// The declaration.
    pub declaration: Declaration,
    /// Every play so far, in order.
    pub plays: Vec<(Seat, Domino)>,
    /// The game after them.
    pub game: Game,
    /// Whether a play was asked for before.
    pub was_asked: bool,
}

impl DominoDrill {
    /// A drill.
    pub fn new(settings: DominoSettings) -> Self {
        Self { settings }
    }

    /// What it asks.
    pub fn settings(&self) -> &DominoSettings {
        &self.settings
    }

    /// The seed of a hand's deal.
    pub fn deal_seed(&self, number: u64) -> u64 {
        self.settings.seed.wrapping_add(number)
    }

    /// The deal of a hand and its declaration.
    pub fn deal(&self, number: u64) -> (Deal, Declaration) {
        let deal = Deal::from_seed(self.deal_seed(number));
        let declaration = self.settings.declaration.unwrap_or_else(|| longest_suit(&deal));
        (deal, declaration)
    }

    /// The table of a hand, solved.
    pub fn table(&self, number: u64) -> Table {
        let (deal, declaration) = self.deal(number);
        Table::solve(&deal, declaration, Threads::Pool)
    }

    /// The hand with a number, after these answers. Plays that are forced are no question, but for the last of a hand without any
    /// other: each hand asks something.
    pub fn hand(
        &self,
        table: &Table,
        number: u64,
        answers: &[Domino],
    ) -> Result<DominoHand, DominoDrillError> {
        let (deal, declaration) = self.deal(number);
        if (table.deal(), table.declaration()) != (&deal, declaration) {
            return Err(DominoDrillError::Table);
        }
        let random = DrillRandom::new(self.settings.seed, number, 0);
        let by_chance = random.below(Purpose::Seat, 0, 4).map(|place| Seat::ALL[place]);
        let seat = self.settings.seat.or(by_chance).unwrap_or(Seat::ALL[0]);
        let game = Game::new(&deal, declaration);
        let mut hand = DominoHand { seat, game, deal, declaration, plays: Vec::new(), was_asked: false };
        let mut answers = answers.iter();
        while !hand.game.is_over() {
            let domino = if hand.is_asked() {
                let Some(&answer) = answers.next() else { return Ok(hand) };
                hand.was_asked = true;
                answer
            } else {
                let place = hand.plays.len();
                let best = best_moves(table, &hand)?;
                let chosen = random.below(Purpose::Domino, place, best.len()).and_then(|at| best.get(at));
                *chosen.ok_or(DominoDrillError::Table)?
            };
            let turn = hand.game.turn();
            hand.game.play(domino)?;
            hand.plays.push((turn, domino));
        }
        if answers.next().is_some() { Err(DominoDrillError::Over) } else { Ok(hand) }
    }
}

impl DominoHand {
    /// Whether a play is asked for: it is the turn of the seat, and there is a choice or nothing else was asked.
    pub fn is_asked(&self) -> bool {
        let is_last = self.game.hand(self.seat).len() == 1;
        let is_question = self.game.legal().len() > 1 || is_last && !self.was_asked;
        !self.game.is_over() && self.game.turn() == self.seat && is_question
    }

    /// What the moves of whoever's turn it is are worth in the deal.
    pub fn evaluation(&self, table: &Table) -> Result<Evaluation, DominoDrillError> {
        table.evaluate(&self.game.position(&self.deal)).ok_or(DominoDrillError::Table)
    }

    /// The points of the own team so far.
    pub fn points(&self) -> u8 {
        let won = noregret_dominoes::TOTAL_POINTS - self.game.points_left();
        if self.seat.team() == Team::Zero { self.game.score() } else { won - self.game.score() }
    }

    /// The points of the own team if all four had played exactly.
    pub fn par(&self, table: &Table) -> Result<u8, DominoDrillError> {
        let start = DominoHand { game: Game::new(&self.deal, self.declaration), ..self.clone() };
        let best = start.evaluation(table)?.best;
        let own = self.seat.team() == Team::Zero;
        Ok(if own { best } else { noregret_dominoes::TOTAL_POINTS - best })
    }
}

/// The dominoes that are worth most to whoever's turn it is.
fn best_moves(table: &Table, hand: &DominoHand) -> Result<Vec<Domino>, DominoDrillError> {
    let evaluation = hand.evaluation(table)?;
    let held = hand.deal.hand(evaluation.turn).iter().zip(evaluation.moves);
    Ok(held.filter(|(_, points)| *points == Some(evaluation.best)).map(|(domino, _)| *domino).collect())
}

/// The pip that seat 0 holds most of, that with its double first, then the highest: what many would declare.
fn longest_suit(deal: &Deal) -> Declaration {
    let hand = deal.hand(Seat::ALL[0]);
    let length = |pip: &u8| {
        let held = hand.iter().filter(|domino| domino.has_pip(*pip)).count();
        let has_double = hand.iter().any(|domino| domino.is_double() && domino.has_pip(*pip));
        (held, has_double, *pip)
    };
    let longest = (0..7).max_by_key(length).and_then(Declaration::new);
    longest.unwrap_or(Declaration::NO_TRUMP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_domino_is_asked_for_if_nothing_else_was() {
        let drill = DominoDrill::new("seed=511&seat=0&decl=6".parse().unwrap());
        let (deal, declaration) = drill.deal(0);
        let game = Game::new(&deal, declaration);
        let mut hand =
            DominoHand { seat: Seat::ALL[0], game, deal, declaration, plays: Vec::new(), was_asked: false };
        while hand.game.hand(hand.seat).len() > 1 || hand.game.turn() != hand.seat {
            let domino = hand.game.legal().iter().next().unwrap();
            hand.game.play(domino).unwrap();
        }
        assert_eq!((hand.game.legal().len(), hand.is_asked()), (1, true));
        hand.was_asked = true;
        assert!(!hand.is_asked());
    }
}
