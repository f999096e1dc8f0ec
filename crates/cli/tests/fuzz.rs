//! Whatever the spec file holds, the program answers or refuses: it does not crash.

mod common;

use common::{RIVER, TURN, solve};
use noregret_holdem::Algorithm;
use proptest::prelude::*;

/// Reads the spec and lays the spot out; nothing is solved. The parser itself is fuzzed in its crate, without processes.
fn survives(spec: &[u8]) {
    let run = solve(spec, &["--dry-run", "--memory", "200MB"]);
    assert!(matches!(run.code, Some(0 | 2)), "{run:?}");
    assert!(!run.stderr.contains("panicked"), "{run:?}");
    assert_eq!(run.code == Some(2), run.stderr.starts_with("error: "), "{run:?}");
}

/// Edits anywhere in a text: some bytes out, some in.
fn mutated(text: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..4),
        "[0-9]{1,12}|[-+:,.%xcea\"= \n]{1,3}|nan|inf|full|AhKh|\\[tree\\]".prop_map(String::into_bytes),
    ];
    prop::collection::vec((0..text.len(), 0usize..6, pieces), 1..4).prop_map(move |edits| {
        let mut bytes = text.as_bytes().to_vec();
        for (at, cut, insert) in edits {
            let at = at.min(bytes.len());
            let end = (at + cut).min(bytes.len());
            bytes.splice(at..end, insert);
        }
        bytes
    })
}

/// The river spot with numbers and sizes that each make sense, if perhaps not together.
fn odd_spots() -> impl Strategy<Value = String> {
    let chips = prop_oneof![1u32..20, 1u32..=1_000_000_000, Just(1_000_000_000)];
    let number = prop_oneof![Just(0.0), 0.0..2.0f64, 0.0..1e18f64];
    let sizes = "|(([1-9][0-9]{0,3}%|[1-9][0-9]{0,8}c|[1-9]c[0-9]r|[1-3]?e|a|minimal|medium|full)(, )?){0,4}";
    (chips.clone(), chips, prop::array::uniform4(number), sizes, sizes).prop_map(
        |(pot, stack, [cap, add, force, merge], bet, raise)| {
            let spec = RIVER.replace("= 180", &format!("= {pot}")).replace("= 910", &format!("= {stack}"));
            let thresholds = format!(
                "rake_rate = 0.5\nrake_cap = {cap}\nadd_allin_threshold = {add}\n\
                 force_allin_threshold = {force}\nmerging_threshold = {merge}"
            );
            let sizes =
                format!("oop_bet = '{bet}'\nip_bet = '{bet}'\noop_raise = '{raise}'\nip_raise = '{raise}'");
            format!("{spec}{thresholds}\n[bet_sizes.river]\n{sizes}\n")
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        survives(&bytes);
    }

    #[test]
    fn mutated_specs(bytes in prop_oneof![mutated(RIVER), mutated(TURN)]) {
        survives(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spots_at_the_limits(spec in odd_spots()) {
        survives(spec.as_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// What is accepted can be solved, and every number that comes out is one.
    #[test]
    fn answers_are_numbers(
        spec in odd_spots(),
        algorithm in prop::sample::select(Algorithm::all().collect::<Vec<_>>()),
        bits in prop::sample::select(&["32", "16", "8", "4"][..]),
    ) {
        let algorithm = algorithm.to_string();
        let how = ["--algorithm", &algorithm, "--strategy-bits", bits, "--regret-bits", bits];
        let run = solve(&spec, &[&["--json", "--max-iterations", "3", "--memory", "3MB"][..], &how].concat());
        if run.code == Some(2) {
            return Ok(());
        }
        prop_assert_eq!(run.code, Some(0), "{:?}", run);
        prop_assert!(!run.stdout.contains("null"), "{} {:?}\n{}", spec, how, run.stdout);
    }
}
