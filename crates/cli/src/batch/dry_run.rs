//! `noregret batch --dry-run`: which jobs there are, and what memory each takes.

use super::open_batch::OpenBatch;
use crate::failure::Failure;
use crate::output;
use noregret_holdem::{BatchJob, MemoryLimit, SolvePlan};
use noregret_store::Bytes;
use rayon::prelude::*;
use serde_json::json;

/// Prints every job of the run with the bytes that it allocates on so many threads.
pub fn print(batch: &OpenBatch, limit: MemoryLimit, threads: usize, as_json: bool) -> Result<(), Failure> {
    let jobs: Vec<&BatchJob> = batch.shard_jobs().collect();
    let sizes: Vec<Result<u64, String>> = jobs.par_iter().map(|job| memory(job, &limit, threads)).collect();
    for (job, size) in jobs.iter().zip(&sizes) {
        let mut value = json!({
            "job": job.name, "flop": job.flop.to_string(), "weight": job.weight, "variant": job.variant,
        });
        let text = match size {
            Ok(bytes) => {
                value["memory_bytes"] = (*bytes).into();
                Bytes(*bytes).to_string()
            }
            Err(error) => {
                value["error"] = error.as_str().into();
                error.clone()
            }
        };
        if as_json {
            output::print(value)?;
        } else {
            output::print(format!("{:<20} {:>6}  {text}", job.name, job.weight))?;
        }
    }
    if !as_json {
        let most = sizes.iter().flatten().max().map_or(0, |bytes| *bytes);
        output::print(format!("{} jobs of up to {} each", jobs.len(), Bytes(most)))?;
    }
    Ok(())
}

fn memory(job: &BatchJob, limit: &MemoryLimit, threads: usize) -> Result<u64, String> {
    let spec = job.spec.as_ref().map_err(ToString::to_string)?;
    let plan = SolvePlan::new(spec.clone(), limit, threads).map_err(|error| error.to_string())?;
    Ok(plan.size().memory.on_threads(threads) as u64)
}
