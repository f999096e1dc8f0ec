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
    for args in [["spot.toml", "--dry-run"].as_slice(), &["spot.toml", "--dry-run", "--json"]] {
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
        "ulimit -v 400000 && exec '{}' solve spot.toml --dry-run --json --precision 32 --memory 100TB",
        env!("CARGO_BIN_EXE_noregret")
    );
    let output = Command::new("sh").args(["-c", &limited]).current_dir(home.path()).output().unwrap();
    let plan = Run::from(output).ok().json();
    assert!(plan["memory_bytes"].as_u64().unwrap() > 800_000_000, "{plan}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_is_larger_than_allowed_is_an_error_like_a_full_disk() {
    let home = home();
    let limited = |limit: &str, args: &str| {
        let command = format!("ulimit -f {limit} && exec '{}' {args}", env!("CARGO_BIN_EXE_noregret"));
        Run::from(Command::new("sh").args(["-c", &command]).current_dir(home.path()).output().unwrap())
    };
    let names = || home.path().read_dir().unwrap().count();
    let run = limited("1", "solve spot.toml --max-iterations 3 --out spot.nrs");
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("cannot write spot.nrs: File too large"), "{run:?}");
    let run = limited("1", "forty-two solve --seeds 2000 --decls 0 --out .");
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("File too large"), "{run:?}");
    // The manifest of the run and the spec.
    assert_eq!(names(), 2);
}

#[test]
#[cfg(target_os = "linux")]
fn less_address_space_than_a_solve_takes_is_a_message_and_never_an_abort() {
    let home = home();
    let mut seen = [0, 0];
    for megabytes in [120, 160, 200, 240, 300, 400, 600, 1000, 4000] {
        let command = format!(
            "ulimit -v {} && exec '{}' solve spot.toml --target 0 --max-iterations 3 --threads 2 --strategy-bits 32 --regret-bits 32",
            megabytes * 1000,
            env!("CARGO_BIN_EXE_noregret")
        );
        let run =
            Run::from(Command::new("sh").args(["-c", &command]).current_dir(home.path()).output().unwrap());
        match run.code {
            Some(0) => seen[0] += 1,
            Some(2) => {
                seen[1] += 1;
                assert!(run.stderr.contains("ulimit -v leaves "), "{megabytes}: {run:?}");
            }
            _ => panic!("{megabytes}: {run:?}"),
        }
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
    let tables = |megabytes: u32| {
        let binary = env!("CARGO_BIN_EXE_noregret");
        let command = format!(
            "ulimit -v {} && exec '{binary}' forty-two solve --seeds 511 --decls sixes --threads 2 --out tables",
            megabytes * 1000
        );
        Run::from(Command::new("sh").args(["-c", &command]).current_dir(home.path()).output().unwrap())
    };
    let run = tables(400);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("take up to 270 MB of memory, and ulimit -v leaves "), "{run:?}");
    tables(2000).ok();
}

#[test]
fn pipes_and_devices_are_refused_instead_of_waited_for() {
    let home = home();
    let pipe = home.path().join("pipe.nrs");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::fs::copy(home.path().join("spot.toml"), home.path().join("other.toml")).unwrap();
    let message = "it is a pipe or a device, and not a file";
    for (args, code) in [
        ("solve pipe.nrs", 2),
        ("solve spot.toml --out pipe.nrs", 1),
        ("solve spot.toml --resume pipe.nrs", 1),
        ("solve spot.toml --out /dev/null --force", 1),
        ("inspect pipe.nrs", 1),
        ("verify pipe.nrs", 1),
        ("report pipe.nrs", 1),
        ("batch pipe.nrs", 2),
        ("forty-two value --table pipe.nrs", 1),
        ("forty-two query pipe.nrs", 1),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_noregret"))
            .args(args.split_whitespace())
            .current_dir(home.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let run = Run::from(output);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(run.code, Some(code), "{args}: {run:?}");
        assert!(said.contains(message), "{args}: {run:?}");
    }
    // What the shell hands over in place of a file is no trouble.
    let shell = format!("'{}' solve <(cat spot.toml) --dry-run", env!("CARGO_BIN_EXE_noregret"));
    let output = Command::new("bash").args(["-c", &shell]).current_dir(home.path()).output().unwrap();
    Run::from(output).ok();
}

#[test]
fn a_link_given_as_out_is_followed_and_long_names_work() {
    let home = home();
    std::fs::create_dir(home.path().join("far")).unwrap();
    std::os::unix::fs::symlink("far/spot.nrs", home.path().join("link.nrs")).unwrap();
    let solve = |out: &str| {
        let args = ["spot.toml", "--max-iterations", "2", "--out", out];
        Run::from(solve_in(home.path(), &args).output().unwrap()).ok();
    };
    solve("link.nrs");
    assert!(home.path().join("link.nrs").is_symlink() && home.path().join("far/spot.nrs").is_file());
    for length in 240..=255 {
        solve(&format!("{}.nrs", "n".repeat(length - 4)));
    }
}
