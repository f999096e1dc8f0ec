//! What a solve allocates at most: what it has announced, and what it may take. An allocator counts, and refuses what goes beyond;
//! a refused allocation ends the program, so that a command that comes to its end has kept to its limit.
#![cfg(unix)]

mod common;

use cap::Cap;
use common::Run;
use common::noregret::noregret;
use serde_json::Value;
use std::alloc::System;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

const ARGS: &str = "NOREGRET_TEST_ARGS";
const LIMIT: &str = "NOREGRET_TEST_LIMIT";

/// What may come on top: the program itself with its arguments, the spec and buffers of files; and on each thread the tables that
/// showdowns are summed in, which take 1.6 MB whatever the spot is and are not announced.
fn allowance(threads: usize) -> usize {
    2_000_000 * (1 + threads)
}

/// Not a test of its own: what the others run, in a process of their own.
#[test]
fn run_one_command() {
    let Ok(args) = std::env::var(ARGS) else { return };
    let limit: usize = std::env::var(LIMIT).unwrap().parse().unwrap();
    let args: Vec<OsString> = std::iter::once("noregret").chain(args.split(' ')).map(Into::into).collect();
    ALLOCATOR.set_limit(ALLOCATOR.allocated() + limit).unwrap();
    std::process::exit(noregret::run(args).0.into());
}

/// A command that can allocate so many bytes.
fn within(home: &Path, bytes: usize, args: &str) -> Run {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["run_one_command", "--exact", "--nocapture", "--test-threads", "1"]).current_dir(home);
    command.env(ARGS, args).env(LIMIT, bytes.to_string()).output().unwrap().into()
}

/// A directory with a flop that takes 14 MB by default and 44 MB in 32 bits.
fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/monotone.toml");
    std::fs::copy(example, home.path().join("spot.toml")).unwrap();
    home
}

const SOLVE: &str = "solve spot.toml --target 0 --max-iterations 2 --out solved.nrs --checkpoint solved.nrc";

#[test]
fn a_solve_never_allocates_more_than_it_has_announced() {
    let home = home();
    for precision in ["32", "16", "16:16:8", "8", "4/8"] {
        for threads in [1, 3] {
            let options = format!("--precision {precision} --threads {threads}");
            let dry = format!("solve spot.toml --dry-run --json {options}");
            let dry = noregret(home.path(), &dry.split(' ').collect::<Vec<_>>()).ok().json();
            let bytes = |value: &Value| value.as_u64().unwrap() as usize;
            let announced =
                bytes(&dry["memory_bytes"]) + threads * bytes(&dry["memory"]["working_per_thread"]);
            let run = within(home.path(), announced + allowance(threads), &format!("{SOLVE} {options}"));
            assert_eq!(run.code, Some(0), "{options}, announced {announced}: {run:?}");
            // It takes most of it, so that the allocator would have noticed more.
            let run = within(home.path(), announced - announced / 10, &format!("{SOLVE} {options}"));
            assert!(run.code.is_none() && run.stderr.contains("memory allocation of"), "{options}: {run:?}");
        }
    }
}

#[test]
fn whatever_memory_it_may_take_a_solve_keeps_to_it_or_is_refused() {
    let home = home();
    let (mut solved, mut refused) = (0, 0);
    for precision in ["auto", "32"] {
        for megabytes in (1..=16).chain((20..=60).step_by(4)) {
            let args = format!("{SOLVE} --precision {precision} --threads 2 --memory {megabytes}MB");
            let run = within(home.path(), megabytes * 1_000_000 + allowance(2), &args);
            match run.code {
                Some(0) => solved += 1,
                Some(2) => {
                    refused += 1;
                    assert!(run.stderr.contains("--memory allows"), "{args}: {run:?}");
                }
                _ => panic!("{args}: {run:?}"),
            }
        }
    }
    println!("{solved} solves within what they may take, {refused} refused");
    assert!(solved > 10 && refused > 10, "{solved} {refused}");
}
