//! What one player knows: a hand, the declaration, and everything that was played.

use thiserror::Error;

use super::worlds::Worlds;
use crate::deal::Deal;
use crate::declaration::{Declaration, Suit};
use crate::domino::Domino;
use crate::game::{PlayError, Trick};
use crate::hand::Hand;
use crate::position::{Position, TOTAL_POINTS};
use crate::seat::{Seat, Team};
use crate::solver::alpha_beta::Searcher;
use crate::solver::rule_tables::RuleTables;

/// What the player whose turn it is knows.
///
/// A seat that did not follow a suit has none of it: that is all that the plays of others say about their hands.
#[derive(Clone, Debug)]
pub struct PlayerView {
    declaration: Declaration,
    seat: Seat,
    /// The player's dominoes that are not played yet.
    remaining: Hand,
    /// What each seat has played.
    played: [Hand; 4],
    /// The trick under way.
    trick: Trick,
    /// The points of Team 0 so far.
    score: u8,
    worlds: Worlds,
}

/// A hand and plays that no deal agrees with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ViewError {
    /// The hand has not seven dominoes.
    #[error("the hand has {0} dominoes: give all 7 that were dealt, those already played included")]
    Count(usize),
    /// Everything is played.
    #[error("all dominoes are played: there is no move to value")]
    Over,
    /// A play of the player that the hand does not allow.
    #[error("play {number}: {error}")]
    Own {
        /// Its place, from 1 on.
        number: usize,
        /// What is wrong with it.
        error: PlayError,
    },
    /// Another seat plays a domino of the player's hand.
    #[error(
        "play {number}: seat {seat} cannot play {domino}: it is in the hand of seat {own}, whose turn it is now"
    )]
    InHand {
        /// Its place, from 1 on.
        number: usize,
        /// Who plays it.
        seat: Seat,
        /// What is played.
        domino: Domino,
        /// The player.
        own: Seat,
    },
    /// A seat plays a domino of a suit that it did not follow before.
    #[error("play {number}: seat {seat} cannot hold {domino}: it did not follow that suit at play {before}")]
    Void {
        /// Its place, from 1 on.
        number: usize,
        /// Who plays it.
        seat: Seat,
        /// What is played.
        domino: Domino,
        /// The place of the play that did not follow.
        before: usize,
    },
    /// A domino is played twice.
    #[error("play {number}: {domino} was played before")]
    Twice {
        /// Its place, from 1 on.
        number: usize,
        /// Which domino.
        domino: Domino,
    },
    /// The suits that the seats are out of leave no deal.
    #[error(
        "no deal agrees with these plays: the suits that seats did not follow leave dominoes that nobody can hold"
    )]
    NoDeal,
}

/// One play of the history.
struct SeenPlay {
    number: usize,
    seat: Seat,
    domino: Domino,
    /// The suit that it had to follow, unless it led.
    led: Option<Suit>,
}

impl PlayerView {
    /// The view of the player whose turn it is after these plays, who was dealt this hand. Seat 0 leads the first trick,
    /// so that without plays the hand is seat 0's.
    pub fn new(hand: Hand, declaration: Declaration, plays: &[Domino]) -> Result<Self, ViewError> {
        if hand.len() != 7 {
            return Err(ViewError::Count(hand.len()));
        }
        let mut trick = Trick::led_by(Seat::ALL[0]);
        let mut score = 0;
        let mut played = [Hand::EMPTY; 4];
        let mut history = Vec::with_capacity(plays.len());
        for (&domino, number) in plays.iter().zip(1..) {
            if number > Domino::COUNT {
                return Err(ViewError::Over);
            }
            if played.iter().any(|played| played.contains(domino)) {
                return Err(ViewError::Twice { number, domino });
            }
            let seat = trick.leader().after(trick.dominoes().len());
            let led = trick.dominoes().first().map(|&lead| declaration.suit_led(lead));
            history.push(SeenPlay { number, seat, domino, led });
            played[seat.index()].insert(domino);
            trick.push(domino);
            if let (4, Some(winner)) = (trick.dominoes().len(), trick.winner(declaration)) {
                score += if winner.team() == Team::Zero { trick.points() } else { 0 };
                trick = Trick::led_by(winner);
            }
        }
        if plays.len() == Domino::COUNT {
            return Err(ViewError::Over);
        }
        let seat = trick.leader().after(trick.dominoes().len());
        let remaining = check_own(seat, hand, declaration, &history)?;
        let voids = voids(seat, declaration, &history)?;
        let mut known = played;
        known[seat.index()] = hand;
        let may_hold = |other: usize, domino: Domino| {
            !Suit::all().any(|suit| voids[other][suit.index()].is_some() && declaration.follows(domino, suit))
        };
        let worlds = Worlds::new(known, seat.index(), may_hold);
        if worlds.count() == 0 {
            return Err(ViewError::NoDeal);
        }
        Ok(Self { declaration, seat, remaining, played, trick, score, worlds })
    }

    /// The declaration.
    pub fn declaration(&self) -> Declaration {
        self.declaration
    }

    /// The player, whose turn it is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The points of Team 0 so far.
    pub fn score(&self) -> u8 {
        self.score
    }

    /// The deals that agree with what the player knows.
    pub fn worlds(&self) -> &Worlds {
        &self.worlds
    }

    /// The plays that the rules allow the player.
    pub fn legal(&self) -> Hand {
        let led = self.trick.dominoes().first().map(|&lead| self.declaration.suit_led(lead));
        legal(self.declaration, self.remaining, led)
    }

