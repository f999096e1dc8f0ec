//! The two positions of a heads-up hand after the flop.

pub use noregret_cfr::Player;

/// The player who acts first on every street.
pub const OOP: Player = Player::First;
/// The player who acts last on every street.
pub const IP: Player = Player::Second;
