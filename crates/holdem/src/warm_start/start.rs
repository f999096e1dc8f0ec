//! What a solution does before its first iteration.

use crate::{Postflop, SolverOptions};
use noregret_cfr::{Counterpart, Solver};
use std::ops::ControlFlow;

/// A solver that has not learned anything.
pub(crate) fn solver<'g>(game: &'g Postflop, options: &SolverOptions) -> Solver<'g, Postflop> {
    let storage = options.storage(game.spot().board().street());
    Solver::with_storage(game, options.schedule(), &storage).pruning(options.prunes)
}

/// The solve of a coarser tree that comes before the first iteration, if any does.
pub(crate) enum Start<'g> {
    /// It has not begun, and nothing is allocated for it.
    Due(&'g Postflop, Box<SolverOptions>),
    /// It is under way.
    Coarse(Box<Warming<'g>>),
    /// There is none, or none any more.
    Over,
}

pub(crate) struct Warming<'g> {
    solver: Solver<'g, Postflop>,
    counterparts: &'g [Counterpart],
    iterations: u32,
    weight: u32,
}

impl<'g> Start<'g> {
    /// What these options ask for, if the game was built for it.
    pub fn new(game: &'g Postflop, options: &SolverOptions) -> Self {
        match game.coarse() {
            Some(_) if options.warm_start.enabled => Self::Due(game, Box::new(options.clone())),
            _ => Self::Over,
        }
    }

    /// How many iterations have been made, and how many there will be; none if it is over.
    pub fn iteration(&self) -> Option<(u32, u32)> {
        match self {
            Self::Due(_, options) => Some((0, options.warm_start.iterations)),
            Self::Coarse(warming) => Some((warming.solver.iteration(), warming.iterations)),
            Self::Over => None,
        }
    }

    /// Makes an iteration on the coarser tree; after the last one `full` takes over, and what it took is freed. Continues if this was
    /// over already.
    pub fn iterate(&mut self, full: &mut Solver<'g, Postflop>) -> ControlFlow<()> {
        if let Self::Due(game, options) = self {
            *self = Self::begin(game, options);
        }
        let Self::Coarse(warming) = self else { return ControlFlow::Continue(()) };
        let Warming { solver, counterparts, iterations, weight } = &mut **warming;
        solver.iterate();
        if solver.iteration() >= *iterations {
            full.take_over(solver, counterparts, *weight);
            *self = Self::Over;
        }
        ControlFlow::Break(())
    }

    fn begin(game: &'g Postflop, options: &SolverOptions) -> Self {
        let Some(coarse) = game.coarse() else { return Self::Over };
        Self::Coarse(Box::new(Warming {
            solver: solver(&coarse.game, options),
            counterparts: &coarse.counterparts,
            iterations: options.warm_start.iterations,
            weight: options.warm_start.weight(),
        }))
    }
}
