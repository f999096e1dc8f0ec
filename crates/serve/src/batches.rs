//! Batches that this server solves: one spec on many flops, a solve at a time in the queue of all solves.

use crate::api::reports::{BatchFolder, NewBatch};
use crate::api::solves::{JobState, KeptStreets, NewSolve, ResumeSolve, SolveStatus};
use crate::failure::ApiFailure;
use crate::jobs::Jobs;
use crate::library::{Id, Library};
use crate::{overview, problems};
use noregret_holdem::{BatchJob, BatchPlan, Spec};
use noregret_report::{BATCH_LIST, Listed, list_text};
use noregret_store::write_whole;
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The files of a batch that a server has begun; `noregret batch` can go on with them too.
const SPEC: &str = "spec.toml";
const PLAN: &str = "plan.toml";
/// How often a batch looks whether its solve is done.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A batch that runs, or the last run of it.
#[derive(Default)]
struct BatchRun {
    stop: AtomicBool,
    state: Mutex<BatchState>,
}

#[derive(Clone, Default)]
struct BatchState {
    running: bool,
    solve: Option<String>,
    failed: usize,
    error: Option<String>,
}

impl BatchRun {
    fn state(&self) -> MutexGuard<'_, BatchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How the solve of one flop has ended.
enum FlopEnd {
    Solved,
    Failed(String),
    /// Somebody has stopped it, or the server ends.
    Stopped,
}

/// The batches of a library.
pub struct Batches {
    library: Arc<Library>,
    jobs: Arc<Jobs>,
    runs: Mutex<HashMap<String, Arc<BatchRun>>>,
}

impl Batches {
    /// Those of a library; none runs yet.
    pub fn new(library: Arc<Library>, jobs: Arc<Jobs>) -> Arc<Self> {
        Arc::new(Self { library, jobs, runs: Mutex::default() })
    }

    fn run_of(&self, id: &str) -> Option<Arc<BatchRun>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    /// All batches.
    pub fn list(&self) -> Vec<BatchFolder> {
        overview::batches(&self.library).into_iter().map(|folder| self.with_run(folder)).collect()
    }

    /// One batch.
    pub fn show(&self, id: &str) -> Result<BatchFolder, ApiFailure> {
        let folder = overview::batch(&self.library, id);
        let missing = || ApiFailure::missing(format!("there is no batch `{}`", crate::library::shown(id)));
        folder.map(|folder| self.with_run(folder)).ok_or_else(missing)
    }

    fn with_run(&self, folder: BatchFolder) -> BatchFolder {
        let state = self.run_of(&folder.id).map(|run| run.state().clone()).unwrap_or_default();
        let path = self.library.folder(&folder.id).unwrap_or_default();
        BatchFolder {
            running: state.running,
            can_continue: folder.solved < folder.total
                && path.join(PLAN).is_file()
                && path.join(SPEC).is_file(),
            solve: state.solve,
            failed: state.failed,
            error: state.error,
            ..folder
        }
    }

    /// Begins a batch: writes its spec, plan and list, and solves one flop after another.
    pub fn start(self: &Arc<Self>, request: NewBatch) -> Result<BatchFolder, ApiFailure> {
        let wanted = Id::new(request.name.trim()).map_err(|error| ApiFailure::field("name", error))?;
        if !(1..=1755).contains(&request.flops) {
            return Err(ApiFailure::field("flops", "there are 1 to 1755 flops"));
        }
        let spec: Spec = request
            .toml
            .parse()
            .map_err(|error| ApiFailure::problem(problems::of_spec(&error, &request.toml)))?;
        let save = match request.save.unwrap_or(KeptStreets::Flop) {
            KeptStreets::Flop => "flop",
            KeptStreets::Turn => "turn",
            KeptStreets::Full => "full",
        };
        let plan = format!(
            "[batch]\nspec = \"{SPEC}\"\nout = \".\"\nsubset = {}\nsave = \"{save}\"\n",
            request.flops
        );
        let jobs = planned(&plan, &spec).map_err(|error| ApiFailure::field("toml", error))?;
        // The first flop says whether the others fit.
        if let Some(Ok(first)) = jobs.first().map(|job| &job.spec) {
            self.jobs.layout(first).map_err(|error| ApiFailure::field("toml", error))?;
        }
        let id = self.free_folder(&wanted)?;
        let folder = self.library.folder(&id)?;
        let listed = |job: &BatchJob| Listed {
            file: format!("{}.nrs", job.name),
            weight: job.weight,
            variant: job.variant.clone(),
        };
        let list = list_text(&jobs.iter().map(listed).collect::<Vec<_>>());
        let write = |name: &str, text: &str| write_whole(&folder.join(name), text.as_bytes());
        write(SPEC, &spec.to_string())
            .and_then(|()| write(PLAN, &plan))
            .and_then(|()| write(BATCH_LIST, &list))
            .map_err(ApiFailure::cannot_write)?;
        self.launch(&id, jobs)?;
        self.show(&id)
    }

    /// Goes on with a batch that was stopped, or whose server has ended.
    pub fn resume(self: &Arc<Self>, id: &str) -> Result<BatchFolder, ApiFailure> {
        let folder = self.library.folder(id)?;
        let read = |name: &str| read_text(&folder.join(name));
        let (spec, plan) = (read(SPEC)?, read(PLAN)?);
        let spec: Spec = spec.parse().map_err(|error| ApiFailure::conflict(format!("{SPEC}: {error}")))?;
        let jobs = planned(&plan, &spec).map_err(ApiFailure::conflict)?;
        self.launch(id, jobs)?;
        self.show(id)
    }

