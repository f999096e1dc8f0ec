//! The threads of a run: some solve, some write, and one is told.

use super::folders::{Folders, TableFolder};
use crate::forty_two::backend::Engine;
use crate::forty_two::seeds::TablePlan;
use crate::interrupt::Interrupt;
use noregret_dominoes::{
    Format, Layout, RowProgress, RunError, SolveTimes, Table, TableJob, Threads, WrittenFile,
};
use rayon::ThreadPool;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::time::{Duration, Instant};

/// Threads that wait for the disk while the others solve.
const WRITERS: usize = 2;

/// What the workers need to know.
pub struct TableRun<'a> {
    pub plan: &'a TablePlan,
    pub format: Format,
    pub threads: usize,
    pub engine: &'a Engine,
    pub interrupt: &'a Interrupt,
}

/// What happens in a run.
pub enum RunEvent {
    Done(Done),
    /// The rows of a table are being written: the share that is done.
    Rows(TableJob, f64),
    /// A file was there, but not whole.
    Torn(RunError),
    Failed(String),
}

/// A file that is there now.
pub struct Done {
    pub job: TableJob,
    pub made: WrittenFile,
    pub skipped: bool,
    /// How many states are reachable, without the score, if it was solved now.
    pub states: Option<u64>,
    pub times: SolveTimes,
    pub write: Duration,
}

/// A solved table on its way to disk.
struct Parcel {
    job: TableJob,
    made: WrittenFile,
    bytes: Vec<u8>,
    states: Option<u64>,
    times: SolveTimes,
    packing: Duration,
}

