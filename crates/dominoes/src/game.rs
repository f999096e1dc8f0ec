//! The slow, plain game: it plays by the text of the rules and decides what is right.

use thiserror::Error;

use crate::deal::Deal;
use crate::declaration::Declaration;
use crate::domino::Domino;
use crate::hand::Hand;
use crate::position::Position;
use crate::seat::{Seat, Team};

/// A trick under way or finished: who led, and the dominoes in the order they were played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trick {
    leader: Seat,
    dominoes: Vec<Domino>,
}

impl Trick {
    /// A trick that this seat will lead.
    pub fn led_by(leader: Seat) -> Self {
        Self { leader, dominoes: Vec::with_capacity(4) }
    }

    /// Who leads it.
    pub fn leader(&self) -> Seat {
        self.leader
    }

    /// The dominoes, from the leader's on.
    pub fn dominoes(&self) -> &[Domino] {
        &self.dominoes
    }

    /// Adds a domino that the seat whose turn it is has played.
    pub fn push(&mut self, domino: Domino) {
        self.dominoes.push(domino);
    }

    /// What taking it is worth: one, and the count of each domino.
    pub fn points(&self) -> u8 {
        1 + self.dominoes.iter().map(|d| d.count()).sum::<u8>()
    }

    /// The seat whose domino takes it: the highest trump, else the highest of the suit that was led.
    pub fn winner(&self, declaration: Declaration) -> Option<Seat> {
        let led = declaration.suit_led(*self.dominoes.first()?);
        let trumps: Vec<Domino> =
            self.dominoes.iter().copied().filter(|&d| declaration.is_trump(d)).collect();
        let suited = self.dominoes.iter().copied().filter(|&d| declaration.follows(d, led)).collect();
        let contenders = if trumps.is_empty() { suited } else { trumps };
        let best = contenders.into_iter().reduce(higher)?;
        let turn = self.dominoes.iter().position(|&d| d == best)?;
        Some(self.leader.after(turn))
    }
}

/// The higher of two dominoes of one suit: a double over others, the higher of two doubles, else by pip sum.
fn higher(one: Domino, other: Domino) -> Domino {
    let rank = |d: Domino| (d.is_double(), d.high() + d.low());
    if rank(other) > rank(one) { other } else { one }
}

/// A play that the rules do not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PlayError {
    /// The seat does not hold the domino.
    #[error("seat {0} does not hold {1}")]
    NotHeld(Seat, Domino),
    /// The seat must follow the suit that was led.
    #[error("seat {0} can follow suit, so it may not play {1}")]
    MustFollow(Seat, Domino),
    /// There is nothing left to play.
    #[error("all dominoes are played")]
    Over,
}

/// A list of plays of which one is against the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("play {number}: {error}")]
pub struct IllegalPlayError {
    /// Its place in the list, from 1 on.
    pub number: usize,
    /// What is wrong with it.
    pub error: PlayError,
}

/// A deal being played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    declaration: Declaration,
    hands: [Hand; 4],
    trick: Trick,
    score: u8,
}

impl Game {
    /// Before the first trick.
    pub fn new(deal: &Deal, declaration: Declaration) -> Self {
        Self::at(deal, declaration, &Position::START)
    }

    /// At a position of the deal, with no points won yet.
    pub fn at(deal: &Deal, declaration: Declaration, position: &Position) -> Self {
        let leader = position.leader();
        let played = position.plays().iter().enumerate();
        let dominoes = played.map(|(i, &local)| deal.hand(leader.after(i))[usize::from(local)]).collect();
        Self {
            declaration,
            hands: Seat::ALL.map(|seat| deal.held(seat, position.remaining(seat))),
            trick: Trick { leader, dominoes },
            score: 0,
        }
    }

    /// After these plays from the start on.
    pub fn after(deal: &Deal, declaration: Declaration, plays: &[Domino]) -> Result<Self, IllegalPlayError> {
        let mut game = Self::new(deal, declaration);
        for (&domino, number) in plays.iter().zip(1..) {
            game.play(domino).map_err(|error| IllegalPlayError { number, error })?;
        }
        Ok(game)
    }

