//! `noregret upi` with clients that nobody here wrote, and ended in every way.

#![cfg(unix)]

#[path = "../common/mod.rs"]
mod common;

use common::noregret::noregret;
use noregret_holdem::cards::Hole;
use noregret_holdem::{BettingTree, IP, OOP, Spec};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A flop that is solved in a second.
const FLOP: &str = "[ranges]\noop = 'AA,KQs,T9s,66:0.5'\nip = 'QQ,AJs,88'\n[cards]\nflop = 'QsJh2h'\n[tree]\nstarting_pot = 180\n\
                    effective_stack = 400\n[solver]\ntarget_exploitability_pct = 3\n";

/// The commands that build the tree of a spec, line by line.
fn building(spec: &Spec) -> String {
    let spot = &spec.spot;
    let tree = BettingTree::build(spot.options(), spot.board().street()).unwrap();
    let weights = |player| {
        Hole::all().map(|hole| spot.range(player).weight(hole).to_string()).collect::<Vec<_>>().join(" ")
    };
    let add_line = |line: &Vec<u32>| {
        let chips: Vec<String> = line.iter().map(u32::to_string).collect();
        format!("add_line {}\n", chips.join(" "))
    };
    let lines: String = tree.chip_lines().iter().map(add_line).collect();
    format!(
        "set_range OOP {}\nset_range IP {}\nset_board {}\nset_pot 0 0 180\nset_eff_stack 400\nset_isomorphism 1 0\nset_accuracy 5.4\n\
         clear_lines\n{}build_tree\n",
        weights(OOP),
        weights(IP),
        spot.board(),
        lines
    )
}

/// A folder with a solved spot, the commands that build it, and a program that clients can start without arguments.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("spot.toml"), FLOP).unwrap();
        std::fs::write(
            home.path().join("locked.toml"),
            format!("{FLOP}[[locks]]\nline = ''\nstrategy = 'check'\n"),
        )
        .unwrap();
        std::fs::write(home.path().join("build.txt"), building(&FLOP.parse().unwrap())).unwrap();
        let program = home.path().join("solver.exe");
        std::fs::write(&program, format!("#!/bin/sh\nexec {} upi\n", env!("CARGO_BIN_EXE_noregret")))
            .unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        Self(home)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// What a client prints on its last line.
    fn client(&self, script: &str) -> Value {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
        let python = root.join("target/upi-venv/bin/python");
        assert!(python.exists(), "run scripts/setup-upi-tests first");
        let file = |name: &str| self.path().join(name);
        let output = Command::new(python)
            .arg(root.join("crates/cli/tests/upi").join(script))
            .args([file("solver.exe"), file("build.txt"), file("tree.nrs")])
            .env("HOME", self.path())
            // What pious imports makes a list of fonts once, which takes a minute.
            .env("MPLCONFIGDIR", root.join("target/upi-venv/matplotlib"))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{text}{errors}");
        serde_json::from_str(text.lines().last().unwrap()).unwrap()
    }

    fn json(&self, args: &[&str]) -> Value {
        noregret(self.path(), args).ok().json()
    }
}

fn result(answer: &Value, key: &str, name: &str) -> f64 {
    let lines = answer[key].as_array().unwrap();
    let line = lines.iter().filter_map(Value::as_str).find(|line| line.starts_with(name)).unwrap();
    line.split(": ").nth(1).unwrap().parse().unwrap()
}

