//! Solutions and checkpoints as users make them: `--out`, `--save`, `--checkpoint`, `--resume`.

mod common;

use common::{RIVER, Run, TURN, solve_in};
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;

fn home(spec: &str) -> TempDir {
    let home = TempDir::new().unwrap();
    std::fs::write(home.path().join("spot.toml"), spec).unwrap();
    home
}

fn run(home: &TempDir, args: &str) -> Run {
    let args: Vec<&str> = ["spot.toml"].into_iter().chain(args.split_whitespace()).collect();
    solve_in(home.path(), &args).output().unwrap().into()
}

fn json(home: &TempDir, args: &str) -> Value {
    run(home, &format!("--json {args}")).ok().json()
}

fn bytes(home: &TempDir, name: &str) -> Vec<u8> {
    std::fs::read(home.path().join(name)).unwrap()
}

/// Refused with exit code 2, and nothing is written.
fn refused(home: &TempDir, args: &str, message: &str) {
    let before = names(home.path());
    let run = run(home, args);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
    assert!(run.stderr.starts_with(&format!("error: {message}")), "{message}: {run:?}");
    assert_eq!(names(home.path()), before);
}

/// Failed with exit code 1.
fn failed(home: &TempDir, args: &str, message: &str) {
    let run = run(home, args);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.starts_with(&format!("error: {message}")), "{message}: {run:?}");
    assert!(!run.stderr.contains("panicked"), "{run:?}");
}

