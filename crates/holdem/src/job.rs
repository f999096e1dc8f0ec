//! One solve as one job: from a spec and its limits to a measured solution. The command line, batches, comparisons and the server
//! all run this.

use crate::saved::{Checkpoint, ResumeError, ResumeFile, SaveOptions, save};
use crate::solve::merit::LockEffect;
use crate::solve::precision_profile::{PrecisionCandidate, PrecisionProfile};
use crate::solve::run::{Measurement, Outcome, PriorRun, Progress, StopCondition, StopReason, resume};
use crate::solve::solver::Solver;
use crate::{
    GameLayout, LayOutError, Lock, MemoryLimit, OverLimit, Postflop, PrecisionChoice, Size, Solution,
    SolverOptions, Spec, Spot, StateBuffers,
};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// Why a job cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The game cannot be laid out.
    #[error(transparent)]
    LayOut(#[from] LayOutError),
    /// It takes more memory than allowed.
    #[error(transparent)]
    Memory(#[from] OverLimit),
    /// It cannot continue from the file that it was given.
    #[error(transparent)]
    Resume(#[from] ResumeError),
}

/// Where a job starts.
pub enum StartFrom {
    /// At the first iteration.
    Nothing,
    /// Where a checkpoint or a solution left off; an error if the file cannot be used.
    File(Box<ResumeFile>),
    /// Where a checkpoint left off; elsewhere if that cannot be restored.
    FileOr {
        /// The checkpoint.
        file: Box<ResumeFile>,
        /// What is no reason to fail.
        forgives: Forgives,
        /// Where it starts then.
        otherwise: Box<Self>,
    },
}

/// Which failures to restore a checkpoint let a job start elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forgives {
    /// A damaged file. One that cannot be read for another reason may be whole, and is not written over.
    Damage,
    /// Every failure.
    Everything,
}

/// What an observer wants after an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop here, with a checkpoint if the job has one.
    Stop,
    /// Stop here and write nothing: nobody needs what was reached.
    Abandon,
}

