//! Heads-up postflop hold'em: the spot that a user asks about, its betting tree, and the game that a solver plays.

pub use noregret_cards as cards;
pub use noregret_cfr::Player;

/// The player who acts first on every street.
pub const OOP: Player = Player::First;
/// The player who acts last on every street.
pub const IP: Player = Player::Second;
