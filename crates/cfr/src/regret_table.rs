//! The cumulative regrets of both players.

use crate::encoding::{ArrayKind, DecodeError, Encoded, EncodedArray};
use crate::simd::blocks;
use crate::state::layout::{tile_size, tile_start};
use crate::state::{
    RegretsMut, RegretsRef, RoundRegrets, ScaledMut, StateBuffers, StateLayout, StoragePrecision,
    with_encoding,
};
use crate::tree::{NodeId, Tile};
use crate::{Deal, Game, Player};
use std::sync::Arc;

/// The cumulative regrets of both players on all deals, with predictions where the schedule predicts.
#[derive(Clone, Debug)]
pub struct RegretTable {
    layouts: Arc<[StateLayout; 2]>,
    players: [Vec<RoundRegrets>; 2],
}

impl RegretTable {
    /// No regrets. `signed` regrets may be negative; `predicts` adds room for predictions.
    pub(crate) fn zero<G: Game>(
        game: &G,
        storage: &StoragePrecision,
        layouts: Arc<[StateLayout; 2]>,
        signed: bool,
        predicts: bool,
        buffers: &mut StateBuffers,
    ) -> Self {
        let players = layouts.each_ref().map(|layout| {
            let mut round = |round| {
                RoundRegrets::zero(storage.regrets[round], signed, layout.end(round), predicts, buffers)
            };
            (0..game.tree().round_count()).map(&mut round).collect()
        });
        Self { layouts, players }
    }

    /// Gives the memory back.
    pub(crate) fn recycle(self, buffers: &mut StateBuffers) {
        self.players.into_iter().flatten().for_each(|round| round.recycle(buffers));
    }

    /// Bytes of the arrays and of the layout, which strategies share.
    pub fn bytes(&self) -> usize {
        let layouts: usize = self.layouts.iter().map(StateLayout::bytes).sum();
        layouts + self.players.iter().flatten().map(RoundRegrets::allocated).sum::<usize>()
    }

    /// A player's regrets or predictions in the root tree of a deal that begins at `root`, as bytes.
    pub(crate) fn encode<G: Game>(
        &self,
        game: &G,
        deal: Deal,
        root: NodeId,
        player: Player,
        kind: ArrayKind,
    ) -> EncodedArray {
        let (tile, decisions) = game.tree().root_decisions(root, player);
        let blocks = blocks(game.hand_count(deal, player));
        let encoded = Encoded { form: &tile.forms[player.index()], decisions, blocks };
        let RegretsRef { regrets, predictions, last_update } = self.tile(deal, player, tile, blocks);
        let (array, last_update) = match kind {
            ArrayKind::Predictions => (predictions, None),
            _ => (regrets, last_update.get(tile.root_of(root)).copied()),
        };
        let encoded = with_encoding!(array.rows.encoding, Q => encoded.write_regrets::<Q>(array));
        EncodedArray { last_update, ..encoded }
    }

    /// Puts back what [`RegretTable::encode`] gave for the same place.
    pub(crate) fn decode<G: Game>(
        &mut self,
        game: &G,
        deal: Deal,
        root: NodeId,
        player: Player,
        kind: ArrayKind,
        array: &EncodedArray,
    ) -> Result<(), DecodeError> {
        let (tile, decisions) = game.tree().root_decisions(root, player);
        let blocks = blocks(game.hand_count(deal, player));
        let encoded = Encoded { form: &tile.forms[player.index()], decisions, blocks };
        let RegretsMut { regrets, predictions, last_update } = self.tile_mut(deal, player, tile, blocks);
        if let (Some(to), Some(iteration)) = (last_update.get_mut(tile.root_of(root)), array.last_update) {
            *to = iteration;
        }
        let mut to: ScaledMut<'_> = if kind == ArrayKind::Predictions { predictions } else { regrets };
        with_encoding!(to.rows.encoding, Q => encoded.read_regrets::<Q>(&mut to, array))
    }

    /// One player's regrets, to read.
    pub(crate) fn player(&self, player: Player) -> PlayerRegrets<'_> {
        let p = player.index();
        PlayerRegrets { player, layout: &self.layouts[p], rounds: &self.players[p] }
    }

    /// A player's regrets in a tile of a deal, block after block.
    pub(crate) fn tile(&self, deal: Deal, player: Player, tile: &Tile, blocks: usize) -> RegretsRef<'_> {
        self.player(player).tile(deal, tile, blocks)
    }

    fn tile_mut(&mut self, deal: Deal, player: Player, tile: &Tile, blocks: usize) -> RegretsMut<'_> {
        let start = self.layouts[player.index()].start(deal).plus(tile_start(tile, player, blocks));
        self.players[player.index()][deal.round].view().into_range(start, tile_size(tile, player, blocks))
    }

    /// A player's regrets in each round, to write, and the opponent's, to read.
    pub(crate) fn split(
        &mut self,
        player: Player,
    ) -> (impl Iterator<Item = RegretsMut<'_>>, PlayerRegrets<'_>) {
        let [first, second] = &mut self.players;
        let (own, other) = match player {
            Player::First => (first, &*second),
            Player::Second => (second, &*first),
        };
        let opponent = player.opponent();
        let layout = &self.layouts[opponent.index()];
        let opponent = PlayerRegrets { player: opponent, layout, rounds: other };
        (own.iter_mut().map(RoundRegrets::view), opponent)
    }
}

/// The regrets of one player, to read.
#[derive(Clone, Copy)]
pub(crate) struct PlayerRegrets<'a> {
    player: Player,
    layout: &'a StateLayout,
    rounds: &'a [RoundRegrets],
}

impl<'a> PlayerRegrets<'a> {
    /// The regrets in a tile of a deal, block after block.
    pub fn tile(self, deal: Deal, tile: &Tile, blocks: usize) -> RegretsRef<'a> {
        let start = self.layout.start(deal).plus(tile_start(tile, self.player, blocks));
        self.rounds[deal.round].read().range(start, tile_size(tile, self.player, blocks))
    }
}
