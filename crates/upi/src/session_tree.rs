//! The tree that a session has: built, being solved, solved or opened from a file.

use crate::locking::SetNodes;
use crate::nodes::ShownTree;
use crate::output::Output;
use crate::resting_tree::{FileOrigin, IdleSolver, OpenFile, RestingTree};
use crate::solving::{BackgroundSolve, Job, Start};
use crate::starting::{limit_after, plan, starting};
use crate::stopper::SessionStopper;
use crate::tree_reader::{Source, TreeReader};
use noregret_holdem::{
    GameLayout, Isomorphism, Measurement, Postflop, ResumeFile, SOLUTION_OUTPUT, SaveOptions, SavedStreets,
    SolvePlan, Solver, SolverOptions, Spec, StopCondition, have_same_symmetries, save,
};
use noregret_store::{OverwriteError, is_same_file, remove_parts};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

/// A tree.
pub(crate) struct SessionTree {
    pub spec: Spec,
    pub game: Arc<Postflop>,
    /// The strategies that were set or locked.
    pub set: SetNodes,
    state: State,
    /// To what accuracy a file is to be re-solved once the solve that runs has ended.
    next_accuracy: Option<[f64; 3]>,
}

enum State {
    Resting(RestingTree),
    Running(BackgroundSolve),
    /// A solve that ended without leaving anything.
    Lost,
}

/// How far a solve is to go.
pub(crate) struct Goal {
    /// In percent of the pot; that of the spec if none.
    pub target_pct: Option<f64>,
    pub steps: Option<u32>,
    pub limit: Option<Duration>,
}

/// What a solve needs of its session.
pub(crate) struct Surroundings {
    pub pool: Arc<rayon::ThreadPool>,
    pub pause: Duration,
    pub output: Output,
    pub stopper: SessionStopper,
}

const RUNNING: &str = "the solver is running: stop it, or wait_for_solver";
const LOST: &str = "the tree is lost: build it again";

impl SessionTree {
    /// A tree that is not solved.
    pub fn build(plan: SolvePlan) -> Self {
        let SolvePlan { spec, layout, .. } = plan;
        let game = layout.build();
        let solver = Solver::with_options(game.clone(), &spec.solver);
        let tree = RestingTree::Memory(IdleSolver::new(solver).into());
        Self { set: SetNodes::of(&game), spec, game, state: State::Resting(tree), next_accuracy: None }
    }

    /// The tree of a solution file.
    pub fn open(path: PathBuf, resolve_accuracy: Option<[f64; 3]>) -> Result<Self, String> {
        let open = OpenFile::open(path, resolve_accuracy)?;
        let (game, spec) = (open.file.game().clone(), open.file.spec().clone());
        let state = State::Resting(RestingTree::File(open));
        Ok(Self { spec, set: SetNodes::of(&game), game, state, next_accuracy: None })
    }

    pub fn is_running(&self) -> bool {
        matches!(self.state, State::Running(_))
    }

