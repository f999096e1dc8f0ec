//! The game that a solver plays: a spot's betting tree on all of its runouts.

use super::deal_tables::DealTables;
use super::hands::{places, possible};
use super::kernels::{PairedFoldRows, Stakes, TerminalRows};
use super::place::{LinePath, Place};
use super::runouts::{Isomorphism, Runouts};
use super::warm_start::Coarse;
use crate::betting::locks::Bound;
use crate::{
    BettingNodeKind, BettingTree, BettingTreeError, Line, LineError, Payoff, SolverOptions, Spec, Spot,
    WarmStartError,
};
use noregret_cards::{Board, Card, Hole, Street, SuitPermutation};
use noregret_cfr::simd::Row;
use noregret_cfr::{
    BATCH_LANES, Counterpart, Deal, Game, Locks, NodeId, PairedFolds, Player, StateBytes, SumPrecision,
    Terminal, TerminalBatch, Trainer, Tree, state_bytes, working_bytes,
};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// What solving a spot allocates, in bytes by part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryPlan {
    /// The betting tree.
    pub tree: usize,
    /// Hands, showdowns, all-ins and mappings of every board.
    pub tables: usize,
    /// The regrets.
    pub regrets: usize,
    /// The average strategies.
    pub strategy: usize,
    /// The coarser tree that is solved first, with its regrets and average strategies, beside all that.
    pub warm_start: usize,
    /// The buffers of each thread, at most.
    pub working: usize,
}

impl MemoryPlan {
    /// What is kept all the time: everything but the buffers.
    pub fn total(&self) -> usize {
        self.tree + self.tables + self.regrets + self.strategy + self.warm_start
    }

    /// Everything, on so many threads.
    pub fn on_threads(&self, threads: usize) -> usize {
        self.total().saturating_add(self.working.saturating_mul(threads))
    }
}

/// Why a spec cannot be laid out.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum LayOutError {
    /// The betting tree cannot be.
    #[error(transparent)]
    Tree(#[from] BettingTreeError),
    /// The coarser tree cannot be.
    #[error(transparent)]
    WarmStart(#[from] WarmStartError),
}

/// How large a spot is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Boards that are solved, per street from the first one on; isomorphic ones count once.
    pub boards: [usize; 3],
    /// Decision nodes, on all boards.
    pub decision_points: u64,
    /// Terminal nodes, on all boards.
    pub terminals: u64,
    /// Information sets: decision nodes with each hand of the player who decides, on all boards.
    pub infosets: u64,
    /// What a solve allocates.
    pub memory: MemoryPlan,
}

/// For each all-in on the turn, so many hands may be there that all of them are compared at once. Measured on turns with few all-ins: with
/// some 500 hands it took as long either way, with 1,128 a tenth longer at once.
const HANDS_PER_ALL_IN: usize = 64;

/// A spot that is laid out but not filled in: its size is known, and nothing large is allocated.
pub struct GameLayout {
    spot: Spot,
    betting: BettingTree,
    tree: Tree,
    runouts: Arc<Runouts>,
    coarse: Option<CoarseLayout>,
}

/// The coarser tree that is solved first.
struct CoarseLayout {
    coarse: Coarse,
    tree: Tree,
}

impl GameLayout {
    /// Builds the betting tree and lists the boards.
    pub fn new(spot: &Spot) -> Result<Self, BettingTreeError> {
        Self::with_isomorphism(spot, Isomorphism::Merge)
    }

    /// As [`GameLayout::new`], with a choice whether isomorphic boards are merged.
    pub fn with_isomorphism(spot: &Spot, isomorphism: Isomorphism) -> Result<Self, BettingTreeError> {
        Self::lay_out(spot, isomorphism, BettingTree::MAX_NODES)
    }

    /// As [`GameLayout::new`], refused before it takes more than so many bytes for the betting tree alone.
    pub fn within(spot: &Spot, bytes: u64) -> Result<Self, BettingTreeError> {
        Self::with_nodes(spot, Self::nodes_within(bytes))
    }