/// What a client has read, against `solve` and `inspect` of the same spot.
fn compare(home: &Home, answer: &Value) {
    let solved = home.json(&["solve", "spot.toml", "--out", "spot.nrs", "--json"]);
    for (name, key) in [("EV OOP", "oop"), ("EV IP", "ip")] {
        let there = solved["ev"][key].as_f64().unwrap();
        assert!((result(answer, "results", name) - there).abs() < 1e-4, "{there} {answer}");
    }
    let exploitable = result(answer, "results", "Exploitable for");
    assert!(
        (exploitable / 1.8 - solved["exploitability_pct"].as_f64().unwrap()).abs() < 1e-3,
        "{exploitable}"
    );
    // The tree that the client saved has the strategies of the spec.
    let saved = home.json(&["inspect", "tree.nrs", "--line", "r:0:c", "--hands", "--json"]);
    let point = home.json(&["inspect", "spot.nrs", "--line", "check", "--hands", "--json"]);
    assert_eq!((&saved["hands"], &saved["colon"]), (&point["hands"], &Value::from("r:0:c")));
    let order: Vec<&str> = answer["hands"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let hands = point["hands"].as_array().unwrap();
    assert!(hands.len() > 10);
    for hand in hands {
        let place = order.iter().position(|name| hand["hand"] == **name).unwrap();
        let ev = answer["ev"][place].as_f64().unwrap();
        assert!((ev - hand["ev"].as_f64().unwrap()).abs() < 1e-4, "{hand}");
        // The protocol has the largest bet first, and folding last.
        let rows = answer["strategy"].as_array().unwrap().iter().rev();
        for (row, share) in rows.zip(hand["strategy"].as_array().into_iter().flatten()) {
            let there = row[place].as_f64().unwrap();
            assert!((there - share.as_f64().unwrap()).abs() < 1e-5, "{hand}");
        }
    }
    // With the root locked it is the spec with the lock.
    let locked = home.json(&["solve", "locked.toml", "--json"]);
    let there = locked["ev"]["oop"].as_f64().unwrap();
    assert!((result(answer, "locked_results", "EV OOP") - there).abs() < 1e-4, "{there} {answer}");
    let aces = order.iter().position(|name| *name == "AsAh").unwrap();
    let checks: Vec<f64> =
        (0..2).map(|action| answer["locked_strategy"][action][aces].as_f64().unwrap()).collect();
    assert_eq!(checks, [0.0, 1.0]);
}

#[test]
fn pokersolverquery_builds_solves_reads_locks_and_solves_again() {
    let home = Home::new();
    let answer = home.client("pokersolverquery_client.py");
    assert_eq!((&answer["tree_before"], &answer["tree_built"]), (&false.into(), &true.into()));
    assert!(
        answer["error"]
            .as_str()
            .unwrap()
            .starts_with("ERROR: show_strategy: there is no `bet 7` at the root"),
        "{answer}"
    );
    assert_eq!(answer["flop"], "Q♠ | J♥ | 2♥");
    assert_eq!(
        (&answer["lines"][0], &answer["lines"][1], &answer["has_aces"]),
        (&"r".into(), &"r:0".into(), &true.into())
    );
    assert_eq!(answer["combos"], serde_json::json!([6.0 + 4.0 + 4.0 + 3.0, 6.0 + 4.0 + 6.0]));
    compare(&home, &answer);
}

#[test]
fn the_client_class_that_most_scripts_copy_builds_solves_reads_locks_and_solves_again() {
    let home = Home::new();
    let answer = home.client("pious_client.py");
    assert_eq!((&answer["ready"], &answer["lock"]), (&"is_ready ok!".into(), &"lock_node ok!".into()));
    assert_eq!(answer["node"], serde_json::json!(["r:0:c", "IP", ["Qs", "Jh", "2h"], [0, 0, 180], 2]));
    assert_eq!((&answer["children"], &answer["cards"]), (&serde_json::json!(["b90", "c"]), &49.into()));
    assert_eq!((&answer["stack"], &answer["info"]["Pot"]), (&400.into(), &180.into()));
    assert_eq!(answer["info"]["Board"], serde_json::json!(["Qs", "Jh", "2h"]));
    assert!(answer["lines"].as_u64().unwrap() > 50 && answer["range"].as_f64().unwrap() > 10.0);
    compare(&home, &answer);
}

/// A session with the binary.
struct Upi {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl Upi {
    fn start(commands: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_noregret"))
            .arg("upi")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.as_mut().unwrap().write_all(commands.as_bytes()).unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines }
    }

    /// One whose solve is under way.
    fn solving(after: &str) -> Self {
        let mut upi = Self::start(&format!(
            "{}set_accuracy 0\nset_info_freq 0\ngo\n{after}",
            building(&FLOP.parse().unwrap())
        ));
        upi.until("running time: ");
        upi
    }

    fn until(&mut self, text: &str) {
        let mut line = String::new();
        while !line.starts_with(text) {
            line.clear();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "no {text}");
        }
    }

    /// The lines of an answer before its end string, `END`.
    fn ask(&mut self, command: &str) -> Vec<String> {
        self.child.stdin.as_mut().unwrap().write_all(format!("{command}\n").as_bytes()).unwrap();
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "no answer to {command}");
            let line = line.strip_suffix('\n').unwrap_or(&line);
            if line == "END" {
                return lines;
            }
            lines.push(line.to_owned());
        }
    }

    /// How it ends, soon; what it printed last.
    fn end(mut self) -> (Option<i32>, String) {
        let start = Instant::now();
        let mut rest = String::new();
        let _ = self.lines.read_to_string(&mut rest);
        let code = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.code();
            }
            assert!(start.elapsed() < Duration::from_secs(20), "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        };
        let mut errors = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert_eq!(errors, "");
        (code, rest)
    }
}

