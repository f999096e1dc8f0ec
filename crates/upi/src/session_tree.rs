//! The tree that a session has: built, being solved, solved or opened from a file.

use crate::locking::SetNodes;
use crate::output::Output;
use crate::solving::{BackgroundSolve, Finished, Job, Start};
use crate::stopper::SessionStopper;
use crate::tree_reader::{Source, TreeReader};
use noregret_holdem::{
    BoardCache, MachineMemory, Measurement, MemoryLimit, Postflop, PriorRun, SaveOptions, SavedStreets,
    SolutionFile, SolvePlan, Solver, SolverOptions, Spec, StopCondition, save,
};
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
}

enum State {
    Memory(Box<IdleSolver>),
    File {
        file: Box<SolutionFile>,
        path: PathBuf,
    },
    Running(BackgroundSolve),
    /// A solve that ended without leaving anything.
    Lost,
}

/// A solver that is at rest.
struct IdleSolver {
    solver: Solver,
    cache: BoardCache,
    history: Vec<Measurement>,
    elapsed: Duration,
    /// Whether it cannot go on from here: its strategies are there, its regrets are not.
    has_no_regrets: bool,
    /// The file that its strategies are from and the iterations that are in it: a solve continues there.
    file: Option<(PathBuf, u32)>,
    /// Whether its strategies are gone, since they could not be read under new locks.
    has_no_strategies: bool,
}

impl IdleSolver {
    fn new(solver: Solver) -> Self {
        Self {
            solver,
            cache: BoardCache::default(),
            history: Vec::new(),
            elapsed: Duration::ZERO,
            has_no_regrets: false,
            file: None,
            has_no_strategies: false,
        }
    }
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

impl SessionTree {
    /// A tree that is not solved.
    pub fn build(plan: SolvePlan) -> Self {
        let SolvePlan { spec, layout } = plan;
        let game = layout.build();
        let solver = Solver::with_options(game.clone(), &spec.solver);
        Self { set: SetNodes::of(&game), spec, game, state: State::Memory(IdleSolver::new(solver).into()) }
    }

    /// The tree of a solution file.
    pub fn open(path: PathBuf, resolve_accuracy: Option<[f64; 3]>) -> Result<Self, String> {
        let file = open(&path)?;
        let file = match resolve_accuracy {
            Some(accuracy) => file.resolving_to(accuracy),
            None => file,
        };
        let game = file.game().clone();
        let spec = file.spec().clone();
        Ok(Self { spec, set: SetNodes::of(&game), game, state: State::File { file: file.into(), path } })
    }

    pub fn is_running(&self) -> bool {
        matches!(self.state, State::Running(_))
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
                if let Some(Finished { solver, history, elapsed, error }) = run.join() {
                    let has_no_strategies = error.is_some();
                    self.state = State::Memory(
                        IdleSolver { history, elapsed, has_no_strategies, ..IdleSolver::new(solver) }.into(),
                    );
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
            State::Memory(memory) if memory.has_no_strategies => Err(
                "the strategies are not there any more, since the locks tell suits apart that they shared: go first".to_owned(),
            ),
            State::Memory(memory) => {
                let IdleSolver { solver, cache, history, elapsed, .. } = &mut **memory;
                let source = Source::Solver(solver, cache);
                read(&mut TreeReader { source, spec: &self.spec, history, elapsed: *elapsed })
            }
            State::File { file, .. } => {
                let progress = file.progress();
                let (history, elapsed) = (&progress.history[..], progress.elapsed);
                read(&mut TreeReader { source: Source::File(file), spec: &self.spec, history, elapsed })
            }
            State::Running(_) => Err(RUNNING.to_owned()),
            State::Lost => Err("the tree is lost: build it again".to_owned()),
        }
    }

    /// The file that the tree is read from, if it is.
    pub fn file(&self) -> Option<&SolutionFile> {
        match &self.state {
            State::File { file, .. } => Some(file),
            _ => None,
        }
    }

    /// Brings all strategies of a file into memory.
    pub fn load(&mut self, threads: usize) -> Result<(), String> {
        let State::File { file, path } = &self.state else { return Ok(()) };
        if file.summary().keep != SavedStreets::Full {
            return Err("the file leaves streets out, and this needs all of them".to_owned());
        }
        let plan = plan(&self.spec, threads)?;
        let mut solver = Solver::with_options(plan.layout.build(), &self.spec.solver);
        file.fill(&mut solver).map_err(|error| error.to_string())?;
        let (history, elapsed) = (file.progress().history.clone(), file.progress().elapsed);
        let file = Some((path.clone(), file.progress().iterations));
        self.game = solver.game().clone();
        let idle = IdleSolver { history, elapsed, has_no_regrets: true, file, ..IdleSolver::new(solver) };
        self.state = State::Memory(idle.into());
        Ok(())
    }

