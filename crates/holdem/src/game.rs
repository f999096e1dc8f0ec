//! The game that a solver plays: a spot's betting tree on all of its runouts.

use crate::deal_tables::DealTables;
use crate::hands::{places, possible};
use crate::kernels::{Leaves, Stakes};
use crate::locks::Bound;
use crate::reading::Place;
use crate::runouts::{Isomorphism, Runouts};
use crate::{BettingTree, Line, LineError, NodeKind, Payoff, SolverOptions, Spot, TreeError};
use noregret_cards::{Board, Card, Hole, Street, SuitPermutation};
use noregret_cfr::simd::Row;
use noregret_cfr::{
    Deal, Game, Kind, LEAVES, Locks, NodeId, Player, StateBytes, Sums, Tree, state_bytes, working_bytes,
};
use std::collections::HashSet;
use std::ops::Range;

/// What solving a spot allocates, in bytes by part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryPlan {
    /// The betting tree.
    pub tree: usize,
    /// Hands, showdowns and mappings of every board.
    pub tables: usize,
    /// The regrets.
    pub regrets: usize,
    /// The strategy sums.
    pub strategy: usize,
    /// The buffers of each thread, at most.
    pub working: usize,
}

impl MemoryPlan {
    /// What is kept all the time: everything but the buffers.
    pub fn total(&self) -> usize {
        self.tree + self.tables + self.regrets + self.strategy
    }

    /// Everything, on so many threads.
    pub fn on_threads(&self, threads: usize) -> usize {
        self.total().saturating_add(self.working.saturating_mul(threads))
    }
}

/// How large a spot is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Boards that are solved, per street from the first one on; alike ones count once.
    pub boards: [usize; 3],
    /// Points where a player decides, on all boards.
    pub decision_points: u64,
    /// Ends of the hand, on all boards.
    pub terminals: u64,
    /// Hands at points where they decide, on all boards.
    pub infosets: u64,
    /// What a solve allocates.
    pub memory: MemoryPlan,
}

/// A spot that is laid out but not filled in: its size is known, and nothing large is allocated.
pub struct Outline {
    spot: Spot,
    betting: BettingTree,
    tree: Tree,
    runouts: Runouts,
}

impl Outline {
    /// Builds the betting tree and lists the boards.
    pub fn new(spot: &Spot) -> Result<Self, TreeError> {
        Self::with_isomorphism(spot, Isomorphism::Merge)
    }

    /// As [`Outline::new`], with a choice whether alike boards are merged.
    pub fn with_isomorphism(spot: &Spot, isomorphism: Isomorphism) -> Result<Self, TreeError> {
        Self::lay_out(spot, isomorphism, BettingTree::MAX_NODES)
    }

    /// As [`Outline::new`], refused before it takes more than so many bytes for the betting tree alone.
    pub fn within(spot: &Spot, bytes: u64) -> Result<Self, TreeError> {
        let per_node = size_of::<crate::Node>() + size_of::<noregret_cfr::Node>() + size_of::<Terms>();
        let nodes = usize::try_from(bytes / per_node as u64).unwrap_or(usize::MAX);
        Self::lay_out(spot, Isomorphism::Merge, nodes)
    }

    /// As [`Outline::new`], refused if the betting tree has more nodes than that.
    pub fn with_nodes(spot: &Spot, most_nodes: usize) -> Result<Self, TreeError> {
        Self::lay_out(spot, Isomorphism::Merge, most_nodes)
    }

    fn lay_out(spot: &Spot, isomorphism: Isomorphism, most_nodes: usize) -> Result<Self, TreeError> {
        let betting = BettingTree::build_within(spot.options(), spot.board().street(), most_nodes)?;
        let tree = public_tree(&betting);
        let runouts = Runouts::new(spot, isomorphism);
        Ok(Self { spot: spot.clone(), betting, tree, runouts })
    }

    /// The betting tree.
    pub fn betting(&self) -> &BettingTree {
        &self.betting
    }

