//! The rules of one deal and declaration, laid out for speed: everything in local indices.

use std::sync::LazyLock;

use crate::deal::Deal;
use crate::declaration::{Declaration, Suit};
use crate::domino::Domino;
use crate::position::Position;
use crate::seat::{Seat, Team};

/// Follow masks, strengths and counts of the 28 dominoes where they were dealt. Arrays over local indices have an
/// eighth place so that three bits always fall inside.
#[derive(Clone, Debug)]
pub(crate) struct RuleTables {
    /// The suit that each local domino leads.
    pub(crate) suit_led: [[u8; 8]; 4],
    /// Which local dominoes follow a suit, as a mask.
    pub(crate) follow: [[u8; 4]; Suit::COUNT],
    /// By led suit, seat and local index: what the domino does to a trick.
    pub(crate) effect: [[[Effect; 8]; 4]; Suit::COUNT],
}

/// What a domino does to a trick of some suit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effect {
    /// The highest takes the trick. Two bits name the seat, those above rank the domino; 0 cannot win.
    pub(crate) claim: u8,
    /// What the domino counts.
    pub(crate) count: u8,
}

/// A trick as it grows: what decides it and what it is worth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrickState {
    pub(crate) suit: usize,
    pub(crate) claim: u8,
    pub(crate) points: u8,
}

impl RuleTables {
    pub(crate) fn new(deal: &Deal, declaration: Declaration) -> Self {
        let mut rules = Self {
            suit_led: [[0; 8]; 4],
            follow: [[0; 4]; Suit::COUNT],
            effect: [[[Effect::default(); 8]; 4]; Suit::COUNT],
        };
        for seat in Seat::ALL {
            for (local, &domino) in deal.hand(seat).iter().enumerate() {
                rules.place(declaration, seat.index(), local, domino);
            }
        }
        rules
    }

    fn place(&mut self, declaration: Declaration, seat: usize, local: usize, domino: Domino) {
        self.suit_led[seat][local] = declaration.suit_led(domino).index() as u8;
        for suit in Suit::all() {
            let follows = declaration.follows(domino, suit);
            self.follow[suit.index()][seat] |= u8::from(follows) << local;
            let claim = match RANKS[usize::from(declaration.number())][suit.index()][domino.number() as usize]
            {
                0 => 0,
                rank => 4 * rank + seat as u8,
            };
            self.effect[suit.index()][seat][local] = Effect { claim, count: domino.count() };
        }
    }

    /// The legal plays of a seat that holds `held`, after a lead of the suit.
    #[inline(always)]
    pub(crate) fn legal(&self, suit: usize, seat: usize, held: u8) -> u8 {
        let following = held & self.follow[suit][seat];
        if following == 0 { held } else { following }
    }

    #[inline(always)]
    pub(crate) fn lead(&self, seat: usize, local: usize) -> TrickState {
        let suit = usize::from(self.suit_led[seat][local & 7] & 7);
        let Effect { claim, count } = self.effect[suit][seat][local & 7];
        TrickState { suit, claim, points: 1 + count }
    }

    #[inline(always)]
    pub(crate) fn follow(&self, trick: TrickState, seat: usize, local: usize) -> TrickState {
        let Effect { claim, count } = self.effect[trick.suit & 7][seat][local & 7];
        TrickState { suit: trick.suit, claim: trick.claim.max(claim), points: trick.points + count }
    }

    /// The legal plays at a position, as a mask of local indices of the seat whose turn it is.
    pub(crate) fn legal_at(&self, position: &Position) -> u8 {
        let turn = position.turn();
        let held = position.remaining(turn);
        match position.plays().first() {
            None => held,
            Some(&lead) => {
                let suit = self.suit_led[position.leader().index()][usize::from(lead)];
                self.legal(usize::from(suit), turn.index(), held)
            }
        }
    }

    /// The trick under way at a position, if one is.
    pub(crate) fn trick_at(&self, position: &Position) -> Option<TrickState> {
        let (&lead, others) = position.plays().split_first()?;
        let leader = position.leader().index();
        let lead = self.lead(leader, usize::from(lead));
        Some(
            others
                .iter()
                .zip(leader + 1..)
                .fold(lead, |trick, (&play, seat)| self.follow(trick, seat & 3, usize::from(play))),
        )
    }

