//! One solve at work, on a thread of its own.

use super::record::{Record, keep, point};
use super::{Jobs, Signal};
use crate::api::solves::JobState;
use crate::library::Id;
use crate::priority;
use noregret_holdem::{
    Checkpoint, Control, Forgives, LockEffect, Measurement, Progress, ResumeFile, SaveOptions,
    SolutionHeader, SolveJob, SolveObserver, Solved, Spec, StartFrom, StopReason, save,
};
use noregret_store::{ArchiveError, StoreError};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

/// How a run has ended.
enum SolveEnd {
    /// With the id of the solution, if there was anything to save.
    Stopped(Option<String>),
    /// With the id of the solution.
    Done(String),
}

/// Whether a file is a solution of this spec, to whatever goal. An error if a store does not say.
fn is_of(path: &Path, spec: &Spec) -> io::Result<bool> {
    let head = match SolutionHeader::read(path) {
        Ok(head) => head,
        Err(ArchiveError::Io(error)) if StoreError::is_in(&error) => return Err(error),
        Err(_) => return Ok(false),
    };
    // Before the hands of its locks by merit are known, a solve is of the spot without them.
    let mut old = Spec { spot: head.spec.spot.clone().resolved_as(&spec.spot), ..head.spec };
    old.solver.target_exploitability_pct = spec.solver.target_exploitability_pct;
    old.solver.max_iterations = spec.solver.max_iterations;
    Ok(old.to_string() == spec.to_string())
}

/// Records how far a solve is, and stops it when it is asked to.
struct JobWatch<'a> {
    jobs: &'a Jobs,
    id: u32,
    signal: &'a Signal,
}

