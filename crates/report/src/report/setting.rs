//! What was solved, apart from the board: solves that differ in it are not averaged together.

use super::ReportRow;
use noregret_holdem::{IP, OOP, Spec};

/// The parts of a spot but its board, as texts to compare.
#[derive(Clone, PartialEq, Debug)]
pub struct SpotSetting {
    /// The street that it begins on.
    pub street: String,
    /// The starting pot.
    pub pot: String,
    /// The effective stack.
    pub stack: String,
    /// Both ranges.
    pub ranges: String,
    /// Bet sizes, rake and other rules, locks.
    pub betting: String,
    /// How many chips a big blind is, if that is known.
    pub big_blind: Option<f64>,
}

impl SpotSetting {
    /// That of a spec.
    pub fn of(spec: &Spec) -> Self {
        let (spot, options) = (&spec.spot, spec.spot.options());
        let own = ["starting_pot", "effective_stack"];
        let mut is_betting = false;
        let mut betting = String::new();
        for line in spec.to_string().lines() {
            if line.starts_with('[') {
                is_betting =
                    ["[tree", "[[tree", "[bet_sizes", "[[locks"].iter().any(|start| line.starts_with(start));
            }
            if is_betting && !own.iter().any(|key| line.starts_with(key)) {
                betting.push_str(line);
                betting.push('\n');
            }
        }
        Self {
            street: spot.board().street().to_string(),
            pot: options.starting_pot.to_string(),
            stack: options.effective_stack.to_string(),
            ranges: format!("{} / {}", spot.range(OOP), spot.range(IP)),
            betting,
            big_blind: options.big_blind,
        }
    }

    /// Each part with the word for it; texts that are too long to show are numbered.
    fn parts(&self) -> [(&'static str, &str, bool); 5] {
        [
            ("from the", &self.street, false),
            ("pot", &self.pot, false),
            ("stack", &self.stack, false),
            ("ranges", &self.ranges, true),
            ("betting", &self.betting, true),
        ]
    }
}

/// Adds to the variants what tells rows apart that have the same one: `stack 60`, `from the turn`.
pub(super) fn set_apart(rows: &mut [ReportRow]) {
    let mut variants: Vec<String> = Vec::new();
    for row in rows.iter() {
        if !variants.contains(&row.variant) {
            variants.push(row.variant.clone());
        }
    }
    for variant in variants {
        let of_variant: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].variant == variant).collect();
        let mut words: Vec<Vec<String>> = vec![Vec::new(); of_variant.len()];
        for part in 0..5 {
            let texts: Vec<&str> = of_variant.iter().map(|&row| rows[row].setting.parts()[part].1).collect();
            let mut known: Vec<&str> = Vec::new();
            texts.iter().for_each(|text| {
                if !known.contains(text) {
                    known.push(text);
                }
            });
            if known.len() < 2 {
                continue;
            }
            for (words, text) in words.iter_mut().zip(&texts) {
                let (name, _, is_numbered) = rows[of_variant[0]].setting.parts()[part];
                let number = known.iter().position(|known| known == text).map_or(0, |place| place + 1);
                words.push(if is_numbered { format!("{name} {number}") } else { format!("{name} {text}") });
            }
        }
        for (&row, words) in of_variant.iter().zip(words).filter(|(_, words)| !words.is_empty()) {
            let own = Some(variant.clone()).filter(|variant| !variant.is_empty());
            rows[row].variant = own.into_iter().chain(words).collect::<Vec<_>>().join(", ");
        }
    }
}
