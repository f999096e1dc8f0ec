//! Which terminal nodes of a tile are evaluated together, one per SIMD lane, and which sequences they belong to.
//!
//! The value of a terminal node to a player depends on the opponent's reach probabilities there. Reach probabilities belong to a
//! sequence of the opponent's actions, and values are summed per sequence of the player's. Two terminal nodes therefore share work
//! where they share a sequence:
//!
//! - After the same actions of the opponent, as where the player folds or calls: the reach probabilities are the same.
//! - After the same actions of the player, as where the opponent folds to a bet or calls it: the values are summed anyway.
//!
//! A fold that shares a sequence with a showdown is *paired* with it: both are evaluated in the same lane.

use super::node::{NodeId, Terminal};
use crate::Player;
use crate::simd::WIDTH;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The sequences of up to sixteen nodes of a tile, one per lane.
#[derive(Clone, Debug)]
pub(crate) struct LaneSequences {
    /// Unused lanes repeat the last sequence; what they hold is not read.
    pub sequences: [u32; WIDTH],
    pub count: usize,
    /// Whether no earlier node of the tile has values for any of these sequences.
    pub are_first: bool,
}

impl LaneSequences {
    fn new(sequences: &[u32]) -> Self {
        let sequence = |lane: usize| sequences.get(lane).or(sequences.last()).copied().unwrap_or_default();
        Self { sequences: std::array::from_fn(sequence), count: sequences.len(), are_first: false }
    }

    /// The sequences of some nodes, sixteen at a time.
    pub fn of(sequences: impl Iterator<Item = u32>) -> Vec<Self> {
        sequences.collect::<Vec<_>>().chunks(WIDTH).map(Self::new).collect()
    }

    /// Sets `are_first`, where `lanes` come in the order in which their values are loaded. Returns the sequences that no lane is
    /// the first for: they must be zeroed before values are added.
    pub fn rank<'p>(lanes: impl Iterator<Item = &'p mut Self>, sequences: usize) -> Vec<u32> {
        let mut are_unset = vec![true; sequences];
        let mut seen = HashSet::new();
        for lane in lanes {
            let sequences = &lane.sequences[..lane.count];
            // `count` visits every sequence, so that later lanes know of all of them.
            lane.are_first =
                sequences.iter().filter(|&&sequence| seen.insert(sequence)).count() == sequences.len();
            if lane.are_first {
                sequences.iter().for_each(|&sequence| are_unset[sequence as usize] = false);
            }
        }
        (0..sequences as u32).filter(|&sequence| are_unset[sequence as usize]).collect()
    }
}

/// What the showdowns of a batch share with the folds that are paired with them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pairing {
    /// There are no folds.
    Unpaired,
    /// The opponent's sequences, so the reach probabilities.
    SameReach,
    /// The player's sequences, so that values are added up.
    SameValues,
}

/// Up to sixteen terminal nodes of one kind that are evaluated together.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    pub kind: Terminal,
    pub nodes: Vec<NodeId>,
    pub pairing: Pairing,
    /// The folds that are paired with the first nodes.
    pub folds: Vec<NodeId>,
    /// Which of the tile's root trees they are in.
    pub roots: Range<usize>,
}

/// The terminal nodes of a tile as one player evaluates them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terminals {
    pub batches: Vec<Batch>,
    /// The opponent's sequences: for each batch those of its nodes, then those of its folds if they differ.
    pub reach: Vec<LaneSequences>,
    /// The player's sequences, in the same way.
    pub values: Vec<LaneSequences>,
}

/// A terminal node: its kind, the sequences of both players, and its root tree.
#[derive(Clone, Copy)]
pub(crate) struct TerminalNode {
    pub kind: Terminal,
    pub node: NodeId,
    pub sequences: [u32; 2],
    pub root: usize,
}

/// A terminal node in its lane, and the fold that is paired with it.
type Lane = (TerminalNode, Option<TerminalNode>);

