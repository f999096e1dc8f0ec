//! Sixty-four byte values, worked on together.

use crate::solver::level::LANES;

/// The values of a row's lanes. Seats 0 and 2 want them high, seats 1 and 3 low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LaneValues([u8; LANES]);

impl LaneValues {
    /// All ones in the lanes of the set, zero in the others.
    pub(crate) fn where_set(lanes: u64) -> Self {
        Self(std::array::from_fn(|lane| if lanes >> lane & 1 == 1 { u8::MAX } else { 0 }))
    }

    /// A row for each set, with room for an eighth.
    pub(crate) fn where_each_set(sets: &[u64; 7]) -> [Self; 8] {
        std::array::from_fn(|i| Self::where_set(sets.get(i).copied().unwrap_or(0)))
    }

    /// What any value is better than, for the seat.
    #[inline(always)]
    pub(crate) fn worst<const SEAT: usize>() -> Self {
        Self([if SEAT.is_multiple_of(2) { 0 } else { u8::MAX }; LANES])
    }

    #[inline(always)]
    pub(crate) fn load(values: &[u8], at: usize) -> Self {
        let mut row = [0; LANES];
        row.copy_from_slice(&values[at..at + LANES]);
        Self(row)
    }

    #[inline(always)]
    pub(crate) fn store(self, out: &mut [u8; LANES]) {
        *out = self.0;
    }

    #[inline(always)]
    pub(crate) fn plus(mut self, points: u8) -> Self {
        for value in &mut self.0 {
            *value = value.wrapping_add(points);
        }
        self
    }

    /// Lane by lane the better of two for the seat.
    #[inline(always)]
    pub(crate) fn or_better<const SEAT: usize>(mut self, other: Self) -> Self {
        for (one, other) in self.0.iter_mut().zip(other.0) {
            *one = if SEAT.is_multiple_of(2) { (*one).max(other) } else { (*one).min(other) };
        }
        self
    }

    /// The values in the lanes of `mask`, and the worst for the seat in the others.
    #[inline(always)]
    pub(crate) fn only<const SEAT: usize>(mut self, mask: &Self) -> Self {
        for (value, mask) in self.0.iter_mut().zip(mask.0) {
            *value = if SEAT.is_multiple_of(2) { *value & mask } else { *value | !mask };
        }
        self
    }

    /// The same value in every lane.
    #[inline(always)]
    pub(crate) const fn splat(value: u8) -> Self {
        Self([value; LANES])
    }

    /// A value for each lane.
    pub(crate) fn from_lanes(value: impl Fn(u32) -> u8) -> Self {
        Self(std::array::from_fn(|lane| value(lane as u32)))
    }

    /// Lane by lane twice the value less the other, as the byte of a signed number.
    #[inline(always)]
    pub(crate) fn difference(mut self, other: &Self) -> Self {
        for (value, other) in self.0.iter_mut().zip(other.0) {
            *value = value.wrapping_add(*value).wrapping_sub(other);
        }
        self
    }

    /// The values in the lanes of `mask`, and another value in the others.
    #[inline(always)]
    pub(crate) fn or_else(mut self, mask: &Self, other: u8) -> Self {
        for (value, mask) in self.0.iter_mut().zip(mask.0) {
            *value = *value & mask | other & !mask;
        }
        self
    }

    /// The value of one lane.
    #[inline(always)]
    pub(crate) fn at(&self, lane: u32) -> u8 {
        self.0[lane as usize & 63]
    }

    /// Adds the values of some lanes, in the order given, to a column of signed numbers.
    #[inline(always)]
    pub(crate) fn pick(&self, lanes: &[u8], out: &mut Vec<i8>) {
        out.extend(lanes.iter().map(|&lane| self.0[usize::from(lane & 63)] as i8));
    }
}
