//! Every failure in turn: for each command that writes, each operation on the disk fails once, in every way, and power is lost after
//! each. What was there before is there, or what was to be written is, whole; and the exit code says which.
//!
//! The command runs in a process of its own: this program again, told by the environment what to run and what to break.
#![cfg(unix)]

mod common;

use common::{RIVER, TURN};
use noregret_store::simulate::{DiskContents, DiskFault, DiskStep, FaultyDisk, RecordingDisk, crash_states};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use tempfile::TempDir;

const ARGS: &str = "NOREGRET_TEST_ARGS";
const FAULT: &str = "NOREGRET_TEST_FAULT";
const STEPS: &str = "NOREGRET_TEST_STEPS";
const RECORD: &str = "NOREGRET_TEST_RECORD";

/// A step as JSON, to hand it from one process to the other.
fn step_json(step: &DiskStep) -> Value {
    let path = |path: &PathBuf| path.to_str().unwrap().to_owned();
    match step {
        DiskStep::Open(at, file) => json!(["open", path(at), file]),
        DiskStep::Write(file, at, bytes) => json!(["write", file, at, bytes]),
        DiskStep::Sync(file) => json!(["sync", file]),
        DiskStep::Rename(from, to) => json!(["rename", path(from), path(to)]),
        DiskStep::Remove(at) => json!(["remove", path(at)]),
        DiskStep::Directory(at) => json!(["directory", path(at)]),
        DiskStep::SyncDirectory(at) => json!(["sync directory", path(at)]),
    }
}

fn step_of(value: &Value) -> DiskStep {
    let path = |i: usize| PathBuf::from(value[i].as_str().unwrap());
    let number = |i: usize| value[i].as_u64().unwrap();
    match value[0].as_str().unwrap() {
        "open" => DiskStep::Open(path(1), number(2) as usize),
        "write" => {
            let bytes = value[3].as_array().unwrap().iter().map(|byte| byte.as_u64().unwrap() as u8);
            DiskStep::Write(number(1) as usize, number(2), bytes.collect())
        }
        "sync" => DiskStep::Sync(number(1) as usize),
        "rename" => DiskStep::Rename(path(1), path(2)),
        "remove" => DiskStep::Remove(path(1)),
        "directory" => DiskStep::Directory(path(1)),
        _ => DiskStep::SyncDirectory(path(1)),
    }
}

/// Not a test of its own: what the others run.
#[test]
fn run_one_command() {
    let Ok(args) = std::env::var(ARGS) else { return };
    let faulty = std::env::var(FAULT).ok().map(|text| {
        let (at, fault) = text.split_once(' ').unwrap();
        let fault = DiskFault::ALL.into_iter().find(|known| format!("{known:?}") == fault).unwrap();
        FaultyDisk::new(at.parse().unwrap(), fault)
    });
    let recording = RecordingDisk::default();
    match (&faulty, std::env::var(RECORD)) {
        (Some(disk), _) => noregret_store::set_disk(Some(Arc::new(disk.clone()))),
        (None, Ok(_)) => noregret_store::set_disk(Some(Arc::new(recording.clone()))),
        _ => {}
    }
    let args = std::iter::once("noregret").chain(args.split('\n')).map(Into::into);
    let code = noregret::run(args.collect::<Vec<std::ffi::OsString>>());
    if let Some(disk) = &faulty {
        std::fs::write(std::env::var(STEPS).unwrap(), disk.operations().to_string()).unwrap();
    }
    if let Ok(path) = std::env::var(RECORD) {
        std::fs::write(
            path,
            serde_json::to_vec(&recording.steps().iter().map(step_json).collect::<Vec<_>>()).unwrap(),
        )
        .unwrap();
    }
    std::process::exit(code.0.into());
}

/// A command that writes, and what it leaves.
struct Case {
    args: &'static str,
    /// Files of the directory that it may change or make, each with how to see that it is whole.
    files: &'static [&'static str],
}

