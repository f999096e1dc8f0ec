//! One job of a batch, from its spec to its file.

use super::files::BatchFiles;
use super::journal::SolvedJob;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use noregret_holdem::MemoryLimit;
use noregret_holdem::{
    BatchJob, Checkpoint, Control, Forgives, Progress, ResumeFile, SaveOptions, SavedStreets, SolutionFile,
    SolveJob, SolveObserver, Solved, Spec, StartFrom, StateBuffers, StopReason,
};
use noregret_store::{ArchiveError, ContainerError};
use std::io::ErrorKind;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What jobs are done with.
pub struct Workshop<'a> {
    /// Which streets the files keep.
    pub keep: SavedStreets,
    /// How often a job at work writes a checkpoint; none for never.
    pub checkpoint_every: Option<Duration>,
    pub files: &'a BatchFiles,
    pub limit: MemoryLimit,
    pub threads: usize,
    pub interrupt: &'a Interrupt,
    /// The memory of the last job, for the next one.
    pub buffers: Mutex<StateBuffers>,
}

/// How a job has ended.
pub enum JobEnd {
    /// It was done before.
    Found(SolvedJob),
    /// It is done now.
    Done(SolvedJob),
    Failed(String),
    /// The user wanted to stop; what was reached is in a checkpoint, if the plan has any.
    Stopped,
}

/// How far a solve is.
pub struct Now {
    pub iteration: u32,
    /// Of the coarser tree, while that is being solved.
    pub coarse_iteration: Option<u32>,
    pub exploitability_pct: Option<f64>,
}

