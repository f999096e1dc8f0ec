//! The one way to read a tree: from a solver, be it at work or done, or from a file.

use noregret_holdem::{
    BoardCache, Line, Measurement, NodeReach, NodeView, Postflop, Results, SolutionFile, Solver, Spec,
};
use std::sync::Arc;
use std::time::Duration;

/// Where the strategies are.
pub(crate) enum Source<'a> {
    Solver(&'a Solver, &'a mut BoardCache),
    File(&'a SolutionFile),
}

/// A tree that is being read.
pub(crate) struct TreeReader<'a> {
    pub source: Source<'a>,
    /// What is solved, with its locks.
    pub spec: &'a Spec,
    /// The measurements so far.
    pub history: &'a [Measurement],
    /// How long it took so far.
    pub elapsed: Duration,
}

impl TreeReader<'_> {
    pub fn game(&self) -> &Arc<Postflop> {
        match &self.source {
            Source::Solver(solver, _) => solver.game(),
            Source::File(file) => file.game(),
        }
    }

    /// Who holds what at a line and what they do with it.
    pub fn reach(&mut self, line: &Line) -> Result<NodeReach, String> {
        match &mut self.source {
            Source::Solver(solver, cache) => cache.reach_at(solver, line).map_err(|error| error.to_string()),
            Source::File(file) => file.reach_at(line).map_err(|error| error.to_string()),
        }
    }

    /// The same with EVs and equities.
    pub fn view(&mut self, line: &Line) -> Result<NodeView, String> {
        match &mut self.source {
            Source::Solver(solver, cache) => cache.at(solver, line).map_err(|error| error.to_string()),
            Source::File(file) => file.at(line).map_err(|error| error.to_string()),
        }
    }

    /// EVs and best responses at the root.
    pub fn results(&mut self) -> Result<Results, String> {
        match &self.source {
            Source::Solver(solver, _) => Ok(solver.results()),
            Source::File(_) => Err("the tree is not in memory".to_owned()),
        }
    }

    /// How many pairs of hands get to a line, by weight.
    pub fn mass(&mut self, line: &Line) -> Result<f64, String> {
        Ok(self.reach(line)?.hands[0].iter().map(|hand| hand.share).sum())
    }
}
