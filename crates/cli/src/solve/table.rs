//! The answer as a person reads it.

use super::answer::{ActionJson, SolveAnswer};
use crate::digits::grouped;
use crate::precision::{Picked, PickedLine};
use crate::unit::ev_heading;
use anstyle::{AnsiColor, Style};
use noregret_holdem::{
    AmountFormat, Chips, IP, LockEffect, OOP, Player, ShownUnit, Size, SolvePlan, StopReason, TreeOptions,
};
use noregret_store::Bytes;
use std::fmt;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const WARN: Style = AnsiColor::Yellow.on_default().bold();

/// How large a spot is and what solving it takes.
pub struct SizeTable<'a> {
    pub plan: &'a SolvePlan,
    pub size: &'a Size,
    pub picked: Option<Picked>,
    pub format: AmountFormat,
}

impl fmt::Display for SizeTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (size, spot) = (self.size, &self.plan.spec.spot);
        let counts = self.plan.layout.betting().counts();
        let (board, options) = (spot.board(), spot.options());
        let (pot, stack) = self.amounts(options);
        let [oop, ip] = [OOP, IP].map(|player| counted(spot.holes(player).count() as u64, "hand"));
        writeln!(f, "{BOLD}Spot{BOLD:#}    {board}, pot {pot}, stack {stack}; OOP has {oop}, IP {ip}")?;
        let boards: Vec<String> = ["flop", "turn", "river"]
            .iter()
            .zip(size.boards)
            .filter(|(_, count)| *count > 0)
            .map(|(street, count)| counted(count as u64, street))
            .collect();
        writeln!(
            f,
            "{BOLD}Tree{BOLD:#}    {} and {} per runout; {}",
            counted(counts.all_decisions() as u64, "decision"),
            counted(counts.all_terminals() as u64, "terminal node"),
            boards.join(", ")
        )?;
        writeln!(
            f,
            "        {}, {}, {} in all",
            counted(size.decision_points, "decision point"),
            counted(size.terminals, "terminal node"),
            counted(size.infosets, "information set")
        )?;
        let memory = size.memory;
        let [total, tree, tables, regrets, strategy] =
            [memory.total(), memory.tree, memory.tables, memory.regrets, memory.strategy]
                .map(|bytes| Bytes(bytes as u64));
        write!(
            f,
            "{BOLD}Memory{BOLD:#}  {total} {DIM}(tree {tree}, tables {tables}, regrets {regrets}, strategy {strategy}){DIM:#}"
        )?;
        if memory.warm_start > 0 {
            let warm = self.plan.spec.solver.warm_start;
            let (iterations, bytes) =
                (counted(warm.iterations.into(), "iteration"), Bytes(memory.warm_start as u64));
            write!(
                f,
                "\n{BOLD}Start{BOLD:#}   {iterations} on a coarser tree, taken for {} of the full one; {bytes} of the memory are for it",
                warm.weight()
            )?;
        }
        if !spot.locks().is_empty() {
            let locks = counted(spot.locks().len() as u64, "lock");
            write!(f, "\n{BOLD}Locked{BOLD:#}  {}, by {locks}", counted(spot.locked_hands() as u64, "hand"))?;
        }
        let Some(picked) = self.picked else { return Ok(()) };
        let first_street = self.plan.layout.betting().first_street();
        let line = PickedLine { picked, options: &self.plan.spec.solver, first_street };
        write!(f, "\n{BOLD}Picked{BOLD:#}  {line}")
    }
}

impl SizeTable<'_> {
    /// The pot and the stack. In percent of the pot, the pot is what it is in the spec.
    fn amounts(&self, options: &TreeOptions) -> (String, String) {
        let [pot, stack] = [options.starting_pot, options.effective_stack].map(Chips::as_f64);
        let own = options.amount_format(None).unwrap_or_default();
        let of_pot = if self.format.unit() == ShownUnit::Pot { own } else { self.format };
        (of_pot.text(pot, pot), self.format.text(stack, pot))
    }
}

/// What locks by merit came to.
pub struct Merits {
    pub effects: Vec<LockEffect>,
    /// What both players expect without the locks.
    pub ev: [f64; 2],
}

/// What hands do because of locks by merit, and what that gives up against an opponent who does not react.
pub struct MeritTable<'a> {
    pub merits: &'a Merits,
    pub answer_pot: Chips,
    pub format: AmountFormat,
}

impl fmt::Display for MeritTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, effect) in self.merits.effects.iter().enumerate() {
            let LockEffect { line, player, actions, before, after, given_up, .. } = effect;
            let start = if i > 0 { "\n" } else { "" };
            let at = if line.steps.is_empty() { "at the root".to_owned() } else { format!("after `{line}`") };
            let moved: Vec<String> = actions
                .iter()
                .zip(before.iter().zip(after))
                .map(|(action, (before, after))| {
                    format!("{action} {:.1}% → {:.1}%", 100.0 * before, 100.0 * after)
                })
                .collect();
            let pot = self.answer_pot.as_f64();
            let lost = format!("{:.2}{}", self.format.number(*given_up, pot), self.format.suffix());
            writeln!(f, "{start}{BOLD}Merit{BOLD:#}   {} {at}: {}", seat(*player), moved.join(", "))?;
            write!(f, "        gives up {lost} a hand if nobody reacts")?;
        }
        Ok(())
    }
}