    /// Stops a batch; what is solved stays, and it can go on.
    pub fn stop(&self, id: &str) -> Result<BatchFolder, ApiFailure> {
        if let Some(run) = self.run_of(id) {
            run.stop.store(true, Ordering::Relaxed);
            let solve = run.state().solve.clone();
            if let Some(solve) = solve {
                // One that is done by now needs no stop.
                let _ = self.jobs.stop(&solve);
            }
        }
        self.show(id)
    }

    /// A folder that is not there yet, made: the name with a number if it is taken.
    fn free_folder(&self, wanted: &Id) -> Result<String, ApiFailure> {
        let named = |number: u32| match number {
            1 => wanted.as_str().to_owned(),
            _ => format!("{}-{number}", wanted.as_str()),
        };
        let taken = |name: &String| self.library.root().join(name).exists();
        let free = (1..1000).map(named).find(|name| !taken(name) && Id::new(name).is_ok());
        let name = free.ok_or_else(|| ApiFailure::field("name", "too many batches have this name"))?;
        self.library.make(&name).map_err(ApiFailure::cannot_write)?;
        Ok(name)
    }

    fn launch(self: &Arc<Self>, id: &str, jobs: Vec<BatchJob>) -> Result<(), ApiFailure> {
        let run = {
            let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
            if runs.get(id).is_some_and(|run| run.state().running) {
                return Err(ApiFailure::conflict("this batch is at work already"));
            }
            let run = Arc::new(BatchRun::default());
            run.state().running = true;
            runs.insert(id.to_owned(), Arc::clone(&run));
            run
        };
        let (batches, id, own) = (Arc::clone(self), id.to_owned(), Arc::clone(&run));
        let thread = std::thread::Builder::new().name("batch".to_owned());
        let spawned = thread.spawn(move || {
            batches.work(&id, &run, &jobs);
            let mut state = run.state();
            (state.running, state.solve) = (false, None);
        });
        if let Err(error) = spawned {
            own.state().running = false;
            return Err(ApiFailure::job(format!("cannot start a thread: {error}")));
        }
        Ok(())
    }

    fn work(&self, id: &str, run: &BatchRun, jobs: &[BatchJob]) {
        for job in jobs {
            if run.stop.load(Ordering::Relaxed) {
                return;
            }
            let name = format!("{id}/{}", job.name);
            if self.library.solution(&name).is_ok() {
                continue;
            }
            let end = match &job.spec {
                Ok(spec) => self.solve(run, &name, spec, id),
                Err(error) => FlopEnd::Failed(error.clone()),
            };
            match end {
                FlopEnd::Solved => {}
                FlopEnd::Stopped => return,
                FlopEnd::Failed(error) => {
                    let mut state = run.state();
                    state.failed += 1;
                    state.error = Some(format!("{}: {error}", job.name));
                }
            }
        }
    }

    fn solve(&self, run: &BatchRun, name: &str, spec: &Spec, id: &str) -> FlopEnd {
        let started = match self.unfinished(name) {
            Some(solve) => self.jobs.resume(&solve, &ResumeSolve::default()),
            None => self.jobs.start(NewSolve {
                name: name.to_owned(),
                toml: spec.to_string(),
                target_pct: None,
                max_iterations: None,
                save: Some(self.saved(id)),
                continue_from: None,
                merit_base: None,
            }),
        };
        let solve = match started {
            Ok(SolveStatus { id, .. }) => id,
            Err(failure) => return FlopEnd::Failed(failure.into_problem().message),
        };
        run.state().solve = Some(solve.clone());
        loop {
            std::thread::sleep(LOOK_EVERY);
            let Ok(job) = self.jobs.job(&solve, Some(u32::MAX)) else { return FlopEnd::Stopped };
            match job.state {
                JobState::Queued | JobState::Running | JobState::Stopping => {}
                JobState::Done => {
                    // The list of solves is for single spots: its solution tells that this one is done.
                    let _ = self.jobs.forget(&solve);
                    return FlopEnd::Solved;
                }
                JobState::Failed => return FlopEnd::Failed(job.error.unwrap_or_default()),
                JobState::Stopped | JobState::Interrupted => return FlopEnd::Stopped,
            }
        }
    }

    /// A solve of this name that was stopped and can go on.
    fn unfinished(&self, name: &str) -> Option<String> {
        let can_go_on = |job: &SolveStatus| matches!(job.state, JobState::Stopped | JobState::Interrupted);
        self.jobs.list().into_iter().find(|job| job.name == name && can_go_on(job)).map(|job| job.id)
    }

    /// The streets that the plan of a batch keeps.
    fn saved(&self, id: &str) -> KeptStreets {
        use noregret_holdem::SavedStreets;
        let plan = self.library.folder(id).and_then(|folder| read_text(&folder.join(PLAN)));
        match plan.ok().and_then(|text| text.parse::<BatchPlan>().ok()).map(|plan| plan.keep) {
            Some(SavedStreets::Turn) => KeptStreets::Turn,
            Some(SavedStreets::Full) => KeptStreets::Full,
            _ => KeptStreets::Flop,
        }
    }
}

fn planned(plan: &str, spec: &Spec) -> Result<Vec<BatchJob>, String> {
    let plan: BatchPlan = plan.parse().map_err(|error| format!("{PLAN}: {error}"))?;
    plan.jobs(spec).map_err(|error| error.to_string())
}

fn read_text(path: &Path) -> Result<String, ApiFailure> {
    let missing = "this batch was not begun here: go on with `noregret batch` and its plan";
    std::fs::read_to_string(path).map_err(|_| ApiFailure::conflict(missing))
}
