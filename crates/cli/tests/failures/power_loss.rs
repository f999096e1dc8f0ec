//! Commands that write files: power is lost after each step.

use crate::child::{contents, directory, is_read, ok, recorded, run};
use crate::commands::{CASES, Case, home_with, is_whole};
use noregret_store::simulate::{DiskContents, DiskStep, crash_states};
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;

/// Writes files as they were after a loss of power.
pub fn put(home: &Path, files: &DiskContents, root: &Path) {
    std::fs::remove_dir_all(home).unwrap();
    std::fs::create_dir(home).unwrap();
    for (path, bytes) in files {
        let path = home.join(path.strip_prefix(root).unwrap());
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

/// What is on disk before anything is done.
pub fn before(root: &Path) -> DiskContents {
    contents(root).into_iter().map(|(name, bytes)| (root.join(name), bytes)).collect()
}

#[test]
fn after_a_loss_of_power_the_old_or_the_new_file_is_there_whole() {
    let (mut states, mut continued) = (0, 0);
    for (case, older) in CASES.iter().flat_map(|case| case.older.iter().map(move |older| (case, older))) {
        let (more, went_on) = lose_power(case, older);
        states += more;
        continued += went_on;
    }
    println!("{states} states after a loss of power, {continued} of them continued by a batch");
    assert!(states > 400 && continued > 3, "{states} {continued}");
}

/// Loses power after each step of a command. Returns how many states there were, and how many of them a batch went on from.
fn lose_power(case: &Case, older: &str) -> (usize, usize) {
    let hasher = RandomState::new();
    let home = home_with(older);
    let root = home.path().canonicalize().unwrap();
    let before = before(&root);
    let (steps, _) = recorded(&root, case.args);
    let new = contents(&root);
    let crashed = directory();
    let crashed = crashed.path().join("after");
    std::fs::create_dir(&crashed).unwrap();
    // A manifest, a checkpoint and a journal are written several times; of what is written once there is nothing in between.
    let is_once = |name: &str| {
        let is_placed = |step: &&DiskStep| matches!(step, DiskStep::Rename(_, to) if *to == root.join(name));
        steps.iter().filter(is_placed).count() == 1
    };
    let once: Vec<&str> = case.files.iter().copied().filter(|name| is_once(name)).collect();
    // A batch goes on from whatever its journal and its list are then; each pair of them is tried once.
    let mut tried = HashSet::new();
    // Most states have files that an earlier one had: they are read through once.
    let mut whole = HashSet::new();
    let (mut number, mut continued) = (0, 0);
    let states = crash_states(&before, &steps, |done, files| {
        number += 1;
        if case.args.starts_with("batch") && done < steps.len() && !is_read(number) {
            return;
        }
        for name in case.files {
            let place = || format!("{}: {name} after {done} of {} steps", case.args, steps.len());
            let old = before.get(&root.join(name));
            let Some(bytes) = files.get(&root.join(name)) else {
                assert!(done < steps.len() && old.is_none(), "{} is lost", place());
                continue;
            };
            let known = Some(bytes) == old || bytes == &new[*name];
            let seen = (*name, RandomState::hash_one(&hasher, bytes));
            if !known && !whole.contains(&seen) {
                assert!(!once.contains(name), "{} is neither the old nor the new one", place());
                put(&crashed, files, &root);
                assert!(is_whole(&crashed, name, bytes), "{}", place());
                whole.insert(seen);
            }
            if done == steps.len() {
                assert!(bytes == &new[*name], "{} is not the new one after the end", place());
            }
        }
        let pair = ["journal.jsonl", "batch.tsv"].map(|name| files.get(&root.join(name)).cloned());
        if case.args.starts_with("batch") && tried.insert(pair) {
            continued += 1;
            put(&crashed, files, &root);
            let output = run(&crashed, case.args, None);
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "after {done} of {} steps: {said}", steps.len());
            let now = contents(&crashed);
            for name in case.files.iter().filter(|name| name.ends_with(".nrs")) {
                assert!(is_whole(&crashed, name, &now[*name]), "{name} after {done} steps");
            }
            assert_eq!(now["batch.tsv"], new["batch.tsv"]);
            assert!(now.keys().all(|name| !name.ends_with(".part")), "{:?}", now.keys());
            ok(run(&crashed, "batch plan.toml --status", None));
        }
    });
    (states, continued)
}
