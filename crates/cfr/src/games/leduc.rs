//! Leduc poker: six cards of three ranks and two suits, two betting rounds, a public card between them.

use crate::simd::Row;
use crate::{Deal, Ends, Game, Kind, Node, NodeId, Player, Sums, Tree};
use std::collections::VecDeque;
use std::ops::Range;

/// Leduc poker: an ante of 1, bets of 2 and then 4, at most two raises a round. The first player's value is −0.0856.
pub struct Leduc {
    tree: Tree,
    leaves: Vec<Leaf>,
    origins: Vec<Vec<Vec<u16>>>,
}

/// How the game ends at a node.
#[derive(Clone, Copy)]
enum Leaf {
    None,
    Folded { by: Player, lost: f32 },
    Shown { stake: f32 },
}

/// A betting round: what both had put in before, the size of a bet, and whether a card follows.
#[derive(Clone, Copy)]
struct Round {
    before: f32,
    bet: f32,
    chance_follows: bool,
}

/// What comes next in a betting round.
enum Step {
    /// A player acts, after so many bets; `opened` if the other one has acted before.
    Act { player: Player, bets: u32, opened: bool },
    /// A player gives up what it has put in.
    Fold(Player, f32),
    /// Both have put in the same.
    Close(f32),
}

impl Leduc {
    const CARDS: usize = 6;
    const MAX_BETS: u32 = 2;

    /// The game.
    pub fn new() -> Self {
        let (mut nodes, mut leaves) = (Vec::new(), Vec::new());
        let exits = grow(&mut nodes, &mut leaves, Round { before: 1.0, bet: 2.0, chance_follows: true });
        for (exit, stake) in exits {
            nodes[exit].first_child = NodeId(nodes.len() as u32);
            grow(&mut nodes, &mut leaves, Round { before: stake, bet: 4.0, chance_follows: false });
        }
        let origins = (0..Self::CARDS as u16)
            .map(|public| vec![(0..Self::CARDS as u16).filter(|&card| card != public).collect()])
            .collect();
        Self { tree: Tree::new(nodes).expect("grown in order"), leaves, origins }
    }

    /// The card that a hand is in a deal: hands of the second round skip the public card.
    fn card(deal: Deal, hand: usize) -> usize {
        if deal.round == 1 && hand >= deal.index { hand + 1 } else { hand }
    }

    /// 1 if `a` beats `b` next to the public card, −1 if it loses, 0 on a tie.
    fn showdown(public: usize, a: usize, b: usize) -> f32 {
        let rank = |card: usize| card / 2;
        let strength = |card| (rank(card) == rank(public), rank(card));
        match strength(a).cmp(&strength(b)) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Less => -1.0,
            std::cmp::Ordering::Equal => 0.0,
        }
    }
}

/// Appends one betting round, breadth first; returns its chance nodes with what each player has put in there.
fn grow(nodes: &mut Vec<Node>, leaves: &mut Vec<Leaf>, round: Round) -> Vec<(usize, f32)> {
    let mut exits = Vec::new();
    let mut queue = VecDeque::from([Step::Act { player: Player::First, bets: 0, opened: false }]);
    while let Some(step) = queue.pop_front() {
        let id = nodes.len();
        let mut children = Vec::new();
        let (kind, leaf) = match step {
            Step::Fold(by, lost) => (Kind::Terminal { class: 0 }, Leaf::Folded { by, lost }),
            Step::Close(stake) if round.chance_follows => {
                exits.push((id, stake));
                (Kind::Chance, Leaf::None)
            }
            Step::Close(stake) => (Kind::Terminal { class: 1 }, Leaf::Shown { stake }),
            Step::Act { player, bets, opened } => {
                let stake = |bets: u32| round.before + bets as f32 * round.bet;
                let other = |bets| Step::Act { player: player.opponent(), bets, opened: true };
                if bets > 0 {
                    children.push(Step::Fold(player, stake(bets - 1)));
                }
                children.push(if opened { Step::Close(stake(bets)) } else { other(0) });
                if bets < Leduc::MAX_BETS {
                    children.push(other(bets + 1));
                }
                (Kind::Decision(player), Leaf::None)
            }
        };
        let child_count = if kind == Kind::Chance { 1 } else { children.len() as u16 };
        nodes.push(Node { kind, first_child: NodeId((id + 1 + queue.len()) as u32), child_count });
        leaves.push(leaf);
        queue.extend(children);
    }
    exits
}

impl Default for Leduc {
    fn default() -> Self {
        Self::new()
    }
}

impl Game for Leduc {
    fn tree(&self) -> &Tree {
        &self.tree
    }

    fn deal_count(&self, round: usize) -> usize {
        if round == 0 { 1 } else { Self::CARDS }
    }

    fn next_deals(&self, deal: Deal) -> Range<usize> {
        if deal.round == 0 { 0..Self::CARDS } else { 0..0 }
    }

    fn chance(&self, _round: usize) -> f64 {
        1.0 / (Self::CARDS - 2) as f64
    }

    fn hand_count(&self, deal: Deal, _player: Player) -> usize {
        Self::CARDS - deal.round
    }

    fn origins(&self, deal: Deal, _player: Player) -> &[Vec<u16>] {
        &self.origins[deal.index]
    }

    fn weights(&self, _player: Player) -> &[f32] {
        &[1.0; Self::CARDS]
    }

    fn total_weight(&self) -> f64 {
        (Self::CARDS * (Self::CARDS - 1)) as f64
    }

    fn constant_sum(&self) -> Option<f64> {
        Some(0.0)
    }

    fn evaluate(&self, deal: Deal, player: Player, _: Sums, ends: Ends<'_>) {
        let Ends { leaves, reach, values } = ends;
        for (hand, value) in values.iter_mut().enumerate() {
            *value = Row::ZERO;
            for (lane, leaf) in leaves.iter().enumerate() {
                for (other, reach) in reach.iter().enumerate().filter(|&(other, _)| other != hand) {
                    let payoff = match self.leaves[leaf.index()] {
                        Leaf::None => 0.0,
                        Leaf::Folded { by, lost } if by == player => -lost,
                        Leaf::Folded { lost, .. } => lost,
                        Leaf::Shown { stake } => {
                            stake
                                * Self::showdown(deal.index, Self::card(deal, hand), Self::card(deal, other))
                        }
                    };
                    value[lane] += payoff * reach[lane];
                }
            }
        }
    }
}
