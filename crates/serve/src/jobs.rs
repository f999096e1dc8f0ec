//! Solves: a queue, one at work at a time unless told otherwise, all of them kept on disk.

mod aim;
mod record;
mod work;

use crate::api::solutions::TrashKind;
use crate::api::solves::{JobState, NewSolve, ResumeSolve, SolveStatus};
use crate::failure::ApiFailure;
use crate::forgotten::{Forgotten, solve_name};
use crate::library::{Id, Library};
use crate::{merits, problems, settings::Settings, solutions};
use aim::{can_go_on, goal, set_goal};
use noregret_holdem::{
    GameLayout, LayOutError, MemoryLimit, PrecisionChoice, ResumeFile, Spec, Spot, StopCondition, time_left,
};
use noregret_store::Bytes;
use record::{Folder, Record, check, keep};
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use tokio::sync::watch;

/// A folder of the library for solves.
const FOLDER: &str = ".jobs";
/// How many solves are kept at most: older ones have to be forgotten first.
const MAX_JOBS: usize = 1000;
/// No tree is laid out that takes more than that, whatever memory there is.
const MAX_TREE_BYTES: u64 = 2 << 30;

/// What a running solve is told.
#[derive(Clone, Default)]
struct Signal(Arc<AtomicU8>, Arc<AtomicBool>);

impl Signal {
    const STOP: u8 = 1;
    const DROP: u8 = 2;

    fn send(&self, word: u8) {
        self.0.fetch_max(word, Ordering::Relaxed);
    }

    /// Whether to stop.
    fn stop(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= Self::STOP
    }

    /// Asks for what there is so far.
    fn ask(&self) {
        self.1.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has asked, once for each time.
    fn take_question(&self) -> bool {
        self.1.swap(false, Ordering::Relaxed)
    }

    /// Whether nothing of it is wanted any more.
    fn dropped(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= Self::DROP
    }
}

/// A solve that is at work.
struct RunningSolve {
    signal: Signal,
    memory: u64,
    /// The iteration and the second at which this run began.
    from: Option<(u32, f64)>,
}

#[derive(Default)]
struct Inner {
    records: BTreeMap<u32, Record>,
    queue: VecDeque<u32>,
    running: BTreeMap<u32, RunningSolve>,
    last_id: u32,
    closing: bool,
}

impl Inner {
    /// Checks that one more can be kept.
    fn check_room(&self) -> Result<(), ApiFailure> {
        if self.records.len() >= MAX_JOBS {
            let message = format!("there are {MAX_JOBS} solves already: forget some first");
            return Err(ApiFailure::conflict(message));
        }
        Ok(())
    }
}

/// All solves.
pub struct Jobs {
    library: Arc<Library>,
    forgotten: Forgotten,
    limit: MemoryLimit,
    threads: usize,
    at_once: usize,
    checkpoint_every: Duration,
    inner: Mutex<Inner>,
    idle: Condvar,
    changed: watch::Sender<u64>,
}

impl Jobs {
    /// Finds the solves of the library; those that were at work when the last server ended are interrupted.
    pub fn open(library: Arc<Library>, settings: &Settings) -> std::io::Result<Arc<Self>> {
        let folder = library.own(FOLDER);
        noregret_store::make_directories(&folder)?;
        let mut inner = Inner::default();
        for entry in std::fs::read_dir(&folder)?.flatten() {
            let id = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok());
            let Some(id) = id else { continue };
            inner.last_id = inner.last_id.max(id);
            let solve = Folder::of(&folder, id);
            let Some(mut record) = solve.read().filter(|record| record.id == id) else {
                if solve.is_left_over() {
                    // What cannot be removed is in nobody's way.
                    let _ = solve.remove();
                }
                continue;
            };
            match record.state {
                JobState::Running | JobState::Stopping => record.state = JobState::Interrupted,
                JobState::Queued => inner.queue.push_back(id),
                _ => {}
            }
            inner.records.insert(id, record);
        }
        inner.queue.make_contiguous().sort_unstable();
        let forgotten = Forgotten::of(&library);
        inner.last_id = inner.last_id.max(forgotten.last(TrashKind::Solve));
        let jobs = Arc::new(Self {
            library,
            forgotten,
            limit: MemoryLimit::new(Bytes(settings.memory), "the server may use"),
            threads: settings.threads,
            at_once: settings.at_once.max(1),
            checkpoint_every: settings.checkpoint_every,
            inner: Mutex::new(inner),
            idle: Condvar::new(),
            changed: watch::Sender::new(0),
        });
        jobs.schedule(&mut jobs.lock());
        Ok(jobs)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn folder(&self, id: u32) -> Folder {
        Folder::of(&self.library.own(FOLDER), id)
    }

