//! Means over boards.

use super::ReportRow;
use crate::summary::{ActionSummary, Outlook};
use noregret_holdem::Action;

/// The mean over some boards. Each counts as often as it happens: by the boards that it stands for, times the pairs of hands that get
/// there; for an action, by how often it is taken there too.
#[derive(Clone, PartialEq, Debug)]
pub struct Average {
    /// How many boards there are, counting those that each row stands for.
    pub weight: f64,
    /// Their weights times their matchups.
    pub matchups: f64,
    /// The pot; none if no hands reach it.
    pub pot: Option<f64>,
    /// Both players.
    pub players: [Outlook; 2],
    /// The actions that were asked for, in that order.
    pub actions: Vec<ActionSummary>,
}

/// Numbers that add up.
#[derive(Clone, Copy, Default)]
struct WeightedSums {
    weight: f64,
    ev: f64,
    equity: f64,
    /// The share of the pot, in chips.
    share: f64,
    combos: f64,
}

impl WeightedSums {
    fn add(&mut self, weight: f64, outlook: &Outlook, pot: f64) {
        if let (Some(ev), Some(equity)) = (outlook.ev, outlook.equity) {
            self.weight += weight;
            self.ev += weight * ev;
            self.equity += weight * equity;
            self.share += weight * equity * pot;
            self.combos += weight * outlook.combos;
        }
    }

    fn outlook(&self) -> Outlook {
        let mean = |sum: f64| (self.weight > 0.0).then(|| sum / self.weight);
        Outlook {
            ev: mean(self.ev),
            equity: mean(self.equity),
            eqr: (self.share > 0.0).then(|| self.ev / self.share),
            combos: mean(self.combos).unwrap_or(0.0),
        }
    }
}

impl Average {
    /// The mean over some rows, for some actions.
    pub fn over(rows: &[&ReportRow], actions: &[Action]) -> Self {
        let often = |row: &ReportRow| row.weight * row.summary.matchups;
        let matchups: f64 = rows.iter().map(|row| often(row)).sum();
        let players = [0, 1].map(|player| {
            let mut sums = WeightedSums::default();
            for row in rows {
                sums.add(often(row), &row.summary.players[player], row.summary.pot);
            }
            sums.outlook()
        });
        let action = |&action: &Action| {
            let mut sums = WeightedSums::default();
            let mut taken = 0.0;
            let mut is_there = false;
            for row in rows {
                let Some(summary) = row.summary.actions.iter().find(|summary| summary.action == action)
                else {
                    continue;
                };
                let weight = often(row) * summary.frequency.unwrap_or(0.0);
                is_there |= summary.frequency.is_some();
                taken += weight;
                sums.add(weight, &summary.outlook, row.summary.pot);
            }
            let frequency = (is_there && matchups > 0.0).then(|| taken / matchups);
            ActionSummary { action, frequency, outlook: sums.outlook() }
        };
        let pot: f64 = rows.iter().map(|row| often(row) * row.summary.pot).sum();
        Self {
            weight: rows.iter().map(|row| row.weight).sum(),
            matchups,
            pot: (matchups > 0.0).then(|| pot / matchups),
            players,
            actions: actions.iter().map(action).collect(),
        }
    }
}
