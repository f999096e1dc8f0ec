//! PHH documents that pokerkit writes are read to the same actions and the same stacks. A run of its script is beside this test;
//! where pokerkit is installed (`scripts/setup-hands-tests`), it plays other hands too.

use noregret_hands::{PlayedMove, read_text};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Compares every line of the script's output; how many there are.
fn compare(lines: &str) -> usize {
    for line in lines.lines() {
        let told: Value = serde_json::from_str(line).unwrap();
        let document = told["phh"].as_str().unwrap();
        let read = read_text(document);
        assert_eq!(read.errors, [], "{document}");
        let hand = &read.hands[0];
        let number = |name: &str| name.trim_start_matches('p').parse::<u64>().unwrap();
        let actions: Vec<(u64, &str, u64)> = hand
            .actions()
            .iter()
            .map(|action| {
                let (word, amount) = match action.action {
                    PlayedMove::Fold => ("fold", 0),
                    PlayedMove::Check => ("check", 0),
                    PlayedMove::Call => ("call", action.added.count()),
                    PlayedMove::Bet | PlayedMove::Raise => ("raise", action.to.count()),
                };
                (number(&hand.seats()[action.seat].name), word, amount)
            })
            .collect();
        let expected: Vec<(u64, &str, u64)> = told["actions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|action| {
                (action[0].as_u64().unwrap(), action[1].as_str().unwrap(), action[2].as_u64().unwrap())
            })
            .collect();
        assert_eq!(actions, expected, "{document}");
        for seat in hand.seats() {
            let place = number(&seat.name) as usize - 1;
            assert_eq!(
                seat.final_stack.count(),
                told["stacks"][place].as_u64().unwrap(),
                "{}: {document}",
                seat.name
            );
        }
    }
    lines.lines().count()
}

#[test]
fn documents_of_pokerkit_are_read_to_the_same_actions_and_stacks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pokerkit");
    assert_eq!(compare(&std::fs::read_to_string(folder.join("hands.jsonl")).unwrap()), 40);
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/hands-venv/bin/python");
    if !python.exists() {
        return;
    }
    let output = Command::new(python).arg(folder.join("write.py")).args(["2", "100"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(compare(&String::from_utf8(output.stdout).unwrap()), 100);
}
