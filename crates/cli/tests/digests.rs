//! Every example in every algorithm and precision leads to the digest that is listed: a change of the code changes no answer.
//!
//! `digests.txt` has a line for each solve: the arguments, `=>`, the strategy digest, the exploitability, the EV of the first player
//! and the bytes that are announced. Where an issue asks for other answers, the list is made anew and the CHANGELOG says so.

mod common;

use common::{Run, solve_in};
use std::path::Path;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
const LIST: &str = include_str!("digests.txt");

/// Solves every line of the list whose number leaves this rest when divided by two: tests run side by side.
fn check(rest: usize) {
    for line in LIST.lines().skip(rest).step_by(2) {
        let (arguments, expected) = line.split_once(" => ").unwrap();
        let arguments: Vec<&str> = arguments.split(' ').chain(["--target", "0", "--json"]).collect();
        let answer = Run::from(solve_in(Path::new(EXAMPLES), &arguments).output().unwrap()).ok().json();
        let [digest, exploitability, ev, bytes] = expected.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}: four values belong there");
        };
        assert_eq!(answer["strategy_digest"], digest, "{line}");
        assert_eq!(answer["memory_bytes"].to_string(), bytes, "{line}");
        for (found, expected) in [(&answer["exploitability_pct"], exploitability), (&answer["ev"]["oop"], ev)]
        {
            // Reading numbers from text may round the last digit.
            let (found, expected) = (found.as_f64().unwrap(), expected.parse::<f64>().unwrap());
            assert!((found - expected).abs() <= 1e-14 * expected.abs(), "{line}: {found}");
        }
    }
}

#[test]
fn examples_lead_to_the_digests_that_are_listed() {
    check(0);
}

#[test]
fn the_other_examples_lead_to_the_digests_that_are_listed() {
    check(1);
}
