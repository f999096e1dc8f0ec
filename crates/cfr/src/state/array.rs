//! Arrays of quantised rows whose encoding is chosen when training begins.

use crate::quantize::{Precision, Quantized};
use crate::simd::Row;

/// Memory of the arrays of an earlier trainer, to be used again by the next: a run of many solves asks the system for its pages once.
#[derive(Debug, Default)]
pub struct StateBuffers(Vec<Vec<Row>>);

impl StateBuffers {
    /// A buffer of so many cache lines, all zero. One that was used before serves if it is not much larger: what a trainer takes
    /// stays what was planned for it.
    fn take(&mut self, lines: usize) -> Vec<Row> {
        let serves = |buffer: &Vec<Row>| (lines..=lines + lines / 4).contains(&buffer.capacity());
        match self.0.iter().position(|buffer| lines > 0 && serves(buffer)) {
            Some(index) => {
                let mut buffer = self.0.swap_remove(index);
                buffer.clear();
                buffer.resize(lines, Row::ZERO);
                buffer
            }
            None => vec![Row::ZERO; lines],
        }
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.0.iter().map(|buffer| buffer.capacity() * size_of::<Row>()).sum()
    }
}

/// How many cache lines hold `rows` quantised rows.
pub(crate) fn cache_lines(precision: Precision, rows: usize) -> usize {
    precision.row_bytes(rows).div_ceil(size_of::<Row>())
}

/// How the numbers of a row are encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    F32,
    I16,
    U16,
    I8,
    U8,
    I4,
    U4,
}

impl Encoding {
    fn new(precision: Precision, signed: bool) -> Self {
        match (precision, signed) {
            (Precision::Bits32, _) => Self::F32,
            (Precision::Bits16, true) => Self::I16,
            (Precision::Bits16, false) => Self::U16,
            (Precision::Bits8, true) => Self::I8,
            (Precision::Bits8, false) => Self::U8,
            (Precision::Bits4, true) => Self::I4,
            (Precision::Bits4, false) => Self::U4,
        }
    }
}

/// Runs an expression with `$row` as the type of row that an encoding stands for.
macro_rules! with_encoding {
    ($encoding:expr, $row:ident => $body:expr) => {
        match $encoding {
            $crate::state::array::Encoding::F32 => {
                type $row = $crate::quantize::F32;
                $body
            }
            $crate::state::array::Encoding::I16 => {
                type $row = $crate::quantize::I16;
                $body
            }
            $crate::state::array::Encoding::U16 => {
                type $row = $crate::quantize::U16;
                $body
            }
            $crate::state::array::Encoding::I8 => {
                type $row = $crate::quantize::I8;
                $body
            }
            $crate::state::array::Encoding::U8 => {
                type $row = $crate::quantize::U8;
                $body
            }
            $crate::state::array::Encoding::I4 => {
                type $row = $crate::quantize::I4;
                $body
            }
            $crate::state::array::Encoding::U4 => {
                type $row = $crate::quantize::U4;
                $body
            }
        }
    };
}

pub(crate) use with_encoding;

/// As [`with_encoding`], for average strategies, which are never signed.
macro_rules! with_strategy_encoding {
    ($encoding:expr, $row:ident => $body:expr) => {
        match $encoding {
            $crate::state::array::Encoding::F32 => {
                type $row = $crate::quantize::F32;
                $body
            }
            $crate::state::array::Encoding::U16 | $crate::state::array::Encoding::I16 => {
                type $row = $crate::quantize::U16;
                $body
            }
            $crate::state::array::Encoding::U8 | $crate::state::array::Encoding::I8 => {
                type $row = $crate::quantize::U8;
                $body
            }
            $crate::state::array::Encoding::U4 | $crate::state::array::Encoding::I4 => {
                type $row = $crate::quantize::U4;
                $body
            }
        }
    };
}

pub(crate) use with_strategy_encoding;

/// Quantised rows, to read.
#[derive(Clone, Copy)]
pub(crate) struct QuantizedRef<'a> {
    pub encoding: Encoding,
    bytes: &'a [u8],
}

impl<'a> QuantizedRef<'a> {
    /// Bytes of a row.
    fn row_size(encoding: Encoding) -> usize {
        with_encoding!(encoding, Q => size_of::<Q>())
    }

