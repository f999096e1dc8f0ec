//! What scripts read: one JSON object with the promised fields.

mod common;

use common::{RIVER, Run, TURN, answer, river_with, solve, solve_in};
use serde_json::Value;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Every promise that holds for any answer.
fn check(answer: &Value, pot: f64) {
    let mut names = keys(answer);
    names.sort_unstable();
    let promised = [
        "algorithm",
        "equity",
        "ev",
        "exploitability_pct",
        "history",
        "iterations",
        "memory_bytes",
        "precision",
        "root",
        "seconds",
        "strategy_digest",
        "target_reached",
        "threads",
        "unit",
    ];
    assert_eq!(names, promised);
    assert!(answer["iterations"].is_u64() && answer["memory_bytes"].is_u64() && answer["threads"].is_u64());
    assert!(answer["target_reached"].is_boolean());
    assert_eq!(answer["algorithm"], "dcfr");
    assert!(answer["precision"]["strategy_bits"].is_u64() && answer["precision"]["regret_bits"].is_u64());
    let digest = answer["strategy_digest"].as_str().unwrap();
    assert!(digest.len() >= 16 && digest.chars().all(|c| c.is_ascii_hexdigit()), "{digest}");
    let both = |key: &str| number(&answer[key]["oop"]) + number(&answer[key]["ip"]);
    assert!((both("ev") - pot).abs() < 1e-4 * pot, "{answer}");
    assert!((both("equity") - 1.0).abs() < 1e-6, "{answer}");
    check_root(&answer["root"]);
    check_history(answer);
}

