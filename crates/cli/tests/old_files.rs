//! Files that an earlier build wrote: solutions say the same, and checkpoints continue to the same digest.

mod common;

use common::noregret::noregret;
use serde_json::Value;
use std::path::Path;

const OLD_FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/old_files");

/// The digest that the build which wrote the files reached after all iterations.
/// Where the checkpoint leads. It was 661145852cae478d045df5d41432ccfc before strategies were rounded evenly over time.
const DIGEST: &str = "b972b10042b328bf686e5f3900b37f8d";

/// Whether two answers are the same but for the last digits of numbers.
fn is_near(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            (a - b).abs() <= 1e-9 * a.abs().max(1.0)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_near(a, b))
        }
        // Fields may have been added since.
        (Value::Object(found), Value::Object(expected)) => {
            expected.iter().all(|(key, b)| found.get(key).is_some_and(|a| is_near(a, b)))
        }
        _ => a == b,
    }
}

#[test]
fn old_solutions_say_what_they_said() {
    let lines = [("", "root"), ("check, bet 50", "turn"), ("check, check, 2c, check", "river")];
    for file in ["full", "turn"] {
        for (line, name) in lines {
            let arguments = ["inspect", &format!("{file}.nrs"), "--line", line, "--json"];
            let found = noregret(Path::new(OLD_FILES), &arguments).ok().json();
            let expected = std::fs::read_to_string(format!("{OLD_FILES}/{file}-{name}.json")).unwrap();
            let expected: Value = serde_json::from_str(&expected).unwrap();
            assert!(is_near(&found, &expected), "{file} at {line:?}: {found}, not {expected}");
        }
    }
}

#[test]
fn an_old_checkpoint_continues_to_the_same_digest() {
    let home = tempfile::tempdir().unwrap();
    for file in ["spot.toml", "half.nrc"] {
        std::fs::copy(Path::new(OLD_FILES).join(file), home.path().join(file)).unwrap();
    }
    let answer = noregret(home.path(), &["solve", "spot.toml", "--resume", "half.nrc", "--json"]).ok().json();
    assert_eq!(answer["strategy_digest"], DIGEST);
    assert_eq!(answer["iterations"], 60);
}

#[test]
fn every_old_file_is_whole_to_its_last_number() {
    let verified = noregret(
        Path::new(OLD_FILES),
        &["verify", "full.nrs", "turn.nrs", "half.nrc", "seed_00000511_decl_6.n42"],
    );
    assert_eq!(verified.ok().stdout.lines().filter(|line| line.contains("whole")).count(), 4);
}

#[test]
fn an_old_run_of_tables_is_whole_and_goes_on() {
    let home = tempfile::tempdir().unwrap();
    for file in ["manifest.tsv", "seed_00000511_decl_6.n42"] {
        std::fs::copy(Path::new(OLD_FILES).join(file), home.path().join(file)).unwrap();
    }
    let verified = noregret(home.path(), &["forty-two", "verify", ".", "--json"]).ok().json();
    assert_eq!((&verified["checked"], &verified["missing"]), (&1.into(), &0.into()));
    let value =
        noregret(home.path(), &["forty-two", "value", "--table", "seed_00000511_decl_6.n42", "--json"]).ok();
    let now =
        noregret(home.path(), &["forty-two", "value", "--seed", "511", "--decl", "sixes", "--json"]).ok();
    assert_eq!(value.json()["moves"], now.json()["moves"]);
    let solve = ["forty-two", "solve", "--seeds", "511", "--decls", "sixes", "--out", ".", "--json"];
    assert_eq!(noregret(home.path(), &solve).ok().json()["skipped"], true);
}
