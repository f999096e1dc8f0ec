//! `[solver.warm_start]`, `--warm-start` and `--no-warm-start` as users meet them.

mod common;

use common::{TURN, answer, solve, solve_in};
use serde_json::Value;
use tempfile::TempDir;

/// A turn spot with two sizes.
fn turn(solver: &str) -> String {
    let sizes = "oop_bet = \"33%, 75%\"\nip_bet = \"33%, 75%\"\n";
    format!(
        "{TURN}\n[bet_sizes.turn]\n{sizes}[bet_sizes.river]\n{sizes}[solver]\nmax_iterations = 40\n{solver}"
    )
}

const TABLE: &str = "[solver.warm_start]\niterations = 8\nweight = 5\n";

#[test]
fn the_command_line_turns_it_on_and_off() {
    let plain = answer(&turn(""), &[]);
    assert_eq!(plain["warm_start"], Value::Null);
    let warm = answer(&turn(TABLE), &[]);
    assert_eq!(warm["warm_start"], serde_json::json!({"iterations": 8, "weight": 5, "sizes": 1}));
    assert_eq!((&warm["iterations"], &warm["history"][0]["iteration"]), (&40.into(), &10.into()));
    assert!(warm["memory_bytes"].as_u64() > plain["memory_bytes"].as_u64());
    let digest = |spec: &str, args: &[&str]| answer(&turn(spec), args)["strategy_digest"].clone();
    assert_ne!(warm["strategy_digest"], plain["strategy_digest"]);
    assert_eq!(digest(TABLE, &["--no-warm-start"]), plain["strategy_digest"]);
    // What the table says holds although it is off.
    let off = format!("{TABLE}enabled = false\n");
    assert_eq!(digest(&off, &[]), plain["strategy_digest"]);
    assert_eq!(digest(&off, &["--warm-start"]), warm["strategy_digest"]);
    assert_eq!(digest(TABLE, &["--threads", "1"]), warm["strategy_digest"]);
    let both = solve(turn(""), &["--warm-start", "--no-warm-start"]);
    assert_eq!(both.code, Some(2), "{both:?}");
    assert!(both.stderr.contains("cannot be used with"), "{both:?}");
}

#[test]
fn memory_for_both_trees_is_told_before() {
    let sizes = answer(&turn(TABLE), &["--dry-run"]);
    let part = |key: &str| sizes["memory"][key].as_u64().unwrap();
    let parts = ["tree", "tables", "regrets", "strategy", "warm_start"].map(part).iter().sum::<u64>();
    assert!(part("warm_start") > 0);
    assert_eq!(sizes["memory_bytes"].as_u64(), Some(parts));
    assert_eq!(answer(&turn(TABLE), &[])["memory_bytes"].as_u64(), Some(parts));
    let table = solve(turn(TABLE), &["--dry-run"]).ok().stdout;
    assert!(
        table.contains("Start   8 iterations on a coarser tree, taken for 5 of the full one; "),
        "{table}"
    );
    // What fits without it may not fit with it.
    let limit = (parts - 1).to_string();
    let refused = solve(turn(TABLE), &["--precision", "32", "--memory", &limit]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.starts_with("error: this spot needs "), "{refused:?}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |spec: &str, args: &[&str], message: &str| {
        let run = solve(spec, args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.stderr.contains(message), "{message}: {run:?}");
    };
    refused(
        TURN,
        &["--warm-start"],
        "error: solver.warm_start: no decision has more than 1 size besides all-in, so a coarser tree would be the same",
    );
    refused(
        &turn(TABLE),
        &["--max-iterations", "5"],
        "error: solver.warm_start.weight: the solve goes on from iteration 5 and would be over at once, as max_iterations is 5",
    );
    refused(&turn("warm_start.size = 2\n"), &[], "did you mean `sizes`?");
}

#[test]
fn a_checkpoint_goes_on_and_another_start_is_refused() {
    let home = TempDir::new().unwrap();
    std::fs::write(home.path().join("spot.toml"), turn(TABLE)).unwrap();
    let run = |args: &str| -> common::Run {
        let args: Vec<&str> = ["spot.toml", "--json"].into_iter().chain(args.split_whitespace()).collect();
        solve_in(home.path(), &args).output().unwrap().into()
    };
    let digest = |args: &str| run(args).ok().json()["strategy_digest"].clone();
    let through = digest("");
    digest("--max-iterations 17 --checkpoint spot.nrc --out spot.nrs");
    assert_eq!(digest("--resume spot.nrc"), through);
    // A solution has no regrets: its iterations are made again, those on the coarser tree too.
    assert_eq!(digest("--resume spot.nrs"), through);
    let refused = run("--resume spot.nrc --no-warm-start");
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused.stderr.contains("solver.warm_start.enabled is true there and not set here"),
        "{refused:?}"
    );
}
