//! The threads of a run: some solve, some write, and one is told.

use crate::forty_two::seeds::Plan;
use crate::interrupt::Interrupt;
use noregret_dominoes::{Format, Gpu, Job, Made, Manifest, RunError, Table, Threads};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::time::{Duration, Instant};

/// Threads that wait for the disk while the others solve.
const WRITERS: usize = 2;

/// Where tables are solved.
pub enum Engine {
    Cpu,
    Gpu(Gpu),
}

/// What the workers need to know.
pub struct Run<'a> {
    pub plan: &'a Plan,
    pub directory: &'a Path,
    pub format: Format,
    pub threads: usize,
    pub engine: &'a Engine,
    pub interrupt: &'a Interrupt,
    /// What the manifests of the directory said before.
    pub listed: &'a Manifest,
}

/// What happens in a run.
pub enum Event {
    Done(Done),
    /// A file was there, but not whole.
    Torn(RunError),
    Failed(String),
}

/// A file that is there now.
pub struct Done {
    pub job: Job,
    pub made: Made,
    pub skipped: bool,
    pub solve: Duration,
    pub write: Duration,
}

/// A solved table on its way to disk.
struct Parcel {
    job: Job,
    made: Made,
    bytes: Vec<u8>,
    solve: Duration,
    packing: Duration,
}

impl Run<'_> {
    /// Does every job, and tells of each; false from who is told ends the run early.
    pub fn execute(&self, mut tell: impl FnMut(Event) -> bool) {
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
                let (events, parcels, next_job) = (events.clone(), parcels.clone(), &next_job);
                scope.spawn(move || {
                    while let Some(job) = next_job() {
                        self.work(job, &events, &parcels);
                    }
                });
            }
            for _ in 0..WRITERS {
                let (events, arriving) = (events.clone(), &arriving);
                scope.spawn(move || self.write_parcels(arriving, &events));
            }
            drop((events, parcels));
            for event in heard {
                if !tell(event) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
    }

    /// With fewer tables than threads, each table gets all threads; a GPU solves one at a time.
    fn solvers(&self) -> usize {
        match self.engine {
            Engine::Gpu(_) => 1,
            Engine::Cpu if self.one_by_one() => 1,
            Engine::Cpu => self.threads,
        }
    }

    fn one_by_one(&self) -> bool {
        self.plan.count() < self.threads as u64
    }

    fn solve(&self, job: Job) -> Result<Table, String> {
        let (deal, declaration) = (job.deal(), job.declaration);
        match self.engine {
            Engine::Gpu(gpu) => gpu.solve(&deal, declaration).map_err(|error| error.to_string()),
            Engine::Cpu if self.one_by_one() => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
                let pool = pool.map_err(|error| format!("cannot start threads: {error}"))?;
                Ok(pool.install(|| Table::solve(&deal, declaration, Threads::Pool)))
            }
            Engine::Cpu => Ok(Table::solve(&deal, declaration, Threads::One)),
        }
    }

    /// A file that was found, if it can be told to be whole. Tables tell by themselves; rows by a manifest only.
    fn trusted(&self, job: Job, found: Option<Made>) -> Result<Option<Made>, RunError> {
        let Some(made) = found else { return Ok(None) };
        let file = job.file_name(self.format);
        let reason = match (self.format, self.listed.entry(file)) {
            (Format::Table, _) => return Ok(Some(made)),
            (_, Some(entry)) if (entry.bytes, entry.digest) == (made.bytes, made.digest) => {
                return Ok(Some(made));
            }
            (_, Some(_)) => "not the file that the manifest lists",
            (_, None) => "no manifest lists it, so it cannot be checked",
        };
        Err(RunError::Unsure { path: self.directory.join(file.to_string()), reason })
    }

    /// Solves one job unless its file is there. A send that fails means that nobody listens any more.
    fn work(&self, job: Job, events: &Sender<Event>, parcels: &SyncSender<Parcel>) {
        match job.find(self.directory, self.format).and_then(|found| self.trusted(job, found)) {
            Ok(Some(made)) => {
                let (solve, write) = Default::default();
                let _ = events.send(Event::Done(Done { job, made, skipped: true, solve, write }));
                return;
            }
            Ok(None) => {}
            Err(error) if error.guards_a_file() => {
                let _ = events.send(Event::Failed(error.to_string()));
                return;
            }
            Err(torn) => {
                let _ = events.send(Event::Torn(torn));
            }
        }
        let started = Instant::now();
        let table = match self.solve(job) {
            Ok(table) => table,
            Err(error) => {
                let _ = events.send(Event::Failed(error));
                return;
            }
        };
        let solve = started.elapsed();
        let started = Instant::now();
        match self.format {
            Format::Table => {
                let bytes = table.to_bytes(Some(job.seed));
                match Made::of_table(bytes.clone()) {
                    Ok(made) => {
                        let _ = parcels.send(Parcel { job, made, bytes, solve, packing: started.elapsed() });
                    }
                    Err(error) => {
                        let _ = events.send(Event::Failed(error.to_string()));
                    }
                }
            }
            Format::Rows(layout) => {
                let event = match job.write_rows(self.directory, &table, layout) {
                    Ok(made) => {
                        Event::Done(Done { job, made, skipped: false, solve, write: started.elapsed() })
                    }
                    Err(error) => Event::Failed(error.to_string()),
                };
                let _ = events.send(event);
            }
        }
    }

    fn write_parcels(&self, arriving: &Mutex<Receiver<Parcel>>, events: &Sender<Event>) {
        loop {
            let parcel = match arriving.lock().map(|arriving| arriving.recv()) {
                Ok(Ok(parcel)) => parcel,
                _ => return,
            };
            let Parcel { job, made, bytes, solve, packing } = parcel;
            let started = Instant::now();
            let event = match job.write_table(self.directory, &bytes) {
                Ok(()) => {
                    Event::Done(Done { job, made, skipped: false, solve, write: packing + started.elapsed() })
                }
                Err(error) => Event::Failed(error.to_string()),
            };
            let _ = events.send(event);
        }
    }
}
