//! The average strategies of both players: what converges to an equilibrium, and what a solution file holds.

use crate::encoding::{DecodeError, Encoded, EncodedArray};
use crate::kernels::CumulativeStrategy;
use crate::quantize::Quantized;
use crate::simd::{Plain, Row, WIDTH, blocks};
use crate::state::layout::{tile_size, tile_start};
use crate::state::{
    AverageMut, AverageRef, QuantizedArray, StateBuffers, StateLayout, StoragePrecision, StoredDeals,
    with_encoding, with_strategy_encoding,
};
use crate::tree::{NodeId, NodeKind, Tile};
use crate::{Deal, Game, Player};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// The average strategies of both players on all deals, stored in the precisions of a [`StoragePrecision`].
///
/// An average strategy is stored as action probabilities of each hand and not as sums weighted by reach: how likely a hand gets to
/// a decision is the product of its average probabilities on the way. So it needs no scale, and hands that rarely get somewhere are
/// as precise as others.
///
/// It knows nothing of how it came about: a trainer improves it, a file or a re-solved subgame fills it. With its game,
/// [`Profile`](crate::Profile) reads it.
#[derive(Clone, Debug)]
pub struct Strategy {
    layouts: Arc<[StateLayout; 2]>,
    players: [Vec<QuantizedArray>; 2],
}

impl Strategy {
    /// Every action with the same probability.
    pub fn uniform<G: Game>(game: &G, storage: &StoragePrecision) -> Self {
        let stored = StoredDeals::ALL;
        let layouts = Arc::new(StateLayout::of_game(game, &stored));
        Self::with_layouts(game, storage, &stored, layouts, &mut StateBuffers::default())
    }

    pub(crate) fn with_layouts<G: Game>(
        game: &G,
        storage: &StoragePrecision,
        stored: &StoredDeals,
        layouts: Arc<[StateLayout; 2]>,
        buffers: &mut StateBuffers,
    ) -> Self {
        let players = Player::BOTH.map(|player| {
            let rounds = 0..game.tree().round_count();
            let mut round = |round| {
                let rows = layouts[player.index()].end(round).cumulative();
                let mut array = QuantizedArray::zero(storage.strategy[round], false, rows, buffers);
                set_uniform(game, player, round, stored, &mut array);
                array
            };
            rounds.map(&mut round).collect()
        });
        Self { layouts, players }
    }

    /// Gives the memory back.
    pub(crate) fn recycle(self, buffers: &mut StateBuffers) {
        self.players.into_iter().flatten().for_each(|round| round.recycle(buffers));
    }

    /// Replaces one player's strategy by that of another profile of the same game in the same precision.
    pub fn set_player(&mut self, player: Player, from: Self) {
        let [first, second] = from.players;
        self.players[player.index()] = if player == Player::First { first } else { second };
    }

    /// Bytes of the arrays.
    pub fn bytes(&self) -> usize {
        self.players.iter().flatten().map(QuantizedArray::allocated).sum()
    }

    /// A hash of the stored numbers: equal digests mean equal strategies. It goes deal by deal and root tree by root tree, so
    /// that it does not depend on the layout in memory.
    pub fn digest<G: Game>(&self, game: &G) -> String {
        digest_of_deals((0..game.tree().round_count()).flat_map(|round| {
            let deals: Vec<Deal> = (0..game.deal_count(round)).map(|index| Deal { round, index }).collect();
            self.deal_digests(game, &deals)
        }))
    }

    /// The parts of the digest that are of some deals.
    pub(crate) fn deal_digests<G: Game>(&self, game: &G, deals: &[Deal]) -> Vec<DealDigest> {
        let roots: Vec<Vec<NodeId>> =
            (0..game.tree().round_count()).map(|round| game.tree().roots(round)).collect();
        let digest = |&deal: &Deal| {
            let mut digest = DealHasher::default();
            for &root in &roots[deal.round] {
                for player in Player::BOTH {
                    digest.add(&self.encode(game, deal, root, player));
                }
            }
            digest.finish()
        };
        deals.par_iter().map(digest).collect()
    }

    /// A player's strategy in the root tree of a deal that begins at `root`, as bytes.
    pub fn encode<G: Game>(&self, game: &G, deal: Deal, root: NodeId, player: Player) -> EncodedArray {
        let (tile, decisions) = game.tree().root_decisions(root, player);
        let blocks = blocks(game.hand_count(deal, player));
        let AverageRef(rows) = self.tile(deal, player, tile, blocks);
        let encoded = Encoded { form: &tile.forms[player.index()], decisions, blocks };
        with_encoding!(rows.encoding, Q => encoded.write_strategy::<Q>(rows))
    }