impl SolveObserver for JobWatch<'_> {
    fn progress(&mut self, progress: &Progress<'_>) -> Control {
        self.jobs.show(self.id, progress);
        match self.signal {
            signal if signal.dropped() => Control::Abandon,
            signal if signal.stop() => Control::Stop,
            _ => Control::Continue,
        }
    }

    fn replaying(&mut self, iteration: u32) -> Control {
        self.jobs.update(self.id, |record, _| record.iteration = iteration);
        if self.signal.stop() { Control::Stop } else { Control::Continue }
    }

    fn look(&mut self, spec: &Spec, progress: &Progress<'_>) {
        let has_begun = progress.solver.iteration() > 0 && progress.solver.coarse_iteration().is_none();
        if !has_begun || !self.signal.take_question() {
            return;
        }
        // What cannot be written is not there to be looked at; the solve goes on.
        let _ = self.jobs.save_so_far(self.id, spec, progress);
    }

    fn resolved(&mut self, _effects: &[LockEffect], _ev: [f64; 2]) {
        let inner = &mut *self.jobs.lock();
        if let Some(running) = inner.running.get_mut(&self.id) {
            running.from = None;
        }
    }

    fn checkpoint_written(&mut self) {
        self.jobs.write_state(self.id);
    }
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
                    Ok(SolveEnd::Stopped(_)) if closing => record.state = JobState::Interrupted,
                    Ok(SolveEnd::Stopped(solution)) => {
                        record.state = JobState::Stopped;
                        if solution.is_some() {
                            (record.solution, record.solution_iteration) = (solution, Some(record.iteration));
                        }
                    }
                    Ok(SolveEnd::Done(solution)) => {
                        (record.state, record.solution) = (JobState::Done, Some(solution));
                        record.solution_iteration = Some(record.iteration);
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

    fn solve(&self, id: u32, signal: &Signal) -> Result<SolveEnd, String> {
        let text = self.folder(id).spec().map_err(|error| format!("cannot read the spec: {error}"))?;
        let mut spec = Spec::from_bytes(&text).map_err(|error| error.to_string())?;
        // Precisions that were timed before stay what they were.
        if let Ok(checkpoint) = ResumeFile::open(&self.checkpoint(id)) {
            spec = spec.continuing(checkpoint.spec());
        }
        let record = self.lock().records.get(&id).cloned().ok_or("it was forgotten")?;
        let job = SolveJob::plan(spec, &self.limit, self.threads).map_err(|error| error.to_string())?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .start_handler(|_| priority::give_way())
            .build();
        let pool = pool.map_err(|error| format!("cannot start {} threads: {error}", self.threads))?;
        let (start, from) = pool.install(|| self.start_of(&record, job.spec()))?;
        let checkpoint = Checkpoint::new(self.checkpoint(id), self.checkpoint_every).at_end();
        let job = job.starting_from(start).with_checkpoint(Some(checkpoint));
        let solved = pool.install(|| job.run(&mut JobWatch { jobs: self, id, signal }));
        let Some(solved) = solved.map_err(|error| format!("cannot go on from {from}: {error}"))? else {
            return Ok(SolveEnd::Stopped(None));
        };
        let (is_closing, made) = (self.lock().closing, solved.solver.iteration());
        match (&solved.lost_checkpoint, solved.outcome.reason) {
            (Some(error), _) => Err(format!("cannot write the checkpoint: {error}")),
            (None, StopReason::Stopped) if signal.dropped() || is_closing || made == 0 => {
                Ok(SolveEnd::Stopped(None))
            }
            (None, StopReason::Stopped) => {
                // The checkpoint has it all: what cannot be saved is not there to be looked at, and nothing is lost.
                Ok(SolveEnd::Stopped(pool.install(|| self.save(id, &solved)).ok()))
            }
            (None, _) => pool.install(|| self.save(id, &solved)).map(SolveEnd::Done),
        }
    }

    /// Where a solve starts, and what that is called: its checkpoint, the solution that it continues, or nothing.
    fn start_of(&self, record: &Record, spec: &Spec) -> Result<(StartFrom, String), String> {
        let otherwise = self.continued(record, spec);
        match self.open_checkpoint(record.id, spec)? {
            None => otherwise,
            Some(checkpoint) => {
                let start = StartFrom::FileOr {
                    file: checkpoint.into(),
                    forgives: Forgives::Damage,
                    otherwise: Box::new(otherwise.map_or(StartFrom::Nothing, |(start, _)| start)),
                };
                Ok((start, "the checkpoint".to_owned()))
            }
        }
    }

    /// The solution that a solve continues, and what it is called; nothing if it begins anew.
    fn continued(&self, record: &Record, spec: &Spec) -> Result<(StartFrom, String), String> {
        let Some(from) = &record.continue_from else { return Ok((StartFrom::Nothing, String::new())) };
        let cannot = |error: &dyn std::fmt::Display| format!("cannot go on from `{from}`: {error}");
        let found = self.library.solution(from).map_err(|_| cannot(&"it is gone"))?;
        let resume = ResumeFile::open(&found.path).map_err(|error| cannot(&error))?;
        if let Some(difference) = resume.difference(spec) {
            return Err(cannot(&format!("it is not of this spec: {difference}")));
        }
        Ok((StartFrom::File(resume.into()), format!("`{from}`")))
    }

    /// The checkpoint of a solve. None if there is none, or a damaged one: the same iterations lead to the same place. None, too,
    /// if it was stopped before the first iteration: it has nothing, and may be of another number of iterations. One that cannot
    /// be read for another reason is not thrown away.
    fn open_checkpoint(&self, id: u32, spec: &Spec) -> Result<Option<ResumeFile>, String> {
        let checkpoint = match ResumeFile::open(&self.checkpoint(id)) {
            Ok(checkpoint) if checkpoint.progress().iterations == 0 => return Ok(None),
            Ok(checkpoint) => checkpoint,
            Err(ArchiveError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.is_damage() => return Ok(None),
            Err(error) => return Err(format!("cannot go on from the checkpoint: {error}")),
        };
        match checkpoint.difference(spec) {
            Some(difference) => Err(format!("the checkpoint is not of this spec: {difference}")),
            None => Ok(Some(checkpoint)),
        }
    }

    /// Writes the solution: to the place of the one that this solve has made before, or to a new one if that is gone or
    /// another has its name now.
    fn save(&self, id: u32, solved: &Solved) -> Result<String, String> {
        self.write(id, &solved.spec, |path, options| solved.save(path, options))
    }

    /// Writes what a solve has so far, measured as it is, to the same place.
    fn save_so_far(&self, id: u32, spec: &Spec, progress: &Progress<'_>) -> Result<(), String> {
        let iteration = progress.solver.iteration();
        let mut history = progress.history.to_vec();
        if history.last().is_none_or(|check| check.iteration != iteration) {
            let (elapsed, exploitability_pct) = (progress.elapsed, progress.solver.exploitability_pct());
            history.push(Measurement { iteration, elapsed, exploitability_pct });
        }
        let written =
            self.write(id, spec, |path, options| save(path, spec, progress.solver, &history, options))?;
        self.update(id, |record, _| {
            (record.solution, record.solution_iteration) = (Some(written), Some(iteration));
        });
        Ok(())
    }

    fn write(
        &self,
        id: u32,
        spec: &Spec,
        write: impl Fn(&Path, SaveOptions) -> io::Result<()>,
    ) -> Result<String, String> {
        let record = self.lock().records.get(&id).cloned().ok_or("it was forgotten")?;
        let options = SaveOptions { keep: keep(record.save), regrets: false };
        let cannot = |error: io::Error| format!("cannot write the solution: {error}");
        let own = match record.solution.as_ref().map(|id| self.library.solution(id)) {
            Some(Ok(found)) => Some(found),
            // The store does not say whether it is there.
            Some(Err(failure)) if !failure.is_lasting() => return Err(failure.message().to_owned()),
            Some(Err(_)) | None => None,
        };
        if let Some(found) = own
            && is_of(&found.path, spec).map_err(cannot)?
        {
            let written = write(&found.path, options);
            self.library.changed(&found.id);
            return written.map_err(cannot).map(|()| found.id.as_str().to_owned());
        }
        let reserved = self.library.reserve(&Id::new(&record.name)?).map_err(cannot)?;
        let written = write(&reserved.path, options);
        self.library.changed(&reserved.id);
        written.map_err(cannot).map(|()| reserved.id.as_str().to_owned())
    }

    /// Takes over how far a run is.
    fn show(&self, id: u32, progress: &Progress<'_>) {
        self.update(id, |record, from| {
            record.iteration = progress.solver.iteration();
            record.seconds = progress.elapsed.as_secs_f64();
            from.get_or_insert((record.iteration, record.seconds));
            let new = progress.history.len() != record.history.len()
                || progress.history.last().map(point) != record.history.last().copied();
            if new {
                record.history = progress.history.iter().map(point).collect();
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
