//! The strategies of one root tree of a deal.

use super::content;
use noregret_cfr::{
    Deal, DecodeError, EncodedArray, Game, NodeId, Player, Precision, StoragePrecision, Strategy,
};
use noregret_store::ArchiveError;

/// One root tree of a deal.
#[derive(Clone, Copy)]
pub(super) struct RootTree {
    pub deal: Deal,
    pub root: NodeId,
}

/// Both players' strategies in one root tree of a deal.
#[derive(Clone)]
pub(super) struct Page {
    pub strategies: [EncodedArray; 2],
    pub precision: Precision,
    /// The counterfactual values of both players' hands at its chance nodes, where they are known.
    pub chance_values: Option<[Vec<Vec<f32>>; 2]>,
}

impl Page {
    /// The strategies in memory; `tag` is where they come from.
    pub fn strategy<G: Game>(&self, subgame: &G, tag: [u8; 4]) -> Result<Strategy, ArchiveError> {
        let storage = StoragePrecision::uniform(self.precision, self.precision);
        let mut strategy = Strategy::uniform(subgame, &storage);
        self.decode(&mut strategy, subgame, Deal::ROOT, NodeId::ROOT).map_err(|error| content(tag, error))?;
        Ok(strategy)
    }

    /// Puts both players' strategies into those of a game, at a root tree of a deal.
    pub fn decode<G: Game>(
        &self,
        strategy: &mut Strategy,
        game: &G,
        deal: Deal,
        root: NodeId,
    ) -> Result<(), DecodeError> {
        for (player, array) in Player::BOTH.into_iter().zip(&self.strategies) {
            strategy.decode(game, deal, root, player, array)?;
        }
        Ok(())
    }
}
