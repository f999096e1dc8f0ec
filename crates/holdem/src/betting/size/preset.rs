//! The named lists of sizes.

use super::{BetSize, SizeKind};
use crate::betting::chips::Chips;
use noregret_cards::Street;
use std::fmt;

/// A built-in list of sizes, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Preset {
    /// All-in only.
    Minimal,
    /// Two or three bets and raises a street. Also called `standard`.
    Medium,
    /// Four to six bets and thirteen raises a street.
    Full,
}

impl Preset {
    /// The list that a name stands for.
    pub fn from_name(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "minimal" => Some(Self::Minimal),
            "medium" | "standard" => Some(Self::Medium),
            "full" => Some(Self::Full),
            _ => None,
        }
    }

    /// The sizes of the list: its percentages of the smaller of pot and stack as amounts, without those that reach the
    /// stack, and all-in.
    pub fn sizes(self, kind: SizeKind, street: Street, pot: Chips, stack: Chips) -> Vec<BetSize> {
        let smaller = pot.min(stack);
        let (base, granularity) = (u64::from(smaller.count()), smaller.granularity());
        let percentages = self.percentages(kind)[street.index()].iter();
        let chips =
            percentages.filter_map(|&percent| Chips::counted((base * percent + 50) / 100, granularity));
        chips
            .filter(|&amount| Chips::ZERO < amount && amount < stack)
            .map(|amount| BetSize::Chips { amount, max_raises: None })
            .chain([BetSize::AllIn])
            .collect()
    }

    /// Flop, turn and river, in percent.
    fn percentages(self, kind: SizeKind) -> [&'static [u64]; 3] {
        match (self, kind) {
            (Self::Minimal, _) => [&[], &[], &[]],
            (Self::Medium, SizeKind::Bet) => [&[50, 100], &[50, 100, 200], &[75, 100, 200]],
            (Self::Medium, SizeKind::Raise) => [&[100, 200], &[89, 150, 174], &[152, 239, 311]],
            (Self::Full, SizeKind::Bet) => {
                [&[25, 50, 100, 200], &[25, 50, 75, 100, 150, 200], &[50, 75, 100, 150, 200, 300]]
            }
            (Self::Full, SizeKind::Raise) => [
                &[80, 85, 91, 100, 112, 120, 133, 144, 156, 165, 186, 200, 300],
                &[53, 82, 89, 100, 103, 109, 114, 130, 150, 158, 167, 174, 324],
                &[86, 99, 115, 129, 152, 165, 181, 204, 239, 260, 311, 327, 411],
            ],
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Minimal => "minimal",
            Self::Medium => "medium",
            Self::Full => "full",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(preset: Preset, kind: SizeKind, street: Street, pot: u16, stack: u16) -> String {
        let sizes = preset.sizes(kind, street, pot.into(), stack.into());
        sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn presets_are_chips_of_the_smaller_of_pot_and_stack_below_the_stack_and_all_in() {
        use SizeKind::{Bet, Raise};
        use Street::{Flop, River, Turn};
        assert_eq!(expanded(Preset::Minimal, Bet, Flop, 180, 910), "a");
        assert_eq!(expanded(Preset::Medium, Bet, Flop, 180, 910), "90c 180c a");
        assert_eq!(expanded(Preset::Medium, Raise, Turn, 180, 910), "160c 270c 313c a");
        assert_eq!(expanded(Preset::Medium, Raise, River, 180, 910), "274c 430c 560c a");
        assert_eq!(expanded(Preset::Full, Bet, River, 180, 400), "90c 135c 180c 270c 360c a");
        assert_eq!(expanded(Preset::Full, Bet, Turn, 500, 100), "25c 50c 75c a");
        assert_eq!(expanded(Preset::Full, Raise, Flop, 100, 1000).split(' ').count(), 14);
        assert_eq!(expanded(Preset::Full, Bet, Flop, 1, 1), "a");
    }
}
