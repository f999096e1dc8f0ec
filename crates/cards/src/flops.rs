//! The flops that are different games.

use crate::{Board, Card, Hole, SuitGroup, SuitPermutation, canonical_board};
use std::collections::BTreeMap;

/// A flop that stands for all that differ from it only in the names of the suits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DistinctFlop {
    /// Its canonical form, as of [`canonical_board`].
    pub board: Board,
    /// How many of the 22,100 flops it stands for: 4, 12 or 24.
    pub weight: u32,
}

/// The 1,755 flops that are strategically distinct, from aces down to deuces.
///
/// ```
/// let flops = noregret_cards::distinct_flops();
/// assert_eq!(flops.len(), 1755);
/// assert_eq!(flops.iter().map(|flop| flop.weight).sum::<u32>(), 22_100);
/// assert_eq!((flops[0].board.to_string().as_str(), flops[0].weight), ("AsAhAd", 4));
/// ```
pub fn distinct_flops() -> Vec<DistinctFlop> {
    let mut weights: BTreeMap<[Card; 3], DistinctFlop> = BTreeMap::new();
    for hole in Hole::all() {
        for third in Card::all().take(hole.low().index() as usize) {
            let Ok(board) = Board::new(&[hole.high(), hole.low(), third]) else { continue };
            let (board, _) = canonical_board(&board);
            if let [a, b, c] = *board.cards() {
                weights.entry([a, b, c]).or_insert(DistinctFlop { board, weight: 0 }).weight += 1;
            }
        }
    }
    weights.into_values().rev().collect()
}

/// How many flops differ from the flop of a board only in the names of the suits, itself among them: 4, 12 or 24.
pub fn flop_weight(board: &Board) -> u32 {
    let flop = Board::new(&board.cards()[..3]).unwrap_or(*board);
    (SuitPermutation::all().count() / SuitGroup::of(&flop, &[]).members().len()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_distinct_flops_cover_all_flops_once() {
        let flops = distinct_flops();
        assert_eq!(flops.len(), 1755);
        assert_eq!(flops.iter().map(|flop| flop.weight).sum::<u32>(), 22_100);
        assert_eq!(flops.iter().map(|flop| flop.board).collect::<HashSet<_>>().len(), 1755);
        assert!(flops.iter().all(|flop| canonical_board(&flop.board).0 == flop.board));
        assert!(flops.iter().all(|flop| flop_weight(&flop.board) == flop.weight));
    }

    #[test]
    fn weights_go_by_the_texture_of_the_flop() {
        let mut by_texture = [[0; 2]; 6];
        for DistinctFlop { board, weight } in distinct_flops() {
            let count = |key: fn(&Card) -> u8| board.cards().iter().map(key).collect::<HashSet<_>>().len();
            let (ranks, suits) = (count(|card| card.rank().index()), count(|card| card.suit().index()));
            let (texture, expected) = match (ranks, suits) {
                (1, 3) => (0, 4),
                (2, 2) => (1, 12),
                (2, 3) => (2, 12),
                (3, 1) => (3, 4),
                (3, 2) => (4, 12),
                (3, 3) => (5, 24),
                other => panic!("{board} has {other:?} ranks and suits"),
            };
            assert_eq!(weight, expected, "{board}");
            by_texture[texture][0] += 1;
            by_texture[texture][1] += weight;
        }
        // Trips, paired two-tone, paired rainbow, monotone, two-tone, rainbow.
        assert_eq!(by_texture, [[13, 52], [156, 1872], [156, 1872], [286, 1144], [858, 10296], [286, 6864]]);
    }

    #[test]
    fn the_order_is_fixed() {
        let names: Vec<String> = distinct_flops().iter().map(|flop| flop.board.to_string()).collect();
        assert_eq!(names[..4], ["AsAhAd", "AsAhKs", "AsAhKd", "AsAhQs"]);
        assert_eq!(names[1754], "2s2h2d");
    }
}
