//! `noregret solve`: a spec file to a measured equilibrium.

mod answer;
mod files;
pub mod input;
mod progress;
mod table;

use crate::exit_code::ExitCode;
use crate::failure::{Failure, INTERRUPTED};
use crate::interrupt::Interrupt;
use crate::output::{self, WorkLines};
use crate::place;
use crate::precision::{Picked, PrecisionBits, ProfileTable};
use crate::unit;
pub use answer::MeasurementJson;
use answer::SolveAnswer;
use clap::builder::RangedU64ValueParser;
#[cfg(feature = "serve")]
pub use files::seconds;
use files::{FileArgs, SolveFiles};
use noregret_holdem::{
    Algorithm, Control, LockEffect, Precision, PrecisionChoice, PrecisionProfile, PrecisionSetting, Progress,
    SolveObserver, SolvePlan, SolverOptions, Spec, StopCondition, StopReason, precision_of_bits,
    precision_of_quantization,
};
use noregret_holdem::{MemoryLimit, ShownUnit};
use noregret_store::Bytes;
pub use progress::SolveProgress;
use std::path::PathBuf;
use std::time::Instant;
use table::{AnswerTable, GainLine, MeritTable, Merits, MissedTarget, SizeTable};

/// Solve a hold'em spot and say how exploitable the answer is.
///
/// The spot is a TOML file: ranges, board, pot, stack, bet sizes. The solver runs until two perfect opponents together
/// could gain no more than twice the target, or until the last iteration that was allowed.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret solve examples/quick.toml
  noregret solve spot.toml --target 0.3 --threads 4
  noregret solve spot.toml --json > answer.json
  noregret solve spot.toml --dry-run --memory 4GiB
  noregret solve spot.toml --precision 16:16:8 --memory 2GiB
  noregret solve spot.toml --precision profile
  noregret solve spot.toml --warm-start
  noregret solve spot.toml --out spot.nrs --save turn
  noregret solve spot.toml --checkpoint spot.nrc --checkpoint-every 60
  noregret solve spot.toml --resume spot.nrc --target 0.1 --out spot.nrs

Exit codes: 0 done; 1 the job failed; 2 the request was wrong; 130 interrupted, after a clean stop.")]
pub struct Args {
    /// The spec file; `-` reads it from standard input
    #[arg(value_parser = place::argument())]
    spec: PathBuf,

    /// Print the answer as JSON on standard output, and nothing else there
    #[arg(long)]
    json: bool,

    /// What amounts and EVs are in: chips, bb or pot (percent of the pot) [default: the unit of the spec]
    #[arg(long, value_name = "UNIT", conflicts_with = "json")]
    unit: Option<ShownUnit>,

    /// Worker threads; the answer is the same for any number [default: one per core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    threads: Option<usize>,

    /// Stop at this exploitability, in percent of the starting pot
    #[arg(long, value_name = "PCT", value_parser = percent, allow_negative_numbers = true)]
    target: Option<f64>,

    /// Stop after this many iterations at the latest
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=i64::from(SolverOptions::MAX_ITERATIONS)))]
    max_iterations: Option<u32>,

    /// Refuse to start if more memory is needed, e.g. `4GiB` [default: what is available]
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    memory: Option<Bytes>,

    /// Say how large the spot is and what a solve takes, and do not solve
    #[arg(long)]
    dry_run: bool,

    #[arg(long, value_name = "NAME", help = format!("The regret minimiser: {}", Algorithm::names()))]
    algorithm: Option<Algorithm>,

    /// How numbers are stored: `auto`, the quickest that fits by what was measured; `profile`, by timing each here; or bits of the
    /// strategy and the regrets: `32`, `8/16`, by street `16:16:8`
    #[arg(long, value_name = "PRECISION", conflicts_with_all = ["quantization", "strategy_bits", "regret_bits"])]
    precision: Option<PrecisionSetting>,

    /// Both of the next two: 32bit or 16bit
    #[arg(long, value_name = "BITS", value_parser = precision_of_quantization)]
    quantization: Option<Precision>,

    /// Bits of the average strategy: 32, 16, 8 or 4
    #[arg(long, value_name = "BITS", value_parser = bits, allow_negative_numbers = true)]
    strategy_bits: Option<Precision>,

    /// Bits of the regrets: 32, 16, 8 or 4
    #[arg(long, value_name = "BITS", value_parser = bits, allow_negative_numbers = true)]
    regret_bits: Option<Precision>,

    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help = format!("Whether to leave out actions that no hand wants in most iterations; for {}", SolverOptions::pruning_algorithms()))]
    enable_pruning: Option<bool>,

    /// Solve a coarser tree first and go on from there, as `[solver.warm_start]` says
    #[arg(long)]
    warm_start: bool,

    /// Do not, whatever the spec says
    #[arg(long, conflicts_with = "warm_start")]
    no_warm_start: bool,

    /// Exit with 1 if the target was not reached
    #[arg(long)]
    strict: bool,

    #[command(flatten, next_help_heading = "Files")]
    files: FileArgs,
}

