//! What every command answers, and what it says to wrong arguments.

mod common;

use common::{RIVER, answers, last, numbers, printed};
use noregret_upi::{SUPPORTED, UNSUPPORTED};
use std::collections::HashSet;

/// Commands with their answers, after a river spot is built.
const BUILT: &[(&str, &str)] = &[
    ("is_ready", "is_ready ok!"),
    ("is_ready now", "ERROR: is_ready: `now` is too much"),
    ("exit now", "ERROR: exit: `now` is too much"),
    ("echo a  \"b c\"", "a b c"),
    ("echo \"a", "ERROR: a quotation mark is not closed"),
    ("show_version", env!("CARGO_PKG_VERSION")),
    ("show_version 2", "ERROR: show_version: `2` is too much"),
    ("set_end_string", "ERROR: set_end_string: a text that ends every answer is missing"),
    ("set_end_string a b", "ERROR: set_end_string: `b` is too much"),
    ("reset_end_string x", "ERROR: reset_end_string: `x` is too much"),
    ("set_threads 1", "set_threads ok!"),
    ("set_threads", "ERROR: set_threads: a number of threads, 0 for one a core, is missing"),
    ("set_threads -1", "ERROR: set_threads: `-1` is not a number of threads, 0 for one a core,"),
    ("set_threads 2000", "ERROR: set_threads: 2000 threads are too many: at most 1024 are possible"),
    ("set_info_freq 0", "set_info_freq ok!"),
    ("set_info_freq soon", "ERROR: set_info_freq: `soon` is not a number of seconds between updates"),
    ("take_a_break 0.01", "take_a_break ok!"),
    ("take_a_break 1e6", "ERROR: take_a_break: a break takes a day at most"),
    ("set_accuracy 0.5", "set_accuracy ok!"),
    ("set_accuracy 0.001 fraction", "set_accuracy ok!"),
    ("set_accuracy 0.5 chips", "set_accuracy ok!"),
    ("set_accuracy 1 percent", "ERROR: set_accuracy: an accuracy is in chips or a fraction"),
    ("set_accuracy nan", "ERROR: set_accuracy: `NaN` is not an accuracy"),
    ("set_recalc_accuracy 0.0025 0.001 0.0005", "set_recalc_accuracy ok!"),
    (
        "set_recalc_accuracy 0.1",
        "ERROR: set_recalc_accuracy: an accuracy for each of flop, turn and river is missing",
    ),
    ("set_always_recalc 0 60000", "set_always_recalc ok!"),
    (
        "set_always_recalc 4 60000",
        "ERROR: set_always_recalc: what a file holds is not solved again: only 0 is possible",
    ),
    ("set_isomorphism 1 0", "set_isomorphism ok!"),
    ("set_isomorphism yes no", "ERROR: set_isomorphism: a flag must be 0 or 1"),
    (
        "show_settings",
        "thread_no: 1\ninfo_freq: 0\naccuracy: 0.5\naccuracy mode: chips\nisomorphism: 1 0\nrecalc_accuracy: 0.0025 0.001 0.0005",
    ),
    ("show_settings all", "ERROR: show_settings: `all` is too much"),
    ("set_range OOP AA,QQ,T9s,87s", "set_range ok!"),
    ("set_range BTN AA", "ERROR: set_range: `BTN` is not a player: OOP or IP"),
    ("set_range", "ERROR: set_range: a player, OOP or IP, is missing"),
    ("set_range OOP 1 1 1", "ERROR: set_range: 3 numbers are given, and 1326 are needed"),
    ("set_range OOP", "ERROR: set_range: 0 numbers are given, and 1326 are needed"),
    ("set_board Qs Jh 2h 8c 3d", "set_board ok!"),
    ("set_board", "ERROR: set_board: a board is missing, like QsJh2h"),
    ("set_board QsJh", "ERROR: set_board: `QsJh`: a board has 3 to 5 cards, not 2"),
    ("set_board QsQs2h", "ERROR: set_board: `QsQs2h`: the card Qs comes twice"),
    ("set_pot 0 0 180", "set_pot ok!"),
    ("set_pot 0 0 0", "ERROR: set_pot: `0` is not a pot of whole chips"),
    ("set_pot 180", "ERROR: set_pot: what IP has put in is missing"),
    (
        "set_pot 10 10 180",
        "ERROR: set_pot: a tree begins with no bet to answer: the first two numbers must be 0",
    ),
    ("set_eff_stack 910", "set_eff_stack ok!"),
    ("set_eff_stack 9.5", "ERROR: set_eff_stack: `9.5` is not a stack of whole chips"),
    ("set_rake 0 0", "set_rake ok!"),
    ("set_rake 0 0 0 0", "set_rake ok!"),
    ("set_rake 1.5 0", "ERROR: set_rake: `1.5` is not a rake from 0 to 1"),
    ("set_rake 0.05", "ERROR: set_rake: the most that is taken, in chips, is missing"),
    ("set_rake 0.05 30 1", "ERROR: set_rake: only a fraction and a cap are possible"),
    ("add_line", "ERROR: add_line: a line is missing: chips for each action, like 0 50 150"),
    ("add_line 0 x", "ERROR: add_line: `x` is not a number of chips"),
    ("remove_line", "ERROR: remove_line: a line is missing: chips for each action, like 0 50 150"),
    ("force_line -5", "ERROR: force_line: `-5` is not a number of chips"),
    ("clear_lines 1", "ERROR: clear_lines: `1` is too much"),
    ("add_info_line #Author#me", "add_info_line ok!"),
    ("load_spec", "ERROR: load_spec: a spec file is missing"),
    ("load_spec nowhere.toml", "ERROR: load_spec: nowhere.toml: No such file or directory (os error 2)"),
    ("is_tree_present", "true"),
    ("is_tree_present r", "ERROR: is_tree_present: `r` is too much"),
    ("show_effective_stack", "910"),
    ("show_effective_stack 1", "ERROR: show_effective_stack: `1` is too much"),
    (
        "show_tree_info",
        "#Type#NoLimit\n#Range0#AA,QQ,T9s,87s\n#Range1#KK,JJ,AQs\n#Board#Qs Jh 2h 8c 3d\n#Pot#180\n#EffectiveStacks#910\n#Author#me",
    ),
    ("show_tree_info 1", "ERROR: show_tree_info: `1` is too much"),
    ("reset_tree_info", "reset_tree_info ok!"),
    ("reset_tree_info 1", "ERROR: reset_tree_info: `1` is too much"),
    ("show_node r", "r\nROOT\nQs Jh 2h 8c 3d \n0 0 180 \n1 children\nflags: ISOMORPHISM_ON PIO_ALG \n"),
    ("show_node r:0", "r:0\nOOP_DEC\nQs Jh 2h 8c 3d \n0 0 180 \n2 children\nflags: PIO_ALG \n"),
    ("show_node r:0:c:b90", "r:0:c:b90\nOOP_DEC\nQs Jh 2h 8c 3d \n0 90 180 \n3 children\nflags: PIO_ALG \n"),
    ("show_node r:0:c:b90:f", "r:0:c:b90:f\nEND_NODE\nQs Jh 2h 8c 3d \n0 90 180 \n0 children\nflags: \n"),
    ("show_node r:0:c:c", "r:0:c:c\nEND_NODE\nQs Jh 2h 8c 3d \n0 0 180 \n0 children\nflags: \n"),
    ("show_node", "ERROR: show_node: a node like r:0:c is missing"),
    ("show_node check", "ERROR: show_node: `check` is not a node: it begins with r, like r:0:c"),
    (
        "show_node r:0:x",
        "ERROR: show_node: `r:0:x`: `x` is not a step of a line with colons: write `c` to check or call, `b94` to bet or raise, `f` to fold, or a card like `Th`",
    ),
    ("show_node r:0:b91", "ERROR: show_node: there is no `bet 91` at the root: there is `check`, `bet 90`"),
    ("show_node r:0 r:0", "ERROR: show_node: `r:0` is too much"),
    (
        "show_children r:0",
        "child 0:\nr:0:b90\nIP_DEC\nQs Jh 2h 8c 3d \n90 0 180 \n3 children\nflags: PIO_ALG \n\nchild 1:\nr:0:c\nIP_DEC\nQs Jh 2h 8c 3d \n0 0 180 \n2 children\nflags: PIO_ALG \n",
    ),
    ("show_children r", "child 0:\nr:0\nOOP_DEC\nQs Jh 2h 8c 3d \n0 0 180 \n2 children\nflags: PIO_ALG \n"),
    (
        "show_children r:0:c:b90",
        "child 0:\nr:0:c:b90:b225\nIP_DEC\nQs Jh 2h 8c 3d \n225 90 180 \n3 children\nflags: PIO_ALG \n\nchild 1:\nr:0:c:b90:c\nEND_NODE\nQs Jh 2h 8c 3d \n90 90 180 \n0 children\nflags: \n\nchild 2:\nr:0:c:b90:f\nEND_NODE\nQs Jh 2h 8c 3d \n0 90 180 \n0 children\nflags: \n",
    ),
    ("show_children r:0:b90:f", ""),
    (
        "show_children r:9",
        "ERROR: show_children: `r:9`: `9` is not a step of a line with colons: write `c` to check or call, `b94` to bet or raise, `f` to fold, or a card like `Th`",
    ),
    ("show_strategy", "ERROR: show_strategy: a node like r:0:c is missing"),
    ("show_strategy r:0:c:c", "ERROR: show_strategy: nobody decides there"),
    ("show_strategy_pp r:0:b90:f", "ERROR: show_strategy_pp: nobody decides there"),
    (
        "show_range OOP r:0:b7",
        "ERROR: show_range: there is no `bet 7` at the root: there is `check`, `bet 90`",
    ),
    ("show_range", "ERROR: show_range: a player, OOP or IP, is missing"),
    ("calc_ev r:0", "ERROR: calc_ev: `r:0` is not a player: OOP or IP"),
    ("calc_ev OOP", "ERROR: calc_ev: a node like r:0:c is missing"),
    ("calc_ev_pp IP", "ERROR: calc_ev_pp: a node like r:0:c is missing"),
    ("calc_eq OOP r:0", "ERROR: calc_eq: `r:0` is too much"),
    ("calc_eq_node IP", "ERROR: calc_eq_node: a node like r:0:c is missing"),
    ("calc_results now", "ERROR: calc_results: `now` is too much"),
    ("calc_global_freq", "ERROR: calc_global_freq: a node like r:0:c is missing"),
    ("calc_global_freq r:0", "1"),
    ("calc_line_freq r", "1"),
    (
        "calc_line_freq r:1",
        "ERROR: calc_line_freq: `r:1`: `1` is not a step of a line with colons: write `c` to check or call, `b94` to bet or raise, `f` to fold, or a card like `Th`",
    ),
    ("set_strategy r:0 1 0", "ERROR: set_strategy: 2 numbers are given, and 2652 are needed"),
    ("set_strategy r:0:c:c 1", "ERROR: set_strategy: nobody decides there"),
    ("lock_node", "ERROR: lock_node: a node like r:0:c is missing"),
    ("unlock_node r:0", "unlock_node ok!"),
    ("unlock_node r:0:c:c", "ERROR: unlock_node: nobody decides there"),
    ("go fast", "ERROR: go: `fast` is not a number of steps or seconds"),
    ("go 5 minutes", "ERROR: go: a solve runs for so many steps or seconds"),
    ("stop now", "ERROR: stop: `now` is too much"),
    ("stop", "stop ok!"),
    ("wait_for_solver", "wait_for_solver ok!"),
    ("wait_for_solver 1", "ERROR: wait_for_solver: `1` is too much"),
    ("solver_time", "0.000"),
    ("solver_time 1", "ERROR: solver_time: `1` is too much"),
    ("solve_partial r:0:c", "solve_partial ok!"),
    ("solve_partial", "ERROR: solve_partial: a node like r:0:c is missing"),
    ("load_all_nodes", "load_all_nodes ok!"),
    ("load_all_nodes r", "ERROR: load_all_nodes: `r` is too much"),
    ("load_tree", "ERROR: load_tree: a solution file is missing"),
    ("load_tree nowhere.nrs", "ERROR: load_tree: there is no file nowhere.nrs"),
    ("load_tree nowhere.nrs slow", "ERROR: load_tree: `slow` is not a way to load: full, fast or auto"),
    ("show_metadata nowhere.nrs", "ERROR: show_metadata: there is no file nowhere.nrs"),
    ("show_metadata", "ERROR: show_metadata: a solution file is missing"),
    ("dump_tree", "ERROR: dump_tree: a file is missing"),
    ("dump_tree x.nrs half", "ERROR: dump_tree: a tree is saved full, with no_rivers or with no_turns"),
    (
        "dump_tree x.nrs no_rivers",
        "ERROR: dump_tree: the tree begins on the river: there would be nothing in the file",
    ),
    ("show_hand_order 1", "ERROR: show_hand_order: `1` is too much"),
    ("show_memory 1", "ERROR: show_memory: `1` is too much"),
    ("estimate_tree 1", "ERROR: estimate_tree: `1` is too much"),
    ("build_tree 1", "ERROR: build_tree: `1` is too much"),
    ("free_tree 1", "ERROR: free_tree: `1` is too much"),
    ("combo_lock_node r:0", "ERROR: combo_lock_node: it is not supported"),
    ("show_nothing", "ERROR: show_nothing: there is no such command"),
    ("jump", "ERROR: jump: there is no such command"),
    ("\"\"", "ERROR: : there is no such command"),
    ("free_tree", "free_tree ok!"),
    ("free_tree", "free_tree ok!"),
    ("unlock_node r:0", "ERROR: unlock_node: there is no tree: use build_tree or load_tree"),
    ("solve_partial r:0", "ERROR: solve_partial: there is no tree: use build_tree or load_tree"),
    ("is_tree_present", "false"),
    ("go", "ERROR: go: there is no tree: use build_tree or load_tree"),
    ("show_all_lines", "ERROR: show_all_lines: there is no tree: use build_tree or load_tree"),
    ("dump_tree x.nrs", "ERROR: dump_tree: there is no tree: use build_tree or load_tree"),
    ("clear_lines", "clear_lines ok!"),
    ("add_line 0 1000", "add_line ok!"),
    ("build_tree", "ERROR: build_tree: line `0 1000`: 1000 is more than the effective stack of 910"),
    ("clear_lines", "clear_lines ok!"),
    ("force_line 0 90", "force_line ok!"),
    ("remove_line 90", "remove_line ok!"),
    ("build_tree", "ERROR: build_tree: line `90`: there is no `bet 90` at the root: there is `check`"),
];