    /// What its nodes are shown of.
    pub fn shown(&self) -> ShownTree<'_> {
        let (keep, is_on_disk) = match &self.state {
            State::Resting(tree) => (tree.keep(), matches!(tree, RestingTree::File(_))),
            State::Running(_) | State::Lost => (SavedStreets::Full, false),
        };
        ShownTree { game: &self.game, keep, is_on_disk }
    }

    /// What is free once it is dropped.
    pub fn bytes(&self) -> u64 {
        match &self.state {
            State::Resting(RestingTree::Memory(idle)) => idle.bytes(),
            _ => 0,
        }
    }

    /// Lets a solve begin that was made ready.
    pub fn begin(&mut self) {
        if let State::Running(run) = &mut self.state {
            run.begin();
        }
    }

    /// Takes over from a solve that has ended.
    pub fn settle(&mut self) {
        if matches!(&self.state, State::Running(run) if run.is_finished()) {
            self.join();
        }
    }

    /// Asks a solve that runs to end.
    pub fn request_stop(&self) {
        if let State::Running(run) = &self.state {
            run.stop();
        }
    }

    /// Waits for a solve that runs.
    pub fn join(&mut self) {
        match std::mem::replace(&mut self.state, State::Lost) {
            State::Running(run) => {
                if let Some(tree) = run.join() {
                    self.game = tree.game().clone();
                    self.state = State::Resting(tree);
                    if let Some(accuracy) = self.next_accuracy.take() {
                        self.resolve_to(accuracy);
                    }
                }
            }
            state => self.state = state,
        }
    }

    /// Reads something: at once, or between two iterations.
    pub fn read<T: Send + 'static>(
        &mut self,
        read: impl FnOnce(&mut TreeReader<'_>) -> Result<T, String> + Send + 'static,
    ) -> Result<T, String> {
        let read = Arc::new(Mutex::new(Some(read)));
        if let State::Running(run) = &self.state {
            let (reply, answer) = mpsc::channel();
            let taken = read.clone();
            run.ask(Box::new(move |reader| {
                let read = taken.lock().unwrap_or_else(PoisonError::into_inner).take();
                let _ = reply.send(read.map(|read| read(reader)));
            }));
            if let Ok(Some(result)) = answer.recv() {
                return result;
            }
            self.join();
        }
        let read = read.lock().unwrap_or_else(PoisonError::into_inner).take();
        let read = read.ok_or("the solve ended in the middle of it")?;
        match &mut self.state {
            State::Resting(tree) => tree.read((&self.spec, &self.set), read),
            State::Running(_) => Err(RUNNING.to_owned()),
            State::Lost => Err(LOST.to_owned()),
        }
    }

    /// Whether it is read from a file, and has all streets there.
    pub fn can_be_loaded(&self) -> bool {
        matches!(&self.state, State::Resting(RestingTree::File(open)) if open.file.summary().keep == SavedStreets::Full)
    }

    /// Re-solves what a file leaves out to another accuracy from now on.
    pub fn resolve_to(&mut self, accuracy: [f64; 3]) {
        self.next_accuracy = self.is_running().then_some(accuracy);
        self.state = match std::mem::replace(&mut self.state, State::Lost) {
            State::Resting(RestingTree::File(open)) => {
                State::Resting(RestingTree::File(open.resolving_to(accuracy)))
            }
            state => state,
        };
    }

    /// Brings all strategies of a file into memory, and its regrets if it has them.
    pub fn load(&mut self, threads: usize) -> Result<(), String> {
        let State::Resting(RestingTree::File(OpenFile { file, path })) = &self.state else { return Ok(()) };
        if file.summary().keep != SavedStreets::Full {
            return Err("the file leaves streets out, and this needs all of them".to_owned());
        }
        let layout = plan(&self.spec, threads, 0)?.layout;
        let mut solver = Solver::with_options(layout.build(), &self.spec.solver);
        let digest = file.summary().digest.clone();
        let resume = ResumeFile::open(path).ok();
        let resume = resume.filter(|resume| resume.has_state() && resume.digest() == Some(&digest));
        let origin = match &resume {
            Some(resume) => {
                resume.restore(&mut solver).map_err(|error| error.to_string())?;
                None
            }
            None => {
                file.fill(&mut solver).map_err(|error| error.to_string())?;
                Some(FileOrigin { path: path.clone(), digest })
            }
        };
        let (history, elapsed) = (file.progress().history.clone(), file.progress().elapsed);
        self.game = solver.game().clone();
        let has_regrets = resume.is_some();
        let idle = IdleSolver { history, elapsed, has_regrets, file: origin, ..IdleSolver::new(solver) };
        self.state = State::Resting(RestingTree::Memory(idle.into()));
        Ok(())
    }

    /// Sets strategies or frees them. Everything else is played as before.
    pub fn set_strategies(&mut self, set: SetNodes, threads: usize) -> Result<(), String> {
        if self.is_running() {
            return Err(RUNNING.to_owned());
        }
        let under = |locks| self.spec.spot.clone().with_locks(locks).map_err(|error| error.message);
        let (all, locked) = (under(set.all())?, under(set.locked())?);
        // Strategies that are only set must fit the layout as locks have to.
        let merges = have_same_symmetries(&all, &locked);
        self.load(threads)?;
        let spec = Spec { spot: locked, ..self.spec.clone() };
        let State::Resting(RestingTree::Memory(idle)) = &mut self.state else { return Err(LOST.to_owned()) };
        if spec.spot.locks() != self.spec.spot.locks() || merges != idle.merges {
            let layout = if merges {
                plan(&spec, threads, idle.bytes())?.layout
            } else {
                let layout = GameLayout::with_isomorphism(&spec.spot, Isomorphism::Keep);
                let layout = layout.map_err(|error| error.to_string())?;
                let limit = limit_after(idle.bytes());
                limit.check(&layout, &spec.solver, threads).map_err(|error| error.to_string())?;
                layout
            };
            let State::Resting(RestingTree::Memory(old)) = std::mem::replace(&mut self.state, State::Lost)
            else {
                return Err(LOST.to_owned());
            };
            let IdleSolver { solver, history, elapsed, .. } = *old;
            let solver = solver.laid_out_as(layout, &spec.solver);
            self.game = solver.game().clone();
            let new = IdleSolver {
                history,
                elapsed,
                has_regrets: false,
                is_changed: true,
                ..IdleSolver::new(solver)
            };
            self.state = State::Resting(RestingTree::Memory(IdleSolver { merges, ..new }.into()));
        }
        if let State::Resting(RestingTree::Memory(idle)) = &mut self.state {
            for (line, hands) in set.free() {
                idle.solver.set_strategy(line, hands).map_err(|error| error.to_string())?;
                idle.is_changed = true;
            }
            idle.cache = Default::default();
        }
        (self.spec, self.set) = (spec, set);
        Ok(())
    }

    /// Makes a solve ready that goes on from here; from nothing if locks have changed.
    pub fn go(&mut self, goal: &Goal, threads: usize, surroundings: Surroundings) -> Result<(), String> {
        let mut spec = self.spec.clone();
        if let Some(pct) = goal.target_pct {
            spec.solver.target_exploitability_pct = pct;
        }
        let tree = match std::mem::replace(&mut self.state, State::Lost) {
            State::Resting(tree) => tree,
            state => {
                self.state = state;
                return Err(if self.is_running() { RUNNING } else { LOST }.to_owned());
            }
        };
        let (start, iteration) = starting(tree, &spec, threads).map_err(|(tree, message)| {
            self.state = State::Resting(tree);
            message
        })?;
        match &start {
            Start::Solver { solver, .. } | Start::File { solver, .. } => {
                self.game = solver.game().clone();
                self.set.keep_locked();
            }
            Start::Nowhere { .. } => {}
        }
        let last = goal.steps.map_or(SolverOptions::MAX_ITERATIONS, |steps| iteration.saturating_add(steps));
        let condition = StopCondition {
            target_pct: spec.solver.target_exploitability_pct,
            max_iterations: last.min(SolverOptions::MAX_ITERATIONS),
        };
        let Surroundings { pool, pause, output, stopper } = surroundings;
        self.spec = spec.clone();
        let limit = goal.limit;
        let job = Job { start, spec, set: self.set.clone(), condition, limit, pause, pool, output, stopper };
        self.state = State::Running(BackgroundSolve::new(job));
        Ok(())
    }

    /// Writes the tree to a file.
    pub fn save(&mut self, path: PathBuf, keep: SavedStreets, threads: usize) -> Result<(), String> {
        if keep.last() < self.spec.spot.board().street() {
            return Err(format!(
                "the tree begins on the {}: there would be nothing in the file",
                self.spec.spot.board().street()
            ));
        }
        check_place(&path, &self.state, keep)?;
        // What killed sessions have left beside it; where it cannot be cleared, whoever tries to write says why.
        let _ = remove_parts(&path);
        self.load(threads)?;
        let (is_changed, has_regrets) = match &self.state {
            State::Resting(RestingTree::Memory(idle)) if !idle.merges => {
                return Err(
                    "strategies are set that tell suits apart, and a file cannot hold them unless they \
                            are locked: lock_node or go first"
                        .to_owned(),
                );
            }
            State::Resting(RestingTree::Memory(idle)) => (idle.is_changed, idle.has_regrets),
            _ => (false, true),
        };
        self.read(move |reader| {
            let Source::Solver(solver, _) = &reader.source else {
                return Err("the solver has not yet come to where the file ended: wait a little".to_owned());
            };
            let mut history = reader.history.to_vec();
            if is_changed {
                // What was measured is not what is there now.
                history.retain(|check| check.iteration < solver.iteration());
                history.push(Measurement {
                    iteration: solver.iteration(),
                    elapsed: reader.elapsed,
                    exploitability_pct: solver.exploitability_pct(),
                });
            }
            let options = SaveOptions { keep, regrets: has_regrets && keep == SavedStreets::Full };
            save(&path, reader.spec, solver, &history, options)
                .map_err(|error| format!("{}: {error}", path.display()))
        })
    }
}

/// Refuses to write over what is not a solution, and over the file that the tree is from where streets of it would be left out. Names
/// may end as scripts like.
fn check_place(path: &Path, state: &State, keep: SavedStreets) -> Result<(), String> {
    let refused = |error: OverwriteError| Err(format!("{}: {error}: {}", path.display(), error.advice()));
    if let Err(error) = SOLUTION_OUTPUT.check_content(path) {
        return refused(error);
    }
    let origin = match state {
        State::Resting(RestingTree::File(open)) => Some(&open.path),
        State::Resting(RestingTree::Memory(idle)) => idle.file.as_ref().map(|origin| &origin.path),
        _ => None,
    };
    if keep != SavedStreets::Full && origin.is_some_and(|origin| is_same_file(origin, path)) {
        return refused(OverwriteError::BeingRead("the file".to_owned()));
    }
    Ok(())
}