    /// Sets strategies or frees them. Everything else is played as before, as far as that can be.
    pub fn set_strategies(&mut self, set: SetNodes, threads: usize) -> Result<(), String> {
        if self.is_running() {
            return Err(RUNNING.to_owned());
        }
        let spot = self.spec.spot.clone().with_locks(set.locks()).map_err(|error| error.message)?;
        self.load(threads)?;
        let spec = Spec { spot, ..self.spec.clone() };
        let layout = MemoryLimit::of_machine().lay_out(&spec).map_err(|error| error.to_string())?;
        let State::Memory(memory) = std::mem::replace(&mut self.state, State::Lost) else {
            return Err("the tree is lost: build it again".to_owned());
        };
        let IdleSolver { solver, history, elapsed, has_no_strategies, .. } = *memory;
        let new = if solver.can_take_locks_of(&spec.spot) && !has_no_strategies {
            let solver = solver.under_locks_of(layout, &spec.solver);
            IdleSolver { history, elapsed, has_no_regrets: true, ..IdleSolver::new(solver) }
        } else {
            drop(solver);
            let solver = Solver::with_options(layout.build(), &spec.solver);
            IdleSolver { has_no_regrets: true, has_no_strategies: true, ..IdleSolver::new(solver) }
        };
        self.game = new.solver.game().clone();
        self.state = State::Memory(new.into());
        (self.spec, self.set) = (spec, set);
        Ok(())
    }

    /// Makes a solve ready that goes on from here; from nothing if locks have changed.
    pub fn go(&mut self, goal: &Goal, threads: usize, surroundings: Surroundings) -> Result<(), String> {
        if self.is_running() {
            return Err(RUNNING.to_owned());
        }
        let mut set = self.set.clone();
        set.keep_locked();
        let spot = self.spec.spot.clone().with_locks(set.locks()).map_err(|error| error.message)?;
        let has_other_locks = spot.locks() != self.spec.spot.locks();
        let mut spec = Spec { spot, ..self.spec.clone() };
        if let Some(pct) = goal.target_pct {
            spec.solver.target_exploitability_pct = pct;
        }
        let old = std::mem::replace(&mut self.state, State::Lost);
        let continued = match &old {
            State::File { path, file } => Some((path.clone(), file.progress().iterations)),
            State::Memory(idle) if !has_other_locks => idle.file.clone(),
            _ => None,
        };
        let (start, prior, iteration) = match (old, continued) {
            (State::Memory(idle), None) if !idle.has_no_regrets && !has_other_locks => {
                let IdleSolver { solver, history, elapsed, .. } = *idle;
                let iteration = solver.iteration();
                (Start::Solver(solver.into()), PriorRun { history, elapsed }, iteration)
            }
            (old @ (State::File { .. } | State::Memory(_)), continued) => {
                // A file can be read whatever comes; the memory of a solver is needed for the next one.
                if matches!(old, State::File { .. }) {
                    self.state = old;
                }
                let plan = plan(&spec, threads)?;
                let solver = Solver::with_options(plan.layout.build(), &spec.solver).into();
                match continued {
                    Some((path, iteration)) => (Start::File { path, solver }, PriorRun::default(), iteration),
                    None => (Start::Solver(solver), PriorRun::default(), 0),
                }
            }
            (State::Running(_) | State::Lost, _) => return Err("the tree is lost: build it again".to_owned()),
        };
        self.game = match &start {
            Start::Solver(solver) | Start::File { solver, .. } => solver.game().clone(),
        };
        let last = goal
            .steps
            .map_or(spec.solver.max_iterations.max(iteration), |steps| iteration.saturating_add(steps));
        let condition = StopCondition {
            target_pct: spec.solver.target_exploitability_pct,
            max_iterations: last.min(SolverOptions::MAX_ITERATIONS),
        };
        let Surroundings { pool, pause, output, stopper } = surroundings;
        (self.spec, self.set) = (spec.clone(), set);
        self.state = State::Running(BackgroundSolve::new(Job {
            start,
            spec,
            condition,
            limit: goal.limit,
            prior,
            pause,
            pool,
            output,
            stopper,
        }));
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
        if !self.is_running() {
            self.load(threads)?;
        }
        let changed = matches!(&self.state, State::Memory(memory) if memory.has_no_regrets);
        self.read(move |reader| {
            let Source::Solver(solver, _) = &reader.source else {
                return Err("the tree is not in memory".to_owned());
            };
            let mut history = reader.history.to_vec();
            if changed {
                // What was measured is not what is there now.
                history.retain(|check| check.iteration < solver.iteration());
                history.push(Measurement {
                    iteration: solver.iteration(),
                    elapsed: reader.elapsed,
                    exploitability_pct: solver.exploitability_pct(),
                });
            }
            let options = SaveOptions { keep, regrets: false };
            save(&path, reader.spec, solver, &history, options)
                .map_err(|error| format!("{}: {error}", path.display()))
        })
    }
}

/// A layout of what fits into memory.
fn plan(spec: &Spec, threads: usize) -> Result<SolvePlan, String> {
    let limit = MemoryLimit::of_machine();
    let plan = SolvePlan::new(spec.clone(), &limit, threads).map_err(|error| error.to_string())?;
    plan.check_memory(&limit, threads).map_err(|error| error.to_string())?;
    Ok(plan)
}

/// Opens a solution file, to take no more memory than there is.
pub(crate) fn open(path: &Path) -> Result<SolutionFile, String> {
    if !path.is_file() {
        return Err(format!("there is no file {}", path.display()));
    }
    SolutionFile::open_within(path, MachineMemory::now().available)
        .map_err(|error| format!("{}: {error}", path.display()))
}
