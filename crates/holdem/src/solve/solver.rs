//! A spot in training.

use super::coarse_phase::CoarsePhase;
use super::exploit::ExploitView;
use super::reading::{NodeView, PointStrategy};
use super::results::Results;
use crate::{Action, GameLayout, Line, LineError, Lock, LockError, Postflop, SolverOptions};
use noregret_cards::Hole;
use noregret_cfr::{
    Deal, Game, NodeKind, Player, Profile, StateBuffers, StateBytes, Strategy, Trainer, TrainerProgress,
};
use std::sync::Arc;

/// A spot in training: iterations improve the strategies of both players, which can be read and measured at any time.
///
/// ```
/// use noregret_holdem::{IP, OOP, GameLayout, Solver, Spot, TreeOptions};
///
/// // On a board that plays, nobody has anything to bet for.
/// let ranges = ["AA,KK".parse()?, "QQ,JTs".parse()?];
/// let spot = Spot::new(ranges, "2c3d4h5s6c".parse()?, TreeOptions::new(100.into(), 200.into()))?;
/// let mut solver = Solver::new(GameLayout::new(&spot)?.build());
/// while solver.exploitability_pct() > 0.01 {
///     solver.iterate();
/// }
/// assert!((solver.ev(OOP) - 50.0).abs() < 0.1);
///
/// let node = solver.at(&"check".parse()?)?;
/// assert_eq!(node.player, Some(IP));
/// let queens = node.hands[IP.index()].iter().find(|hand| hand.hole.to_string() == "QsQh").unwrap();
/// assert!((queens.equity.unwrap() - 0.5).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    pub(crate) trainer: Trainer<Postflop>,
    coarse: CoarsePhase,
}

impl Solver {
    /// Before the first iteration, with the default options.
    pub fn new(game: Arc<Postflop>) -> Self {
        Self::with_options(game, &SolverOptions::default())
    }

    /// Before the first iteration, with the algorithm and the precisions of `options`. It starts on a coarser tree if they say so
    /// and the game was built for it: see [`GameLayout::with_warm_start`](crate::GameLayout::with_warm_start).
    pub fn with_options(game: Arc<Postflop>, options: &SolverOptions) -> Self {
        Self::with_buffers(game, options, StateBuffers::default())
    }

    /// As [`Solver::with_options`], in the memory of an earlier solver as far as that serves: for many solves in a row.
    pub fn with_buffers(game: Arc<Postflop>, options: &SolverOptions, buffers: StateBuffers) -> Self {
        Self { coarse: CoarsePhase::new(&game, options), trainer: game.trainer_in(options, buffers) }
    }

    /// The memory of its regrets and strategies, for the next solver.
    pub fn into_buffers(self) -> StateBuffers {
        self.trainer.into_buffers()
    }

    /// What the regrets and the strategy take, as allocated.
    pub fn state_bytes(&self) -> StateBytes {
        self.trainer.bytes()
    }

    /// The game.
    pub fn game(&self) -> &Arc<Postflop> {
        self.trainer.game()
    }

    /// Improves both players' strategies; first on the coarser tree, where there is one, and then on the full one.
    pub fn iterate(&mut self) {
        if self.coarse.iterate(&mut self.trainer).is_continue() {
            self.trainer.iterate();
        }
    }

    /// How many iterations the full tree has seen, or continues from.
    pub fn iteration(&self) -> u32 {
        self.trainer.iteration()
    }

    /// How many iterations have been made on the coarser tree, and how many there will be; none if that is over.
    pub fn coarse_iteration(&self) -> Option<(u32, u32)> {
        self.coarse.iteration()
    }

    /// Whether any iteration counts in the average strategies.
    pub(crate) fn has_average(&self) -> bool {
        self.trainer.progress().average_weight > 0.0
    }

    /// Continues where another solver had come to, once its arrays are decoded.
    pub(crate) fn set_progress(&mut self, progress: TrainerProgress) {
        self.trainer.set_progress(progress);
        if progress.iteration > 0 {
            self.coarse = CoarsePhase::Over;
        }
    }