impl Terminals {
    /// Every node in a lane of its own; `nodes` are sorted by kind.
    pub fn unpaired(nodes: &[TerminalNode], player: Player) -> Self {
        let mut all = Self::default();
        all.extend(nodes, player);
        all
    }

    /// Folds and showdowns that share a sequence in one lane.
    pub fn paired(nodes: &[TerminalNode], player: Player) -> Self {
        let (own, other) = (player.index(), player.opponent().index());
        // The first fold of each sequence, by the player's sequences and by the opponent's.
        let mut folds = [own, other].map(|p| {
            let mut by_sequence: HashMap<u32, TerminalNode> = HashMap::new();
            for fold in nodes.iter().filter(|node| node.kind == Terminal::Fold) {
                by_sequence.entry(fold.sequences[p]).or_insert(*fold);
            }
            by_sequence
        });
        let mut taken = HashSet::new();
        let mut fold_with =
            |by: usize, sequence: u32| folds[by].remove(&sequence).filter(|fold| taken.insert(fold.node));
        let [mut same_reach, mut same_values, mut alone]: [Vec<Lane>; 3] = Default::default();
        for &node in nodes.iter().filter(|node| node.kind == Terminal::Showdown) {
            if let Some(fold) = fold_with(1, node.sequences[other]) {
                same_reach.push((node, Some(fold)));
            } else if let Some(fold) = fold_with(0, node.sequences[own]) {
                same_values.push((node, Some(fold)));
            } else {
                alone.push((node, None));
            }
        }
        let mut all = Self::default();
        for (pairing, mut lanes) in [(Pairing::SameReach, same_reach), (Pairing::SameValues, same_values)] {
            // Lanes that are left over in the last batch take showdowns without a fold.
            let free = lanes.len().next_multiple_of(WIDTH) - lanes.len();
            lanes.extend(alone.drain(..free.min(alone.len())));
            lanes.chunks(WIDTH).for_each(|lanes| all.push(pairing, lanes, player));
        }
        let alone = alone.into_iter().map(|(node, _)| node);
        let is_left = |node: &&TerminalNode| node.kind != Terminal::Showdown && !taken.contains(&node.node);
        all.extend(&nodes.iter().filter(is_left).copied().chain(alone).collect::<Vec<_>>(), player);
        all
    }

    /// Adds nodes without a paired fold.
    fn extend(&mut self, nodes: &[TerminalNode], player: Player) {
        for nodes in nodes.chunk_by(|a, b| a.kind == b.kind) {
            let lanes: Vec<Lane> = nodes.iter().map(|&node| (node, None)).collect();
            lanes.chunks(WIDTH).for_each(|lanes| self.push(Pairing::Unpaired, lanes, player));
        }
    }

