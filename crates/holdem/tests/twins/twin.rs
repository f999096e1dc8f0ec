//! The twin of the game and of best response: one pair of hands, one card at a time.

use noregret_cfr::Player;
use noregret_holdem::cards::{Board, Card, CardSet, Hole, Strength};
use noregret_holdem::{BettingNodeKind, BettingTree, Line, NodeId, Solver, Spot, Step};
use std::collections::HashMap;

/// What a player knows: where the betting stands, the board as it was dealt, and the own hand.
pub type Infoset = (NodeId, Board, Hole);

/// How often each action is taken; what is missing is uniform.
pub type Profile = HashMap<Infoset, Vec<f64>>;

/// A point of the game that everybody sees.
#[derive(Clone)]
pub struct Point {
    pub line: Line,
    pub node: NodeId,
    pub board: Board,
}

/// A spot with its betting tree and what is locked, and nothing else.
pub struct Twin {
    pub spot: Spot,
    pub tree: BettingTree,
    pub locks: Profile,
}

impl Twin {
    pub fn new(spot: &Spot) -> Self {
        let tree = BettingTree::build(spot.options(), spot.board().street()).unwrap();
        let locks = locks(spot, &tree);
        Self { spot: spot.clone(), tree, locks }
    }

    pub fn pot(&self) -> f64 {
        self.spot.options().starting_pot.as_f64()
    }

    /// Every pair of hands that can be dealt, with the weight of each of the two.
    pub fn deals(&self) -> Vec<([Hole; 2], [f64; 2])> {
        let mut deals = Vec::new();
        for (first, weight) in self.spot.holes(Player::First) {
            for (second, other) in self.spot.holes(Player::Second) {
                if !first.set().intersects(second.set()) {
                    deals.push(([first, second], [f64::from(weight), f64::from(other)]));
                }
            }
        }
        deals
    }

    /// The cards that may come next when two hands are known, and the chance of each.
    pub fn cards(&self, board: &Board, holes: [Hole; 2]) -> (Vec<Card>, f64) {
        let seen = board.set().union(holes[0].set()).union(holes[1].set());
        let cards: Vec<Card> = Card::all().filter(|&card| !seen.contains(card)).collect();
        let chance = 1.0 / cards.len() as f64;
        (cards, chance)
    }

    /// What a player gets where the hand ends.
    pub fn payoff(&self, node: NodeId, board: &Board, holes: [Hole; 2], player: Player) -> f64 {
        let payoff = self.spot.options().payoff(self.tree[node].committed);
        let strength = |player: Player| strength(board, holes[player.index()]);
        match self.tree[node].kind {
            BettingNodeKind::Fold(folder) if folder == player => payoff.lose,
            BettingNodeKind::Fold(_) => payoff.win,
            _ => match strength(player).cmp(&strength(player.opponent())) {
                std::cmp::Ordering::Less => payoff.lose,
                std::cmp::Ordering::Equal => payoff.tie,
                std::cmp::Ordering::Greater => payoff.win,
            },
        }
    }

    /// What a player expects from here with these two hands.
    pub fn value(
        &self,
        profile: &Profile,
        node: NodeId,
        board: &Board,
        holes: [Hole; 2],
        player: Player,
    ) -> f64 {
        match self.tree[node].kind {
            BettingNodeKind::Fold(_) | BettingNodeKind::Showdown => self.payoff(node, board, holes, player),
            BettingNodeKind::Chance => {
                let (cards, chance) = self.cards(board, holes);
                let next = self.tree[node].first_child;
                let after = |card| self.value(profile, next, &board.with(card).unwrap(), holes, player);
                cards.into_iter().map(after).sum::<f64>() * chance
            }
            BettingNodeKind::Decision(actor) => {
                let strategy = self.strategy(profile, (node, *board, holes[actor.index()]));
                let children = self.tree.children(node).zip(strategy);
                children.map(|(child, share)| share * self.value(profile, child, board, holes, player)).sum()
            }
        }
    }

    pub fn strategy(&self, profile: &Profile, infoset: Infoset) -> Vec<f64> {
        let actions = usize::from(self.tree[infoset.0].child_count);
        profile.get(&infoset).cloned().unwrap_or_else(|| vec![1.0 / actions as f64; actions])
    }

