//! The spot: who may hold what, on which board, with what betting ahead.
//!
//! ```
//! use noregret_holdem::{OOP, Spot, TreeOptions};
//!
//! let ranges = ["AA,KK,QJs".parse()?, "TT+,AQs+:0.5".parse()?];
//! let options = TreeOptions::new(100.into(), 300.into());
//! let spot = Spot::new(ranges, "Qs Jh 2h".parse()?, options)?;
//! assert_eq!(spot.holes(OOP).count(), 6 + 6 + 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::{IP, OOP, OptionsError, Player, TreeOptions};
use noregret_cards::{Board, Hole, Range};
use std::fmt;

/// A question to the solver that has an answer: both players can be dealt a hand, and the betting makes sense.
#[derive(Clone, PartialEq, Debug)]
pub struct Spot {
    ranges: [Range; 2],
    board: Board,
    options: TreeOptions,
}

impl Spot {
    /// A spot of two ranges (first player first), a board, and the options of its betting.
    pub fn new(ranges: [Range; 2], board: Board, options: TreeOptions) -> Result<Self, SpotError> {
        options.validate().map_err(SpotError::Options)?;
        let spot = Self { ranges, board, options };
        for player in Player::BOTH {
            if spot.range(player).is_empty() {
                return Err(SpotError::EmptyRange(player));
            }
            if spot.holes(player).next().is_none() {
                return Err(SpotError::BlockedRange(player));
            }
        }
        let can_be_dealt =
            |(oop, _): (Hole, f32)| spot.holes(IP).any(|(ip, _)| !ip.set().intersects(oop.set()));
        if spot.holes(OOP).any(can_be_dealt) { Ok(spot) } else { Err(SpotError::NoDeal) }
    }

    /// What a player may hold, hands that the board blocks included.
    pub fn range(&self, player: Player) -> &Range {
        &self.ranges[player.index()]
    }

    /// The hands that a player may hold on this board, with their weights, in index order.
    pub fn holes(&self, player: Player) -> impl Iterator<Item = (Hole, f32)> + '_ {
        let board = self.board.set();
        self.range(player).iter().filter(move |(hole, _)| !hole.set().intersects(board))
    }

    /// The public cards.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// What the betting depends on.
    pub fn options(&self) -> &TreeOptions {
        &self.options
    }
}

/// Why a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpotError {
    /// This player has no hand at all.
    EmptyRange(Player),
    /// Every hand of this player holds a card of the board.
    BlockedRange(Player),
    /// Each hand of one player shares a card with each hand of the other.
    NoDeal,
    /// A value of the betting makes no sense.
    Options(OptionsError),
}

impl fmt::Display for SpotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |player: Player| if player == OOP { "oop" } else { "ip" };
        match self {
            Self::EmptyRange(player) => write!(f, "the {} range has no hands", name(*player)),
            Self::BlockedRange(player) => {
                write!(f, "the {} range is empty: the board has a card of each of its hands", name(*player))
            }
            Self::NoDeal => f.write_str(
                "the ranges cannot be dealt together: each hand of one shares a card with each hand of the other",
            ),
            Self::Options(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SpotError {}

impl From<OptionsError> for SpotError {
    fn from(error: OptionsError) -> Self {
        Self::Options(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chips;

    fn spot(oop: &str, ip: &str, board: &str) -> Result<Spot, String> {
        let ranges =
            [oop, ip].map(|text| if text.is_empty() { Range::default() } else { text.parse().unwrap() });
        let options = TreeOptions::new(100.into(), 300.into());
        Spot::new(ranges, board.parse().unwrap(), options).map_err(|error| error.to_string())
    }

    #[test]
    fn hands_that_the_board_blocks_are_not_dealt() {
        let spot = spot("AA", "KK,AKs:0.5", "AhKh2c").unwrap();
        assert_eq!((spot.holes(OOP).count(), spot.holes(IP).count()), (3, 6));
        assert_eq!(spot.range(IP).iter().count(), 10);
    }

    #[test]
    fn ranges_that_cannot_be_dealt_are_refused() {
        assert_eq!(spot("", "KK", "QsJh2h").unwrap_err(), "the oop range has no hands");
        let blocked = "the ip range is empty: the board has a card of each of its hands";
        assert_eq!(spot("KK", "AhKh,AhQh", "Ah3h2h").unwrap_err(), blocked);
        assert!(
            spot("AhKh", "AhQh", "QsJh2h").unwrap_err().starts_with("the ranges cannot be dealt together")
        );
        assert!(spot("AhKh,AhKd", "AhQh,AdQd", "QsJh2h").is_ok());
    }

    #[test]
    fn betting_that_makes_no_sense_is_refused() {
        let ranges = ["AA".parse().unwrap(), "KK".parse().unwrap()];
        let options = TreeOptions::new(Chips::ZERO, 300.into());
        let error = Spot::new(ranges, "QsJh2h".parse().unwrap(), options).unwrap_err();
        assert_eq!(error.to_string(), "starting_pot: the pot must be at least 1 chip");
    }

    #[test]
    fn the_known_spots_have_the_known_hands() {
        let three_bet = spot(
            "88+,A8s+,A5s-A2s:0.5,AJo+,ATo:0.75,K9s+,KQo,KJo:0.75,KTo:0.25,Q9s+,QJo:0.5,J8s+,JTo:0.25,T8s+,T7s:0.45,97s+,\
             96s:0.45,87s,86s:0.75,85s:0.45,75s+:0.75,74s:0.45,65s:0.75,64s:0.5,63s:0.45,54s:0.75,53s:0.5,52s:0.45,\
             43s:0.5,42s:0.45,32s:0.45",
            "AA:0.25,99-22,AJs-A2s,AQo-A8o,K2s+,K9o+,Q2s+,Q9o+,J6s+,J9o+,T6s+,T9o,96s+,95s:0.5,98o,86s+,85s:0.5,75s+,\
             74s:0.5,64s+,63s:0.5,54s,53s:0.5,43s",
            "QsJh2h",
        );
        let hands = |spot: Spot| (spot.holes(OOP).count(), spot.holes(IP).count());
        assert_eq!(three_bet.map(hands), Ok((273, 416)));
        let turn = spot(
            "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
            "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
            "Td9d6hQc",
        );
        assert_eq!(turn.map(hands), Ok((167, 250)));
    }
}
