//! `noregret self-check`: whether this program works on this machine, and what it found there.

#[cfg(feature = "forty-two")]
mod forty_two;
#[cfg(not(feature = "forty-two"))]
#[path = "self_check/no_forty_two.rs"]
mod forty_two;

use crate::about;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::output::WorkLines;
use crate::palette::{BAD, GOOD};
use crate::solve::available_threads;
use crate::standard_spots::StandardSpot;
use noregret_holdem::{GameLayout, MachineMemory, Solver, instruction_set, precisions_by_street};
use noregret_store::Bytes;
use serde::Serialize;

/// Check that this program works here, for a report of a problem.
///
/// Solves a turn in four precisions and a deal of Texas 42, and compares the answers, which are the same on every machine, with what
/// they must be. Lists the instruction set, threads, memory, GPU, page and library.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret self-check
  noregret self-check --json

Exit codes: 0 all is right; 1 something is not.")]
pub struct Args {
    /// Print JSON on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

/// The spot that is solved, and for how long.
const SPOT: &str = "turn";
const ITERATIONS: u32 = 12;

/// The digest of its strategy in bits of strategies and regrets.
const DIGESTS: [(&str, &str); 4] = [
    ("32/32", "35661cec36ef6a1401d4388c54301fd7"),
    ("16/16", "c98b9dac64e2ffc035bd6c937672520f"),
    ("8/8", "f79eeb3848b57ada8ee307e2acd59e46"),
    ("4/8", "353229964acc6234a835861633125192"),
];

/// Something that was looked at.
#[derive(Serialize)]
struct Finding {
    name: &'static str,
    found: String,
    /// Whether it is as it must be; none where nothing is wrong either way.
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<bool>,
}

impl Finding {
    fn note(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, found: found.into(), right: None }
    }

    fn checked(name: &'static str, found: Result<String, String>) -> Self {
        let right = Some(found.is_ok());
        Self { name, found: found.unwrap_or_else(|wrong| wrong), right }
    }
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut findings = notes();
    findings.push(library());
    findings.extend(DIGESTS.iter().map(|&(bits, digest)| Finding::checked("hold'em", holdem(bits, digest))));
    findings.push(forty_two::solved());
    let is_right = findings.iter().all(|finding| finding.right != Some(false));
    let mut lines = WorkLines::default();
    if args.json {
        lines.print(serde_json::json!({"right": is_right, "findings": findings}));
    } else {
        for Finding { name, found, right } in &findings {
            let mark = match right {
                None => String::new(),
                Some(true) => format!("  {GOOD}right{GOOD:#}"),
                Some(false) => format!("  {BAD}wrong{BAD:#}"),
            };
            lines.print(format_args!("{name:<16} {found}{mark}"));
        }
    }
    let told = lines.finish();
    match is_right {
        true => told.map(|()| ExitCode::SUCCESS),
        false => Err(Failure::job(
            "this program does not work as it should here: please report it with the lines above",
        )),
    }
}

/// What there is, which is neither right nor wrong.
fn notes() -> Vec<Finding> {
    let memory = MachineMemory::now();
    vec![
        Finding::note("version", about::long_version().replace('\n', ", ")),
        Finding::note("instruction set", instruction_set()),
        Finding::note("threads", available_threads().to_string()),
        Finding::note(
            "memory",
            format!("{} {} of {}", memory.whose, Bytes(memory.available), Bytes(memory.total)),
        ),
        Finding::note("GPU", forty_two::gpu()),
        Finding::note("page", page()),
    ]
}

#[cfg(feature = "serve")]
fn page() -> String {
    let (files, bytes) = noregret_serve::page_size();
    format!("{files} files, {}", Bytes(bytes as u64))
}

#[cfg(not(feature = "serve"))]
fn page() -> String {
    "built without the web app".to_owned()
}

/// Whether `noregret serve` could keep solutions where it keeps them by default.
#[cfg(feature = "serve")]
fn library() -> Finding {
    let folder = match crate::serve::default_library() {
        Ok(folder) => folder,
        Err(failure) => return Finding::checked("library", Err(failure.message().to_owned())),
    };
    let mut existing = folder.as_path();
    while !existing.exists() {
        let Some(parent) = existing.parent() else { break };
        existing = parent;
    }
    let probe = existing.join(format!(".noregret-self-check-{}", std::process::id()));
    let written = noregret_store::write_whole(&probe, b"probe").and_then(|()| noregret_store::remove(&probe));
    Finding::checked(
        "library",
        match written {
            Ok(()) if existing == folder => Ok(format!("{}, writable", folder.display())),
            Ok(()) => Ok(format!("{}, which can be made", folder.display())),
            Err(error) => Err(format!("{} cannot be written: {error}", folder.display())),
        },
    )
}

#[cfg(not(feature = "serve"))]
fn library() -> Finding {
    Finding::note("library", "built without the web app")
}

/// Solves the spot in these bits.
fn holdem(bits: &str, expected: &str) -> Result<String, String> {
    let mut spec = StandardSpot::find(SPOT)?.spec()?;
    let precisions = precisions_by_street(bits).map_err(|error| error.to_string())?;
    spec.solver = spec.solver.stored_by_street(precisions);
    let layout = GameLayout::new(&spec.spot).map_err(|error| error.to_string())?;
    let started = std::time::Instant::now();
    let mut solver = Solver::with_options(layout.build(), &spec.solver);
    (0..ITERATIONS).for_each(|_| solver.iterate());
    let digest = solver.digest();
    let found = format!(
        "{SPOT} in {bits} bits, {ITERATIONS} iterations in {:.2} s: {digest}",
        started.elapsed().as_secs_f64()
    );
    if digest == expected { Ok(found) } else { Err(format!("{found}, which must be {expected}")) }
}
