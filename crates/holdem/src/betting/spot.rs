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

use super::chips::Granularity;
use super::line::Line;
use super::locks::{Bound, BoundStrategy, Lock, LockError};
use super::position::{IP, OOP, Player};
use super::tree::{EditError, OptionsError, Rules, TreeOptions};
use noregret_cards::{Board, Hole, Range};

/// A question to the solver that has an answer: both players can be dealt a hand, and the betting makes sense.
#[derive(Clone, PartialEq, Debug)]
pub struct Spot {
    ranges: [Range; 2],
    board: Board,
    options: TreeOptions,
    locks: Vec<Lock>,
    bound: Vec<Bound>,
}

impl AsRef<Self> for Spot {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl Spot {
    /// The least weight of a hand that is not 0: products of anything much less are lost in 32-bit floats.
    pub const MIN_WEIGHT: f32 = 1e-9;

    /// The least share of all pairs of hands that must go together: of anything much less, the sums over all pairs
    /// minus those that share a card leave nothing but rounding.
    const MIN_DEALS: f64 = 1e-3;

    /// A spot of two ranges (first player first), a board, and the options of its betting.
    pub fn new(ranges: [Range; 2], board: Board, options: TreeOptions) -> Result<Self, SpotError> {
        options.validate()?;
        let options = options.counted();
        Rules::new(&options, board.street())?;
        let spot = Self { ranges, board, options, locks: Vec::new(), bound: Vec::new() };
        for player in Player::BOTH {
            if spot.range(player).is_empty() {
                return Err(SpotError::EmptyRange(player));
            }
            if let Some((hole, _)) = spot.range(player).iter().find(|&(_, weight)| weight < Self::MIN_WEIGHT)
            {
                return Err(SpotError::TinyWeight(player, hole));
            }
            if spot.holes(player).next().is_none() {
                return Err(SpotError::BlockedRange(player));
            }
        }
        if spot.share_of_deals() < Self::MIN_DEALS { Err(SpotError::NoDeal) } else { Ok(spot) }
    }

    /// Which share of all pairs of hands, by weight, can be dealt together.
    fn share_of_deals(&self) -> f64 {
        let (mut dealt, mut all) = (0.0, 0.0);
        for (oop, weight) in self.holes(OOP) {
            for (ip, other) in self.holes(IP) {
                let pair = f64::from(weight) * f64::from(other);
                all += pair;
                dealt += if oop.set().intersects(ip.set()) { 0.0 } else { pair };
            }
        }
        dealt / all
    }

    /// The same spot with some hands bound to strategies, in the place of what was bound before.
    pub fn with_locks(mut self, locks: Vec<Lock>) -> Result<Self, LockError> {
        (self.locks, self.bound) = Bound::all(&self.ranges, &self.board, &self.options, locks)?;
        Ok(self)
    }

    /// The same with every hand free.
    #[must_use]
    pub fn without_locks(self) -> Self {
        Self { locks: Vec::new(), bound: Vec::new(), ..self }
    }

    /// The hands that are bound to strategies, in the betting tree's own words.
    pub fn locks(&self) -> &[Lock] {
        &self.locks
    }

    /// Whether some are by merit, and no solution has said yet what their hands are worth.
    pub fn has_open_locks(&self) -> bool {
        self.locks.iter().any(Lock::is_open)
    }

    /// The same spot with the hands of its locks by merit as another one has them, if that has the same locks.
    #[must_use]
    pub fn resolved_as(self, other: &Self) -> Self {
        let opened = |spot: &Self| spot.locks.iter().cloned().map(Lock::opened).collect::<Vec<_>>();
        if self.has_open_locks() && opened(&self) == opened(other) {
            return Self { locks: other.locks.clone(), bound: other.bound.clone(), ..self };
        }
        self
    }

