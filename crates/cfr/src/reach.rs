//! Reach probabilities at the roots of a deal.

use crate::simd::{Row, blocks, flat_mut};
use crate::tree::Tile;
use crate::{Deal, Game, Player};

/// Reach probabilities at the roots of a deal: a row for each (block of hands, root). A hand's weight is part of its reach.
#[derive(Clone, Default)]
pub(crate) struct ReachProbabilities {
    /// By player. Only a traversal that updates regrets needs its own player's.
    pub players: [Vec<Row>; 2],
    /// The traverser's own, with its average strategy so far.
    pub average: Vec<Row>,
}

impl ReachProbabilities {
    /// At the root of the game: the weights of all hands. `updating` is the player whose regrets are updated, if any.
    pub fn at_root<G: Game>(game: &G, updating: Option<Player>) -> Self {
        let players = Player::BOTH.map(|player| {
            let mut rows = root_rows(game, player);
            let weights = game.weights(player);
            flat_mut(&mut rows)[..weights.len()].copy_from_slice(weights);
            rows
        });
        let average = updating.map(|player| players[player.index()].clone()).unwrap_or_default();
        Self { players, average }
    }
}

/// A row for each block of a player's hands at the root of the game.
pub(crate) fn root_rows<G: Game>(game: &G, player: Player) -> Vec<Row> {
    vec![Row::ZERO; blocks(game.hand_count(Deal::ROOT, player))]
}

/// Copies the reach probabilities at the roots of a tile to its first sequences.
#[inline(always)]
pub(crate) fn load_roots(reach: &[Row], tile: &Tile, block: usize, roots: usize, sequences: &mut [Row]) {
    sequences[..tile.roots.len()].copy_from_slice(&reach[block * roots..][tile.roots.clone()]);
}
