//! The game that a solver plays: a spot's betting tree on all of its runouts.

use super::deal_tables::DealTables;
use super::hands::places;
use super::kernels::{PairedFoldRows, Stakes, TerminalRows};
use super::orbits::ExpandedReach;
use super::place::{LinePath, Place};
use super::runouts::{Runouts, have_same_symmetries};
use crate::betting::locks::{Bound, Lock, LockError};
use crate::{BettingNodeKind, BettingTree, Line, LineError, Payoff, SolverOptions, Spot};
use noregret_cards::{Board, Card, Hole, Street, SuitPermutation};
use noregret_cfr::simd::Row;
use noregret_cfr::{
    BATCH_LANES, Counterpart, Deal, Game, Locks, NodeId, PairedFolds, Player, StateBuffers, SumPrecision,
    Terminal, TerminalBatch, Trainer, Tree,
};
use std::ops::Range;
use std::sync::Arc;

/// A spot ready to be solved.
pub struct Postflop {
    spot: Spot,
    betting: Arc<BettingTree>,
    tree: Arc<Tree>,
    runouts: Arc<Runouts>,
    tables: Arc<DealTables>,
    terms: Arc<[Terms]>,
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
    /// A betting tree on boards that may be those of another one too.
    pub(crate) fn dealt(
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
        let (betting, tree, coarse) = (Arc::new(betting), Arc::new(tree), None);
        let mut game =
            Self { spot, betting, tree, runouts, tables, terms, weights, total_weight, locks, coarse };
        game.weights = Player::BOTH.map(|player| {
            game.of_representatives(Deal::ROOT, player, &game.possible_reach(Deal::ROOT, player))
        });
        game.total_weight = game.pair_weight();
        game.locks = game.bind();
        game
    }

    /// The same game with other locks, sharing its tree and its tables; none if they break symmetries that the game merges boards and
    /// hands by, or need others that it does not have. What was to be solved before it on a coarser tree is left out.
    pub fn with_locks(&self, locks: Vec<Lock>) -> Result<Option<Arc<Self>>, LockError> {
        let spot = self.spot.clone().with_locks(locks)?;
        if !have_same_symmetries(&self.spot, &spot) {
            return Ok(None);
        }
        let mut game = Self {
            spot,
            betting: self.betting.clone(),
            tree: self.tree.clone(),
            runouts: self.runouts.clone(),
            tables: self.tables.clone(),
            terms: self.terms.clone(),
            weights: self.weights.clone(),
            total_weight: self.total_weight,
            locks: Locks::default(),
            coarse: None,
        };
        game.locks = game.bind();
        Ok(Some(Arc::new(game)))
    }

    /// The same game, to be solved after a coarser one.
    pub(crate) fn after(self, coarse: Option<CoarseGame>) -> Self {
        Self { coarse: coarse.map(Box::new), ..self }
    }

    /// Fills in the tables of all boards.
    pub(crate) fn fill_tables(&self) {
        self.tables.fill(&self.tree);
    }

    /// Fills in the tables of some deals.
    pub(crate) fn fill_tables_of(&self, deals: &[Deal]) {
        self.tables.fill_deals(&self.tree, deals);
    }