const CASES: [Case; 6] = [
    Case { args: "solve river.toml --max-iterations 3 --out spot.nrs", files: &["spot.nrs"] },
    Case {
        args: "solve turn.toml --max-iterations 3 --threads 1 --checkpoint turn.nrc",
        files: &["turn.nrc"],
    },
    Case { args: "export old.nrs --format csv --out rows.csv", files: &["rows.csv"] },
    Case { args: "report old.nrs --out page.html", files: &["page.html"] },
    Case { args: "compare river.toml --max-iterations 2 --svg runs.svg", files: &["runs.svg"] },
    Case {
        args: "forty-two solve --seeds 511..=512 --decls sixes --threads 1 --out .",
        files: &["manifest.tsv", "seed_00000511_decl_6.n42", "seed_00000512_decl_6.n42"],
    },
];

/// A directory with specs, and with an older file wherever a command writes one.
fn home() -> TempDir {
    let home = TempDir::new().unwrap();
    std::fs::write(home.path().join("river.toml"), RIVER).unwrap();
    std::fs::write(home.path().join("turn.toml"), TURN).unwrap();
    ok(&run(home.path(), "solve river.toml --max-iterations 1 --out old.nrs", None));
    home
}

/// A command in a process of its own.
fn child(home: &Path, args: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["run_one_command", "--exact", "--nocapture", "--test-threads", "1"]).current_dir(home);
    command.env(ARGS, args.split_whitespace().collect::<Vec<_>>().join("\n"));
    command
}

fn run(home: &Path, args: &str, fault: Option<(usize, DiskFault)>) -> Output {
    let mut command = child(home, args);
    if let Some((at, fault)) = fault {
        command.env(FAULT, format!("{at} {fault:?}")).env(STEPS, home.join(".steps"));
    }
    command.output().unwrap()
}

fn ok(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

fn contents(home: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = home.read_dir().unwrap().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.file_type().unwrap().is_file() && entry.file_name() != ".steps");
    files
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect()
}

/// Whether a file can be read through by whoever it is for.
fn is_whole(home: &Path, name: &str, bytes: &[u8]) -> bool {
    let path = home.join(name);
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("nrs" | "nrc") => noregret_holdem::verify(&path, u64::MAX).is_ok(),
        Some("n42") => noregret_dominoes::TableJob::from_file_name(name).unwrap().check(home).is_ok(),
        Some("tsv") => noregret_dominoes::Manifest::parse(bytes).is_ok(),
        Some("csv") => bytes.ends_with(b"\n") && bytes.starts_with(b"line,board,"),
        Some("html") => bytes.ends_with(b"</html>\n"),
        Some("svg") => bytes.ends_with(b"</svg>\n"),
        _ => true,
    }
}