/// What the player who gains by locks gains by them.
pub struct GainLine<'a> {
    /// What both players expect without the locks.
    pub without: [f64; 2],
    pub answer: &'a SolveAnswer,
    pub format: AmountFormat,
}

impl fmt::Display for GainLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gain = |player: Player| self.answer.ev.of(player) - self.without[player.index()];
        let player = if gain(OOP) >= gain(IP) { OOP } else { IP };
        let amount = |ev: f64| format!("{:.2}", self.format.number(ev, self.answer.pot));
        let (before, after) = (self.without[player.index()], self.answer.ev.of(player));
        write!(
            f,
            "{} gains {}{} by the locks: {} instead of {}",
            seat(player),
            amount(gain(player)),
            self.format.suffix(),
            amount(after),
            amount(before)
        )
    }
}

fn seat(player: Player) -> &'static str {
    if player == OOP { "OOP" } else { "IP" }
}

/// The end of a run.
pub struct AnswerTable<'a> {
    pub answer: &'a SolveAnswer,
    pub reason: StopReason,
    pub format: AmountFormat,
}

impl fmt::Display for AnswerTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answer = self.answer;
        let (style, word) = match self.reason {
            StopReason::Target => (GOOD, "Solved"),
            StopReason::Iterations => (WARN, "Out of iterations"),
            StopReason::Stopped => (WARN, "Interrupted"),
        };
        writeln!(
            f,
            "{style}{word}{style:#}: exploitability {BOLD}{:.4}%{BOLD:#} of the pot (target {}%)",
            answer.exploitability_pct, answer.target_pct
        )?;
        let iterations = counted(answer.iterations.into(), "iteration");
        writeln!(f, "{DIM}{iterations} in {:.2} s{DIM:#}", answer.seconds)?;
        writeln!(f, "{DIM}Precision: {}{DIM:#}\n", answer.precision_text)?;
        write_players(f, answer, self.format)?;
        writeln!(f)?;
        write_root(f, answer, self.format)?;
        writeln!(f)?;
        write!(f, "{DIM}strategy digest {}{DIM:#}", answer.strategy_digest)
    }
}

/// That the iterations ended before the target was reached, and what to do about it.
pub struct MissedTarget<'a>(pub &'a SolveAnswer);

impl fmt::Display for MissedTarget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SolveAnswer { exploitability_pct, target_pct, iterations, .. } = self.0;
        let iterations = counted((*iterations).into(), "iteration");
        write!(
            f,
            "the target of {target_pct}% was missed: {exploitability_pct:.4}% after {iterations}; allow more with \
             --max-iterations"
        )
    }
}

/// EV, equity and EQR, a line for each player.
fn write_players(f: &mut fmt::Formatter<'_>, answer: &SolveAnswer, format: AmountFormat) -> fmt::Result {
    let cells = |player| {
        let eqr = answer.eqr(player);
        [
            format!("{:.2}", format.number(answer.ev.of(player), answer.pot)),
            format!("{:.3}%", 100.0 * answer.equity.of(player)),
            if eqr.is_finite() { format!("{:.1}%", 100.0 * eqr) } else { "–".to_owned() },
        ]
    };
    let headings = [ev_heading(format), "equity".to_owned(), "EQR".to_owned()];
    let rows = [headings, cells(OOP), cells(IP)];
    let widths: [usize; 3] =
        std::array::from_fn(|i| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0));
    for (name, row, style) in
        [("", &rows[0], BOLD), ("OOP", &rows[1], Style::new()), ("IP", &rows[2], Style::new())]
    {
        let line: String = row.iter().zip(widths).map(|(cell, width)| format!("   {cell:>width$}")).collect();
        writeln!(f, "{BOLD}{name:<3}{BOLD:#}{style}{line}{style:#}")?;
    }
    Ok(())
}

/// How often each action is taken at the root.
fn write_root(f: &mut fmt::Formatter<'_>, answer: &SolveAnswer, format: AmountFormat) -> fmt::Result {
    let root = &answer.root;
    writeln!(f, "{BOLD}{} at the root{BOLD:#}", root.player.to_uppercase())?;
    let name = |choice: &ActionJson| format.action(choice.taken, answer.pot, 0.0);
    let width = root.actions.iter().map(|choice| name(choice).len()).max().unwrap_or(0);
    for choice in &root.actions {
        let (name, colour) = (name(choice), colour(choice.action));
        let (percent, bar) = (100.0 * choice.frequency, bar(choice.frequency));
        writeln!(f, "  {name:<width$}  {percent:>6.2}%  {colour}{bar}{colour:#}")?;
    }
    Ok(())
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

/// `1 turn`, `1,429 rivers`.
fn counted(count: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_a_thing_has_no_plural() {
        assert_eq!([counted(1, "turn"), counted(1429, "river")], ["1 turn", "1,429 rivers"]);
    }
}
