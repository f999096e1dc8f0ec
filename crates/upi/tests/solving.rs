//! Solves in the background, trees against specs, locks and files.

mod common;

use common::{RIVER, answers, last, numbers};
use noregret_holdem::{BettingTree, IP, Line, MemoryLimit, OOP, SolveJob, Solver, Spec};
use noregret_upi::{Printed, SessionStopper, run};
use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A turn spot of some thousand decisions.
const TURN: &str = r#"[ranges]
oop = "99+,AJs+,KQs,AhKd:0.5"
ip = "QQ-55,AQs-A9s,KJs+,T9s"

[cards]
flop = "QsJh2h"
turn = "8c"

[tree]
starting_pot = 180
effective_stack = 910
"#;

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

fn solved(spec: &Spec) -> Solver {
    SolveJob::plan(spec.clone(), &MemoryLimit::of_machine(), 2).unwrap().run(&mut ()).unwrap().unwrap().solver
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
    let head = format!("load_spec {}\nbuild_tree\ngo\nwait_for_solver\n", spec_file.display());
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
            for (row, share) in strategy.iter().zip(hand.strategy.iter().flatten()) {
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
fn strategies_that_are_set_are_played_and_locked_ones_are_solved_around() {
    let head = format!("{RIVER}set_accuracy 0.2\nbuild_tree\ngo\nwait_for_solver\n");
    let before = answers(&format!("{head}show_strategy r:0\ncalc_results\n"));
    let rows: Vec<Vec<f64>> = before[before.len() - 2].lines().map(numbers).collect();
    // OOP checks everything.
    let text = |share: f64, row: &[f64]| row.iter().map(|_| share.to_string()).collect::<Vec<_>>().join(" ");
    let set = format!("set_strategy r:0 {} {}\n", text(1.0, &rows[0]), text(0.0, &rows[1]));
    let ev = |results: &str| -> f64 {
        results.lines().nth(1).unwrap().split(": ").nth(1).unwrap().parse().unwrap()
    };
    let script = format!(
        "{head}{set}show_strategy r:0\ncalc_results\nshow_node r:0\nlock_node r:0\nshow_node r:0\ngo\nwait_for_solver\n\
         show_strategy r:0\ncalc_results\nunlock_node r:0\ngo\nwait_for_solver\nshow_node r:0\ncalc_results\n"
    );
    let after = answers(&script);
    let tail = &after[after.len() - 15..];
    assert_eq!(tail[0], "set_strategy ok!");
    let shown: Vec<Vec<f64>> = tail[1].lines().map(numbers).collect();
    assert_eq!((shown[0][1325], shown[1][1325]), (1.0, 0.0));
    assert!(tail[3].ends_with("flags: LOCKED") && tail[5].ends_with("flags: LOCKED"));
    assert_eq!(tail[8].lines().map(numbers).collect::<Vec<_>>(), shown);
    // Solving around it makes the best of it for IP; solving without it is what was there before.
    assert!(ev(&tail[9]) <= ev(&tail[2]) + 0.5, "{tail:?}");
    assert!(tail[13].ends_with("flags:"));
    assert_eq!(
        tail[14].lines().skip(1).collect::<Vec<_>>(),
        before.last().unwrap().lines().skip(1).collect::<Vec<_>>()
    );
    // With the lock it is the spec with the lock.
    let spec = "[ranges]\noop = 'AA,QQ,T9s,87s'\nip = 'KK,JJ,AQs'\n[cards]\nflop = 'QsJh2h'\nturn = '8c'\nriver = '3d'\n[tree]\n\
                starting_pot = 180\neffective_stack = 910\nadd_allin_threshold = 0\nforce_allin_threshold = 0\nmerging_threshold = 0\n\
                [bet_sizes.river]\noop_bet = '50%'\nip_bet = '50%'\noop_raise = '2.5x, a'\nip_raise = '2.5x, a'\n\
                [[tree.remove]]\nline = 'bet 90, all-in'\n[[tree.remove]]\nline = 'check, bet 90, all-in'\n\
                [[tree.remove]]\nline = 'bet 90, raise 225, raise 563'\n[[tree.remove]]\nline = 'check, bet 90, raise 225, raise 563'\n\
                [[locks]]\nline = ''\nstrategy = 'check'\n";
    let mut spec: Spec = spec.parse().unwrap();
    spec.solver.target_exploitability_pct = 100.0 * 0.2 / 180.0;
    spec.solver.max_iterations = 1_000_000;
    let results = solved(&spec).results();
    assert!((results.ev[0] - ev(&tail[9])).abs() < 1e-5, "{results:?} {}", tail[9]);
}

#[test]
fn wrong_strategies_are_refused_and_locks_that_tell_suits_apart_need_a_solve() {
    let head = format!("{RIVER}set_accuracy 1\nbuild_tree\ngo\nwait_for_solver\n");
    let row = |share: &str| vec![share; 1326].join(" ");
    let refused = |rows: String| last(&format!("{head}set_strategy r:0 {rows}\n"));
    assert_eq!(
        refused(format!("{} {}", row("0.3"), row("0.3"))),
        "ERROR: set_strategy: 8d7d: the frequencies add up to 0.6, not to 1"
    );
    assert!(
        refused(format!("{} {}", row("-1"), row("2")))
            .contains("a frequency must be a number from 0 to 1, not -1")
    );
    assert!(refused(format!("{} {}", row("x"), row("2"))).ends_with("`x` is not a number"));
    // On a flop, hearts and spades are what the board has, and clubs and diamonds are alike.
    let flop = "set_board QsJh2h\nset_range OOP AA,T9s\nset_range IP KK\nset_pot 0 0 100\nset_eff_stack 50\nadd_line 50\nbuild_tree\n\
                go 20\nwait_for_solver\n";
    let mut check = vec!["1"; 1326];
    let mut bet = vec!["0"; 1326];
    let suited: noregret_cards::Hole = "Td9d".parse().unwrap();
    (check[suited.index()], bet[suited.index()]) = ("0", "1");
    let script = format!(
        "{flop}set_strategy r:0 {} {}\nshow_strategy r:0\nlock_node r:0\ngo 20\nwait_for_solver\nshow_strategy r:0\n",
        check.join(" "),
        bet.join(" ")
    );
    let answers = answers(&script);
    let tail = &answers[answers.len() - 6..];
    assert_eq!(tail[0], "set_strategy ok!");
    assert!(
        tail[1].starts_with("ERROR: show_strategy: the strategies are not there any more"),
        "{}",
        tail[1]
    );
    assert_eq!(tail[2], "lock_node ok!");
    assert_eq!(numbers(tail[5].lines().nth(1).unwrap())[suited.index()], 1.0);
}

#[test]
fn files_are_read_and_continued_and_small_ones_are_solved_where_they_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("spec.toml"), TURN).unwrap();
    let (spec, full, small) = (path("spec.toml"), path("full.nrs"), path("small.nrs"));
    let nodes = "show_strategy r:0:c\ncalc_ev IP r:0:c\nshow_range OOP r:0:b90\nshow_strategy r:0:c:c:Th\n";
    let script = format!(
        "load_spec {spec}\nset_accuracy 0.02 fraction\nbuild_tree\ngo\nwait_for_solver\ndump_tree {full}\ndump_tree {small} no_rivers\n{nodes}calc_results\n"
    );
    let live = answers(&script);
    let loaded =
        answers(&format!("load_tree {full} fast\n{nodes}calc_results\nis_tree_present\nshow_range IP\n"));
    assert_eq!(loaded[0], "load_tree ok!");
    assert_eq!(loaded[1..5], live[live.len() - 5..live.len() - 1]);
    let values = |results: &str| results.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(values(&loaded[5]), values(live.last().unwrap()));
    assert_eq!(numbers(&loaded[7]).iter().filter(|weight| **weight > 0.0).count(), 76);
    let metadata = last(&format!("show_metadata {full}\n"));
    assert!(metadata.starts_with("r\nROOT\nQs Jh 2h 8c\n0 0 180\n1 children\nflags:\n"), "{metadata}");
    assert_eq!(metadata.lines().count(), 6 + 2 + 6);

    // What a small file leaves out is solved again; what it has is the same.
    let script = format!(
        "set_recalc_accuracy 0.01 0.01 0.01\nload_tree {small}\nsolve_partial r:0:c:c:Th\nsolve_partial r:0:c\n{nodes}calc_results\nset_strategy r:0 1\nlock_node r:0:c\n\
         calc_line_freq r:0:c:c:Th\ndump_tree {full}\n"
    );
    let left_out = answers(&script);
    assert_eq!(left_out[2], "solve_partial ok!");
    assert!(left_out[3].starts_with("ERROR: solve_partial: nothing was left out there"));
    assert_eq!(left_out[4..7], live[live.len() - 5..live.len() - 2]);
    assert_eq!(left_out[7].lines().count(), live[live.len() - 2].lines().count());
    assert!(
        left_out[8].contains("OOP's MES: nan") && !left_out[8].contains("Exploitable for: nan"),
        "{}",
        left_out[8]
    );
    assert!(left_out[10].starts_with("ERROR: lock_node: the file leaves streets out"), "{}", left_out[10]);
    assert!(left_out[11].starts_with("ERROR: calc_line_freq: the line goes through streets"));
    assert!(left_out[12].starts_with("ERROR: dump_tree: the file leaves streets out"));

    // The accuracy of what is solved again is the script's.
    let re_solved = |accuracy: &str| {
        let read = "show_strategy r:0:c:c:Th\ncalc_ev OOP r:0:c:c:Th\n";
        let answers = answers(&format!("set_recalc_accuracy {accuracy}\nload_tree {small}\n{read}"));
        assert_eq!(answers[1], "load_tree ok!");
        answers[2..].to_vec()
    };
    let (coarse, fine) = (re_solved("0.01 0.01 0.01"), re_solved("0.01 0.01 0.00001"));
    assert_ne!(coarse, fine);
    assert_eq!(fine, re_solved("0 0 0.00001"), "the river's accuracy alone counts on the river");

    // A file is continued where it left off, and locks are made on it.
    let script = format!(
        "load_tree {full}\nset_accuracy 0.01 fraction\ngo\nwait_for_solver\ncalc_results\nload_tree {full}\nlock_node r:0\nshow_node r:0\ndump_tree {}\n",
        path("locked.nrs")
    );
    let continued = answers(&script);
    let exploitable = |results: &str| -> f64 {
        results.lines().last().unwrap().split(": ").nth(1).unwrap().parse().unwrap()
    };
    // So is one that was brought into memory.
    let far = path("far.nrs");
    for memory in ["load_all_nodes", "calc_results", "is_ready"] {
        let script = format!(
            "load_tree {full} full\n{memory}\nset_accuracy 0\ngo 2 steps\nwait_for_solver\ndump_tree {far}\n{nodes}load_tree {full}\n{memory}\n{nodes}"
        );
        let answers = answers(&script);
        assert_eq!(answers[5], "dump_tree ok!");
        let iterations =
            |path: &str| noregret_holdem::SolutionFile::open(path.as_ref()).unwrap().progress().iterations;
        assert_eq!(iterations(&far), iterations(&full) + 2, "{memory}");
        assert_eq!(answers[answers.len() - 4..], live[live.len() - 5..live.len() - 1], "{memory}");
    }
    assert!(exploitable(&continued[4]) <= 1.8 && exploitable(live.last().unwrap()) > 1.8, "{}", continued[4]);
    assert!(continued[7].ends_with("flags: LOCKED") && continued[8] == "dump_tree ok!", "{continued:?}");
    let locked = last(&format!("load_tree {}\nshow_node r:0\n", path("locked.nrs")));
    assert!(locked.ends_with("flags: LOCKED"), "{locked}");
}

