//! A solution read on one board: every point of the betting there at the price of one walk.

use crate::{Action, HandView, NodeId, NodeKind, NodeView, Player, Postflop};
use noregret_cards::{Board, SuitPermutation};
use noregret_cfr::{DealValues, Reached, Solver};

/// What both players do and expect at every point of the betting on one board.
pub struct BoardView<'s> {
    game: &'s Postflop,
    solver: &'s Solver<'s, Postflop>,
    reached: Reached,
    board: Board,
    /// Turns the suits of the solved deal into those of the board.
    renaming: SuitPermutation,
    values: [DealValues; 2],
}

impl<'s> BoardView<'s> {
    pub(crate) fn new(
        game: &'s Postflop,
        solver: &'s Solver<'s, Postflop>,
        reached: Reached,
        board: Board,
        renaming: SuitPermutation,
    ) -> Self {
        let values = Player::BOTH.map(|player| solver.values(&reached, player));
        Self { game, solver, reached, board, renaming, values }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// What happens at a point of the betting; none if it is on another street than the board.
    pub fn at(&self, node: NodeId) -> Option<NodeView> {
        let tree = self.game.betting();
        if tree[node].street != self.board.street() {
            return None;
        }
        let deal = self.reached.deal();
        let reaches = Player::BOTH.map(|player| self.solver.reach(&self.reached, node, player));
        let (actor, strategy) = match tree[node].kind {
            NodeKind::Decision(player) => (Some(player), self.solver.strategy(deal, node)),
            _ => (None, Vec::new()),
        };
        let hands = Player::BOTH.map(|player| {
            let others = &reaches[player.opponent().index()];
            let met = self.game.met(deal, player, others);
            let values = &self.values[player.index()];
            // The solver's weights are relative to the largest one.
            let [largest, largest_other] =
                [player, player.opponent()].map(|player| f64::from(self.game.spot().largest_weight(player)));
            let equities = self.game.equities(deal, player, others);
            let acts = actor == Some(player);
            let mut hands: Vec<HandView> = self
                .game
                .hands(deal, player)
                .iter()
                .enumerate()
                .map(|(h, &hole)| {
                    let reach = largest * f64::from(reaches[player.index()][h]);
                    let shares = strategy.iter().map(|shares| shares[h].map(f64::from));
                    let ev = |node| f64::from(values.at(node)[h]) / met[h];
                    HandView {
                        hole: self.renaming.hole(hole),
                        reach,
                        share: reach * met[h] * largest_other,
                        ev: (met[h] > 0.0).then(|| ev(node)),
                        equity: equities[h],
                        strategy: if acts { shares.collect() } else { None },
                        action_evs: (acts && met[h] > 0.0).then(|| tree.children(node).map(ev).collect()),
                    }
                })
                .collect();
            hands.sort_by_key(|hand| hand.hole.index());
            hands
        });
        let actions: Vec<Action> = tree.actions(node).collect();
        let frequencies = match actor {
            Some(player) => frequencies(&hands[player.index()], actions.len()),
            None => Vec::new(),
        };
        Some(NodeView { node, board: self.board, player: actor, actions, frequencies, hands })
    }
}

/// How often each action is taken over these hands after card removal; where nothing was ever played, all are equally
/// likely.
fn frequencies(hands: &[HandView], actions: usize) -> Vec<f64> {
    let uniform = 1.0 / actions as f64;
    let total: f64 = hands.iter().map(|hand| hand.share).sum();
    let frequency = |action: usize| {
        let played = |hand: &HandView| hand.strategy.as_ref().map_or(uniform, |strategy| strategy[action]);
        let sum: f64 = hands.iter().map(|hand| hand.share * played(hand)).sum();
        if total > 0.0 { sum / total } else { uniform }
    };
    (0..actions).map(frequency).collect()
}