    /// What a spec asks for, with the coarser tree that is solved first where it asks for that; refused before the betting tree alone
    /// takes more than so many bytes.
    pub fn of(spec: &Spec, bytes: u64) -> Result<Self, LayOutError> {
        Ok(Self::within(&spec.spot, bytes)?.with_warm_start(&spec.solver)?)
    }

    /// How many nodes a betting tree may have that takes no more than so many bytes.
    pub(crate) fn nodes_within(bytes: u64) -> usize {
        let per_node = size_of::<crate::BettingNode>() + size_of::<noregret_cfr::Node>() + size_of::<Terms>();
        usize::try_from(bytes / per_node as u64).unwrap_or(usize::MAX)
    }

    /// As [`GameLayout::new`], refused if the betting tree has more nodes than that.
    pub fn with_nodes(spot: &Spot, most_nodes: usize) -> Result<Self, BettingTreeError> {
        Self::lay_out(spot, Isomorphism::Merge, most_nodes)
    }

    fn lay_out(spot: &Spot, isomorphism: Isomorphism, most_nodes: usize) -> Result<Self, BettingTreeError> {
        let betting = BettingTree::build_within(spot.options(), spot.board().street(), most_nodes)?;
        let runouts = Arc::new(Runouts::new(spot, isomorphism));
        let tree = public_tree(&betting, &runouts);
        Ok(Self { spot: spot.clone(), betting, tree, runouts, coarse: None })
    }

    /// The same with the coarser tree that is solved first, if the options ask for one; without it, a solve starts on the full tree
    /// whatever they say.
    pub fn with_warm_start(mut self, options: &SolverOptions) -> Result<Self, WarmStartError> {
        let coarse = Coarse::new(&self.spot, &self.betting, options)?;
        self.coarse =
            coarse.map(|coarse| CoarseLayout { tree: public_tree(&coarse.betting, &self.runouts), coarse });
        Ok(self)
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
                tree: tree_bytes(&self.tree, &self.betting),
                tables: self.runouts.bytes()
                    + DealTables::bytes(&self.runouts, &self.tree)
                    + self.lock_bytes(),
                regrets: 0,
                strategy: 0,
                warm_start: 0,
                working: working_bytes(&self.tree, |round, player| {
                    self.runouts.hand_counts(round, player).max().unwrap_or(0)
                }),
            },
        };
        // Edits may have left no line that gets to the last streets.
        for (round, deals) in self.runouts.rounds().iter().enumerate().take(self.tree.round_count()) {
            let boards = deals.len() as u64;
            let hands = Player::BOTH.map(|player| self.runouts.hand_counts(round, player).sum::<usize>());
            for node in self.tree.round_nodes(round) {
                match self.tree.node(node).kind {
                    noregret_cfr::NodeKind::Decision(player) => {
                        size.decision_points += boards;
                        size.infosets += hands[player.index()] as u64;
                    }
                    noregret_cfr::NodeKind::Terminal(_) => size.terminals += boards,
                    noregret_cfr::NodeKind::Chance | noregret_cfr::NodeKind::AllIn => {}
                }
            }
        }
        size.memory = self.stored_as(size.memory, options);
        size
    }

    /// What the same spot takes with its numbers stored like this.
    pub(crate) fn stored_as(&self, memory: MemoryPlan, options: &SolverOptions) -> MemoryPlan {
        let state = |tree: &Tree| {
            state_bytes(
                tree,
                |round, player| self.runouts.hand_counts(round, player).collect(),
                &options.storage(self.betting.first_street()),
                options.schedule().prediction_weight() > 0.0,
            )
        };
        let StateBytes { regrets, strategy } = state(&self.tree);
        let warm_start = self.coarse.as_ref().map_or(0, |CoarseLayout { coarse, tree }| {
            let StateBytes { regrets, strategy } = state(tree);
            let counterparts = size_of_val(coarse.counterparts.as_slice());
            tree_bytes(tree, &coarse.betting) + counterparts + self.lock_bytes() + regrets + strategy
        });
        MemoryPlan { regrets, strategy, warm_start, ..memory }
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
    pub fn build(self) -> Arc<Postflop> {
        let game = Postflop::new(self);
        game.tables.fill(&game.tree);
        Arc::new(game)
    }

    /// As [`GameLayout::build`], but each table is filled in when it is first needed: to look at a few boards.
    pub fn build_as_needed(self) -> Arc<Postflop> {
        Arc::new(Postflop::new(self))
    }
}

