//! The words of a command, and which commands there are.

/// The commands that are answered, in the order of the guide.
pub const SUPPORTED: &[&str] = &[
    "is_ready",
    "exit",
    "set_end_string",
    "reset_end_string",
    "echo",
    "show_version",
    "show_settings",
    "show_memory",
    "show_hand_order",
    "set_threads",
    "set_info_freq",
    "take_a_break",
    "set_range",
    "set_board",
    "set_pot",
    "set_eff_stack",
    "set_rake",
    "set_isomorphism",
    "set_accuracy",
    "set_recalc_accuracy",
    "set_always_recalc",
    "clear_lines",
    "add_line",
    "remove_line",
    "force_line",
    "load_spec",
    "add_info_line",
    "reset_tree_info",
    "estimate_tree",
    "build_tree",
    "free_tree",
    "is_tree_present",
    "go",
    "stop",
    "wait_for_solver",
    "solver_time",
    "show_node",
    "show_children",
    "show_all_lines",
    "show_effective_stack",
    "show_tree_info",
    "show_metadata",
    "show_strategy",
    "show_strategy_pp",
    "show_range",
    "calc_ev",
    "calc_ev_pp",
    "calc_eq",
    "calc_eq_node",
    "calc_results",
    "calc_global_freq",
    "calc_line_freq",
    "set_strategy",
    "lock_node",
    "unlock_node",
    "load_tree",
    "load_all_nodes",
    "dump_tree",
    "solve_partial",
];

/// Commands of the protocol that have no counterpart here.
pub const UNSUPPORTED: &[&str] = &[
    "add_all_flops",
    "add_preflop_line",
    "add_schematic_tree",
    "add_to_subset",
    "bench",
    "build_preflop_tree",
    "calc_eq_pp",
    "calc_eq_preflop",
    "calc_matchups_line",
    "change_step",
    "clear_cache",
    "clear_preflop_lines",
    "combo_lock_node",
    "cut_line",
    "eliminate_path",
    "estimate_rebuild_forgotten_streets",
    "estimate_schematic_tree",
    "explo_partial",
    "forget",
    "ignore_mem_check",
    "list_algorithms",
    "load_script",
    "load_script_silent",
    "needed_memory",
    "node_count",
    "normalize_tree",
    "rebuild_forgotten_streets",
    "recover_subset",
    "remove_preflop_line",
    "reset_subset",
    "round_up_to",
    "set_adjust_strat",
    "set_algorithm",
    "set_equal_strats",
    "set_first_iteration_player",
    "set_mes",
    "show_all_freqs",
    "show_board_no_iso",
    "show_build_version",
    "show_categories",
    "show_category_names",
    "show_iters",
    "show_locked_combos",
    "show_preflop_order",
    "show_step",
    "show_subsets",
    "show_tree_params",
    "small_strats",
    "solve_all_splits",
    "stdoutback",
    "stdoutredi",
    "stdoutredi_append",
];

/// The words of a line: blanks separate them, and quotation marks keep blanks.
pub(crate) fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' | '“' | '”' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if quoted { Err("a quotation mark is not closed".to_owned()) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn quotation_marks_keep_blanks() {
        assert_eq!(
            words("load_tree \"my files/a b.nrs\"  fast").unwrap(),
            ["load_tree", "my files/a b.nrs", "fast"]
        );
        assert_eq!(words("echo \"\"").unwrap(), ["echo", ""]);
        assert_eq!(words("echo \"a").unwrap_err(), "a quotation mark is not closed");
        assert!(words("  ").unwrap().is_empty());
    }

    #[test]
    fn every_command_is_listed_once() {
        let all: HashSet<&&str> = SUPPORTED.iter().chain(UNSUPPORTED).collect();
        assert_eq!(all.len(), SUPPORTED.len() + UNSUPPORTED.len());
    }
}
