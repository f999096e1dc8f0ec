//! Where a solve of a tree begins, and whether there is room for it.

use crate::resting_tree::{IdleSolver, RestingTree};
use crate::solving::Start;
use noregret_holdem::{GameLayout, MemoryLimit, PriorRun, SolvePlan, Solver, Spec};

/// Where a solve of a tree begins, and after how many iterations. A solver that has no regrets gives way to a new one; the tree is
/// given back if there is no room for that.
pub(crate) fn starting(
    tree: RestingTree,
    spec: &Spec,
    threads: usize,
) -> Result<(Start, u32), (RestingTree, String)> {
    let new_solver = |layout: GameLayout| Box::new(Solver::with_options(layout.build(), &spec.solver));
    let mut idle = match tree {
        RestingTree::Memory(idle) => idle,
        RestingTree::File(file) => {
            return match plan(spec, threads, 0) {
                Ok(plan) => {
                    let iteration = file.file.progress().iterations;
                    Ok((Start::File { file, solver: new_solver(plan.layout) }, iteration))
                }
                Err(message) => Err((RestingTree::File(file), message)),
            };
        }
    };
    if idle.has_regrets {
        let IdleSolver { solver, history, elapsed, is_changed, .. } = *idle;
        let iteration = solver.iteration();
        // What was measured is not what is there now.
        let history = if is_changed { Vec::new() } else { history };
        return Ok((
            Start::Solver { solver: solver.into(), prior: PriorRun { history, elapsed } },
            iteration,
        ));
    }
    let plan = match plan(spec, threads, idle.bytes()) {
        Ok(plan) => plan,
        Err(message) => return Err((RestingTree::Memory(idle), message)),
    };
    // Its memory is there for the new one.
    let Some(origin) = idle.file.take() else {
        drop(idle);
        return Ok((Start::Solver { solver: new_solver(plan.layout), prior: PriorRun::default() }, 0));
    };
    match origin.open() {
        Ok(file) => {
            drop(idle);
            let iteration = file.file.progress().iterations;
            Ok((Start::File { file, solver: new_solver(plan.layout) }, iteration))
        }
        Err(reason) => {
            idle.file = Some(origin);
            Ok((Start::Nowhere { tree: RestingTree::Memory(idle), reason }, 0))
        }
    }
}

/// What the machine has once so many bytes are freed.
pub(crate) fn limit_after(freed: u64) -> MemoryLimit {
    let mut limit = MemoryLimit::of_machine();
    limit.bytes.0 = limit.bytes.0.saturating_add(freed);
    limit
}

/// A layout of what fits into memory once so many bytes are freed.
pub(crate) fn plan(spec: &Spec, threads: usize, freed: u64) -> Result<SolvePlan, String> {
    let limit = limit_after(freed);
    let plan = SolvePlan::new(spec.clone(), &limit, threads).map_err(|error| error.to_string())?;
    plan.check_memory(&limit, threads).map_err(|error| error.to_string())?;
    Ok(plan)
}
