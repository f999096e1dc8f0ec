//! Strategies and regrets as bytes, and back: what solution files and checkpoints hold.
//!
//! Numbers are written root tree by root tree in the order of the nodes, which does not depend on the layout in memory: for each
//! decision, for each block of hands, for each action, a row of hands. A bit for each number says whether it is in the *support*;
//! only those numbers follow, as little-endian integers or floats.
//!
//! A regret is in the support if it is not zero. An action of an average strategy is in the support if its probability is not
//! zero; the cumulative probability up to it is written unless it is the last one in the support, where it is one.

use crate::kernels::CumulativeStrategy;
use crate::quantize::{Precision, Quantized, Scale, step_of};
use crate::simd::{Plain, Row, WIDTH, blocks};
use crate::state::{QuantizedMut, QuantizedRef, ScaledMut, ScaledRef};
use crate::tree::{Decision, NodeId, SequenceForm};
use crate::{Deal, Game, Player};
use std::ops::Range;

/// One of the arrays of a trainer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayKind {
    /// The average strategies.
    Strategy,
    /// The cumulative regrets.
    Regrets,
    /// The predictions of the next instantaneous regrets; empty for a schedule that does not predict.
    Predictions,
}

/// How many bytes the parts of an [`EncodedArray`] have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EncodedShape {
    /// Bytes of the support.
    pub support: usize,
    /// Bytes of each number.
    pub width: usize,
    /// How many scales of a byte there are.
    pub scales: usize,
    /// Whether the iteration of the last update is there.
    pub has_last_update: bool,
}

impl EncodedShape {
    /// The array of a player's decisions in the root tree of a deal that begins at `root`, in some precision.
    pub fn of<G: Game>(
        game: &G,
        deal: Deal,
        root: NodeId,
        player: Player,
        kind: ArrayKind,
        precision: Precision,
    ) -> Self {
        let (tile, decisions) = game.tree().root_decisions(root, player);
        let blocks = blocks(game.hand_count(deal, player));
        let form = &tile.forms[player.index()];
        let rows: usize = decisions.iter().map(|&d| form.decisions[d as usize].actions as usize).sum();
        let scaled = precision != Precision::Bits32 && kind != ArrayKind::Strategy;
        Self {
            support: rows * blocks * size_of::<Mask>(),
            width: usize::from(precision.bits()).div_ceil(8),
            scales: if scaled { decisions.len() * blocks } else { 0 },
            has_last_update: kind == ArrayKind::Regrets,
        }
    }
}

/// An array of one player in one root tree of a deal, as bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EncodedArray {
    /// A bit for each hand of each row: whether its number is in the support.
    pub support: Vec<u8>,
    /// The numbers of the support.
    pub numbers: Vec<u8>,
    /// How many bytes each number has.
    pub width: usize,
    /// The scale of each decision and block of hands, if there are any.
    pub scales: Vec<u8>,
    /// For regrets, the last iteration in which they were updated.
    pub last_update: Option<u32>,
}

/// Why bytes are not an array of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DecodeError {
    /// There are too many or too few bytes.
    #[error("there are not as many numbers as the game has")]
    Length,
    /// One of the numbers is out of range.
    #[error("one of the numbers cannot be")]
    Range,
}

/// Which decisions of a sequence form are encoded, for how many blocks of hands.
pub(crate) struct Encoded<'a> {
    pub form: &'a SequenceForm,
    /// Indices of the decisions, in the order of their nodes.
    pub decisions: &'a [u32],
    pub blocks: usize,
}