    fn tell(&self) {
        self.changed.send_modify(|version| *version += 1);
    }

    /// Changes whenever a solve does.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// The memory that solves may take together.
    pub fn budget(&self) -> u64 {
        self.limit.bytes.0
    }

    /// The limit on memory, and the threads of a solve.
    pub fn limit(&self) -> (&MemoryLimit, usize) {
        (&self.limit, self.threads)
    }

    /// Lays out a spec, if its tree is not too large.
    pub fn layout(&self, spec: &Spec) -> Result<GameLayout, LayOutError> {
        GameLayout::of(spec, self.budget().min(MAX_TREE_BYTES))
    }

    /// The solution that a solve is to continue.
    fn continued_file(&self, id: &str) -> Result<(Id, ResumeFile), ApiFailure> {
        let found = self.library.solution(id)?;
        let resume =
            ResumeFile::open(&found.path).map_err(|error| ApiFailure::field("continue_from", error))?;
        Ok((found.id, resume))
    }

    /// The spot of a spec whose locks by merit have the hands that a solution without them gives them.
    fn resolved(&self, base: &str, spec: &Spec) -> Result<Spot, ApiFailure> {
        let found = self.library.solution(base)?;
        let saved = solutions::open(&found)?;
        if saved.spec().spot.clone().without_locks() != spec.spot.clone().without_locks() {
            let message = format!("`{}` is of another spot", found.id.as_str());
            return Err(ApiFailure::field("merit_base", message));
        }
        merits::resolved(&saved, &spec.spot)
    }

    /// Queues a solve. Takes a while for a large tree.
    pub fn start(self: &Arc<Self>, request: NewSolve) -> Result<SolveStatus, ApiFailure> {
        let name = Id::new(&request.name).map_err(|error| ApiFailure::field("name", error))?;
        let mut spec: Spec = request
            .toml
            .parse()
            .map_err(|error| ApiFailure::problem(problems::of_spec(&error, &request.toml)))?;
        set_goal(&mut spec, request.target_pct, request.max_iterations)?;
        spec.solver.dry_run = false;
        let save = request.save.unwrap_or_default();
        let first = spec.spot.board().street();
        if keep(save).last() < first {
            return Err(ApiFailure::field(
                "save",
                format!("the spot begins on the {first}: keep that street too"),
            ));
        }
        if let Some(base) = request.merit_base.as_ref().filter(|_| spec.spot.has_open_locks()) {
            spec.spot = self.resolved(base, &spec)?;
        }
        let layout = self.layout(&spec).map_err(|error| ApiFailure::field("toml", error))?;
        let continued = request.continue_from.as_ref().map(|id| self.continued_file(id)).transpose()?;
        if let Some((_, resume)) = &continued {
            spec = spec.continuing(resume.spec());
        }
        let fitted = self
            .limit
            .fit(&layout, &spec.solver, self.threads)
            .map_err(|error| ApiFailure::field("toml", error))?;
        self.limit.check(&layout, &fitted, self.threads).map_err(|error| ApiFailure::field("toml", error))?;
        // What is to be timed is timed by the solve itself.
        if spec.solver.precision_choice != PrecisionChoice::Profile {
            spec.solver = fitted.clone();
        }
        if let Some((id, resume)) = &continued
            && let Some(difference) = resume.difference(&spec)
        {
            let message = format!("`{}` is not of this spec: {difference}", id.as_str());
            return Err(ApiFailure::field("continue_from", message));
        }
        let mut inner = self.lock();
        inner.check_room()?;
        // A number that was tried is never tried again: its folder may be there, half made.
        inner.last_id += 1;
        let id = inner.last_id;
        let record = Record {
            id,
            name: name.as_str().to_owned(),
            state: JobState::Queued,
            error: None,
            iteration: 0,
            max_iterations: spec.solver.max_iterations,
            target_pct: spec.solver.target_exploitability_pct,
            seconds: 0.0,
            memory_bytes: layout.size(&fitted).memory.on_threads(self.threads) as u64,
            threads: self.threads,
            save,
            continue_from: request.continue_from,
            solution: None,
            solution_iteration: None,
            created: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            history: Vec::new(),
        };
        let folder = self.folder(id);
        if let Err(error) = folder.create(&spec.to_string()).and_then(|()| folder.write(&record)) {
            // Nobody is told of this solve: what cannot be removed now is by the next server.
            let _ = folder.remove();
            return Err(ApiFailure::cannot_write(error));
        }
        inner.records.insert(id, record);
        inner.queue.push_back(id);
        self.schedule(&mut inner);
        self.view(&inner, id, None)
    }