#[test]
fn whatever_operation_fails_the_old_or_the_new_file_is_there_whole() {
    let mut failed = [0, 0];
    for case in &CASES {
        let home = home();
        // How many operations there are, and what is there when none fails.
        ok(&run(home.path(), case.args, Some((usize::MAX, DiskFault::Error))));
        let operations: usize = std::fs::read_to_string(home.path().join(".steps")).unwrap().parse().unwrap();
        let new = contents(home.path());
        for name in case.files {
            assert!(
                new.contains_key(*name) && is_whole(home.path(), name, &new[*name]),
                "{} {name}",
                case.args
            );
        }
        assert!(operations >= 5, "{}: {operations} operations", case.args);
        for fault in DiskFault::ALL {
            for at in 0..operations {
                // Anew, without what the command makes: the old file is none.
                for name in case.files {
                    let _ = std::fs::remove_file(home.path().join(name));
                }
                let output = run(home.path(), case.args, Some((at, fault)));
                failed[0] += 1;
                let now = contents(home.path());
                let said = String::from_utf8_lossy(&output.stderr);
                let place = format!("{}: {fault:?} at {at}: {:?}: {said}", case.args, output.status);
                let left: Vec<&String> = now.keys().filter(|name| name.ends_with(".part")).collect();
                match (fault, output.status.code()) {
                    // Killed: only parts may be left, which the next run removes.
                    (DiskFault::Kill, code) => assert_eq!(code, None, "{place}"),
                    // Not all that was asked for is there: the code says so, and why.
                    (_, Some(1)) => {
                        failed[1] += 1;
                        assert!(said.contains("error: ") && left.is_empty(), "{place}: {left:?}");
                        assert!(
                            said.contains("the disk has failed") || said.contains("no storage space"),
                            "{place}"
                        );
                    }
                    (_, Some(0)) => {
                        assert!(left.is_empty(), "{place}: {left:?}");
                        for name in case.files {
                            assert!(now.contains_key(*name), "{place}: {name}");
                        }
                    }
                    (_, code) => panic!("{code:?}: {place}"),
                }
                assert!(!said.contains("panicked"), "{place}");
                for name in case.files {
                    if let Some(bytes) = now.get(*name) {
                        assert!(is_whole(home.path(), name, bytes), "{place}: {name}");
                    }
                }
                for kept in ["old.nrs", "river.toml", "turn.toml"] {
                    assert!(now[kept] == new[kept], "{place}: {kept}");
                }
            }
        }
        // The next run finds nothing in its way, and leaves nothing.
        ok(&run(home.path(), case.args, None));
        let names: Vec<String> = contents(home.path()).into_keys().collect();
        assert!(names.iter().all(|name| !name.ends_with(".part")), "{}: {names:?}", case.args);
    }
    println!("{} operations made to fail, {} times an error was told", failed[0], failed[1]);
    assert!(failed[1] > 50);
}

/// Writes files as they were after a loss of power.
fn put(home: &Path, files: &DiskContents, root: &Path) {
    for entry in home.read_dir().unwrap().map(|entry| entry.unwrap()) {
        let _ = std::fs::remove_file(entry.path());
    }
    for (path, bytes) in files {
        std::fs::write(home.join(path.strip_prefix(root).unwrap()), bytes).unwrap();
    }
}

#[test]
fn after_a_loss_of_power_the_old_or_the_new_file_is_there_whole() {
    let mut states = 0;
    for case in &CASES {
        let home = home();
        let root = home.path().canonicalize().unwrap();
        let before: DiskContents =
            contents(&root).into_iter().map(|(name, bytes)| (root.join(name), bytes)).collect();
        let record = TempDir::new().unwrap();
        let record = record.path().join("steps.json");
        let mut command = child(&root, case.args);
        ok(&command.env(RECORD, &record).output().unwrap());
        let steps: Vec<Value> = serde_json::from_slice(&std::fs::read(&record).unwrap()).unwrap();
        let steps: Vec<DiskStep> = steps.iter().map(step_of).collect();
        let new = contents(&root);
        let crashed = TempDir::new().unwrap();
        states += crash_states(&before, &steps, |done, files| {
            put(crashed.path(), files, &root);
            for name in case.files {
                let Some(bytes) = files.get(&root.join(name)) else {
                    assert!(done < steps.len(), "{}: {name} is lost after the end", case.args);
                    continue;
                };
                let old = before.get(&root.join(name));
                let known = Some(bytes) == old || bytes == &new[*name];
                // A manifest and a checkpoint are written several times: then each of them is whole.
                assert!(
                    known || is_whole(crashed.path(), name, bytes),
                    "{}: {name} after {done} of {} steps",
                    case.args,
                    steps.len()
                );
                if done == steps.len() {
                    assert!(bytes == &new[*name], "{}: {name} is not the new one after the end", case.args);
                }
            }
        });
    }
    println!("{states} states after a loss of power");
    assert!(states > 200, "{states}");
}
