//! One solve at work, on a thread of its own.

use super::aim::goal;
use super::record::{Record, keep, point};
use super::{Jobs, Signal};
use crate::api::solves::{HistoryPoint, JobState};
use crate::library::Id;
use crate::priority;
use noregret_holdem::{
    Checked, Checkpoint, Earlier, Ending, Head, Moment, Outcome, Postflop, Resume, ResumeError, SaveOptions,
    Solution, Spec, resume, save,
};
use noregret_store::ArchiveError;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How a run has ended.
enum Ended {
    Stopped,
    /// With the id of the solution.
    Done(String),
}

/// A measurement as the solver has it.
pub fn check(point: &HistoryPoint) -> Checked {
    Checked {
        iteration: point.iteration,
        elapsed: Duration::try_from_secs_f64(point.seconds).unwrap_or_default(),
        exploitability_pct: point.exploitability_pct,
    }
}

/// Whether a file is a solution of this spec, to whatever goal.
fn is_of(path: &Path, spec: &Spec) -> bool {
    Head::read(path).is_ok_and(|head| {
        let mut old = head.spec;
        old.solver.target_exploitability_pct = spec.solver.target_exploitability_pct;
        old.solver.max_iterations = spec.solver.max_iterations;
        old.to_string() == spec.to_string()
    })
}

impl Jobs {
    /// Solves to the end and starts the next one.
    pub(super) fn work(self: Arc<Self>, id: u32, signal: &Signal) {
        let solved = catch_unwind(AssertUnwindSafe(|| self.solve(id, signal)));
        let solved =
            solved.unwrap_or_else(|_| Err("the solver has broken down: please report this spec".to_owned()));
        let mut inner = self.lock();
        inner.running.remove(&id);
        let closing = inner.closing;
        match inner.records.get_mut(&id) {
            Some(record) => {
                match solved {
                    Ok(Ended::Stopped) if closing => record.state = JobState::Interrupted,
                    Ok(Ended::Stopped) => record.state = JobState::Stopped,
                    Ok(Ended::Done(solution)) => {
                        (record.state, record.solution) = (JobState::Done, Some(solution));
                    }
                    Err(error) => (record.state, record.error) = (JobState::Failed, Some(error)),
                }
                // What cannot be written now is found as interrupted at the next start.
                let _ = self.folder(id).write(record);
            }
            // Forgotten meanwhile: what cannot be removed is in nobody's way.
            None => drop(self.folder(id).remove()),
        }
        self.schedule(&mut inner);
        self.idle.notify_all();
    }

    fn solve(&self, id: u32, signal: &Signal) -> Result<Ended, String> {
        let text = self.folder(id).spec().map_err(|error| format!("cannot read the spec: {error}"))?;
        let spec = Spec::from_bytes(&text).map_err(|error| error.to_string())?;
        let record = self.lock().records.get(&id).cloned().ok_or("it was forgotten")?;
        let outline = self.outline(&spec).map_err(|error| error.to_string())?;
        self.limit.check(&outline, &spec.solver, self.threads).map_err(|error| error.to_string())?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .start_handler(|_| priority::give_way())
            .build();
        let pool = pool.map_err(|error| format!("cannot start {} threads: {error}", self.threads))?;
        pool.install(|| {
            let game = outline.build();
            let Some((mut solution, earlier)) = self.bring(&record, &spec, &game, signal)? else {
                return Ok(Ended::Stopped);
            };
            let outcome = self.iterate(id, &spec, &mut solution, earlier, signal)?;
            if outcome.ending == Ending::Stopped {
                return Ok(Ended::Stopped);
            }
            self.save(&record, &spec, &solution, &outcome).map(Ended::Done)
        })
    }

