//! The answer as a person reads it.

use super::answer::Answer;
use crate::bytes::Bytes;
use anstream::println;
use anstyle::{AnsiColor, Style};
use noregret_holdem::{Ending, IP, OOP, Outline};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const WARN: Style = AnsiColor::Yellow.on_default().bold();

/// How large the spot is and what solving it takes.
pub fn print_size(outline: &Outline) {
    let size = outline.size();
    let counts = outline.betting().counts();
    let boards: Vec<String> = ["flop", "turn", "river"]
        .iter()
        .zip(size.boards)
        .filter(|(_, count)| *count > 0)
        .map(|(street, count)| {
            format!("{} {street}{}", grouped(count as u64), if count == 1 { "" } else { "s" })
        })
        .collect();
    println!(
        "{BOLD}Tree{BOLD:#}    {} decisions and {} endings per runout; {}",
        counts.all_decisions(),
        counts.all_terminals(),
        boards.join(", ")
    );
    println!(
        "        {} decision points, {} endings, {} information sets in all",
        grouped(size.decision_points),
        grouped(size.terminals),
        grouped(size.infosets)
    );
    let memory = size.memory;
    let part = |bytes: usize| Bytes(bytes as u64);
    println!(
        "{BOLD}Memory{BOLD:#}  {} {DIM}(tree {}, tables {}, regrets {}, strategy {}){DIM:#}",
        part(memory.total()),
        part(memory.tree),
        part(memory.tables),
        part(memory.regrets),
        part(memory.strategy)
    );
}

/// The end of a run.
pub fn print_answer(answer: &Answer, ending: Ending) {
    let (style, word) = match ending {
        Ending::Target => (GOOD, "Solved"),
        Ending::Iterations => (WARN, "Stopped at the last iteration"),
        Ending::Stopped => (WARN, "Interrupted"),
    };
    println!(
        "{style}{word}{style:#}: exploitability {BOLD}{:.4}%{BOLD:#} of the pot (target {}%) after {} iterations and {:.1} s",
        answer.exploitability_pct, answer.target_pct, answer.iterations, answer.seconds
    );
    println!();
    println!("{BOLD}          EV      equity     EQR{BOLD:#}");
    for (player, name) in [(OOP, "OOP"), (IP, "IP")] {
        println!(
            "{BOLD}{name:<4}{BOLD:#}{:>8.2} {:>9.3}% {:>6.1}%",
            answer.ev.of(player),
            100.0 * answer.equity.of(player),
            100.0 * answer.eqr(player)
        );
    }
    println!();
    println!("{BOLD}{} at the root{BOLD:#}", answer.root.player.to_uppercase());
    for option in &answer.root.actions {
        let name = if option.amount > 0 {
            format!("{} {}", option.action, option.amount)
        } else {
            option.action.to_owned()
        };
        let colour = colour(option.action);
        println!(
            "  {name:<12} {:>6.2}%  {colour}{}{colour:#}",
            100.0 * option.frequency,
            bar(option.frequency)
        );
    }
    println!();
    println!("{DIM}strategy digest {}{DIM:#}", answer.strategy_digest);
}

fn colour(action: &str) -> Style {
    match action {
        "fold" => AnsiColor::Blue.on_default(),
        "check" | "call" => AnsiColor::Green.on_default(),
        "all-in" => AnsiColor::Magenta.on_default(),
        _ => AnsiColor::Red.on_default(),
    }
}

/// A bar of 40 cells for the whole.
fn bar(share: f64) -> String {
    "█".repeat((share * 40.0).round() as usize)
}

/// `1234567` as `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_in_groups_of_three() {
        assert_eq!([grouped(7), grouped(1234), grouped(63_022_226)], ["7", "1,234", "63,022,226"]);
    }
}
