//! The spec of a hand as text: what people edit and what is solved go through the one reader.

use crate::money::Money;
use noregret_cards::Board;
use noregret_holdem::Line;
use noregret_holdem::preflop::{StreetTexts, street_sizes};
use std::fmt;

/// Everything that a spec says of a hand. Amounts are in the smallest of the hand, so that they are whole.
pub(crate) struct SpotText {
    pub title: String,
    pub ranges: [String; 2],
    /// Where the ranges are from.
    pub sources: [String; 2],
    pub flop: Board,
    pub pot: Money,
    pub stack: Money,
    pub big_blind: Money,
    /// The share of every pot, and the most.
    pub rake: Option<(f64, f64)>,
    pub oop_raised_last: bool,
    pub target_pct: f64,
    /// The line that was played, where the sizes do not have it.
    pub added: Option<Line>,
    /// Bets that are close to what was played, which takes their place.
    pub removed: Vec<Line>,
}

impl fmt::Display for SpotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { title, ranges: [oop, ip], sources: [oop_source, ip_source], .. } = self;
        write!(
            f,
            "# {title}. Ranges and bets are a starting point.\n\n[ranges]\n# {oop_source}\noop = \"{oop}\"\n\
             # {ip_source}\nip = \"{ip}\"\n\n[cards]\nflop = \"{}\"\n\n[tree]\nstarting_pot = {}\neffective_stack = {}\n\
             unit = \"chips\"\nbig_blind = {}\n",
            self.flop,
            self.pot.count(),
            self.stack.count(),
            self.big_blind.count()
        )?;
        if let Some((rate, cap)) = self.rake {
            writeln!(f, "rake_rate = {rate}\nrake_cap = {cap}")?;
        }
        if let Some(line) = &self.added {
            write!(f, "\n# What was played.\n[[tree.add]]\nline = \"{line}\"\n")?;
        }
        for line in &self.removed {
            write!(f, "\n# What was played is close to it.\n[[tree.remove]]\nline = \"{line}\"\n")?;
        }
        let streets = street_sizes(self.stack.over(self.pot), self.oop_raised_last);
        for (name, StreetTexts { oop_bet, oop_donk, ip_bet, raise }) in
            ["flop", "turn", "river"].into_iter().zip(streets)
        {
            write!(f, "\n[bet_sizes.{name}]\noop_bet = \"{oop_bet}\"\noop_raise = \"{raise}\"\n")?;
            if name != "flop" {
                writeln!(f, "oop_donk = \"{oop_donk}\"")?;
            }
            write!(f, "ip_bet = \"{ip_bet}\"\nip_raise = \"{raise}\"\n")?;
        }
        write!(f, "\n[solver]\ntarget_exploitability_pct = {}\nprecision = \"auto\"\n", self.target_pct)
    }
}
