//! A spot being solved, and the answer as far as it is known.

use crate::{Action, BoardView, Line, LineError, NodeKind, Postflop, SolverOptions, Step};
use noregret_cards::{Board, Card, Hole, SuitPermutation};
use noregret_cfr::{Deal, Game, NodeId, Player, Reached, Solver, StateBytes};

/// The solver of a spot, and a reader of what it has found.
///
/// ```
/// use noregret_holdem::{IP, OOP, Outline, Solution, Spot, TreeOptions};
///
/// // On a board that plays, nobody has anything to bet for.
/// let ranges = ["AA,KK".parse()?, "QQ,JTs".parse()?];
/// let spot = Spot::new(ranges, "2c3d4h5s6c".parse()?, TreeOptions::new(100.into(), 200.into()))?;
/// let game = Outline::new(&spot)?.build();
/// let mut solution = Solution::new(&game);
/// while solution.exploitability_pct() > 0.01 {
///     solution.iterate();
/// }
/// assert!((solution.ev(OOP) - 50.0).abs() < 0.1);
///
/// let node = solution.at(&"check".parse()?)?;
/// assert_eq!(node.player, Some(IP));
/// let queens = node.hands[IP.index()].iter().find(|hand| hand.hole.to_string() == "QsQh").unwrap();
/// assert!((queens.equity.unwrap() - 0.5).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solution<'g> {
    game: &'g Postflop,
    solver: Solver<'g, Postflop>,
}

/// One hand at a point of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct HandView {
    /// The hand.
    pub hole: Hole,
    /// How much of it gets here: its weight times the frequencies of the actions that lead here.
    pub reach: f64,
    /// How often it meets an opponent's hand here, up to a constant: `reach` after card removal.
    pub share: f64,
    /// What it expects, in chips, counted as at the root; none if no hand of the opponent gets here with it.
    pub ev: Option<f64>,
    /// Which share of the pot it wins if both check to the end; none as for `ev`.
    pub equity: Option<f64>,
    /// How often it takes each action, if its player is to act; none if it was never played to here.
    pub strategy: Option<Vec<f64>>,
    /// What it expects after each action, if its player is to act; none as for `ev`.
    pub action_evs: Option<Vec<f64>>,
}

/// A point of the game, with everything that both players may hold there.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeView {
    /// Its place in the betting tree.
    pub node: NodeId,
    /// The public cards.
    pub board: Board,
    /// Who is to act; none where a card is dealt or the hand is over.
    pub player: Option<Player>,
    /// What can be done.
    pub actions: Vec<Action>,
    /// How often each action is taken, over all hands after card removal.
    pub frequencies: Vec<f64>,
    /// Both players' hands, in the order of their index.
    pub hands: [Vec<HandView>; 2],
}

impl NodeView {
    /// The mean over a player's hands of a number that those have which meet somebody.
    pub fn mean(&self, player: Player, number: impl Fn(&HandView) -> Option<f64>) -> Option<f64> {
        let hands = self.hands[player.index()].iter();
        let (sum, weight) = hands
            .filter_map(|hand| Some((number(hand)?, hand.share)))
            .fold((0.0, 0.0), |(sum, weight), (number, share)| (sum + number * share, weight + share));
        (weight > 0.0).then(|| sum / weight)
    }
}

/// Where a line leads: a node, the public cards, the solved deal that stands for them with the reaches of its roots, and the
/// renaming that turns its suits into those of the line.
struct Place {
    node: NodeId,
    board: Board,
    reached: Reached,
    renaming: SuitPermutation,
}

impl<'g> Solution<'g> {
    /// A solver with the default options that has not learned anything.
    pub fn new(game: &'g Postflop) -> Self {
        Self::with_options(game, &SolverOptions::default())
    }

    /// A solver with the algorithm and the precisions of `options`.
    pub fn with_options(game: &'g Postflop, options: &SolverOptions) -> Self {
        let storage = options.storage(game.spot().board().street());
        Self { game, solver: Solver::with_storage(game, options.schedule(), &storage) }
    }

    /// What the regrets and the strategy take, as allocated.
    pub fn state_bytes(&self) -> StateBytes {
        self.solver.bytes()
    }