#[test]
fn every_command_answers_as_written_here() {
    let commands: Vec<&str> = BUILT.iter().map(|(command, _)| *command).collect();
    let script = format!("{RIVER}build_tree\n{}\n", commands.join("\n"));
    let answers = answers(&script);
    let built = RIVER.lines().count() + 1;
    assert!(answers[..built].iter().all(|answer| answer.ends_with(" ok!")), "{:?}", &answers[..built]);
    assert_eq!(answers.len(), built + BUILT.len());
    for ((command, expected), answer) in BUILT.iter().zip(&answers[built..]) {
        assert_eq!(answer, expected, "{command}");
    }
}

#[test]
fn every_command_is_in_a_transcript_with_wrong_arguments() {
    let wrong: HashSet<&str> = BUILT
        .iter()
        .filter(|(_, answer)| answer.starts_with("ERROR: "))
        .filter_map(|(command, _)| command.split(' ').next())
        .collect();
    // These take anything.
    let missing: Vec<&&str> = SUPPORTED
        .iter()
        .filter(|command| !wrong.contains(**command) && **command != "add_info_line")
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    let script: String = UNSUPPORTED.iter().map(|command| format!("{command}\n")).collect();
    for (command, answer) in UNSUPPORTED.iter().zip(answers(&script)) {
        assert_eq!(answer, format!("ERROR: {command}: it is not supported"));
    }
}

