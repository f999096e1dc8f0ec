//! `noregret compare`: one spot, several algorithms and precisions, one after the other.

mod chart;
mod report;

use crate::exit_code::ExitCode;
use crate::failure::{Failure, INTERRUPTED};
use crate::interrupt::Interrupt;
use crate::output::WorkLines;
use crate::place::{self, OutputFile};
use crate::precision::PrecisionBits;
use crate::solve::{self, SolveProgress, input, memory_limit};
use clap::builder::RangedU64ValueParser;
use noregret_holdem::{
    Algorithm, Averaging, Control, Exponents, Postflop, Precision, Progress, SolveJob, SolveObserver,
    SolverOptions, Spec, StateBuffers, StopCondition, StopReason, precisions_by_street,
};
use noregret_store::{Bytes, OutputKind};
use report::{ComparedRun, Comparison, ComparisonTable, Heading, algorithm_name};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What `--svg` draws.
const DRAWING: OutputKind = OutputKind { name: "an SVG drawing", endings: &["svg"], beginnings: &[b"<svg "] };

/// Solve a hold'em spot in several ways and compare how fast each reaches the target.
///
/// Every algorithm runs in every precision, one after the other, on the same threads. The table has the iterations,
/// seconds and bytes of each run and the lowest exploitability that it reached.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret compare examples/turn.toml --algorithms dcfr,cfr+,pdcfr+
  noregret compare spot.toml --precisions 32/32,16/16,8/16 --svg curves.svg
  noregret compare spot.toml --algorithms dcfr,lcfr --target 0.5 --json > runs.json
  noregret compare spot.toml --algorithms dcfr,dcfr+ --averaging as-given,linear,restarts,warm-up:30

Exit codes: 0 done; 1 the job failed; 2 the request was wrong; 130 interrupted, after the table of what was done.")]
pub struct Args {
    /// The spec file; `-` reads it from standard input
    spec: PathBuf,

    #[arg(long, value_name = "NAMES", value_delimiter = ',', num_args = 1, help = format!("Regret minimisers, with commas between them: {} [default: the spec's]", Algorithm::names()))]
    algorithms: Vec<Algorithm>,

    /// Precisions, with commas between them: strategy bits / regret bits of 32, 16, 8 or 4, like `32/32,8/16`, or those of flop, turn
    /// and river, like `16:16:8/16:16:8`, also where the spot begins later [default: the spec's]
    #[arg(long, value_name = "BITS", value_delimiter = ',', num_args = 1, value_parser = precisions)]
    precisions: Vec<ByStreet>,

    /// How iterations count in the average strategy, with commas between them: `as-given`, `linear`, `restarts`, or `warm-up:30` to
    /// leave out the first 30
    #[arg(long, value_name = "NAMES", value_delimiter = ',', num_args = 1, default_value = "as-given")]
    averaging: Vec<Averaging>,

    /// Print the runs as JSON on standard output, and nothing else there
    #[arg(long)]
    json: bool,

    /// Draw exploitability over time into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write the drawing over a file that is something else, or to a name with another ending
    #[arg(long, requires = "svg")]
    force: bool,

    /// Worker threads; answers are the same for any number [default: one per core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    threads: Option<usize>,

    /// Stop each run at this exploitability, in percent of the starting pot
    #[arg(long, value_name = "PCT", value_parser = solve::percent, allow_negative_numbers = true)]
    target: Option<f64>,

    /// Stop each run after this many iterations at the latest
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=i64::from(SolverOptions::MAX_ITERATIONS)))]
    max_iterations: Option<u32>,

    /// Refuse to start if a run needs more memory, e.g. `4GiB` [default: what is available]
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    memory: Option<Bytes>,
}

/// The precisions of the strategy and of the regrets, on each street.
type ByStreet = [[Precision; 3]; 2];