    /// Puts back what [`Strategy::encode`] gave for the same place of the same game in the same precision.
    pub fn decode<G: Game>(
        &mut self,
        game: &G,
        deal: Deal,
        root: NodeId,
        player: Player,
        array: &EncodedArray,
    ) -> Result<(), DecodeError> {
        let (tile, decisions) = game.tree().root_decisions(root, player);
        let blocks = blocks(game.hand_count(deal, player));
        let encoded = Encoded { form: &tile.forms[player.index()], decisions, blocks };
        let AverageMut(mut rows) = self.tile_mut(deal, player, tile, blocks);
        with_encoding!(rows.encoding, Q => encoded.read_strategy::<Q>(&mut rows, array))
    }

    /// Replaces a hand's action probabilities at a decision of a deal, in the precision of the round; they sum to 1. Nothing changes
    /// where nobody decides.
    ///
    /// # Panics
    ///
    /// If there are not as many probabilities as actions, or if there is no such hand.
    pub fn set_hand<G: Game>(
        &mut self,
        game: &G,
        (deal, node): (Deal, NodeId),
        hand: usize,
        probabilities: &[f64],
    ) {
        let Some(place) = DecisionPlace::find(game, deal, node) else { return };
        assert!(hand < game.hand_count(deal, place.player), "there is no hand {hand}");
        assert_eq!(probabilities.len(), place.actions, "a probability for each action");
        let AverageMut(mut rows) = self.tile_mut(deal, place.player, place.tile, place.blocks);
        let range = place.rows(hand / WIDTH);
        with_strategy_encoding!(rows.encoding, Q => {
            for (action, row) in rows.of::<Q>()[range].iter_mut().enumerate() {
                let (before, after) = probabilities.split_at(action + 1);
                // Where no later action has any, rounding leaves nothing for them.
                let is_last = after.iter().all(|&probability| probability <= 0.0);
                let sum = if is_last { 1.0 } else { before.iter().sum::<f64>().clamp(0.0, 1.0) };
                let mut numbers = row.decode(Plain);
                numbers[hand % WIDTH] = sum as f32 * CumulativeStrategy::<Q>::ONE;
                *row = Q::encode(Plain, numbers);
            }
        });
    }

    /// Takes over a decision of another strategy in the same precision, of a game with the same tree but other deals or hands: the
    /// hands of `deal` play as those of `from_deal` whose numbers are given.
    ///
    /// # Panics
    ///
    /// If the precisions differ, or if a hand is not there.
    pub fn copy_decision<G: Game>(
        &mut self,
        game: &G,
        (deal, node): (Deal, NodeId),
        from: (&Self, &G, Deal),
        hands: &[u16],
    ) {
        let (from, from_game, from_deal) = from;
        let places = (DecisionPlace::find(game, deal, node), DecisionPlace::find(from_game, from_deal, node));
        let (Some(to_place), Some(from_place)) = places else { return };
        let AverageRef(source) = from.tile(from_deal, from_place.player, from_place.tile, from_place.blocks);
        let AverageMut(mut rows) = self.tile_mut(deal, to_place.player, to_place.tile, to_place.blocks);
        assert_eq!(rows.encoding, source.encoding, "the same precision");
        with_strategy_encoding!(rows.encoding, Q => {
            let (rows, source) = (rows.of::<Q>(), source.of::<Q>());
            for (block, hands) in hands.chunks(WIDTH).enumerate() {
                for (action, row) in rows[to_place.rows(block)].iter_mut().enumerate() {
                    let mut numbers = row.decode(Plain);
                    for (number, &hand) in numbers.iter_mut().zip(hands) {
                        let at = from_place.rows(usize::from(hand) / WIDTH).start + action;
                        *number = source[at].decode(Plain)[usize::from(hand) % WIDTH];
                    }
                    *row = Q::encode(Plain, numbers);
                }
            }
        });
    }

    pub(crate) fn layouts(&self) -> &Arc<[StateLayout; 2]> {
        &self.layouts
    }