/// What `--memory` allows, or else what the machine has.
pub fn memory_limit(allowed: Option<Bytes>) -> MemoryLimit {
    allowed.map_or_else(MemoryLimit::of_machine, |bytes| MemoryLimit::new(bytes, "--memory allows"))
}

/// Reads a percentage.
pub fn percent(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(percent),
        _ => Err("must be a number from 0 to 100".to_owned()),
    }
}

fn bits(text: &str) -> Result<Precision, String> {
    let bits: u64 = text.parse().map_err(|_| "must be a number of bits".to_owned())?;
    precision_of_bits(bits).map_err(|error| error.to_string())
}

impl Args {
    /// Puts what the command line says in the place of what the file says.
    fn apply(&self, spec: &mut Spec) -> Result<(), Failure> {
        let solver = &mut spec.solver;
        solver.target_exploitability_pct = self.target.unwrap_or(solver.target_exploitability_pct);
        solver.max_iterations = self.max_iterations.unwrap_or(solver.max_iterations);
        solver.algorithm = self.algorithm.unwrap_or(solver.algorithm);
        let both = self.quantization;
        let set = [both, self.strategy_bits, self.regret_bits].iter().any(Option::is_some);
        if set {
            solver.precision_choice = PrecisionChoice::Given;
        }
        if let Some(setting) = self.precision {
            *solver = solver.clone().with_precision(setting);
        }
        let everywhere = |precision: Option<Precision>| precision.or(both).map(|precision| [precision; 3]);
        solver.strategy_precision = everywhere(self.strategy_bits).unwrap_or(solver.strategy_precision);
        solver.regret_precision = everywhere(self.regret_bits).unwrap_or(solver.regret_precision);
        solver.warm_start.enabled = (solver.warm_start.enabled || self.warm_start) && !self.no_warm_start;
        solver.dry_run |= self.dry_run;
        solver.prunes = self.enable_pruning.unwrap_or(solver.prunes);
        solver.check_pruning().map_err(|error| Failure::request(format!("cannot prune: {error}")))
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut spec = input::read(&args.spec)?;
    args.apply(&mut spec)?;
    let format = unit::of_spot(&spec.spot, args.unit)?;
    let resumed = args.files.open_resumed()?;
    if let Some((_, resume)) = &resumed {
        spec = spec.continuing(resume.spec());
    }
    let limit = memory_limit(args.memory);
    let threads = args.threads.unwrap_or_else(available_threads);
    let asked = spec.solver.clone();
    let plan = SolvePlan::new(spec, &limit, threads).map_err(Failure::request)?;
    let size = plan.size();
    let picked = Picked::new(&asked, &plan, &limit, threads);
    let is_dry_run = plan.spec.solver.dry_run;
    if is_dry_run && args.json {
        output::print(json(&answer::DryRun::new(&plan, &size, picked)))?;
    } else if is_dry_run {
        output::print(SizeTable { plan: &plan, size: &size, picked, format })?;
    }
    plan.check_memory(&limit, threads).map_err(Failure::request)?;
    if is_dry_run {
        return Ok(ExitCode::SUCCESS);
    }
    let mut files = SolveFiles::prepare(&args.files, resumed, &plan.spec, &args.spec)?;
    let interrupt = Interrupt::listen()?;
    let mut lines = WorkLines::default();
    if !args.json {
        lines.print(SizeTable { plan: &plan, size: &size, picked, format });
    }
    if let Some(note) = files.note(&plan.spec) {
        anstream::eprintln!("note: {note}");
    }

    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Failure::job(format!("cannot start {threads} threads: {error}")))?;
    pool.install(|| {
        let progress = SolveProgress::new(&StopCondition::of(&plan.spec.solver));
        let mut watch = SolveWatch {
            progress,
            interrupt: &interrupt,
            checkpoint: files.checkpoint_path(),
            unwritten: None,
            replay: None,
            profile: None,
            merits: None,
        };
        if plan.spec.spot.has_open_locks() {
            watch.progress.begin_anew("without the locks");
        }
        let job = plan.into_job().starting_from(files.start()).with_checkpoint(files.take_checkpoint());
        let solved = job.run(&mut watch);
        watch.progress.finish();
        let Some(solved) = solved.map_err(|error| files.cannot_resume(&error))? else {
            return Ok(ExitCode::from(INTERRUPTED));
        };
        let mut precision = PrecisionBits::new(&solved.spec.solver, picked);
        let mut memory_bytes = size.memory.total();
        if let Some(profile) = &watch.profile {
            precision = precision.profiled(profile);
            memory_bytes = profile.timings[profile.picked].memory.total();
            if !args.json {
                lines.print(format!("{}\n", ProfileTable(profile)));
            }
        }
        if let Some(merits) = watch.merits.as_ref().filter(|_| !args.json) {
            lines.print(MeritTable { merits, answer_pot: solved.spec.spot.options().starting_pot, format });
        }
        let answer = SolveAnswer::new(&solved, precision, memory_bytes, threads);
        let reason = solved.outcome.reason;
        // The file first: whoever reads may be gone, and what was solved must not go with it.
        let saved = files.save(&solved);
        if args.json {
            lines.print(json(&answer));
        } else {
            lines.print(AnswerTable { answer: &answer, reason, format });
            if let Some(merits) = &watch.merits {
                lines.print(GainLine { without: merits.ev, answer: &answer, format });
            }
        }
        if let Some((path, bytes)) = saved?
            && !args.json
        {
            lines.print(format!("Saved {} ({})", path.display(), Bytes(bytes)));
        }
        let missed = (reason == StopReason::Iterations).then(|| MissedTarget(&answer).to_string());
        if let Some(missed) = missed.as_ref().filter(|_| !args.json) {
            lines.print(missed);
        }
        if let Some(error) = &solved.lost_checkpoint {
            return Err(files.cannot_write_checkpoint(error));
        }
        if let (Some(error), Some(path)) = (watch.unwritten, &watch.checkpoint) {
            return Err(Failure::job(format!("cannot write {}: {error}", path.display())));
        }
        lines.finish()?;
        match reason {
            StopReason::Iterations if args.strict => Err(Failure::job(MissedTarget(&answer))),
            StopReason::Stopped => Ok(ExitCode::from(INTERRUPTED)),
            StopReason::Target | StopReason::Iterations => Ok(ExitCode::SUCCESS),
        }
    })
}

