//! What amounts are in, and in what they are shown.
//!
//! A spot has one unit: all its amounts and all its answers are in it. Where its big blind is known, amounts can be shown in the
//! other unit too, and anywhere as a share of the pot.

use super::action::Action;
use super::chips::Chips;
use crate::text::excerpt;
use std::fmt;
use std::str::FromStr;

/// What the amounts of a spot are in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Unit {
    /// Chips, or any money: amounts are whole unless one of them has decimals.
    #[default]
    Chips,
    /// Big blinds: amounts have at least one decimal.
    Bb,
}

impl Unit {
    /// `chips` or `bb`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chips => "chips",
            Self::Bb => "bb",
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Unit {
    type Err = UnitError;

    /// `chips` or `bb`, in any case.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim().to_ascii_lowercase().as_str() {
            "chips" => Ok(Self::Chips),
            "bb" => Ok(Self::Bb),
            _ => Err(UnitError::Unknown(excerpt(text))),
        }
    }
}

/// What amounts are shown in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ShownUnit {
    /// Chips.
    Chips,
    /// Big blinds.
    Bb,
    /// Percent of the pot.
    Pot,
}

impl From<Unit> for ShownUnit {
    fn from(unit: Unit) -> Self {
        match unit {
            Unit::Chips => Self::Chips,
            Unit::Bb => Self::Bb,
        }
    }
}

impl ShownUnit {
    /// `chips`, `bb` or `pot`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chips => "chips",
            Self::Bb => "bb",
            Self::Pot => "pot",
        }
    }

    /// In a sentence: `EVs are in …`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Chips => "chips",
            Self::Bb => "big blinds",
            Self::Pot => "percent of the pot",
        }
    }
}

impl fmt::Display for ShownUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ShownUnit {
    type Err = UnitError;

    /// `chips`, `bb` or `pot`, in any case.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim().to_ascii_lowercase().as_str() {
            "pot" => Ok(Self::Pot),
            other => other.parse::<Unit>().map(Self::from).map_err(|_| UnitError::NotShown(excerpt(text))),
        }
    }
}

/// A unit that means nothing, or nothing here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnitError {
    /// No unit that amounts are in has this name.
    #[error("`{0}` is not a unit of amounts: write `unit = \"chips\"` or `unit = \"bb\"`")]
    Unknown(String),
    /// Nothing is shown in a unit of this name.
    #[error("`{0}` is not a unit to show amounts in: accepted `chips`, `bb`, `pot`")]
    NotShown(String),
    /// Amounts are in one unit and asked for in the other, and nobody has said what a big blind is.
    #[error(
        "amounts are in {0} and nothing says how many chips a big blind is: write `big_blind = 2` in [tree] of the spec"
    )]
    NoBigBlind(Unit),
}

/// How amounts are shown: in the unit that they are in, in the other one, or as a share of the pot.
///
/// ```
/// use noregret_holdem::{ShownUnit, TreeOptions};
///
/// let mut options = TreeOptions::new(180.into(), 910.into());
/// options.big_blind = Some(20.0);
/// let in_blinds = options.amount_format(Some(ShownUnit::Bb))?;
/// assert_eq!(in_blinds.number(94.0, 180.0), 4.7);
/// let in_pots = options.amount_format(Some(ShownUnit::Pot))?;
/// assert_eq!(in_pots.number(90.0, 180.0), 50.0);
/// # Ok::<(), noregret_holdem::UnitError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AmountFormat {
    unit: ShownUnit,
    /// How many of the shown unit one of the spot's is; nothing for a share of the pot.
    factor: f64,
    /// Whether it is what the spot's amounts are in.
    is_own: bool,
}

/// Amounts in chips, as they are.
impl Default for AmountFormat {
    fn default() -> Self {
        Self { unit: ShownUnit::Chips, factor: 1.0, is_own: true }
    }
}

impl AmountFormat {
    /// How amounts in `unit` are shown in another one, if a big blind is so many chips.
    pub fn new(unit: Unit, big_blind: Option<f64>, shown: Option<ShownUnit>) -> Result<Self, UnitError> {
        let own = ShownUnit::from(unit);
        let shown = shown.unwrap_or(own);
        let factor = match (unit, shown) {
            (_, ShownUnit::Pot) => 1.0,
            _ if own == shown => 1.0,
            (Unit::Chips, _) => 1.0 / big_blind.ok_or(UnitError::NoBigBlind(unit))?,
            (Unit::Bb, _) => big_blind.ok_or(UnitError::NoBigBlind(unit))?,
        };
        Ok(Self { unit: shown, factor, is_own: own == shown })
    }