    /// Lets a solve go on.
    pub fn resume(self: &Arc<Self>, id: &str, request: &ResumeSolve) -> Result<SolveStatus, ApiFailure> {
        let mut inner = self.lock();
        let id = known(&inner, id)?;
        let state = inner.records[&id].state;
        if matches!(state, JobState::Queued | JobState::Running | JobState::Stopping)
            || inner.running.contains_key(&id)
        {
            return Err(ApiFailure::conflict("this solve is at work or waits to be"));
        }
        let folder = self.folder(id);
        let text = folder
            .spec()
            .map_err(|error| ApiFailure::conflict(format!("the spec of this solve is gone: {error}")))?;
        let mut spec = Spec::from_bytes(&text)
            .map_err(|error| ApiFailure::conflict(format!("the spec of this solve: {error}")))?;
        set_goal(&mut spec, request.target_pct, request.max_iterations)?;
        let Some(mut record) = inner.records.get(&id).cloned() else { return Err(missing(&id.to_string())) };
        can_go_on(&record, &spec)?;
        let goal = goal(&spec);
        (record.target_pct, record.max_iterations) = (goal.target_pct, goal.max_iterations);
        (record.state, record.error) = (JobState::Queued, None);
        folder
            .write_spec(&spec.to_string())
            .and_then(|()| folder.write(&record))
            .map_err(ApiFailure::cannot_write)?;
        // Only now: what could not be written is as it was, and can be tried again.
        inner.records.insert(id, record);
        inner.queue.push_back(id);
        self.schedule(&mut inner);
        self.view(&inner, id, None)
    }

    /// Stops a solve that runs or waits.
    pub fn stop(&self, id: &str) -> Result<SolveStatus, ApiFailure> {
        let mut inner = self.lock();
        let id = known(&inner, id)?;
        inner.queue.retain(|&queued| queued != id);
        let running = inner.running.get(&id).map(|running| running.signal.send(Signal::STOP)).is_some();
        let Some(record) = inner.records.get_mut(&id) else { return Err(missing(&id.to_string())) };
        record.state = match record.state {
            JobState::Running if running => JobState::Stopping,
            JobState::Queued => JobState::Stopped,
            state => state,
        };
        self.folder(id).write(record).map_err(ApiFailure::cannot_write)?;
        self.tell();
        self.view(&inner, id, None)
    }

    /// Has a solve that runs save what it has so far, after its next iteration.
    pub fn look(&self, id: &str) -> Result<SolveStatus, ApiFailure> {
        let inner = self.lock();
        let id = known(&inner, id)?;
        match inner.running.get(&id) {
            Some(running) => running.signal.ask(),
            None if inner.records.get(&id).is_some_and(|record| record.solution.is_some()) => {}
            None => {
                let message = "this solve is not at work and has saved nothing yet: let it go on";
                return Err(ApiFailure::conflict(message));
            }
        }
        self.view(&inner, id, None)
    }

    /// Forgets a solve, which can be taken back. One that runs is stopped without a checkpoint, and is gone.
    pub fn forget(&self, id: &str) -> Result<(), ApiFailure> {
        self.take_out(id, |folder, id| self.forgotten.put(&solve_name(id), folder.path()))
    }

    /// Removes a solve whose end nobody has to see.
    pub fn remove(&self, id: &str) -> Result<(), ApiFailure> {
        self.take_out(id, |folder, _| folder.remove())
    }

    fn take_out(
        &self,
        id: &str,
        remove: impl FnOnce(&Folder, u32) -> std::io::Result<()>,
    ) -> Result<(), ApiFailure> {
        let mut inner = self.lock();
        let id = known(&inner, id)?;
        match inner.running.get(&id) {
            // Its thread removes the folder when it is done with it.
            Some(running) => {
                self.folder(id).forget().map_err(ApiFailure::cannot_write)?;
                running.signal.send(Signal::DROP);
            }
            None => remove(&self.folder(id), id).map_err(ApiFailure::cannot_write)?,
        }
        inner.queue.retain(|&queued| queued != id);
        inner.records.remove(&id);
        self.tell();
        Ok(())
    }

    /// Takes a solve back that was forgotten. It goes on when it is asked to.
    pub fn take_back(&self, id: &str) -> Result<SolveStatus, ApiFailure> {
        let id = number(id).ok_or_else(|| missing(id))?;
        let mut inner = self.lock();
        inner.check_room()?;
        let folder = self.folder(id);
        self.forgotten.take_back(&solve_name(id), folder.path())?;
        let read = folder.read().filter(|record| record.id == id);
        let mut record = read.ok_or_else(|| missing(&id.to_string()))?;
        let state = match record.state {
            JobState::Queued => JobState::Stopped,
            // So it was found when a server had ended while it was at work, and nobody has let it go on.
            JobState::Running | JobState::Stopping => JobState::Interrupted,
            state => state,
        };
        if state != record.state {
            record.state = state;
            folder.write(&record).map_err(ApiFailure::cannot_write)?;
        }
        inner.records.insert(id, record);
        self.tell();
        self.view(&inner, id, None)
    }

