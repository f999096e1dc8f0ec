//! The native part of the Python package `noregret`: thin classes over the libraries of the workspace. No rule of poker is written
//! here, and no EV is computed.
//!
//! The classes keep what they need by `Arc`, so that a node outlives the solver that it came from. Whatever takes time runs without
//! the interpreter's lock.

mod action;
mod amount;
mod arrays;
mod arrow;
mod batch;
mod board;
mod cluster;
mod command_line;
mod compare;
mod equity;
mod error;
mod forty_two;
mod hands;
mod html;
mod interrupt;
mod json;
mod node;
mod node_data;
mod numbers;
mod options;
mod place;
mod plan;
mod player;
mod pool;
mod range;
mod report;
mod run;
mod solution;
mod solution_data;
mod solver;
mod solver_state;
mod spot;
mod spread;
mod steps;
mod study;

use pyo3::prelude::*;

/// The native part of `noregret`. Import from `noregret` instead.
#[pymodule]
fn _noregret(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<board::PyBoard>()?;
    module.add_class::<player::PyPlayer>()?;
    module.add_class::<range::PyRange>()?;
    module.add_class::<spot::PySpot>()?;
    module.add_class::<plan::PyPlan>()?;
    module.add_class::<solver::PySolver>()?;
    module.add_class::<steps::PyRun>()?;
    module.add_class::<run::PyStep>()?;
    module.add_class::<solution::PySolution>()?;
    module.add_class::<node::PyNode>()?;
    module.add_class::<action::PyAction>()?;
    module.add_class::<node::PyChildren>()?;
    module.add_class::<hands::PyHand>()?;
    module.add_class::<hands::PyHands>()?;
    module.add_class::<compare::PyComparison>()?;
    module.add_class::<compare::PyComparedRun>()?;
    module.add_class::<equity::PyEquity>()?;
    module.add_class::<report::PyReport>()?;
    module.add_function(wrap_pyfunction!(batch::flops, module)?)?;
    module.add_function(wrap_pyfunction!(batch::batch_jobs, module)?)?;
    module.add_function(wrap_pyfunction!(batch::batch_solution, module)?)?;
    module.add_function(wrap_pyfunction!(batch::place_exists, module)?)?;
    module.add_function(wrap_pyfunction!(batch::remove_place, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::list_place, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::read_place, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::save_manifest, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::write_place, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::create_place, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::remove_left_overs, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::check_writable_place, module)?)?;
    module.add_function(wrap_pyfunction!(cluster::check_solution_place, module)?)?;
    module.add_function(wrap_pyfunction!(spread::spread_plan, module)?)?;
    module.add_class::<spread::PySpreadPlan>()?;
    module.add_class::<spread::PySpreadSolution>()?;
    module.add_class::<spread::PyTrunkSolver>()?;
    module.add_class::<spread::PyBranchSolver>()?;
    module.add_function(wrap_pyfunction!(compare::compare, module)?)?;
    module.add_function(wrap_pyfunction!(equity::equity, module)?)?;
    module.add_function(wrap_pyfunction!(report::report, module)?)?;
    module.add_function(wrap_pyfunction!(solution::open, module)?)?;
    module.add_function(wrap_pyfunction!(solution::from_file_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(command_line::run_command_line, module)?)?;
    study::add_to(module)?;
    forty_two::add_to(module)
}
