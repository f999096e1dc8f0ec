//! How long spots take: `cargo bench -p noregret-holdem --bench spots -- [OPTIONS] [NAME…]`.
//!
//! Prints iterations, seconds and memory at 1, 0.5, 0.3 and 0.1% exploitability. Names are those of `examples/`.
//!
//! - `--precisions 32/32,16:16:8/16:16:8`: bits of strategies and regrets, on all streets or on flop, turn and river, one solve each; those
//!   by default
//! - `--threads 1,2`: one solve each; as many as there are cores by default
//! - `--iterations 400`: where a solve is given up; 1,000 by default
//! - `--runs 3`: how often each is solved, of which the quickest counts; once by default
//! - `--json FILE`: the figures and the machine's model, for a program

use noregret_cfr::{Precision, simd};
use noregret_holdem::{
    GameLayout, Measurement, PriorRun, Solver, Spec, StopCondition, precisions_by_street, resume,
};
use rayon::ThreadPoolBuilder;
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::Path;
use std::str::FromStr;
use sysinfo::{CpuRefreshKind, RefreshKind, System};

/// Exploitabilities that are waited for, in percent of the pot.
const MARKS: [f64; 4] = [1.0, 0.5, 0.3, 0.1];

const SPOTS: [&str; 5] = ["turn", "three-bet-pot", "monotone", "single-raised-pot", "river"];

#[derive(Serialize)]
struct Figures {
    machine: Machine,
    solves: Vec<SpotSolve>,
}

#[derive(Serialize)]
struct Machine {
    model: String,
    cores: usize,
    instructions: &'static str,
}

#[derive(Serialize)]
struct SpotSolve {
    spot: String,
    /// Of strategies and regrets.
    bits: String,
    threads: usize,
    bytes: usize,
    /// What the first iteration waits for.
    build_seconds: f64,
    marks: Vec<SpotMark>,
    /// Where the solve ended.
    last: SpotMark,
}

#[derive(Serialize, Clone)]
struct SpotMark {
    exploitability_pct: f64,
    iterations: u32,
    seconds: f64,
}

struct Request {
    spots: Vec<String>,
    precisions: Vec<Bits>,
    threads: Vec<usize>,
    max_iterations: u32,
    runs: usize,
    json: Option<String>,
}

fn main() {
    let request = Request::read(std::env::args().skip(1));
    let machine = Machine::this();
    println!("{}, {} cores, {}", machine.model, machine.cores, machine.instructions);
    let mut solves = Vec::new();
    for spot in &request.spots {
        for bits in &request.precisions {
            for &threads in &request.threads {
                let runs = (0..request.runs).map(|_| solve(spot, bits, threads, request.max_iterations));
                let seconds =
                    |solve: &SpotSolve| solve.marks.last().map_or(f64::INFINITY, |mark| mark.seconds);
                let best = runs.min_by(|a, b| seconds(a).total_cmp(&seconds(b)));
                solves.extend(best.inspect(SpotSolve::print));
            }
        }
    }
    if let Some(path) = request.json {
        let text = serde_json::to_string_pretty(&Figures { machine, solves });
        let text = text.unwrap_or_else(|error| panic!("{error}"));
        std::fs::write(&path, text + "\n").unwrap_or_else(|error| panic!("{path}: {error}"));
    }
}

impl Request {
    fn read(mut arguments: impl Iterator<Item = String>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut request = Self {
            spots: Vec::new(),
            precisions: ["32/32", "16:16:8/16:16:8"].map(Bits::new).to_vec(),
            threads: vec![cores],
            max_iterations: 1000,
            runs: 1,
            json: None,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().unwrap_or_else(|| panic!("{argument} wants a value"));
            match argument.as_str() {
                "--precisions" => request.precisions = value().split(',').map(Bits::new).collect(),
                "--threads" => request.threads = value().split(',').map(number).collect(),
                "--iterations" => request.max_iterations = number(&value()),
                "--runs" => request.runs = number(&value()),
                "--json" => request.json = Some(value()),
                // Cargo passes it on.
                "--bench" => {}
                name => request.spots.push(name.to_owned()),
            }
        }
        if request.spots.is_empty() {
            request.spots = SPOTS.map(str::to_owned).to_vec();
        }
        request
    }
}

fn number<T: FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("{text:?} is not a number"))
}

/// The precisions of strategies and regrets.
#[derive(Clone)]
struct Bits {
    text: String,
    precisions: [[Precision; 3]; 2],
}

impl Bits {
    fn new(text: &str) -> Self {
        let precisions = precisions_by_street(text).unwrap_or_else(|error| panic!("{error}"));
        Self { text: text.to_owned(), precisions }
    }
}

impl Machine {
    fn this() -> Self {
        let what = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing());
        let system = System::new_with_specifics(what).ok();
        let model = system.and_then(|system| Some(system.cpus().first()?.brand().to_owned()));
        let model = model.unwrap_or_else(|| "a processor that does not tell its name".to_owned());
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { model, cores, instructions: simd::instruction_set() }
    }
}

fn solve(name: &str, bits: &Bits, threads: usize, max_iterations: u32) -> SpotSolve {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).with_extension("toml");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut spec: Spec = text.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
    spec.solver = spec.solver.stored_by_street(bits.precisions);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.unwrap_or_else(|error| panic!("{error}")).install(|| {
        let start = std::time::Instant::now();
        let layout = GameLayout::new(&spec.spot).unwrap_or_else(|error| panic!("{name}: {error}"));
        let bytes = layout.size(&spec.solver).memory.total();
        let game = layout.build();
        let mut solution = Solver::with_options(game.clone(), &spec.solver);
        let build_seconds = start.elapsed().as_secs_f64();
        let mut marks: Vec<SpotMark> = Vec::new();
        let mut last = SpotMark { exploitability_pct: f64::INFINITY, iterations: 0, seconds: 0.0 };
        let mut earlier = PriorRun::default();
        // One mark after the other, each looked for as in a solve of its own; the time includes the looking for those before it.
        for target_pct in MARKS {
            let goal = StopCondition { target_pct, max_iterations };
            let outcome = resume(&mut solution, &goal, earlier, |_| ControlFlow::Continue(()));
            let Measurement { iteration: iterations, elapsed, exploitability_pct } = outcome.last();
            last = SpotMark { exploitability_pct, iterations, seconds: elapsed.as_secs_f64() };
            if exploitability_pct > target_pct {
                break;
            }
            marks.push(SpotMark { exploitability_pct: target_pct, ..last.clone() });
            earlier = PriorRun { history: outcome.history, elapsed };
        }
        SpotSolve {
            spot: name.to_owned(),
            bits: bits.text.clone(),
            threads,
            bytes,
            build_seconds,
            marks,
            last,
        }
    })
}

impl SpotSolve {
    fn print(&self) {
        let Self { spot, bits, threads, bytes, build_seconds, marks, last } = self;
        let megabytes = *bytes as f64 / 1e6;
        println!("{spot} {bits}, {threads} threads: {megabytes:.1} MB, built in {build_seconds:.2} s");
        for SpotMark { exploitability_pct, iterations, seconds } in marks {
            println!("  {exploitability_pct:>4}%  {iterations:>5} iterations  {seconds:>8.2} s");
        }
        if marks.len() < MARKS.len() {
            let SpotMark { exploitability_pct, iterations, .. } = last;
            println!("  {exploitability_pct:.4}% after {iterations} iterations, and no more");
        }
    }
}
