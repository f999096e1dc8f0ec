//! Small solves, and every line of a spot.

use noregret_holdem::cards::{Card, Street};
use noregret_holdem::{
    BettingTree, Checked, Goal, Line, NodeId, NodeKind, Outline, Postflop, Solution, SolverOptions, Spec,
    Spot, Step, run,
};
use std::ops::ControlFlow;

pub fn spec(spot: Spot, solver: SolverOptions) -> Spec {
    Spec { spot, solver, output: Default::default() }
}

/// Spots on every street, with symmetric and lopsided ranges.
pub fn tiny(street: Street) -> Spot {
    let options = crate::spots::options(60, 150, "60%", "a");
    let board = match street {
        Street::Flop => "QsJhJs",
        Street::Turn => "QsJh2h8c",
        Street::River => "QsJh2h8c3d",
    };
    crate::spots::spot(board, ["AA,KQs:0.5,T9s", "QQ,AJs,98s:0.25,5h4h"], options)
}

pub fn game(spec: &Spec) -> Postflop {
    Outline::new(&spec.spot).unwrap().build()
}

/// Solves, and says how it went.
pub fn solve<'g>(game: &'g Postflop, spec: &Spec) -> (Solution<'g>, Vec<Checked>) {
    let mut solution = Solution::with_options(game, &spec.solver);
    let goal = Goal {
        target_pct: spec.solver.target_exploitability_pct,
        max_iterations: spec.solver.max_iterations,
    };
    let outcome = run(&mut solution, &goal, |_, _| ControlFlow::Continue(()));
    (solution, outcome.history)
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
        if tree[node].kind == NodeKind::Chance {
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