    /// Adds a batch. Lanes with a fold come first.
    fn push(&mut self, pairing: Pairing, lanes: &[Lane], player: Player) {
        let Some(&(TerminalNode { kind, .. }, _)) = lanes.first() else { return };
        let sequences =
            |player: Player| LaneSequences::of(lanes.iter().map(|(node, _)| node.sequences[player.index()]));
        let folds: Vec<TerminalNode> = lanes.iter().filter_map(|(_, fold)| *fold).collect();
        let fold_sequences =
            |player: Player| LaneSequences::of(folds.iter().map(|fold| fold.sequences[player.index()]));
        self.reach.extend(sequences(player.opponent()));
        self.values.extend(sequences(player));
        match pairing {
            Pairing::Unpaired => {}
            Pairing::SameReach => self.values.extend(fold_sequences(player)),
            Pairing::SameValues => self.reach.extend(fold_sequences(player.opponent())),
        }
        let roots = || lanes.iter().map(|(node, _)| node.root);
        self.batches.push(Batch {
            kind,
            nodes: lanes.iter().map(|(node, _)| node.node).collect(),
            pairing,
            folds: folds.iter().map(|fold| fold.node).collect(),
            roots: roots().min().unwrap_or(0)..roots().max().unwrap_or(0) + 1,
        });
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.batches.len() * (size_of::<Batch>() + 2 * WIDTH * size_of::<NodeId>())
            + (self.reach.len() + self.values.len()) * size_of::<LaneSequences>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terminal(kind: Terminal, node: u32, sequences: [u32; 2]) -> TerminalNode {
        TerminalNode { kind, node: NodeId(node), sequences, root: 0 }
    }

    fn shapes(terminals: &Terminals) -> Vec<(Pairing, Vec<u32>, Vec<u32>)> {
        let numbers = |nodes: &[NodeId]| nodes.iter().map(|node| node.0).collect();
        terminals
            .batches
            .iter()
            .map(|batch| (batch.pairing, numbers(&batch.nodes), numbers(&batch.folds)))
            .collect()
    }

    #[test]
    fn a_fold_and_a_showdown_that_share_a_sequence_share_a_lane() {
        // The first player bets: the second folds (1) or calls (2). The first checks: the second bets, and is folded to (3)
        // or called (4); or checks (5).
        let nodes = [
            terminal(Terminal::Fold, 1, [1, 1]),
            terminal(Terminal::Fold, 3, [3, 3]),
            terminal(Terminal::Showdown, 2, [1, 2]),
            terminal(Terminal::Showdown, 4, [4, 3]),
            terminal(Terminal::Showdown, 5, [2, 4]),
        ];
        let first = Terminals::paired(&nodes, Player::First);
        assert_eq!(
            shapes(&first),
            [(Pairing::SameReach, vec![4, 5], vec![3]), (Pairing::SameValues, vec![2], vec![1])]
        );
        assert_eq!((first.reach.len(), first.values.len()), (3, 3));
        let second = Terminals::paired(&nodes, Player::Second);
        assert_eq!(
            shapes(&second),
            [(Pairing::SameReach, vec![2, 5], vec![1]), (Pairing::SameValues, vec![4], vec![3])]
        );
        let unpaired = Terminals::unpaired(&nodes, Player::First);
        assert_eq!(
            shapes(&unpaired),
            [(Pairing::Unpaired, vec![1, 3], vec![]), (Pairing::Unpaired, vec![2, 4, 5], vec![])]
        );
    }

    #[test]
    fn the_first_values_of_a_sequence_need_nothing_to_be_added_to() {
        let mut lanes = LaneSequences::of([3, 4, 5].into_iter());
        lanes.extend(LaneSequences::of([6, 4].into_iter()));
        lanes.extend(LaneSequences::of([7, 8].into_iter()));
        lanes.extend(LaneSequences::of([9, 9].into_iter()));
        assert_eq!(LaneSequences::rank(lanes.iter_mut(), 11), [0, 1, 2, 6, 9, 10]);
        let are_first: Vec<bool> = lanes.iter().map(|lanes| lanes.are_first).collect();
        assert_eq!(are_first, [true, false, true, false]);
    }

    #[test]
    fn every_terminal_node_has_one_lane() {
        let kind = |i| if i >= 40 { Terminal::Showdown } else { Terminal::Fold };
        let nodes: Vec<TerminalNode> =
            (0..90).map(|i| terminal(kind(i), i, [i * 7 % 61, i * 5 % 71])).collect();
        for player in Player::BOTH {
            let paired = Terminals::paired(&nodes, player);
            let mut seen: Vec<u32> = Vec::new();
            for batch in &paired.batches {
                assert!(batch.nodes.len() <= WIDTH && batch.folds.len() <= batch.nodes.len());
                seen.extend(batch.nodes.iter().chain(&batch.folds).map(|node| node.0));
            }
            seen.sort_unstable();
            assert_eq!(seen, (0..90).collect::<Vec<_>>());
        }
    }
}