    /// What a player expects at the root, over all deals.
    pub fn expected_value(&self, profile: &Profile, player: Player) -> f64 {
        let deals = self.deals();
        let weight = |weights: &[f64; 2]| weights[0] * weights[1];
        let value = |holes| self.value(profile, BettingTree::ROOT, self.spot.board(), holes, player);
        let sum: f64 = deals.iter().map(|(holes, weights)| weight(weights) * value(*holes)).sum();
        sum / deals.iter().map(|(_, weights)| weight(weights)).sum::<f64>()
    }

    /// What a player can get at the root against the other's strategy, over all deals.
    pub fn best_response_value(&self, profile: &Profile, player: Player) -> f64 {
        let mut sum = 0.0;
        let mut total = 0.0;
        for (own, weight) in self.spot.holes(player) {
            let others: Vec<(Hole, f64)> = self
                .spot
                .holes(player.opponent())
                .filter(|(other, _)| !other.set().intersects(own.set()))
                .map(|(other, weight)| (other, f64::from(weight)))
                .collect();
            total += f64::from(weight) * others.iter().map(|(_, weight)| weight).sum::<f64>();
            let best = self.best(profile, BettingTree::ROOT, self.spot.board(), own, &others, player);
            sum += f64::from(weight) * best;
        }
        sum / total
    }

    /// The most that a hand can get from here, summed over the opponent's hands weighed by their reach.
    pub fn best(
        &self,
        profile: &Profile,
        node: NodeId,
        board: &Board,
        own: Hole,
        others: &[(Hole, f64)],
        player: Player,
    ) -> f64 {
        let holes = |other: Hole| if player == Player::First { [own, other] } else { [other, own] };
        match self.tree[node].kind {
            BettingNodeKind::Fold(_) | BettingNodeKind::Showdown => {
                let payoff = |&(other, reach)| reach * self.payoff(node, board, holes(other), player);
                others.iter().map(payoff).sum()
            }
            BettingNodeKind::Chance => {
                let next = self.tree[node].first_child;
                let seen = board.set().union(own.set());
                let left = Card::COUNT - seen.len() - 2;
                let after = |card: Card| {
                    let others = without(others, CardSet::EMPTY.with(card));
                    self.best(profile, next, &board.with(card).unwrap(), own, &others, player)
                };
                let cards = Card::all().filter(|&card| !seen.contains(card));
                cards.map(after).sum::<f64>() / left as f64
            }
            BettingNodeKind::Decision(actor) if actor == player => {
                let children = self.tree.children(node);
                let values = children.map(|child| self.best(profile, child, board, own, others, player));
                match self.locks.get(&(node, *board, own)) {
                    Some(lock) => values.zip(lock).map(|(value, share)| value * share).sum(),
                    None => values.fold(f64::NEG_INFINITY, f64::max),
                }
            }
            BettingNodeKind::Decision(_) => {
                let strategies: Vec<Vec<f64>> =
                    others.iter().map(|&(other, _)| self.strategy(profile, (node, *board, other))).collect();
                let after = |(action, child)| {
                    let others: Vec<(Hole, f64)> = others
                        .iter()
                        .zip(&strategies)
                        .map(|(&(other, reach), strategy)| (other, reach * strategy[action]))
                        .collect();
                    self.best(profile, child, board, own, &others, player)
                };
                self.tree.children(node).enumerate().map(after).sum()
            }
        }
    }

    /// Half of what two best responders gain, in percent of the starting pot.
    pub fn exploitability_pct(&self, profile: &Profile) -> f64 {
        let gain = |player| self.best_response_value(profile, player) - self.expected_value(profile, player);
        100.0 * Player::BOTH.map(gain).iter().sum::<f64>() / 2.0 / self.pot()
    }

    /// Which share of the pot a hand wins against another if all the cards come without a bet.
    pub fn equity(&self, board: &Board, holes: [Hole; 2]) -> f64 {
        if board.cards().len() == 5 {
            let [own, other] = holes.map(|hole| strength(board, hole));
            return if own > other { 1.0 } else { f64::from(u8::from(own == other)) / 2.0 };
        }
        let (cards, chance) = self.cards(board, holes);
        cards.into_iter().map(|card| self.equity(&board.with(card).unwrap(), holes)).sum::<f64>() * chance
    }