/// Who follows a job: a progress bar, a server's record.
pub trait SolveObserver {
    /// Called before the first iteration, after every iteration, and once more when the job has ended: what it returns
    /// then is ignored.
    fn progress(&mut self, progress: &Progress<'_>) -> Control;

    /// Called after `progress` while the job goes on: to read or save what there is so far, of this spec.
    fn look(&mut self, _spec: &Spec, _progress: &Progress<'_>) {}

    /// Called while the iterations of a file without regrets are made again.
    fn replaying(&mut self, _iteration: u32) -> Control {
        Control::Continue
    }

    /// Called before each precision that is timed, with how many are done and how many there are: see
    /// [`PrecisionChoice::Profile`].
    fn profiling(&mut self, _done: usize, _of: usize) -> Control {
        Control::Continue
    }

    /// Precisions have been timed, and one was picked.
    fn profiled(&mut self, _profile: &PrecisionProfile) {}

    /// The spot without its locks by merit is solved, and says what their hands do: from here on the spot with them is solved. `ev` is
    /// what both players expect without them.
    fn resolved(&mut self, _effects: &[LockEffect], _ev: [f64; 2]) {}

    /// A checkpoint has been written.
    fn checkpoint_written(&mut self) {}

    /// A checkpoint could not be written; the solve goes on without it.
    fn checkpoint_failed(&mut self, _error: &io::Error) {}
}

/// Observes nothing and never stops.
impl SolveObserver for () {
    fn progress(&mut self, _progress: &Progress<'_>) -> Control {
        Control::Continue
    }
}

/// A solve that is laid out: its precisions are picked and its size is known, but nothing large is allocated.
pub struct SolvePlan {
    /// What is solved, with the precisions that were picked.
    pub spec: Spec,
    /// The betting tree and the boards.
    pub layout: GameLayout,
    /// The precisions that are timed before the solve, if it is to be [profiled](PrecisionChoice::Profile).
    candidates: Vec<PrecisionCandidate>,
}

impl SolvePlan {
    /// Lays out a spec and picks its precisions, where it leaves them open, so that it fits on so many threads. If they are to be
    /// timed, the plan has those that would be picked otherwise, and the job others.
    pub fn new(spec: Spec, limit: &MemoryLimit, threads: usize) -> Result<Self, JobError> {
        let layout = limit.lay_out(&spec)?;
        let solver = limit.fit(&layout, &spec.solver, threads)?;
        let candidates = match spec.solver.precision_choice {
            PrecisionChoice::Profile => {
                PrecisionCandidate::fitting(&layout, &spec.solver, limit.bytes.0, threads)
            }
            PrecisionChoice::Auto | PrecisionChoice::Given => Vec::new(),
        };
        Ok(Self { spec: Spec { solver, ..spec }, layout, candidates })
    }

    /// How large the spot is, and what solving it takes.
    pub fn size(&self) -> Size {
        self.layout.size(&self.spec.solver)
    }

    /// Refuses what does not fit, and says what would.
    pub fn check_memory(&self, limit: &MemoryLimit, threads: usize) -> Result<(), OverLimit> {
        limit.check(&self.layout, &self.spec.solver, threads)
    }

    /// The job.
    pub fn into_job(self) -> SolveJob {
        SolveJob {
            spec: self.spec,
            game: JobGame::LaidOut(self.layout.into()),
            candidates: self.candidates,
            start: StartFrom::Nothing,
            checkpoint: None,
            buffers: StateBuffers::default(),
        }
    }
}

/// A solve to be run: what is solved, where it starts and what it writes on the way.
///
/// ```
/// use noregret_holdem::{MemoryLimit, Solution, SolveJob, Spec};
///
/// let spec: Spec = "[ranges]\noop = 'AA,KK,QJs'\nip = 'TT+,KQs'\n[cards]\nflop = 'QsJh2h'\nturn = '8c'\nriver = '3d'\n\
///                   [tree]\nstarting_pot = 100\neffective_stack = 300\n".parse()?;
/// let job = SolveJob::plan(spec, &MemoryLimit::of_machine(), 1)?;
/// let solved = job.run(&mut ())?.expect("nobody stops it");
/// assert!(solved.last().exploitability_pct <= 0.1);
/// let solution = Solution::from(solved.solver);
/// assert_eq!(solution.at("check")?.actions.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SolveJob {
    spec: Spec,
    game: JobGame,
    candidates: Vec<PrecisionCandidate>,
    start: StartFrom,
    checkpoint: Option<Checkpoint>,
    buffers: StateBuffers,
}

enum JobGame {
    LaidOut(Box<GameLayout>),
    Built(Arc<Postflop>),
}

impl SolveJob {
    /// A job of a [plan](SolvePlan) that fits into memory.
    pub fn plan(spec: Spec, limit: &MemoryLimit, threads: usize) -> Result<Self, JobError> {
        let plan = SolvePlan::new(spec, limit, threads)?;
        plan.check_memory(limit, threads)?;
        Ok(plan.into_job())
    }

    /// A job on a game that is built already, with its precisions picked: to solve the same game in several ways.
    pub fn on_game(game: Arc<Postflop>, spec: Spec) -> Self {
        let game = JobGame::Built(game);
        let (start, buffers) = (StartFrom::Nothing, StateBuffers::default());
        Self { spec, game, candidates: Vec::new(), start, checkpoint: None, buffers }
    }

    /// The spec, with the precisions that were picked.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Starts it somewhere else than at the first iteration.
    #[must_use]
    pub fn starting_from(self, start: StartFrom) -> Self {
        Self { start, ..self }
    }

    /// Writes checkpoints on the way.
    #[must_use]
    pub fn with_checkpoint(self, checkpoint: Option<Checkpoint>) -> Self {
        Self { checkpoint, ..self }
    }

    /// Solves in the memory of an earlier job, as far as that serves.
    #[must_use]
    pub fn in_buffers(self, buffers: StateBuffers) -> Self {
        Self { buffers, ..self }
    }

