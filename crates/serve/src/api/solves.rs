//! Solves: asked for, queued, running, done.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A solve to start.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSolve {
    /// What to call the solution: a path inside the library without `.nrs`.
    #[schema(min_length = 1, max_length = 200)]
    pub name: String,
    /// The spec.
    pub toml: String,
    /// Stop at this exploitability, in percent of the pot, instead of the spec's.
    #[schema(nullable = false, minimum = 0, maximum = 100)]
    pub target_pct: Option<f64>,
    /// Stop after so many iterations, instead of the spec's.
    #[schema(nullable = false, minimum = 1, maximum = 1000000000)]
    pub max_iterations: Option<u32>,
    /// Which streets the solution file keeps; all of them unless told.
    #[schema(nullable = false)]
    pub save: Option<KeptStreets>,
    /// A solution of the same spec to go on from.
    #[schema(nullable = false, max_length = 400)]
    pub continue_from: Option<String>,
    /// A solution of the same spot without the locks by merit, which says what their hands do. Unless told, the spot is solved
    /// without them first.
    #[schema(nullable = false, max_length = 400)]
    pub merit_base: Option<String>,
}

/// Which streets a solution file keeps; what is left out is solved again where it is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum KeptStreets {
    /// The flop.
    Flop,
    /// The flop and the turn.
    Turn,
    /// All of them.
    #[default]
    Full,
}

/// A solve that is to go on.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Resume)]
pub struct ResumeSolve {
    /// A new target, in percent of the pot.
    #[schema(nullable = false, minimum = 0, maximum = 100)]
    pub target_pct: Option<f64>,
    /// A new last iteration.
    #[schema(nullable = false, minimum = 1, maximum = 1000000000)]
    pub max_iterations: Option<u32>,
}

/// Where a solve is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// It waits for those before it, or for memory.
    Queued,
    /// It is at work.
    Running,
    /// It was told to stop and writes its checkpoint.
    Stopping,
    /// It was stopped; what there was is saved, and it can go on.
    Stopped,
    /// The server ended while it ran; it can go on from its checkpoint.
    Interrupted,
    /// It is done and its solution saved; it can go on to a lower target.
    Done,
    /// It could not go on.
    Failed,
}

/// A solve.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = Job)]
pub struct SolveStatus {
    /// Its id.
    pub id: String,
    /// What its solution is or will be called.
    pub name: String,
    /// Where it is.
    pub state: JobState,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<String>,
    /// Iterations so far.
    pub iteration: u32,
    /// The last one in any case.
    pub max_iterations: u32,
    /// The last measurement, in percent of the pot.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub exploitability_pct: Option<f64>,
    /// Where it ends, in percent of the pot.
    pub target_pct: f64,
    /// How long it has been at work.
    pub seconds: f64,
    /// How fast it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub iterations_per_second: Option<f64>,
    /// A guess at how long it still takes; while it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seconds_left: Option<f64>,
    /// What it allocates.
    pub memory_bytes: u64,
    /// The threads that it runs on.
    pub threads: usize,
    /// Its place in the queue, from 1; while it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub queue_position: Option<usize>,
    /// The id of its solution, once it is there: when it is done or was stopped, or somebody wanted to look at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub solution: Option<String>,
    /// The iteration that its solution is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub solution_iteration: Option<u32>,
    /// When it was asked for: RFC 3339, UTC.
    #[schema(format = DateTime)]
    pub created: String,
    /// The measurements: all of them, in events those since the last one, in the list of solves none.
    pub history: Vec<HistoryPoint>,
}

/// One measurement.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct HistoryPoint {
    /// After how many iterations.
    pub iteration: u32,
    /// After how long.
    pub seconds: f64,
    /// The exploitability, in percent of the pot.
    pub exploitability_pct: f64,
}
