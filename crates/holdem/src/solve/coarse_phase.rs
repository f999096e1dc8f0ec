//! The phase on the coarse tree, before the first iteration on the full one.

use crate::{Postflop, SolverOptions};
use noregret_cfr::Trainer;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Training on a coarser tree, if there is any.
pub(crate) enum CoarsePhase {
    /// It has not begun, and nothing is allocated for it.
    Due(Arc<Postflop>, Box<SolverOptions>),
    /// It is under way.
    Running(Box<CoarseTraining>),
    /// There is none, or none any more.
    Over,
}

pub(crate) struct CoarseTraining {
    /// The full game, which knows the counterparts.
    game: Arc<Postflop>,
    trainer: Trainer<Postflop>,
    iterations: u32,
    weight: u32,
}

impl CoarsePhase {
    /// What these options ask for, if the game was built for it.
    pub fn new(game: &Arc<Postflop>, options: &SolverOptions) -> Self {
        match game.coarse() {
            Some(_) if options.warm_start.enabled => Self::Due(game.clone(), Box::new(options.clone())),
            _ => Self::Over,
        }
    }

    /// How many iterations have been made, and how many there will be; none if it is over.
    pub fn iteration(&self) -> Option<(u32, u32)> {
        match self {
            Self::Due(_, options) => Some((0, options.warm_start.iterations)),
            Self::Running(coarse) => Some((coarse.trainer.iteration(), coarse.iterations)),
            Self::Over => None,
        }
    }

    /// Makes an iteration on the coarser tree; after the last one `full` takes over its regrets, and the coarse state is freed.
    /// Continues if the phase was over already.
    pub fn iterate(&mut self, full: &mut Trainer<Postflop>) -> ControlFlow<()> {
        if let Self::Due(game, options) = self {
            *self = Self::begin(game.clone(), options);
        }
        let Self::Running(coarse) = self else { return ControlFlow::Continue(()) };
        coarse.trainer.iterate();
        if coarse.trainer.iteration() >= coarse.iterations {
            if let Some(counterparts) = coarse.game.coarse().map(|coarse| &coarse.counterparts) {
                full.warm_start(&coarse.trainer, counterparts, coarse.weight);
            }
            *self = Self::Over;
        }
        ControlFlow::Break(())
    }

    fn begin(game: Arc<Postflop>, options: &SolverOptions) -> Self {
        let Some(coarse) = game.coarse() else { return Self::Over };
        Self::Running(Box::new(CoarseTraining {
            trainer: coarse.game.clone().trainer(options),
            iterations: options.warm_start.iterations,
            weight: options.warm_start.weight(),
            game,
        }))
    }
}