#[test]
fn answers_end_as_asked_and_comments_have_none() {
    let text = printed(
        "is_ready\n\n# nothing\nset_end_string END\nis_ready\nreset_end_string\nis_ready\nexit\nis_ready\n",
    );
    assert_eq!(
        text,
        "is_ready ok!\nset_end_string ok!\nEND\nis_ready ok!\nEND\nreset_end_string ok!\nis_ready ok!\n"
    );
}

#[test]
fn long_answers_have_their_shape() {
    let order = last("show_hand_order\n");
    let hands: Vec<&str> = order.split_whitespace().collect();
    assert_eq!((hands.len(), hands[0], hands[6], hands[1325]), (1326, "2d2c", "3c2c", "AsAh"));
    let memory = last("show_memory\n");
    let megabytes = |line: &str| line.split(' ').rev().nth(1).unwrap().parse::<u64>().unwrap();
    assert!(memory.lines().all(|line| line.ends_with(" MB") && megabytes(line) > 0), "{memory}");
    let estimate = last(&format!("{RIVER}estimate_tree\n"));
    assert!(estimate.contains("\nbytes: ") && estimate.contains("\nnodes: 21\n"), "{estimate}");

    let script = format!("{RIVER}set_threads 2\nset_accuracy 0.9\nbuild_tree\ngo\nwait_for_solver\n");
    let of = |command: &str| last(&format!("{script}{command}\n"));
    let strategy: Vec<Vec<f64>> = of("show_strategy r:0").lines().map(numbers).collect();
    assert_eq!(strategy.len(), 2);
    let (aces, kings) = (1325, hands.iter().position(|hand| *hand == "KdKc").unwrap());
    assert!((strategy[0][aces] + strategy[1][aces] - 1.0).abs() < 1e-5);
    assert_eq!((strategy[0][kings], strategy[1][kings]), (0.0, 0.0));
    let range = numbers(&of("show_range OOP r:0:b90"));
    // The bet comes first, as its node does.
    assert!((range[aces] - strategy[0][aces]).abs() < 1e-5);
    assert_eq!(numbers(&of("show_range IP"))[kings], 1.0);
    let ev: Vec<String> = of("calc_ev OOP r:0").lines().map(str::to_owned).collect();
    let (evs, matchups) = (numbers(&ev[0]), numbers(&ev[1]));
    assert!(evs[kings].is_nan() && matchups[kings] == 0.0);
    let total: f64 = matchups.iter().sum();
    let mean: f64 =
        evs.iter().zip(&matchups).filter(|(_, m)| **m > 0.0).map(|(ev, m)| ev * m).sum::<f64>() / total;
    let results = of("calc_results");
    let result = |name: &str| -> f64 {
        let line = results.lines().find(|line| line.starts_with(name)).unwrap();
        line.split(": ").nth(1).unwrap().parse().unwrap()
    };
    assert!((mean - result("EV OOP")).abs() < 1e-2, "{mean} {results}");
    assert!((result("EV OOP") + result("EV IP") - 180.0).abs() < 1e-3, "{results}");
    let gains = result("OOP's MES") - result("EV OOP") + result("IP's MES") - result("EV IP");
    assert!(
        (gains / 2.0 - result("Exploitable for")).abs() < 1e-4 && result("Exploitable for") <= 0.9,
        "{results}"
    );
    assert_eq!(results.lines().next().unwrap().split(": ").next(), Some("running time"));
    let equity: Vec<String> = of("calc_eq_node IP r:0").lines().map(str::to_owned).collect();
    let plain: Vec<String> = of("calc_eq IP").lines().map(str::to_owned).collect();
    assert_eq!((equity.len(), &equity[..2]), (3, &plain[..]));
    let [global, line] =
        ["calc_global_freq r:0:b90", "calc_line_freq r:0:b90"].map(|command| numbers(&of(command))[0]);
    assert!((global - line).abs() < 1e-9 && global > 0.0 && global < 1.0);
    let pretty = of("show_strategy_pp r:0");
    assert!(
        pretty.lines().all(|line| line.split(' ').count() == 3 && line[4..].starts_with(": ")),
        "{pretty}"
    );
    assert_eq!(pretty.lines().count(), of("calc_ev_pp OOP r:0").lines().count());
}
