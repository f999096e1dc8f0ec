//! A few flops that stand for all of them.
//!
//! Each of the 1,755 distinct flops becomes a point: what the flop is (ranks, suits, pairs, straights) and what it does to
//! both ranges (equity, and which share of each range has what on it). The points are clustered around medoids, real
//! flops: first greedily, each new medoid where it brings the points nearest to one; then medoids move within their clusters
//! until none gains. A chosen flop weighs as much as the flops of its cluster together, so the weights sum to 22,100. Nothing is
//! drawn at random: the same ranges give the same flops.

mod features;
mod medoids;

use crate::Spot;
use noregret_cards::{DistinctFlop, distinct_flops};

/// `count` flops that stand for all 1,755 under the ranges of a spot, most important first, with the number of flops that each
/// stands for. All of them, with their own weights, if `count` is not less.
///
/// ```
/// use noregret_holdem::{Spot, TreeOptions, flop_subset};
///
/// let ranges = ["88+,ATs+".parse()?, "JJ-55,KQs".parse()?];
/// let spot = Spot::new(ranges, "QsJh2h".parse()?, TreeOptions::new(100.into(), 300.into()))?;
/// let flops = flop_subset(&spot, 10);
/// assert_eq!(flops.len(), 10);
/// assert_eq!(flops.iter().map(|flop| flop.weight).sum::<u32>(), 22_100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn flop_subset(spot: &Spot, count: usize) -> Vec<DistinctFlop> {
    let flops = distinct_flops();
    if count >= flops.len() {
        return flops;
    }
    let points = features::points(spot, &flops);
    let weights: Vec<f64> = flops.iter().map(|flop| f64::from(flop.weight)).collect();
    let clusters = medoids::cluster(&points, &weights, count);
    let mut subset: Vec<DistinctFlop> = clusters
        .into_iter()
        .map(|cluster| DistinctFlop {
            board: flops[cluster.medoid].board,
            weight: cluster.members.iter().map(|&member| flops[member].weight).sum(),
        })
        .collect();
    // The order of equals is that of the flops: the sort is stable.
    subset.sort_by_key(|flop| std::cmp::Reverse(flop.weight));
    subset
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TreeOptions;
    use noregret_cards::{FlopRanks, FlopSuits, Texture};

    fn spot() -> Spot {
        let ranges =
            ["22+,A2s+,KTs+,QTs+,JTs,AJo+,KQo", "JJ-22,AQs-A2s,K9s+,Q9s+,J9s+,T9s,98s,87s,AQo-ATo,KQo"]
                .map(|range| range.parse().unwrap());
        Spot::new(ranges, "QsJh2h".parse().unwrap(), TreeOptions::new(100.into(), 300.into())).unwrap()
    }

    #[test]
    fn a_subset_weighs_as_much_and_has_the_textures_of_all_flops() {
        let spot = spot();
        let (subset, all) = (flop_subset(&spot, 25), distinct_flops());
        assert_eq!(subset, flop_subset(&spot, 25));
        let distinct: std::collections::HashSet<_> = subset.iter().map(|flop| flop.board).collect();
        assert_eq!(distinct.len(), 25);
        assert_eq!(flop_subset(&spot, 5000), all);

        let mean = |flops: &[DistinctFlop], number: &dyn Fn(&Texture) -> f64| {
            assert_eq!(flops.iter().map(|flop| flop.weight).sum::<u32>(), 22_100);
            let sum = |flop: &DistinctFlop| f64::from(flop.weight) * number(&Texture::of(&flop.board));
            flops.iter().map(sum).sum::<f64>() / 22_100.0
        };
        let differ = |number: &dyn Fn(&Texture) -> f64| (mean(&subset, number) - mean(&all, number)).abs();
        let one = |holds: bool| f64::from(u8::from(holds));
        for suits in [FlopSuits::Rainbow, FlopSuits::TwoTone, FlopSuits::Monotone] {
            assert!(differ(&|texture| one(texture.suits == suits)) < 0.05, "{suits}");
        }
        assert!(differ(&|texture| one(texture.ranks == FlopRanks::Paired)) < 0.05);
        assert!(differ(&|texture| f64::from(texture.high.index())) < 0.5);
    }
}
