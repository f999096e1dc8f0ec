//! The hands on every board of every runout, and where each hand comes from.

use super::all_in::AllInTable;
use super::hands::{HandTable, ShowdownTable, places};
use super::orbits::is_trivial;
use super::runouts::{DealtBoard, Runouts};
use crate::betting::spot::Spot;
use noregret_cards::{Board, CardSet, Street, SuitGroup, SuitPermutation};
use noregret_cfr::{Deal, Player, Tree};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The hands on a board and how they compare, for every deal with these cards.
struct BoardTable {
    board: Board,
    /// The symmetries of the deals with these cards.
    group: SuitGroup,
    tables: OnceLock<(HandTable, Option<ShowdownTable>)>,
    all_in: OnceLock<AllInTable>,
}

/// Where the hands of a deal were in the deal before.
struct Origins {
    /// For each representative, the index of its orbit there.
    orbits: Vec<u16>,
    /// How many of the cards that lead to the deal each representative stands for; empty if the deal before has no symmetry.
    event_counts: Vec<u8>,
}

/// A deal's table, and where each hand was in the deal before, by player.
struct DealTable {
    board: usize,
    /// The table of the deal before.
    parent: Option<usize>,
    events: Vec<SuitPermutation>,
    origins: [OnceLock<Origins>; 2],
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
                    boards.push(BoardTable { board: deal.board, group: deal.group.clone(), tables, all_in });
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
            (0..deals.len())
                .into_par_iter()
                .for_each(|index| self.fill_deal(Deal { round, index }, has_all_ins));
        }
    }

    /// Fills in those of some deals.
    pub fn fill_deals(&self, tree: &Tree, deals: &[Deal]) {
        deals.par_iter().for_each(|&deal| {
            self.showdowns(deal);
            self.fill_deal(deal, tree.has_all_ins(deal.round));
        });
    }

    fn fill_deal(&self, deal: Deal, has_all_ins: bool) {
        for player in Player::BOTH {
            self.origins(deal, player);
        }
        if has_all_ins {
            self.all_in(deal);
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

    /// The index of each hand in the deal before.
    pub fn origins(&self, deal: Deal, player: Player) -> &[u16] {
        &self.origin_table(deal, player).orbits
    }

    /// How many of the cards that lead to a deal each hand stands for; empty if that is one for all.
    pub fn event_counts(&self, deal: Deal, player: Player) -> &[u8] {
        &self.origin_table(deal, player).event_counts
    }

    fn origin_table(&self, deal: Deal, player: Player) -> &Origins {
        let table = self.table(deal);
        table.origins[player.index()].get_or_init(|| match table.parent {
            Some(parent) => {
                Origins::new(self.board_hands(parent), &table.events, self.board_hands(table.board), player)
            }
            None => Origins { orbits: Vec::new(), event_counts: Vec::new() },
        })
    }

    fn board_hands(&self, board: usize) -> &HandTable {
        &self.boards[board].tables(&self.spot).0
    }

    fn table(&self, deal: Deal) -> &DealTable {
        &self.deals[deal.round][deal.index]
    }

    /// What the tables of the deals take that are filled in, without building them.
    pub fn bytes(runouts: &Runouts, tree: &Tree, is_filled: impl Fn(Deal) -> bool) -> usize {
        let mut known = std::collections::HashSet::new();
        let mut bytes = 0;
        let rounds = runouts.rounds().iter().enumerate();
        let deals = rounds.flat_map(|(round, deals)| {
            deals.iter().enumerate().map(move |(index, deal)| (Deal { round, index }, deal))
        });
        for (place, deal) in deals {
            let round = place.round;
            if !is_filled(place) {
                bytes += size_of::<BoardTable>() + size_of::<DealTable>();
                continue;
            }
            if known.insert(deal.cards()) {
                bytes += size_of::<BoardTable>() + size_of_val(deal.group.members());
                bytes += HandTable::bytes(deal);
                if tree.has_all_ins(round) {
                    bytes += AllInTable::bytes(deal.board.street(), deal.hand_counts);
                }
                if deal.board.street() == Street::River {
                    bytes += ShowdownTable::bytes(deal);
                }
            }
            bytes += size_of::<DealTable>() + deal.events.len() * size_of::<SuitPermutation>();
            if let Some(before) = round.checked_sub(1) {
                let parent = &runouts.rounds()[before][deal.parent];
                let counted = if is_trivial(&parent.group) { 0 } else { size_of::<u8>() };
                bytes += deal.orbit_counts.iter().sum::<usize>() * (size_of::<u16>() + counted);
            }
        }
        bytes
    }
}

impl BoardTable {
    fn tables(&self, spot: &Spot) -> &(HandTable, Option<ShowdownTable>) {
        self.tables.get_or_init(|| {
            let hands = HandTable::new(spot, &self.board, &self.group);
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

impl Origins {
    fn new(parent: &HandTable, events: &[SuitPermutation], hands: &HandTable, player: Player) -> Self {
        let representatives = hands.representatives(player);
        let before = places(parent.hands(player));
        // The first event renames no suits.
        let here = representatives.iter().filter_map(|hole| before[hole.index()]);
        let Some(parent_orbits) = parent.orbits(player) else {
            return Self { orbits: here.collect(), event_counts: Vec::new() };
        };
        let orbits = here.map(|hand| parent_orbits.orbit_of[usize::from(hand)]).collect();
        let places = places(hands.hands(player));
        let mut event_counts = vec![0; representatives.len()];
        // After each card, a hand of the deal before is worth what the hand is worth here that the renaming turns into it.
        for &hole in &parent_orbits.representatives {
            for renaming in events {
                if let Some(hand) = places[renaming.inverse().hole(hole).index()].map(usize::from) {
                    let orbit =
                        hands.orbits(player).map_or(hand, |orbits| usize::from(orbits.orbit_of[hand]));
                    event_counts[orbit] += 1;
                }
            }
        }
        Self { orbits, event_counts }
    }
}
