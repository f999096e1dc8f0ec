//! A hundred thousand lines that are nearly commands: each has one answer, in order, and none ends the session.

use noregret_upi::{SUPPORTED, SessionStopper, run};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// Commands to start from: all of them, see [`may_be_sent`].
const COMMANDS: &[&str] = &[
    "is_ready",
    "exit",
    "set_end_string END",
    "reset_end_string",
    "show_version",
    "show_settings",
    "show_memory",
    "show_hand_order",
    "set_threads 1",
    "take_a_break 0",
    "wait_for_solver",
    "set_info_freq 9",
    "set_range OOP AA,QQ,T9s,87s",
    "set_range IP KK,JJ,AQs",
    "set_range OOP 0 1 0.5",
    FULL_RANGE,
    FULL_RANGE,
    "set_board QsJh2h8c3d",
    "set_pot 0 0 180",
    "set_eff_stack 910",
    "set_rake 0.05 30",
    "set_isomorphism 1 0",
    "set_accuracy 0.5 chips",
    "set_accuracy 0.01 fraction",
    "set_recalc_accuracy 0.1 0.1 0.1",
    "set_always_recalc 0 60000",
    "clear_lines",
    "add_line 0 90 225 910",
    "add_line 90 225",
    "remove_line 90",
    "force_line 0 90",
    "load_spec spec.toml",
    "add_info_line #a#b",
    "reset_tree_info",
    "estimate_tree",
    "build_tree",
    "build_tree",
    "free_tree",
    "is_tree_present",
    "go 3",
    "go 2 steps",
    "go 0.01 seconds",
    "stop",
    "stop",
    "solver_time",
    "show_node r:0:c:b90",
    "show_node r",
    "show_children r:0:b90",
    "show_all_lines",
    "show_effective_stack",
    "show_tree_info",
    "show_metadata river.nrs",
    "show_strategy r:0",
    "show_strategy r:0:c:b90",
    "show_strategy_pp r:0:c",
    "show_range OOP r:0:b90",
    "show_range IP",
    "calc_ev OOP r:0",
    "calc_ev_pp IP r:0:c",
    "calc_eq OOP",
    "calc_eq_node IP r:0:c",
    "calc_results",
    "calc_global_freq r:0:b90",
    "calc_line_freq r:0:c",
    "set_strategy r:0 1 0",
    FULL_STRATEGY,
    FULL_STRATEGY,
    "lock_node r:0:c",
    "lock_node r:0",
    "unlock_node r:0",
    "load_tree river.nrs",
    "load_tree river.nrs full",
    "load_all_nodes",
    "dump_tree river.nrs full",
    "dump_tree river.nrs no_rivers",
    "solve_partial r:0:c",
    "combo_lock_node r:0 1",
    "echo \"a b\"",
];

/// Stand for `set_range` and `set_strategy` with all of their numbers.
const FULL_RANGE: &str = "a full range";
const FULL_STRATEGY: &str = "a full strategy";

/// A line with as many numbers as a command takes.
fn full(line: &str) -> String {
    match line {
        FULL_RANGE => format!("set_range IP {}", vec!["0.5"; 1326].join(" ")),
        FULL_STRATEGY => {
            format!("set_strategy r:0:c {} {}", vec!["0.25"; 1326].join(" "), vec!["0.75"; 1326].join(" "))
        }
        line => line.to_owned(),
    }
}

/// Whether a line can be sent: not if it would end the session, change how answers are told apart, or take its time.
fn may_be_sent(line: &str) -> bool {
    let line = line.trim().trim_start_matches('\u{feff}').replace('"', "");
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = words.get(1).and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0);
    match words.first() {
        None => false,
        Some(command) if command.starts_with('#') => false,
        Some(&"exit" | &"reset_end_string") => words.len() > 1,
        Some(&"set_end_string") => words.len() != 2,
        Some(&"set_threads") => number <= 2.0,
        Some(&"take_a_break") => number <= 0.001 || number > 86_400.0,
        Some(_) => true,
    }
}

/// A tree that is there, so that commands have something to be about.
const SETUP: &[&str] = &[
    "stop",
    "set_board QsJh2h8c3d",
    "set_range OOP AA,QQ,T9s,87s",
    "set_range IP KK,JJ,AQs",
    "set_pot 0 0 180",
    "set_eff_stack 910",
    "set_rake 0 0",
    "clear_lines",
    "add_line 0 90 225 910",
    "add_line 90 225",
    "build_tree",
    "go 3",
];

