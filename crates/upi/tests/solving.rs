//! Solves in the background, trees against specs, locks and files.

mod common;

use common::{Live, RIVER, TURN, answers, last, numbers, reasons, solved};
use noregret_holdem::{BettingTree, IP, Line, OOP, Spec};
use noregret_upi::{SessionStopper, run};
use std::io::{self, Write};

/// The commands that build the tree of a spec, line by line.
fn building(spec: &Spec) -> String {
    let spot = &spec.spot;
    let tree = BettingTree::build(spot.options(), spot.board().street()).unwrap();
    let weights = |player| {
        let weight = |hole| spot.range(player).weight(hole).to_string();
        noregret_cards::Hole::all().map(weight).collect::<Vec<_>>().join(" ")
    };
    let add_line = |line: &Vec<u32>| {
        let chips: Vec<String> = line.iter().map(u32::to_string).collect();
        format!("add_line {}\n", chips.join(" "))
    };
    let lines: String = tree.chip_lines().iter().map(add_line).collect();
    let options = spot.options();
    format!(
        "set_range OOP {}\nset_range IP {}\nset_board {}\nset_pot 0 0 {}\nset_eff_stack {}\nclear_lines\n{}build_tree\n",
        weights(OOP),
        weights(IP),
        spot.board(),
        options.starting_pot,
        options.effective_stack,
        lines
    )
}

#[test]
fn a_tree_of_lines_is_solved_to_the_bits_of_its_spec() {
    let mut spec: Spec = TURN.parse().unwrap();
    spec.solver.max_iterations = 30;
    spec.solver.target_exploitability_pct = 0.0;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a tree.nrs");
    let script =
        format!("{}go 30 steps\nwait_for_solver\ndump_tree \"{}\"\n", building(&spec), path.display());
    let answers = answers(&script);
    assert!(answers.iter().all(|answer| answer.ends_with(" ok!")), "{answers:?}");
    let solver = solved(&spec);
    let file = noregret_holdem::SolutionFile::open(&path).unwrap();
    assert_eq!(file.summary().digest, solver.digest());
    assert_eq!(file.game().betting(), solver.game().betting());
    assert_eq!(file.summary().ev, [OOP, IP].map(|player| solver.ev(player)));
    // The spec in the file leads to the same tree, so the file can be solved on.
    let again = solved(&Spec { solver: spec.solver.clone(), ..file.spec().clone() });
    assert_eq!(again.digest(), solver.digest());
}

#[test]
fn the_three_bet_pot_of_lines_is_that_of_its_spec() {
    let mut spec: Spec = include_str!("../../../examples/three-bet-pot.toml").parse().unwrap();
    spec.solver.max_iterations = 2;
    spec.solver.target_exploitability_pct = 0.0;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.nrs");
    let script =
        format!("{}go 2 steps\nwait_for_solver\ndump_tree {} no_turns\n", building(&spec), path.display());
    let answers = answers(&script);
    assert!(answers.iter().all(|answer| answer.ends_with(" ok!")), "{answers:?}");
    let file = noregret_holdem::SolutionFile::open(&path).unwrap();
    let solver = solved(&spec);
    assert_eq!(file.game().betting(), solver.game().betting());
    assert_eq!(file.summary().digest, solver.digest());
    assert_eq!(file.summary().ev, [OOP, IP].map(|player| solver.ev(player)));
}

