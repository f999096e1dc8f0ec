//! A command that is answered by an error has no effect.

mod common;

use common::{RIVER, answers};
use proptest::prelude::*;

/// What the settings are, by all that depends on them.
const PROBES: &str = "show_settings\nshow_range OOP\nshow_range IP\nestimate_tree\nbuild_tree\nshow_tree_info\nshow_all_lines\n\
                      show_effective_stack\n";

/// What the settings are after a command, and what it was answered.
fn after(command: &str) -> (String, Vec<String>) {
    let mut answers = answers(&format!(
        "{RIVER}set_threads 1\nset_accuracy 3\nset_recalc_accuracy 1 2 3\n{command}\n{PROBES}"
    ));
    let probes = answers.split_off(answers.len() - PROBES.lines().count());
    (answers.pop().unwrap(), probes)
}

#[test]
fn what_is_too_much_is_found_before_anything_is_changed() {
    let unchanged = after("is_ready").1;
    for command in [
        "set_eff_stack 1000 x",
        "set_pot 0 0 90 x",
        "set_rake 0.05 30 x",
        "set_isomorphism 0 0 0",
        "set_accuracy 7 chips more",
        "set_recalc_accuracy 0.1 0.1 0.1 0.1",
        "set_range OOP KK QQ",
        "set_board 2c3c4c x",
        "clear_lines now",
        "add_line 0 50 x",
        "set_threads 2 3",
        "set_info_freq 7 8",
        "load_spec nowhere.toml x",
        "load_tree nowhere.nrs full",
        "set_end_string A B",
    ] {
        let (answer, settings) = after(command);
        assert!(answer.starts_with("ERROR: "), "{command}: {answer}");
        assert_eq!(settings, unchanged, "{command}");
    }
    assert_ne!(after("set_eff_stack 1000").1, unchanged);
}

#[test]
fn a_tree_that_cannot_be_built_leaves_the_one_that_is_there() {
    let built = format!("{RIVER}build_tree\ngo 20\nwait_for_solver\nshow_strategy r:0\n");
    let script = format!(
        "{built}set_eff_stack 500\nbuild_tree\nis_tree_present\nshow_strategy r:0\nshow_effective_stack\n"
    );
    let answers = answers(&script);
    let [strategy, _, build, present, again, stack] = &answers[answers.len() - 6..] else { panic!() };
    assert!(build.starts_with("ERROR: build_tree: line `0 90 225 910`"), "{build}");
    assert_eq!((present.as_str(), again, stack.as_str()), ("true", strategy, "910"));
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{1,4}",
        "[a-z]{1,3}",
        "-?[0-9]\\.[0-9]{1,2}",
        Just("OOP".to_owned()),
        Just("fraction".to_owned()),
        Just("AA,KK".to_owned()),
        Just("AhKh2c".to_owned()),
        Just("nan".to_owned()),
        Just("\"".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn errors_leave_the_settings_as_they_are(
        command in prop::sample::select(vec![
            "set_range", "set_board", "set_pot", "set_eff_stack", "set_rake", "set_isomorphism", "set_accuracy", "set_recalc_accuracy",
            "set_always_recalc", "clear_lines", "add_line", "remove_line", "force_line", "load_spec", "set_threads", "set_info_freq",
        ]),
        arguments in prop::collection::vec(word(), 0..5),
    ) {
        thread_local!(static UNCHANGED: Vec<String> = after("is_ready").1);
        // More threads than that only take time.
        prop_assume!(command != "set_threads" || arguments.len() != 1);
        let (answer, settings) = after(&format!("{command} {}", arguments.join(" ")));
        if answer.starts_with("ERROR: ") {
            UNCHANGED.with(|unchanged| assert_eq!(&settings, unchanged));
        }
    }

    #[test]
    fn a_range_with_one_wrong_weight_is_not_set(at in 0usize..1326, wrong in "-1|1\\.5|x|nan|inf") {
        let mut weights = vec!["1"; 1326];
        weights[at] = &wrong;
        let (answer, settings) = after(&format!("set_range IP {}", weights.join(" ")));
        prop_assert!(answer.starts_with("ERROR: set_range: "), "{answer}");
        prop_assert_eq!(settings, after("is_ready").1);
    }
}