impl Encoded<'_> {
    /// For each decision and block, its rows in an array with a row for every action, and the index of its scale.
    fn regret_rows(&self) -> impl Iterator<Item = (Range<usize>, usize)> {
        let (rows, decisions) = (self.form.rows, self.form.decisions.len());
        self.each(move |block, d, decision| {
            let first = block * rows + decision.row as usize;
            (first..first + decision.actions as usize, block * decisions + d)
        })
    }

    /// For each decision and block, its rows in an array with a row for every action but the last.
    fn strategy_rows(&self) -> impl Iterator<Item = Range<usize>> {
        let (rows, decisions) = (self.form.rows, self.form.decisions.len());
        self.each(move |block, d, decision| {
            let first = block * (rows - decisions) + decision.row as usize - d;
            first..first + decision.actions as usize - 1
        })
    }

    fn each<T>(&self, at: impl Fn(usize, usize, &Decision) -> T + Copy) -> impl Iterator<Item = T> {
        self.decisions
            .iter()
            .map(|&d| d as usize)
            .flat_map(move |d| (0..self.blocks).map(move |block| at(block, d, &self.form.decisions[d])))
    }

    pub fn write_regrets<Q: Quantized>(&self, array: ScaledRef<'_>) -> EncodedArray {
        let ScaledRef { rows: encoded, scales } = array;
        let mut out = Writer::<Q>::new();
        let encoded = encoded.of::<Q>();
        if !encoded.is_empty() {
            for (rows, scale) in self.regret_rows() {
                for row in &encoded[rows] {
                    let bits = bits_of(row);
                    let support = mask(|h| bits[h] != 0);
                    out.row(support, support, &bits);
                }
                out.array.scales.extend(scales.get(scale));
            }
        }
        out.array
    }

    pub fn write_strategy<Q: Quantized>(&self, encoded: QuantizedRef<'_>) -> EncodedArray {
        let mut out = Writer::<Q>::new();
        let encoded = encoded.of::<Q>();
        for rows in self.strategy_rows() {
            let cumulative: Vec<Bits> =
                encoded[rows].iter().map(bits_of).chain([[one::<Q>(); WIDTH]]).collect();
            let mut previous = [0; WIDTH];
            let mut support: Vec<Mask> = Vec::with_capacity(cumulative.len());
            for bits in &cumulative {
                support.push(mask(|h| bits[h] != previous[h]));
                previous = *bits;
            }
            for (action, bits) in cumulative.iter().enumerate() {
                let later = support[action + 1..].iter().fold(0, |later, support| later | support);
                out.row(support[action], support[action] & later, bits);
            }
        }
        out.array
    }

    pub fn read_regrets<Q: Quantized>(
        &self,
        to: &mut ScaledMut<'_>,
        array: &EncodedArray,
    ) -> Result<(), DecodeError> {
        let ScaledMut { rows: encoded, scales } = to;
        let mut reader = ArrayReader::new(array);
        let encoded = encoded.of::<Q>();
        if encoded.is_empty() {
            return reader.end();
        }
        for (rows, scale) in self.regret_rows() {
            for row in &mut encoded[rows] {
                let support = reader.mask()?;
                let mut bits = [0; WIDTH];
                for (_, bits) in chosen(support, &mut bits) {
                    *bits = reader.number::<Q>()?;
                }
                *row = row_of(&bits).ok_or(DecodeError::Range)?;
            }
            if let Some(to) = scales.get_mut(scale) {
                *to = reader.scale()?;
            }
        }
        reader.end()
    }

    pub fn read_strategy<Q: Quantized>(
        &self,
        to: &mut QuantizedMut<'_>,
        array: &EncodedArray,
    ) -> Result<(), DecodeError> {
        let mut reader = ArrayReader::new(array);
        let encoded = to.of::<Q>();
        for rows in self.strategy_rows() {
            let support: Vec<Mask> =
                (0..=rows.len()).map(|_| reader.mask()).collect::<Result<_, DecodeError>>()?;
            // Every hand has an action with a positive probability.
            if support.iter().fold(0, |any, support| any | support) != Mask::MAX {
                return Err(DecodeError::Range);
            }
            let mut cumulative = [0; WIDTH];
            for (action, row) in encoded[rows].iter_mut().enumerate() {
                let later = support[action + 1..].iter().fold(0, |later, support| later | support);
                for (hand, bits) in chosen(support[action], &mut cumulative) {
                    *bits = if later >> hand & 1 == 1 { reader.number::<Q>()? } else { one::<Q>() };
                }
                *row = row_of(&cumulative).ok_or(DecodeError::Range)?;
            }
        }
        reader.end()
    }
}

/// A bit for each hand of a row.
type Mask = u16;

/// The numbers of a row: the bits of floats, or integers in two's complement.
type Bits = [u32; WIDTH];