    /// The trick after a legal play at a position.
    pub(crate) fn trick_after(&self, position: &Position, local: u8) -> TrickState {
        let (seat, local) = (position.turn().index(), usize::from(local));
        match self.trick_at(position) {
            Some(trick) => self.follow(trick, seat, local),
            None => self.lead(seat, local),
        }
    }

    /// Points still to be won by either team from a position between tricks.
    pub(crate) fn points_left(&self, held: [u8; 4]) -> u8 {
        held[0].count_ones() as u8 + self.counts(held)
    }

    /// What the dominoes of some hands count.
    pub(crate) fn counts(&self, held: [u8; 4]) -> u8 {
        let mut points = 0;
        for (effects, mask) in self.effect[0].iter().zip(held) {
            for (local, effect) in effects.iter().enumerate() {
                points += effect.count * (mask >> local & 1);
            }
        }
        points
    }
}

/// By declaration, led suit and domino: its rank among those that can win, from 1 on; 0 cannot win.
static RANKS: LazyLock<[[[u8; Domino::COUNT]; Suit::COUNT]; 10]> = LazyLock::new(|| {
    let mut ranks = [[[0; Domino::COUNT]; Suit::COUNT]; 10];
    for (declaration, ranks) in Declaration::all().zip(&mut ranks) {
        for (suit, ranks) in Suit::all().zip(ranks) {
            for (domino, rank) in Domino::all().zip(ranks) {
                let own = strength(declaration, suit, domino);
                let weaker = Domino::all().map(|other| strength(declaration, suit, other));
                let weaker = weaker.filter(|&strength| 0 < strength && strength < own).count();
                *rank = if own == 0 { 0 } else { 1 + weaker as u8 };
            }
        }
    }
    ranks
});

/// How high a domino stands in a trick of the suit; 0 cannot win.
fn strength(declaration: Declaration, suit: Suit, domino: Domino) -> u8 {
    let rank = if domino.is_double() { 20 + domino.high() } else { domino.high() + domino.low() };
    match (declaration.is_trump(domino), declaration.follows(domino, suit)) {
        (true, _) => 100 + rank,
        (false, true) => 1 + rank,
        (false, false) => 0,
    }
}

impl TrickState {
    /// The seat that takes the trick as it stands.
    #[inline(always)]
    pub(crate) fn winner(&self) -> usize {
        usize::from(self.claim & 3)
    }

    /// What a finished trick adds to Team 0's points.
    #[inline(always)]
    pub(crate) fn gain(&self) -> u8 {
        self.points & (self.claim & 1).wrapping_sub(1)
    }
}

/// What any count of points is at least as good as, for the team of a seat.
#[inline(always)]
pub(crate) fn worst(seat: Seat) -> u8 {
    match seat.team() {
        Team::Zero => 0,
        Team::One => u8::MAX,
    }
}

/// The better of two point counts for the team of a seat.
#[inline(always)]
pub(crate) fn better(seat: Seat, one: u8, other: u8) -> u8 {
    Team::better(seat.team(), one, other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn the_tables_agree_with_the_plain_game_on_random_play() {
        for seed in 0..60_u64 {
            for declaration in Declaration::all() {
                let deal = Deal::from_seed(seed);
                let (mut game, rules) = (Game::new(&deal, declaration), RuleTables::new(&deal, declaration));
                let mut position = Position::START;
                let mut turns = 0;
                while !game.is_over() {
                    let turn = position.turn();
                    assert_eq!(turn, game.turn());
                    let legal = rules.legal_at(&position);
                    assert_eq!(deal.held(turn, legal), game.legal());
                    turns += 1;
                    let choice = (seed + turns) % u64::from(legal.count_ones());
                    let local = (0..7).filter(|i| legal >> i & 1 == 1).nth(choice as usize).unwrap();
                    let trick = rules.trick_after(&position, local);
                    let score = game.score();
                    game.play(deal.hand(turn)[usize::from(local)]).unwrap();
                    position = position.with_play(local).unwrap_or_else(|| {
                        assert_eq!(trick.gain(), game.score() - score);
                        let mut held = Seat::ALL.map(|seat| position.remaining(seat));
                        held[turn.index()] &= !(1 << local);
                        assert_eq!(rules.points_left(held), game.points_left());
                        Position::between(held, Seat::ALL[trick.winner()]).unwrap()
                    });
                }
            }
        }
    }
}
