//! A game of your own: a public tree, the hands of both players, and a payoff for each pair of hands at each terminal node.
//!
//! Two games with a single betting round share one type here: Kuhn poker, and a game in which one player holds either the best or
//! the worst hand. Run it with `cargo run --release -p noregret-cfr --example own_game`.

use noregret_cfr::{
    Dcfr, Deal, Game, NodeId, NodeKind, Player, SumPrecision, Terminal, TerminalBatch, Trainer, Tree,
    TreeBuilder,
};
use std::ops::Range;
use std::sync::Arc;

/// How the game ends at a terminal node.
#[derive(Clone, Copy)]
enum Ending {
    /// It does not end here.
    None,
    /// A player folds and loses what it has put in.
    Fold { by: Player, lost: f32 },
    /// The better hand wins what the other player has put in.
    Showdown { stake: f32 },
}

/// What the example knows about each node: the actions that lead there, and the outcome.
#[derive(Clone)]
struct NodeData {
    line: String,
    outcome: Ending,
}

/// A game with one betting round and no chance events after the deal.
struct OneRoundGame {
    tree: Tree,
    data: Vec<NodeData>,
    /// The names of the hands of each player; all of them are equally likely.
    hands: [Vec<&'static str>; 2],
    weights: [Vec<f32>; 2],
    /// Who wins with the first player's hand against the second's; `None` if they cannot be dealt together.
    winner: fn(usize, usize) -> Option<Player>,
}

impl OneRoundGame {
    fn new(
        root: TreeBuilder<NodeData>,
        hands: [Vec<&'static str>; 2],
        winner: fn(usize, usize) -> Option<Player>,
    ) -> Self {
        let (tree, data) = root.build().expect("the nodes form a tree");
        let weights = [0, 1].map(|player: usize| vec![1.0; hands[player].len()]);
        Self { tree, data, hands, weights, winner }
    }

    /// Kuhn poker: three cards, an ante of 1, one bet of 1.
    fn kuhn() -> Self {
        use Player::{First, Second};
        let bet_into = |line: &str, caller: Player| {
            let actions =
                vec![fold(&format!("{line}, fold"), caller, 1.0), showdown(&format!("{line}, call"), 2.0)];
            decision(line, caller, actions)
        };
        let checks = vec![showdown("check, check", 1.0), bet_into("check, bet", First)];
        let root = decision("", First, vec![decision("check", Second, checks), bet_into("bet", Second)]);
        let cards = vec!["jack", "queen", "king"];
        Self::new(root, [cards.clone(), cards], |first, second| match first.cmp(&second) {
            std::cmp::Ordering::Less => Some(Second),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(First),
        })
    }

    /// The first player holds the best or the worst hand and may bet 1, 2 or 4 into a pot of 2; the second can only call or fold.
    fn polarized() -> Self {
        let mut actions = vec![showdown("check", 1.0)];
        for bet in [1.0, 2.0, 4.0] {
            let line = format!("bet {bet}");
            let answers = vec![
                fold(&format!("{line}, fold"), Player::Second, 1.0),
                showdown(&format!("{line}, call"), 1.0 + bet),
            ];
            actions.push(decision(&line, Player::Second, answers));
        }
        let hands = [vec!["worst", "best"], vec!["middle"]];
        Self::new(decision("", Player::First, actions), hands, |first, _| {
            Some(if first == 1 { Player::First } else { Player::Second })
        })
    }
}

fn decision(line: &str, player: Player, children: Vec<TreeBuilder<NodeData>>) -> TreeBuilder<NodeData> {
    TreeBuilder::decision(player, children, NodeData { line: line.to_owned(), outcome: Ending::None })
}

fn fold(line: &str, by: Player, lost: f32) -> TreeBuilder<NodeData> {
    let outcome = Ending::Fold { by, lost };
    TreeBuilder::terminal(Terminal::Fold, NodeData { line: line.to_owned(), outcome })
}

fn showdown(line: &str, stake: f32) -> TreeBuilder<NodeData> {
    let outcome = Ending::Showdown { stake };
    TreeBuilder::terminal(Terminal::Showdown, NodeData { line: line.to_owned(), outcome })
}

impl Game for OneRoundGame {
    fn tree(&self) -> &Tree {
        &self.tree
    }

