//! Runs the binary in a directory of its own.

// Each test file uses its share of these.
#![allow(dead_code)]

pub mod noregret;

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A river spot that is solved in milliseconds.
pub const RIVER: &str = r#"[ranges]
oop = "AA,QQ,T9s,87s"
ip = "KK,JJ,AQs"

[cards]
flop = "QsJh2h"
turn = "8c"
river = "3d"

[tree]
starting_pot = 180
effective_stack = 910
"#;

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

/// Hands that were played.
pub const SESSION: &str = include_str!("../../../../examples/session.txt");

/// The first of them by itself.
pub fn first_hand() -> String {
    SESSION.split_inclusive("\n\n\n").next().unwrap_or_default().to_owned()
}

/// Ranges of a hand each for the first hand of [`SESSION`], which is solved with them in a moment.
pub const OWN_RANGES: &str = "[ranges]\n\"BTN calls the 3-bet of BB, 6-max, 20 bb\" = \"AdQd\"\n\
                              \"BB 3-bets BTN, 6-max, 20 bb\" = \"KsKh\"\n";

/// The river spot with one piece of it replaced.
pub fn river_with(old: &str, new: &str) -> String {
    assert!(RIVER.contains(old), "{old}");
    RIVER.replacen(old, new, 1)
}

/// How a run has ended.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }
}

impl Run {
    /// The one JSON object that standard output consists of.
    pub fn json(&self) -> Value {
        assert_eq!(self.stdout.lines().count(), 1, "{self:?}");
        let value: Value = serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {self:?}"));
        assert!(value.is_object());
        value
    }

    /// This run, which must have succeeded.
    pub fn ok(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:?}");
        self
    }
}

/// `noregret solve` in a directory.
pub fn solve_in(directory: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_noregret"));
    command.arg("solve").args(args).current_dir(directory);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// `noregret solve - ARGS` with a spec on standard input, in an empty directory that must stay empty.
pub fn solve(spec: impl AsRef<[u8]>, args: &[&str]) -> Run {
    let directory = TempDir::new().unwrap();
    let mut command = solve_in(directory.path(), &["-"]);
    let mut child = command.args(args).stdin(Stdio::piped()).spawn().unwrap();
    // The program may end without reading it all.
    let _ = child.stdin.take().unwrap().write_all(spec.as_ref());
    let run = child.wait_with_output().unwrap().into();
    assert_empty(directory.path());
    run
}

/// The answer to a spec in JSON.
pub fn answer(spec: &str, args: &[&str]) -> Value {
    solve(spec, &[&["--json"], args].concat()).ok().json()
}

/// Nothing may be written that was not asked for.
pub fn assert_empty(directory: &Path) {
    let names: Vec<_> = directory.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.is_empty(), "{names:?}");
}
