//! Strategies that a script sets, and those that it locks.

use noregret_cards::{Hole, Range};
use noregret_holdem::{Action, BettingNodeKind, Line, Lock, Postflop, Step};
use std::collections::BTreeMap;

/// The nodes whose strategy is set, by their id.
#[derive(Clone, Default)]
pub(crate) struct SetNodes(BTreeMap<String, SetNode>);

#[derive(Clone)]
struct SetNode {
    line: Line,
    actions: Vec<Action>,
    hands: Vec<(Hole, Vec<f64>)>,
    /// Whether a solve has to leave it alone.
    is_locked: bool,
}

/// How far from 1 the frequencies of a hand may add up: scripts round.
const SUM_TOLERANCE: f64 = 0.01;

/// The hands that whoever decides at a node may hold there.
pub(crate) fn holes_at(game: &Postflop, line: &Line) -> Vec<Hole> {
    let (tree, spot) = (game.betting(), game.spot());
    let Ok((node, board)) = tree.walk(spot.board(), line) else { return Vec::new() };
    let BettingNodeKind::Decision(player) = tree[node].kind else { return Vec::new() };
    let holes = spot.range(player).iter().map(|(hole, _)| hole);
    holes.filter(|hole| !hole.set().intersects(board.set())).collect()
}

/// The shares of each hand, of rows that have a number for each action and hand.
pub(crate) fn hands_of(
    rows: &[Vec<f64>],
    holes: impl Iterator<Item = Hole>,
) -> Result<Vec<(Hole, Vec<f64>)>, String> {
    let shares = |hole: Hole| {
        let shares: Vec<f64> = rows.iter().map(|row| row[hole.index()]).collect();
        if let Some(share) = shares.iter().find(|share| !(0.0..=1.0 + SUM_TOLERANCE).contains(*share)) {
            return Err(format!("{hole}: a frequency must be a number from 0 to 1, not {share}"));
        }
        let sum: f64 = shares.iter().sum();
        if (sum - 1.0).abs() > SUM_TOLERANCE {
            return Err(format!("{hole}: the frequencies add up to {}, not to 1", (sum * 1e6).round() / 1e6));
        }
        Ok((hole, shares.iter().map(|share| share / sum).collect()))
    };
    holes.map(shares).collect()
}

impl SetNodes {
    /// What the locks of a game bind.
    pub fn of(game: &Postflop) -> Self {
        let mut nodes = Self::default();
        let (tree, spot) = (game.betting(), game.spot());
        for (line, hands) in spot.locked_strategies() {
            let Ok((node, _)) = tree.walk(spot.board(), line) else { continue };
            let actions: Vec<Action> = tree.actions(node).collect();
            let id = line.colon().unwrap_or_default();
            let line = line.clone();
            let node =
                nodes.0.entry(id).or_insert(SetNode { line, actions, hands: Vec::new(), is_locked: true });
            node.hands.extend(hands);
        }
        nodes
    }

    /// Sets the strategy of a node; it stays locked if it was.
    pub fn set(&mut self, line: Line, actions: Vec<Action>, hands: Vec<(Hole, Vec<f64>)>) {
        let id = line.colon().unwrap_or_default();
        let is_locked = self.is_locked(&id);
        self.0.insert(id, SetNode { line, actions, hands, is_locked });
    }

    /// What is set for a hand at a line.
    pub fn shares(&self, line: &Line, hole: Hole) -> Option<&Vec<f64>> {
        let node = self.0.get(&line.colon()?)?;
        node.hands.iter().find(|(there, _)| *there == hole).map(|(_, shares)| shares)
    }

    /// Locks a node whose strategy is set; whether there is one.
    pub fn lock(&mut self, id: &str) -> bool {
        let node = self.0.get_mut(id);
        node.map(|node| node.is_locked = true).is_some()
    }

    /// Frees a node, which plays on as it is until the next solve; whether it was locked.
    pub fn unlock(&mut self, id: &str) -> bool {
        self.0.get_mut(id).is_some_and(|node| std::mem::take(&mut node.is_locked))
    }

    pub fn is_locked(&self, id: &str) -> bool {
        self.0.get(id).is_some_and(|node| node.is_locked)
    }

    /// Forgets what is not locked: a solve finds strategies of its own there.
    pub fn keep_locked(&mut self) {
        self.0.retain(|_, node| node.is_locked);
    }

    /// The locked nodes as locks of a spot: hands with the same frequencies share one.
    pub fn locked(&self) -> Vec<Lock> {
        self.0.values().filter(|node| node.is_locked).flat_map(SetNode::locks).collect()
    }

    /// The same of all nodes.
    pub fn all(&self) -> Vec<Lock> {
        self.0.values().flat_map(SetNode::locks).collect()
    }

    /// The nodes that are not locked: their lines, and how often each hand takes each action.
    pub fn free(&self) -> impl Iterator<Item = (&Line, &[(Hole, Vec<f64>)])> {
        self.0.values().filter(|node| !node.is_locked).map(|node| (&node.line, &node.hands[..]))
    }
}

impl SetNode {
    fn locks(&self) -> Vec<Lock> {
        let mut groups: BTreeMap<Vec<u64>, (Range, &[f64])> = BTreeMap::new();
        for (hole, shares) in &self.hands {
            let key = shares.iter().map(|share| share.to_bits()).collect();
            let (hands, _) = groups.entry(key).or_insert_with(|| (Range::default(), shares));
            // 1 is a weight that every range takes.
            let _ = hands.set(*hole, 1.0);
        }
        let lock = |(hands, shares): (Range, &[f64])| {
            let taken = self.actions.iter().zip(shares).filter(|(_, share)| **share > 0.0);
            let strategy = taken.map(|(&action, &share)| (Step::Action(action), share)).collect();
            Lock { line: self.line.clone(), hands: Some(hands), strategy, ..Lock::default() }
        };
        groups.into_values().map(lock).collect()
    }
}