/// An input that is written while it is read.
struct Typed(mpsc::Receiver<String>, Vec<u8>);

impl Read for Typed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            match self.0.recv() {
                Ok(text) => self.1 = text.into_bytes(),
                Err(_) => return Ok(0),
            }
        }
        let count = buffer.len().min(self.1.len());
        buffer[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

/// A session that one can talk to.
struct Live {
    input: Option<mpsc::Sender<String>>,
    printed: Printed,
    stopper: SessionStopper,
    thread: std::thread::JoinHandle<io::Result<()>>,
}

impl Live {
    fn new() -> Self {
        let (input, typed) = mpsc::channel();
        let (printed, stopper) = (Printed::default(), SessionStopper::default());
        let (writer, stops) = (printed.writer(), stopper.clone());
        let thread =
            std::thread::spawn(move || run(&mut BufReader::new(Typed(typed, Vec::new())), writer, &stops));
        Self { input: Some(input), printed, stopper, thread }
    }

    fn say(&self, text: &str) {
        self.input.as_ref().unwrap().send(format!("{text}\n")).unwrap();
    }

    /// Waits for a text to be printed.
    fn until(&self, text: &str) {
        let start = Instant::now();
        while !self.printed.text().contains(text) {
            assert!(start.elapsed() < Duration::from_secs(60), "no {text}: {}", self.printed.text());
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn end(mut self) -> String {
        self.input = None;
        self.thread.join().unwrap().unwrap();
        self.printed.text()
    }
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
    let reasons = |script: &str| {
        let text = common::printed(&format!("{RIVER}build_tree\n{script}\n"));
        text.lines()
            .filter_map(|line| line.strip_prefix("SOLVER: stopped "))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
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
