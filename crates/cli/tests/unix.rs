//! Signals, pipes and limits, where the system has them.
#![cfg(unix)]

mod common;

use common::{RIVER, Run, TURN, solve_in};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const ENDLESS: [&str; 5] = ["spot.toml", "--target", "0", "--max-iterations", "1000000000"];

fn home() -> TempDir {
    let home = TempDir::new().unwrap();
    std::fs::write(home.path().join("spot.toml"), TURN).unwrap();
    home
}

fn send(signal: &str, child: &Child) {
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
}

#[test]
fn ctrl_c_prints_what_was_reached() {
    let home = home();
    let mut child = solve_in(home.path(), &ENDLESS).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    // The sizes come first; from then on an interrupt is heard.
    output.read_line(&mut text).unwrap();
    send("-INT", &child);
    output.read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{text}");
    assert!(text.contains("Interrupted: exploitability ") && text.contains("OOP at the root"), "{text}");
}

#[test]
fn a_polite_kill_prints_json_if_that_was_asked_for() {
    let home = home();
    let mut patience = Duration::from_millis(100);
    loop {
        let mut command = solve_in(home.path(), &ENDLESS);
        let child = command.arg("--json").spawn().unwrap();
        std::thread::sleep(patience);
        send("-TERM", &child);
        let run: Run = child.wait_with_output().unwrap().into();
        // Nothing tells when a silent program has begun to listen: one that is slow to start is simply killed.
        if run.code.is_none() && patience < Duration::from_secs(20) {
            patience *= 2;
            continue;
        }
        assert_eq!(run.code, Some(130), "{run:?}");
        let answer = run.json();
        assert_eq!(answer["target_reached"], false);
        assert_eq!(answer["history"].as_array().unwrap().last().unwrap()["iteration"], answer["iterations"]);
        return;
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let home = home();
    for args in [["spot.toml", "--dry-run"].as_slice(), &["spot.toml", "--dry-run", "--json"], &ENDLESS] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let run: Run = solve_in(home.path(), args).stdout(writer).output().unwrap().into();
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported() {
    let home = TempDir::new().unwrap();
    std::fs::write(home.path().join("spot.toml"), RIVER).unwrap();
    let full = || Stdio::from(std::fs::File::options().write(true).open("/dev/full").unwrap());
    for args in [["spot.toml"].as_slice(), &["spot.toml", "--json"], &["spot.toml", "--dry-run"]] {
        let run: Run = solve_in(home.path(), args).stdout(full()).output().unwrap().into();
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.stderr.starts_with("error: cannot write to standard output: "), "{run:?}");
    }
    // Not even the message can be written: the code still tells.
    let run: Run = solve_in(home.path(), &["missing.toml"]).stderr(full()).output().unwrap().into();
    assert_eq!(run.code, Some(2), "{run:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_dry_run_of_a_large_spot_takes_little_memory() {
    let home = TempDir::new().unwrap();
    let sizes = "oop_bet = 'medium'\nip_bet = 'medium'\n";
    let flop = TURN.replace("turn = \"8c\"\n", "");
    let spec = format!("{flop}[bet_sizes.flop]\n{sizes}[bet_sizes.turn]\n{sizes}");
    std::fs::write(home.path().join("spot.toml"), &spec).unwrap();
    let limited = format!(
        "ulimit -v 200000 && exec '{}' solve spot.toml --dry-run --json --memory 100TB",
        env!("CARGO_BIN_EXE_noregret")
    );
    let output = Command::new("sh").args(["-c", &limited]).current_dir(home.path()).output().unwrap();
    let plan = Run::from(output).ok().json();
    assert!(plan["memory_bytes"].as_u64().unwrap() > 800_000_000, "{plan}");
}