/// What is put into commands: no dots and slashes, so that no file outside of the folder is meant.
const PIECES: &[&str] = &[
    " ",
    "  ",
    "\"",
    "0",
    "1",
    "9",
    "-",
    ":",
    "r",
    "r:0",
    "c",
    "b",
    "f",
    "Th",
    "Qs",
    "OOP",
    "IP",
    "x",
    "é",
    "\t",
    "#",
    ",",
    "+",
    "e",
    "nan",
    "inf",
    "99999999999999999999",
    "\u{0}",
    "\u{1F0A1}",
    "*",
    "910",
    "90",
];

/// Random numbers that are the same in every run (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % count as u64) as usize
    }

    fn mutated(&mut self) -> String {
        let mut line: Vec<char> = full(COMMANDS[self.below(COMMANDS.len())]).chars().collect();
        for _ in 0..=self.below(4) / 3 {
            // Mostly in the arguments: what is wrong with a name is soon said.
            let arguments = line.iter().position(|&c| c == ' ').map_or(0, |blank| blank + 1);
            let from = if self.below(8) > 0 { arguments } else { 0 };
            let at = from + self.below(line.len() + 1 - from);
            match self.below(4) {
                0 if at < line.len() => drop(line.remove(at)),
                1 => drop(line.splice(at..at, PIECES[self.below(PIECES.len())].chars())),
                2 => line.truncate(at),
                _ => {
                    let piece = PIECES[self.below(PIECES.len())];
                    let end = (at + self.below(5)).min(line.len());
                    line.splice(at..end, piece.chars());
                }
            }
        }
        line.into_iter().collect()
    }
}

const END: &str = "<END OF AN ANSWER>";

/// Keeps the first line of every answer.
#[derive(Clone, Default)]
struct FirstLines(Arc<Mutex<(Vec<u8>, Vec<String>)>>);

impl Write for FirstLines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut state = self.0.lock().unwrap();
        let text = String::from_utf8(std::mem::take(&mut state.0)).unwrap();
        // What is written between two flushes is one answer or one update.
        if let Some(answer) = text.strip_suffix(&format!("{END}\n"))
            && !text.starts_with("SOLVER:\n")
        {
            assert!(!answer.contains(END), "{answer}");
            state.1.push(answer.lines().next().unwrap_or_default().to_owned());
        }
        Ok(())
    }
}

#[test]
fn every_command_is_mutated() {
    for command in SUPPORTED {
        let is_there = COMMANDS.iter().any(|line| full(line).split(' ').next() == Some(command));
        assert!(is_there, "{command}");
    }
}

#[test]
fn each_of_a_hundred_thousand_mutated_lines_has_one_answer_in_order() {
    let folder = tempfile::tempdir().unwrap();
    std::env::set_current_dir(folder.path()).unwrap();
    let spec = "[ranges]\noop = 'AA,QQ'\nip = 'KK,JJ'\n[cards]\nflop = 'QsJh2h'\nturn = '8c'\nriver = '3d'\n[tree]\nstarting_pot = 100\n\
                effective_stack = 200\n";
    std::fs::write("spec.toml", spec).unwrap();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut errors = 0;
    for _ in 0..50 {
        let mut script = format!("set_end_string \"{END}\"\nset_info_freq 1e8\nset_threads 1\n");
        let mut expected: Vec<Option<String>> = vec![None; 3];
        let mut i = 0;
        while i < 2000 {
            let line = random.mutated();
            if !may_be_sent(&line) {
                continue;
            }
            if line.contains("wait_for_solver") {
                // What runs may run for ever.
                script.push_str("stop\n");
                expected.push(Some("stop ok!".to_owned()));
            }
            script.push_str(&line.replace('\n', " "));
            script.push('\n');
            expected.push(None);
            i += 1;
            if i % 25 == 1 {
                for command in SETUP {
                    script.push_str(&format!("{command}\n"));
                    expected.push(Some(format!("{} ok!", command.split(' ').next().unwrap())));
                }
            }
            if i % 7 == 0 {
                script.push_str(&format!("echo number {i}\n"));
                expected.push(Some(format!("number {i}")));
            }
        }
        script.push_str("stop\n");
        expected.push(Some("stop ok!".to_owned()));
        let output = FirstLines::default();
        run(&mut script.as_bytes(), Box::new(output.clone()), &SessionStopper::default()).unwrap();
        let answers = std::mem::take(&mut output.0.lock().unwrap().1);
        assert_eq!(answers.len(), expected.len());
        for (answer, expected) in answers.iter().zip(&expected) {
            assert!(
                expected.as_ref().is_none_or(|expected| expected == answer),
                "{answer} is not {expected:?}"
            );
        }
        let mutated = answers.iter().zip(&expected).filter(|(_, expected)| expected.is_none());
        errors += mutated.filter(|(answer, _)| answer.starts_with("ERROR: ")).count();
    }
    // More than a tenth are still commands that do something; the others say what is wrong.
    assert!((40_000..90_000).contains(&errors), "{errors} of 100,000 are errors");
}