#[test]
fn what_is_read_is_what_the_engine_says() {
    let mut spec: Spec = TURN.parse().unwrap();
    spec.solver.max_iterations = 40;
    spec.solver.target_exploitability_pct = 0.0;
    let solver = solved(&spec);
    let folder = tempfile::tempdir().unwrap();
    let spec_file = folder.path().join("spec.toml");
    std::fs::write(&spec_file, spec.to_string()).unwrap();
    let head = format!("load_spec {}\nbuild_tree\ngo 40 steps\nwait_for_solver\n", spec_file.display());
    for line in
        ["", "check", "bet 90", "check, check, Th", "bet 90, call, 2c, check", "bet 90, raise 225, call, Ah"]
    {
        let line: Line = line.parse().unwrap();
        let node =
            solver.game().betting().exact(solver.game().spot().board(), &line).unwrap().colon().unwrap();
        assert_eq!(node.parse::<Line>().unwrap().to_string(), line.to_string());
        let view = solver.at(&line).unwrap();
        let script = format!(
            "{head}show_strategy {node}\nshow_range IP {node}\ncalc_ev OOP {node}\ncalc_eq_node IP {node}\ncalc_global_freq {node}\ncalc_line_freq {node}\n"
        );
        let answers = answers(&script);
        let [strategy, range, ev, equity, global, line_frequency] = &answers[answers.len() - 6..] else {
            panic!()
        };
        let strategy: Vec<Vec<f64>> = strategy.lines().map(numbers).collect();
        let player = view.player.unwrap();
        for hand in &view.hands[player.index()] {
            // The largest bet comes first, folding last.
            for (row, share) in strategy.iter().rev().zip(hand.strategy.iter().flatten()) {
                assert!((row[hand.hole.index()] - share).abs() < 1e-6);
            }
        }
        let (range, ev): (Vec<f64>, Vec<Vec<f64>>) = (numbers(range), ev.lines().map(numbers).collect());
        let equity: Vec<Vec<f64>> = equity.lines().map(numbers).collect();
        for hand in &view.hands[1] {
            assert!((range[hand.hole.index()] - hand.reach).abs() < 1e-6);
            let there = equity[0][hand.hole.index()];
            assert!(hand.equity.map_or(there.is_nan(), |equity| (equity - there).abs() < 1e-6));
        }
        for hand in &view.hands[0] {
            let (there, matchups) = (ev[0][hand.hole.index()], ev[1][hand.hole.index()]);
            assert!(hand.root_ev.map_or(there.is_nan(), |ev| (ev - there).abs() < 1e-5));
            assert!((hand.share - matchups).abs() < 1e-5);
        }
        let (global, line_frequency): (f64, f64) = (global.parse().unwrap(), line_frequency.parse().unwrap());
        assert!(
            global <= line_frequency * (1.0 + 1e-9) && line_frequency <= 1.0 + 1e-9,
            "{global} {line_frequency}"
        );
    }
    // Over all cards, what follows a line comes as often as the line itself.
    let [c, cc, cb] = ["r:0:c", "r:0:c:c", "r:0:c:b90"]
        .map(|node| last(&format!("{head}calc_line_freq {node}\n")).parse::<f64>().unwrap());
    assert!((c - cc - cb).abs() < 1e-6, "{c} {cc} {cb}");
    let dealt: f64 = last(&format!("{head}calc_line_freq r:0:c:c:Th\n")).parse().unwrap();
    assert!((dealt - cc).abs() < 1e-6, "{dealt} {cc}");
}

#[test]
fn everything_can_be_read_while_a_solve_runs() {
    let live = Live::new();
    live.say(&format!("set_end_string END\nset_info_freq 0\nset_threads 1\n{RIVER}build_tree\ngo"));
    live.until("SOLVER:\nrunning time: ");
    live.say("is_ready\nshow_node r:0\ncalc_results\nshow_strategy_pp r:0\nbuild_tree\ngo\nlock_node r:0\nfree_tree\necho one\nstop\necho two");
    live.until("two\n");
    let text = live.end();
    for refused in ["build_tree", "go", "lock_node", "free_tree"] {
        assert!(
            text.contains(&format!(
                "ERROR: {refused}: the solver is running: stop it, or wait_for_solver\nEND\n"
            )),
            "{text}"
        );
    }
    let place = |piece: &str| text.find(piece).unwrap_or_else(|| panic!("{piece}: {text}"));
    let order = [
        "go ok!\nEND\n",
        "SOLVER: started\n",
        "SOLVER:\n",
        "is_ready ok!\n",
        "r:0\nOOP_DEC",
        "AsAh: ",
        "one\nEND\n",
        "SOLVER: stopped (requested)\n",
        "stop ok!\nEND\n",
        "two\nEND\n",
    ];
    assert!(order.map(place).is_sorted(), "{text}");
    // Every update is a whole.
    for update in text.split("SOLVER:\n").skip(1) {
        let lines: Vec<&str> = update.lines().take(7).collect();
        assert!(
            lines[0].starts_with("running time: ")
                && lines[5].starts_with("Exploitable for: ")
                && lines[6] == "END",
            "{lines:?}"
        );
    }
}

