//! `noregret solve`: a spec file to a measured equilibrium.

mod answer;
mod input;
mod progress;
mod table;

use crate::bytes::Bytes;
use crate::failure::{Failure, INTERRUPTED};
use crate::interrupt::Interrupt;
use answer::Answer;
use clap::builder::RangedU64ValueParser;
use noregret_holdem::{Algorithm, Ending, Goal, Outline, Precision, Solution, SolverOptions, Spec};
use progress::Progress;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

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

Exit codes: 0 done; 1 the job failed; 2 the request was wrong; 130 interrupted, after a clean stop.")]
pub struct Args {
    /// The spec file; `-` reads it from standard input
    spec: PathBuf,

    /// Print the answer as JSON on standard output, and nothing else there
    #[arg(long)]
    json: bool,

    /// Worker threads; the answer is the same for any number [default: one per core]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    threads: Option<usize>,

    /// Stop at this exploitability, in percent of the starting pot
    #[arg(long, value_name = "PCT", value_parser = percent)]
    target: Option<f64>,

    /// Stop after this many iterations at the latest
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=i64::from(SolverOptions::MAX_ITERATIONS)))]
    max_iterations: Option<u32>,

    /// Refuse to start if more memory is needed, e.g. `4GiB` [default: what is available]
    #[arg(long, value_name = "BYTES")]
    memory: Option<Bytes>,

    /// Say how large the spot is and what a solve takes, and do not solve
    #[arg(long)]
    dry_run: bool,

    /// The regret minimiser: `dcfr`
    #[arg(long, value_name = "NAME")]
    algorithm: Option<Algorithm>,

    /// How numbers are stored, for both of the next two: `32bit`
    #[arg(long, value_name = "BITS", value_parser = Precision::from_quantization)]
    quantization: Option<Precision>,

    /// Bits of the average strategy: 32
    #[arg(long, value_name = "BITS", value_parser = bits)]
    strategy_bits: Option<Precision>,

    /// Bits of the regrets: 32
    #[arg(long, value_name = "BITS", value_parser = bits)]
    regret_bits: Option<Precision>,
}

fn percent(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(percent),
        _ => Err("must be a number from 0 to 100".to_owned()),
    }
}

fn bits(text: &str) -> Result<Precision, String> {
    let bits: u64 = text.parse().map_err(|_| "must be a number of bits".to_owned())?;
    Precision::from_bits(bits).map_err(|error| error.to_string())
}

impl Args {
    /// Puts what the command line says in the place of what the file says.
    fn apply(&self, spec: &mut Spec) {
        let solver = &mut spec.solver;
        solver.target_exploitability_pct = self.target.unwrap_or(solver.target_exploitability_pct);
        solver.max_iterations = self.max_iterations.unwrap_or(solver.max_iterations);
        solver.algorithm = self.algorithm.unwrap_or(solver.algorithm);
        let both = self.quantization;
        solver.strategy_precision = self.strategy_bits.or(both).unwrap_or(solver.strategy_precision);
        solver.regret_precision = self.regret_bits.or(both).unwrap_or(solver.regret_precision);
        solver.dry_run |= self.dry_run;
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut spec = input::read(&args.spec)?;
    args.apply(&mut spec);
    let outline = Outline::new(&spec.spot).map_err(Failure::request)?;
    let size = outline.size();
    if spec.solver.dry_run {
        print_size(args, &outline);
        return fits(args, &outline).map(|()| ExitCode::SUCCESS);
    }
    fits(args, &outline)?;
    if !args.json {
        table::print_size(&outline);
    }

    let threads = args.threads.unwrap_or_else(available_threads);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Failure::job(format!("cannot start {threads} threads: {error}")))?;
    let interrupt = Interrupt::listen()?;
    pool.install(|| {
        let game = outline.build();
        let mut solution = Solution::new(&game);
        let goal = Goal {
            target_pct: spec.solver.target_exploitability_pct,
            max_iterations: spec.solver.max_iterations,
        };
        let mut progress = Progress::new(&goal);
        let outcome = noregret_holdem::run(&mut solution, &goal, |iteration, checked| {
            progress.update(iteration, checked);
            if interrupt.requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        progress.finish();
        let answer = Answer::new(&spec, &solution, &outcome, size.memory.total(), threads);
        if args.json {
            print_json(&answer);
        } else {
            table::print_answer(&answer, outcome.ending);
        }
        match outcome.ending {
            Ending::Stopped => Ok(ExitCode::from(INTERRUPTED)),
            Ending::Target | Ending::Iterations => Ok(ExitCode::SUCCESS),
        }
    })
}

fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn print_size(args: &Args, outline: &Outline) {
    if args.json {
        print_json(&answer::Plan::new(outline));
    } else {
        table::print_size(outline);
    }
}

fn print_json(value: &impl serde::Serialize) {
    // Numbers, strings, arrays and maps with string keys always serialise.
    let json = serde_json::to_string(value).unwrap_or_default();
    println!("{json}");
}

/// Refuses what does not fit into the memory that was allowed or is there.
fn fits(args: &Args, outline: &Outline) -> Result<(), Failure> {
    let memory = outline.size().memory;
    let needed = Bytes(memory.total() as u64);
    let (limit, whose) = match args.memory {
        Some(limit) => (limit, "--memory allows"),
        None => (Bytes(available_memory()), "this machine has"),
    };
    if needed <= limit {
        return Ok(());
    }
    let small = (memory.tree + memory.tables) as u64;
    let state = (memory.regrets + memory.strategy) as u64;
    let share = 100.0 * limit.0.saturating_sub(small) as f64 / state as f64;
    Err(Failure::request(format!(
        "this spot needs {needed} of memory, and {whose} {limit}: about {share:.0}% of its decisions would fit. Give fewer bet \
         sizes, narrower ranges or a later street, or raise merging_threshold or force_allin_threshold"
    )))
}

/// What can be allocated now, in bytes; no limit where the system does not tell.
fn available_memory() -> u64 {
    let Ok(mut system) = sysinfo::System::new() else { return u64::MAX };
    system.refresh_memory();
    let limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    system.available_memory().min(limit)
}