fn check_root(root: &Value) {
    assert_eq!(root["player"], "oop");
    let actions = root["actions"].as_array().unwrap();
    let frequencies: Vec<f64> = actions.iter().map(|action| number(&action["frequency"])).collect();
    assert!((frequencies.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{root}");
    assert!(frequencies.iter().all(|frequency| (0.0..=1.0).contains(frequency)), "{root}");
    assert_eq!((&actions[0]["action"], &actions[0]["amount"]), (&"check".into(), &0.into()));
    for action in &actions[1..] {
        assert!(["bet", "all-in"].contains(&action["action"].as_str().unwrap()), "{root}");
        assert!(action["amount"].as_u64().unwrap() > 0, "{root}");
    }
}

fn check_history(answer: &Value) {
    let history = answer["history"].as_array().unwrap();
    for pair in history.windows(2) {
        assert!(number(&pair[0]["iteration"]) < number(&pair[1]["iteration"]), "{answer}");
        assert!(number(&pair[0]["seconds"]) <= number(&pair[1]["seconds"]), "{answer}");
    }
    let last = history.last().unwrap();
    assert_eq!(last["iteration"], answer["iterations"]);
    assert_eq!(last["exploitability_pct"], answer["exploitability_pct"]);
    assert_eq!(last["seconds"], answer["seconds"]);
}

#[test]
fn an_answer_has_every_promised_field() {
    let river = answer(RIVER, &[]);
    check(&river, 180.0);
    assert_eq!(river["target_reached"], true);
    assert!(number(&river["exploitability_pct"]) <= 0.1);
    check(&answer(TURN, &["--target", "2"]), 180.0);
}

#[test]
fn a_run_ends_at_the_iteration_that_was_asked_for() {
    for iterations in [1, 7, 25] {
        let answer = answer(RIVER, &["--target", "0", "--max-iterations", &iterations.to_string()]);
        check(&answer, 180.0);
        assert_eq!(answer["iterations"], iterations);
        assert_eq!(answer["target_reached"], false);
        assert!(number(&answer["exploitability_pct"]) > 0.0);
    }
}

#[test]
fn a_run_ends_at_the_target() {
    for target in [5.0, 0.5, 0.05] {
        let answer = answer(RIVER, &["--target", &target.to_string()]);
        check(&answer, 180.0);
        assert_eq!(answer["target_reached"], true);
        let history = answer["history"].as_array().unwrap();
        let (last, earlier) = history.split_last().unwrap();
        assert!(number(&last["exploitability_pct"]) <= target, "{answer}");
        assert!(earlier.iter().all(|check| number(&check["exploitability_pct"]) > target), "{answer}");
    }
}

#[test]
fn the_command_line_beats_the_file() {
    let spec = format!("{RIVER}[solver]\nmax_iterations = 500\ntarget_exploitability_pct = 0.5\n");
    let from_file = answer(&spec, &[]);
    assert_eq!(from_file["target_reached"], true);
    assert!(number(&from_file["exploitability_pct"]) > 0.05, "{from_file}");
    assert_eq!(answer(&spec, &["--target", "0"])["iterations"], 500);
    let seven = answer(&spec, &["--target", "0", "--max-iterations", "7"]);
    assert_eq!((&seven["iterations"], &seven["target_reached"]), (&7.into(), &false.into()));
    let named =
        ["--algorithm", "dcfr", "--quantization", "32bit", "--strategy-bits", "32", "--regret-bits", "32"];
    assert_eq!(answer(&spec, &named)["precision"]["regret_bits"], 32);
}

#[test]
fn locks_and_edits_are_played() {
    let spec = format!(
        "{RIVER}\n[[tree.add]]\nline = \"bet 45\"\n[[tree.remove]]\nline = \"bet 90\"\n\n\
         [[locks]]\nline = \"\"\nstrategy = {{ check = 0.3, \"bet 45\" = 0.7 }}\n"
    );
    let answer = answer(&spec, &[]);
    check(&answer, 180.0);
    assert_eq!(answer["target_reached"], true);
    let actions = answer["root"]["actions"].as_array().unwrap();
    assert_eq!((actions.len(), &actions[1]["amount"]), (2, &45.into()));
    assert!((number(&actions[1]["frequency"]) - 0.7).abs() < 1e-6, "{answer}");
}

#[test]
fn a_picked_precision_is_told_and_kept_to() {
    let spec = format!("{TURN}[solver]\nprecision = \"auto\"\n");
    let args = ["--memory", "2MB", "--threads", "1", "--max-iterations", "1"];
    let answer = answer(&spec, &args);
    let picked = &answer["precision"]["auto"];
    assert_eq!(picked["limit_bytes"], 2_000_000);
    let bytes = |key: &str| picked[key].as_u64().unwrap();
    assert!(bytes("needed_bytes") <= 2_000_000 && bytes("needed_bytes_32bit") > 2_000_000, "{answer}");
    assert!(answer["memory_bytes"].as_u64().unwrap() <= bytes("needed_bytes"), "{answer}");
    assert!(number(&answer["precision"]["strategy_bits"]) < 32.0, "{answer}");
    let plan = solve(&spec, &[&args[..], &["--dry-run", "--json"]].concat()).ok().json();
    assert_eq!(plan["precision"], answer["precision"]);
    assert_eq!(plan["memory_bytes"], answer["memory_bytes"]);
}

#[test]
fn a_rake_makes_the_evs_sum_to_less_than_the_pot() {
    let spec = river_with("effective_stack = 910", "effective_stack = 910\nrake_rate = 0.05\nrake_cap = 30");
    let answer = answer(&spec, &[]);
    let sum = number(&answer["ev"]["oop"]) + number(&answer["ev"]["ip"]);
    assert!((150.0..=171.0).contains(&sum), "{answer}");
    assert!((number(&answer["equity"]["oop"]) + number(&answer["equity"]["ip"]) - 1.0).abs() < 1e-6);
}

#[test]
fn the_solution_is_the_same_with_every_instruction_set() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("turn.toml"), TURN).unwrap();
    let digest = |instructions: &str, algorithm: &str, bits: &str| {
        let args =
            ["turn.toml", "--json", "--target", "0", "--max-iterations", "12", "--algorithm", algorithm];
        let bits = ["--strategy-bits", bits, "--regret-bits", bits];
        let output = solve_in(home.path(), &[&args[..], &bits].concat())
            .env("NOREGRET_SIMD", instructions)
            .output()
            .unwrap();
        Run::from(output).ok().json()["strategy_digest"].clone()
    };
    // One that keeps negative regrets, one that does not, and one that predicts.
    for algorithm in ["dcfr", "cfr+", "pdcfr+"] {
        for bits in ["32", "16", "8", "4"] {
            let plain = digest("plain", algorithm, bits);
            for instructions in ["avx2", "best"] {
                assert_eq!(
                    digest(instructions, algorithm, bits),
                    plain,
                    "{instructions}, {algorithm}, {bits}"
                );
            }
        }
    }
}

