//! Sessions in memory.

// Each test file uses its share of these.
#![allow(dead_code)]

use noregret_upi::{Printed, SessionStopper, run};

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
        let lines: Vec<&str> = answer.lines().collect();
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

/// The answer to the last command.
pub fn last(script: &str) -> String {
    answers(script).pop().unwrap()
}

/// Numbers of a line.
pub fn numbers(line: &str) -> Vec<f64> {
    line.split(' ').map(|number| number.parse().unwrap()).collect()
}
