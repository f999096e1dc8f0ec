//! Small solves, and every line of a spot.

use crate::spots;
use noregret_holdem::cards::{Card, Street};
use noregret_holdem::{
    BettingNodeKind, BettingTree, GameLayout, Line, Measurement, NodeId, Postflop, Precision, Solver,
    SolverOptions, Spec, Spot, Step, StopCondition, run,
};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

/// A directory with room for a file.
pub struct Home(TempDir);

impl Home {
    pub fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub fn path(&self) -> PathBuf {
        self.other("spot.nrs")
    }

    pub fn other(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// A spot on a street that is solved in no time, and in which both players have something to decide.
pub fn tiny(street: Street) -> Spot {
    let (board, ranges) = match street {
        Street::Flop => ("QhJh2h", ["AA,KTs", "QQ,T9s:0.25"]),
        Street::Turn => ("QsJh2h8c", ["AA,KQs:0.5,T9s", "QQ,AJs,98s:0.25,5h4h"]),
        Street::River => ("QsJh2h8c3d", ["AA,KQs:0.5,T9s", "QQ,AJs,98s:0.25,5h4h"]),
    };
    let size = if street == Street::Flop { "a" } else { "60%" };
    spots::spot(board, ranges, spots::options(60, 150, size, "a"))
}

/// A spot that somebody might look at.
pub fn studied(street: Street) -> Spot {
    let board = if street == Street::Turn { "QsJh2h8c" } else { "QsJh2h" };
    let ranges = ["TT+,AJs+,KQs,T9s,98s,A5s-A2s", "JJ-66,AQs-A8s,KTs+,QTs+,98s,76s"];
    spots::spot(board, ranges, spots::options(60, 300, "60%", "2.5x,a"))
}

pub fn options(bits: Precision, iterations: u32) -> SolverOptions {
    let options =
        SolverOptions { max_iterations: iterations, target_exploitability_pct: 0.0, ..Default::default() };
    options.stored_in(bits, bits)
}

pub fn spec(spot: Spot, solver: SolverOptions) -> Spec {
    Spec { spot, solver, output: Default::default() }
}

pub fn game(spec: &Spec) -> Arc<Postflop> {
    GameLayout::new(&spec.spot).unwrap().build()
}

pub fn goal(spec: &Spec) -> StopCondition {
    StopCondition {
        target_pct: spec.solver.target_exploitability_pct,
        max_iterations: spec.solver.max_iterations,
    }
}

/// Solves a spot, and shows the solution and how it went.
pub fn solved(spot: Spot, solver: SolverOptions, look: impl FnOnce(&Spec, &Solver, &[Measurement])) {
    let spec = spec(spot, solver);
    let game = game(&spec);
    let mut solution = Solver::with_options(game.clone(), &spec.solver);
    let outcome = run(&mut solution, &goal(&spec), |_, _| ControlFlow::Continue(()));
    look(&spec, &solution, &outcome.history);
}

/// Every `step`-th line of a spot; of the cards that can come, some.
pub fn lines(game: &Postflop, step: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    walk(game.betting(), BettingTree::ROOT, &Line::default(), game, &mut lines);
    lines.into_iter().step_by(step).collect()
}

fn walk(tree: &BettingTree, node: NodeId, line: &Line, game: &Postflop, lines: &mut Vec<Line>) {
    lines.push(line.clone());
    for child in tree.children(node) {
        let mut steps: Vec<Step> = tree[child].action.map(Step::Action).into_iter().collect();
        if tree[node].kind == BettingNodeKind::Chance {
            let (_, board) = tree.walk(game.spot().board(), line).unwrap();
            let free = Card::all().filter(|card| !board.set().contains(*card));
            // Some cards of every suit, so that boards that stand for others are among them.
            steps = free.step_by(7).map(Step::Card).collect();
        }
        for step in steps {
            let mut next = line.clone();
            next.steps.push(step);
            walk(tree, child, &next, game, lines);
        }
    }
}
