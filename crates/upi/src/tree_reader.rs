//! The one way to read a tree: from a solver, be it at work or done, or from a file.

use crate::hands::number;
use crate::locking::SetNodes;
use noregret_holdem::{
    BoardCache, Line, Measurement, NodeReach, NodeView, Postflop, Results, SolutionFile, Solver, Spec,
};
use std::sync::Arc;
use std::time::Duration;

/// Where the strategies are.
pub(crate) enum Source<'a> {
    Solver(&'a Solver, &'a BoardCache),
    File(&'a SolutionFile),
}

/// A tree that is being read.
pub(crate) struct TreeReader<'a> {
    pub source: Source<'a>,
    /// What is solved, with its locks.
    pub spec: &'a Spec,
    /// The strategies that were set.
    pub set: &'a SetNodes,
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

    /// The lines of `calc_results`.
    pub fn results(&mut self) -> Vec<String> {
        let file = match &self.source {
            Source::Solver(solver, _) => return result_lines(self.elapsed, &solver.results()),
            Source::File(file) => file,
        };
        // Half of the sum of the gains is known, and each of them is not.
        let results = Results { ev: file.summary().ev, best_response: [f64::NAN; 2] };
        let mut lines = result_lines(self.elapsed, &results);
        let pot = self.spec.spot.options().starting_pot.as_f64();
        let pct = self.history.last().map_or(f64::NAN, |last| last.exploitability_pct);
        lines.pop();
        lines.push(format!("Exploitable for: {}", number(pct / 100.0 * pot)));
        lines
    }

    /// How many pairs of hands get to a line, by weight.
    pub fn mass(&mut self, line: &Line) -> Result<f64, String> {
        Ok(self.reach(line)?.hands[0].iter().map(|hand| hand.share).sum())
    }
}

/// EVs, maximally exploitative strategies and exploitability, in chips.
pub(crate) fn result_lines(elapsed: Duration, results: &Results) -> Vec<String> {
    let ([oop, ip], [best_oop, best_ip]) = (results.ev, results.best_response);
    vec![
        format!("running time: {:.3}", elapsed.as_secs_f64()),
        format!("EV OOP: {}", number(oop)),
        format!("EV IP: {}", number(ip)),
        format!("OOP's MES: {}", number(best_oop)),
        format!("IP's MES: {}", number(best_ip)),
        format!("Exploitable for: {}", number(results.exploitability())),
    ]
}
