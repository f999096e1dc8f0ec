//! Cells of an encoding that is known only when a solve begins.

use crate::cells::{Cell, Precision};
use crate::simd::Row;

/// How many lines of the cache hold `cells` cells.
pub(super) fn lines(precision: Precision, cells: usize) -> usize {
    precision.cell_bytes(cells).div_ceil(size_of::<Row>())
}

/// How the numbers of a cell are written down.
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

/// The same expression for whichever type of cell it is.
macro_rules! with_cell {
    ($encoding:expr, $cell:ident => $body:expr) => {
        match $encoding {
            $crate::state::Encoding::F32 => {
                type $cell = $crate::cells::F32;
                $body
            }
            $crate::state::Encoding::I16 => {
                type $cell = $crate::cells::I16;
                $body
            }
            $crate::state::Encoding::U16 => {
                type $cell = $crate::cells::U16;
                $body
            }
            $crate::state::Encoding::I8 => {
                type $cell = $crate::cells::I8;
                $body
            }
            $crate::state::Encoding::U8 => {
                type $cell = $crate::cells::U8;
                $body
            }
            $crate::state::Encoding::I4 => {
                type $cell = $crate::cells::I4;
                $body
            }
            $crate::state::Encoding::U4 => {
                type $cell = $crate::cells::U4;
                $body
            }
        }
    };
}

pub(crate) use with_cell;

/// As [`with_cell`], for the cells of an average strategy, which are never signed.
macro_rules! with_share {
    ($encoding:expr, $cell:ident => $body:expr) => {
        match $encoding {
            $crate::state::Encoding::F32 => {
                type $cell = $crate::cells::F32;
                $body
            }
            $crate::state::Encoding::U16 | $crate::state::Encoding::I16 => {
                type $cell = $crate::cells::U16;
                $body
            }
            $crate::state::Encoding::U8 | $crate::state::Encoding::I8 => {
                type $cell = $crate::cells::U8;
                $body
            }
            $crate::state::Encoding::U4 | $crate::state::Encoding::I4 => {
                type $cell = $crate::cells::U4;
                $body
            }
        }
    };
}

pub(super) use with_share;

/// Cells of some encoding, to read.
#[derive(Clone, Copy)]
pub(crate) struct CellsRef<'a> {
    pub encoding: Encoding,
    bytes: &'a [u8],
}

impl<'a> CellsRef<'a> {
    fn size(encoding: Encoding) -> usize {
        with_cell!(encoding, C => size_of::<C>())
    }

    /// Cells of 32 bits.
    #[cfg(test)]
    pub fn floats(cells: &'a [crate::cells::F32]) -> Self {
        Self { encoding: Encoding::F32, bytes: bytemuck::cast_slice(cells) }
    }

    pub fn of<C: Cell>(self) -> &'a [C] {
        bytemuck::cast_slice(self.bytes)
    }

    /// The bytes of cells, as far as there are any.
    pub(super) fn bytes(self, start: usize, len: usize) -> &'a [u8] {
        let size = Self::size(self.encoding);
        let bytes = self.bytes.get(start * size..).unwrap_or_default();
        &bytes[..bytes.len().min(len * size)]
    }

    pub(super) fn range(self, start: usize, len: usize) -> Self {
        let size = Self::size(self.encoding);
        let bytes =
            if self.bytes.is_empty() { self.bytes } else { &self.bytes[start * size..][..len * size] };
        Self { bytes, ..self }
    }
}

/// Cells of some encoding, to write.
pub(crate) struct CellsMut<'a> {
    pub encoding: Encoding,
    bytes: &'a mut [u8],
}

impl<'a> CellsMut<'a> {
    pub fn of<C: Cell>(&mut self) -> &mut [C] {
        bytemuck::cast_slice_mut(self.bytes)
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn read(&self) -> CellsRef<'_> {
        CellsRef { encoding: self.encoding, bytes: self.bytes }
    }

    pub(super) fn range(&mut self, start: usize, len: usize) -> CellsMut<'_> {
        self.whole().into_range(start, len)
    }

    /// All of them, for a while.
    pub(super) fn whole(&mut self) -> CellsMut<'_> {
        CellsMut { encoding: self.encoding, bytes: &mut *self.bytes }
    }

    pub(super) fn into_range(self, start: usize, len: usize) -> Self {
        let size = CellsRef::size(self.encoding);
        let range = if self.bytes.is_empty() { 0..0 } else { start * size..(start + len) * size };
        Self { encoding: self.encoding, bytes: &mut self.bytes[range] }
    }

    pub(super) fn split(self, at: usize) -> (Self, Self) {
        let at = (at * CellsRef::size(self.encoding)).min(self.bytes.len());
        let (left, right) = self.bytes.split_at_mut(at);
        (Self { encoding: self.encoding, bytes: left }, Self { encoding: self.encoding, bytes: right })
    }
}

/// The cells of one round.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    encoding: Encoding,
    len: usize,
    lines: Vec<Row>,
}

impl Cells {
    pub fn zero(precision: Precision, signed: bool, len: usize) -> Self {
        let encoding = Encoding::new(precision, signed);
        let mut cells = Self { encoding, len, lines: vec![Row::ZERO; lines(precision, len)] };
        with_cell!(encoding, C => cells.view().of::<C>().fill(C::ZERO));
        cells
    }

    fn bytes(&self) -> &[u8] {
        let used = self.len * CellsRef::size(self.encoding);
        &bytemuck::cast_slice(&self.lines)[..used]
    }

    pub(super) fn read(&self) -> CellsRef<'_> {
        CellsRef { encoding: self.encoding, bytes: self.bytes() }
    }

    pub fn view(&mut self) -> CellsMut<'_> {
        let used = self.len * CellsRef::size(self.encoding);
        CellsMut { encoding: self.encoding, bytes: &mut bytemuck::cast_slice_mut(&mut self.lines)[..used] }
    }

    pub fn allocated(&self) -> usize {
        size_of_val(self.lines.as_slice())
    }
}
