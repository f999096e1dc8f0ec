//! `noregret batch --status`: which jobs are done, and what has become of the others.

use super::journal::{self, JournalState, SolvedJob};
use super::open_batch::OpenBatch;
use super::reporter::add_solved;
use super::solve_job::Workshop;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output;
use crate::palette::{BAD, BOLD, DIM, GOOD};
use noregret_holdem::BatchJob;
use noregret_holdem::MemoryLimit;
use noregret_store::Bytes;
use serde_json::json;

/// What has become of a job.
enum JobStanding {
    Done(SolvedJob),
    Failed(String),
    /// A run is solving it.
    AtWork,
    /// A run was stopped or killed while it solved it.
    CutShort,
    Waiting,
}

/// Prints the standing of every job of the shard.
pub fn print(batch: &OpenBatch, as_json: bool) -> Result<(), Failure> {
    let (states, at_work) = journal::read(&batch.files.journal());
    let interrupt = Interrupt::never();
    let workshop = Workshop {
        keep: batch.plan.keep,
        checkpoint_every: batch.plan.checkpoint_every,
        files: &batch.files,
        limit: MemoryLimit::of_machine(),
        threads: 1,
        interrupt: &interrupt,
        buffers: Default::default(),
    };
    let mut counts = [0; 5];
    for job in batch.shard_jobs() {
        let standing = standing(&workshop, job, states.get(&job.name), at_work);
        let (place, name) = match &standing {
            JobStanding::Done(_) => (0, "done"),
            JobStanding::Failed(_) => (1, "failed"),
            JobStanding::AtWork => (2, "solving"),
            JobStanding::CutShort => (3, "cut short"),
            JobStanding::Waiting => (4, "waiting"),
        };
        counts[place] += 1;
        if as_json {
            let mut value = json!({
                "job": job.name, "flop": job.flop.to_string(), "weight": job.weight, "variant": job.variant, "state": name,
            });
            match &standing {
                JobStanding::Done(solved) => add_solved(&mut value, solved),
                JobStanding::Failed(error) => value["error"] = error.as_str().into(),
                _ => {}
            }
            output::print(value)?;
        } else {
            output::print(text(job, &standing, name))?;
        }
    }
    if !as_json {
        let [done, failed, solving, cut_short, waiting] = counts;
        output::print(format!(
            "{BOLD}{done} done, {failed} failed, {solving} solving, {cut_short} cut short, {waiting} waiting{BOLD:#}"
        ))?;
    }
    Ok(())
}

fn standing(
    workshop: &Workshop<'_>,
    job: &BatchJob,
    state: Option<&JournalState>,
    at_work: bool,
) -> JobStanding {
    match (workshop.find(job), state) {
        (Ok(Some(solved)), _) => JobStanding::Done(solved),
        (Err(failure), _) => JobStanding::Failed(failure.message().to_owned()),
        (Ok(None), Some(JournalState::Failed { error })) => JobStanding::Failed(error.clone()),
        (Ok(None), Some(JournalState::Solving)) if at_work => JobStanding::AtWork,
        (Ok(None), Some(JournalState::Solving)) => JobStanding::CutShort,
        (Ok(None), Some(JournalState::Done(_)) | None) => JobStanding::Waiting,
    }
}

fn text(job: &BatchJob, standing: &JobStanding, name: &str) -> String {
    let style = match standing {
        JobStanding::Done(_) => GOOD,
        JobStanding::Failed(_) => BAD,
        JobStanding::AtWork | JobStanding::CutShort => BOLD,
        JobStanding::Waiting => DIM,
    };
    let rest = match standing {
        JobStanding::Done(solved) => format!(
            "{:.4}% in {} iterations, {:.1} s, {}",
            solved.exploitability_pct,
            solved.iterations,
            solved.seconds,
            Bytes(solved.bytes)
        ),
        JobStanding::Failed(error) => error.clone(),
        _ => String::new(),
    };
    format!("{:<20} {:>6}  {style}{name:<10}{style:#} {rest}", job.name, job.weight).trim_end().to_owned()
}