impl Workshop<'_> {
    /// The solution of a job, if it is there. A file that holds something else is an error, as it would be written over; one
    /// that is not whole is nothing.
    pub fn find(&self, job: &BatchJob) -> Result<Option<SolvedJob>, Failure> {
        let path = self.files.solution(job);
        let saved = match SolutionFile::open(&path) {
            Ok(saved) => saved,
            Err(error) if error.is_damage() => return Ok(None),
            Err(ArchiveError::Io(error)) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Failure::job(format!("{}: {error}", path.display()))),
        };
        let is_asked_for = job.spec.as_ref().is_ok_and(|spec| is_of(spec, saved.spec()));
        if !is_asked_for || saved.summary().keep != self.keep {
            return Err(Failure::job(format!(
                "{} holds the solution of another spec: move it away, or write to another directory",
                path.display()
            )));
        }
        let bytes = noregret_store::length(&path).unwrap_or(0);
        let progress = saved.progress();
        let last = progress.history.last();
        let exploitability_pct = last.map_or(f64::NAN, |check| check.exploitability_pct);
        Ok(Some(SolvedJob {
            iterations: progress.iterations,
            exploitability_pct,
            target_reached: exploitability_pct <= saved.spec().solver.target_exploitability_pct,
            seconds: progress.elapsed.as_secs_f64(),
            bytes,
            strategy_digest: saved.summary().digest.clone(),
        }))
    }

    /// Removes the checkpoint of a job whose solution is there: a run may have been killed after it wrote the one and before it
    /// removed the other. What is not a checkpoint of this job stays.
    pub fn remove_old_checkpoint(&self, job: &BatchJob) {
        let path = self.files.checkpoint(job);
        let is_ours = |resumed: &ResumeFile| job.spec.as_ref().is_ok_and(|spec| is_of(spec, resumed.spec()));
        if ResumeFile::open(&path).is_ok_and(|resumed| is_ours(&resumed)) {
            // One that stays behind would only be read if the solution were gone.
            let _ = noregret_store::remove(&path);
        }
    }

    /// Solves a job and writes its file.
    pub fn solve(&self, job: &BatchJob, progress: impl Fn(Now)) -> JobEnd {
        match self.try_to_solve(job, progress) {
            Ok(ended) => ended,
            Err(failure) => JobEnd::Failed(failure.message().to_owned()),
        }
    }

    fn try_to_solve(&self, job: &BatchJob, progress: impl Fn(Now)) -> Result<JobEnd, Failure> {
        let spec = job.spec.as_ref().map_err(Failure::request)?;
        let checkpoint = self.files.checkpoint(job);
        let resumed = match ResumeFile::open(&checkpoint) {
            Ok(resumed) => Some(resumed).filter(|resumed| is_of(spec, resumed.spec())),
            Err(ArchiveError::Content(ContainerError::Kind(_))) => {
                return Err(Failure::job(format!(
                    "{} is not a checkpoint, and would be written over: move it away, or write to another directory",
                    checkpoint.display()
                )));
            }
            Err(_) => None,
        };
        // Precisions stay those that the checkpoint has.
        let picked = resumed.as_ref().map(|resumed| resumed.spec().solver.clone());
        let spec = Spec { solver: picked.unwrap_or_else(|| spec.solver.clone()), ..spec.clone() };
        let checkpoint = self.checkpoint_every.map(|every| Checkpoint::new(checkpoint, every));
        let start = resumed.map_or(StartFrom::Nothing, |resumed| StartFrom::FileOr {
            file: Box::new(resumed),
            forgives: Forgives::Everything,
            otherwise: Box::new(StartFrom::Nothing),
        });
        let solve = SolveJob::plan(spec, &self.limit, self.threads).map_err(Failure::request)?;
        let buffers = std::mem::take(&mut *self.buffers.lock().unwrap_or_else(PoisonError::into_inner));
        let solve = solve.starting_from(start).with_checkpoint(checkpoint).in_buffers(buffers);
        let solved = solve.run(&mut BatchWatch { progress, interrupt: self.interrupt });
        match solved.map_err(Failure::job)? {
            Some(solved) if solved.outcome.reason != StopReason::Stopped => {
                let written = self.write(job, &solved).map(JobEnd::Done);
                *self.buffers.lock().unwrap_or_else(PoisonError::into_inner) = solved.solver.into_buffers();
                written
            }
            _ => Ok(JobEnd::Stopped),
        }
    }

    fn write(&self, job: &BatchJob, solved: &Solved) -> Result<SolvedJob, Failure> {
        let path = self.files.solution(job);
        let cannot = |error| Failure::job(format!("cannot write {}: {error}", path.display()));
        let options = SaveOptions { keep: self.keep, ..SaveOptions::default() };
        solved.save(&path, options).map_err(cannot)?;
        let bytes = noregret_store::length(&path).map_err(cannot)?;
        // One that stays behind would only be read if the solution were gone.
        let _ = noregret_store::remove(&self.files.checkpoint(job));
        let last = solved.last();
        Ok(SolvedJob {
            iterations: last.iteration,
            exploitability_pct: last.exploitability_pct,
            target_reached: solved.outcome.reason == StopReason::Target,
            seconds: last.elapsed.as_secs_f64(),
            bytes,
            strategy_digest: solved.solver.digest(),
        })
    }
}

/// Tells how far a job is, and stops it when the user wants to. A checkpoint that cannot be written is no reason to stop: at worst
/// the job starts again.
struct BatchWatch<'a, F> {
    progress: F,
    interrupt: &'a Interrupt,
}

impl<F: Fn(Now)> SolveObserver for BatchWatch<'_, F> {
    fn progress(&mut self, progress: &Progress<'_>) -> Control {
        (self.progress)(Now {
            iteration: progress.solver.iteration(),
            coarse_iteration: progress.solver.coarse_iteration().map(|(now, _)| now),
            exploitability_pct: progress.history.last().map(|check| check.exploitability_pct),
        });
        if self.interrupt.requested() { Control::Stop } else { Control::Continue }
    }
}

/// Whether a file is of a spec, whatever precisions were picked for it where the spec leaves them open.
fn is_of(spec: &Spec, solved: &Spec) -> bool {
    spec.clone().continuing(solved) == *solved
}
