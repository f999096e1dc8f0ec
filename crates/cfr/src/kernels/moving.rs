//! Between rows of hands and lanes of ends, and between the hands of one deal and the next.

use super::blocks;
use crate::ends::Places;
use crate::simd::{Kernel, Lanes, Row, WIDTH};

/// Spreads the slots of a block of hands, a row each, to ends, a lane each: the rows of its hands are in
/// `out[p * hands + block * 16..]` for the ends of `places[p]`.
pub(crate) struct RowsToLanes<'a> {
    pub places: &'a [Places],
    pub slots: &'a [Row],
    pub block: usize,
    pub hands: usize,
    pub out: &'a mut [Row],
}

impl Kernel for RowsToLanes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for (p, places) in self.places.iter().enumerate() {
            let (out, _) = self.out[p * self.hands + self.block * WIDTH..].as_chunks_mut::<WIDTH>();
            lanes.transpose(
                #[inline(always)]
                |lane| &self.slots[places.slots[lane] as usize],
                &mut out[0],
            );
        }
    }
}

/// Loads the slots of a block of hands, a row each, with the sums of its ends, a lane each.
pub(crate) struct LanesToRows<'a> {
    /// Slots that no end is the first for.
    pub bare: &'a [u32],
    /// The ends of some kinds, as [`RowsToLanes`] has them.
    pub ends: [(&'a [Places], &'a [Row]); 2],
    pub slots: &'a mut [Row],
    pub block: usize,
    pub hands: usize,
}

impl Kernel for LanesToRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let zero = lanes.row(lanes.splat(0.0));
        for &slot in self.bare {
            self.slots[slot as usize] = zero;
        }
        for (places, values) in self.ends {
            for (p, places) in places.iter().enumerate() {
                let (values, _) = values[p * self.hands + self.block * WIDTH..].as_chunks::<WIDTH>();
                if places.are_first {
                    lanes.put_columns(&values[0], self.slots, &places.slots, places.count);
                } else {
                    lanes.add_columns(&values[0], self.slots, &places.slots, places.count);
                }
            }
        }
    }
}

/// Moves reaches to a deal from the one before: from a line of sixteen exits for each hand there, to a row of sixteen hands for
/// each (block, root) here.
pub(crate) struct Carry<'a> {
    /// Lines for each (batch of exits, hand).
    pub from: &'a [Row],
    /// How many lines a batch has.
    pub from_hands: usize,
    /// Where each hand was.
    pub origin: &'a [u16],
    pub roots: usize,
    pub to: &'a mut [Row],
}

impl Kernel for Carry<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        debug_assert_eq!(self.to.len(), blocks(self.origin.len()) * self.roots, "all rows are written");
        let mut rest = [Row::ZERO; WIDTH];
        for (origin, to) in self.origin.chunks(WIDTH).zip(self.to.chunks_exact_mut(self.roots.max(1))) {
            let (batches, tail) = to.as_chunks_mut::<WIDTH>();
            let mut lines = self.from.chunks_exact(self.from_hands.max(1));
            for rows in batches {
                let from = lines.next().unwrap_or_default();
                lanes.transpose(
                    #[inline(always)]
                    |h| origin.get(h).map_or(&Row::ZERO, |&hand| &from[hand as usize]),
                    rows,
                );
            }
            if !tail.is_empty() {
                let from = lines.next().unwrap_or_default();
                lanes.transpose(
                    #[inline(always)]
                    |h| origin.get(h).map_or(&Row::ZERO, |&hand| &from[hand as usize]),
                    &mut rest,
                );
                tail.copy_from_slice(&rest[..tail.len()]);
            }
        }
    }
}

/// The opposite of [`Carry`]: adds values of a deal, a row for each (block, root), to those of the deal before, once for every
/// chance event that leads here.
pub(crate) struct Collect<'a> {
    pub values: &'a [Row],
    pub roots: usize,
    /// For each event, where each hand was.
    pub origins: &'a [Vec<u16>],
    /// Lines for each (batch of exits, hand), in wide floats.
    pub sums: &'a mut [[f64; WIDTH]],
    /// How many lines a batch has.
    pub hands: usize,
}

impl Kernel for Collect<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let mut lines = [Row::ZERO; WIDTH];
        for (block, values) in self.values.chunks_exact(self.roots.max(1)).enumerate() {
            let batches = values.chunks(WIDTH).zip(self.sums.chunks_exact_mut(self.hands.max(1)));
            for (values, sums) in batches {
                lanes.transpose(
                    #[inline(always)]
                    |root| values.get(root).unwrap_or(&Row::ZERO),
                    &mut lines,
                );
                for origin in self.origins {
                    for (line, &hand) in lines.iter().zip(&origin[block * WIDTH..]) {
                        let sum = &mut sums[hand as usize];
                        for lane in 0..WIDTH {
                            sum[lane] += f64::from(line[lane]);
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::run;

    /// A number that tells where it belongs.
    fn mark(exit: usize, hand: usize) -> f32 {
        (100 * exit + hand + 1) as f32
    }

    /// Every third hand of the deal before, from the last one down.
    fn origin(hands: usize) -> Vec<u16> {
        (0..hands).map(|hand| (3 * (hands - hand) - 1) as u16).collect()
    }

    #[test]
    fn reaches_are_carried_to_their_hands_and_values_back() {
        for (roots, hands) in [(1usize, 1), (1, 16), (9, 15), (16, 16), (17, 33), (41, 40), (48, 48)] {
            let from_hands = blocks(3 * hands) * WIDTH;
            let mut from = vec![Row::ZERO; roots.div_ceil(WIDTH) * from_hands];
            for exit in 0..roots {
                for hand in 0..3 * hands {
                    from[exit / WIDTH * from_hands + hand][exit % WIDTH] = mark(exit, hand);
                }
            }
            let origin = origin(hands);
            // What was there before does not matter.
            let mut to = vec![Row([-1.0; WIDTH]); blocks(hands) * roots];
            run(Carry { from: &from, from_hands, origin: &origin, roots, to: &mut to });
            for (place, row) in to.iter().enumerate() {
                let (block, root) = (place / roots, place % roots);
                for (lane, &number) in row.iter().enumerate() {
                    let hand = origin.get(block * WIDTH + lane);
                    assert_eq!(number, hand.map_or(0.0, |&hand| mark(root, hand.into())), "{roots}, {hands}");
                }
            }
            let mut sums = vec![[0.5; WIDTH]; from.len()];
            let origins = [origin.clone(), origin.iter().rev().copied().collect()];
            run(Collect { values: &to, roots, origins: &origins, sums: &mut sums, hands: from_hands });
            for exit in 0..roots {
                for hand in 0..3 * hands {
                    let came = |origin: &Vec<u16>| {
                        let place = origin.iter().position(|&from| usize::from(from) == hand);
                        place.map_or(0.0, |place| f64::from(to[place / WIDTH * roots + exit][place % WIDTH]))
                    };
                    let sum = sums[exit / WIDTH * from_hands + hand][exit % WIDTH];
                    assert_eq!(sum, 0.5 + came(&origins[0]) + came(&origins[1]), "{roots}, {hands}");
                }
            }
        }
    }
}
