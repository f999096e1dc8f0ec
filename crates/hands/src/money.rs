//! Amounts of money, exact.

use crate::currency::Currency;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// So many of the smallest amount of a hand: cents, or chips. A [`MoneyUnit`] says of what.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Money(u64);

impl Money {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The most that an amount in a hand may be, so that no sum of them overflows.
    pub const MAX_COUNT: u64 = 1_000_000_000_000_000;

    /// So many of the smallest amount; none if they are more than [`Money::MAX_COUNT`].
    pub fn new(count: u64) -> Option<Self> {
        (count <= Self::MAX_COUNT).then_some(Self(count))
    }

    /// How many of the smallest amount.
    pub fn count(self) -> u64 {
        self.0
    }

    /// Whether it is nothing.
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// What is left without another amount; none if that is larger.
    pub fn without(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// What is left without another amount; nothing if that is larger.
    #[must_use]
    pub fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// As a multiple of another amount; 0 if that is nothing.
    pub fn over(self, other: Self) -> f64 {
        if other.is_zero() { 0.0 } else { self.0 as f64 / other.0 as f64 }
    }
}

impl Add for Money {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Self::add)
    }
}

/// What the amounts of a hand are in, and what the smallest one is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MoneyUnit {
    /// In what.
    pub currency: Currency,
    /// How many decimals the smallest amount has: 2 where it is a cent.
    pub decimals: u8,
}

impl MoneyUnit {
    /// The most decimals that amounts may have.
    pub const MAX_DECIMALS: u8 = 6;

    /// Reads an amount such as `$1,234.50`, `1500` or `€0.05`; none if it is no amount, or one that this unit does not have.
    pub fn parse(self, text: &str) -> Option<Money> {
        let text = text.trim();
        let digits =
            self.currency.symbols().iter().find_map(|symbol| text.strip_prefix(symbol)).unwrap_or(text);
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let whole = ungrouped(whole)?;
        if digits.ends_with('.') || !is_number(decimals) || whole.len() + decimals.len() > 24 {
            return None;
        }
        let decimals = decimals.trim_end_matches('0');
        let missing = usize::from(self.decimals).checked_sub(decimals.len())?;
        let count: u64 = format!("{whole}{decimals}{}", "0".repeat(missing)).parse().ok()?;
        Money::new(count)
    }

    /// An amount as people write it: `$1.50`, `1500`.
    pub fn text(self, amount: Money) -> String {
        let per_unit = 10u64.pow(u32::from(self.decimals.min(Self::MAX_DECIMALS)));
        let (whole, rest) = (amount.count() / per_unit, amount.count() % per_unit);
        let symbol = self.currency.symbol();
        if rest == 0 {
            return format!("{symbol}{whole}");
        }
        format!("{symbol}{whole}.{rest:0width$}", width = usize::from(self.decimals))
    }

    /// An amount as a number of whole units, for programs.
    pub fn number(self, amount: Money) -> f64 {
        amount.count() as f64 / 10f64.powi(i32::from(self.decimals))
    }
}

/// Digits without the commas between groups of three; none if they are not digits, or the commas stand elsewhere.
fn ungrouped(text: &str) -> Option<String> {
    let mut groups = text.split(',');
    let first = groups.next().filter(|first| !first.is_empty())?;
    let mut digits = first.to_owned();
    let has_commas = text.contains(',');
    for group in groups {
        if group.len() != 3 {
            return None;
        }
        digits.push_str(group);
    }
    let is_fine = digits.bytes().all(|byte| byte.is_ascii_digit()) && (!has_commas || first.len() <= 3);
    is_fine.then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CENTS: MoneyUnit = MoneyUnit { currency: Currency::Usd, decimals: 2 };
    const CHIPS: MoneyUnit = MoneyUnit { currency: Currency::Chips, decimals: 0 };

    #[test]
    fn amounts_are_read_to_the_cent_and_printed_back() {
        for (text, count, printed) in [
            ("$0.05", 5, "$0.05"),
            ("$1", 100, "$1"),
            ("$1.5", 150, "$1.50"),
            ("1,234.56", 123_456, "$1234.56"),
            ("1.500", 150, "$1.50"),
        ] {
            let money = CENTS.parse(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((money.count(), CENTS.text(money).as_str()), (count, printed), "{text}");
        }
        assert_eq!(CHIPS.parse("1,234,567").map(Money::count), Some(1_234_567));
        assert_eq!(CENTS.number(Money(1234)), 12.34);
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        for text in [
            "", "$", "-1", "1.", ".5", "1.234", "1,23", "1,2345", ",123", "1e3", "$$1x", "$$1", "€1", "$€1",
            "９", "1234,567",
        ] {
            assert_eq!(CENTS.parse(text), None, "{text}");
        }
        assert_eq!(CHIPS.parse("$1"), None);
        let canadian = MoneyUnit { currency: Currency::Cad, decimals: 2 };
        assert_eq!(
            ["C$1", "$1", "1", "C1"].map(|text| canadian.parse(text).is_some()),
            [true, true, true, false]
        );
        assert_eq!(CHIPS.parse("1.5"), None);
        assert_eq!(CHIPS.parse("9999999999999999999999"), None);
        assert_eq!(CHIPS.parse("1000000000000001"), None);
    }
}