    /// All solves, newest first, without their measurements.
    pub fn list(&self) -> Vec<SolveStatus> {
        let inner = self.lock();
        let view = |&id: &u32| self.view(&inner, id, Some(u32::MAX)).ok();
        inner.records.keys().rev().filter_map(view).collect()
    }

    /// A solve with its measurements after an iteration.
    pub fn job(&self, id: &str, after: Option<u32>) -> Result<SolveStatus, ApiFailure> {
        let inner = self.lock();
        let id = known(&inner, id)?;
        self.view(&inner, id, after)
    }

    fn view(&self, inner: &Inner, id: u32, after: Option<u32>) -> Result<SolveStatus, ApiFailure> {
        let record = inner.records.get(&id).ok_or_else(|| missing(&id.to_string()))?;
        let mut job = record.job(after);
        job.queue_position = inner.queue.iter().position(|&queued| queued == id).map(|place| place + 1);
        let from = inner.running.get(&id).and_then(|running| running.from);
        if let Some((iteration, seconds)) = from.filter(|_| record.state == JobState::Running) {
            let (made, took) = (record.iteration.saturating_sub(iteration), record.seconds - seconds);
            job.iterations_per_second = (made > 0 && took > 0.0).then(|| f64::from(made) / took);
            let goal = StopCondition { target_pct: record.target_pct, max_iterations: record.max_iterations };
            let checks: Vec<_> = record.history.iter().map(check).collect();
            let elapsed = Duration::try_from_secs_f64(record.seconds).unwrap_or_default();
            job.seconds_left =
                time_left(&checks, &goal, record.iteration, elapsed).map(|left| left.as_secs_f64());
        }
        Ok(job)
    }

    /// Starts what is next in the queue and fits.
    fn schedule(self: &Arc<Self>, inner: &mut Inner) {
        while inner.running.len() < self.at_once && !inner.closing {
            let Some(&id) = inner.queue.front() else { break };
            let taken: u64 = inner.running.values().map(|running| running.memory).sum();
            let Some(record) = inner.records.get_mut(&id) else {
                inner.queue.pop_front();
                continue;
            };
            // One that was queued when more memory was allowed is told so when it starts.
            if !inner.running.is_empty() && taken.saturating_add(record.memory_bytes) > self.budget() {
                break;
            }
            inner.queue.pop_front();
            record.state = JobState::Running;
            // A state that cannot be written is no reason not to solve: at worst it is found as queued.
            let _ = self.folder(id).write(record);
            let signal = Signal::default();
            let running = RunningSolve { signal: signal.clone(), memory: record.memory_bytes, from: None };
            inner.running.insert(id, running);
            let jobs = Arc::clone(self);
            let thread = std::thread::Builder::new().name(format!("solve-{id}"));
            if let Err(error) = thread.spawn(move || jobs.work(id, &signal)) {
                inner.running.remove(&id);
                if let Some(record) = inner.records.get_mut(&id) {
                    (record.state, record.error) =
                        (JobState::Failed, Some(format!("cannot start a thread: {error}")));
                }
            }
        }
        self.tell();
    }

    /// Stops all solves and waits until their checkpoints are written; none is started any more.
    pub fn close(&self) {
        let mut inner = self.lock();
        inner.closing = true;
        for running in inner.running.values() {
            running.signal.send(Signal::STOP);
        }
        while !inner.running.is_empty() {
            inner = self.idle.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
        self.tell();
    }

    /// Where the solution of a solve goes that is done, or was before.
    fn checkpoint(&self, id: u32) -> PathBuf {
        self.folder(id).checkpoint()
    }
}

/// The number of a solve that there is.
fn known(inner: &Inner, id: &str) -> Result<u32, ApiFailure> {
    number(id).filter(|number| inner.records.contains_key(number)).ok_or_else(|| missing(id))
}

fn number(id: &str) -> Option<u32> {
    let digits = id.bytes().all(|byte| byte.is_ascii_digit()) && !id.starts_with('0');
    id.parse().ok().filter(|_| digits)
}

fn missing(id: &str) -> ApiFailure {
    ApiFailure::missing(format!("there is no solve `{}`", crate::library::shown(id)))
}
