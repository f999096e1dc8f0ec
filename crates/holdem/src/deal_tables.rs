//! The hands on every board of every runout, and where each hand comes from.

use crate::Spot;
use crate::hands::{HandTable, ShowdownTable, places};
use crate::runouts::{DealtBoard, Runouts};
use noregret_cards::{CardSet, Street};
use noregret_cfr::{Deal, Player};
use rayon::prelude::*;
use std::collections::HashMap;

/// A deal's table, and for each of its events where each hand was in the deal before, by player.
struct DealTable {
    board: usize,
    origins: [Vec<Vec<u16>>; 2],
}

/// The tables of all deals. Deals with the same cards, turn and river exchanged, share theirs.
pub(crate) struct DealTables {
    boards: Vec<(HandTable, Option<ShowdownTable>)>,
    deals: Vec<Vec<DealTable>>,
}

impl DealTables {
    pub fn new(runouts: &Runouts, spot: &Spot) -> Self {
        let mut known: HashMap<CardSet, usize> = HashMap::new();
        let mut distinct: Vec<&DealtBoard> = Vec::new();
        let table_of: Vec<Vec<usize>> = runouts
            .rounds()
            .iter()
            .map(|round| {
                let table = |deal| {
                    *known.entry(DealtBoard::cards(deal)).or_insert_with(|| {
                        distinct.push(deal);
                        distinct.len() - 1
                    })
                };
                round.iter().map(table).collect()
            })
            .collect();
        let boards: Vec<_> = distinct
            .par_iter()
            .map(|deal| {
                let hands = HandTable::new(spot, &deal.board);
                let showdowns = ShowdownTable::new(&deal.board, &hands);
                (hands, showdowns)
            })
            .collect();
        let deals = runouts
            .rounds()
            .iter()
            .enumerate()
            .map(|(round, deals)| {
                let tables = deals.par_iter().zip(&table_of[round]);
                tables
                    .map(|(deal, &board)| {
                        let parent =
                            round.checked_sub(1).map(|before| &boards[table_of[before][deal.parent]].0);
                        let origins = Player::BOTH.map(|player| match parent {
                            Some(parent) => origins(parent, deal, &boards[board].0, player),
                            None => Vec::new(),
                        });
                        DealTable { board, origins }
                    })
                    .collect()
            })
            .collect();
        Self { boards, deals }
    }

    pub fn hands(&self, deal: Deal) -> &HandTable {
        &self.boards[self.table(deal).board].0
    }

    pub fn showdowns(&self, deal: Deal) -> Option<&ShowdownTable> {
        self.boards[self.table(deal).board].1.as_ref()
    }

    pub fn origins(&self, deal: Deal, player: Player) -> &[Vec<u16>] {
        &self.table(deal).origins[player.index()]
    }

    fn table(&self, deal: Deal) -> &DealTable {
        &self.deals[deal.round][deal.index]
    }

    /// What the tables of these runouts take, without building them.
    pub fn bytes(runouts: &Runouts) -> usize {
        let mut known = std::collections::HashSet::new();
        let mut bytes = 0;
        for deal in runouts.rounds().iter().flatten() {
            let hands = deal.hand_counts;
            if known.insert(deal.cards()) {
                bytes += HandTable::bytes(hands);
                if deal.board.street() == Street::River {
                    bytes += ShowdownTable::bytes(hands);
                }
            }
            let origins =
                deal.events.len() * ((hands[0] + hands[1]) * size_of::<u16>() + 2 * size_of::<Vec<u16>>());
            bytes += size_of::<DealTable>() + origins;
        }
        bytes
    }
}

impl DealtBoard {
    fn cards(&self) -> CardSet {
        self.board.set()
    }
}

fn origins(parent: &HandTable, deal: &DealtBoard, hands: &HandTable, player: Player) -> Vec<Vec<u16>> {
    let places = places(parent.hands(player));
    let hands = hands.hands(player);
    // A symmetry of the ranges and the board turns a possible hand into a possible hand.
    let origin = |renaming: noregret_cards::SuitPermutation| {
        hands.iter().filter_map(|&hole| places[renaming.hole(hole).index()]).collect()
    };
    deal.events.iter().map(|event| origin(event.renaming)).collect()
}