    /// Runs the job on the current thread pool: builds the game, picks the precision if it is to be timed, restores the start,
    /// iterates to the target or the last iteration, measures and writes checkpoints on the way. None if the observer stops it before
    /// its first iteration, or before it is where the file left off.
    ///
    /// A spot with locks by merit whose hands are not known yet is solved twice: first without them, which says what the hands are
    /// worth, and then with them from the first iteration on, as if the spec had named the hands. If it is stopped before, its
    /// solution is the one without these locks.
    pub fn run(self, observer: &mut dyn SolveObserver) -> Result<Option<Solved>, ResumeError> {
        let Self { mut spec, game, candidates, start, checkpoint, buffers } = self;
        let game = match game {
            JobGame::LaidOut(layout) => layout.build(),
            JobGame::Built(game) => game,
        };
        if !candidates.is_empty() {
            let before_each = |done| match observer.profiling(done, candidates.len()) {
                Control::Continue => ControlFlow::Continue(()),
                Control::Stop | Control::Abandon => ControlFlow::Break(()),
            };
            let Some(profile) = PrecisionProfile::measure(&game, &candidates, before_each) else {
                return Ok(None);
            };
            observer.profiled(&profile);
            // The target may have been set after precisions to time were.
            spec.solver = StopCondition::of(&spec.solver).applied_to(profile.options().clone());
        }
        let mut solver = Solver::with_buffers(game.clone(), &spec.solver, buffers);
        let mut start = start;
        let prior = loop {
            match start {
                StartFrom::Nothing => break PriorRun::default(),
                StartFrom::File(file) => {
                    let goes_on = |iteration| observer.replaying(iteration) == Control::Continue;
                    let Some(prior) = file.resume_in(&mut solver, goes_on)? else { return Ok(None) };
                    break prior;
                }
                StartFrom::FileOr { file, forgives, otherwise } => {
                    match file.resume_in(&mut solver, |_| true) {
                        Ok(prior) => break prior.unwrap_or_default(),
                        Err(error) if !is_forgiven(&error, forgives) => return Err(error),
                        Err(_) => {
                            let buffers = solver.into_buffers();
                            solver = Solver::with_buffers(game.clone(), &spec.solver, buffers);
                            start = *otherwise;
                        }
                    }
                }
            }
        };
        Ok(Some(Iterating { spec, solver, prior, checkpoint }.run(observer)))
    }
}

/// The spot with its locks by merit, whose hands are as the solution without them says; before the first iteration.
fn with_merits(base: Solved, observer: &mut dyn SolveObserver) -> Iterating {
    let Solved { mut spec, solver, outcome, .. } = base;
    let effects: Vec<Option<LockEffect>> = (0..spec.spot.locks().len())
        .map(|lock| {
            let lines = &spec.spot.locks()[lock];
            let view = solver.at(&lines.line).ok().filter(|_| lines.is_open())?;
            LockEffect::of(&spec.spot, lock, &view)
        })
        .collect();
    let resolve = |(lock, effect): (&Lock, &Option<LockEffect>)| match effect {
        Some(effect) => effect.resolve(lock.clone()),
        None => lock.clone(),
    };
    let locks: Vec<Lock> = spec.spot.locks().iter().zip(&effects).map(resolve).collect();
    let effects: Vec<LockEffect> = effects.into_iter().flatten().collect();
    observer.resolved(&effects, solver.results().ev);
    let bound = "hands that the game has, with frequencies that add up to 1, are bound";
    let spot =
        spec.spot.clone().with_locks(locks.clone()).unwrap_or_else(|error| unreachable!("{bound}: {error}"));
    spec.spot = spot;
    let game = solver.game().clone();
    let buffers = solver.into_buffers();
    // A coarser tree to begin with is bound by the same locks: it is made anew.
    let same = game.with_locks(locks).ok().flatten().filter(|_| !spec.solver.warm_start.enabled);
    let laid_out = || {
        let layout = GameLayout::of(&spec, u64::MAX);
        layout.unwrap_or_else(|error| unreachable!("the same tree was laid out before: {error}")).build()
    };
    let game = same.unwrap_or_else(laid_out);
    let prior = PriorRun { history: Vec::new(), elapsed: outcome.last().elapsed };
    let solver = Solver::with_buffers(game, &spec.solver, buffers);
    Iterating { spec, solver, prior, checkpoint: None }
}

/// A solver on its way, and what it writes.
struct Iterating {
    spec: Spec,
    solver: Solver,
    prior: PriorRun,
    checkpoint: Option<Checkpoint>,
}

impl Iterating {
    /// Iterates to the target or the last iteration of the spec; first without locks by merit whose hands are not known yet.
    fn run(mut self, observer: &mut dyn SolveObserver) -> Solved {
        let mut checkpoint = self.checkpoint.take();
        if !self.spec.spot.has_open_locks() {
            return self.iterate(&mut checkpoint, true, observer);
        }
        let base = self.iterate(&mut checkpoint, false, observer);
        if base.outcome.reason == StopReason::Stopped {
            return base;
        }
        checkpoint.iter_mut().for_each(Checkpoint::begin_anew);
        with_merits(base, observer).iterate(&mut checkpoint, true, observer)
    }