    /// How large the spot is, and what solving it like this takes.
    pub fn size(&self, options: &SolverOptions) -> Size {
        let mut size = Size {
            boards: boards(&self.betting, &self.runouts),
            decision_points: 0,
            terminals: 0,
            infosets: 0,
            memory: MemoryPlan {
                tree: self.tree.bytes()
                    + size_of_val(self.betting.nodes())
                    + self.betting.nodes().len() * size_of::<Terms>(),
                tables: self.runouts.bytes() + DealTables::bytes(&self.runouts) + self.lock_bytes(),
                regrets: 0,
                strategy: 0,
                working: working_bytes(&self.tree, |round, player| {
                    self.runouts.hand_counts(round, player).max().unwrap_or(0)
                }),
            },
        };
        for (round, deals) in self.runouts.rounds().iter().enumerate() {
            let boards = deals.len() as u64;
            let hands = Player::BOTH.map(|player| self.runouts.hand_counts(round, player).sum::<usize>());
            for node in self.tree.round_nodes(round) {
                match self.tree.node(node).kind {
                    Kind::Decision(player) => {
                        size.decision_points += boards;
                        size.infosets += hands[player.index()] as u64;
                    }
                    Kind::Terminal { .. } => size.terminals += boards,
                    Kind::Chance => {}
                }
            }
        }
        size.memory = self.stored_as(size.memory, options);
        size
    }

    /// What the same spot takes with its numbers stored like this.
    pub(crate) fn stored_as(&self, memory: MemoryPlan, options: &SolverOptions) -> MemoryPlan {
        let StateBytes { regrets, strategy } = state_bytes(
            &self.tree,
            |round, player| self.runouts.hand_counts(round, player).collect(),
            &options.storage(self.betting.first_street()),
            options.schedule().foresight() > 0.0,
        );
        MemoryPlan { regrets, strategy, ..memory }
    }

    /// What the locks take.
    fn lock_bytes(&self) -> usize {
        let bytes = |bound: &Bound| {
            let hands = possible(&self.spot, &bound.board, bound.player).count();
            Locks::decision_bytes(bound.shares.len(), hands)
        };
        let mut lines = HashSet::new();
        self.spot.bound().iter().filter(|bound| lines.insert(&bound.line)).map(bytes).sum()
    }

    /// Fills in the tables.
    pub fn build(self) -> Postflop {
        let game = Postflop::new(self);
        game.tables.fill();
        game
    }

    /// As [`Outline::build`], but each table is filled in when it is first needed: to look at a few boards.
    pub fn build_as_needed(self) -> Postflop {
        Postflop::new(self)
    }
}

/// How many boards there are on each street.
fn boards(betting: &BettingTree, runouts: &Runouts) -> [usize; 3] {
    let mut boards = [0; 3];
    for (street, round) in boards[betting.first_street().index()..].iter_mut().zip(runouts.rounds()) {
        *street = round.len();
    }
    boards
}

/// The betting tree as the solver sees it.
fn public_tree(betting: &BettingTree) -> Tree {
    let nodes = betting
        .nodes()
        .iter()
        .map(|node| noregret_cfr::Node {
            kind: match node.kind {
                NodeKind::Decision(player) => Kind::Decision(player),
                NodeKind::Chance => Kind::Chance,
                NodeKind::Fold(_) => Kind::Terminal { class: 0 },
                NodeKind::Showdown => Kind::Terminal { class: 1 },
            },
            first_child: node.first_child,
            child_count: node.child_count,
        })
        .collect();
    Tree::new(nodes)
        .unwrap_or_else(|error| unreachable!("a betting tree is laid out as solvers want it: {error}"))
}

/// A spot ready to be solved.
pub struct Postflop {
    spot: Spot,
    betting: BettingTree,
    tree: Tree,
    runouts: Runouts,
    tables: DealTables,
    terms: Vec<Terms>,
    weights: [Vec<f32>; 2],
    total_weight: f64,
    locks: Locks,
}

impl Postflop {
    fn new(outline: Outline) -> Self {
        let Outline { spot, betting, tree, runouts } = outline;
        let tables = DealTables::new(&runouts, &spot);
        let payoff = |node: &crate::Node| terms(node.kind, spot.options().payoff(node.committed));
        let terms = betting.nodes().iter().map(payoff).collect();
        let weights = [Vec::new(), Vec::new()];
        let (total_weight, locks) = (0.0, Locks::default());
        let mut game = Self { spot, betting, tree, runouts, tables, terms, weights, total_weight, locks };
        game.weights = Player::BOTH.map(|player| game.possible_reach(Deal::ROOT, player));
        game.total_weight = game.pair_weight();
        game.locks = game.bind();
        game
    }

