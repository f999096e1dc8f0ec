//! A solve in the background.

use crate::hands::number;
use crate::output::Output;
use crate::stopper::SessionStopper;
use crate::tree_reader::{Source, TreeReader};
use noregret_holdem::{
    BoardCache, Measurement, PriorRun, Progress, Results, ResumeFile, Solver, Spec, StopCondition,
    StopReason, resume,
};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Something to be read between two iterations.
pub(crate) type Request = Box<dyn FnOnce(&mut TreeReader<'_>) + Send>;

/// Where a solve begins.
pub(crate) enum Start {
    /// With this solver.
    Solver(Box<Solver>),
    /// Where a file left off.
    File { path: PathBuf, solver: Box<Solver> },
}

/// A solve to be run.
pub(crate) struct Job {
    pub start: Start,
    pub spec: Spec,
    pub condition: StopCondition,
    /// How long it may take.
    pub limit: Option<Duration>,
    pub prior: PriorRun,
    /// The least time between updates.
    pub pause: Duration,
    pub pool: Arc<rayon::ThreadPool>,
    pub output: Output,
    pub stopper: SessionStopper,
}

/// What a solve leaves.
pub(crate) struct Finished {
    pub solver: Solver,
    pub history: Vec<Measurement>,
    pub elapsed: Duration,
    /// Why the file that it was to continue from could not be used.
    pub error: Option<String>,
}

/// A solve that runs.
pub(crate) struct BackgroundSolve {
    stop: Arc<AtomicBool>,
    begin: Option<mpsc::Sender<()>>,
    requests: mpsc::Sender<Request>,
    thread: JoinHandle<Finished>,
}

impl BackgroundSolve {
    /// Makes a job ready in a thread of its own; it waits for [`BackgroundSolve::begin`].
    pub fn new(job: Job) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (begin, begun) = mpsc::channel::<()>();
        let (requests, waiting) = mpsc::channel();
        let seen = stop.clone();
        let thread = std::thread::spawn(move || {
            let solving = job.stopper.solving();
            // The answer to the command comes first; a session that is gone lets it begin, and stop at once.
            let _ = begun.recv();
            let finished = job.run(&seen, waiting);
            drop(solving);
            finished
        });
        Self { stop, begin: Some(begin), requests, thread }
    }

    /// Lets it run.
    pub fn begin(&mut self) {
        if let Some(begin) = self.begin.take() {
            let _ = begin.send(());
        }
    }

    /// Asks it to stop after this iteration.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// Has something read between two iterations; whether there will be another.
    pub fn ask(&self, request: Request) -> bool {
        self.requests.send(request).is_ok()
    }

    /// What it leaves, once it has ended.
    pub fn join(mut self) -> Option<Finished> {
        self.begin();
        self.thread.join().ok()
    }
}

impl Job {
    fn run(self, stop: &AtomicBool, requests: mpsc::Receiver<Request>) -> Finished {
        let Self { start, spec, condition, limit, prior, pause, pool, output, stopper } = self;
        let started = Instant::now();
        let heard = AtomicBool::new(output.update(&["SOLVER: started".to_owned()]).is_ok());
        let timed_out = || limit.is_some_and(|limit| started.elapsed() >= limit);
        let is_over = || {
            stop.load(Ordering::Relaxed)
                || stopper.is_requested()
                || !heard.load(Ordering::Relaxed)
                || timed_out()
        };
        let (mut solver, prior, error) = match start {
            Start::Solver(solver) => (*solver, prior, None),
            Start::File { path, mut solver } => {
                let brought = ResumeFile::open(&path).map_err(|error| error.to_string()).and_then(|file| {
                    pool.install(|| file.resume_in(&mut solver, |_| !is_over()))
                        .map_err(|error| error.to_string())
                });
                match brought {
                    Ok(brought) => (*solver, brought.unwrap_or_default(), None),
                    Err(error) => (*solver, PriorRun::default(), Some(error)),
                }
            }
        };
        let mut cache = BoardCache::default();
        let mut told = started;
        let mut measured = prior.history.len();
        let mut requests = Requests(requests);
        let outcome = pool.install(|| {
            resume(&mut solver, &condition, prior, |progress| {
                requests.serve(progress, &spec, &mut cache);
                if progress.history.len() > measured && told.elapsed() >= pause {
                    let lines = update(progress.elapsed, &progress.solver.results());
                    heard.fetch_and(output.update(&lines).is_ok(), Ordering::Relaxed);
                    (told, measured) = (Instant::now(), progress.history.len());
                }
                if is_over() || error.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        });
        let elapsed = outcome.last().elapsed;
        let results = pool.install(|| solver.results());
        let reason = match outcome.reason {
            StopReason::Target => "required accuracy reached",
            StopReason::Iterations => "steps done",
            StopReason::Stopped if error.is_some() => "the file cannot be continued",
            StopReason::Stopped if timed_out() && !stop.load(Ordering::Relaxed) => "time limit",
            StopReason::Stopped => "requested",
        };
        let told = output.update(&update(elapsed, &results));
        let _ = told.and_then(|()| output.update(&[format!("SOLVER: stopped ({reason})")]));
        Finished { solver, history: outcome.history, elapsed, error }
    }
}

/// What waits to be read. The solve runs on a thread of the pool, to which a receiver can only go as a whole.
struct Requests(mpsc::Receiver<Request>);

impl Requests {
    fn serve(&mut self, progress: &Progress<'_>, spec: &Spec, cache: &mut BoardCache) {
        while let Ok(request) = self.0.try_recv() {
            let source = Source::Solver(progress.solver, cache);
            request(&mut TreeReader { source, spec, history: progress.history, elapsed: progress.elapsed });
        }
    }
}

/// An update of a solve that runs.
fn update(elapsed: Duration, results: &Results) -> Vec<String> {
    let mut lines = vec!["SOLVER:".to_owned()];
    lines.extend(result_lines(elapsed, results));
    lines
}

/// EVs, maximally exploitative strategies and exploitability, in chips.
pub(crate) fn result_lines(elapsed: Duration, results: &Results) -> Vec<String> {
    let ([oop, ip], [best_oop, best_ip]) = (results.ev, results.best_response);
    vec![
        format!("running time: {:.3}", elapsed.as_secs_f64()),
        format!("EV OOP: {}", number(oop)),
        format!("EV IP: {}", number(ip)),
        format!("OOP's MES: {}", number(best_oop)),
        format!("IP's MES: {}", number(best_ip)),
        format!("Exploitable for: {}", number(results.exploitability())),
    ]
}