    /// Every point of the game, those where somebody decides and all others.
    pub fn points(&self) -> Vec<Point> {
        let root = Point { line: Line::default(), node: BettingTree::ROOT, board: *self.spot.board() };
        let mut points = vec![root];
        let mut next = 0;
        while next < points.len() {
            let Point { line, node, board } = points[next].clone();
            let then = |step, node, board| {
                let mut line = line.clone();
                line.steps.push(step);
                Point { line, node, board }
            };
            if self.tree[node].kind == BettingNodeKind::Chance {
                let child = self.tree[node].first_child;
                let cards = Card::all().filter_map(|card| Some((card, board.with(card)?)));
                points.extend(cards.map(|(card, board)| then(Step::Card(card), child, board)));
            } else {
                for (child, action) in self.tree.children(node).zip(self.tree.actions(node)) {
                    points.push(then(Step::Action(action), child, board));
                }
            }
            next += 1;
        }
        points
    }

    /// How much of each of a player's hands gets to a point.
    pub fn reaches(&self, profile: &Profile, point: &Point, player: Player) -> Vec<(Hole, f64)> {
        let mut node = BettingTree::ROOT;
        let mut board = *self.spot.board();
        let mut reaches: Vec<(Hole, f64)> =
            self.spot.holes(player).map(|(hole, weight)| (hole, f64::from(weight))).collect();
        for step in &point.line.steps {
            match (*step, self.tree[node].kind) {
                (Step::Card(card), _) => {
                    board = board.with(card).unwrap();
                    reaches = without(&reaches, CardSet::EMPTY.with(card));
                    node = self.tree[node].first_child;
                }
                (Step::Action(action), kind) => {
                    let taken = self.tree.actions(node).position(|other| other == action).unwrap();
                    if kind == BettingNodeKind::Decision(player) {
                        for (hole, reach) in &mut reaches {
                            *reach *= self.strategy(profile, (node, board, *hole))[taken];
                        }
                    }
                    node = self.tree.child_by_action(node, action).unwrap();
                }
                (Step::AllIn | Step::PotShare(_), _) => unreachable!("points name the amount"),
            }
        }
        reaches
    }

    /// The average strategies of a solver, read point by point.
    pub fn profile_of(&self, solution: &Solver) -> Profile {
        let mut profile = Profile::new();
        for Point { line, node, board } in self.points() {
            let BettingNodeKind::Decision(player) = self.tree[node].kind else { continue };
            let view = solution.at(&line).unwrap();
            assert_eq!((view.node, view.board, view.player), (node, board, Some(player)), "{line}");
            assert_eq!(view.actions, self.tree.actions(node).collect::<Vec<_>>(), "{line}");
            for hand in &view.hands[player.index()] {
                if let Some(strategy) = &hand.strategy {
                    profile.insert((node, board, hand.hole), strategy.clone());
                }
            }
        }
        profile
    }
}

/// What each locked hand plays at each locked point.
fn locks(spot: &Spot, tree: &BettingTree) -> Profile {
    let mut locks = Profile::new();
    for lock in spot.locks() {
        let (node, board) = tree.walk(spot.board(), &lock.line).unwrap();
        let BettingNodeKind::Decision(player) = tree[node].kind else { panic!("nobody decides: {lock:?}") };
        let share = |action| {
            let share = lock.strategy.iter().find(|(step, _)| *step == Step::Action(action));
            share.map_or(0.0, |(_, share)| *share)
        };
        let shares: Vec<f64> = tree.actions(node).map(share).collect();
        for (hole, _) in lock.hands.as_ref().unwrap_or(spot.range(player)).iter() {
            locks.insert((node, board, hole), shares.clone());
        }
    }
    locks
}

fn strength(board: &Board, hole: Hole) -> Strength {
    Strength::of(board.set().union(hole.set())).unwrap()
}

/// The hands that have none of these cards.
pub fn without(hands: &[(Hole, f64)], cards: CardSet) -> Vec<(Hole, f64)> {
    hands.iter().copied().filter(|(hole, _)| !hole.set().intersects(cards)).collect()
}