fn precisions(text: &str) -> Result<ByStreet, String> {
    precisions_by_street(text).map_err(|error| error.to_string())
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if let Some(path) = &args.svg {
        check_place(path)?;
        let output = OutputFile { option: "--svg", path, kind: DRAWING };
        place::check(&[output], &[&args.spec], args.force)?;
    }
    let mut spec = input::read(&args.spec)?;
    spec.solver.target_exploitability_pct = args.target.unwrap_or(spec.solver.target_exploitability_pct);
    spec.solver.max_iterations = args.max_iterations.unwrap_or(spec.solver.max_iterations);
    let limit = memory_limit(args.memory);
    let threads = args.threads.unwrap_or_else(solve::available_threads);
    let layout = limit.lay_out(&spec).map_err(Failure::request)?;
    let mut plans = Vec::new();
    for (averaging, options) in variants(args, &spec.solver)? {
        options.check_pruning().map_err(|error| Failure::request(format!("cannot prune: {error}")))?;
        let options = limit.fit(&layout, &options, threads).map_err(Failure::request)?;
        limit.check(&layout, &options, threads).map_err(Failure::request)?;
        let memory_bytes = layout.size(&options).memory.total();
        plans.push(ComparisonPlan { averaging, options, memory_bytes });
    }
    let interrupt = Interrupt::listen()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Failure::job(format!("cannot start {threads} threads: {error}")))?;
    let mut comparison = Comparison::new(&spec, threads);
    let mut lines = WorkLines::default();
    if !args.json {
        lines.print(Heading { comparison: &comparison, count: plans.len() });
    }
    pool.install(|| {
        let game = layout.build();
        let mut buffers = StateBuffers::default();
        for (i, plan) in plans.iter().enumerate() {
            let label = format!("{} of {}, {}", i + 1, plans.len(), plan.name());
            let (run, used) = plan.run((&game, buffers), &spec, &interrupt, label);
            comparison.runs.push(run);
            buffers = used;
            if interrupt.requested() {
                break;
            }
        }
    });
    if let Some(path) = &args.svg {
        noregret_store::write_whole(path, chart::draw(&comparison).as_bytes())
            .map_err(|error| place::cannot_write(path, &error))?;
    }
    if args.json {
        lines.print(solve::json(&comparison));
    } else {
        lines.print(ComparisonTable(&comparison));
    }
    lines.finish()?;
    Ok(if interrupt.requested() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Refuses a file that cannot be written, before hours are spent on what would go there.
fn check_place(path: &Path) -> Result<(), Failure> {
    let refused = |why: &str| Err(Failure::request(format!("--svg {}: {why}", path.display())));
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    if path.is_dir() || path.file_name().is_none() {
        return refused("it is a directory, and must be a file");
    }
    if parent.is_some_and(|parent| !parent.is_dir()) { refused("there is no such directory") } else { Ok(()) }
}

/// Every algorithm with every average in every precision.
fn variants(args: &Args, spec: &SolverOptions) -> Result<Vec<(Averaging, SolverOptions)>, Failure> {
    let algorithms = if args.algorithms.is_empty() { vec![spec.algorithm] } else { args.algorithms.clone() };
    let mut variants = Vec::new();
    for algorithm in algorithms {
        // What the spec tunes is for its own algorithm.
        let tuned = algorithm == spec.algorithm;
        let options = SolverOptions {
            algorithm,
            exponents: if tuned { spec.exponents } else { Exponents::default() },
            restarts: tuned && spec.restarts,
            ..spec.clone()
        };
        for &averaging in &args.averaging {
            let options = averaging.apply(&options).map_err(Failure::request)?;
            if args.precisions.is_empty() {
                variants.push((averaging, options));
            } else {
                let stored = |&precisions: &ByStreet| options.clone().stored_by_street(precisions);
                variants.extend(args.precisions.iter().map(stored).map(|options| (averaging, options)));
            }
        }
    }
    Ok(variants)
}

/// One run to make.
struct ComparisonPlan {
    averaging: Averaging,
    options: SolverOptions,
    memory_bytes: usize,
}

impl ComparisonPlan {
    fn precision(&self) -> PrecisionBits {
        PrecisionBits::new(&self.options, None)
    }

    fn name(&self) -> String {
        format!("{} {}", algorithm_name(self.options.algorithm, self.averaging), self.precision())
    }

    /// The run, and its memory for the next one.
    fn run(
        &self,
        (game, buffers): (&Arc<Postflop>, StateBuffers),
        spec: &Spec,
        interrupt: &Interrupt,
        label: String,
    ) -> (ComparedRun, StateBuffers) {
        let spec = Spec { solver: self.options.clone(), ..spec.clone() };
        let progress = SolveProgress::labelled(&StopCondition::of(&self.options), label);
        let mut watch = CompareWatch { progress, interrupt };
        let solved = SolveJob::on_game(game.clone(), spec).in_buffers(buffers).run(&mut watch);
        watch.progress.finish();
        let Ok(Some(solved)) = solved else {
            unreachable!("a run that starts with nothing has nothing to read")
        };
        let interrupted = solved.outcome.reason == StopReason::Stopped;
        let algorithm = (self.options.algorithm, self.averaging);
        let run =
            ComparedRun::new(algorithm, self.precision(), self.memory_bytes, &solved.outcome, interrupted);
        (run, solved.solver.into_buffers())
    }
}

/// Shows a run, and stops it when the user wants to.
struct CompareWatch<'a> {
    progress: SolveProgress,
    interrupt: &'a Interrupt,
}

impl SolveObserver for CompareWatch<'_> {
    fn progress(&mut self, progress: &Progress<'_>) -> Control {
        self.progress.show(progress);
        if self.interrupt.requested() { Control::Stop } else { Control::Continue }
    }
}