/// What a betting tree takes, with all that is known of its nodes.
fn tree_bytes(tree: &Tree, betting: &BettingTree) -> usize {
    tree.bytes() + size_of_val(betting.nodes()) + betting.nodes().len() * size_of::<Terms>()
}

/// How many boards there are on each street.
fn boards(betting: &BettingTree, runouts: &Runouts) -> [usize; 3] {
    let mut boards = [0; 3];
    for (street, round) in boards[betting.first_street().index()..].iter_mut().zip(runouts.rounds()) {
        *street = round.len();
    }
    boards
}

/// Whether nobody can bet any more after a card that is dealt at a node.
fn is_all_in(betting: &BettingTree, node: &crate::BettingNode) -> bool {
    let mut next = &betting[node.first_child];
    while next.kind == BettingNodeKind::Chance {
        next = &betting[next.first_child];
    }
    next.kind == BettingNodeKind::Showdown
}

/// Whether all-ins on a street are valued at once rather than on every board that may follow. On the turn that is work for all pairs of
/// hands, for up to sixteen all-ins together, instead of some for each hand, river and all-in; on the flop it is always less.
fn values_all_ins(betting: &BettingTree, runouts: &Runouts, street: Street) -> bool {
    let Some(round) = street.index().checked_sub(betting.first_street().index()) else { return false };
    let nodes =
        betting.nodes().iter().filter(|node| node.street == street && node.kind == BettingNodeKind::Chance);
    let follows_bets = |node: &&crate::BettingNode| {
        node.parent.is_none_or(|parent| betting[parent].kind != BettingNodeKind::Chance)
            && is_all_in(betting, node)
    };
    let all_ins = nodes.filter(follows_bets).count().min(BATCH_LANES);
    let hands = Player::BOTH.map(|player| runouts.hand_counts(round, player).max().unwrap_or(0));
    street == Street::Flop || all_ins * HANDS_PER_ALL_IN >= hands[0].max(hands[1])
}

