//! Every target on its corpus and on mutations of it: nothing panics. `NOREGRET_FUZZ=1000 cargo test -p noregret-fuzzing` tries a
//! thousand times as many; `scripts/fuzz` is guided by coverage.

use noregret_fuzzing::{Mutator, TARGETS, Target};
use std::panic::catch_unwind;
use std::path::Path;

fn corpus(target: Target) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
    let mut files: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

/// Runs a target; an input that it panics on is kept, and told.
fn survives(target: Target, bytes: &[u8]) {
    if catch_unwind(|| (target.run)(bytes)).is_err() {
        let kept = std::env::temp_dir().join(format!("noregret-crash-{}", target.name));
        std::fs::write(&kept, bytes).unwrap();
        panic!("{} panics on {}: {:?}", target.name, kept.display(), String::from_utf8_lossy(bytes));
    }
}

fn try_all(names: &[&str]) {
    let times: usize = std::env::var("NOREGRET_FUZZ").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    for target in TARGETS.iter().filter(|target| names.contains(&target.name)) {
        let start = std::time::Instant::now();
        let corpus = corpus(*target);
        corpus.iter().for_each(|bytes| survives(*target, bytes));
        let mut mutator = Mutator::new(0x9e37_79b9_7f4a_7c15);
        for _ in 0..target.tries * times {
            survives(*target, &mutator.mutated(&corpus));
        }
        let tried = corpus.len() + target.tries * times;
        println!("{}: {tried} inputs in {:.1} s", target.name, start.elapsed().as_secs_f64());
    }
}

#[test]
fn no_text_panics() {
    try_all(&[
        "range",
        "spec",
        "plan",
        "line",
        "hands",
        "own_ranges",
        "manifest",
        "batch_list",
        "journal",
        "parquet",
        "drill",
    ]);
}

#[test]
fn no_file_panics() {
    try_all(&["solution", "checkpoint", "part", "table"]);
}

#[test]
fn no_request_panics() {
    try_all(&["request", "server_state"]);
}

#[test]
fn no_line_of_the_protocol_panics() {
    try_all(&["upi"]);
}

#[test]
fn no_message_between_machines_panics() {
    try_all(&["message"]);
}

#[test]
fn every_target_has_a_test_and_a_small_corpus() {
    let source = include_str!("corpora.rs");
    let mut bytes = 0;
    for target in TARGETS {
        assert!(source.contains(&format!("\"{}\"", target.name)), "{}", target.name);
        bytes += corpus(*target).iter().map(Vec::len).sum::<usize>();
    }
    assert!(bytes < 300_000, "{bytes} bytes of corpora");
}
