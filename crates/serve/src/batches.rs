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
    pub fn list(&self) -> Result<Vec<BatchFolder>, ApiFailure> {
        overview::batches(&self.library)?.into_iter().map(|folder| self.with_run(folder)).collect()
    }

    /// One batch.
    pub fn show(&self, id: &str) -> Result<BatchFolder, ApiFailure> {
        let folder = overview::batch(&self.library, id);
        let missing = || ApiFailure::missing(format!("there is no batch `{}`", crate::library::shown(id)));
        self.with_run(folder.ok_or_else(missing)?)
    }

    fn with_run(&self, folder: BatchFolder) -> Result<BatchFolder, ApiFailure> {
        let state = self.runs.state(&folder.id);
        Ok(BatchFolder {
            running: state.running,
            can_continue: folder.solved < folder.total
                && self.library.has_file(&folder.id, PLAN)?
                && self.library.has_file(&folder.id, SPEC)?,
            solve: state.solve,
            failed: state.failed,
            error: state.error,
            ..folder
        })
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
        let id = self.library.make_new_folder(&wanted)?;
        let listed = |job: &BatchJob| Listed {
            file: format!("{}.nrs", job.name),
            weight: job.weight,
            variant: job.variant.clone(),
        };
        let list = list_text(&jobs.iter().map(listed).collect::<Vec<_>>());
        let write = |name: &str, text: &str| self.library.write_text(&id, name, text);
        write(SPEC, &spec.to_string())
            .and_then(|()| write(PLAN, &plan))
            .and_then(|()| write(BATCH_LIST, &list))
            // Nobody would see what is there, and its name would be taken.
            .inspect_err(|_| self.library.take_folder_away(&id, &[SPEC, PLAN, BATCH_LIST]))?;
        self.launch(&id, jobs)?;
        self.show(&id)
    }

    /// Goes on with a batch that was stopped, or whose server has ended.
    pub fn resume(&self, id: &str) -> Result<BatchFolder, ApiFailure> {
        let missing = || {
            ApiFailure::conflict("this batch was not begun here: go on with `noregret batch` and its plan")
        };
        let read = |name: &str| self.library.text(id, name)?.ok_or_else(missing);
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

    fn launch(&self, id: &str, jobs: Vec<BatchJob>) -> Result<(), ApiFailure> {
        self.runs.launch(id, RunPlan { folder: id.to_owned(), jobs, keep: self.saved(id) })
    }

    /// The streets that the plan of a batch keeps.
    fn saved(&self, id: &str) -> KeptStreets {
        use noregret_holdem::SavedStreets;
        let plan = self.library.text(id, PLAN).ok().flatten();
        match plan.and_then(|text| text.parse::<BatchPlan>().ok()).map(|plan| plan.keep) {
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
