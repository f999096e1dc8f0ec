//! One job of a batch, from its spec to its file.

use super::files::Files;
use super::journal::Solved;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use noregret_holdem::MemoryLimit;
use noregret_holdem::{
    Checkpoint, Earlier, Ending, Goal, Job, Moment, Outcome, Plan, Resume, SaveOptions, Saved, Solution,
    Spec, resume, save,
};
use std::ops::ControlFlow;
use std::time::Duration;

/// What jobs are done with.
pub struct Workshop<'a> {
    pub plan: &'a Plan,
    pub files: &'a Files,
    pub limit: MemoryLimit,
    pub threads: usize,
    pub interrupt: &'a Interrupt,
}

/// How a job has ended.
pub enum Ended {
    /// It was done before.
    Found(Solved),
    /// It is done now.
    Done(Solved),
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
    pub fn find(&self, job: &Job) -> Result<Option<Solved>, Failure> {
        let path = self.files.solution(job);
        if !path.exists() {
            return Ok(None);
        }
        let saved = match Saved::open(&path) {
            Ok(saved) => saved,
            Err(error) if error.is_damage() => return Ok(None),
            Err(error) => return Err(Failure::job(format!("{}: {error}", path.display()))),
        };
        let is_asked_for = job.spec.as_ref().is_ok_and(|spec| is_of(spec, saved.spec()));
        if !is_asked_for || saved.summary().keep != self.plan.keep {
            return Err(Failure::job(format!(
                "{} holds the solution of another spec: move it away, or write to another directory",
                path.display()
            )));
        }
        let bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
        let progress = saved.progress();
        let last = progress.history.last();
        let exploitability_pct = last.map_or(f64::NAN, |check| check.exploitability_pct);
        Ok(Some(Solved {
            iterations: progress.iterations,
            exploitability_pct,
            target_reached: exploitability_pct <= saved.spec().solver.target_exploitability_pct,
            seconds: progress.elapsed.as_secs_f64(),
            bytes,
            strategy_digest: saved.summary().digest.clone(),
        }))
    }

    /// Solves a job and writes its file.
    pub fn solve(&self, job: &Job, progress: impl Fn(Now)) -> Ended {
        match self.try_to_solve(job, progress) {
            Ok(ended) => ended,
            Err(failure) => Ended::Failed(failure.message().to_owned()),
        }
    }

    fn try_to_solve(&self, job: &Job, progress: impl Fn(Now)) -> Result<Ended, Failure> {
        let spec = job.spec.as_ref().map_err(Failure::request)?;
        let outline = self.limit.lay_out(spec).map_err(Failure::request)?;
        let checkpoint = self.files.checkpoint(job);
        let resumed = Resume::open(&checkpoint).ok().filter(|resumed| is_of(spec, resumed.spec()));
        let solver = match &resumed {
            Some(resumed) => resumed.spec().solver.clone(),
            None => self.limit.fit(&outline, &spec.solver, self.threads).map_err(Failure::request)?,
        };
        self.limit.check(&outline, &solver, self.threads).map_err(Failure::request)?;
        let spec = &Spec { solver, ..spec.clone() };
        let game = outline.build();
        let mut solution = Solution::with_options(&game, &spec.solver);
        let earlier = resumed.and_then(|resumed| restore(&resumed, &mut solution)).unwrap_or_else(|| {
            solution = Solution::with_options(&game, &spec.solver);
            Earlier::default()
        });
        let goal = Goal {
            target_pct: spec.solver.target_exploitability_pct,
            max_iterations: spec.solver.max_iterations,
        };
        let every = Duration::from_secs(u64::from(self.plan.checkpoint_every));
        let mut checkpoint = (!every.is_zero()).then(|| Checkpoint::new(checkpoint, every));
        let outcome = resume(&mut solution, &goal, earlier, |moment: &Moment<'_, '_>| {
            progress(Now {
                iteration: moment.solution.iteration(),
                coarse_iteration: moment.solution.coarse_iteration().map(|(now, _)| now),
                exploitability_pct: moment.history.last().map(|check| check.exploitability_pct),
            });
            let stopping = self.interrupt.requested();
            if let Some(checkpoint) = &mut checkpoint {
                // A solve goes on without a checkpoint: at worst it starts again.
                let _ = checkpoint.keep(spec, moment, stopping);
            }
            if stopping { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if outcome.ending == Ending::Stopped {
            return Ok(Ended::Stopped);
        }
        self.write(job, spec, &solution, &outcome).map(Ended::Done)
    }

    fn write(
        &self,
        job: &Job,
        spec: &Spec,
        solution: &Solution<'_>,
        outcome: &Outcome,
    ) -> Result<Solved, Failure> {
        let path = self.files.solution(job);
        let cannot = |error| Failure::job(format!("cannot write {}: {error}", path.display()));
        let options = SaveOptions { keep: self.plan.keep, ..SaveOptions::default() };
        save(&path, spec, solution, &outcome.history, options).map_err(cannot)?;
        let bytes = std::fs::metadata(&path).map_err(cannot)?.len();
        // One that stays behind would only be looked at if the solution were gone.
        let _ = std::fs::remove_file(self.files.checkpoint(job));
        let last = outcome.last();
        Ok(Solved {
            iterations: last.iteration,
            exploitability_pct: last.exploitability_pct,
            target_reached: outcome.ending == Ending::Target,
            seconds: last.elapsed.as_secs_f64(),
            bytes,
            strategy_digest: solution.digest(),
        })
    }
}

/// Whether a file is of a spec, whatever precisions were picked for it where the spec leaves them open.
fn is_of(spec: &Spec, solved: &Spec) -> bool {
    Spec { solver: spec.solver.picked_as(&solved.solver), ..spec.clone() } == *solved
}

/// Brings a solution to where a checkpoint left off; none if that is not whole.
fn restore(resumed: &Resume, solution: &mut Solution<'_>) -> Option<Earlier> {
    resumed.restore(solution).ok()?;
    let progress = resumed.progress();
    Some(Earlier { history: progress.history.clone(), elapsed: progress.elapsed })
}