/// The betting tree as the solver sees it.
fn public_tree(betting: &BettingTree, runouts: &Runouts) -> Tree {
    let streets = Street::ALL.map(|street| values_all_ins(betting, runouts, street));
    let nodes = betting
        .nodes()
        .iter()
        .map(|node| noregret_cfr::Node {
            kind: match node.kind {
                BettingNodeKind::Decision(player) => noregret_cfr::NodeKind::Decision(player),
                BettingNodeKind::Chance if streets[node.street.index()] && is_all_in(betting, node) => {
                    noregret_cfr::NodeKind::AllIn
                }
                BettingNodeKind::Chance => noregret_cfr::NodeKind::Chance,
                BettingNodeKind::Fold(_) => noregret_cfr::NodeKind::Terminal(Terminal::Fold),
                BettingNodeKind::Showdown => noregret_cfr::NodeKind::Terminal(Terminal::Showdown),
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
    runouts: Arc<Runouts>,
    tables: Arc<DealTables>,
    terms: Vec<Terms>,
    weights: [Vec<f32>; 2],
    total_weight: f64,
    locks: Locks,
    coarse: Option<Box<CoarseGame>>,
}

/// The same spot on a coarser tree, which is solved first.
pub(crate) struct CoarseGame {
    pub game: Arc<Postflop>,
    /// What stands there for the nodes of the full tree.
    pub counterparts: Vec<Counterpart>,
}

impl Postflop {
    fn new(layout: GameLayout) -> Self {
        let GameLayout { spot, betting, tree, runouts, coarse } = layout;
        let tables = Arc::new(DealTables::new(&runouts, &spot));
        let coarse = coarse.map(|CoarseLayout { coarse: Coarse { betting, counterparts }, tree }| {
            let game = Self::dealt(spot.clone(), betting, tree, runouts.clone(), tables.clone());
            Box::new(CoarseGame { game: Arc::new(game), counterparts })
        });
        Self { coarse, ..Self::dealt(spot, betting, tree, runouts, tables) }
    }

    /// A betting tree on boards that may be those of another one too.
    fn dealt(
        spot: Spot,
        betting: BettingTree,
        tree: Tree,
        runouts: Arc<Runouts>,
        tables: Arc<DealTables>,
    ) -> Self {
        let payoff = |(node, seen): (&crate::BettingNode, &noregret_cfr::Node)| {
            let kind = if seen.kind == noregret_cfr::NodeKind::AllIn {
                BettingNodeKind::Showdown
            } else {
                node.kind
            };
            terms(kind, spot.options().payoff(node.committed))
        };
        let terms = betting.nodes().iter().zip(tree.nodes()).map(payoff).collect();
        let weights = [Vec::new(), Vec::new()];
        let (total_weight, locks) = (0.0, Locks::default());
        let coarse = None;
        let mut game =
            Self { spot, betting, tree, runouts, tables, terms, weights, total_weight, locks, coarse };
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
                    let hands = self.hand_count(place.deal, *player);
                    locks.lock(&self.tree, (place.deal, place.node), hands, hand.into(), shares);
                }
            }
        }
        locks
    }

    /// A trainer with the algorithm and the precisions of `options`, before its first iteration.
    pub(crate) fn trainer(self: Arc<Self>, options: &SolverOptions) -> Trainer<Self> {
        let storage = options.storage(self.spot.board().street());
        Trainer::with_storage(self, options.schedule(), &storage).pruning(options.prunes)
    }

    /// Where a line of actions and cards leads.
    pub(crate) fn path(&self, line: &Line) -> Result<LinePath, LineError> {
        let (node, board) = self.betting().walk(self.spot().board(), line)?;
        let mut place = Place { node, board, deal: Deal::ROOT, renaming: SuitPermutation::identity() };
        let mut deals = Vec::new();
        for step in &line.steps {
            let crate::Step::Card(card) = *step else { continue };
            let solved = place.renaming.inverse().card(card);
            let (deal, further) = self
                .next_deal(place.deal, solved)
                .unwrap_or_else(|| unreachable!("the walk above has found {card} in the deck"));
            place.deal = deal;
            place.renaming = further.then(place.renaming);
            deals.push(deal);
        }
        Ok(LinePath { place, deals })
    }

    /// The spot.
    pub fn spot(&self) -> &Spot {
        &self.spot
    }

    /// The betting tree.
    pub fn betting(&self) -> &BettingTree {
        &self.betting
    }

    /// The same spot on a coarser tree, if that is to be solved first.
    pub(crate) fn coarse(&self) -> Option<&CoarseGame> {
        self.coarse.as_deref()
    }

    /// How many boards are solved on each street; isomorphic ones count once.
    pub fn boards(&self) -> [usize; 3] {
        boards(&self.betting, &self.runouts)
    }

    /// The boards of a street that are solved, each with the number of runouts that it stands for; isomorphic ones come once.
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

    /// The cards that can come after a line that ends where one is dealt, each with the first one that it is isomorphic to: the same but for
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

    /// For each hand of `player`, the compatible reach: that of the opponent's hands which share no card with it.
    pub(crate) fn compatible_reach(&self, deal: Deal, player: Player, reach: &[f32]) -> Vec<f64> {
        let others = self.hands(deal, player.opponent());
        let mut total = 0.0;
        let mut by_card = [0.0; Card::COUNT];
        for (hole, &reach) in others.iter().zip(reach) {
            total += f64::from(reach);
            for card in hole.cards() {
                by_card[card.index() as usize] += f64::from(reach);
            }
        }
        let same_hands = self.tables.hands(deal).same_hands(player);
        let compatible = |(hole, &same_hand): (&Hole, &u16)| {
            let own = reach.get(same_hand as usize).map_or(0.0, |&reach| f64::from(reach));
            let blocked: f64 = hole.cards().iter().map(|card| by_card[card.index() as usize]).sum();
            let rest = total - blocked + own;
            // So little of the total may be nothing but rounding.
            if rest > 1e-9 * total { rest } else { 0.0 }
        };
        self.hands(deal, player).iter().zip(same_hands).map(compatible).collect()
    }

    /// How much of each hand of a player can get to a deal at most: its weight.
    pub(crate) fn possible_reach(&self, deal: Deal, player: Player) -> Vec<f32> {
        let (range, largest) = (self.spot.range(player), self.spot.largest_weight(player));
        self.hands(deal, player).iter().map(|&hole| range.weight(hole) / largest).collect()
    }

    /// Evaluates showdowns whose terms are a row each, and folds that are paired with them.
    pub(crate) fn show_down(
        &self,
        deal: Deal,
        player: Player,
        precision: SumPrecision,
        [half, lose]: [Row; 2],
        (reach, values): (&[Row], &mut [Row]),
        folds: PairedFoldRows<'_>,
    ) {
        let Some(table) = self.tables.showdowns(deal) else {
            unreachable!("hands are compared on the river only")
        };
        let terminals = TerminalRows { hands: self.tables.hands(deal), player, reach, values };
        terminals.show_down(table, &Stakes { half, lose }, folds, precision);
    }

    /// The terms of terminal nodes, one per lane.
    fn terms(&self, nodes: &[NodeId], player: Player) -> [Row; 2] {
        let mut terms = [Row::ZERO; 2];
        for (lane, node) in nodes.iter().enumerate().take(BATCH_LANES) {
            let [first, second] = self.terms[node.index()][player.index()];
            (terms[0][lane], terms[1][lane]) = (first, second);
        }
        terms
    }
}

