//! Leduc poker: six cards of three ranks and two suits, two betting rounds, a public card between them.

use crate::{Deal, Game, Player, SumPrecision, Terminal, TerminalBatch, Tree, TreeBuilder};
use std::ops::Range;

/// Leduc poker: an ante of 1, bets of 2 and then 4, at most two raises a round. The first player's value is −0.0856.
pub struct Leduc {
    tree: Tree,
    payoffs: Vec<LeducPayoff>,
    origins: Vec<Vec<u16>>,
}

/// What a player wins or loses at a terminal node.
#[derive(Clone, Copy)]
enum LeducPayoff {
    /// The hand goes on.
    None,
    /// A player has folded.
    Fold { by: Player, lost: f32 },
    /// The better hand wins the stake.
    Showdown { stake: f32 },
}

/// A betting round: what both had put in before, and the size of a bet. The first round has a public card after it.
#[derive(Clone, Copy)]
struct BettingRound {
    number: u32,
    before: f32,
}

impl BettingRound {
    /// What a player has put in after so many bets.
    fn stake(self, bets: u32) -> f32 {
        let bet = if self.number == 0 { 2.0 } else { 4.0 };
        self.before + bets as f32 * bet
    }

    /// The decision of a player after so many bets; `opened` if the other has acted before.
    fn decision(self, player: Player, bets: u32, opened: bool) -> TreeBuilder<LeducPayoff> {
        let other = |bets| self.decision(player.opponent(), bets, true);
        let mut children = Vec::new();
        if bets > 0 {
            let payoff = LeducPayoff::Fold { by: player, lost: self.stake(bets - 1) };
            children.push(TreeBuilder::terminal(Terminal::Fold, payoff));
        }
        children.push(if opened { self.close(self.stake(bets)) } else { other(0) });
        if bets < Leduc::MAX_BETS {
            children.push(other(bets + 1));
        }
        TreeBuilder::decision(player, children, LeducPayoff::None)
    }

    /// What follows when both have put in the same: the public card and the second round, or a showdown.
    fn close(self, stake: f32) -> TreeBuilder<LeducPayoff> {
        match self.number {
            0 => {
                let second = Self { number: 1, before: stake };
                TreeBuilder::chance(second.decision(Player::First, 0, false), LeducPayoff::None)
            }
            _ => TreeBuilder::terminal(Terminal::Showdown, LeducPayoff::Showdown { stake }),
        }
    }
}

impl Leduc {
    const CARDS: usize = 6;
    const MAX_BETS: u32 = 2;

    /// The game.
    pub fn new() -> Self {
        let first = BettingRound { number: 0, before: 1.0 };
        let (tree, payoffs) = first
            .decision(Player::First, 0, false)
            .build()
            .unwrap_or_else(|error| unreachable!("this is a tree: {error}"));
        let origins = (0..Self::CARDS as u16)
            .map(|public| (0..Self::CARDS as u16).filter(|&card| card != public).collect())
            .collect();
        Self { tree, payoffs, origins }
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

    fn origins(&self, deal: Deal, _player: Player) -> &[u16] {
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

    fn evaluate(&self, deal: Deal, player: Player, _: SumPrecision, batch: TerminalBatch<'_>) {
        batch.sum_payoffs(|node, hand, other| {
            let payoff = match self.payoffs[node.index()] {
                LeducPayoff::None => 0.0,
                LeducPayoff::Fold { by, lost } if by == player => -lost,
                LeducPayoff::Fold { lost, .. } => lost,
                LeducPayoff::Showdown { stake } => {
                    stake * Self::showdown(deal.index, Self::card(deal, hand), Self::card(deal, other))
                }
            };
            (hand != other).then_some(payoff)
        });
    }
}