    /// The sum of the products of weights over all pairs of hands that share no card.
    fn pair_weight(&self) -> f64 {
        let [first, second] = Player::BOTH.map(|player| self.hands(Deal::ROOT, player));
        let mut sum = 0.0;
        for (a, &weight) in first.iter().zip(&self.weights[0]) {
            for (b, &other) in second.iter().zip(&self.weights[1]) {
                if !a.set().intersects(b.set()) {
                    sum += f64::from(weight) * f64::from(other);
                }
            }
        }
        sum
    }

    /// The locks of the spot, in the hands of the deals that stand for their boards.
    fn bind(&self) -> Locks {
        let mut locks = Locks::default();
        for Bound { line, player, holes, shares, .. } in self.spot.bound() {
            let path = self.path(line);
            let place = path.unwrap_or_else(|error| unreachable!("the lines of locks exist: {error}")).place;
            let places = places(self.hands(place.deal, *player));
            for &hole in holes {
                if let Some(hand) = places[place.renaming.inverse().hole(hole).index()] {
                    locks.lock(self, place.deal, place.node, hand.into(), shares);
                }
            }
        }
        locks
    }

    /// The spot.
    pub fn spot(&self) -> &Spot {
        &self.spot
    }

    /// The betting tree.
    pub fn betting(&self) -> &BettingTree {
        &self.betting
    }

    /// How many boards are solved on each street; alike ones count once.
    pub fn boards(&self) -> [usize; 3] {
        boards(&self.betting, &self.runouts)
    }

    /// The boards of a street that are solved, each with the number of runouts that it stands for; alike ones come once.
    pub fn runouts(&self, street: Street) -> Vec<(Board, u32)> {
        let Some(round) = street.index().checked_sub(self.betting.first_street().index()) else {
            return Vec::new();
        };
        let mut boards = Vec::new();
        for deal in &self.runouts.rounds()[round] {
            let mut count = deal.events.len().max(1);
            let (mut before, mut at) = (round, deal);
            while before > 0 {
                before -= 1;
                at = &self.runouts.rounds()[before][at.parent];
                count *= at.events.len().max(1);
            }
            boards.push((deal.board, count as u32));
        }
        boards
    }

    /// The board of a deal.
    pub fn board(&self, deal: Deal) -> Board {
        self.runouts.deal(deal).board
    }

    /// The hands that a player can have in a deal, in the order in which vectors have them.
    pub fn hands(&self, deal: Deal, player: Player) -> &[Hole] {
        self.tables.hands(deal).hands(player)
    }

    /// The deal that stands for the one with `card` dealt next, and the renaming of its suits to the real ones.
    pub(crate) fn next_deal(&self, deal: Deal, card: Card) -> Option<(Deal, SuitPermutation)> {
        let next = self.runouts.deal(deal).next.clone();
        next.map(|index| Deal { round: deal.round + 1, index }).find_map(|deal| {
            let events = &self.runouts.deal(deal).events;
            events.iter().find(|event| event.card == card).map(|event| (deal, event.renaming))
        })
    }

    /// The cards that can come after a line that ends where one is dealt, each with the first that it is alike: the same but for
    /// the names of the suits, in this spot after these cards.
    pub fn next_cards(&self, line: &Line) -> Result<Vec<(Card, Card)>, LineError> {
        let Place { deal, board, renaming, .. } = self.path(line)?.place;
        let real = |card: Card| renaming.card(card);
        let mut cards: Vec<(Card, Card)> = Vec::new();
        for next in self.runouts.deal(deal).next.clone() {
            let next = self.runouts.deal(Deal { round: deal.round + 1, index: next });
            let first = next.events.iter().map(|event| real(event.card)).min();
            cards.extend(next.events.iter().filter_map(|event| Some((real(event.card), first?))));
        }
        cards.retain(|(card, _)| !board.set().contains(*card));
        cards.sort();
        Ok(cards)
    }