    /// Iterates with checkpoints that are written on the way, and at the end if it is the last.
    fn iterate(
        self,
        checkpoint: &mut Option<Checkpoint>,
        is_last: bool,
        observer: &mut dyn SolveObserver,
    ) -> Solved {
        let Self { spec, mut solver, prior, .. } = self;
        let mut lost_checkpoint = None;
        let outcome = resume(&mut solver, &StopCondition::of(&spec.solver), prior, |progress| {
            let control = observer.progress(progress);
            let stopping = control != Control::Continue;
            if let Some(checkpoint) = checkpoint.as_mut().filter(|_| control != Control::Abandon) {
                lost_checkpoint = write_checkpoint(checkpoint, &spec, progress, stopping, observer);
            }
            if stopping {
                return ControlFlow::Break(());
            }
            observer.look(&spec, progress);
            ControlFlow::Continue(())
        });
        let elapsed = outcome.last().elapsed;
        let progress = Progress { solver: &solver, history: &outcome.history, elapsed };
        observer.progress(&progress);
        if let Some(error) = lost_checkpoint.take_if(|_| outcome.reason != StopReason::Stopped) {
            observer.checkpoint_failed(&error);
        }
        if outcome.reason != StopReason::Stopped
            && is_last
            && let Some(checkpoint) = checkpoint.as_mut().filter(|checkpoint| checkpoint.writes_at_end())
        {
            // The solve is done, and what was reached is in the solution: a failure loses nothing.
            let lost = write_checkpoint(checkpoint, &spec, &progress, true, observer);
            lost.iter().for_each(|error| observer.checkpoint_failed(error));
        }
        let checkpoint_iteration = checkpoint.as_ref().and_then(Checkpoint::iteration);
        Solved { spec, solver, outcome, checkpoint_iteration, lost_checkpoint }
    }
}

fn is_forgiven(error: &ResumeError, forgives: Forgives) -> bool {
    match forgives {
        Forgives::Everything => true,
        Forgives::Damage => matches!(error, ResumeError::File(error) if error.is_damage()),
    }
}

/// Writes a checkpoint if it is time, or in any case if the job is about to stop. A failure is returned if it is, and otherwise told
/// to the observer.
fn write_checkpoint(
    checkpoint: &mut Checkpoint,
    spec: &Spec,
    progress: &Progress<'_>,
    stopping: bool,
    observer: &mut dyn SolveObserver,
) -> Option<io::Error> {
    let before = checkpoint.iteration();
    match checkpoint.keep(spec, progress, stopping) {
        Ok(()) if checkpoint.iteration() != before => observer.checkpoint_written(),
        Ok(()) => {}
        Err(error) if stopping => return Some(error),
        Err(error) => observer.checkpoint_failed(&error),
    }
    None
}

/// A job that has run.
pub struct Solved {
    /// What was solved, with the precisions that were picked.
    pub spec: Spec,
    /// The solver as it is now.
    pub solver: Solver,
    /// The measurements, and why the job ended.
    pub outcome: Outcome,
    /// The iteration of the last checkpoint that was written.
    pub checkpoint_iteration: Option<u32>,
    /// Why the checkpoint of a job that was stopped could not be written: what was reached is lost.
    pub lost_checkpoint: Option<io::Error>,
}

impl Solved {
    /// The last measurement.
    pub fn last(&self) -> Measurement {
        self.outcome.last()
    }

    /// Goes on from where it ended to another target or last iteration, on the current thread pool. The schedule of discounts stays
    /// what it was: with one that does not depend on the last iteration, the numbers are those of a single run.
    #[must_use]
    pub fn go_on(
        self,
        stop: StopCondition,
        checkpoint: Option<Checkpoint>,
        observer: &mut dyn SolveObserver,
    ) -> Self {
        let Self { mut spec, solver, outcome, .. } = self;
        spec.solver = stop.applied_to(spec.solver);
        let elapsed = outcome.last().elapsed;
        let prior = PriorRun { history: outcome.history, elapsed };
        Iterating { spec, solver, prior, checkpoint }.run(observer)
    }

