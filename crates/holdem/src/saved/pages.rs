//! The numbers of one deal as the bytes of a section.

use super::{Part, content};
use crate::{Postflop, Spec};
use noregret_cfr::{
    ArrayKind, Deal, EncodedArray, EncodedShape, Game, MAX_ROUNDS, NodeId, Player, Precision, Schedule,
};
use noregret_store::{ArchiveError, read_planes, take, write_planes};

/// The arrays of a section with numbers.
pub(super) fn arrays_of(spec: &Spec, part: Part) -> &'static [ArrayKind] {
    let predicts = spec.solver.schedule().prediction_weight() > 0.0;
    match part {
        Part::Strategy => &[ArrayKind::Strategy],
        Part::Regrets if predicts => &[ArrayKind::Regrets, ArrayKind::Predictions],
        Part::Regrets => &[ArrayKind::Regrets],
        Part::Exits | Part::Cut => &[],
    }
}

/// How such arrays are stored, by round.
pub(super) fn precisions_of(spec: &Spec, part: Part) -> [Precision; MAX_ROUNDS] {
    let storage = spec.solver.storage(spec.spot.board().street());
    if let Part::Strategy = part { storage.strategy } else { storage.regrets }
}

/// Some arrays of a deal: root tree by root tree, player by player.
pub(super) fn write_arrays<G: Game>(
    game: &G,
    deal: Deal,
    arrays: &[ArrayKind],
    encode: impl Fn(NodeId, Player, ArrayKind) -> EncodedArray,
) -> Vec<u8> {
    let mut out = Vec::new();
    for root in game.tree().roots(deal.round) {
        for player in Player::BOTH {
            for &array in arrays {
                let EncodedArray { support, numbers, width, scales, last_update } =
                    encode(root, player, array);
                out.extend(((numbers.len() / width.max(1)) as u32).to_le_bytes());
                out.extend(last_update.into_iter().flat_map(u32::to_le_bytes));
                out.extend(support);
                write_planes(&numbers, width, &mut out);
                out.extend(scales);
            }
        }
    }
    out
}

/// Where a section's numbers belong.
pub(super) struct SectionReader<'b> {
    pub tag: [u8; 4],
    pub bytes: &'b [u8],
}

impl SectionReader<'_> {
    /// Takes off a player's numbers in one root tree.
    pub fn numbers(&mut self, shape: EncodedShape) -> Result<EncodedArray, ArchiveError> {
        let EncodedShape { width, .. } = shape;
        self.pieces(shape, |last_update, support, numbers, scales| {
            let numbers = read_planes(&mut &numbers[..], numbers.len() / width.max(1), width)?;
            let (support, scales) = (support.to_vec(), scales.to_vec());
            Some(EncodedArray { support, numbers, width, scales, last_update })
        })
    }

    /// Leaves out a player's numbers in one root tree.
    pub fn skip(&mut self, shape: EncodedShape) -> Result<(), ArchiveError> {
        self.pieces(shape, |_, _, _, _| Some(()))
    }

    /// Takes off the pieces of a player's numbers: when they last changed, bits, numbers, scales.
    fn pieces<T>(
        &mut self,
        shape: EncodedShape,
        make: impl FnOnce(Option<u32>, &[u8], &[u8], &[u8]) -> Option<T>,
    ) -> Result<T, ArchiveError> {
        let read = || {
            let mut number = || {
                let bytes = take(&mut self.bytes, size_of::<u32>())?;
                Some(u32::from_le_bytes(*bytes.first_chunk()?))
            };
            let count = number()? as usize;
            let last_update = if shape.has_last_update { Some(number()?) } else { None };
            let support = take(&mut self.bytes, shape.support)?;
            let numbers = take(&mut self.bytes, count.checked_mul(shape.width)?)?;
            let scales = take(&mut self.bytes, shape.scales)?;
            make(last_update, support, numbers, scales)
        };
        read().ok_or_else(|| content(self.tag, "it ends too early"))
    }

    /// Takes off values of hands.
    pub fn values(&mut self, hands: usize) -> Result<Vec<f32>, ArchiveError> {
        let bytes = read_planes(&mut self.bytes, hands, size_of::<f32>());
        let bytes = bytes.ok_or_else(|| content(self.tag, "it ends too early"))?;
        let values: Vec<f32> = bytes.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        if values.iter().all(|value| value.is_finite()) {
            Ok(values)
        } else {
            Err(content(self.tag, "one of the values is not a number"))
        }
    }

    /// Complains if anything is left.
    pub fn end(self) -> Result<(), ArchiveError> {
        if self.bytes.is_empty() { Ok(()) } else { Err(content(self.tag, "it goes on too long")) }
    }
}

/// Both players' average strategies in one root tree of a deal.
pub(super) fn read_root(
    game: &Postflop,
    mut reader: SectionReader<'_>,
    deal: Deal,
    root: NodeId,
    precision: Precision,
) -> Result<[EncodedArray; 2], ArchiveError> {
    for before in game.tree().roots(deal.round).into_iter().take_while(|&before| before != root) {
        for player in Player::BOTH {
            reader.skip(EncodedShape::of(game, deal, before, player, ArrayKind::Strategy, precision))?;
        }
    }
    let mut read =
        |player| reader.numbers(EncodedShape::of(game, deal, root, player, ArrayKind::Strategy, precision));
    Ok([read(Player::First)?, read(Player::Second)?])
}

/// Values of hands at some nodes of a deal, node by node, player by player.
pub(super) fn write_values(values: &[Vec<Vec<f32>>; 2]) -> Vec<u8> {
    let mut out = Vec::new();
    for node in 0..values[0].len() {
        for values in values {
            let bytes: Vec<u8> = values[node].iter().flat_map(|value| value.to_le_bytes()).collect();
            write_planes(&bytes, size_of::<f32>(), &mut out);
        }
    }
    out
}

/// As many values as there are nodes.
pub(super) fn read_values(
    game: &Postflop,
    mut reader: SectionReader<'_>,
    deal: Deal,
    nodes: usize,
) -> Result<[Vec<Vec<f32>>; 2], ArchiveError> {
    let mut values = [Vec::new(), Vec::new()];
    for _ in 0..nodes {
        for player in Player::BOTH {
            values[player.index()].push(reader.values(game.hand_count(deal, player))?);
        }
    }
    reader.end()?;
    Ok(values)
}