#[test]
fn the_solution_is_the_same_for_any_number_of_threads_and_on_every_run() {
    let digest = |iterations: &str, threads: &str, how: &[&str]| {
        let args = ["--target", "0", "--max-iterations", iterations, "--threads", threads];
        let answer = answer(TURN, &[&args, how].concat());
        assert_eq!(answer["threads"].to_string(), threads);
        answer["strategy_digest"].as_str().unwrap().to_owned()
    };
    for how in [
        [].as_slice(),
        &["--quantization", "16bit"],
        &["--strategy-bits", "4", "--regret-bits", "8"],
        &["--algorithm", "pdcfr+"],
    ] {
        let one = digest("10", "1", how);
        for threads in ["1", "2", "3"] {
            assert_eq!(digest("10", threads, how), one, "{threads} threads, {how:?}");
        }
        assert_ne!(digest("12", "2", how), one);
    }
}

#[test]
fn a_hand_against_a_hand_is_solved_on_every_street() {
    // On some runouts one of the players has no hand left, or neither has.
    for turn in ["", "turn = \"8c\"\n", "turn = \"8c\"\nriver = \"3d\"\n"] {
        let spec = river_with("turn = \"8c\"\nriver = \"3d\"\n", turn)
            .replace("AA,QQ,T9s,87s", "AhKh")
            .replace("KK,JJ,AQs", "9c9d");
        let answer = answer(&spec, &["--max-iterations", "50"]);
        check(&answer, 180.0);
    }
}

/// The river spot, or its flop, with a bet and then raises of one chip each up to the stack.
fn raise_war(street: &str, stack: u32) -> String {
    let spec = match street {
        "flop" => river_with("turn = \"8c\"\nriver = \"3d\"\n", ""),
        _ => RIVER.to_owned(),
    };
    let limits =
        format!("{stack}\nadd_allin_threshold = 0\nforce_allin_threshold = 0\nmerging_threshold = 0");
    let sizes = "oop_bet = '1c'\noop_raise = '1c'\nip_bet = '1c'\nip_raise = '1c'\n";
    format!("{}[bet_sizes.{street}]\n{sizes}", spec.replace("910", &limits))
}

#[test]
fn reaches_that_underflow_give_numbers_all_the_same() {
    // The last raises are reached by nobody that a float could count.
    check(&answer(&raise_war("river", 30_000), &["--max-iterations", "2"]), 180.0);
}

#[test]
fn a_raise_war_with_a_turn_after_each_call_is_laid_out() {
    let plan = solve(raise_war("flop", 50_000), &["--dry-run", "--json", "--memory", "100TB"]).ok().json();
    assert!(plan["betting_decisions"].as_u64().unwrap() > 100_000, "{plan}");
}

#[test]
fn a_dry_run_tells_the_size() {
    let plan = solve(TURN, &["--dry-run", "--json"]).ok().json();
    let memory = &plan["memory"];
    let parts: u64 =
        ["tree", "tables", "regrets", "strategy"].iter().map(|part| memory[part].as_u64().unwrap()).sum();
    assert_eq!(plan["memory_bytes"], parts);
    assert_eq!(plan["boards"], serde_json::json!([0, 1, 48]));
    for key in ["betting_decisions", "betting_terminals", "decision_points", "terminals", "infosets"] {
        assert!(plan[key].as_u64().unwrap() > 0, "{plan}");
    }
    let solved = answer(TURN, &["--max-iterations", "1"]);
    assert_eq!(solved["memory_bytes"], plan["memory_bytes"]);
    let by_file = format!("{TURN}[solver]\ndry_run = true\n");
    assert_eq!(solve(by_file, &["--json"]).ok().json(), plan);
}