fn names(directory: &Path) -> Vec<String> {
    let entries = directory.read_dir().unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// An answer without what a clock says.
fn timeless(mut answer: Value) -> Value {
    let answer_map = answer.as_object_mut().unwrap();
    answer_map.remove("seconds");
    for point in answer_map["history"].as_array_mut().unwrap() {
        point.as_object_mut().unwrap().remove("seconds");
    }
    answer
}

#[test]
fn a_solution_is_saved_beside_and_renamed() {
    let home = home(RIVER);
    let run = run(&home, "--out spot.nrs").ok();
    assert_eq!(names(home.path()), ["spot.nrs", "spot.toml"]);
    let size = bytes(&home, "spot.nrs").len();
    let last = run.stdout.lines().last().unwrap();
    assert!(last.starts_with("Saved spot.nrs (") && size > 500, "{last}");
    // With --json nothing but the answer is printed.
    json(&home, "--out spot.nrs");
}

#[test]
fn solving_further_from_a_file_ends_where_one_run_ends() {
    for bits in ["32", "8"] {
        let home = home(TURN);
        let bits = format!("--strategy-bits {bits} --regret-bits {bits}");
        let whole = timeless(json(
            &home,
            &format!("{bits} --target 0 --max-iterations 50 --out whole.nrs --save-regrets"),
        ));
        json(&home, &format!("{bits} --target 0 --max-iterations 20 --out full.nrs --save-regrets"));
        json(&home, &format!("{bits} --target 0 --max-iterations 20 --out plain.nrs"));
        json(&home, &format!("{bits} --target 0 --max-iterations 20 --out small.nrs --save turn"));
        json(
            &home,
            &format!("{bits} --target 0 --max-iterations 20 --checkpoint spot.nrc --checkpoint-every 0"),
        );
        for from in ["full.nrs", "plain.nrs", "small.nrs", "spot.nrc"] {
            let args = format!(
                "{bits} --target 0 --max-iterations 50 --resume {from} --out again.nrs --save-regrets"
            );
            assert_eq!(timeless(json(&home, &args)), whole, "{from}");
        }
        // A second save of what was loaded, without a step further, is the same file.
        for (from, how) in
            [("full.nrs", "--save-regrets"), ("plain.nrs", "--save full"), ("small.nrs", "--save turn")]
        {
            json(
                &home,
                &format!("{bits} --target 0 --max-iterations 20 --resume {from} --out again.nrs {how}"),
            );
            assert!(bytes(&home, from) == bytes(&home, "again.nrs"), "{from}");
        }
    }
}

#[test]
fn a_lower_target_goes_on_and_a_reached_one_does_not() {
    let home = home(RIVER);
    let first = json(&home, "--target 1 --checkpoint spot.nrc");
    let again = json(&home, "--target 1 --resume spot.nrc");
    assert_eq!(timeless(first.clone()), timeless(again));
    let further = json(&home, "--target 0.2 --resume spot.nrc");
    assert!(further["iterations"].as_u64() > first["iterations"].as_u64());
    assert_eq!(timeless(further), timeless(json(&home, "--target 0.2")));
}

#[test]
fn a_directory_in_the_spec_takes_solutions_that_have_no_other_place() {
    let home = home(&format!("{RIVER}[output]\ndirectory = 'solved/here'\n"));
    run(&home, "").ok();
    assert_eq!(names(&home.path().join("solved/here")), ["spot.nrs"]);
    run(&home, "--out other.nrs").ok();
    assert_eq!(names(home.path()), ["other.nrs", "solved", "spot.toml"]);
}

#[test]
fn the_level_of_compression_in_the_spec_is_honoured() {
    let sizes = ["0", "1", "19"].map(|level| {
        let home = home(&format!("{TURN}[solver]\nzstd_compression_level = {level}\n"));
        json(&home, "--target 0 --max-iterations 10 --out spot.nrs");
        bytes(&home, "spot.nrs").len()
    });
    assert!(sizes[0] > sizes[1] && sizes[1] > sizes[2], "{sizes:?}");
}

#[test]
fn wrong_requests_about_files_are_refused() {
    let home = home(TURN);
    refused(&home, "--save turn", "--save turn needs --out FILE to save to");
    refused(&home, "--save-regrets", "--save-regrets needs --out FILE to save them to");
    refused(
        &home,
        "--save flop --out x.nrs",
        "--save flop: the spot begins on the turn: accepted `turn`, `full`",
    );
    refused(
        &home,
        "--save turn --save-regrets --out x.nrs",
        "--save-regrets keeps all streets, and --save turn does not: accepted `full`",
    );
    refused(&home, "--out x.nrs --checkpoint x.nrs", "--out and --checkpoint are the same file");
    refused(
        &home,
        "--save rivers --out x.nrs",
        "invalid value 'rivers' for '--save <STREETS>': accepted `flop`, `turn`, `full`",
    );
    refused(&home, "--checkpoint-every 5", "the following required arguments were not provided");
    refused(
        &home,
        "--checkpoint x.nrc --checkpoint-every -5",
        "invalid value '-5' for '--checkpoint-every <SECONDS>': must be a number of seconds from 0 to 1000000000, like 300 or 0.5",
    );
    run(&home, "--max-iterations 2 --checkpoint x.nrc --checkpoint-every 0.5").ok();
}

#[test]
fn a_file_of_another_spec_is_refused_and_what_differs_is_named() {
    let home = home(RIVER);
    json(&home, "--max-iterations 10 --checkpoint spot.nrc --out spot.nrs");
    let only = "Only the target, the last iteration, [[locks]] and [output] may differ";
    let with = |old: &str, new: &str, file: &str, difference: &str| {
        std::fs::write(home.path().join("spot.toml"), common::river_with(old, new)).unwrap();
        let message = format!("{file} is not of this spec: {difference}. {only}");
        refused(&home, &format!("--resume {file}"), &message);
    };
    with("AA,QQ", "AA,KK", "spot.nrc", "ranges.oop is \"AA,QQ,T9s,87s\" there and \"KK+,T9s,87s\" here");
    with("river = \"3d\"", "river = \"4d\"", "spot.nrs", "cards.river is \"3d\" there and \"4d\" here");
    with("= 180", "= 181", "spot.nrc", "tree.starting_pot is 180 there and 181 here");
    std::fs::write(home.path().join("spot.toml"), RIVER).unwrap();
    refused(
        &home,
        "--resume spot.nrc --algorithm cfr+",
        "spot.nrc is not of this spec: solver.algorithm is \"dcfr\" there and \"cfr+\" here",
    );
    refused(
        &home,
        "--resume spot.nrs --regret-bits 8",
        "spot.nrs is not of this spec: solver.flop.regret_bits is 32 there and 8 here",
    );
    run(&home, "--resume spot.nrs --target 50 --max-iterations 11").ok();
}

#[test]
fn damaged_files_end_with_1_and_say_where() {
    let home = home(TURN);
    json(&home, "--target 0 --max-iterations 5 --checkpoint spot.nrc");
    let good = bytes(&home, "spot.nrc");
    let write = |bytes: &[u8]| std::fs::write(home.path().join("bad.nrc"), bytes).unwrap();
    let fails = |message: &str| failed(&home, "--resume bad.nrc", &format!("cannot read bad.nrc: {message}"));
    write(b"");
    fails("an empty file, and not a checkpoint file");
    write(TURN.as_bytes());
    fails("not a checkpoint file");
    write(&good[..good.len() / 2]);
    fails(&format!("torn: {} bytes where {} belong, and section `", good.len() / 2, good.len()));
    // A bit here and there, in whatever section it is.
    for at in (16..good.len()).step_by(good.len() / 11) {
        let mut bad = good.clone();
        bad[at] ^= 4;
        write(&bad);
        fails("corrupt: ");
    }
    failed(&home, "--resume missing.nrc", "cannot read missing.nrc: No such file or directory");
    failed(&home, "--resume .", "cannot read .: ");
}

#[test]
fn places_that_cannot_be_written_are_found_before_solving() {
    let home = home(TURN);
    for (option, ending) in [("--out", "nrs"), ("--checkpoint", "nrc")] {
        let endless = "--target 0 --max-iterations 1000000000";
        let missing = format!("no/such/x.{ending}");
        failed(&home, &format!("{option} {missing} {endless}"), &format!("cannot write {missing}: "));
        let folder = format!("folder.{ending}");
        std::fs::create_dir(home.path().join(&folder)).unwrap();
        failed(
            &home,
            &format!("{option} {folder} {endless}"),
            &format!("cannot write {folder}: it is a directory"),
        );
        std::fs::remove_dir(home.path().join(&folder)).unwrap();
    }
    assert_eq!(names(home.path()), ["spot.toml"]);
}

#[test]
fn what_a_killed_run_left_beside_is_cleared() {
    let home = home(RIVER);
    for name in [".spot.nrc.AbC123.part", ".other.nrc.AbC123.part"] {
        std::fs::write(home.path().join(name), "half").unwrap();
    }
    run(&home, "--checkpoint spot.nrc").ok();
    assert_eq!(names(home.path()), [".other.nrc.AbC123.part", "spot.nrc", "spot.toml"]);
}

#[test]
fn precisions_that_were_picked_stay_when_there_is_more_memory() {
    let home = home(TURN);
    let auto = "--precision auto --threads 1 --target 0.0001";
    let plan = json(&home, &format!("--dry-run {auto}"));
    let bytes = |value: &Value| value.as_u64().unwrap();
    let less = bytes(&plan["memory_bytes"]) + bytes(&plan["memory"]["working_per_thread"]) - 1;
    let picked = json(
        &home,
        &format!("{auto} --memory {less} --max-iterations 20 --checkpoint a.nrc --checkpoint-every 0"),
    );
    let bits = |answer: &Value| {
        let mut precision = answer["precision"].clone();
        precision.as_object_mut().unwrap().remove("auto");
        precision
    };
    assert_ne!(bits(&picked), bits(&plan));
    let whole = json(&home, &format!("{auto} --memory {less} --max-iterations 40"));
    let resumed = json(&home, &format!("{auto} --max-iterations 40 --resume a.nrc"));
    assert_eq!(bits(&resumed), bits(&picked));
    assert_eq!(resumed["strategy_digest"], whole["strategy_digest"]);
    // Precisions that are asked for by name are another matter.
    refused(
        &home,
        "--regret-bits 32 --strategy-bits 32 --resume a.nrc",
        "a.nrc is not of this spec: solver.",
    );
}