/// The payoffs of a terminal node to each player: at a showdown half of the pot and what is lost with it, elsewhere the payoff and
/// nothing.
pub(crate) type Terms = [[f32; 2]; 2];

/// The terms of a terminal node.
pub(crate) fn terms(kind: BettingNodeKind, payoff: Payoff) -> Terms {
    Player::BOTH.map(|player| match kind {
        BettingNodeKind::Showdown => [(payoff.tie - payoff.lose) as f32, payoff.lose as f32],
        BettingNodeKind::Fold(folder) if folder == player => [payoff.lose as f32, 0.0],
        BettingNodeKind::Fold(_) => [payoff.win as f32, 0.0],
        BettingNodeKind::Decision(_) | BettingNodeKind::Chance => [0.0; 2],
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

    fn evaluate(&self, deal: Deal, player: Player, precision: SumPrecision, batch: TerminalBatch<'_>) {
        let TerminalBatch { kind, nodes, reach, values, folds } = batch;
        let terms = self.terms(nodes, player);
        let terminals =
            |reach, values| TerminalRows { hands: self.tables.hands(deal), player, reach, values };
        match kind {
            Terminal::Fold => terminals(reach, values).fold(&terms[0], precision),
            Terminal::AllIn => {
                let [half, lose] = terms;
                let table = self.tables.all_in(deal);
                terminals(reach, values).all_in(table, &Stakes { half, lose }, precision);
            }
            Terminal::Showdown => {
                let payoff;
                let folds = match folds {
                    PairedFolds::None => PairedFoldRows::None,
                    PairedFolds::SameReach { nodes, values } => {
                        [payoff, _] = self.terms(nodes, player);
                        PairedFoldRows::SameReach { payoff: &payoff, values }
                    }
                    PairedFolds::SameValues { nodes, reach } => {
                        [payoff, _] = self.terms(nodes, player);
                        PairedFoldRows::SameValues { payoff: &payoff, reach }
                    }
                };
                self.show_down(deal, player, precision, terms, (reach, values), folds);
            }
            Terminal::DepthLimit => unreachable!("subgames evaluate their depth limits themselves"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Solver, TreeOptions};
    use noregret_cfr::{Dcfr, Response};

    #[test]
    fn a_tree_that_never_gets_to_the_river_is_solved_too() {
        let mut options = TreeOptions::new(100.into(), 1000.into());
        options.sizes[1][1].raise = Default::default();
        options.edits.remove = ["check", "bet 50, call"].map(|line| line.parse().unwrap()).to_vec();
        let ranges = ["AA,KK".parse().unwrap(), "QQ,AA".parse().unwrap()];
        let spot = Spot::new(ranges, "QsJh2h3c".parse().unwrap(), options).unwrap();
        let layout = GameLayout::new(&spot).unwrap();
        let size = layout.size(&SolverOptions::default());
        assert_eq!((size.decision_points, size.terminals), (2, 1));
        let mut solver = Solver::new(layout.build());
        (0..3).for_each(|_| solver.iterate());
        assert!(solver.exploitability_pct() < 1e-6);
        assert!((solver.ev(crate::OOP) - 100.0).abs() < 1e-4);
    }

    /// A flop with few hands, so short that there are all-ins on every street.
    fn short_stack(rake: f64) -> Arc<Postflop> {
        let mut options = TreeOptions::new(100.into(), 160.into());
        options.rake = crate::Rake { rate: rake, ..options.rake };
        let ranges = ["AA,KJs,QJs,98s,T9o:0.5", "QQ:0.25,JJ,KQs,AJo,87s"].map(|range| range.parse().unwrap());
        let spot = Spot::new(ranges, "QsJh2h".parse().unwrap(), options).unwrap();
        GameLayout::new(&spot).unwrap().build()
    }

    #[test]
    fn all_ins_are_worth_what_their_runouts_are() {
        for rake in [0.0, 0.05] {
            let game = short_stack(rake);
            assert_eq!([0, 1, 2].map(|round| game.tree.has_all_ins(round)), [true, true, false]);
            let mut trainer = Trainer::new(game.clone(), Dcfr::default());
            (0..30).for_each(|_| trainer.iterate());
            let profile = trainer.average();
            for player in Player::BOTH {
                // Readers deal every card; what is measured collapses all-ins.
                let whole = |response| {
                    let values = &profile.root_values(&profile.start(), player, response)[0];
                    let weighed = values.iter().zip(game.weights(player));
                    let sum: f64 =
                        weighed.map(|(&value, &weight)| f64::from(value) * f64::from(weight)).sum();
                    sum / game.total_weight()
                };
                let near = |a: f64, b: f64| {
                    assert!((a - b).abs() < 1e-4, "{player:?} with rake {rake}: {a} and {b}")
                };
                near(profile.expected_value(player), whole(Response::Average));
                near(profile.best_response_value(player), whole(Response::Best));
            }
        }
    }

    #[test]
    fn each_hand_that_is_all_in_is_worth_what_its_runouts_are() {
        let game = short_stack(0.05);
        let trainer = Trainer::new(game.clone(), Dcfr::default());
        let profile = trainer.average();
        let start = profile.start();
        for player in Player::BOTH {
            let values = profile.values(&start, player);
            let runouts: Vec<NodeId> = game.tree.chance_nodes(0).collect();
            let runouts =
                runouts.iter().filter(|&&node| game.tree.node(node).kind != noregret_cfr::NodeKind::Chance);
            let mut seen = 0;
            for &node in runouts {
                let other = player.opponent();
                let reach: Vec<Row> = profile
                    .reach(&start, node, other)
                    .iter()
                    .map(|&reach| Row([reach; BATCH_LANES]))
                    .collect();
                for precision in [SumPrecision::Single, SumPrecision::Double] {
                    let mut at_once = vec![Row::ZERO; game.hand_count(Deal::ROOT, player)];
                    let batch = TerminalBatch {
                        kind: Terminal::AllIn,
                        nodes: &[node],
                        reach: &reach,
                        values: &mut at_once,
                        folds: PairedFolds::None,
                    };
                    game.evaluate(Deal::ROOT, player, precision, batch);
                    for (at_once, &dealt) in at_once.iter().zip(values.at(node)) {
                        assert!(
                            (at_once[0] - dealt).abs() < 1e-3 * dealt.abs().max(1.0),
                            "{at_once:?}, {dealt}"
                        );
                    }
                }
                seen += 1;
            }
            assert!(seen > 0);
        }
    }
}
