//! The hands on every board of every runout, and where each hand comes from.

use super::all_in::AllInTable;
use super::hands::{HandTable, ShowdownTable, places};
use super::runouts::{DealtBoard, Runouts};
use crate::betting::spot::Spot;
use noregret_cards::{Board, CardSet, Street, SuitPermutation};
use noregret_cfr::{Deal, Player, Tree};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The hands on a board and how they compare, for every deal with these cards.
struct BoardTable {
    board: Board,
    tables: OnceLock<(HandTable, Option<ShowdownTable>)>,
    all_in: OnceLock<AllInTable>,
}

/// A deal's table, and for each of its events where each hand was in the deal before, by player.
struct DealTable {
    board: usize,
    /// The table of the deal before.
    parent: Option<usize>,
    events: Vec<SuitPermutation>,
    origins: [OnceLock<Vec<Vec<u16>>>; 2],
}

/// The tables of all deals, each filled in when it is first asked for. Deals with the same cards, turn and river
/// exchanged, share theirs.
pub(crate) struct DealTables {
    spot: Spot,
    boards: Vec<BoardTable>,
    deals: Vec<Vec<DealTable>>,
}

impl DealTables {
    /// Tables that are not filled in yet.
    pub fn new(runouts: &Runouts, spot: &Spot) -> Self {
        let mut known: HashMap<CardSet, usize> = HashMap::new();
        let mut boards: Vec<BoardTable> = Vec::new();
        let mut deals: Vec<Vec<DealTable>> = Vec::new();
        for round in runouts.rounds() {
            let tables = round.iter().map(|deal| {
                let board = *known.entry(deal.cards()).or_insert_with(|| {
                    let (tables, all_in) = (OnceLock::new(), OnceLock::new());
                    boards.push(BoardTable { board: deal.board, tables, all_in });
                    boards.len() - 1
                });
                let parent = deals.last().map(|before| before[deal.parent].board);
                let events = deal.events.iter().map(|event| event.renaming).collect();
                DealTable { board, parent, events, origins: [const { OnceLock::new() }; 2] }
            });
            let tables = tables.collect();
            deals.push(tables);
        }
        Self { spot: spot.clone(), boards, deals }
    }

    /// Fills in all of them; those of hands that are all-in in the rounds that have such.
    pub fn fill(&self, tree: &Tree) {
        self.boards.par_iter().for_each(|board| {
            board.tables(&self.spot);
        });
        for (round, deals) in self.deals.iter().enumerate() {
            let has_all_ins = tree.has_all_ins(round);
            (0..deals.len()).into_par_iter().for_each(|index| {
                for player in Player::BOTH {
                    self.origins(Deal { round, index }, player);
                }
                if has_all_ins {
                    self.all_in(Deal { round, index });
                }
            });
        }
    }

    pub fn hands(&self, deal: Deal) -> &HandTable {
        self.board_hands(self.table(deal).board)
    }

    pub fn showdowns(&self, deal: Deal) -> Option<&ShowdownTable> {
        self.boards[self.table(deal).board].tables(&self.spot).1.as_ref()
    }

    /// How hands compare that are all-in before the river.
    pub fn all_in(&self, deal: Deal) -> &AllInTable {
        let table = &self.boards[self.table(deal).board];
        table.all_in.get_or_init(|| AllInTable::new(&table.board, &table.tables(&self.spot).0))
    }

    pub fn origins(&self, deal: Deal, player: Player) -> &[Vec<u16>] {
        let table = self.table(deal);
        table.origins[player.index()].get_or_init(|| {
            let Some(parent) = table.parent else { return Vec::new() };
            let (parent, hands) = (self.board_hands(parent), self.board_hands(table.board));
            origins(parent, &table.events, hands, player)
        })
    }

    fn board_hands(&self, board: usize) -> &HandTable {
        &self.boards[board].tables(&self.spot).0
    }

    fn table(&self, deal: Deal) -> &DealTable {
        &self.deals[deal.round][deal.index]
    }

    /// What the tables of these runouts take, without building them.
    pub fn bytes(runouts: &Runouts, tree: &Tree) -> usize {
        let mut known = std::collections::HashSet::new();
        let mut bytes = 0;
        let rounds = runouts.rounds().iter().enumerate();
        for (round, deal) in rounds.flat_map(|(round, deals)| deals.iter().map(move |deal| (round, deal))) {
            let hands = deal.hand_counts;
            if known.insert(deal.cards()) {
                bytes += size_of::<BoardTable>();
                bytes += HandTable::bytes(hands);
                if tree.has_all_ins(round) {
                    bytes += AllInTable::bytes(deal.board.street(), hands);
                }
                if deal.board.street() == Street::River {
                    bytes += ShowdownTable::bytes(hands);
                }
            }
            let origins = deal.events.len()
                * ((hands[0] + hands[1]) * size_of::<u16>()
                    + 2 * size_of::<Vec<u16>>()
                    + size_of::<SuitPermutation>());
            bytes += size_of::<DealTable>() + origins;
        }
        bytes
    }
}

impl BoardTable {
    fn tables(&self, spot: &Spot) -> &(HandTable, Option<ShowdownTable>) {
        self.tables.get_or_init(|| {
            let hands = HandTable::new(spot, &self.board);
            let showdowns = ShowdownTable::new(&self.board, &hands);
            (hands, showdowns)
        })
    }
}

impl DealtBoard {
    fn cards(&self) -> CardSet {
        self.board.set()
    }
}

fn origins(
    parent: &HandTable,
    events: &[SuitPermutation],
    hands: &HandTable,
    player: Player,
) -> Vec<Vec<u16>> {
    let places = places(parent.hands(player));
    let hands = hands.hands(player);
    // A symmetry of the ranges and the board turns a possible hand into a possible hand.
    let origin = |renaming: &SuitPermutation| {
        hands.iter().filter_map(|&hole| places[renaming.hole(hole).index()]).collect()
    };
    events.iter().map(origin).collect()
}
