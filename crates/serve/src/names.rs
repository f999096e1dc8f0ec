//! Things of the rooms below by the names that the API has for them.

use crate::api::common::{PlayerName, StreetName};
use noregret_cards::{Board, Street};
use noregret_holdem::{Action, Chips, OOP, Player, TreeOptions};

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

/// What an action comes to; 0 where there is no amount.
pub fn amount(action: Action) -> u32 {
    action.amount().map_or(0, Chips::get)
}

/// The chips on the table and behind.
pub struct ChipsOnTable {
    pub pot: f64,
    pub stacks: [f64; 2],
}

/// The chips at a point where the players have put in so much since the root.
pub fn chips(options: &TreeOptions, committed: [Chips; 2]) -> ChipsOnTable {
    let put_in: f64 = committed.iter().map(|chips| chips.as_f64()).sum();
    ChipsOnTable {
        pot: options.starting_pot.as_f64() + put_in,
        stacks: committed.map(|chips| options.effective_stack.as_f64() - chips.as_f64()),
    }
}