    /// What amounts are shown in.
    pub fn unit(self) -> ShownUnit {
        self.unit
    }

    /// Whether amounts are shown as they are.
    pub fn is_own(self) -> bool {
        self.is_own
    }

    /// An amount as it is shown, where the pot is `pot`; both in the unit of the spot.
    pub fn number(self, amount: f64, pot: f64) -> f64 {
        match self.unit {
            ShownUnit::Pot => 100.0 * amount / pot,
            _ if self.is_own => amount,
            // A quotient of two decimals that has few digits is that decimal.
            _ => {
                let number = amount * self.factor;
                let rounded = (number * 1e6).round() / 1e6;
                if (number - rounded).abs() <= 1e-9 * number.abs() { rounded } else { number }
            }
        }
    }

    /// What stands behind a number: nothing for chips in a spot in chips, ` bb`, ` chips` or `%`.
    pub fn suffix(self) -> &'static str {
        match self.unit {
            ShownUnit::Chips if self.is_own => "",
            ShownUnit::Chips => " chips",
            ShownUnit::Bb => " bb",
            ShownUnit::Pot => "%",
        }
    }

    /// An amount with its unit, with at most two decimals: `180`, `5.5 bb`, `33%`.
    pub fn text(self, amount: f64, pot: f64) -> String {
        let rounded = (100.0 * self.number(amount, pot)).round() / 100.0 + 0.0;
        format!("{rounded}{}", self.suffix())
    }

    /// An action: as in a line where amounts are shown as they are. A bet in percent is its share of the pot, a raise that of the pot
    /// after calling, as sizes are written; `previous` is what the opponent has put in on the street.
    pub fn action(self, action: Action, pot_called: f64, previous: f64) -> String {
        let Some(amount) = action.amount().map(Chips::as_f64).filter(|_| !self.is_own) else {
            return action.to_string();
        };
        let amount = if self.unit == ShownUnit::Pot { amount - previous } else { amount };
        format!("{} {}", action.name(), self.text(amount, pot_called))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_shown_in_either_unit_and_in_pots() {
        let bet: Action = Action::Bet("1.8".parse().unwrap());
        let own = AmountFormat::new(Unit::Bb, None, None).unwrap();
        assert_eq!((own.text(5.5, 5.5), own.action(bet, 5.5, 0.0)), ("5.5 bb".into(), "bet 1.8".into()));
        let chips = AmountFormat::new(Unit::Bb, Some(2.0), Some(ShownUnit::Chips)).unwrap();
        assert_eq!(
            (chips.text(5.5, 5.5), chips.action(bet, 5.5, 0.0)),
            ("11 chips".into(), "bet 3.6 chips".into())
        );
        let pot = AmountFormat::new(Unit::Bb, None, Some(ShownUnit::Pot)).unwrap();
        assert_eq!(
            (pot.text(2.75, 5.5), pot.action(bet, 5.5, 0.0)),
            ("50%".to_owned(), "bet 32.73%".to_owned())
        );
        let raise = Action::Raise("6".parse().unwrap());
        assert_eq!(pot.action(raise, 9.1, 1.8), "raise 46.15%");
        let plain = AmountFormat::default();
        assert_eq!(
            (plain.text(180.0, 180.0), plain.action(Action::Check, 1.0, 0.0)),
            ("180".into(), "check".into())
        );
        let blinds = AmountFormat::new(Unit::Chips, Some(0.1), Some(ShownUnit::Bb)).unwrap();
        assert_eq!(blinds.number(0.3, 1.0), 3.0);
    }

    #[test]
    fn units_without_a_meaning_are_refused() {
        assert_eq!(
            "euro".parse::<Unit>().unwrap_err().to_string(),
            "`euro` is not a unit of amounts: write `unit = \"chips\"` or `unit = \"bb\"`"
        );
        assert_eq!(
            "euro".parse::<ShownUnit>().unwrap_err().to_string(),
            "`euro` is not a unit to show amounts in: accepted `chips`, `bb`, `pot`"
        );
        assert_eq!("BB".parse(), Ok(Unit::Bb));
        assert_eq!(" pot".parse(), Ok(ShownUnit::Pot));
        let refused = AmountFormat::new(Unit::Chips, None, Some(ShownUnit::Bb)).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "amounts are in chips and nothing says how many chips a big blind is: write `big_blind = 2` in [tree] of the spec"
        );
        assert!(AmountFormat::new(Unit::Bb, None, Some(ShownUnit::Chips)).is_err());
    }
}