impl TableRun<'_> {
    /// Does every job, and tells of each; false from who is told ends the run early.
    pub fn execute(&self, folders: &Folders, mut tell: impl FnMut(RunEvent) -> bool) {
        let pool = match self.pool() {
            Ok(pool) => pool,
            Err(error) => {
                tell(RunEvent::Failed(error));
                return;
            }
        };
        let jobs = Mutex::new(self.plan.jobs());
        let stop = AtomicBool::new(false);
        let (events, heard) = mpsc::channel();
        // Few parcels wait: a slow disk slows the solvers down instead of filling memory.
        let (parcels, arriving) = mpsc::sync_channel(2 * WRITERS);
        let arriving = Mutex::new(arriving);
        let next_job = || {
            let is_over = stop.load(Ordering::Relaxed) || self.interrupt.requested();
            if is_over { None } else { jobs.lock().ok()?.next() }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.solvers() {
                let (events, parcels) = (events.clone(), parcels.clone());
                let (next_job, pool, stop) = (&next_job, pool.as_ref(), &stop);
                scope.spawn(move || {
                    while let Some(job) = next_job() {
                        let worker = Worker { run: self, folder: folders.of(&job), pool, stop, job };
                        worker.work(&events, &parcels);
                    }
                });
            }
            for _ in 0..WRITERS {
                let (events, arriving) = (events.clone(), &arriving);
                scope.spawn(move || write_parcels(folders, arriving, &events));
            }
            drop((events, parcels));
            for event in heard {
                if !tell(event) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
    }

    /// How many tables are at work at once. Rows are made by all threads together, of two tables so that one can solve or
    /// sync while the other encodes; with fewer tables than threads, each table gets all threads; a GPU has as many as it
    /// takes.
    fn solvers(&self) -> usize {
        match (self.engine, self.format) {
            (Engine::Gpu(gpu), _) => gpu.in_flight(),
            (Engine::Cpu, Format::Rows(_)) => 2,
            (Engine::Cpu, Format::Table) if self.one_by_one() => 1,
            (Engine::Cpu, Format::Table) => self.threads,
        }
    }

    fn one_by_one(&self) -> bool {
        self.plan.count() < self.threads as u64
    }

    /// The threads that work on one table together, where they do.
    fn pool(&self) -> Result<Option<ThreadPool>, String> {
        if self.format == Format::Table && !self.one_by_one() {
            return Ok(None);
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        pool.map(Some).map_err(|error| format!("cannot start threads: {error}"))
    }
}

/// What it takes to make one file.
struct Worker<'a> {
    run: &'a TableRun<'a>,
    folder: &'a TableFolder,
    pool: Option<&'a ThreadPool>,
    stop: &'a AtomicBool,
    job: TableJob,
}

impl Worker<'_> {
    fn solve(&self) -> Result<(Table, SolveTimes), String> {
        let solve = |threads| self.run.engine.solve(&self.job.deal(), self.job.declaration, threads);
        let solved = match self.pool {
            Some(pool) => pool.install(|| solve(Threads::Pool)),
            None => solve(Threads::One),
        };
        solved.map_err(|error| error.to_string())
    }

    /// A file that was found, if it can be told to be whole. Tables tell by themselves; rows by a manifest only.
    fn trusted(&self, found: Option<WrittenFile>) -> Result<Option<WrittenFile>, RunError> {
        let Some(made) = found else { return Ok(None) };
        let file = self.job.file_name(self.run.format);
        let reason = match (self.run.format, self.folder.listed.entry(file)) {
            (Format::Table, _) => return Ok(Some(made)),
            (_, Some(entry)) if (entry.bytes, entry.digest) == (made.bytes, made.digest) => {
                return Ok(Some(made));
            }
            (_, Some(_)) => "not the file that the manifest lists",
            (_, None) => "no manifest lists it, so it cannot be checked",
        };
        Err(RunError::Unsure { path: self.folder.path.join(file.to_string()), reason })
    }

    /// Solves one job unless its file is there. A send that fails means that nobody listens any more.
    fn work(&self, events: &Sender<RunEvent>, parcels: &SyncSender<Parcel>) {
        let (job, format) = (self.job, self.run.format);
        match job.find(&self.folder.path, format).and_then(|found| self.trusted(found)) {
            Ok(Some(made)) => {
                let (times, write) = Default::default();
                let done = Done { job, made, skipped: true, states: None, times, write };
                let _ = events.send(RunEvent::Done(done));
                return;
            }
            Ok(None) => {}
            Err(error) if error.guards_a_file() => {
                let _ = events.send(RunEvent::Failed(error.to_string()));
                return;
            }
            Err(torn) => {
                let _ = events.send(RunEvent::Torn(torn));
            }
        }
        let (table, times) = match self.solve() {
            Ok(solved) => solved,
            Err(error) => {
                let _ = events.send(RunEvent::Failed(error));
                return;
            }
        };
        let states = Some(table.states());
        let started = Instant::now();
        match format {
            Format::Table => {
                let bytes = table.to_bytes(job.file_seed());
                match WrittenFile::of_table(bytes.clone()) {
                    Ok(made) => {
                        let packing = started.elapsed();
                        let _ = parcels.send(Parcel { job, made, bytes, states, times, packing });
                    }
                    Err(error) => {
                        let _ = events.send(RunEvent::Failed(error.to_string()));
                    }
                }
            }
            Format::Rows(layout) => {
                let event = match self.write_rows(&table, layout, events) {
                    Ok(made) => {
                        let write = started.elapsed();
                        RunEvent::Done(Done { job, made, skipped: false, states, times, write })
                    }
                    Err(RunError::Stopped) => return,
                    Err(error) => RunEvent::Failed(error.to_string()),
                };
                let _ = events.send(event);
            }
        }
    }

    fn write_rows(
        &self,
        table: &Table,
        layout: Layout,
        events: &Sender<RunEvent>,
    ) -> Result<WrittenFile, RunError> {
        let progress = |progress: RowProgress| {
            let _ = events.send(RunEvent::Rows(self.job, progress.share));
            !self.stop.load(Ordering::Relaxed) && !self.run.interrupt.requested()
        };
        let write = || self.job.write_rows(&self.folder.path, table, layout, self.run.engine.gpu(), progress);
        match self.pool {
            Some(pool) => pool.install(write),
            None => write(),
        }
    }
}

fn write_parcels(folders: &Folders, arriving: &Mutex<Receiver<Parcel>>, events: &Sender<RunEvent>) {
    loop {
        let parcel = match arriving.lock().map(|arriving| arriving.recv()) {
            Ok(Ok(parcel)) => parcel,
            _ => return,
        };
        let Parcel { job, made, bytes, states, times, packing } = parcel;
        let started = Instant::now();
        let event = match job.write_table(&folders.of(&job).path, &bytes) {
            Ok(()) => {
                let write = packing + started.elapsed();
                RunEvent::Done(Done { job, made, skipped: false, states, times, write })
            }
            Err(error) => RunEvent::Failed(error.to_string()),
        };
        let _ = events.send(event);
    }
}