    /// For each hand of `player`, the reach of the opponent's hands that it can meet.
    pub(crate) fn met(&self, deal: Deal, player: Player, reach: &[f32]) -> Vec<f64> {
        let others = self.hands(deal, player.opponent());
        let mut total = 0.0;
        let mut by_card = [0.0; Card::COUNT];
        for (hole, &reach) in others.iter().zip(reach) {
            total += f64::from(reach);
            for card in hole.cards() {
                by_card[card.index() as usize] += f64::from(reach);
            }
        }
        let twins = self.tables.hands(deal).twins(player);
        let meet = |(hole, &twin): (&Hole, &u16)| {
            let own = reach.get(twin as usize).map_or(0.0, |&reach| f64::from(reach));
            let blocked: f64 = hole.cards().iter().map(|card| by_card[card.index() as usize]).sum();
            let met = total - blocked + own;
            // So little of the total may be nothing but rounding.
            if met > 1e-9 * total { met } else { 0.0 }
        };
        self.hands(deal, player).iter().zip(twins).map(meet).collect()
    }

    /// How much of each hand of a player can get to a deal at most: its weight.
    pub(crate) fn possible_reach(&self, deal: Deal, player: Player) -> Vec<f32> {
        let (range, largest) = (self.spot.range(player), self.spot.largest_weight(player));
        self.hands(deal, player).iter().map(|&hole| range.weight(hole) / largest).collect()
    }

    /// Values leaves of one kind, whose terms are a row each.
    pub(crate) fn evaluate_with(
        &self,
        deal: Deal,
        player: Player,
        (kind, [first, second]): (NodeKind, [Row; 2]),
        sums: Sums,
        reach: &[Row],
        values: &mut [Row],
    ) {
        let together = Leaves { hands: self.tables.hands(deal), player, reach, values };
        match (kind, self.tables.showdowns(deal)) {
            (NodeKind::Showdown, Some(table)) => {
                together.show_down(table, &Stakes { half: first, lose: second }, sums);
            }
            (NodeKind::Fold(_), _) => together.fold(&first, sums),
            _ => unreachable!(
                "hands are compared on the river only, and folds and showdowns are the only leaves"
            ),
        }
    }
}

/// What a leaf is worth to each player: at a showdown half of the pot and what is lost with it, elsewhere the payoff and nothing.
pub(crate) type Terms = [[f32; 2]; 2];

/// The terms of a leaf.
pub(crate) fn terms(kind: NodeKind, payoff: Payoff) -> Terms {
    Player::BOTH.map(|player| match kind {
        NodeKind::Showdown => [(payoff.tie - payoff.lose) as f32, payoff.lose as f32],
        NodeKind::Fold(folder) if folder == player => [payoff.lose as f32, 0.0],
        NodeKind::Fold(_) => [payoff.win as f32, 0.0],
        NodeKind::Decision(_) | NodeKind::Chance => [0.0; 2],
    })
}

impl Game for Postflop {
    fn tree(&self) -> &Tree {
        &self.tree
    }

    fn deal_count(&self, round: usize) -> usize {
        self.runouts.rounds()[round].len()
    }

    fn next_deals(&self, deal: Deal) -> Range<usize> {
        self.runouts.deal(deal).next.clone()
    }

    fn chance(&self, round: usize) -> f64 {
        // The deck without the board before this card and both hands.
        let seen = self.spot.board().cards().len() + round - 1 + 4;
        1.0 / (Card::COUNT - seen) as f64
    }

    fn hand_count(&self, deal: Deal, player: Player) -> usize {
        self.hands(deal, player).len()
    }

    fn origins(&self, deal: Deal, player: Player) -> &[Vec<u16>] {
        self.tables.origins(deal, player)
    }

    fn weights(&self, player: Player) -> &[f32] {
        &self.weights[player.index()]
    }

    fn total_weight(&self) -> f64 {
        self.total_weight
    }

    fn locks(&self) -> &Locks {
        &self.locks
    }

    fn constant_sum(&self) -> Option<f64> {
        {
            let options = self.spot.options();
            (options.rake.of(1.0) == 0.0).then(|| options.starting_pot.as_f64())
        }
    }

    fn evaluate(
        &self,
        deal: Deal,
        player: Player,
        leaves: &[NodeId],
        sums: Sums,
        reach: &[Row],
        values: &mut [Row],
    ) {
        let mut terms = [Row::ZERO; 2];
        for (lane, leaf) in leaves.iter().enumerate().take(LEAVES) {
            let [first, second] = self.terms[leaf.index()][player.index()];
            (terms[0][lane], terms[1][lane]) = (first, second);
        }
        self.evaluate_with(deal, player, (self.betting[leaves[0]].kind, terms), sums, reach, values);
    }
}