#[test]
fn a_solve_under_way_ends_cleanly_by_exit_by_a_closed_pipe_and_by_signals() {
    let mut upi = Upi::solving("");
    upi.child.stdin.as_mut().unwrap().write_all(b"exit\n").unwrap();
    let (code, rest) = upi.end();
    assert_eq!(code, Some(0));
    assert!(rest.ends_with("SOLVER: stopped (requested)\n"), "{rest}");

    let mut upi = Upi::solving("");
    drop(upi.child.stdin.take());
    let (code, rest) = upi.end();
    assert_eq!(code, Some(0));
    assert!(rest.ends_with("SOLVER: stopped (requested)\n"), "{rest}");

    for (signal, after) in [("-TERM", ""), ("-INT", ""), ("-TERM", "wait_for_solver\n")] {
        let upi = Upi::solving(after);
        let kill = Command::new("kill").args([signal, &upi.child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        let (code, rest) = upi.end();
        assert_eq!(code, Some(130), "{rest}");
        assert!(rest.contains("SOLVER: stopped (requested)\n"), "{rest}");
    }

    // Nobody reads the answers any more.
    let Upi { mut child, lines } = Upi::solving("wait_for_solver\n");
    drop(lines);
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(20), "it does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// A turn whose tree has a fold, an all-in and a bet on the river: some hundred nodes.
const SMALL_TURN: &str = "[ranges]\noop = 'AA'\nip = 'KK'\n[cards]\nflop = 'QsJh2h'\nturn = '8c'\n[tree]\nstarting_pot = 100\n\
                          effective_stack = 150\nadd_allin_threshold = 0\nforce_allin_threshold = 0\n[bet_sizes.turn]\noop_bet = '50%'\n\
                          oop_raise = ''\nip_bet = ''\nip_raise = 'a'\n[bet_sizes.river]\noop_bet = ''\nip_bet = ''\n[solver]\n\
                          max_iterations = 10\n";

#[test]
fn every_node_id_of_a_tree_is_a_line_of_inspect() {
    let home = Home::new();
    std::fs::write(home.path().join("turn.toml"), SMALL_TURN).unwrap();
    noregret(home.path(), &["solve", "turn.toml", "--out", "turn.nrs"]).ok();
    let path = home.path().join("turn.nrs");
    let mut upi = Upi::start(&format!("set_end_string END\nload_tree {} full\n", path.display()));
    upi.until("load_tree ok!");
    upi.until("END");
    let (mut ids, mut kinds, mut open) =
        (Vec::new(), std::collections::BTreeMap::new(), vec!["r:0".to_owned()]);
    while let Some(id) = open.pop() {
        let node = upi.ask(&format!("show_node {id}"));
        assert_eq!((node.len(), node[0].as_str(), node[6].as_str()), (7, id.as_str(), ""));
        *kinds.entry(node[1].clone()).or_insert(0) += 1;
        let children = upi.ask(&format!("show_children {id}"));
        let count: usize = node[4].strip_suffix(" children").unwrap().parse().unwrap();
        assert_eq!(children.len(), if count == 0 { 1 } else { 8 * count }, "{id}");
        // One river stands for the others but for those of the first and last cards.
        let places = (0..count).filter(|&place| count < 10 || place < 3 || place + 3 >= count);
        open.extend(places.map(|place| children[8 * place + 1].clone()));
        ids.push(id);
    }
    upi.child.stdin.as_mut().unwrap().write_all(b"exit\n").unwrap();
    assert_eq!(upi.end().0, Some(0));
    assert!(kinds.len() == 4 && kinds["END_NODE"] >= 15 && kinds["SPLIT_NODE"] >= 2, "{kinds:?}");
    assert!(
        ids.iter().any(|id| id.ends_with(":f"))
            && ids.iter().any(|id| id.contains(":As:") || id.contains(":Ad:"))
    );
    for id in &ids {
        let point = home.json(&["inspect", "turn.nrs", "--line", id, "--json"]);
        assert_eq!(point["colon"], **id);
    }
}

#[test]
fn a_signal_ends_a_solve_whose_output_nobody_reads() {
    let commands = format!(
        "{}set_threads 1\nset_accuracy 0\nset_info_freq 0\ngo\n{}",
        building(&FLOP.parse().unwrap()),
        "show_strategy r:0\n".repeat(60)
    );
    let mut upi = Upi::start(&commands);
    upi.until("SOLVER: started");
    // The answers fill the pipe, and then the updates wait for their turn.
    std::thread::sleep(Duration::from_secs(2));
    let Upi { mut child, lines } = upi;
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(20), "it does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(lines);
}
