//! Memory that cannot be had: whatever `ulimit -v` leaves, a command does its work or says that it cannot, and never aborts.
#![cfg(target_os = "linux")]

use crate::child::contents;
use crate::commands::home;
use crate::http::{connect, request, wait_for};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// A command with so many megabytes of address space.
fn limited(home: &Path, megabytes: usize, args: &str) -> Command {
    let script =
        format!("ulimit -v {} && exec '{}' {args}", megabytes * 1000, env!("CARGO_BIN_EXE_noregret"));
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(home).stdin(Stdio::null());
    command
}

/// The least with which the program says that it is too little: below that the system cannot start it.
fn least(home: &Path) -> usize {
    let says = |megabytes: &usize| {
        told(&limited(home, *megabytes, "--version").output().unwrap()).contains("ulimit -v leaves ")
    };
    (20..).step_by(10).find(says).unwrap()
}

/// Sizes close together where limits are, and farther apart above.
fn sizes(least: usize) -> impl Iterator<Item = usize> {
    (least..least + 60).step_by(20).chain((least + 60..600).step_by(45)).chain([700, 1000, 1500, 2000, 3000])
}

/// A server, which is not left behind by a test that fails.
struct ChildGuard(Option<Child>);

impl Drop for ChildGuard {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Megabytes by which what is refused varies from run to run: the allocator maps 64 for a thread, sooner or later.
const ARENAS: usize = 160;

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn whatever_address_space_there_is_commands_do_their_work_or_say_that_they_cannot() {
    let first = home();
    let least = least(first.path());
    let (mut tried, mut refused) = (0, 0);
    for args in [
        "solve turn.toml --max-iterations 3 --precision 32 --out spot.nrs",
        "solve turn.toml --dry-run",
        "inspect old.nrs --hands",
        "verify old.nrs",
        "export old.nrs --format parquet --out rows.parquet",
        "report old.nrs --out page.html",
        "batch plan.toml",
        "compare river.toml --max-iterations 2",
        "forty-two solve --seeds 511 --decls sixes --out tables",
        "forty-two value --seed 511 --decl sixes",
        "forty-two sample --seeds 511 --decls sixes --per-table 10 --out samples",
    ] {
        let mut enough = None;
        for megabytes in sizes(least) {
            let home = home_of(first.path());
            let output = limited(home.path(), megabytes, args).output().unwrap();
            let said = told(&output);
            let place = format!("{args} with {megabytes} MB: {:?}: {said}", output.status);
            tried += 1;
            match output.status.code() {
                Some(0) => enough = enough.or(Some(megabytes)),
                Some(1 | 2) => {
                    refused += 1;
                    assert!(said.contains("error: ") && said.contains("ulimit -v leaves "), "{place}");
                    assert!(
                        enough.is_none_or(|enough| megabytes < enough + ARENAS),
                        "{place}: {enough:?} was enough"
                    );
                    let left: Vec<String> =
                        contents(home.path()).into_keys().filter(|name| name.ends_with(".part")).collect();
                    assert!(left.is_empty(), "{place}: {left:?}");
                }
                _ => panic!("{place}"),
            }
            assert!(!said.contains("panicked") && !said.contains("allocation"), "{place}");
        }
        assert!(enough.is_some(), "{args}");
    }
    println!("{tried} runs with less address space, {refused} of them refused");
    assert!(refused > 30);
}

/// A copy of a directory of files.
fn home_of(from: &Path) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    for (name, bytes) in contents(from) {
        std::fs::write(home.path().join(name), bytes).unwrap();
    }
    home
}

#[test]
fn whatever_address_space_there_is_a_server_answers_or_says_that_it_cannot() {
    let first = home();
    let (mut served, mut refused) = (0, 0);
    for megabytes in sizes(least(first.path())) {
        let home = home_of(first.path());
        std::fs::create_dir(home.path().join("library")).unwrap();
        std::fs::copy(home.path().join("old.nrs"), home.path().join("library/old.nrs")).unwrap();
        let mut command = limited(home.path(), megabytes, "serve --no-open --port 0 --library library");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines.map_while(Result::ok).find_map(|line| {
            Some(
                line.strip_prefix("Open http://")?
                    .split('/')
                    .next()?
                    .parse::<std::net::SocketAddr>()
                    .unwrap(),
            )
        });
        let mut guard = ChildGuard(Some(child));
        let Some(address) = address else {
            let output = guard.0.take().unwrap().wait_with_output().unwrap();
            let said = told(&output);
            assert!(matches!(output.status.code(), Some(1 | 2)), "{megabytes}: {:?}: {said}", output.status);
            assert!(said.contains("ulimit -v leaves "), "{megabytes}: {said}");
            refused += 1;
            continue;
        };
        // Some ask, others only keep a connection.
        let idle: Vec<_> = (0..20).map(|_| connect(address)).collect();
        for line in ["", "check"] {
            let node = request(address, "GET", &format!("/api/solutions/old/node?line={line}"), None);
            let is_told = node.status == 422 && node.message().contains("memory");
            assert!(node.status == 200 || is_told, "{megabytes}: {node:?}");
        }
        let solve = serde_json::json!({"name": "turn", "toml": crate::common::TURN, "max_iterations": 5, "target_pct": 0});
        let started = request(address, "POST", "/api/solves", Some(&solve));
        match started.status {
            201 => {
                let ended = wait_for(address, started.json()["id"].as_str().unwrap(), &["done", "failed"]);
                let error = ended["error"].as_str().unwrap_or_default();
                assert!(ended["state"] == "done" || error.contains("memory"), "{megabytes}: {ended}");
            }
            422 => assert!(started.message().contains("memory"), "{megabytes}: {started:?}"),
            _ => panic!("{megabytes}: {started:?}"),
        }
        drop(idle);
        let child = guard.0.take().unwrap();
        Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{megabytes}: {}", told(&output));
        served += 1;
    }
    assert!(served > 3 && refused > 3, "{served} {refused}");
}