#[test]
fn a_solve_ends_for_every_reason() {
    let reasons = |script: &str| reasons(&format!("{RIVER}build_tree\n{script}\n"));
    assert_eq!(
        reasons("go 5\nwait_for_solver\ngo 5 steps\nwait_for_solver"),
        ["(steps done)", "(steps done)"]
    );
    assert_eq!(reasons("go 0.05 seconds\nwait_for_solver"), ["(time limit)"]);
    assert_eq!(reasons("set_accuracy 1\ngo\nwait_for_solver"), ["(required accuracy reached)"]);
    assert_eq!(reasons("go\nstop"), ["(requested)"]);
    // The input ends, and so does the solve.
    assert_eq!(reasons("go"), ["(requested)"]);
    assert_eq!(reasons("go\nexit"), ["(requested)"]);
}

#[test]
fn a_solve_is_stopped_from_outside_and_by_an_output_that_is_gone() {
    let live = Live::new();
    live.say(&format!("{RIVER}build_tree\ngo\nwait_for_solver"));
    live.until("SOLVER: started");
    live.stopper.stop();
    live.stopper.wait_until_idle();
    live.until("wait_for_solver ok!");
    assert!(live.end().contains("SOLVER: stopped (requested)\nwait_for_solver ok!\n"));

    /// Takes so many bytes and breaks.
    struct Breaks(usize);
    impl Write for Breaks {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let left = self.0.checked_sub(bytes.len());
            self.0 = left.unwrap_or(0);
            left.map(|_| bytes.len()).ok_or(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let script = format!("set_info_freq 0\n{RIVER}build_tree\ngo\nwait_for_solver\n");
    for bytes in [0, 100, 400, 700] {
        let error =
            run(&mut script.as_bytes(), Box::new(Breaks(bytes)), &SessionStopper::default()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}

#[test]
fn whoever_stops_a_solve_right_after_the_answer_to_go_waits_for_its_end() {
    for _ in 0..30 {
        let live = Live::new();
        live.say(&format!("{RIVER}build_tree\nset_accuracy 0\ngo"));
        live.until("go ok!\n");
        live.stopper.stop();
        live.stopper.wait_until_idle();
        assert!(live.printed.text().contains("SOLVER: stopped (requested)\n"), "{}", live.printed.text());
        live.end();
    }
}

#[test]
fn cards_come_from_the_ace_of_spades_down_and_actions_from_the_largest_bet() {
    let head = "set_board QsJh2h8c\nset_range OOP AA\nset_range IP KK\nset_pot 0 0 100\nset_eff_stack 300\nadd_line 0 0\nadd_line 50\n\
                add_line 100\nadd_line 300\nadd_line 50 150\nbuild_tree\n";
    let ids = |node: &str| -> Vec<String> {
        let answer = last(&format!("{head}show_children {node}\n"));
        let lines: Vec<&str> = answer.split('\n').collect();
        assert_eq!(lines.len() % 8, 0, "{answer}");
        lines.chunks(8).map(|block| block[1].to_owned()).collect()
    };
    assert_eq!(ids("r:0"), ["r:0:b300", "r:0:b100", "r:0:b50", "r:0:c"]);
    assert_eq!(ids("r:0:b50"), ["r:0:b50:b150", "r:0:b50:c", "r:0:b50:f"]);
    let cards = ids("r:0:c:c");
    assert_eq!(
        (cards.len(), &cards[0], &cards[1], &cards[47]),
        (48, &"r:0:c:c:As".to_owned(), &"r:0:c:c:Ah".to_owned(), &"r:0:c:c:2c".to_owned())
    );
    // Rows of a strategy are in the same order: each is what is left of the range after its child.
    let solved = format!("{head}go 20\nwait_for_solver\n");
    let rows: Vec<Vec<f64>> = last(&format!("{solved}show_strategy r:0\n")).lines().map(numbers).collect();
    for (row, child) in rows.iter().zip(ids("r:0")) {
        let range = numbers(&last(&format!("{solved}show_range OOP {child}\n")));
        assert!(row.iter().zip(&range).all(|(share, weight)| (share - weight).abs() < 1e-8), "{child}");
    }
}
