//! `noregret solve`: a spec file to a measured equilibrium.

mod answer;
mod files;
pub mod input;
mod progress;
mod table;

use crate::failure::{Failure, INTERRUPTED};
use crate::interrupt::Interrupt;
use crate::output;
use crate::precision::{Bits, Picked};
use answer::Answer;
pub use answer::Point;
use clap::builder::RangedU64ValueParser;
use files::{FileArgs, Files};
use noregret_holdem::MemoryLimit;
use noregret_holdem::{
    Algorithm, Ending, Goal, Moment, Precision, Solution, SolverOptions, Spec, precision_of_bits,
    precision_of_quantization,
};
use noregret_store::Bytes;
pub use progress::Progress;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use table::{AnswerTable, SizeTable};

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
  noregret solve spot.toml --precision auto --memory 2GiB
  noregret solve spot.toml --warm-start
  noregret solve spot.toml --out spot.nrs --save turn
  noregret solve spot.toml --checkpoint spot.nrc --checkpoint-every 60
  noregret solve spot.toml --resume spot.nrc --target 0.1 --out spot.nrs

Exit codes: 0 done; 1 the job failed; 2 the request was wrong; 130 interrupted, after a clean stop.")]
pub struct Args {
    /// The spec file; `-` reads it from standard input
    spec: PathBuf,

    /// Print the answer as JSON on standard output, and nothing else there
    #[arg(long)]
    json: bool,

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

    /// The regret minimiser: dcfr, dcfr+, cfr+, lcfr, pcfr+, pdcfr+, sapcfr+ or hs-dcfr
    #[arg(long, value_name = "NAME")]
    algorithm: Option<Algorithm>,

    /// `auto` picks the finest precisions that fit into memory
    #[arg(long, value_name = "auto", value_parser = ["auto"], conflicts_with_all = ["quantization", "strategy_bits", "regret_bits"])]
    precision: Option<String>,

    /// How numbers are stored, for both of the next two: 32bit or 16bit
    #[arg(long, value_name = "BITS", value_parser = precision_of_quantization)]
    quantization: Option<Precision>,

    /// Bits of the average strategy: 32, 16, 8 or 4
    #[arg(long, value_name = "BITS", value_parser = bits, allow_negative_numbers = true)]
    strategy_bits: Option<Precision>,

    /// Bits of the regrets: 32, 16, 8 or 4
    #[arg(long, value_name = "BITS", value_parser = bits, allow_negative_numbers = true)]
    regret_bits: Option<Precision>,

    /// Whether to leave out actions that no hand wants in most iterations; for dcfr, lcfr and hs-dcfr
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    enable_pruning: Option<bool>,

    /// Solve a coarser tree first and go on from there, as `[solver.warm_start]` says
    #[arg(long)]
    warm_start: bool,

    /// Do not, whatever the spec says
    #[arg(long, conflicts_with = "warm_start")]
    no_warm_start: bool,

    #[command(flatten, next_help_heading = "Files")]
    files: FileArgs,
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
        solver.precision_is_auto = self.precision.is_some() || (solver.precision_is_auto && !set);
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
    let resumed = args.files.open_resumed()?;
    if let Some((_, resume)) = &resumed {
        spec.solver = spec.solver.picked_as(&resume.spec().solver);
    }
    let limit = MemoryLimit::of_command_line(args.memory);
    let threads = args.threads.unwrap_or_else(available_threads);
    let outline = limit.lay_out(&spec).map_err(Failure::request)?;
    let fitted = limit.fit(&outline, &spec.solver, threads).map_err(Failure::request)?;
    let picked = Picked::new(&spec.solver, &fitted, &limit, &outline, threads);
    spec.solver = fitted;
    let size = outline.size(&spec.solver);
    let sizes = SizeTable { spec: &spec, outline: &outline, size: &size, picked };
    if spec.solver.dry_run {
        if args.json {
            output::print(json(&answer::Plan::new(&spec, &outline, &size, picked)))?;
        } else {
            output::print(sizes)?;
        }
        let fits = limit.check(&outline, &spec.solver, threads).map_err(Failure::request);
        return fits.map(|()| ExitCode::SUCCESS);
    }
    limit.check(&outline, &spec.solver, threads).map_err(Failure::request)?;
    let mut files = Files::prepare(&args.files, resumed, &spec, &input::name(&args.spec))?;
    let interrupt = Interrupt::listen()?;
    if !args.json {
        output::print(sizes)?;
    }
    if let Some(note) = files.note(&spec) {
        anstream::eprintln!("note: {note}");
    }

    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Failure::job(format!("cannot start {threads} threads: {error}")))?;
    pool.install(|| {
        let game = outline.build();
        let mut solution = Solution::with_options(&game, &spec.solver);
        let goal = Goal {
            target_pct: spec.solver.target_exploitability_pct,
            max_iterations: spec.solver.max_iterations,
        };
        let mut progress = Progress::new(&goal);
        let start = Instant::now();
        let replayed = files.restore(&mut solution, |iteration| {
            progress.update(iteration, start.elapsed(), None);
            !interrupt.requested()
        })?;
        let Some(earlier) = replayed else {
            progress.finish();
            return Ok(ExitCode::from(INTERRUPTED));
        };
        progress.start_again();
        let mut lost = None;
        let outcome = noregret_holdem::resume(&mut solution, &goal, earlier, |moment: &Moment<'_, '_>| {
            progress.show(moment);
            let stopping = interrupt.requested();
            // A solve goes on without a checkpoint; one that was stopped for good has failed to keep what it promised.
            lost = files.checkpoint(&spec, moment, stopping).err();
            if let Some(failure) = lost.take_if(|_| !stopping) {
                progress.warn(&failure);
            }
            if stopping { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        progress.finish();
        if outcome.ending != Ending::Stopped {
            let elapsed = outcome.last().elapsed;
            let end = Moment { solution: &solution, history: &outcome.history, elapsed };
            if let Err(failure) = files.checkpoint(&spec, &end, true) {
                progress.warn(&failure);
            }
        }
        let precision = Bits::new(&spec.solver, picked);
        let answer = Answer::new(&spec, &solution, &outcome, precision, size.memory.total(), threads);
        if args.json {
            output::print(json(&answer))?;
        } else {
            output::print(AnswerTable { answer: &answer, ending: outcome.ending })?;
        }
        if let Some((path, bytes)) = files.save(&spec, &solution, &outcome.history)?
            && !args.json
        {
            output::print(format!("Saved {} ({})", path.display(), Bytes(bytes)))?;
        }
        if let Some(failure) = lost {
            return Err(failure);
        }
        match outcome.ending {
            Ending::Stopped => Ok(ExitCode::from(INTERRUPTED)),
            Ending::Target | Ending::Iterations => Ok(ExitCode::SUCCESS),
        }
    })
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
