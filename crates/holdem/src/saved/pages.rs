//! The numbers of one deal as the bytes of a section.

use super::{Part, content};
use crate::{Postflop, Spec};
use noregret_cfr::{
    Deal, Game, Kept, MAX_ROUNDS, NodeId, Numbers, Player, Precision, Schedule, Shape, Solver,
};
use noregret_store::{ArchiveError, read_planes, take, write_planes};

/// The arrays of a section with numbers.
pub(super) fn arrays_of(spec: &Spec, part: Part) -> &'static [Kept] {
    let predicts = spec.solver.schedule().foresight() > 0.0;
    match part {
        Part::Strategy => &[Kept::Strategy],
        Part::Regrets if predicts => &[Kept::Regrets, Kept::Predictions],
        Part::Regrets => &[Kept::Regrets],
        Part::Exits | Part::Cut => &[],
    }
}

/// How such arrays are stored, by round.
pub(super) fn precisions_of(spec: &Spec, part: Part) -> [Precision; MAX_ROUNDS] {
    let storage = spec.solver.storage(spec.spot.board().street());
    if let Part::Strategy = part { storage.strategy } else { storage.regrets }
}

/// Some arrays of a deal: root tree by root tree, player by player.
pub(super) fn write_arrays<G: Game>(solver: &Solver<'_, G>, deal: Deal, arrays: &[Kept]) -> Vec<u8> {
    let mut out = Vec::new();
    for root in solver.game().tree().roots(deal.round) {
        for player in Player::BOTH {
            for &array in arrays {
                let Numbers { alive, numbers, width, scales, learned } =
                    solver.numbers(deal, root, player, array);
                out.extend(((numbers.len() / width.max(1)) as u32).to_le_bytes());
                out.extend(learned.into_iter().flat_map(u32::to_le_bytes));
                out.extend(alive);
                write_planes(&numbers, width, &mut out);
                out.extend(scales);
            }
        }
    }
    out
}

/// Where a section's numbers belong.
pub(super) struct Reader<'b> {
    pub tag: [u8; 4],
    pub bytes: &'b [u8],
}

impl Reader<'_> {
    /// Takes off a player's numbers in one root tree.
    pub fn numbers(&mut self, shape: Shape) -> Result<Numbers, ArchiveError> {
        let Shape { width, .. } = shape;
        self.pieces(shape, |learned, alive, numbers, scales| {
            let numbers = read_planes(&mut &numbers[..], numbers.len() / width.max(1), width)?;
            Some(Numbers { alive: alive.to_vec(), numbers, width, scales: scales.to_vec(), learned })
        })
    }

    /// Leaves out a player's numbers in one root tree.
    pub fn skip(&mut self, shape: Shape) -> Result<(), ArchiveError> {
        self.pieces(shape, |_, _, _, _| Some(()))
    }

    /// Takes off the pieces of a player's numbers: when they last changed, bits, numbers, scales.
    fn pieces<T>(
        &mut self,
        shape: Shape,
        make: impl FnOnce(Option<u32>, &[u8], &[u8], &[u8]) -> Option<T>,
    ) -> Result<T, ArchiveError> {
        let read = || {
            let mut number = || {
                let bytes = take(&mut self.bytes, size_of::<u32>())?;
                Some(u32::from_le_bytes(*bytes.first_chunk()?))
            };
            let count = number()? as usize;
            let learned = if shape.dated { Some(number()?) } else { None };
            let alive = take(&mut self.bytes, shape.alive)?;
            let numbers = take(&mut self.bytes, count.checked_mul(shape.width)?)?;
            let scales = take(&mut self.bytes, shape.scales)?;
            make(learned, alive, numbers, scales)
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
    mut reader: Reader<'_>,
    deal: Deal,
    root: NodeId,
    precision: Precision,
) -> Result<[Numbers; 2], ArchiveError> {
    for before in game.tree().roots(deal.round).into_iter().take_while(|&before| before != root) {
        for player in Player::BOTH {
            reader.skip(Shape::of(game, deal, before, player, Kept::Strategy, precision))?;
        }
    }
    let mut read = |player| reader.numbers(Shape::of(game, deal, root, player, Kept::Strategy, precision));
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
    mut reader: Reader<'_>,
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