    /// Writes the solution to a file.
    pub fn save(&self, path: &Path, options: SaveOptions) -> io::Result<()> {
        save(path, &self.spec, &self.solver, &self.outcome.history, options)
    }
}

/// How good a solution must be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    pct: f64,
    max_iterations: u32,
}

impl Target {
    /// An exploitability of at most so many percent of the starting pot, however many iterations it takes. Nothing reaches 0: say
    /// [`Target::within`] how far to go.
    pub fn pot_pct(pct: f64) -> Self {
        Self { pct, max_iterations: SolverOptions::MAX_ITERATIONS }
    }

    /// The same, given up after so many iterations.
    ///
    /// ```
    /// # use noregret_holdem::{Solve, Spot, Target, TreeOptions};
    /// let ranges = ["AA,QQ".parse()?, "KK,JJ".parse()?];
    /// let spot = Spot::new(ranges, "QsJh2h8c3d".parse()?, TreeOptions::new(100.into(), 300.into()))?;
    /// spot.solve(Target::pot_pct(0.0).within(50))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn within(self, iterations: u32) -> Self {
        Self { max_iterations: iterations.min(SolverOptions::MAX_ITERATIONS), ..self }
    }
}

/// Solving a spot in one call.
pub trait Solve {
    /// Solves with the default options on the current thread pool, within the memory of this machine, until the target is
    /// reached or given up.
    fn solve(&self, target: Target) -> Result<Solution, JobError>;
}

