//! `noregret batch --status`: which jobs are done, and what has become of the others.

use super::Batch;
use super::journal::{self, Solved, State};
use super::reporter::add_solved;
use super::solve_job::Workshop;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output;
use crate::palette::{BAD, BOLD, DIM, GOOD};
use noregret_holdem::Job;
use noregret_holdem::MemoryLimit;
use noregret_store::Bytes;
use serde_json::json;

/// What has become of a job.
enum Standing {
    Done(Solved),
    Failed(String),
    /// A run is solving it.
    AtWork,
    /// A run was stopped or killed while it solved it.
    CutShort,
    Waiting,
}

/// Prints the standing of every job of the shard.
pub fn print(batch: &Batch, as_json: bool) -> Result<(), Failure> {
    let (states, at_work) = journal::read(&batch.files.journal());
    let interrupt = Interrupt::never();
    let workshop = Workshop {
        plan: &batch.plan,
        files: &batch.files,
        limit: MemoryLimit::of_command_line(None),
        threads: 1,
        interrupt: &interrupt,
    };
    let mut counts = [0; 5];
    for job in batch.shard_jobs() {
        let standing = standing(&workshop, job, states.get(&job.name), at_work);
        let (place, name) = match &standing {
            Standing::Done(_) => (0, "done"),
            Standing::Failed(_) => (1, "failed"),
            Standing::AtWork => (2, "solving"),
            Standing::CutShort => (3, "cut short"),
            Standing::Waiting => (4, "waiting"),
        };
        counts[place] += 1;
        if as_json {
            let mut value = json!({
                "job": job.name, "flop": job.flop.to_string(), "weight": job.weight, "variant": job.variant, "state": name,
            });
            match &standing {
                Standing::Done(solved) => add_solved(&mut value, solved),
                Standing::Failed(error) => value["error"] = error.as_str().into(),
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

fn standing(workshop: &Workshop<'_>, job: &Job, state: Option<&State>, at_work: bool) -> Standing {
    match (workshop.find(job), state) {
        (Ok(Some(solved)), _) => Standing::Done(solved),
        (Err(failure), _) => Standing::Failed(failure.message().to_owned()),
        (Ok(None), Some(State::Failed { error })) => Standing::Failed(error.clone()),
        (Ok(None), Some(State::Solving)) if at_work => Standing::AtWork,
        (Ok(None), Some(State::Solving)) => Standing::CutShort,
        (Ok(None), Some(State::Done(_)) | None) => Standing::Waiting,
    }
}

fn text(job: &Job, standing: &Standing, name: &str) -> String {
    let style = match standing {
        Standing::Done(_) => GOOD,
        Standing::Failed(_) => BAD,
        Standing::AtWork | Standing::CutShort => BOLD,
        Standing::Waiting => DIM,
    };
    let rest = match standing {
        Standing::Done(solved) => format!(
            "{:.4}% in {} iterations, {:.1} s, {}",
            solved.exploitability_pct,
            solved.iterations,
            solved.seconds,
            Bytes(solved.bytes)
        ),
        Standing::Failed(error) => error.clone(),
        _ => String::new(),
    };
    format!("{:<20} {:>6}  {style}{name:<10}{style:#} {rest}", job.name, job.weight).trim_end().to_owned()
}