/// Shows a solve, and stops it when the user wants to.
struct SolveWatch<'a> {
    progress: SolveProgress,
    interrupt: &'a Interrupt,
    checkpoint: Option<PathBuf>,
    /// Why the checkpoint could not be written when it was last tried; the user was told.
    unwritten: Option<String>,
    /// When iterations of a file began to be made again.
    replay: Option<Instant>,
    /// The precisions that were timed.
    profile: Option<PrecisionProfile>,
    /// What locks by merit came to.
    merits: Option<Merits>,
}

impl SolveWatch<'_> {
    fn control(&self) -> Control {
        if self.interrupt.requested() { Control::Stop } else { Control::Continue }
    }
}

impl SolveObserver for SolveWatch<'_> {
    fn progress(&mut self, progress: &Progress<'_>) -> Control {
        if self.replay.take().is_some() {
            self.progress.start_again();
        }
        self.progress.show(progress);
        self.control()
    }

    fn replaying(&mut self, iteration: u32) -> Control {
        let start = self.replay.get_or_insert_with(Instant::now);
        self.progress.update(iteration, start.elapsed(), None);
        self.control()
    }

    fn profiling(&mut self, _done: usize, _of: usize) -> Control {
        self.control()
    }

    fn profiled(&mut self, profile: &PrecisionProfile) {
        self.profile = Some(profile.clone());
    }

    fn resolved(&mut self, effects: &[LockEffect], ev: [f64; 2]) {
        self.progress.begin_anew("with the locks");
        self.merits = Some(Merits { effects: effects.to_vec(), ev });
    }

    fn checkpoint_written(&mut self) {
        self.unwritten = None;
    }

    fn checkpoint_failed(&mut self, error: &std::io::Error) {
        if self.unwritten.replace(error.to_string()).is_some() {
            return;
        }
        if let Some(path) = &self.checkpoint {
            self.progress.warn(&place::cannot_write(path, error));
        }
    }
}

/// One for each core.
pub fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A value as one line of JSON.
pub fn json(value: &impl serde::Serialize) -> String {
    // Numbers, strings, arrays and maps with string keys always serialise.
    serde_json::to_string(value).unwrap_or_default()
}
