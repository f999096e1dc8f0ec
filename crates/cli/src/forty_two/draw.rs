//! A position drawn for people.

use anstyle::{AnsiColor, Style};
use noregret_dominoes::{Evaluation, Layout, Position, Seat, Table, Team};
use std::fmt::Write;

const HEAD: Style = Style::new().bold();
const BEST: Style = AnsiColor::Green.on_default();
const WORSE: Style = AnsiColor::Yellow.on_default();
const DIM: Style = Style::new().dimmed();

/// A position with its moves, their values and the line of best play.
pub struct Drawing<'a> {
    pub table: &'a Table,
    pub position: &'a Position,
    pub evaluation: &'a Evaluation,
    pub layout: Layout,
    pub score: u8,
}

impl Drawing<'_> {
    /// A count of Team 0's points to go as the layout's value.
    pub fn value(&self, points: u8) -> i8 {
        match self.layout {
            Layout::ToGo => self.evaluation.difference(points),
            Layout::Scored => 2 * (points + self.score) as i8 - 42,
        }
    }

    pub fn text(&self) -> String {
        let mut out = String::new();
        self.draw(&mut out);
        out.trim_end().to_owned()
    }

    fn draw(&self, out: &mut String) {
        let Self { table, position, evaluation, .. } = self;
        let state = position.pack(self.layout, self.score);
        let _ =
            writeln!(out, "{HEAD}{}{HEAD:#}, state {state} ({})", table.declaration(), self.layout.name());
        let _ = writeln!(out);
        for seat in Seat::ALL {
            let mark = if seat == evaluation.turn && !position.is_over() { ">" } else { " " };
            let hand = table.deal().held(seat, position.remaining(seat));
            let _ = writeln!(out, "{mark} seat {seat}  {hand}");
        }
        self.draw_trick(out);
        let team = |team: Team| if team == Team::Zero { "Team 0" } else { "Team 1" };
        let best = self.value(evaluation.best);
        match self.layout {
            Layout::ToGo => {
                let _ = writeln!(
                    out,
                    "{} points to go; best play wins them by {best:+} for Team 0",
                    evaluation.points_left
                );
            }
            Layout::Scored => {
                let _ = writeln!(
                    out,
                    "Team 0 has {} points, {} to go; best play ends at {best:+} for Team 0",
                    self.score, evaluation.points_left
                );
            }
        }
        if position.is_over() {
            return;
        }
        let _ = writeln!(out);
        let _ = writeln!(
            out,
            "{HEAD}move    value  regret{HEAD:#}   (seat {}, {})",
            evaluation.turn,
            team(evaluation.turn.team())
        );
        for (local, points) in evaluation.moves.iter().enumerate() {
            let Some(points) = points else { continue };
            let regret = evaluation.regret(local).unwrap_or(0);
            let style = if regret == 0 { BEST } else { WORSE };
            let domino = table.deal().hand(evaluation.turn)[local];
            let _ = writeln!(out, "{style}{domino}     {:>+5}  {regret:>6}{style:#}", self.value(*points));
        }
        self.draw_line(out);
    }

    fn draw_trick(&self, out: &mut String) {
        let leader = self.position.leader();
        if !self.position.plays().is_empty() {
            let played: Vec<String> = (0..)
                .zip(self.position.plays())
                .map(|(turn, &local)| {
                    let seat = leader.after(turn);
                    format!("seat {seat} {}", self.table.deal().hand(seat)[usize::from(local)])
                })
                .collect();
            let _ = writeln!(out, "  trick   {}", played.join(", "));
        }
        let _ = writeln!(out);
    }

    fn draw_line(&self, out: &mut String) {
        let _ = writeln!(out);
        let _ = writeln!(out, "{HEAD}best play{HEAD:#}");
        let line = self.table.best_line(self.position);
        let first = 4 - self.position.plays().len();
        let (now, later) = line.split_at(first.min(line.len()));
        for trick in std::iter::once(now).chain(later.chunks(4)) {
            let plays: Vec<String> =
                trick.iter().map(|(seat, domino)| format!("{DIM}{seat}:{DIM:#}{domino}")).collect();
            let _ = writeln!(out, "  {}", plays.join("  "));
        }
    }
}