fn mask(support: impl Fn(usize) -> bool) -> Mask {
    (0..WIDTH).fold(0, |mask, h| mask | Mask::from(support(h)) << h)
}

/// The hands whose bit is set, with their numbers.
fn chosen(mask: Mask, bits: &mut Bits) -> impl Iterator<Item = (usize, &mut u32)> {
    bits.iter_mut().enumerate().filter(move |(hand, _)| mask >> hand & 1 == 1)
}

/// Bytes of a number.
fn width<Q: Quantized>() -> usize {
    match Q::MAX_STEPS {
        None => 4,
        Some(max) if max > 255.0 => 2,
        Some(_) => 1,
    }
}

/// The encoded probability one.
fn one<Q: Quantized>() -> u32 {
    match Q::MAX_STEPS {
        None => CumulativeStrategy::<Q>::ONE.to_bits(),
        Some(max) => max as u32,
    }
}

fn bits_of<Q: Quantized>(encoded: &Q) -> Bits {
    let row = encoded.decode(Plain);
    match Q::MAX_STEPS {
        None => row.map(f32::to_bits),
        Some(_) => row.map(|steps| steps as i32 as u32),
    }
}

/// The row with these bits, if a trainer could have stored it.
fn row_of<Q: Quantized>(bits: &Bits) -> Option<Q> {
    let row = Row(match Q::MAX_STEPS {
        None => bits.map(f32::from_bits),
        Some(_) => bits.map(|integer| integer as i32 as f32),
    });
    if !row.iter().all(|number| number.is_finite()) {
        return None;
    }
    let encoded = Q::encode(Plain, row);
    (bits_of(&encoded) == *bits).then_some(encoded)
}

/// An array being written.
struct Writer<Q> {
    array: EncodedArray,
    encoding: std::marker::PhantomData<Q>,
}

impl<Q: Quantized> Writer<Q> {
    fn new() -> Self {
        let array = EncodedArray { width: width::<Q>(), ..EncodedArray::default() };
        Self { array, encoding: std::marker::PhantomData }
    }

    /// Writes a row: the mask of its support, and the numbers of the hands in `written`.
    fn row(&mut self, support: Mask, written: Mask, bits: &Bits) {
        self.array.support.extend(support.to_le_bytes());
        for (_, bits) in chosen(written, &mut bits.clone()) {
            self.array.numbers.extend(&bits.to_le_bytes()[..width::<Q>()]);
        }
    }
}

/// An array being read.
struct ArrayReader<'a> {
    support: &'a [u8],
    numbers: &'a [u8],
    scales: &'a [u8],
}

impl<'a> ArrayReader<'a> {
    fn new(array: &'a EncodedArray) -> Self {
        Self { support: &array.support, numbers: &array.numbers, scales: &array.scales }
    }

    fn take<const N: usize>(from: &mut &[u8]) -> Result<[u8; N], DecodeError> {
        let (taken, rest) = from.split_first_chunk().ok_or(DecodeError::Length)?;
        *from = rest;
        Ok(*taken)
    }

    fn mask(&mut self) -> Result<Mask, DecodeError> {
        Self::take(&mut self.support).map(Mask::from_le_bytes)
    }

    fn number<Q: Quantized>(&mut self) -> Result<u32, DecodeError> {
        let unsigned = match width::<Q>() {
            4 => u32::from_le_bytes(Self::take(&mut self.numbers)?),
            2 => u16::from_le_bytes(Self::take(&mut self.numbers)?).into(),
            _ => u8::from_le_bytes(Self::take(&mut self.numbers)?).into(),
        };
        // Larger than the maximum: a negative integer, whose sign is extended.
        Ok(match Q::MAX_STEPS {
            Some(max) if unsigned as f32 > max => unsigned | u32::MAX << (8 * width::<Q>()),
            _ => unsigned,
        })
    }

    fn scale(&mut self) -> Result<Scale, DecodeError> {
        let [scale] = Self::take(&mut self.scales)?;
        if step_of(scale).is_finite() { Ok(scale) } else { Err(DecodeError::Range) }
    }

    fn end(self) -> Result<(), DecodeError> {
        let left = self.support.len() + self.numbers.len() + self.scales.len();
        if left == 0 { Ok(()) } else { Err(DecodeError::Length) }
    }
}
