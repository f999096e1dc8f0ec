//! A plan that has been read.

use super::files::BatchFiles;
use crate::failure::Failure;
use crate::solve::input;
use noregret_holdem::{BatchJob, BatchPlan};
use noregret_store::Shard;
use std::path::Path;

/// A plan with the files that it names.
pub struct OpenBatch {
    pub plan: BatchPlan,
    pub jobs: Vec<BatchJob>,
    pub files: BatchFiles,
}

impl OpenBatch {
    /// Reads a plan and the spec that it names.
    pub fn read(path: &Path, shard: Shard) -> Result<Self, Failure> {
        let plan = input::document(path, "the plan", BatchPlan::from_bytes)?;
        let beside = path.parent().unwrap_or(Path::new(""));
        let base = input::read(&beside.join(&plan.spec))?;
        let spec = beside.join(&plan.spec).display().to_string();
        let jobs = plan.jobs(&base).map_err(|error| Failure::request(format!("{spec}: {error}")))?;
        let files = BatchFiles { directory: beside.join(&plan.directory), shard };
        Ok(Self { plan, jobs, files })
    }

    /// The jobs that this shard does.
    pub fn shard_jobs(&self) -> impl Iterator<Item = &BatchJob> {
        self.jobs.iter().zip(0..).filter(|(_, number)| self.files.shard.has(*number)).map(|(job, _)| job)
    }
}
