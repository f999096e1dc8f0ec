//! A plan that has been read.

use super::files::BatchFiles;
use crate::failure::Failure;
use crate::solve::input;
use noregret_holdem::{BatchJob, BatchPlan};
use noregret_store::{Place, Shard};
use std::collections::HashSet;
use std::path::Path;

/// A plan with the files that it names.
pub struct OpenBatch {
    pub plan: BatchPlan,
    pub jobs: Vec<BatchJob>,
    pub files: BatchFiles,
    /// The jobs that are to be done, by name; all of the shard if there are none.
    only: Option<HashSet<String>>,
}

impl OpenBatch {
    /// Reads a plan and the spec that it names. `out` takes the place of its directory.
    pub fn read(
        path: &Path,
        out: Option<&Path>,
        shard: Shard,
        only: Option<&[String]>,
    ) -> Result<Self, Failure> {
        let plan = input::document(path, "the plan", BatchPlan::from_bytes)?;
        let beside = path.parent().unwrap_or(Path::new(""));
        let spec = Place::beside(beside, &plan.spec);
        let base = input::read(&spec)?;
        let spec = spec.display().to_string();
        let jobs = plan.jobs(&base).map_err(|error| Failure::request(format!("{spec}: {error}")))?;
        let directory = out.map_or_else(|| Place::beside(beside, &plan.directory), Path::to_owned);
        if let Some(name) =
            only.unwrap_or_default().iter().find(|name| !jobs.iter().any(|job| job.name == **name))
        {
            return Err(Failure::request(format!("--jobs: the plan has no job `{name}`")));
        }
        let only: Option<HashSet<String>> = only.map(|names| names.iter().cloned().collect());
        let files = BatchFiles { directory, shard, is_shared: only.is_some() };
        Ok(Self { plan, jobs, files, only })
    }

    /// The jobs that this run does.
    pub fn shard_jobs(&self) -> impl Iterator<Item = &BatchJob> {
        let is_mine = |job: &BatchJob| self.only.as_ref().is_none_or(|names| names.contains(&job.name));
        let mine = self.jobs.iter().zip(0..).filter(|(_, number)| self.files.shard.has(*number));
        mine.map(|(job, _)| job).filter(move |job| is_mine(job))
    }
}
