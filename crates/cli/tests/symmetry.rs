//! Spots with symmetric suits: the same bits on any number of threads and with every instruction set, in every precision, and the
//! same numbers from memory and from a file.

mod common;

use common::{Run, solve_in};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A monotone turn: three suits are symmetric.
const MONOTONE: &str = r#"[ranges]
oop = "TT+,AJs+,KQs,AQo+"
ip = "QQ-77,AQs-A9s,KJs+,QJs,AJo"

[cards]
flop = "AhKhQh"
turn = "2h"

[tree]
starting_pot = 100
effective_stack = 300
"#;

/// A two-tone flop with short stacks: two suits are symmetric.
const TWO_TONE: &str = r#"[ranges]
oop = "TT+,AKs"
ip = "JJ-99,AQs"

[cards]
flop = "Kh8h3c"

[tree]
starting_pot = 100
effective_stack = 60
"#;

const PRECISIONS: [&str; 6] = ["32", "16", "16:16:8", "16/8", "8", "4/8"];

fn solved(home: &Path, spot: &str, more: &[&str], instructions: &str) -> Value {
    let args = [spot, "--json", "--target", "0", "--max-iterations", "40"];
    let output = solve_in(home, &[&args, more].concat()).env("NOREGRET_SIMD", instructions).output();
    Run::from(output.unwrap()).ok().json()
}

fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("turn.toml"), MONOTONE).unwrap();
    std::fs::write(home.path().join("flop.toml"), TWO_TONE).unwrap();
    home
}

#[test]
fn symmetric_suits_lead_to_the_same_digests_on_all_threads_and_instruction_sets() {
    let home = home();
    for spot in ["turn.toml", "flop.toml"] {
        for precision in PRECISIONS {
            let digest = |threads: &str, instructions: &str| {
                let more = ["--precision", precision, "--threads", threads];
                solved(home.path(), spot, &more, instructions)["strategy_digest"].clone()
            };
            let one = digest("1", "best");
            for (threads, instructions) in [("2", "best"), ("3", "best"), ("2", "avx2"), ("2", "plain")] {
                let found = digest(threads, instructions);
                assert_eq!(found, one, "{spot}, {precision}, {threads} threads, {instructions}");
            }
        }
    }
}

#[test]
fn memory_and_file_say_the_same_of_a_spot_with_symmetric_suits() {
    let home = home();
    for spot in ["turn.toml", "flop.toml"] {
        for precision in PRECISIONS {
            let more = ["--precision", precision, "--out", "solved.nrs", "--force"];
            let solved = solved(home.path(), spot, &more, "best");
            let inspect = Command::new(env!("CARGO_BIN_EXE_noregret"))
                .current_dir(home.path())
                .args(["inspect", "solved.nrs", "--json"])
                .output();
            let read = Run::from(inspect.unwrap()).ok().json();
            let verify = Command::new(env!("CARGO_BIN_EXE_noregret"))
                .current_dir(home.path())
                .args(["verify", "solved.nrs", "--json"])
                .output();
            let verified = Run::from(verify.unwrap()).ok().json();
            assert_eq!(verified["strategy_digest"], solved["strategy_digest"], "{spot}, {precision}");
            let is_near = |a: &Value, b: &Value, scale: f64| {
                (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() <= 1e-6 * scale
            };
            for player in ["oop", "ip"] {
                let (ev, equity) = (&solved["ev"][player], &solved["equity"][player]);
                let there = &read["players"][player];
                assert!(is_near(ev, &there["ev"], 100.0), "{spot}, {precision}: {ev} {there}");
                assert!(is_near(equity, &there["equity"], 1.0), "{spot}, {precision}: {equity} {there}");
            }
            let actions = solved["root"]["actions"].as_array().unwrap().iter();
            for (action, there) in actions.zip(read["actions"].as_array().unwrap()) {
                assert!(is_near(&action["frequency"], &there["frequency"], 1.0), "{action} {there}");
            }
        }
    }
}
