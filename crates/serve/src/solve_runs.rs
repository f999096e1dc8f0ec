//! Many solves, one after another in the queue of all solves: those of a batch, or of a session of hands.

use crate::api::solves::{JobState, KeptStreets, NewSolve, ResumeSolve, SolveStatus};
use crate::failure::ApiFailure;
use crate::jobs::Jobs;
use crate::library::Library;
use noregret_holdem::{BatchJob, Spec};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a run looks whether its solve is done.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// What a run is to solve.
pub struct RunPlan {
    /// The folder of the solutions.
    pub folder: String,
    pub jobs: Vec<BatchJob>,
    /// The streets that the solutions keep.
    pub keep: KeptStreets,
}

/// A run, or the last one of its name.
#[derive(Default)]
struct Run {
    stop: AtomicBool,
    state: Mutex<RunState>,
}

/// How far a run is.
#[derive(Clone, Default)]
pub struct RunState {
    pub running: bool,
    /// The id of the solve that is at work.
    pub solve: Option<String>,
    /// How many could not be solved.
    pub failed: usize,
    /// Why the last of them could not.
    pub error: Option<String>,
}

impl Run {
    fn state(&self) -> MutexGuard<'_, RunState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How one solve has ended.
enum SolveEnd {
    Solved,
    Failed(String),
    /// Somebody has stopped it, or the server ends.
    Stopped,
}

/// The runs of a server, by name.
pub struct SolveRuns {
    library: Arc<Library>,
    jobs: Arc<Jobs>,
    runs: Mutex<HashMap<String, Arc<Run>>>,
    /// Held while a run chooses its solve, or decides whether others need it: two that want the same spot share one solve.
    choosing: Mutex<()>,
}

fn is_at_work(job: &SolveStatus) -> bool {
    matches!(job.state, JobState::Queued | JobState::Running | JobState::Stopping)
}

fn can_go_on(job: &SolveStatus) -> bool {
    matches!(job.state, JobState::Stopped | JobState::Interrupted)
}

impl SolveRuns {
    /// None runs yet.
    pub fn new(library: Arc<Library>, jobs: Arc<Jobs>) -> Arc<Self> {
        Arc::new(Self { library, jobs, runs: Mutex::default(), choosing: Mutex::default() })
    }

    fn run_of(&self, name: &str) -> Option<Arc<Run>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// How far the run of a name is.
    pub fn state(&self, name: &str) -> RunState {
        self.run_of(name).map(|run| run.state().clone()).unwrap_or_default()
    }

    /// Begins a run. What is solved already is skipped.
    pub fn launch(self: &Arc<Self>, name: &str, plan: RunPlan) -> Result<(), ApiFailure> {
        let run = {
            let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
            if runs.get(name).is_some_and(|run| run.state().running) {
                return Err(ApiFailure::conflict("this is at work already"));
            }
            let run = Arc::new(Run::default());
            run.state().running = true;
            runs.insert(name.to_owned(), Arc::clone(&run));
            run
        };
        let (runs, own) = (Arc::clone(self), Arc::clone(&run));
        let thread = std::thread::Builder::new().name("batch".to_owned());
        let spawned = thread.spawn(move || {
            runs.work(&run, &plan);
            let mut state = run.state();
            (state.running, state.solve) = (false, None);
        });
        if let Err(error) = spawned {
            own.state().running = false;
            return Err(ApiFailure::job(format!("cannot start a thread: {error}")));
        }
        Ok(())
    }

    /// Stops a run; what is solved stays, and it can go on. A solve that another run needs too stays at work.
    pub fn stop(&self, name: &str) {
        if let Some(run) = self.run_of(name) {
            run.stop.store(true, Ordering::Relaxed);
        }
    }

    /// The names of solves that have not reached their target: what they have saved is no end of theirs.
    pub fn unfinished(&self) -> HashSet<String> {
        let is_unfinished = |job: &SolveStatus| is_at_work(job) || can_go_on(job);
        self.jobs.list().into_iter().filter(is_unfinished).map(|job| job.name).collect()
    }

