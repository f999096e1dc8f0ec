//! Transpositions: between a row of hands per sequence and a row of terminal or chance nodes per hand; and between the hands of a
//! deal and those of the next.

use crate::simd::blocks;
use crate::simd::{Kernel, Lanes, Row, WIDTH};
use crate::tree::LaneSequences;

/// Spreads the reach probabilities of a block, a row of hands for each sequence, over terminal or chance nodes, a lane for each:
/// the rows of the block's hands are written to `out[b * hands + block * 16..]` for the nodes of batch `b`.
pub(crate) struct RowsToLanes<'a> {
    /// The sequences of each batch of nodes.
    pub lanes: &'a [LaneSequences],
    pub sequences: &'a [Row],
    pub block: usize,
    pub hands: usize,
    pub out: &'a mut [Row],
}

impl Kernel for RowsToLanes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for (batch, of_lanes) in self.lanes.iter().enumerate() {
            let (out, _) = self.out[batch * self.hands + self.block * WIDTH..].as_chunks_mut::<WIDTH>();
            lanes.transpose(
                #[inline(always)]
                |lane| &self.sequences[of_lanes.sequences[lane] as usize],
                &mut out[0],
            );
        }
    }
}

/// Sets the values of a block, a row of hands for each sequence, to the sums over the terminal and chance nodes of each sequence,
/// which have a lane each.
pub(crate) struct LanesToRows<'a> {
    /// Sequences that no first batch sets.
    pub unset: &'a [u32],
    /// The nodes of two kinds with their values, as [`RowsToLanes`] has them.
    pub sources: [(&'a [LaneSequences], &'a [Row]); 2],
    pub sequences: &'a mut [Row],
    pub block: usize,
    pub hands: usize,
}

impl Kernel for LanesToRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let zero = lanes.row(lanes.splat(0.0));
        for &sequence in self.unset {
            self.sequences[sequence as usize] = zero;
        }
        for (batches, values) in self.sources {
            for (batch, of_lanes) in batches.iter().enumerate() {
                let (values, _) = values[batch * self.hands + self.block * WIDTH..].as_chunks::<WIDTH>();
                if of_lanes.are_first {
                    lanes.put_columns(&values[0], self.sequences, &of_lanes.sequences, of_lanes.count);
                } else {
                    lanes.add_columns(&values[0], self.sequences, &of_lanes.sequences, of_lanes.count);
                }
            }
        }
    }
}

/// Maps reach probabilities from a deal to the next: from a row of sixteen chance nodes for each hand, to a row of sixteen hands
/// for each (block, root).
pub(crate) struct MapReach<'a> {
    /// A row for each (batch of chance nodes, hand).
    pub from: &'a [Row],
    /// How many rows a batch has.
    pub from_hands: usize,
    /// The index of each hand in the deal before.
    pub origin: &'a [u16],
    pub roots: usize,
    pub to: &'a mut [Row],
}