    /// The game.
    pub fn game(&self) -> &'g Postflop {
        self.game
    }

    /// Improves both players' strategies.
    pub fn iterate(&mut self) {
        self.solver.iterate();
    }

    /// How often it has.
    pub fn iteration(&self) -> u32 {
        self.solver.iteration()
    }

    /// Half of what two best responders would gain, in percent of the starting pot.
    pub fn exploitability_pct(&self) -> f64 {
        100.0 * self.solver.exploitability() / self.game.spot().options().starting_pot.as_f64()
    }

    /// What a player expects at the root, in chips; the starting pot is counted.
    pub fn ev(&self, player: Player) -> f64 {
        self.solver.expected_value(player)
    }

    /// Which share of the pot a player wins if both check from the root to the end.
    pub fn equity(&self, player: Player) -> f64 {
        let others = self.game.weights(player.opponent());
        let equities = self.game.equities(Deal::ROOT, player, others);
        let met = self.game.met(Deal::ROOT, player, others);
        let weights = self.game.weights(player);
        let (sum, weight) = equities
            .iter()
            .zip(met)
            .zip(weights)
            .filter_map(|((equity, met), &weight)| Some(((*equity)?, met * f64::from(weight))))
            .fold((0.0, 0.0), |(sum, total), (equity, weight)| (sum + equity * weight, total + weight));
        sum / weight
    }

    /// A hash of the average strategies: equal digests mean equal solutions.
    pub fn digest(&self) -> String {
        self.solver.digest()
    }

    /// Where a line of actions and cards leads.
    fn locate(&self, line: &Line) -> Result<Place, LineError> {
        let (node, board) = self.game.betting().walk(self.game.spot().board(), line)?;
        let cards = line.steps.iter().filter_map(|step| match *step {
            Step::Card(card) => Some(card),
            _ => None,
        });
        let (reached, renaming) = self
            .deal(cards)
            .unwrap_or_else(|| unreachable!("the walk above has found the cards in the deck"));
        Ok(Place { node, board, reached, renaming })
    }

    /// The solved deal that stands for the one with these cards, and the renaming of its suits to theirs; none if a card
    /// is not in the deck.
    fn deal(&self, cards: impl Iterator<Item = Card>) -> Option<(Reached, SuitPermutation)> {
        let mut reached = self.solver.start();
        let mut renaming = SuitPermutation::identity();
        for card in cards {
            let (deal, further) = self.game.next_deal(reached.deal(), renaming.inverse().card(card))?;
            reached = self.solver.follow(&reached, deal.index);
            renaming = further.then(renaming);
        }
        Some((reached, renaming))
    }

    /// How often each action is taken at the end of a line, over all hands of the player there after card removal. Where
    /// nothing was ever played, as before the first iteration, all actions are equally likely.
    pub fn frequencies(&self, line: &Line) -> Result<Vec<(Action, f64)>, LineError> {
        let Place { node, reached, .. } = self.locate(line)?;
        let tree = self.game.betting();
        let NodeKind::Decision(player) = tree[node].kind else { return Ok(Vec::new()) };
        let reach = self.solver.reach(&reached, node, player);
        let others = self.solver.reach(&reached, node, player.opponent());
        let met = self.game.met(reached.deal(), player, &others);
        let strategy = self.solver.strategy(reached.deal(), node);
        let shares: Vec<f64> = reach.iter().zip(&met).map(|(&reach, met)| f64::from(reach) * met).collect();
        let total: f64 = shares.iter().sum();
        let uniform = 1.0 / strategy.len() as f64;
        let frequency = |action: &Vec<Option<f32>>| {
            let played = action.iter().map(|share| share.map_or(uniform, f64::from));
            let sum: f64 = shares.iter().zip(played).map(|(share, played)| share * played).sum();
            if total > 0.0 { sum / total } else { uniform }
        };
        Ok(tree.actions(node).zip(strategy.iter().map(frequency)).collect())
    }

    /// What happens at the end of a line of actions and cards.
    pub fn at(&self, line: &Line) -> Result<NodeView, LineError> {
        let Place { node, board, reached, renaming } = self.locate(line)?;
        let view = BoardView::new(self.game, &self.solver, reached, board, renaming).at(node);
        Ok(view.unwrap_or_else(|| unreachable!("the line leads to a node and to its board")))
    }

    /// Everything that happens on a board, which must be that of the spot and cards that follow; none if it is not.
    pub fn on(&self, board: &Board) -> Option<BoardView<'_>> {
        let dealt = self.game.spot().board().cards();
        let later = board.cards().strip_prefix(dealt)?;
        let (reached, renaming) = self.deal(later.iter().copied())?;
        Some(BoardView::new(self.game, &self.solver, reached, *board, renaming))
    }

    /// What happens at the root.
    pub fn root(&self) -> NodeView {
        self.at(&Line::default()).unwrap_or_else(|error| unreachable!("the empty line exists: {error}"))
    }
}