    /// What hands are bound to at each line, in the order of the tree's actions there; locks whose hands are not known yet are
    /// left out.
    pub fn locked_strategies(&self) -> impl Iterator<Item = (&Line, Vec<(Hole, Vec<f64>)>)> {
        self.bound.iter().map(|bound| {
            let shares = |i| Some(bound.strategy.of(i)?.iter().map(|&share| f64::from(share)).collect());
            let hands = bound.holes.iter().enumerate().filter_map(|(i, &hole)| Some((hole, shares(i)?)));
            (&bound.line, hands.collect())
        })
    }

    /// Whether the same hands are bound to the same strategies, for now.
    pub(crate) fn binds_as(&self, other: &Self) -> bool {
        let bound = |spot: &Self| {
            let bound = spot.bound.iter();
            bound
                .filter(|bound| !matches!(bound.strategy, BoundStrategy::Open(..)))
                .cloned()
                .collect::<Vec<_>>()
        };
        bound(self) == bound(other)
    }

    /// How many hands they bind, each counted once for each line where it is bound.
    pub fn locked_hands(&self) -> usize {
        self.bound.iter().map(|bound| bound.holes.len()).sum()
    }

    /// The same, worked out.
    pub(crate) fn bound(&self) -> &[Bound] {
        &self.bound
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

    /// The largest weight of a hand that a player may hold on this board.
    pub fn largest_weight(&self, player: Player) -> f32 {
        self.holes(player).fold(0.0, |largest, (_, weight)| largest.max(weight))
    }

    /// The public cards.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The smallest amount of the betting: what the solver counts in.
    pub fn granularity(&self) -> Granularity {
        self.options.starting_pot.granularity()
    }

    /// What the betting depends on.
    pub fn options(&self) -> &TreeOptions {
        &self.options
    }
}

/// Why a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpotError {
    /// This player has no hand at all.
    #[error("the {} range has no hands", name(*.0))]
    EmptyRange(Player),
    /// Every hand of this player holds a card of the board.
    #[error("the {} range is empty: the board has a card of each of its hands", name(*.0))]
    BlockedRange(Player),
    /// This player has this hand with a weight below [`Spot::MIN_WEIGHT`].
    #[error("the {player} range has {hole} with a weight below {least:e}: leave it out", player = name(*.0), hole = .1, least = Spot::MIN_WEIGHT)]
    TinyWeight(Player, Hole),
    /// Each hand of one player, or nearly each, shares a card with each hand of the other.
    #[error(
        "the ranges cannot be dealt together: every hand of one, or nearly, shares a card with every hand of the other"
    )]
    NoDeal,
    /// A value of the betting makes no sense.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A line cannot be added to the betting or taken out of it.
    #[error(transparent)]
    Edit(#[from] EditError),
}

/// The name of a player's range in a spec.
fn name(player: Player) -> &'static str {
    if player == OOP { "oop" } else { "ip" }
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
    fn weights_that_rounding_would_swallow_are_refused() {
        let tiny = "the ip range has AhAd with a weight below 1e-9: leave it out";
        assert_eq!(spot("KK", "AhAd:1e-30,QQ", "Tc3h2h").unwrap_err(), tiny);
        assert!(spot("KK:1e-9", "AhAd:1e-9", "Tc3h2h").is_ok());
        assert!(spot("AhKh,2c2d:1e-5", "AhQh", "Tc3h2h").unwrap_err().contains("cannot be dealt together"));
        assert!(spot("AhKh,2c2d:0.01", "AhQh", "Tc3h2h").is_ok());
    }

    #[test]
    fn betting_that_makes_no_sense_is_refused() {
        let ranges = ["AA".parse().unwrap(), "KK".parse().unwrap()];
        let options = TreeOptions::new(Chips::ZERO, 300.into());
        let error = Spot::new(ranges, "QsJh2h".parse().unwrap(), options).unwrap_err();
        assert_eq!(error.to_string(), "starting_pot: the pot must be above 0");
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