    fn work(self: &Arc<Self>, run: &Arc<Run>, plan: &RunPlan) {
        for job in &plan.jobs {
            let name = format!("{}/{}", plan.folder, job.name);
            let end = match &job.spec {
                Ok(spec) => self.solve(run, &name, spec, plan.keep),
                Err(error) => SolveEnd::Failed(error.clone()),
            };
            match end {
                SolveEnd::Solved => {}
                SolveEnd::Stopped => return,
                SolveEnd::Failed(error) => {
                    let mut state = run.state();
                    state.failed += 1;
                    state.error = Some(format!("{}: {error}", job.name));
                }
            }
        }
    }

    fn solve(&self, run: &Arc<Run>, name: &str, spec: &Spec, keep: KeptStreets) -> SolveEnd {
        loop {
            if run.stop.load(Ordering::Relaxed) {
                return SolveEnd::Stopped;
            }
            let solve = match self.chosen(run, name, spec, keep) {
                Ok(Some(solve)) => solve,
                Ok(None) => return SolveEnd::Solved,
                Err(failure) => return SolveEnd::Failed(failure.into_problem().message),
            };
            let was_stopping = solve.state == JobState::Stopping;
            match self.wait(run, &solve.id, name) {
                // Another run has stopped it before this one needed it.
                SolveEnd::Stopped if was_stopping => {}
                end => return end,
            }
        }
    }

    /// The solve of a spot: the one that is there, or else a new one; none if the spot is solved.
    fn chosen(
        &self,
        run: &Run,
        name: &str,
        spec: &Spec,
        keep: KeptStreets,
    ) -> Result<Option<SolveStatus>, ApiFailure> {
        let _choosing = self.choosing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut there = self.jobs.list().into_iter().filter(|job| job.name == name);
        let solve = match there.find(|job| is_at_work(job) || can_go_on(job)) {
            // Another run has asked for the same.
            Some(job) if is_at_work(&job) => job,
            Some(job) => self.jobs.resume(&job.id, &ResumeSolve::default())?,
            None if self.library.has(name)? => return Ok(None),
            None => self.jobs.start(NewSolve {
                name: name.to_owned(),
                toml: spec.to_string(),
                target_pct: None,
                max_iterations: None,
                save: Some(keep),
                continue_from: None,
                merit_base: None,
            })?,
        };
        run.state().solve = Some(solve.id.clone());
        Ok(Some(solve))
    }

    /// Waits for a solve.
    fn wait(&self, run: &Arc<Run>, solve: &str, name: &str) -> SolveEnd {
        loop {
            std::thread::sleep(LOOK_EVERY);
            let Ok(job) = self.jobs.job(solve, Some(u32::MAX)) else {
                // Whoever else has waited for it took it out of the list, or somebody has forgotten it.
                let is_there = self.library.solution(name).is_ok();
                return if is_there { SolveEnd::Solved } else { SolveEnd::Stopped };
            };
            match job.state {
                JobState::Queued | JobState::Running if run.stop.load(Ordering::Relaxed) => {
                    if self.leave_to_others(run, solve) {
                        return SolveEnd::Stopped;
                    }
                }
                JobState::Queued | JobState::Running | JobState::Stopping => {}
                JobState::Done => {
                    // The list of solves is for single spots: its solution tells that this one is done.
                    let _ = self.jobs.remove(solve);
                    return SolveEnd::Solved;
                }
                JobState::Failed => return SolveEnd::Failed(job.error.unwrap_or_default()),
                JobState::Stopped | JobState::Interrupted => return SolveEnd::Stopped,
            }
        }
    }

    /// Leaves the solve of a run that is stopped to another that needs it, and tells whether there is one; else stops the solve.
    fn leave_to_others(&self, run: &Arc<Run>, solve: &str) -> bool {
        let _choosing = self.choosing.lock().unwrap_or_else(PoisonError::into_inner);
        let needs = |other: &Arc<Run>| {
            !Arc::ptr_eq(other, run)
                && !other.stop.load(Ordering::Relaxed)
                && other.state().solve.as_deref() == Some(solve)
        };
        let is_needed = self.runs.lock().unwrap_or_else(PoisonError::into_inner).values().any(needs);
        if !is_needed {
            // One that is done by now needs no stop.
            let _ = self.jobs.stop(solve);
        }
        is_needed
    }
}