    fn hand_count(&self, _deal: Deal, player: Player) -> usize {
        self.hands[player.index()].len()
    }

    fn weights(&self, player: Player) -> &[f32] {
        &self.weights[player.index()]
    }

    fn total_weight(&self) -> f64 {
        let pairs = (0..self.hands[0].len()).flat_map(|a| (0..self.hands[1].len()).map(move |b| (a, b)));
        pairs.filter(|&(a, b)| (self.winner)(a, b).is_some()).count() as f64
    }

    fn constant_sum(&self) -> Option<f64> {
        Some(0.0)
    }

    fn evaluate(&self, _: Deal, player: Player, _: SumPrecision, batch: TerminalBatch<'_>) {
        batch.sum_payoffs(|node, hand, other| {
            let winner = match player {
                Player::First => (self.winner)(hand, other)?,
                Player::Second => (self.winner)(other, hand)?,
            };
            let (winner, amount) = match self.data[node.index()].outcome {
                Ending::None => return None,
                Ending::Fold { by, lost } => (by.opponent(), lost),
                Ending::Showdown { stake } => (winner, stake),
            };
            Some(if winner == player { amount } else { -amount })
        });
    }

    // There is one deal, and nothing is dealt after it.

    fn deal_count(&self, _round: usize) -> usize {
        1
    }

    fn next_deals(&self, _deal: Deal) -> Range<usize> {
        0..0
    }

    fn chance(&self, _round: usize) -> f64 {
        1.0
    }

    fn origins(&self, _deal: Deal, _player: Player) -> &[u16] {
        &[]
    }
}

/// Solves a game, prints its average strategy, and returns the first player's value.
fn solve(name: &str, game: OneRoundGame) -> f64 {
    let mut trainer = Trainer::new(Arc::new(game), Dcfr::default());
    while trainer.exploitability() > 1e-4 {
        assert!(trainer.iteration() < 20_000, "{name} does not converge: {}", trainer.exploitability());
        trainer.iterate();
    }
    let (game, profile) = (trainer.game(), trainer.average());
    let value = profile.expected_value(Player::First);
    println!(
        "{name}: value {value:.4}, exploitability {:.5} after {} iterations",
        profile.exploitability(),
        trainer.iteration()
    );
    for (index, node) in game.tree.nodes().iter().enumerate() {
        let NodeKind::Decision(player) = node.kind else { continue };
        let line = &game.data[index].line;
        println!("  {player:?} after \"{line}\":");
        let strategy = profile.strategy(&profile.start(), NodeId(index as u32));
        for (hand, hand_name) in game.hands[player.index()].iter().enumerate() {
            let actions = node.children().zip(&strategy).map(|(child, probabilities)| {
                let action = game.data[child.index()].line.rsplit(", ").next().unwrap_or_default();
                // A hand that never gets here has no strategy.
                probabilities[hand].map_or(format!("{action} -"), |p| format!("{action} {p:.3}"))
            });
            println!("    {hand_name:>6}: {}", actions.collect::<Vec<_>>().join("  "));
        }
    }
    value
}

/// Solves both games and checks their known values.
pub fn main() {
    // Kuhn, "A simplified two-person poker", 1950.
    let value = solve("Kuhn poker", OneRoundGame::kuhn());
    assert!((value + 1.0 / 18.0).abs() < 1e-3, "{value}");
    // The largest bet of b into a pot of p is best: all best hands and b / (p + b) of the worst ones bet, and each wins the pot on
    // average. So the first player gets 2 * (1/2 + 1/2 * 4/6) = 5/3, of which 1 is its own ante.
    let value = solve("Best or worst hand", OneRoundGame::polarized());
    assert!((value - 2.0 / 3.0).abs() < 1e-3, "{value}");
}
