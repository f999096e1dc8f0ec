//! A solve in the background.

use crate::locking::SetNodes;
use crate::output::Output;
use crate::resting_tree::{IdleSolver, OpenFile, RestingTree};
use crate::stopper::{SessionStopper, Solving};
use crate::tree_reader::{Source, TreeReader, result_lines};
use noregret_holdem::{
    BoardCache, PriorRun, Progress, ResumeError, ResumeFile, Solver, Spec, StopCondition, StopReason, resume,
};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Something to be read between two iterations.
pub(crate) type Request = Box<dyn FnOnce(&mut TreeReader<'_>) + Send>;

/// Where a solve begins.
pub(crate) enum Start {
    /// With this solver.
    Solver { solver: Box<Solver>, prior: PriorRun },
    /// Where a file left off: in `solver`, which is to come there. The file is read until it has.
    File { file: OpenFile, solver: Box<Solver> },
    /// Nowhere, for a reason: the tree stays as it is.
    Nowhere { tree: RestingTree, reason: String },
}

/// A solve to be run.
pub(crate) struct Job {
    pub start: Start,
    pub spec: Spec,
    /// The strategies that are locked.
    pub set: SetNodes,
    pub condition: StopCondition,
    /// How long it may take, from where it begins.
    pub limit: Option<Duration>,
    /// The least time between updates.
    pub pause: Duration,
    pub pool: Arc<rayon::ThreadPool>,
    pub output: Output,
    pub stopper: SessionStopper,
}

/// A solve that runs.
pub(crate) struct BackgroundSolve {
    stop: Arc<AtomicBool>,
    begin: Option<mpsc::Sender<()>>,
    requests: mpsc::Sender<Request>,
    thread: JoinHandle<RestingTree>,
}

impl BackgroundSolve {
    /// Makes a job ready in a thread of its own; it waits for [`BackgroundSolve::begin`].
    pub fn new(job: Job) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (begin, begun) = mpsc::channel::<()>();
        let (requests, waiting) = mpsc::channel();
        let voice = Voice {
            output: job.output.clone(),
            // From now on, and not from when the thread has come to it.
            solving: job.stopper.solving(),
            is_heard: AtomicBool::new(true),
            is_stopped: stop.clone(),
            stopper: job.stopper.clone(),
        };
        let thread = std::thread::spawn(move || {
            // The answer to the command comes first; a session that is gone lets it begin, and stop at once.
            let _ = begun.recv();
            job.run(&voice, Requests(waiting))
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
    pub fn join(mut self) -> Option<RestingTree> {
        self.begin();
        self.thread.join().ok()
    }
}

/// What a solve says, and whether it is to be silent.
struct Voice {
    output: Output,
    solving: Solving,
    is_heard: AtomicBool,
    is_stopped: Arc<AtomicBool>,
    stopper: SessionStopper,
}

impl Voice {
    fn say(&self, lines: &[String]) {
        let said = self.solving.write(|| self.output.update(lines));
        self.is_heard.fetch_and(said.is_ok(), Ordering::Relaxed);
    }

    fn stopped(&self, reason: &str) {
        // A reason may be a message of several lines.
        self.say(&[format!("SOLVER: stopped ({})", reason.replace(['\n', '\r'], " "))]);
    }

    /// Whether the solve is to end: the script wants it, a signal does, or nobody listens any more.
    fn is_over(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
            || self.stopper.is_requested()
            || !self.is_heard.load(Ordering::Relaxed)
    }
}

impl Job {
    fn run(self, voice: &Voice, mut requests: Requests) -> RestingTree {
        let Self { start, spec, set, condition, limit, pause, pool, .. } = self;
        voice.say(&["SOLVER: started".to_owned()]);
        let (mut solver, prior) = match start {
            Start::Solver { solver, prior } => (solver, prior),
            Start::Nowhere { tree, reason } => {
                voice.stopped(&reason);
                return tree;
            }
            Start::File { file, mut solver } => {
                let go_on = |_| {
                    requests.serve_from(&file, (&spec, &set));
                    !voice.is_over()
                };
                match pool.install(|| come_to(&file, &mut solver, go_on)) {
                    Ok(Some(prior)) => (solver, prior),
                    Ok(None) => {
                        voice.stopped("requested");
                        return RestingTree::File(file);
                    }
                    Err(reason) => {
                        voice.stopped(&reason);
                        return RestingTree::File(file);
                    }
                }
            }
        };
        let begun = Instant::now();
        let is_timed_out = || limit.is_some_and(|limit| begun.elapsed() >= limit);
        let cache = BoardCache::default();
        let mut told = begun;
        let mut measured = prior.history.len();
        let outcome = pool.install(|| {
            resume(&mut solver, &condition, prior, |progress| {
                requests.serve(progress, (&spec, &set), &cache);
                if progress.history.len() > measured && told.elapsed() >= pause {
                    voice.say(&update(progress.elapsed, progress.solver));
                    (told, measured) = (Instant::now(), progress.history.len());
                }
                if voice.is_over() || is_timed_out() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
        });
        let elapsed = outcome.last().elapsed;
        voice.say(&pool.install(|| update(elapsed, &solver)));
        voice.stopped(match outcome.reason {
            StopReason::Target => "required accuracy reached",
            StopReason::Iterations => "steps done",
            StopReason::Stopped if voice.is_over() => "requested",
            StopReason::Stopped => "time limit",
        });
        RestingTree::Memory(
            IdleSolver { history: outcome.history, elapsed, ..IdleSolver::new(*solver) }.into(),
        )
    }
}

/// Brings a solver to where a file left off; none if `go_on`, which is asked between iterations, says no.
fn come_to(
    file: &OpenFile,
    solver: &mut Solver,
    go_on: impl FnMut(u32) -> bool,
) -> Result<Option<PriorRun>, String> {
    let OpenFile { file, path } = file;
    let reason = |error: &dyn std::fmt::Display| format!("{} cannot be continued: {error}", path.display());
    let origin = ResumeFile::open(path).map_err(|error| reason(&error))?;
    if origin.digest() != Some(&file.summary().digest) {
        return Err(reason(&"it is another file now"));
    }
    match origin.resume_in(solver, go_on) {
        // The file was saved after locks had changed, or by another version: what the same iterations lead to now is solved on.
        Err(ResumeError::Elsewhere(_)) => Ok(Some(PriorRun::default())),
        other => other.map_err(|error| reason(&error)),
    }
}

/// What waits to be read. The solve runs on a thread of the pool, to which a receiver can only go as a whole.
struct Requests(mpsc::Receiver<Request>);

impl Requests {
    fn serve(&mut self, progress: &Progress<'_>, (spec, set): (&Spec, &SetNodes), cache: &BoardCache) {
        while let Ok(request) = self.0.try_recv() {
            let source = Source::Solver(progress.solver, cache);
            let Progress { history, elapsed, .. } = *progress;
            request(&mut TreeReader { source, spec, set, history, elapsed });
        }
    }

    fn serve_from(&mut self, file: &OpenFile, about: (&Spec, &SetNodes)) {
        while let Ok(request) = self.0.try_recv() {
            let served = file.read(about, |reader| {
                request(reader);
                Ok(())
            });
            debug_assert!(served.is_ok());
        }
    }
}

/// An update of a solve that runs.
fn update(elapsed: Duration, solver: &Solver) -> Vec<String> {
    let mut lines = vec!["SOLVER:".to_owned()];
    lines.extend(result_lines(elapsed, &solver.results()));
    lines
}
