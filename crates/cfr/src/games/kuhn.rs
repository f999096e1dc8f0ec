//! Kuhn poker: three cards, one each, an ante and at most one bet.

use crate::{Deal, Game, Player, SumPrecision, Terminal, TerminalBatch, Tree, TreeBuilder};
use std::ops::Range;

/// Kuhn poker. The first player's value is −1/18.
pub struct Kuhn {
    tree: Tree,
    /// By node: what the first player wins when the second folds, or with the better card at a showdown.
    stakes: Vec<f32>,
}

impl Kuhn {
    /// The game.
    pub fn new() -> Self {
        let fold = |payoff| TreeBuilder::terminal(Terminal::Fold, payoff);
        let showdown = |stake| TreeBuilder::terminal(Terminal::Showdown, stake);
        let decision = |player, children| TreeBuilder::decision(player, children, 0.0);
        // Check or bet; after a check, check or bet; after a bet, fold or call.
        let after_check_bet = decision(Player::First, vec![fold(-1.0), showdown(2.0)]);
        let after_check = decision(Player::Second, vec![showdown(1.0), after_check_bet]);
        let after_bet = decision(Player::Second, vec![fold(1.0), showdown(2.0)]);
        let (tree, stakes) = decision(Player::First, vec![after_check, after_bet])
            .build()
            .unwrap_or_else(|error| unreachable!("this is a tree: {error}"));
        Self { tree, stakes }
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

    fn origins(&self, _deal: Deal, _player: Player) -> &[u16] {
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

    fn evaluate(&self, _: Deal, player: Player, _: SumPrecision, batch: TerminalBatch<'_>) {
        let side = if player == Player::First { 1.0 } else { -1.0 };
        batch.unpair(|batch| {
            let kind = batch.kind;
            batch.sum_payoffs(|node, hand, other| {
                let stake = self.stakes[node.index()];
                let payoff = match kind {
                    Terminal::Fold => stake * side,
                    _ if hand > other => stake,
                    _ => -stake,
                };
                (hand != other).then_some(payoff)
            });
        });
    }
}