    /// The position in the local indices of a deal that agrees with the view.
    pub(crate) fn position(&self, deal: &Deal) -> Position {
        let before = Seat::ALL.map(|seat| {
            let held = deal.hand(seat).iter().enumerate();
            held.fold(0, |mask, (local, domino)| {
                let is_held =
                    !self.played[seat.index()].contains(*domino) || self.trick.dominoes().contains(domino);
                mask | u8::from(is_held) << local
            })
        });
        let mut position = Position::between_unchecked(before, self.trick.leader());
        for domino in self.trick.dominoes() {
            let local = deal.hand(position.turn()).iter().position(|held| held == domino).unwrap_or(0);
            position = position.with_play(local as u8).unwrap_or(position);
        }
        position
    }

    /// In the world with this number: the final points of the player's team after each legal move, by domino.
    pub(super) fn value_moves(&self, searcher: &mut Searcher, world: u64) -> Vec<u8> {
        let Ok(deal) = Deal::from_hands(self.worlds().hands(world)) else { return Vec::new() };
        let rules = RuleTables::new(&deal, self.declaration());
        let position = self.position(&deal);
        let points = searcher.moves(&rules, &position);
        let final_points = |to_go: u8| {
            let team_zero = self.score() + to_go;
            match self.seat().team() {
                Team::Zero => team_zero,
                Team::One => TOTAL_POINTS - team_zero,
            }
        };
        // Hands are sorted by domino, so the moves by local index are too.
        points.into_iter().flatten().map(final_points).collect()
    }
}

/// The plays that the rules allow: of the led suit if there is one in the hand, else any.
fn legal(declaration: Declaration, hand: Hand, led: Option<Suit>) -> Hand {
    let following: Hand =
        hand.iter().filter(|&domino| led.is_none_or(|suit| declaration.follows(domino, suit))).collect();
    if following.is_empty() { hand } else { following }
}

/// Plays the player's own dominoes, and returns those that are left.
fn check_own(
    own: Seat,
    hand: Hand,
    declaration: Declaration,
    history: &[SeenPlay],
) -> Result<Hand, ViewError> {
    let mut remaining = hand;
    for &SeenPlay { number, seat, domino, led } in history {
        if seat != own {
            if hand.contains(domino) {
                return Err(ViewError::InHand { number, seat, domino, own });
            }
            continue;
        }
        let refuse = |error| Err(ViewError::Own { number, error });
        if !remaining.contains(domino) {
            return refuse(PlayError::NotHeld(seat, domino));
        }
        if !legal(declaration, remaining, led).contains(domino) {
            return refuse(PlayError::MustFollow(seat, domino));
        }
        remaining.remove(domino);
    }
    Ok(remaining)
}

/// By seat and suit: the place of the first play that did not follow it.
type Voids = [[Option<usize>; Suit::COUNT]; 4];

fn voids(own: Seat, declaration: Declaration, history: &[SeenPlay]) -> Result<Voids, ViewError> {
    let mut voids: Voids = [[None; Suit::COUNT]; 4];
    for &SeenPlay { number, seat, domino, led } in history.iter().filter(|play| play.seat != own) {
        let voids = &mut voids[seat.index()];
        for suit in Suit::all().filter(|&suit| declaration.follows(domino, suit)) {
            if let Some(before) = voids[suit.index()] {
                return Err(ViewError::Void { number, seat, domino, before });
            }
        }
        if let Some(led) = led.filter(|&led| !declaration.follows(domino, led)) {
            voids[led.index()].get_or_insert(number);
        }
    }
    Ok(voids)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plays::Plays;

    const HAND: &str = "6-6 6-5 6-4 5-5 4-4 1-0 2-0";

    fn view(hand: &str, declaration: &str, plays: &str) -> Result<PlayerView, ViewError> {
        PlayerView::new(
            hand.parse().unwrap(),
            declaration.parse().unwrap(),
            &plays.parse::<Plays>().unwrap().0,
        )
    }

    #[test]
    fn without_plays_every_deal_of_the_other_21_dominoes_is_possible() {
        let view = view(HAND, "sixes", "").unwrap();
        assert_eq!(view.worlds().count(), 399_072_960);
        assert_eq!((view.seat(), view.legal().len()), (Seat::ALL[0], 7));
    }

    #[test]
    fn impossible_histories_say_what_is_wrong() {
        let error = |hand: &str, plays: &str| view(hand, "sixes", plays).unwrap_err().to_string();
        assert_eq!(
            error("6-6 6-5", ""),
            "the hand has 2 dominoes: give all 7 that were dealt, those already played included"
        );
        assert_eq!(error(HAND, "6-3 6-2 6-1 6-0"), "play 1: seat 0 does not hold 6-3");
        assert_eq!(
            error(HAND, "6-6 6-5 6-1 6-0"),
            "play 2: seat 1 cannot play 6-5: it is in the hand of seat 0, whose turn it is now"
        );
        assert_eq!(
            error(HAND, "6-6 1-1 6-1 6-0 6-5 6-2 2-2 3-3"),
            "play 6: seat 1 cannot hold 6-2: it did not follow that suit at play 2"
        );
        let all: Vec<String> = Domino::all().map(|domino| domino.to_string()).collect();
        assert_eq!(error(HAND, &all.join(" ")), "all dominoes are played: there is no move to value");
    }

    #[test]
    fn voids_that_leave_a_domino_without_a_seat_are_refused() {
        // No other seat follows the sixes, but four of them are missing.
        let error = view(HAND, "sixes", "6-6 1-1 2-2 3-3").unwrap_err().to_string();
        assert_eq!(
            error,
            "no deal agrees with these plays: the suits that seats did not follow leave dominoes that nobody can hold"
        );
    }
}
