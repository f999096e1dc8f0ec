//! When a solve ends, and whether it can be given another end.

use super::record::Record;
use crate::api::solves::JobState;
use crate::failure::ApiFailure;
use noregret_holdem::{SolverOptions, Spec, StopCondition};

/// When a solve ends.
pub fn goal(spec: &Spec) -> StopCondition {
    StopCondition::of(&spec.solver)
}

/// Takes over what a request says of it.
pub fn set_goal(
    spec: &mut Spec,
    target_pct: Option<f64>,
    max_iterations: Option<u32>,
) -> Result<(), ApiFailure> {
    if let Some(target) = target_pct {
        if !(0.0..=100.0).contains(&target) {
            return Err(ApiFailure::field("target_pct", "must be a number from 0 to 100"));
        }
        spec.solver.target_exploitability_pct = target;
    }
    if let Some(iterations) = max_iterations {
        let most = SolverOptions::MAX_ITERATIONS;
        if !(1..=most).contains(&iterations) {
            return Err(ApiFailure::field(
                "max_iterations",
                format!("must be a whole number from 1 to {most}"),
            ));
        }
        spec.solver.max_iterations = iterations;
    }
    Ok(())
}

/// Whether a solve that has come so far can go on to the goal of this spec. Only `hs-dcfr` stretches its schedule over all
/// iterations: what it has made, or the solution that it continues, is of no use to a solve with another number of them.
pub fn can_go_on(record: &Record, spec: &Spec) -> Result<(), ApiFailure> {
    let (aim, planned) = (goal(spec), record.max_iterations);
    let has_begun = record.iteration > 0 || record.continue_from.is_some();
    let plans_ahead = spec.solver.algorithm.plans_for_last_iteration() && has_begun;
    if plans_ahead && aim.max_iterations != planned {
        return Err(ApiFailure::conflict(format!(
            "`hs-dcfr` plans all its iterations from the first on, {planned} here, and cannot make {} of them: \
             leave max_iterations at {planned}, or start a new solve with another number or algorithm",
            aim.max_iterations
        )));
    }
    let reached = record
        .history
        .last()
        .is_some_and(|point| aim.target_pct > 0.0 && point.exploitability_pct <= aim.target_pct);
    let made = record.iteration >= aim.max_iterations;
    if record.state != JobState::Done || !(reached || made) {
        return Ok(());
    }
    Err(ApiFailure::conflict(if made && plans_ahead {
        format!(
            "this solve has made all {planned} iterations that `hs-dcfr` planned, and there can be no more: \
             start a new solve with more max_iterations, or with another algorithm, which can always go on"
        )
    } else {
        let what = if reached { "a lower target_pct" } else { "more max_iterations" };
        format!("this solve has reached that already: give {what}")
    }))
}