    /// The position in local indices of the deal that is being played.
    pub fn position(&self, deal: &Deal) -> Position {
        let mask = |seat: Seat, has: &dyn Fn(Domino) -> bool| {
            let held = deal.hand(seat).iter().enumerate().filter(|(_, domino)| has(**domino));
            held.fold(0, |mask, (local, _)| mask | 1_u8 << local)
        };
        let before = Seat::ALL.map(|seat| {
            let hand = self.hand(seat);
            mask(seat, &|domino| hand.contains(domino) || self.trick.dominoes.contains(&domino))
        });
        let mut position = Position::between_unchecked(before, self.trick.leader);
        for &domino in &self.trick.dominoes {
            let local = mask(position.turn(), &|held| held == domino).trailing_zeros() as u8;
            position = position.with_play(local).unwrap_or(position);
        }
        position
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Seat {
        self.trick.leader.after(self.trick.dominoes.len())
    }

    /// The trick under way.
    pub fn trick(&self) -> &Trick {
        &self.trick
    }

    /// What the seat still holds.
    pub fn hand(&self, seat: Seat) -> Hand {
        self.hands[seat.index()]
    }

    /// The points that Team 0 has won since the game was set up.
    pub fn score(&self) -> u8 {
        self.score
    }

    /// The plays that the rules allow: of the led suit if there is one in the hand, else any.
    pub fn legal(&self) -> Hand {
        let hand = self.hand(self.turn());
        let Some(&lead) = self.trick.dominoes.first() else { return hand };
        let led = self.declaration.suit_led(lead);
        let following: Hand = hand.iter().filter(|&d| self.declaration.follows(d, led)).collect();
        if following.is_empty() { hand } else { following }
    }

    /// Plays a domino for the seat whose turn it is.
    pub fn play(&mut self, domino: Domino) -> Result<(), PlayError> {
        let turn = self.turn();
        if self.is_over() {
            return Err(PlayError::Over);
        }
        if !self.hand(turn).contains(domino) {
            return Err(PlayError::NotHeld(turn, domino));
        }
        if !self.legal().contains(domino) {
            return Err(PlayError::MustFollow(turn, domino));
        }
        self.hands[turn.index()].remove(domino);
        self.trick.dominoes.push(domino);
        if self.trick.dominoes.len() == 4
            && let Some(winner) = self.trick.winner(self.declaration)
        {
            if winner.team() == Team::Zero {
                self.score += self.trick.points();
            }
            self.trick = Trick::led_by(winner);
        }
        Ok(())
    }

    /// Whether all dominoes are played.
    pub fn is_over(&self) -> bool {
        self.hands.iter().all(|hand| hand.is_empty())
    }

    /// Points not yet won, those on the table included.
    pub fn points_left(&self) -> u8 {
        let held: u8 = self.hands.iter().flat_map(|hand| hand.iter()).map(|d| d.count()).sum();
        let table: u8 = self.trick.dominoes.iter().map(|d| d.count()).sum();
        let tricks = self.hands.iter().map(|hand| hand.len()).max().unwrap_or(0);
        held + table + tricks as u8
    }

    /// The points that Team 0 ends up with under best play, by plain alpha-beta search.
    pub fn best_score(&self) -> u8 {
        self.search(0, u8::MAX)
    }

    fn search(&self, mut low: u8, mut high: u8) -> u8 {
        if self.is_over() {
            return self.score;
        }
        let team = self.turn().team();
        let mut best = match team {
            Team::Zero => 0,
            Team::One => u8::MAX,
        };
        for domino in self.legal().iter() {
            let mut next = self.clone();
            if next.play(domino).is_err() {
                continue;
            }
            best = team.better(best, next.search(low, high));
            match team {
                Team::Zero => low = low.max(best),
                Team::One => high = high.min(best),
            }
            if low >= high {
                break;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trick(dominoes: &str) -> Trick {
        let dominoes = dominoes.split(' ').map(|d| d.parse().unwrap()).collect();
        Trick { leader: Seat::ALL[1], dominoes }
    }

    fn winner(declaration: &str, dominoes: &str) -> usize {
        let seat = trick(dominoes).winner(declaration.parse().unwrap()).unwrap();
        (seat.index() + 4 - 1) % 4
    }

    #[test]
    fn tricks_go_to_the_highest_trump_else_the_highest_of_the_led_suit() {
        assert_eq!(winner("blanks", "6-4 6-5 6-6 5-5"), 2);
        assert_eq!(winner("blanks", "6-4 6-5 1-0 6-6"), 2);
        assert_eq!(winner("fives", "6-5 6-6 5-5 5-4"), 2);
        assert_eq!(winner("doubles-trump", "6-5 6-4 0-0 1-1"), 3);
        assert_eq!(winner("doubles-suit", "6-5 6-4 6-6 1-1"), 0);
        assert_eq!(winner("doubles-suit", "1-1 6-5 3-3 2-2"), 2);
        assert_eq!(winner("no-trump", "4-3 4-4 6-4 5-4"), 1);
        assert_eq!(winner("no-trump", "3-1 6-6 3-2 6-3"), 3);
    }

    #[test]
    fn a_trick_is_worth_one_and_its_count() {
        assert_eq!(trick("6-4 5-5 5-0 4-1").points(), 31);
        assert_eq!(trick("6-6 6-5 6-3 6-2").points(), 1);
    }

    #[test]
    fn points_are_conserved_whatever_is_played() {
        for seed in 0..40 {
            for declaration in Declaration::all() {
                let mut game = Game::new(&Deal::from_seed(seed), declaration);
                let (mut other, mut turn) = (0, 0);
                while !game.is_over() {
                    let left = game.points_left();
                    assert_eq!(game.score() + other + left, 42);
                    let legal: Vec<_> = game.legal().iter().collect();
                    turn += 1;
                    let score = game.score();
                    game.play(legal[(seed as usize + turn) % legal.len()]).unwrap();
                    other += left - game.points_left() - (game.score() - score);
                }
                assert_eq!(game.score() + other, 42);
            }
        }
    }

    #[test]
    fn plays_lead_to_a_position_and_a_bad_one_is_named_by_place() {
        let (deal, blanks) = (Deal::from_seed(0), "blanks".parse().unwrap());
        let plays = |text: &str| text.parse::<crate::Plays>().unwrap().0;
        let game = Game::after(&deal, blanks, &plays("5-2 5-3")).unwrap();
        let position = game.position(&deal);
        assert_eq!(Game::at(&deal, blanks, &position), game);
        assert_eq!((position.plays().len(), position.turn()), (2, Seat::ALL[2]));
        let error = Game::after(&deal, blanks, &plays("5-2 1-1")).unwrap_err();
        assert_eq!(error.to_string(), "play 2: seat 1 can follow suit, so it may not play 1-1");
    }

    #[test]
    fn plays_against_the_rules_are_refused_with_a_reason() {
        let mut game = Game::new(&Deal::from_seed(0), "blanks".parse().unwrap());
        let error = game.play("6-6".parse().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "seat 0 does not hold 6-6");
        game.play("5-2".parse().unwrap()).unwrap();
        let error = game.play("1-1".parse().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "seat 1 can follow suit, so it may not play 1-1");
    }
}