impl<S: AsRef<Spot>> Solve for S {
    fn solve(&self, target: Target) -> Result<Solution, JobError> {
        let options = SolverOptions {
            target_exploitability_pct: target.pct,
            max_iterations: target.max_iterations,
            ..SolverOptions::default()
        };
        let spec = Spec::of_spot(self.as_ref().clone(), options);
        let threads = rayon::current_num_threads();
        let solved = SolveJob::plan(spec, &MemoryLimit::of_machine(), threads)?.run(&mut ())?;
        let solved = solved.unwrap_or_else(|| unreachable!("a job that nobody observes is not stopped"));
        Ok(solved.solver.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{IP, LockBy, OOP};

    /// Who folds half of the time to a bet, by merit or all alike.
    fn folding(by: &str) -> Spec {
        let text = format!(
            "[ranges]\noop = 'AA,KK,QJs,98s,54s'\nip = 'TT+,KQs,AJs,T9s'\n[cards]\nflop = 'QsJh2h'\nturn = '8c'\n\
             [tree]\nstarting_pot = 100\neffective_stack = 300\n\
             [solver]\nmax_iterations = 60\ntarget_exploitability_pct = 0\n\
             [[locks]]\nline = 'bet 50'\nby = '{by}'\nstrategy = {{ fold = 0.5, call = 0.5 }}\n"
        );
        text.parse().unwrap()
    }

    fn solved(spec: &Spec) -> Solved {
        let job = SolveJob::plan(spec.clone(), &MemoryLimit::of_machine(), 1).unwrap();
        job.run(&mut ()).unwrap().unwrap()
    }

    #[test]
    fn a_lock_by_merit_is_solved_as_if_the_spec_had_named_its_hands() {
        let spec = folding("merit").spot;
        assert!(spec.has_open_locks());
        let first = solved(&folding("merit"));
        assert!(!first.spec.spot.has_open_locks());
        let frequencies = first.solver.frequencies(&"bet 50".parse().unwrap()).unwrap();
        assert!((frequencies[0].1 - 0.5).abs() < 0.05, "{frequencies:?}");
        // The spec that it has settled on says all of it, and solves to the same bits without a base.
        let text = first.spec.to_string();
        assert!(text.contains("by = \"merit\"") && text.contains("resolved = {"), "{text}");
        let again: Spec = text.parse().unwrap();
        assert_eq!(again, first.spec);
        assert_eq!(solved(&again).solver.digest(), first.solver.digest());
        assert_eq!(folding("merit").continuing(&first.spec), first.spec);
        // Who folds its worst hands is exploited less than who folds the best as often.
        let [by_merit, alike] = [&first, &solved(&folding("uniform"))].map(|solved| solved.solver.ev(OOP));
        assert!(by_merit < alike - 1.0, "{by_merit} and {alike}");
        assert!(matches!(&first.spec.spot.locks()[0].by, LockBy::Merit(merit) if merit.resolved.is_some()));
    }

    #[test]
    fn a_solve_with_a_lock_by_merit_goes_on_from_any_checkpoint() {
        struct StopAt(u32, u32);
        impl SolveObserver for StopAt {
            fn progress(&mut self, progress: &Progress<'_>) -> Control {
                let stop = self.1 == 0 && progress.solver.iteration() == self.0;
                if stop { Control::Stop } else { Control::Continue }
            }

            fn resolved(&mut self, effects: &[LockEffect], _ev: [f64; 2]) {
                assert_eq!((effects.len(), effects[0].player), (1, IP));
                self.1 = self.1.saturating_sub(1);
            }
        }
        let whole = solved(&folding("merit"));
        let directory = tempfile::tempdir().unwrap();
        // Stopped without the lock and with it.
        for (iteration, after) in [(20, 0), (20, 1)] {
            let path = directory.path().join("merit.nrc");
            let plan = |spec| SolveJob::plan(spec, &MemoryLimit::of_machine(), 1).unwrap();
            let checkpoint = Checkpoint::new(path.clone(), std::time::Duration::from_secs(3600));
            let job = plan(folding("merit")).with_checkpoint(Some(checkpoint));
            let stopped = job.run(&mut StopAt(iteration, after)).unwrap().unwrap();
            assert_eq!(stopped.outcome.reason, StopReason::Stopped);
            let file = ResumeFile::open(&path).unwrap();
            assert_eq!(file.spec().spot.has_open_locks(), after == 0);
            let spec = folding("merit").continuing(file.spec());
            let job = plan(spec).starting_from(StartFrom::File(file.into()));
            let resumed = job.run(&mut ()).unwrap().unwrap();
            assert_eq!(resumed.solver.digest(), whole.solver.digest(), "stopped after {after}");
            assert_eq!(resumed.spec, whole.spec);
        }
    }

    #[test]
    fn the_solution_without_the_lock_is_continued() {
        let mut base = folding("merit");
        base.spot = base.spot.without_locks();
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("base.nrs");
        solved(&base).save(&path, SaveOptions::default()).unwrap();
        let file = ResumeFile::open(&path).unwrap();
        assert_eq!(file.continuation_for(&folding("merit").spot), crate::Continuation::Resume);
        let job = SolveJob::plan(folding("merit"), &MemoryLimit::of_machine(), 1).unwrap();
        let resumed = job.starting_from(StartFrom::File(file.into())).run(&mut ()).unwrap().unwrap();
        assert_eq!(resumed.solver.digest(), solved(&folding("merit")).solver.digest());
    }

    #[test]
    fn a_job_that_goes_on_ends_as_one_that_was_asked_for_all_at_once() {
        let text = "[ranges]\noop = 'AA,KK,QJs'\nip = 'TT+,KQs'\n[cards]\nflop = 'QsJh2h'\nturn = '8c'\n\
                    [tree]\nstarting_pot = 100\neffective_stack = 300\n\
                    [solver]\nmax_iterations = 25\ntarget_exploitability_pct = 0\n";
        let spec: Spec = text.parse().unwrap();
        let solve = |max_iterations| {
            let solver = SolverOptions { max_iterations, ..spec.solver.clone() };
            let job = SolveJob::plan(Spec { solver, ..spec.clone() }, &MemoryLimit::of_machine(), 1).unwrap();
            job.run(&mut ()).unwrap().unwrap()
        };
        let (whole, first) = (solve(50), solve(25));
        let stop = StopCondition { target_pct: 0.0, max_iterations: 50 };
        let second = first.go_on(stop, None, &mut ());
        assert_eq!(second.solver.digest(), whole.solver.digest());
        assert_eq!(second.spec, whole.spec);
        let measured = |solved: &Solved| {
            let checks = solved.outcome.history.iter();
            checks.map(|check| (check.iteration, check.exploitability_pct)).collect::<Vec<_>>()
        };
        assert_eq!(measured(&second), measured(&whole));
    }
}
