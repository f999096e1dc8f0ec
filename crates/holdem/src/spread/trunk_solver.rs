//! What the driver does.

use super::plan::{CutLayout, SpreadError};
use crate::saved::{FileProgress, SavedParts, SavedStreets, Summary, assemble, save_checkpoint_part};
use crate::solve::run::{ExploitabilityChecks, Measurement, StopCondition, StopReason, time_left};
use crate::{IP, OOP, Postflop, Spec};
use noregret_cfr::{CutError, StateBytes, Trunk};
use noregret_store::ArchiveError;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The flop of a spot whose turns are with [workers](super::BranchSolver): it iterates, measures and writes files together with them.
///
/// `exchange` hands a request to all workers and returns the answer of each, in any order. After an error all of them have to
/// go back to the same checkpoint.
pub struct TrunkSolver {
    spec: Spec,
    trunk: Trunk<Postflop>,
    checks: ExploitabilityChecks,
    elapsed: Duration,
    iterating: Duration,
}

/// What a solve over many workers has found, before it is written.
#[derive(Clone, PartialEq, Debug)]
pub struct SpreadSolution {
    /// What each player expects, equities and the digest.
    pub summary: Summary,
    /// The values of both players' hands at the chance nodes of the flop.
    values: [Vec<Vec<f32>>; 2],
}

impl TrunkSolver {
    /// Before the first iteration of a spec whose precisions were [picked](super::SpreadPlan).
    pub fn new(spec: Spec) -> Result<Self, SpreadError> {
        let CutLayout { spec, layout } = CutLayout::new(&spec)?;
        let storage = spec.solver.storage(spec.spot.board().street());
        let trunk = Trunk::new(layout.build_as_needed(), spec.solver.schedule(), &storage);
        let trunk = trunk.pruning(spec.solver.prunes);
        let checks = ExploitabilityChecks { condition: StopCondition::of(&spec.solver), history: Vec::new() };
        Ok(Self { spec, trunk, checks, elapsed: Duration::ZERO, iterating: Duration::ZERO })
    }

    /// The spec, with the precisions that were picked.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// How many iterations have been made.
    pub fn iteration(&self) -> u32 {
        self.trunk.progress().iteration
    }

    /// The measurements so far.
    pub fn history(&self) -> &[Measurement] {
        &self.checks.history
    }

    /// How long solving took so far.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// How long the iterations took that were made here, measurements not counted.
    pub fn iterating(&self) -> Duration {
        self.iterating
    }

    /// See [`time_left`].
    pub fn time_left(&self) -> Option<Duration> {
        time_left(&self.checks.history, &self.checks.condition, self.iteration(), self.elapsed)
    }

    /// What the regrets and the strategies of the flop take, as allocated.
    pub fn state_bytes(&self) -> StateBytes {
        self.trunk.bytes()
    }

    /// Measures the exploitability if that is due, and says why the solve is over if it is; otherwise makes an iteration. The
    /// measurements are those of one machine.
    pub fn advance<E>(
        &mut self,
        exchange: &mut impl FnMut(&[u8]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<Option<StopReason>, CutError<E>> {
        let start = Instant::now();
        let before = self.elapsed;
        let advanced = self.measure_or_iterate(before, start, exchange);
        self.elapsed = before + start.elapsed();
        advanced
    }

    fn measure_or_iterate<E>(
        &mut self,
        before: Duration,
        start: Instant,
        exchange: &mut impl FnMut(&[u8]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<Option<StopReason>, CutError<E>> {
        let Self { spec, trunk, checks, iterating, .. } = self;
        let progress = trunk.progress();
        let iteration = progress.iteration;
        let pot = f64::from(spec.spot.options().starting_pot.count());
        let measure = || -> Result<Measurement, CutError<E>> {
            let exploitability_pct = 100.0 * trunk.exploitability(exchange)? / pot;
            Ok(Measurement { iteration, elapsed: before + start.elapsed(), exploitability_pct })
        };
        let reason = checks.after(iteration, progress.average_weight > 0.0, false, measure)?;
        if reason.is_none() {
            let start = Instant::now();
            trunk.iterate(exchange)?;
            *iterating += start.elapsed();
        }
        Ok(reason)
    }

    /// What the strategies are worth as they are, and their digest. Workers then have what [their part of the
    /// solution](super::BranchSolver::save_solution) needs.
    pub fn solution<E>(
        &self,
        exchange: &mut impl FnMut(&[u8]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<SpreadSolution, CutError<E>> {
        let Self { spec, trunk, .. } = self;
        let granularity = spec.spot.granularity();
        let ev = [trunk.expected_value(OOP, exchange)?, trunk.expected_value(IP, exchange)?];
        let ev = ev.map(|ev| granularity.chips(ev));
        let values = [trunk.chance_values(OOP, exchange)?, trunk.chance_values(IP, exchange)?];
        let equity = [OOP, IP].map(|player| trunk.game().root_equity(player));
        let digest = trunk.digest(exchange)?;
        let summary = Summary { keep: SavedStreets::Full, has_regrets: false, ev, equity, digest };
        Ok(SpreadSolution { summary, values })
    }

    /// Writes the solution file from the parts of all workers: the file of [`save`](crate::save) on one machine, to the byte but for the
    /// times of its measurements.
    pub fn save(
        &self,
        path: &Path,
        solution: &SpreadSolution,
        parts: &[PathBuf],
    ) -> Result<(), ArchiveError> {
        let SpreadSolution { summary, values } = solution;
        let parts = SavedParts::open(parts, &self.spec)?;
        let (found, here) = (parts.progress().iterations, self.trunk.progress().iteration);
        if found != here {
            let message = format!("the parts are of iteration {found}, and the flop is of iteration {here}");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message).into());
        }
        let elapsed = self.checks.history.last().map_or(Duration::ZERO, |last| last.elapsed);
        let progress = FileProgress { elapsed, ..self.progress() };
        assemble(path, &self.spec, &self.trunk, values, (&progress, summary), &parts)
    }

    /// Writes its part of a checkpoint.
    pub fn save_checkpoint(&self, path: &Path) -> io::Result<()> {
        save_checkpoint_part(path, &self.spec, &self.trunk, &self.progress())
    }

    /// Goes back to where a checkpoint left off.
    pub fn restore(&mut self, parts: &[PathBuf]) -> Result<(), ArchiveError> {
        let parts = SavedParts::open(parts, &self.spec)?;
        parts.restore(&self.spec, &mut self.trunk)?;
        let FileProgress { history, elapsed, .. } = parts.progress().clone();
        self.checks.history = history;
        self.elapsed = elapsed;
        Ok(())
    }

    fn progress(&self) -> FileProgress {
        let progress = self.trunk.progress();
        FileProgress {
            iterations: progress.iteration,
            average_weight: progress.average_weight,
            elapsed: self.elapsed,
            history: self.checks.history.clone(),
        }
    }
}
