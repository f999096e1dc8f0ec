//! Where a tile ends: which leaves are valued together, a lane each, and where their numbers come from and go to.
//!
//! What a leaf is worth to a player depends on the opponent's reach there, and both are kept by slot. Two leaves therefore
//! have something in common where they share a slot:
//!
//! - After the same actions of the opponent, as where a player folds or calls: the reach is the same, and looked at once.
//! - After the same actions of the player, as where a bet is folded to or called: the values are added up anyway.
//!
//! A leaf of class 0 that shares a slot with one of class 1 is valued *beside* it, in the same lane.

use crate::simd::WIDTH;
use crate::{NodeId, Player};
use std::collections::HashMap;
use std::ops::Range;

/// The slots of up to sixteen ends of a tile, a lane each.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// Unused lanes repeat the last one; what they hold is not read.
    pub slots: [u32; WIDTH],
    pub count: usize,
    /// Whether they are the first of the tile to have values for any of these slots.
    pub are_first: bool,
}

impl Places {
    fn new(slots: &[u32]) -> Self {
        let slot = |lane: usize| slots.get(lane).or(slots.last()).copied().unwrap_or_default();
        Self { slots: std::array::from_fn(slot), count: slots.len(), are_first: false }
    }

    /// The slots of so many ends, sixteen at a time.
    pub fn of(slots: impl Iterator<Item = u32>) -> Vec<Self> {
        slots.collect::<Vec<_>>().chunks(WIDTH).map(Self::new).collect()
    }

    /// Finds out who comes first, of places in the order in which their values are loaded; what is left of so many slots: those that
    /// nobody is the first for.
    pub fn rank<'p>(places: impl Iterator<Item = &'p mut Self>, slots: usize) -> Vec<u32> {
        let mut are_bare = vec![true; slots];
        let mut seen = std::collections::HashSet::new();
        for place in places {
            let slots = &place.slots[..place.count];
            // All of them are looked at, so that the next ones know.
            place.are_first = slots.iter().filter(|&&slot| seen.insert(slot)).count() == slots.len();
            if place.are_first {
                slots.iter().for_each(|&slot| are_bare[slot as usize] = false);
            }
        }
        (0..slots as u32).filter(|&slot| are_bare[slot as usize]).collect()
    }
}

/// What the leaves of a batch have in common with those beside them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Share {
    /// There are none beside them.
    Nothing,
    /// The opponent's slots.
    Reach,
    /// The player's slots.
    Values,
}

/// Up to sixteen leaves that are valued together.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    /// Of one class.
    pub leaves: Vec<NodeId>,
    pub share: Share,
    /// The leaves beside the first ones.
    pub beside: Vec<NodeId>,
    /// Which of the tile's root trees they are in.
    pub roots: Range<usize>,
}

/// The leaves of a tile as one player values them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leaves {
    pub batches: Vec<Batch>,
    /// The opponent's slots: for each batch those of its leaves, then those of the ones beside them if they are others.
    pub reach: Vec<Places>,
    /// The player's slots, in the same way.
    pub values: Vec<Places>,
}

/// A leaf: its class, node, slots of both players, and root tree.
#[derive(Clone, Copy)]
pub(crate) struct Leaf {
    pub class: u8,
    pub node: NodeId,
    pub slots: [u32; 2],
    pub root: usize,
}

/// A leaf in its lane, and the one beside it.
type Lane = (Leaf, Option<Leaf>);

impl Leaves {
    /// Every leaf in a lane of its own; they come in the order of classes.
    pub fn single(leaves: &[Leaf], player: Player) -> Self {
        let mut all = Self::default();
        all.extend(leaves, player);
        all
    }

    /// Leaves that share a slot in one lane.
    pub fn paired(leaves: &[Leaf], player: Player) -> Self {
        let (own, other) = (player.index(), player.opponent().index());
        let mut aside = [own, other].map(|p| {
            let mut by_slot: HashMap<u32, Leaf> = HashMap::new();
            for leaf in leaves.iter().filter(|leaf| leaf.class == 0) {
                by_slot.entry(leaf.slots[p]).or_insert(*leaf);
            }
            by_slot
        });
        let mut taken = std::collections::HashSet::new();
        let mut beside =
            |by: usize, slot: u32| aside[by].remove(&slot).filter(|leaf| taken.insert(leaf.node));
        let [mut same_reach, mut same_values, mut alone]: [Vec<Lane>; 3] = Default::default();
        for &leaf in leaves.iter().filter(|leaf| leaf.class == 1) {
            if let Some(other) = beside(1, leaf.slots[other]) {
                same_reach.push((leaf, Some(other)));
            } else if let Some(other) = beside(0, leaf.slots[own]) {
                same_values.push((leaf, Some(other)));
            } else {
                alone.push((leaf, None));
            }
        }
        let mut all = Self::default();
        for (share, mut lanes) in [(Share::Reach, same_reach), (Share::Values, same_values)] {
            // Lanes that are free are for leaves that are alone.
            let free = lanes.len().next_multiple_of(WIDTH) - lanes.len();
            lanes.extend(alone.drain(..free.min(alone.len())));
            lanes.chunks(WIDTH).for_each(|lanes| all.push(share, lanes, player));
        }
        let alone = alone.into_iter().map(|(leaf, _)| leaf);
        let others = leaves.iter().filter(|leaf| leaf.class != 1 && !taken.contains(&leaf.node)).copied();
        all.extend(&others.chain(alone).collect::<Vec<_>>(), player);
        all
    }

