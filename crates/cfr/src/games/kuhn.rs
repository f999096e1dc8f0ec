//! Kuhn poker: three cards, one each, an ante and at most one bet.

use crate::simd::Row;
use crate::{Deal, Ends, Game, Kind, Node, NodeId, Player, Sums, Tree};
use std::ops::Range;

/// Kuhn poker. The first player's value is −1/18.
pub struct Kuhn {
    tree: Tree,
}

/// What each leaf is worth to the first player: a fold, or the stake of a showdown.
enum Leaf {
    Folded(f32),
    Shown(f32),
}

impl Kuhn {
    /// The game.
    pub fn new() -> Self {
        let decision =
            |player, child| Node { kind: Kind::Decision(player), first_child: NodeId(child), child_count: 2 };
        let leaf = Node { kind: Kind::Terminal { class: 0 }, first_child: NodeId(0), child_count: 0 };
        // Check or bet; after a check, check or bet; after a bet, fold or call.
        let nodes = vec![
            decision(Player::First, 1),
            decision(Player::Second, 3),
            decision(Player::Second, 5),
            leaf,
            decision(Player::First, 7),
            leaf,
            leaf,
            leaf,
            leaf,
        ];
        Self { tree: Tree::new(nodes).expect("the nodes above are in order") }
    }

    fn leaf(node: NodeId) -> Leaf {
        match node.0 {
            3 => Leaf::Shown(1.0),
            5 => Leaf::Folded(1.0),
            6 => Leaf::Shown(2.0),
            7 => Leaf::Folded(-1.0),
            _ => Leaf::Shown(2.0),
        }
    }
}

impl Default for Kuhn {
    fn default() -> Self {
        Self::new()
    }
}

impl Game for Kuhn {
    fn tree(&self) -> &Tree {
        &self.tree
    }

    fn deal_count(&self, _round: usize) -> usize {
        1
    }

    fn next_deals(&self, _deal: Deal) -> Range<usize> {
        0..0
    }

    fn chance(&self, _round: usize) -> f64 {
        1.0
    }

    fn hand_count(&self, _deal: Deal, _player: Player) -> usize {
        3
    }

    fn origins(&self, _deal: Deal, _player: Player) -> &[Vec<u16>] {
        &[]
    }

    fn weights(&self, _player: Player) -> &[f32] {
        &[1.0; 3]
    }

    fn total_weight(&self) -> f64 {
        6.0
    }

    fn constant_sum(&self) -> Option<f64> {
        Some(0.0)
    }

    fn evaluate(&self, _: Deal, player: Player, _: Sums, ends: Ends<'_>) {
        let Ends { leaves, reach, values } = ends;
        let side = if player == Player::First { 1.0 } else { -1.0 };
        for (hand, value) in values.iter_mut().enumerate() {
            *value = Row::ZERO;
            for (lane, &leaf) in leaves.iter().enumerate() {
                for (other, reach) in reach.iter().enumerate().filter(|&(other, _)| other != hand) {
                    value[lane] += reach[lane]
                        * match Self::leaf(leaf) {
                            Leaf::Folded(payoff) => payoff * side,
                            Leaf::Shown(stake) => {
                                if hand > other {
                                    stake
                                } else {
                                    -stake
                                }
                            }
                        };
                }
            }
        }
    }
}
