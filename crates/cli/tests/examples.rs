//! The examples that are shown to users.

mod common;

use common::{Run, solve_in};
use std::path::Path;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

fn run(file: &str, args: &[&str]) -> Run {
    let args = [&[file], args].concat();
    Run::from(solve_in(Path::new(EXAMPLES), &args).output().unwrap()).ok()
}

#[test]
fn every_example_can_be_laid_out() {
    let names: Vec<String> = Path::new(EXAMPLES)
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".toml") && name != "batch.toml")
        .collect();
    assert!(names.len() >= 3, "{names:?}");
    for name in names {
        let plan = run(&name, &["--dry-run", "--json", "--memory", "4GiB"]).json();
        assert!(plan["decision_points"].as_u64().unwrap() > 0, "{name}: {plan}");
    }
}

#[test]
fn the_first_example_is_solved_and_has_a_mixed_root() {
    let answer = run("quick.toml", &["--json"]).json();
    assert_eq!(answer["target_reached"], true, "{answer}");
    let actions = answer["root"]["actions"].as_array().unwrap();
    assert!(actions.len() >= 3, "{answer}");
    for action in actions {
        let frequency = action["frequency"].as_f64().unwrap();
        assert!((0.02..0.9).contains(&frequency), "{answer}");
    }
}

#[test]
fn the_example_of_a_batch_is_a_plan_of_eight_flops() {
    let status =
        common::noregret::noregret(Path::new(EXAMPLES), &["batch", "batch.toml", "--status", "--json"]).ok();
    let jobs: Vec<serde_json::Value> =
        status.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(jobs.len(), 8);
    assert_eq!(jobs.iter().map(|job| job["weight"].as_u64().unwrap()).sum::<u64>(), 22_100);
}