impl Kernel for MapReach<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        debug_assert_eq!(self.to.len(), blocks(self.origin.len()) * self.roots, "all rows are written");
        let mut rest = [Row::ZERO; WIDTH];
        for (origin, to) in self.origin.chunks(WIDTH).zip(self.to.chunks_exact_mut(self.roots.max(1))) {
            let (full_batches, tail) = to.as_chunks_mut::<WIDTH>();
            let mut batches = self.from.chunks_exact(self.from_hands.max(1));
            for rows in full_batches {
                let from = batches.next().unwrap_or_default();
                lanes.transpose(
                    #[inline(always)]
                    |h| origin.get(h).map_or(&Row::ZERO, |&hand| &from[hand as usize]),
                    rows,
                );
            }
            if !tail.is_empty() {
                let from = batches.next().unwrap_or_default();
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

/// The transpose of [`MapReach`]: adds the counterfactual values of a deal, a row for each (block, root), to those of the deal
/// before, once for every chance event that leads to it.
pub(crate) struct SumValues<'a> {
    pub values: &'a [Row],
    pub roots: usize,
    /// The index of each hand in the deal before.
    pub origin: &'a [u16],
    /// How many chance events each hand stands for; empty if that is one for all.
    pub counts: &'a [u8],
    /// A row of 64-bit floats for each (batch of chance nodes, hand).
    pub sums: &'a mut [[f64; WIDTH]],
    /// How many rows a batch has.
    pub hands: usize,
}

impl Kernel for SumValues<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let mut by_hand = [Row::ZERO; WIDTH];
        for (block, values) in self.values.chunks_exact(self.roots.max(1)).enumerate() {
            let batches = values.chunks(WIDTH).zip(self.sums.chunks_exact_mut(self.hands.max(1)));
            for (values, sums) in batches {
                lanes.transpose(
                    #[inline(always)]
                    |root| values.get(root).unwrap_or(&Row::ZERO),
                    &mut by_hand,
                );
                let hands = by_hand.iter().zip(&self.origin[block * WIDTH..]);
                if self.counts.is_empty() {
                    for (values, &hand) in hands {
                        let sum = &mut sums[hand as usize];
                        for lane in 0..WIDTH {
                            sum[lane] += f64::from(values[lane]);
                        }
                    }
                } else {
                    for ((values, &hand), &count) in hands.zip(&self.counts[block * WIDTH..]) {
                        let (sum, count) = (&mut sums[hand as usize], f64::from(count));
                        for lane in 0..WIDTH {
                            sum[lane] += count * f64::from(values[lane]);
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

    /// A number that identifies a chance node and a hand.
    fn mark(chance_node: usize, hand: usize) -> f32 {
        (100 * chance_node + hand + 1) as f32
    }

    /// Every third hand of the deal before, from the last one down.
    fn origin(hands: usize) -> Vec<u16> {
        (0..hands).map(|hand| (3 * (hands - hand) - 1) as u16).collect()
    }

    #[test]
    fn reach_is_mapped_to_the_next_deal_and_values_back() {
        for (roots, hands) in [(1usize, 1), (1, 16), (9, 15), (16, 16), (17, 33), (41, 40), (48, 48)] {
            let from_hands = blocks(3 * hands) * WIDTH;
            let mut from = vec![Row::ZERO; roots.div_ceil(WIDTH) * from_hands];
            for chance_node in 0..roots {
                for hand in 0..3 * hands {
                    from[chance_node / WIDTH * from_hands + hand][chance_node % WIDTH] =
                        mark(chance_node, hand);
                }
            }
            let origin = origin(hands);
            // All rows are overwritten.
            let mut to = vec![Row([-1.0; WIDTH]); blocks(hands) * roots];
            run(MapReach { from: &from, from_hands, origin: &origin, roots, to: &mut to });
            for (place, row) in to.iter().enumerate() {
                let (block, root) = (place / roots, place % roots);
                for (lane, &number) in row.iter().enumerate() {
                    let hand = origin.get(block * WIDTH + lane);
                    assert_eq!(number, hand.map_or(0.0, |&hand| mark(root, hand.into())), "{roots}, {hands}");
                }
            }
            let counts: Vec<u8> = (0..hands).map(|hand| 1 + (hand % 3) as u8).collect();
            for counts in [&[], &counts[..]] {
                let mut sums = vec![[0.5; WIDTH]; from.len()];
                let sum_values = SumValues {
                    values: &to,
                    roots,
                    origin: &origin,
                    counts,
                    sums: &mut sums,
                    hands: from_hands,
                };
                run(sum_values);
                for chance_node in 0..roots {
                    for hand in 0..3 * hands {
                        let place = origin.iter().position(|&from| usize::from(from) == hand);
                        let value = place.map_or(0.0, |place| {
                            let count = counts.get(place).map_or(1.0, |&count| f64::from(count));
                            count * f64::from(to[place / WIDTH * roots + chance_node][place % WIDTH])
                        });
                        let sum = sums[chance_node / WIDTH * from_hands + hand][chance_node % WIDTH];
                        assert_eq!(sum, 0.5 + value, "{roots}, {hands}");
                    }
                }
            }
        }
    }
}
