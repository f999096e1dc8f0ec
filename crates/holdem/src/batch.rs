//! Many spots at once: plans of batches, and few flops that stand for all.

mod flop_subset;
mod plan;

pub use flop_subset::flop_subset;
pub use plan::{BatchJob, BatchPlan, Flops, NamedRanges, PlanError};