    /// Adds leaves that are alone.
    fn extend(&mut self, leaves: &[Leaf], player: Player) {
        for class in leaves.chunk_by(|a, b| a.class == b.class) {
            let lanes: Vec<Lane> = class.iter().map(|&leaf| (leaf, None)).collect();
            lanes.chunks(WIDTH).for_each(|lanes| self.push(Share::Nothing, lanes, player));
        }
    }

    /// Adds a batch. Lanes with a leaf beside come first.
    fn push(&mut self, share: Share, lanes: &[Lane], player: Player) {
        let slots = |player: Player| Places::of(lanes.iter().map(|(leaf, _)| leaf.slots[player.index()]));
        let beside: Vec<Leaf> = lanes.iter().filter_map(|(_, beside)| *beside).collect();
        let slots_beside = |player: Player| Places::of(beside.iter().map(|leaf| leaf.slots[player.index()]));
        self.reach.extend(slots(player.opponent()));
        self.values.extend(slots(player));
        match share {
            Share::Nothing => {}
            Share::Reach => self.values.extend(slots_beside(player)),
            Share::Values => self.reach.extend(slots_beside(player.opponent())),
        }
        let roots = || lanes.iter().map(|(leaf, _)| leaf.root);
        self.batches.push(Batch {
            leaves: lanes.iter().map(|(leaf, _)| leaf.node).collect(),
            share,
            beside: beside.iter().map(|leaf| leaf.node).collect(),
            roots: roots().min().unwrap_or(0)..roots().max().unwrap_or(0) + 1,
        });
    }

    /// What it takes in memory.
    pub fn bytes(&self) -> usize {
        self.batches.len() * (size_of::<Batch>() + 2 * WIDTH * size_of::<NodeId>())
            + (self.reach.len() + self.values.len()) * size_of::<Places>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(class: u8, node: u32, slots: [u32; 2]) -> Leaf {
        Leaf { class, node: NodeId(node), slots, root: 0 }
    }

    fn shapes(leaves: &Leaves) -> Vec<(Share, Vec<u32>, Vec<u32>)> {
        let numbers = |nodes: &[NodeId]| nodes.iter().map(|node| node.0).collect();
        leaves
            .batches
            .iter()
            .map(|batch| (batch.share, numbers(&batch.leaves), numbers(&batch.beside)))
            .collect()
    }

    #[test]
    fn leaves_that_share_a_slot_share_a_lane() {
        // The first player bets: the second folds (1) or calls (2). The first checks: the second bets, and is folded to (3)
        // or called (4); or checks (5).
        let leaves = [
            leaf(0, 1, [1, 1]),
            leaf(0, 3, [3, 3]),
            leaf(1, 2, [1, 2]),
            leaf(1, 4, [4, 3]),
            leaf(1, 5, [2, 4]),
        ];
        let first = Leaves::paired(&leaves, Player::First);
        assert_eq!(shapes(&first), [(Share::Reach, vec![4, 5], vec![3]), (Share::Values, vec![2], vec![1])]);
        assert_eq!((first.reach.len(), first.values.len()), (3, 3));
        let second = Leaves::paired(&leaves, Player::Second);
        assert_eq!(shapes(&second), [(Share::Reach, vec![2, 5], vec![1]), (Share::Values, vec![4], vec![3])]);
        let single = Leaves::single(&leaves, Player::First);
        assert_eq!(
            shapes(&single),
            [(Share::Nothing, vec![1, 3], vec![]), (Share::Nothing, vec![2, 4, 5], vec![])]
        );
    }

    #[test]
    fn the_first_values_of_a_slot_need_nothing_to_be_added_to() {
        let mut places = Places::of([3, 4, 5].into_iter());
        places.extend(Places::of([6, 4].into_iter()));
        places.extend(Places::of([7, 8].into_iter()));
        places.extend(Places::of([9, 9].into_iter()));
        assert_eq!(Places::rank(places.iter_mut(), 11), [0, 1, 2, 6, 9, 10]);
        let are_first: Vec<bool> = places.iter().map(|places| places.are_first).collect();
        assert_eq!(are_first, [true, false, true, false]);
    }

    #[test]
    fn every_leaf_has_one_lane() {
        let leaves: Vec<Leaf> =
            (0..90).map(|i| leaf(u8::from(i >= 40), i, [i * 7 % 61, i * 5 % 71])).collect();
        for player in Player::BOTH {
            let paired = Leaves::paired(&leaves, player);
            let mut nodes: Vec<u32> = Vec::new();
            for batch in &paired.batches {
                assert!(batch.leaves.len() <= WIDTH && batch.beside.len() <= batch.leaves.len());
                nodes.extend(batch.leaves.iter().chain(&batch.beside).map(|node| node.0));
            }
            nodes.sort_unstable();
            assert_eq!(nodes, (0..90).collect::<Vec<_>>());
        }
    }
}
