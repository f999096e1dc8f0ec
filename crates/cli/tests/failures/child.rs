//! Commands in a process of their own, on a disk that fails.

use noregret_store::simulate::{DiskFault, DiskOperation, DiskStep, FaultyDisk, RecordingDisk};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use tempfile::TempDir;

const ARGS: &str = "NOREGRET_TEST_ARGS";
const FAULT: &str = "NOREGRET_TEST_FAULT";
const STEPS: &str = "NOREGRET_TEST_STEPS";
const RECORD: &str = "NOREGRET_TEST_RECORD";

/// A directory for a test, in memory where the machine has such a file system: what a disk does is simulated here, and real syncs take
/// milliseconds each.
pub fn directory() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| TempDir::new()).unwrap()
}

/// Of what takes long, each fault meets every N-th operation, and each fault other ones. `NOREGRET_EVERY=N` decides for all.
pub fn is_tried(number: usize, fault: usize, every: usize) -> bool {
    let every = if every > 1 { self::every().unwrap_or(every) } else { every };
    number % every == fault % every
}

/// What `NOREGRET_EVERY` says.
fn every() -> Option<usize> {
    std::env::var("NOREGRET_EVERY").ok()?.parse().ok().filter(|every| *every > 0)
}

/// Of the states after a loss of power, those of batches and servers that are read: every eighth, or as `NOREGRET_EVERY` says.
pub fn is_read(number: usize) -> bool {
    number.is_multiple_of(every().unwrap_or(8))
}

/// These stand for a server and its clients, in place of a command. What takes long is by itself: not all of it is done again for each
/// operation that fails.
pub const SERVERS: [&str; 2] = ["a server and its clients", "a server and a batch"];

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
    let code = if let Some(clients) = SERVERS.iter().position(|server| args == *server) {
        crate::server::run(clients, &|| recording.steps().len())
    } else {
        let args = std::iter::once("noregret").chain(args.split('\n')).map(Into::into);
        noregret::run(args.collect::<Vec<std::ffi::OsString>>()).0.into()
    };
    if let Some(disk) = &faulty {
        let letters: String = disk.operations().into_iter().map(DiskOperation::letter).collect();
        std::fs::write(std::env::var(STEPS).unwrap(), letters).unwrap();
    }
    if let Ok(path) = std::env::var(RECORD) {
        let steps: Vec<Value> = recording.steps().iter().map(step_json).collect();
        std::fs::write(path, serde_json::to_vec(&steps).unwrap()).unwrap();
    }
    std::process::exit(code);
}

/// A command, perhaps on a disk that fails. What it reads on standard input follows after ` < `.
pub fn run(home: &Path, args: &str, fault: Option<(usize, DiskFault)>) -> Output {
    let mut command = child(home, args);
    if let Some((at, fault)) = fault {
        command.env(FAULT, format!("{at} {fault:?}")).env(STEPS, home.join(".steps"));
    }
    command.output().unwrap()
}

/// The operations of a command that nothing keeps from its end, and what it said.
pub fn operations(home: &Path, args: &str) -> (Vec<DiskOperation>, Output) {
    let output = ok(run(home, args, Some((usize::MAX, DiskFault::Error))));
    let letters = std::fs::read_to_string(home.join(".steps")).unwrap();
    (letters.chars().map(|letter| DiskOperation::of_letter(letter).unwrap()).collect(), output)
}

/// Everything that a command does to the disk, and what it said.
pub fn recorded(home: &Path, args: &str) -> (Vec<DiskStep>, Output) {
    let record = tempfile::NamedTempFile::new().unwrap();
    let output = ok(child(home, args).env(RECORD, record.path()).output().unwrap());
    let steps: Vec<Value> = serde_json::from_slice(&std::fs::read(record.path()).unwrap()).unwrap();
    (steps.iter().map(step_of).collect(), output)
}

fn child(home: &Path, args: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let test = format!("{}::run_one_command", module_path!().split_once("::").unwrap().1);
    command.args([&test, "--exact", "--nocapture", "--test-threads", "1"]).current_dir(home);
    let (args, input) = args.split_once(" < ").unwrap_or((args, ""));
    if !input.is_empty() {
        command.stdin(File::open(home.join(input)).unwrap());
    }
    let words = || args.split_whitespace().collect::<Vec<_>>().join("\n");
    command.env(ARGS, if SERVERS.contains(&args) { args.to_owned() } else { words() });
    command
}

#[track_caller]
pub fn ok(output: Output) -> Output {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Every file of a directory, and of those inside, but for what the tests write there.
pub fn contents(home: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![home.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().unwrap().map(|entry| entry.unwrap()) {
            let name = entry.path().strip_prefix(home).unwrap().to_str().unwrap().to_owned();
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else if name != ".steps" {
                files.insert(name, std::fs::read(entry.path()).unwrap());
            }
        }
    }
    files
}

/// A step as JSON, to hand it from one process to the other. Bytes are the characters of their numbers: files of rows are large, and a
/// list of numbers would take a hundred times their memory.
fn step_json(step: &DiskStep) -> Value {
    let path = |path: &PathBuf| path.to_str().unwrap().to_owned();
    match step {
        DiskStep::Open(at, file) => json!(["open", path(at), file]),
        DiskStep::Write(file, at, bytes) => {
            let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
            json!(["write", file, at, text])
        }
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
            let bytes = value[3].as_str().unwrap().chars().map(|byte| u8::try_from(byte).unwrap());
            DiskStep::Write(number(1) as usize, number(2), bytes.collect())
        }
        "sync" => DiskStep::Sync(number(1) as usize),
        "rename" => DiskStep::Rename(path(1), path(2)),
        "remove" => DiskStep::Remove(path(1)),
        "directory" => DiskStep::Directory(path(1)),
        _ => DiskStep::SyncDirectory(path(1)),
    }
}