    /// Rows of floats.
    #[cfg(test)]
    pub fn floats(rows: &'a [crate::quantize::F32]) -> Self {
        Self { encoding: Encoding::F32, bytes: bytemuck::cast_slice(rows) }
    }

    /// The rows, of the type that the encoding stands for.
    pub fn of<Q: Quantized>(self) -> &'a [Q] {
        bytemuck::cast_slice(self.bytes)
    }

    /// The bytes of `len` rows from `start` on, or of fewer at the end of the array.
    pub(crate) fn bytes(self, start: usize, len: usize) -> &'a [u8] {
        let size = Self::row_size(self.encoding);
        let bytes = self.bytes.get(start * size..).unwrap_or_default();
        &bytes[..bytes.len().min(len * size)]
    }

    /// `len` rows from `start` on; none if the array is empty.
    pub(crate) fn range(self, start: usize, len: usize) -> Self {
        let size = Self::row_size(self.encoding);
        let bytes =
            if self.bytes.is_empty() { self.bytes } else { &self.bytes[start * size..][..len * size] };
        Self { bytes, ..self }
    }
}

/// Quantised rows, to write.
pub(crate) struct QuantizedMut<'a> {
    pub encoding: Encoding,
    bytes: &'a mut [u8],
}

impl<'a> QuantizedMut<'a> {
    pub fn of<Q: Quantized>(&mut self) -> &mut [Q] {
        bytemuck::cast_slice_mut(self.bytes)
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn read(&self) -> QuantizedRef<'_> {
        QuantizedRef { encoding: self.encoding, bytes: self.bytes }
    }

    pub(crate) fn range(&mut self, start: usize, len: usize) -> QuantizedMut<'_> {
        self.whole().into_range(start, len)
    }

    /// All rows, reborrowed.
    pub(crate) fn whole(&mut self) -> QuantizedMut<'_> {
        QuantizedMut { encoding: self.encoding, bytes: &mut *self.bytes }
    }

    pub(crate) fn into_range(self, start: usize, len: usize) -> Self {
        let size = QuantizedRef::row_size(self.encoding);
        let range = if self.bytes.is_empty() { 0..0 } else { start * size..(start + len) * size };
        Self { encoding: self.encoding, bytes: &mut self.bytes[range] }
    }

    pub(crate) fn split(self, at: usize) -> (Self, Self) {
        let at = (at * QuantizedRef::row_size(self.encoding)).min(self.bytes.len());
        let (left, right) = self.bytes.split_at_mut(at);
        (Self { encoding: self.encoding, bytes: left }, Self { encoding: self.encoding, bytes: right })
    }
}

/// The quantised rows of one player in one round.
#[derive(Clone, Debug)]
pub(crate) struct QuantizedArray {
    encoding: Encoding,
    len: usize,
    lines: Vec<Row>,
}

impl QuantizedArray {
    /// `len` rows of zeros.
    pub fn zero(precision: Precision, signed: bool, len: usize, buffers: &mut StateBuffers) -> Self {
        let encoding = Encoding::new(precision, signed);
        let mut array = Self { encoding, len, lines: buffers.take(cache_lines(precision, len)) };
        with_encoding!(encoding, Q => array.view().of::<Q>().fill(Q::ZERO));
        array
    }

    fn bytes(&self) -> &[u8] {
        let used = self.len * QuantizedRef::row_size(self.encoding);
        &bytemuck::cast_slice(&self.lines)[..used]
    }

    pub(crate) fn read(&self) -> QuantizedRef<'_> {
        QuantizedRef { encoding: self.encoding, bytes: self.bytes() }
    }

    pub fn view(&mut self) -> QuantizedMut<'_> {
        let used = self.len * QuantizedRef::row_size(self.encoding);
        QuantizedMut {
            encoding: self.encoding,
            bytes: &mut bytemuck::cast_slice_mut(&mut self.lines)[..used],
        }
    }

    /// Bytes of memory.
    pub fn allocated(&self) -> usize {
        size_of_val(self.lines.as_slice())
    }

    /// Gives the memory back.
    pub fn recycle(self, buffers: &mut StateBuffers) {
        buffers.0.push(self.lines);
    }
}
