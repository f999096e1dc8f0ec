//! Things of the rooms below by the names that the API has for them.

use crate::api::common::{PlayerName, StreetName, UnitName};
use noregret_cards::{Board, Street};
use noregret_holdem::{Chips, OOP, Player, TreeOptions, Unit};

/// A player.
pub fn player(player: Player) -> PlayerName {
    if player == OOP { PlayerName::Oop } else { PlayerName::Ip }
}

/// A street.
pub fn street(street: Street) -> StreetName {
    match street {
        Street::Flop => StreetName::Flop,
        Street::Turn => StreetName::Turn,
        Street::River => StreetName::River,
    }
}

/// The cards of a board, one by one.
pub fn board(board: &Board) -> Vec<String> {
    board.cards().iter().map(ToString::to_string).collect()
}

/// The cards of a board by street.
pub struct Cards {
    pub flop: String,
    pub turn: Option<String>,
    pub river: Option<String>,
}

/// The cards of a board by street.
pub fn cards(cards: &Board) -> Cards {
    let cards = board(cards);
    let flop = cards.iter().take(3).map(String::as_str).collect();
    Cards { flop, turn: cards.get(3).cloned(), river: cards.get(4).cloned() }
}

/// What amounts are in.
pub fn unit(unit: Unit) -> UnitName {
    match unit {
        Unit::Chips => UnitName::Chips,
        Unit::Bb => UnitName::Bb,
    }
}

/// The chips on the table and behind.
pub struct ChipsOnTable {
    pub pot: f64,
    pub stacks: [f64; 2],
}

/// The chips at a point where the players have put in so much since the root.
pub fn chips(options: &TreeOptions, committed: [Chips; 2]) -> ChipsOnTable {
    ChipsOnTable {
        pot: Chips::total(committed.into_iter().chain([options.starting_pot])),
        stacks: committed.map(|chips| options.effective_stack.without(chips)),
    }
}
