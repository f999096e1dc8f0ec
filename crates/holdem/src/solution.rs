//! A spot being solved, and the answer as far as it is known.

use crate::reading::{NodeView, Numbers, Place, values_at};
use crate::warm_start::{Start, solver};
use crate::{Action, Line, LineError, Postflop, SolverOptions};
use noregret_cfr::{Deal, Game, Player, Progress, Reached, Solver, StateBytes};

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
    pub(crate) solver: Solver<'g, Postflop>,
    start: Start<'g>,
}

impl<'g> Solution<'g> {
    /// A solver with the default options that has not learned anything.
    pub fn new(game: &'g Postflop) -> Self {
        Self::with_options(game, &SolverOptions::default())
    }

    /// A solver with the algorithm and the precisions of `options`. It starts on a coarser tree if they say so and the game was built
    /// for it: see [`Outline::with_warm_start`](crate::Outline::with_warm_start).
    pub fn with_options(game: &'g Postflop, options: &SolverOptions) -> Self {
        Self { game, solver: solver(game, options), start: Start::new(game, options) }
    }

    /// What the regrets and the strategy take, as allocated.
    pub fn state_bytes(&self) -> StateBytes {
        self.solver.bytes()
    }

    /// The game.
    pub fn game(&self) -> &'g Postflop {
        self.game
    }

    /// Improves both players' strategies; first on the coarser tree, where there is one, and then on the full one.
    pub fn iterate(&mut self) {
        if self.start.iterate(&mut self.solver).is_continue() {
            self.solver.iterate();
        }
    }

    /// How many iterations the full tree has seen, or goes on from.
    pub fn iteration(&self) -> u32 {
        self.solver.iteration()
    }

    /// How many iterations have been made on the coarser tree, and how many there will be; none if that is over.
    pub fn coarse_iteration(&self) -> Option<(u32, u32)> {
        self.start.iteration()
    }

    /// Whether any iteration counts in the average strategies.
    pub(crate) fn has_average(&self) -> bool {
        self.solver.progress().average_weight > 0.0
    }

    /// Puts it where another one had come to, apart from its numbers.
    pub(crate) fn set_progress(&mut self, progress: Progress) {
        self.solver.set_progress(progress);
        if progress.iteration > 0 {
            self.start = Start::Over;
        }
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

    /// Where a line of actions and cards leads, and how its deal is reached.
    fn locate(&self, line: &Line) -> Result<(Place, Reached), LineError> {
        let path = self.game.path(line)?;
        let mut reached = self.solver.start();
        for deal in path.deals {
            reached = self.solver.follow(&reached, deal.index);
        }
        Ok((path.place, reached))
    }

    fn numbers(&self, place: &Place, reached: &Reached) -> Numbers {
        let reaches = Player::BOTH.map(|player| self.solver.reach(reached, place.node, player));
        Numbers { reaches, strategy: self.solver.strategy(reached, place.node) }
    }

    /// How often each action is taken at the end of a line, over all hands of the player there after card removal. Where
    /// nothing was ever played, as before the first iteration, all actions are equally likely.
    pub fn frequencies(&self, line: &Line) -> Result<Vec<(Action, f64)>, LineError> {
        let (place, reached) = self.locate(line)?;
        Ok(self.numbers(&place, &reached).frequencies(self.game, &place))
    }

    /// What happens at the end of a line of actions and cards.
    pub fn at(&self, line: &Line) -> Result<NodeView, LineError> {
        let (place, reached) = self.locate(line)?;
        let values = Player::BOTH.map(|player| self.solver.values(&reached, player));
        let (values, after) = values_at(self.game, &values, place.node);
        Ok(self.numbers(&place, &reached).view(self.game, &place, values, &after))
    }

    /// What happens at the root.
    pub fn root(&self) -> NodeView {
        self.at(&Line::default()).unwrap_or_else(|error| unreachable!("the empty line exists: {error}"))
    }
}
