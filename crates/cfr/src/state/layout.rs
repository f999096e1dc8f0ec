//! Where the numbers of each deal, tile and block of hands are in a player's arrays.

use crate::kernels::blocks;
use crate::tree::{Plan, Tile};
use crate::{Deal, Game, Player, Tree};

/// A place in a player's arrays: so many actions of so many decisions in, each for a block of hands, and so many root trees.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Offset {
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

    /// Of a decision's actions, all but the last have a cell in the average strategy.
    pub fn shares(self) -> usize {
        self.actions - self.decisions
    }
}

/// Where each deal's numbers start, for one player.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// One more entry than the round has deals.
    starts: Vec<Vec<Offset>>,
}

impl Layout {
    /// `hand_counts` gives, for a round, how many hands the player can have in each deal.
    pub(super) fn new(tree: &Tree, player: Player, hand_counts: impl Fn(usize) -> Vec<usize>) -> Self {
        let starts = (0..tree.round_count())
            .map(|round| {
                let (actions, decisions) = (tree.rows(round, player), tree.decisions(round, player));
                let roots = tree.round(round).root_count();
                let mut end = Offset::default();
                let ends = hand_counts(round).into_iter().map(|hands| {
                    let blocks = blocks(hands);
                    let deal = Offset { actions: actions * blocks, decisions: decisions * blocks, roots };
                    end = end.plus(deal);
                    end
                });
                std::iter::once(Offset::default()).chain(ends).collect()
            })
            .collect();
        Self { starts }
    }

    pub(super) fn of<G: Game>(game: &G, player: Player) -> Self {
        Self::new(game.tree(), player, |round| {
            (0..game.deal_count(round)).map(|index| game.hand_count(Deal { round, index }, player)).collect()
        })
    }

    pub(super) fn bytes(&self) -> usize {
        self.starts.iter().map(|starts| size_of_val(starts.as_slice())).sum()
    }

    pub(super) fn start(&self, deal: Deal) -> Offset {
        self.starts[deal.round][deal.index]
    }

    pub(super) fn end(&self, round: usize) -> Offset {
        self.starts[round].last().copied().unwrap_or_default()
    }
}

/// The numbers of one block of a plan.
pub(super) fn plan_size(plan: &Plan) -> Offset {
    Offset { actions: plan.rows, decisions: plan.decisions.len(), roots: 0 }
}

pub(super) fn block_start(plan: &Plan, block: usize) -> Offset {
    Offset { actions: block * plan.rows, decisions: block * plan.decisions.len(), roots: 0 }
}

pub(super) fn tile_start(tile: &Tile, player: Player, blocks: usize) -> Offset {
    let p = player.index();
    Offset {
        actions: tile.rows_before[p] * blocks,
        decisions: tile.decisions_before[p] * blocks,
        roots: tile.all_roots.start,
    }
}

pub(super) fn tile_size(tile: &Tile, player: Player, blocks: usize) -> Offset {
    let size = plan_size(&tile.plans[player.index()]);
    Offset { actions: size.actions * blocks, decisions: size.decisions * blocks, roots: tile.all_roots.len() }
}