    /// A player's strategy in a tile of a deal, block after block.
    pub(crate) fn tile(&self, deal: Deal, player: Player, tile: &Tile, blocks: usize) -> AverageRef<'_> {
        let start = self.layouts[player.index()].start(deal).plus(tile_start(tile, player, blocks));
        let size = tile_size(tile, player, blocks);
        let round = self.players[player.index()][deal.round].read();
        AverageRef(round.range(start.cumulative(), size.cumulative()))
    }

    fn tile_mut(&mut self, deal: Deal, player: Player, tile: &Tile, blocks: usize) -> AverageMut<'_> {
        let start = self.layouts[player.index()].start(deal).plus(tile_start(tile, player, blocks));
        let size = tile_size(tile, player, blocks);
        let round = self.players[player.index()][deal.round].view();
        AverageMut(round.into_range(start.cumulative(), size.cumulative()))
    }

    /// A player's strategy in each round, to write.
    pub(crate) fn rounds_mut(&mut self, player: Player) -> impl Iterator<Item = AverageMut<'_>> {
        self.players[player.index()].iter_mut().map(|round| AverageMut(round.view()))
    }
}

/// The part of a strategy's digest that is of one deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DealDigest(blake3::Hash);

impl DealDigest {
    /// Its length.
    pub(crate) const BYTES: usize = blake3::OUT_LEN;

    /// Of the encoded strategies of a deal: root tree by root tree, player by player.
    pub fn of<'a>(arrays: impl IntoIterator<Item = &'a EncodedArray>) -> Self {
        let mut digest = DealHasher::default();
        arrays.into_iter().for_each(|array| digest.add(array));
        digest.finish()
    }

    /// As bytes.
    pub(crate) fn to_bytes(self) -> [u8; DealDigest::BYTES] {
        *self.0.as_bytes()
    }

    /// What [`DealDigest::to_bytes`] gave.
    pub(crate) fn from_bytes(bytes: [u8; DealDigest::BYTES]) -> Self {
        Self(blake3::Hash::from_bytes(bytes))
    }
}

/// Makes a [`DealDigest`] without keeping the arrays.
#[derive(Default)]
struct DealHasher(blake3::Hasher);

impl DealHasher {
    fn add(&mut self, array: &EncodedArray) {
        self.0.update(&array.support).update(&array.numbers);
    }

    fn finish(&self) -> DealDigest {
        DealDigest(self.0.finalize())
    }
}

/// The digest of a strategy from those of all its deals, round by round: what [`Strategy::digest`] gives.
pub fn digest_of_deals(deals: impl IntoIterator<Item = DealDigest>) -> String {
    let mut hasher = blake3::Hasher::new();
    for DealDigest(deal) in deals {
        hasher.update(deal.as_bytes());
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

/// Where the cumulative probabilities of a decision are in its tile.
struct DecisionPlace<'t> {
    player: Player,
    tile: &'t Tile,
    blocks: usize,
    actions: usize,
    /// Its first row in a block.
    first: usize,
    /// How many rows a block has.
    block_rows: usize,
}

impl<'t> DecisionPlace<'t> {
    fn find<G: Game>(game: &'t G, deal: Deal, node: NodeId) -> Option<Self> {
        let NodeKind::Decision(player) = game.tree().node(node).kind else { return None };
        let tile = game.tree().tile_of(node);
        let form = &tile.forms[player.index()];
        let index = form.decision_at(node)?;
        let decision = &form.decisions[index];
        Some(Self {
            player,
            tile,
            blocks: blocks(game.hand_count(deal, player)),
            actions: decision.actions as usize,
            // Each decision has a row for every action but the last.
            first: decision.row as usize - index,
            block_rows: form.rows - form.decisions.len(),
        })
    }

    /// Its rows in a block of hands.
    fn rows(&self, block: usize) -> Range<usize> {
        let first = block * self.block_rows + self.first;
        first..first + self.actions - 1
    }
}

/// Gives every action of a player's decisions in a round the same probability.
fn set_uniform<G: Game>(
    game: &G,
    player: Player,
    round: usize,
    stored: &StoredDeals,
    array: &mut QuantizedArray,
) {
    let mut view = array.view();
    with_strategy_encoding!(view.encoding, Q => {
        let mut rows = view.of::<Q>().iter_mut();
        let deals = (0..game.deal_count(round)).map(|index| Deal { round, index });
        for deal in deals.filter(|&deal| stored.contains(deal)) {
            let blocks = blocks(game.hand_count(deal, player));
            for tile in &game.tree().round(round).tiles {
                for decision in (0..blocks).flat_map(|_| &tile.forms[player.index()].decisions) {
                    for (row, action) in rows.by_ref().take(decision.actions as usize - 1).zip(1u32..) {
                        let sum = action as f32 / decision.actions as f32 * CumulativeStrategy::<Q>::ONE;
                        *row = Q::encode(Plain, Row([sum; WIDTH]));
                    }
                }
            }
        }
    });
}
