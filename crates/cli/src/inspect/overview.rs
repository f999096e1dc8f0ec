//! Where one is, what both players expect there, and what can be done.

use super::point::{InspectedPoint, chips, percent, title};
use crate::palette::{BOLD, DIM, Paint};
use crate::unit::ev_heading;
use noregret_holdem::{Action, BettingNodeKind, Player, Step};
use noregret_report::Outlook;
use std::fmt;

/// The head of every look at a point.
pub struct Overview<'a> {
    pub point: &'a InspectedPoint<'a>,
    pub with_actions: bool,
}

/// The bar of an action that is always taken.
const BAR: f64 = 20.0;

impl fmt::Display for Overview<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InspectedPoint { view, summary, line, .. } = self.point;
        let line = if line.steps.is_empty() { "the root".to_owned() } else { line.to_string() };
        writeln!(f, "{BOLD}Board{BOLD:#}  {}   {BOLD}pot{BOLD:#} {}", view.board, self.point.pot_text())?;
        writeln!(f, "{BOLD}Line{BOLD:#}   {line}")?;
        if let Some(colon) = self.point.line.colon().filter(|_| !self.point.line.steps.is_empty()) {
            writeln!(f, "       {DIM}{colon}{DIM:#}")?;
        }
        writeln!(f, "       {}\n", self.state())?;
        let ev = ev_heading(self.point.format);
        writeln!(f, "{BOLD}{:<5}{ev:>10}{:>11}{:>9}{:>10}{BOLD:#}", "", "equity", "EQR", "combos")?;
        for player in Player::BOTH {
            let Outlook { ev, equity, eqr, combos } = summary.players[player.index()];
            writeln!(
                f,
                "{BOLD}{:<5}{BOLD:#}{:>10}{:>11}{:>9}{combos:>10.2}",
                title(player),
                chips(ev),
                percent(equity, 3),
                percent(eqr, 1)
            )?;
        }
        if self.with_actions { self.write_actions(f) } else { Ok(()) }
    }
}

impl Overview<'_> {
    fn state(&self) -> String {
        let InspectedPoint { view, summary, saved, .. } = self.point;
        let kind = saved.game().betting()[view.node].kind;
        let nobody = if summary.matchups > 0.0 { "" } else { ", but no hands of both get here" };
        match kind {
            BettingNodeKind::Decision(player) => format!("{} to act{nobody}", title(player)),
            BettingNodeKind::Chance => format!("a card is dealt{nobody}"),
            BettingNodeKind::Fold(player) => {
                format!("the hand is over: {} has folded{nobody}", title(player))
            }
            BettingNodeKind::Showdown => format!("the hand is over: the hands are shown{nobody}"),
        }
    }

    fn write_actions(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InspectedPoint { view, summary, .. } = self.point;
        let Some(player) = view.player else { return Ok(()) };
        let names = self.point.action_names();
        let width = names.iter().map(String::len).max().unwrap_or(0).max(7);
        writeln!(
            f,
            "\n{BOLD}{:<width$}{:>8}  {:20}{:>9}{:>9}{:>8}{:>8}{BOLD:#}",
            format!("{} can", title(player)),
            "",
            "",
            "combos",
            ev_heading(self.point.format),
            "equity",
            "EQR"
        )?;
        let marks = marks(&self.point.view.actions);
        for (((name, action), paint), mark) in
            names.iter().zip(&summary.actions).zip(Paint::of(&view.actions)).zip(marks)
        {
            let Outlook { ev, equity, eqr, combos } = action.outlook;
            let bar = "█".repeat((action.frequency.unwrap_or(0.0) * BAR).round() as usize);
            let text = paint.text();
            writeln!(
                f,
                "{name:<width$}{:>8}  {text}{bar:<20}{text:#}{combos:>9.2}{:>9}{:>8}{:>8}  {DIM}{mark}{DIM:#}",
                percent(action.frequency, 2),
                chips(ev),
                percent(equity, 1),
                percent(eqr, 1)
            )?;
        }
        let likely = summary
            .actions
            .iter()
            .max_by(|a, b| a.frequency.unwrap_or(0.0).total_cmp(&b.frequency.unwrap_or(0.0)));
        let Some(likely) = likely else { return Ok(()) };
        let mut next = self.point.line.clone();
        next.steps.push(Step::Action(likely.action));
        write!(f, "{DIM}walk on with --line \"{next}\"{DIM:#}")?;
        writeln!(f)
    }
}

/// A letter or a digit for each action: F, X, C, A, and sizes by number.
pub fn marks(actions: &[Action]) -> Vec<char> {
    let mut sizes = "123456789abcdefghijklmnopqrstuvwxyz".chars();
    let mark = |action: &Action| match action {
        Action::Fold => 'F',
        Action::Check => 'X',
        Action::Call => 'C',
        Action::AllIn(_) => 'A',
        Action::Bet(_) | Action::Raise(_) => sizes.next().unwrap_or('+'),
    };
    actions.iter().map(mark).collect()
}
