//! Batches that this server solves: one spec on many flops, a solve at a time in the queue of all solves.

use crate::api::reports::{BatchFolder, NewBatch};
use crate::api::solves::KeptStreets;
use crate::failure::ApiFailure;
use crate::jobs::Jobs;
use crate::library::{Id, Library};
use crate::solve_runs::{RunPlan, SolveRuns};
use crate::{overview, problems};
use noregret_holdem::{BatchJob, BatchPlan, Spec};
use noregret_report::{BATCH_LIST, Listed, list_text};
use noregret_store::write_whole;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The files of a batch that a server has begun; `noregret batch` can go on with them too.
const SPEC: &str = "spec.toml";
const PLAN: &str = "plan.toml";

/// The batches of a library.
pub struct Batches {
    library: Arc<Library>,
    jobs: Arc<Jobs>,
    runs: Arc<SolveRuns>,
    /// Held while a batch is begun: two at once would take the same folder.
    beginning: Mutex<()>,
}

impl Batches {
    /// Those of a library; none runs yet.
    pub fn new(library: Arc<Library>, jobs: Arc<Jobs>, runs: Arc<SolveRuns>) -> Self {
        Self { library, jobs, runs, beginning: Mutex::default() }
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
        let state = self.runs.state(&folder.id);
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
    pub fn start(&self, request: NewBatch) -> Result<BatchFolder, ApiFailure> {
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
        let _beginning = self.beginning.lock().unwrap_or_else(PoisonError::into_inner);
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
            .map_err(|error| {
                take_away(&folder);
                ApiFailure::cannot_write(error)
            })?;
        self.launch(&id, jobs)?;
        self.show(&id)
    }

    /// Goes on with a batch that was stopped, or whose server has ended.
    pub fn resume(&self, id: &str) -> Result<BatchFolder, ApiFailure> {
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
        self.runs.stop(id);
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

    fn launch(&self, id: &str, jobs: Vec<BatchJob>) -> Result<(), ApiFailure> {
        self.runs.launch(id, RunPlan { folder: id.to_owned(), jobs, keep: self.saved(id) })
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

/// Takes the folder of a batch away that could not be begun: nobody would see it, and its name would be taken.
fn take_away(folder: &Path) {
    for name in [SPEC, PLAN, BATCH_LIST] {
        let _ = noregret_store::remove(&folder.join(name));
    }
    let _ = std::fs::remove_dir(folder);
}

fn planned(plan: &str, spec: &Spec) -> Result<Vec<BatchJob>, String> {
    let plan: BatchPlan = plan.parse().map_err(|error| format!("{PLAN}: {error}"))?;
    plan.jobs(spec).map_err(|error| error.to_string())
}

fn read_text(path: &Path) -> Result<String, ApiFailure> {
    let missing = "this batch was not begun here: go on with `noregret batch` and its plan";
    std::fs::read_to_string(path).map_err(|_| ApiFailure::conflict(missing))
}