    /// The sum of the products of weights over all pairs of hands that share no card.
    fn pair_weight(&self) -> f64 {
        let [first, second] = Player::BOTH.map(|player| self.hands(Deal::ROOT, player));
        let [weights, others] = Player::BOTH.map(|player| self.possible_reach(Deal::ROOT, player));
        let mut sum = 0.0;
        for (a, &weight) in first.iter().zip(&weights) {
            for (b, &other) in second.iter().zip(&others) {
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
        for Bound { line, player, holes, strategy, .. } in self.spot.bound() {
            let path = self.path(line);
            let place = path.unwrap_or_else(|error| unreachable!("the lines of locks exist: {error}")).place;
            // Locks are the same for all hands of an orbit.
            let places = places(self.representatives(place.deal, *player));
            for (i, &hole) in holes.iter().enumerate() {
                let Some(shares) = strategy.of(i) else { continue };
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
        self.trainer_in(options, StateBuffers::default())
    }

    /// The same in the memory of an earlier one.
    pub(crate) fn trainer_in(
        self: Arc<Self>,
        options: &SolverOptions,
        buffers: StateBuffers,
    ) -> Trainer<Self> {
        let storage = options.storage(self.spot.board().street());
        Trainer::with_buffers(self, options.schedule(), &storage, buffers).pruning(options.prunes)
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
        self.runouts.boards_by_street(self.betting.first_street())
    }

    /// See [`Runouts::root_orbits`].
    pub(crate) fn root_orbits(&self) -> Option<[usize; 2]> {
        self.runouts.root_orbits()
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

    /// All hands that a player can have in a deal.
    pub fn hands(&self, deal: Deal, player: Player) -> &[Hole] {
        self.tables.hands(deal).hands(player)
    }

    /// The hands of a deal in the order in which a solver's vectors have them: one for each orbit of the suit symmetries.
    pub fn representatives(&self, deal: Deal, player: Player) -> &[Hole] {
        self.tables.hands(deal).representatives(player)
    }

    /// From a number for each orbit to one for each of all hands.
    pub(crate) fn of_all_hands<T: Copy>(&self, deal: Deal, player: Player, numbers: &[T]) -> Vec<T> {
        match self.tables.hands(deal).orbits(player) {
            Some(orbits) => orbits.orbit_of.iter().map(|&orbit| numbers[usize::from(orbit)]).collect(),
            None => numbers.to_vec(),
        }
    }

    /// From a number for each of all hands to one for each orbit: that of its representative.
    pub(crate) fn of_representatives<T: Copy>(&self, deal: Deal, player: Player, numbers: &[T]) -> Vec<T> {
        match self.tables.hands(deal).orbits(player) {
            Some(orbits) => {
                let places = places(self.hands(deal, player));
                let place = |hole: &Hole| places[hole.index()].map(usize::from);
                orbits.representatives.iter().filter_map(place).map(|place| numbers[place]).collect()
            }
            None => numbers.to_vec(),
        }
    }

    /// For each hand by its index, which of [`Self::representatives`] stands for it; none if nobody has it in this deal.
    pub(crate) fn orbit_places(&self, deal: Deal, player: Player) -> Vec<Option<u16>> {
        let orbits: Vec<u16> = (0..).take(self.representatives(deal, player).len()).collect();
        let mut places = vec![None; Hole::COUNT];
        for (hole, orbit) in self.hands(deal, player).iter().zip(self.of_all_hands(deal, player, &orbits)) {
            places[hole.index()] = Some(orbit);
        }
        places
    }

    /// The deal that stands for a board, and the renaming of its suits to those of the board.
    pub(crate) fn deal_of(&self, board: &Board) -> (Deal, SuitPermutation) {
        let later = &board.cards()[self.spot.board().cards().len()..];
        let start = (Deal::ROOT, SuitPermutation::identity());
        later.iter().fold(start, |(deal, renaming), &card| {
            let next = self.next_deal(deal, renaming.inverse().card(card));
            let (deal, further) = next.unwrap_or_else(|| unreachable!("every board of the spot is dealt"));
            (deal, further.then(renaming))
        })
    }

    /// Whether another game of the same spot has the same boards and orbits of hands, so that strategies fit both.
    pub(crate) fn has_deals_of(&self, other: &Self) -> bool {
        let rounds = 0..self.tree.round_count().max(other.tree.round_count());
        let mut same = rounds.map(|round| {
            let count = self.deal_count(round);
            count == other.deal_count(round)
                && (0..count).map(|index| Deal { round, index }).all(|deal| {
                    let are_same =
                        |player| self.representatives(deal, player) == other.representatives(deal, player);
                    self.board(deal) == other.board(deal) && Player::BOTH.into_iter().all(are_same)
                })
        });
        same.all(|same| same)
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

    /// For each hand of `player`, the compatible reach: that of the opponent's hands which share no card with it. Hands of one orbit
    /// must have the same reach.
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
        let compatible: Vec<f64> =
            self.representatives(deal, player).iter().zip(same_hands).map(compatible).collect();
        self.of_all_hands(deal, player, &compatible)
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
        self.representatives(deal, player).len()
    }

    fn origins(&self, deal: Deal, player: Player) -> &[u16] {
        self.tables.origins(deal, player)
    }

    fn event_counts(&self, deal: Deal, player: Player) -> &[u8] {
        self.tables.event_counts(deal, player)
    }

    fn orbit_sizes(&self, deal: Deal, player: Player) -> &[u8] {
        self.tables.hands(deal).orbits(player).map_or(&[], |orbits| &orbits.sizes)
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
            (options.rake.of(1.0) == 0.0).then(|| f64::from(options.starting_pot.count()))
        }
    }

    fn evaluate(&self, deal: Deal, player: Player, precision: SumPrecision, batch: TerminalBatch<'_>) {
        let TerminalBatch { kind, nodes, reach, values, folds } = batch;
        // Card removal needs every hand of the opponent.
        let orbits = self.tables.hands(deal).orbits(player.opponent());
        let all_reach = ExpandedReach::new(orbits, reach);
        let reach = all_reach.rows(reach);
        let all_fold_reach;
        let folds = match folds {
            PairedFolds::SameValues { nodes, reach } => {
                all_fold_reach = ExpandedReach::new(orbits, reach);
                PairedFolds::SameValues { nodes, reach: all_fold_reach.rows(reach) }
            }
            folds => folds,
        };
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
    use crate::{GameLayout, Solver, SolverOptions, TreeOptions};
    use noregret_cfr::{Dcfr, Response, Trainer};

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
                    let values = game.of_all_hands(Deal::ROOT, player, values);
                    let weights = game.possible_reach(Deal::ROOT, player);
                    let weighed = values.iter().zip(&weights);
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