    /// A solution where the checkpoint left off, or the solution that it continues; new if there is neither. None if it was
    /// stopped on the way.
    fn bring<'g>(
        &self,
        record: &Record,
        spec: &Spec,
        game: &'g Postflop,
        signal: &Signal,
    ) -> Result<Option<(Solution<'g>, Earlier)>, String> {
        if let Some(brought) = self.bring_checkpoint(record.id, spec, game)? {
            return Ok(Some(brought));
        }
        let mut solution = Solution::with_options(game, &spec.solver);
        let Some(from) = &record.continue_from else { return Ok(Some((solution, Earlier::default()))) };
        let cannot = |error: &dyn std::fmt::Display| format!("cannot go on from `{from}`: {error}");
        let found = self.library.solution(from).map_err(|_| cannot(&"it is gone"))?;
        let resume = Resume::open(&found.path).map_err(|error| cannot(&error))?;
        if let Some(difference) = resume.difference(spec) {
            return Err(cannot(&format!("it is not of this spec: {difference}")));
        }
        let earlier = resume.bring(&mut solution, |iteration| {
            self.update(record.id, |record, _| record.iteration = iteration);
            !signal.stop()
        });
        Ok(earlier.map_err(|error| cannot(&error))?.map(|earlier| (solution, earlier)))
    }

    /// A solution where the checkpoint left off. None if there is no checkpoint, or one that has come to harm: the same
    /// iterations lead to the same place. None, too, if it was stopped before the first iteration: it has nothing, and may be of
    /// another number of iterations. One that cannot be read for another reason is not thrown away.
    fn bring_checkpoint<'g>(
        &self,
        id: u32,
        spec: &Spec,
        game: &'g Postflop,
    ) -> Result<Option<(Solution<'g>, Earlier)>, String> {
        let cannot = |error: &dyn std::fmt::Display| format!("cannot go on from the checkpoint: {error}");
        let checkpoint = match Resume::open(&self.checkpoint(id)) {
            Ok(checkpoint) if checkpoint.progress().iterations == 0 => return Ok(None),
            Ok(checkpoint) => checkpoint,
            Err(ArchiveError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.is_damage() => return Ok(None),
            Err(error) => return Err(cannot(&error)),
        };
        if let Some(difference) = checkpoint.difference(spec) {
            return Err(format!("the checkpoint is not of this spec: {difference}"));
        }
        let mut solution = Solution::with_options(game, &spec.solver);
        match checkpoint.bring(&mut solution, |_| true) {
            Ok(earlier) => Ok(earlier.map(|earlier| (solution, earlier))),
            Err(ResumeError::File(error)) if error.is_damage() => Ok(None),
            Err(error) => Err(cannot(&error)),
        }
    }

    /// Iterates to the goal, with checkpoints on the way.
    fn iterate(
        &self,
        id: u32,
        spec: &Spec,
        solution: &mut Solution<'_>,
        earlier: Earlier,
        signal: &Signal,
    ) -> Result<Outcome, String> {
        let goal = goal(spec);
        let mut checkpoint = Checkpoint::new(self.checkpoint(id), self.checkpoint_every);
        let mut lost = None;
        let outcome = resume(solution, &goal, earlier, |moment: &Moment<'_, '_>| {
            self.show(id, moment);
            if signal.dropped() {
                return ControlFlow::Break(());
            }
            let stopping = signal.stop();
            let before = checkpoint.iteration();
            // A solve goes on without a checkpoint; one that was stopped has then lost what it promised to keep.
            lost = checkpoint.keep(spec, moment, stopping).err();
            if checkpoint.iteration() != before {
                self.write_state(id);
            }
            if stopping { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let end = Moment { solution, history: &outcome.history, elapsed: outcome.last().elapsed };
        self.show(id, &end);
        if outcome.ending != Ending::Stopped {
            lost = checkpoint.keep(spec, &end, true).err();
        }
        match lost {
            Some(error) if outcome.ending == Ending::Stopped => {
                Err(format!("cannot write the checkpoint: {error}"))
            }
            _ => Ok(outcome),
        }
    }

    /// Writes the solution: to the place of the one that this solve has made before, or to a new one if that is gone or
    /// another has its name now.
    fn save(
        &self,
        record: &Record,
        spec: &Spec,
        solution: &Solution<'_>,
        outcome: &Outcome,
    ) -> Result<String, String> {
        let options = SaveOptions { keep: keep(record.save), regrets: false };
        let cannot = |error: std::io::Error| format!("cannot write the solution: {error}");
        let write = |path: &Path| save(path, spec, solution, &outcome.history, options).map_err(cannot);
        let own = record.solution.as_ref().and_then(|id| self.library.solution(id).ok());
        if let Some(found) = own.filter(|found| is_of(&found.path, spec)) {
            write(&found.path)?;
            return Ok(found.id.as_str().to_owned());
        }
        let reserved = self.library.reserve(&Id::new(&record.name)?).map_err(cannot)?;
        write(&reserved.path)?;
        Ok(reserved.id.as_str().to_owned())
    }

    /// Takes over how far a run is.
    fn show(&self, id: u32, moment: &Moment<'_, '_>) {
        self.update(id, |record, from| {
            record.iteration = moment.solution.iteration();
            record.seconds = moment.elapsed.as_secs_f64();
            from.get_or_insert((record.iteration, record.seconds));
            let new = moment.history.len() != record.history.len()
                || moment.history.last().map(point) != record.history.last().copied();
            if new {
                record.history = moment.history.iter().map(point).collect();
            }
        });
    }

    fn update(&self, id: u32, change: impl FnOnce(&mut Record, &mut Option<(u32, f64)>)) {
        let inner = &mut *self.lock();
        if let (Some(record), Some(running)) = (inner.records.get_mut(&id), inner.running.get_mut(&id)) {
            change(record, &mut running.from);
        }
        self.tell();
    }

    /// Writes the state as it is, if it can be: it is only what a list shows.
    fn write_state(&self, id: u32) {
        let record = self.lock().records.get(&id).cloned();
        if let Some(record) = record {
            let _ = self.folder(id).write(&record);
        }
    }
}
