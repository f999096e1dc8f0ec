//! Where the rows of each deal, tile and block of hands are in a player's arrays.
//!
//! Arrays are laid out `[deal][tile][block of hands][row]`, which is the order in which the traversal reads and writes them.

use super::stored_deals::StoredDeals;
use crate::simd::blocks;
use crate::tree::{SequenceForm, Tile, Tree};
use crate::{Deal, Game, Player};

/// A position in a player's arrays, or the size of a part of them: counts of actions and decisions, each for a block of hands, and of
/// root trees.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Offset {
    pub actions: usize,
    pub decisions: usize,
    pub roots: usize,
}

impl Offset {
    pub fn plus(self, other: Self) -> Self {
        Self {
            actions: self.actions + other.actions,
            decisions: self.decisions + other.decisions,
            roots: self.roots + other.roots,
        }
    }

    pub fn minus(self, other: Self) -> Self {
        Self {
            actions: self.actions - other.actions,
            decisions: self.decisions - other.decisions,
            roots: self.roots - other.roots,
        }
    }

    /// The position in an average strategy, which has a row for all but the last action of a decision.
    pub fn cumulative(self) -> usize {
        self.actions - self.decisions
    }
}

/// Where each deal's rows start, for one player.
#[derive(Clone, Debug)]
pub(crate) struct StateLayout {
    /// One more entry than the round has deals.
    starts: Vec<Vec<Offset>>,
}

impl StateLayout {
    /// `hand_counts` gives, for a round, how many hands the player can have in each deal, and none for a deal that is not stored: it
    /// takes no room.
    pub(crate) fn new(
        tree: &Tree,
        player: Player,
        hand_counts: impl Fn(usize) -> Vec<Option<usize>>,
    ) -> Self {
        let starts = (0..tree.round_count())
            .map(|round| {
                let (actions, decisions) = (tree.rows(round, player), tree.decisions(round, player));
                let roots = tree.round(round).root_count();
                let mut end = Offset::default();
                let ends = hand_counts(round).into_iter().map(|hands| {
                    let deal = hands.map(blocks).map_or(Offset::default(), |blocks| Offset {
                        actions: actions * blocks,
                        decisions: decisions * blocks,
                        roots,
                    });
                    end = end.plus(deal);
                    end
                });
                std::iter::once(Offset::default()).chain(ends).collect()
            })
            .collect();
        Self { starts }
    }

    /// The layouts of both players, with room for the stored deals.
    pub(crate) fn of_game<G: Game>(game: &G, stored: &StoredDeals) -> [Self; 2] {
        Player::BOTH.map(|player| {
            Self::new(game.tree(), player, |round| {
                let deals = (0..game.deal_count(round)).map(|index| Deal { round, index });
                deals.map(|deal| stored.contains(deal).then(|| game.hand_count(deal, player))).collect()
            })
        })
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.starts.iter().map(|starts| size_of_val(starts.as_slice())).sum()
    }

    /// Where a deal starts.
    pub(crate) fn start(&self, deal: Deal) -> Offset {
        self.starts[deal.round][deal.index]
    }

    /// Where a round ends.
    pub(crate) fn end(&self, round: usize) -> Offset {
        self.starts[round].last().copied().unwrap_or_default()
    }
}

/// The size of one block of a sequence form.
pub(crate) fn form_size(form: &SequenceForm) -> Offset {
    Offset { actions: form.rows, decisions: form.decisions.len(), roots: 0 }
}

/// Where a block starts in its tile.
pub(crate) fn block_start(form: &SequenceForm, block: usize) -> Offset {
    Offset { actions: block * form.rows, decisions: block * form.decisions.len(), roots: 0 }
}

/// Where a tile starts in its deal.
pub(crate) fn tile_start(tile: &Tile, player: Player, blocks: usize) -> Offset {
    let p = player.index();
    Offset {
        actions: tile.rows_before[p] * blocks,
        decisions: tile.decisions_before[p] * blocks,
        roots: tile.all_roots.start,
    }
}

/// The size of a tile.
pub(crate) fn tile_size(tile: &Tile, player: Player, blocks: usize) -> Offset {
    let size = form_size(&tile.forms[player.index()]);
    Offset { actions: size.actions * blocks, decisions: size.decisions * blocks, roots: tile.all_roots.len() }
}