    /// The average strategies.
    pub(crate) fn average(&self) -> Profile<'_, Postflop> {
        self.trainer.average()
    }

    /// The average strategies, without what further iterations need: [`Solution::from`](crate::Solution) reads them.
    pub fn into_strategy(self) -> Strategy {
        self.trainer.into_strategy()
    }

    /// Half of what two best responders would gain, in percent of the starting pot.
    pub fn exploitability_pct(&self) -> f64 {
        100.0 * self.trainer.exploitability() / f64::from(self.game().spot().options().starting_pot.count())
    }

    /// What a player expects at the root, in chips; the starting pot is counted.
    pub fn ev(&self, player: Player) -> f64 {
        self.game().spot().granularity().chips(self.average().expected_value(player))
    }

    /// Which share of the pot a player wins if both check from the root to the end.
    pub fn equity(&self, player: Player) -> f64 {
        self.game().root_equity(player)
    }

    /// A hash of the average strategies: equal digests mean equal solutions.
    pub fn digest(&self) -> String {
        self.average().digest()
    }

    /// How often each action is taken at the end of a line, over all hands of the player there after card removal. Before the
    /// first iteration all actions are equally likely.
    pub fn frequencies(&self, line: &Line) -> Result<Vec<(Action, f64)>, LineError> {
        PointStrategy::frequencies_at(self.average(), line)
    }

    /// What happens at the end of a line of actions and cards.
    pub fn at(&self, line: &Line) -> Result<NodeView, LineError> {
        PointStrategy::view_at(self.average(), line)
    }

    /// What a best response of a player to the other's strategy does at the end of a line, and what it gains.
    pub fn exploit(&self, line: &Line, player: Player) -> Result<ExploitView, LineError> {
        ExploitView::at(self.average(), line, player)
    }

    /// What happens at the root.
    pub fn root(&self) -> NodeView {
        self.at(&Line::default()).unwrap_or_else(|error| unreachable!("the empty line exists: {error}"))
    }

    /// Measures the strategies as they are.
    pub fn results(&self) -> Results {
        let (average, granularity) = (self.average(), self.game().spot().granularity());
        Results {
            ev: Player::BOTH.map(|player| granularity.chips(average.expected_value(player))),
            best_response: Player::BOTH.map(|player| granularity.chips(average.best_response_value(player))),
        }
    }

    /// Replaces the average strategy of hands at the end of a line, where they take each action with these frequencies, which sum to
    /// 1: rounded to the precision in which strategies are stored. Nothing changes where nobody decides. The average begins anew with
    /// the next iteration; the regrets stay as they are.
    ///
    /// Boards and hands that the game merges play alike: see [`have_same_symmetries`](crate::have_same_symmetries).
    pub fn set_strategy(&mut self, line: &Line, hands: &[(Hole, Vec<f64>)]) -> Result<(), LineError> {
        let game = self.game().clone();
        let place = game.path(line)?.place;
        let NodeKind::Decision(player) = game.tree().node(place.node).kind else { return Ok(()) };
        let stored = game.orbit_places(place.deal, player);
        for (hole, frequencies) in hands {
            if let Some(hand) = stored[place.renaming.inverse().hole(*hole).index()] {
                let strategy = self.trainer.strategy_mut();
                strategy.set_hand(&*game, (place.deal, place.node), hand.into(), frequencies);
            }
        }
        self.trainer.set_progress(TrainerProgress { average_weight: 0.0, ..self.trainer.progress() });
        Ok(())
    }

    /// Replaces the locks and continues from the regrets that are there, without building anything anew; the average begins anew with
    /// the next iteration. No locks at all free every hand. False, and nothing changes, if the locks break a symmetry that boards and
    /// hands were merged by: see [`have_same_symmetries`](crate::have_same_symmetries).
    ///
    /// ```
    /// use noregret_holdem::{GameLayout, Lock, Solver, Spot, TreeOptions};
    ///
    /// let ranges = ["AA,QQ".parse()?, "KK,JJ".parse()?];
    /// let spot = Spot::new(ranges, "QsJh2h8c3d".parse()?, TreeOptions::new(100.into(), 300.into()))?;
    /// let mut solver = Solver::new(GameLayout::new(&spot)?.build());
    /// (0..50).for_each(|_| solver.iterate());
    /// let check = Lock { strategy: vec![("check".parse()?, 1.0)], ..Lock::default() };
    /// assert!(solver.set_locks(vec![check])?);
    /// (0..50).for_each(|_| solver.iterate());
    /// assert_eq!(solver.frequencies(&"".parse()?)?[0].1, 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_locks(&mut self, locks: Vec<Lock>) -> Result<bool, LockError> {
        let game = self.game().with_locks(locks)?;
        if let Some(game) = &game {
            self.trainer.set_game(game.clone());
            self.coarse = CoarsePhase::Over;
        }
        Ok(game.is_some())
    }

    /// The same strategies in another layout of the same spot, with other locks or other symmetries: to be read and measured. It has
    /// no regrets, so that iterations would not continue from here.
    #[must_use]
    pub fn laid_out_as(self, layout: GameLayout, options: &SolverOptions) -> Self {
        let (game, progress) = (self.game().clone(), self.trainer.progress());
        // What the regrets take is freed before the new ones are allocated.
        let strategy = self.into_strategy();
        let mut solver = Self::with_options(layout.build(), options);
        if game.has_deals_of(solver.game()) {
            *solver.trainer.strategy_mut() = strategy;
        } else {
            solver.copy_strategies(&strategy, &game);
        }
        solver.set_progress(progress);
        solver
    }

    /// Takes over the strategies of a game that has the same spot and merges other boards and hands.
    fn copy_strategies(&mut self, from: &Strategy, from_game: &Postflop) {
        let game = self.game().clone();
        for round in 0..game.tree().round_count() {
            for deal in (0..game.deal_count(round)).map(|index| Deal { round, index }) {
                let (from_deal, renaming) = from_game.deal_of(&game.board(deal));
                let hands = Player::BOTH.map(|player| {
                    let places = from_game.orbit_places(from_deal, player);
                    let hand = |hole: &Hole| places[renaming.inverse().hole(*hole).index()].unwrap_or(0);
                    game.representatives(deal, player).iter().map(hand).collect::<Vec<u16>>()
                });
                for node in game.tree().round_nodes(round) {
                    let NodeKind::Decision(player) = game.tree().node(node).kind else { continue };
                    let strategy = self.trainer.strategy_mut();
                    let from = (from, from_game, from_deal);
                    strategy.copy_decision(&*game, (deal, node), from, &hands[player.index()]);
                }
            }
        }
    }
}
