//! A spot that is laid out: its betting tree, its boards and its size, before anything large is allocated.

use super::deal_tables::DealTables;
use super::orbits::representative;
use super::postflop::{CoarseGame, Postflop, Terms};
use super::runouts::{Isomorphism, Runouts, possible, symmetries};
use super::warm_start::Coarse;
use crate::betting::locks::Bound;
use crate::{BettingNodeKind, BettingTree, BettingTreeError, SolverOptions, Spec, Spot, WarmStartError};
use noregret_cards::{Board, Street};
use noregret_cfr::{
    BATCH_LANES, Deal, Locks, Player, StateBytes, StoredDeals, Terminal, Tree, state_bytes,
    stored_state_bytes, working_bytes,
};
use noregret_store::Bytes;
use std::collections::HashSet;
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
    /// The betting tree alone takes more memory than may be used.
    #[error(
        "the betting tree alone needs more memory than there is, as {whose} {limit}: allow more, give fewer or larger sizes, or raise \
         force_allin_threshold or merging_threshold"
    )]
    OverMemory {
        /// How much may be used.
        limit: Bytes,
        /// What says so.
        whose: &'static str,
    },
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

    /// See [`Runouts::root_orbits`].
    pub(crate) fn root_orbits(&self) -> Option<[usize; 2]> {
        self.runouts.root_orbits()
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
            boards: self.runouts.boards_by_street(self.betting.first_street()),
            decision_points: 0,
            terminals: 0,
            infosets: 0,
            memory: MemoryPlan {
                tree: tree_bytes(&self.tree, &self.betting),
                tables: self.runouts.bytes()
                    + DealTables::bytes(&self.runouts, &self.tree, |_| true)
                    + self.lock_bytes(),
                regrets: 0,
                strategy: 0,
                warm_start: 0,
                working: working_bytes(&self.tree, |round, player| {
                    self.runouts.orbit_counts(round, player).max().unwrap_or(0)
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
                |round, player| self.runouts.orbit_counts(round, player).collect(),
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

    /// How many rounds the tree has: edits may have left no line that gets to the last streets.
    pub(crate) fn round_count(&self) -> usize {
        self.tree.round_count()
    }

    /// How much each deal of the second round takes to visit with all that follows it, in hands times nodes: an estimate, as what is
    /// not reached is skipped.
    pub(crate) fn branch_costs(&self) -> Vec<u64> {
        let nodes = |round: usize| self.tree.round_nodes(round).count() as u64;
        let cost = |deal: Deal| {
            let orbits = self.runouts.deal(deal).orbit_counts;
            orbits.iter().map(|&orbits| orbits.next_multiple_of(BATCH_LANES) as u64).sum::<u64>()
                * nodes(deal.round)
        };
        let branch = |index| {
            let mut deals = vec![Deal { round: 1, index }];
            let mut sum = 0;
            while let Some(deal) = deals.pop() {
                sum += cost(deal);
                if deal.round + 1 < self.tree.round_count() {
                    let next = self.runouts.deal(deal).next.clone();
                    deals.extend(next.map(|index| Deal { round: deal.round + 1, index }));
                }
            }
            sum
        };
        (0..self.runouts.rounds().get(1).map_or(0, Vec::len)).map(branch).collect()
    }

    /// The boards of the second round, in the order of its deals.
    pub(crate) fn branch_boards(&self) -> impl Iterator<Item = Board> + '_ {
        self.runouts.rounds().iter().skip(1).take(1).flatten().map(|deal| deal.board)
    }

    /// The deals that the trunk of this game stores, if it is cut after its first round.
    pub(crate) fn trunk_deals(&self) -> StoredDeals {
        StoredDeals::trunk(&self.deal_counts())
    }

    /// The deals that somebody with these deals of the second round stores.
    pub(crate) fn branch_deals(&self, deals: &[usize]) -> StoredDeals {
        StoredDeals::branches(&self.deal_counts(), |deal| self.runouts.deal(deal).next.clone(), deals)
    }

    fn deal_counts(&self) -> Vec<usize> {
        let rounds = self.runouts.rounds().iter().take(self.tree.round_count());
        rounds.map(Vec::len).collect()
    }

    /// What solving a part of the spot like this takes: its state, and the tables of some deals.
    pub(crate) fn part_memory(
        &self,
        options: &SolverOptions,
        stored: &StoredDeals,
        is_filled: impl Fn(Deal) -> bool,
    ) -> MemoryPlan {
        let StateBytes { regrets, strategy } = stored_state_bytes(
            &self.tree,
            |round, player| self.runouts.orbit_counts(round, player).collect(),
            stored,
            &options.storage(self.betting.first_street()),
            options.schedule().prediction_weight() > 0.0,
        );
        let tables = DealTables::bytes(&self.runouts, &self.tree, is_filled);
        MemoryPlan {
            tables: self.runouts.bytes() + tables + self.lock_bytes(),
            regrets,
            strategy,
            warm_start: 0,
            ..self.size(options).memory
        }
    }

    /// What the locks take.
    fn lock_bytes(&self) -> usize {
        let bytes = |bound: &Bound| {
            let later = &bound.board.cards()[self.spot.board().cards().len()..];
            let group = later.iter().fold(symmetries(&self.spot), |group, &card| group.fixing(card));
            let hands = possible(&self.spot, &bound.board, bound.player);
            let orbits = hands.filter(|&hole| representative(&group, hole) == hole).count();
            Locks::decision_bytes(bound.strategy.actions(), orbits)
        };
        let mut lines = HashSet::new();
        self.spot.bound().iter().filter(|bound| lines.insert(&bound.line)).map(bytes).sum()
    }

    /// Fills in the tables.
    pub fn build(self) -> Arc<Postflop> {
        let game = self.build_as_needed();
        game.fill_tables();
        game
    }

    /// As [`GameLayout::build`], but each table is filled in when it is first needed: to look at a few boards.
    pub fn build_as_needed(self) -> Arc<Postflop> {
        let Self { spot, betting, tree, runouts, coarse } = self;
        let tables = Arc::new(DealTables::new(&runouts, &spot));
        let coarse = coarse.map(|CoarseLayout { coarse: Coarse { betting, counterparts }, tree }| {
            let game = Postflop::dealt(spot.clone(), betting, tree, runouts.clone(), tables.clone());
            CoarseGame { game: Arc::new(game), counterparts }
        });
        Arc::new(Postflop::dealt(spot, betting, tree, runouts, tables).after(coarse))
    }
}

/// What a betting tree takes, with all that is known of its nodes.
fn tree_bytes(tree: &Tree, betting: &BettingTree) -> usize {
    tree.bytes() + size_of_val(betting.nodes()) + betting.nodes().len() * size_of::<Terms>()
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
