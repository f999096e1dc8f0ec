//! Sessions in memory.

// Each test file uses its share of these.
#![allow(dead_code)]

use noregret_holdem::{MemoryLimit, SolveJob, Solver, Spec};
use noregret_upi::{Printed, SessionStopper, run};
use std::io::{self, BufReader, Read};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A river spot that is solved in milliseconds.
pub const RIVER: &str = "set_board QsJh2h8c3d\nset_range OOP AA,QQ,T9s,87s\nset_range IP KK,JJ,AQs\nset_pot 0 0 180\n\
                         set_eff_stack 910\nadd_line 0 90 225 910\nadd_line 90 225 910\n";

/// What a script prints, without the banner.
pub fn printed(script: &str) -> String {
    let printed = Printed::default();
    run(&mut script.as_bytes(), printed.writer(), &SessionStopper::default()).unwrap();
    let text = printed.text();
    let (banner, answers) = text.split_once("\n\n").unwrap();
    assert_eq!(banner.lines().count(), 3, "{banner}");
    answers.to_owned()
}

/// The answers of a script, one a command: the lines before each end string. Updates of a solve are left out.
pub fn answers(script: &str) -> Vec<String> {
    let text = printed(&format!("set_end_string <END>\n{script}"));
    let mut answers: Vec<String> = Vec::new();
    for answer in text.split("<END>\n") {
        let lines: Vec<&str> = answer.split_terminator('\n').collect();
        let is_update = lines.contains(&"SOLVER:");
        let kept: Vec<&str> = lines.into_iter().filter(|line| !line.starts_with("SOLVER: ")).collect();
        let is_message = kept.is_empty() && answer.starts_with("SOLVER: ");
        if !is_update && !is_message {
            answers.push(kept.join("\n"));
        }
    }
    assert_eq!(answers.remove(0), "set_end_string ok!");
    if answers.last().is_some_and(String::is_empty) {
        answers.pop();
    }
    answers
}

/// Why the solves of a script have ended.
pub fn reasons(script: &str) -> Vec<String> {
    let text = printed(script);
    let reasons = text.lines().filter_map(|line| line.strip_prefix("SOLVER: stopped "));
    reasons.map(str::to_owned).collect()
}

/// A number of `calc_results`, by its name.
pub fn result(results: &str, name: &str) -> f64 {
    let line = results.lines().find(|line| line.starts_with(name));
    line.unwrap_or_else(|| panic!("no {name}: {results}")).split(": ").nth(1).unwrap().parse().unwrap()
}

/// The answer to the last command.
pub fn last(script: &str) -> String {
    answers(script).pop().unwrap()
}

/// Numbers of a line.
pub fn numbers(line: &str) -> Vec<f64> {
    line.split_whitespace().map(|number| number.parse().unwrap()).collect()
}

/// A turn spot of some thousand decisions.
pub const TURN: &str = r#"[ranges]
oop = "99+,AJs+,KQs,AhKd:0.5"
ip = "QQ-55,AQs-A9s,KJs+,T9s"

[cards]
flop = "QsJh2h"
turn = "8c"

[tree]
starting_pot = 180
effective_stack = 910
"#;

/// What the engine makes of a spec.
pub fn solved(spec: &Spec) -> Solver {
    SolveJob::plan(spec.clone(), &MemoryLimit::of_machine(), 2).unwrap().run(&mut ()).unwrap().unwrap().solver
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
pub struct Live {
    pub input: Option<mpsc::Sender<String>>,
    pub printed: Printed,
    pub stopper: SessionStopper,
    thread: std::thread::JoinHandle<io::Result<()>>,
}

impl Live {
    pub fn new() -> Self {
        let (input, typed) = mpsc::channel();
        let (printed, stopper) = (Printed::default(), SessionStopper::default());
        let (writer, stops) = (printed.writer(), stopper.clone());
        let thread =
            std::thread::spawn(move || run(&mut BufReader::new(Typed(typed, Vec::new())), writer, &stops));
        Self { input: Some(input), printed, stopper, thread }
    }

    pub fn say(&self, text: &str) {
        self.input.as_ref().unwrap().send(format!("{text}\n")).unwrap();
    }

    /// Waits for a text to be printed.
    pub fn until(&self, text: &str) {
        let start = Instant::now();
        while !self.printed.text().contains(text) {
            assert!(start.elapsed() < Duration::from_secs(60), "no {text}: {}", self.printed.text());
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    pub fn end(mut self) -> String {
        self.input = None;
        self.thread.join().unwrap().unwrap();
        self.printed.text()
    }
}
