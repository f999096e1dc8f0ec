//! Amounts of chips, whole or with up to two decimals.
//!
//! ```
//! use noregret_holdem::{Chips, Granularity};
//!
//! let pot: Chips = "5.5".parse()?;
//! assert_eq!((pot.as_f64(), pot.granularity(), pot.count()), (5.5, Granularity::Tenths, 55));
//! assert_eq!(pot.to_string(), "5.5");
//! # Ok::<(), noregret_holdem::ParseChipsError>(())
//! ```

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// The smallest amount that a betting tree knows: amounts are rounded to multiples of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Granularity {
    /// 1: whole chips.
    #[default]
    Whole,
    /// 0.1
    Tenths,
    /// 0.01
    Hundredths,
}

impl Granularity {
    /// All of them, the coarsest first.
    pub const ALL: [Self; 3] = [Self::Whole, Self::Tenths, Self::Hundredths];

    /// How many of the smallest amount make one chip.
    pub const fn per_chip(self) -> u32 {
        match self {
            Self::Whole => 1,
            Self::Tenths => 10,
            Self::Hundredths => 100,
        }
    }

    /// So many of the smallest amount as chips: how the numbers of a solver, which counts in the smallest amount, are read.
    pub fn chips(self, count: f64) -> f64 {
        count / f64::from(self.per_chip())
    }

    /// Chips as so many of the smallest amount. A product of decimals that is a whole number but for its rounding is that number.
    pub(crate) fn count(self, chips: f64) -> f64 {
        let count = chips * f64::from(self.per_chip());
        let is_whole = (count - count.round()).abs() <= 1e-9 * count.abs();
        if self == Self::Whole || !is_whole { count } else { count.round() }
    }
}

impl fmt::Display for Granularity {
    /// The smallest amount: `1`, `0.1` or `0.01`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Whole => "1",
            Self::Tenths => "0.1",
            Self::Hundredths => "0.01",
        })
    }
}

/// An amount of chips: so many of the smallest amount of a [`Granularity`], at most [`Chips::MAX_COUNT`], so that no sum of a pot and
/// two stacks overflows. Amounts are compared by what they are worth: 5 and 5.0 are equal.
///
/// Millions of nodes hold them, so they take four bytes: the count has thirty bits, its granularity the other two.
#[derive(Clone, Copy, Default)]
pub struct Chips(u32);

const COUNT_BITS: u32 = 30;

impl Chips {
    /// No chips.
    pub const ZERO: Self = Self(0);
    /// The most of the smallest amount that a pot, a stack or a bet may be: a billion.
    pub const MAX_COUNT: u32 = 1_000_000_000;
    /// The most whole chips that a pot, a stack or a bet may be.
    pub const MAX: Self = Self(Self::MAX_COUNT);

    /// That many whole chips; none if they are more than [`Chips::MAX`].
    pub fn new(count: u64) -> Option<Self> {
        Self::counted(count, Granularity::Whole)
    }

    /// So many of the smallest amount; none if they are more than [`Chips::MAX_COUNT`].
    pub fn counted(count: u64, granularity: Granularity) -> Option<Self> {
        let count = u32::try_from(count).ok().filter(|&count| count <= Self::MAX_COUNT)?;
        Some(Self(count | (granularity as u32) << COUNT_BITS))
    }

    /// So many of the smallest amount, or as many as there can be: for the tree's own sums, which a stack bounds.
    pub(crate) fn saturating(count: u32, granularity: Granularity) -> Self {
        Self(count.min(Self::MAX_COUNT) | (granularity as u32) << COUNT_BITS)
    }

    /// The amount that a number stands for; none if it is negative, has more than two decimals, or is too large.
    pub fn from_f64(number: f64) -> Option<Self> {
        let exact = |granularity: Granularity| {
            let per_chip = f64::from(granularity.per_chip());
            let count = (number * per_chip).round();
            let is_exact = (0.0..=1e15).contains(&count) && count / per_chip == number;
            is_exact.then_some((count as u64, granularity))
        };
        let (count, granularity) = Granularity::ALL.into_iter().find_map(exact)?;
        Self::counted(count, granularity)
    }

    /// How many of the smallest amount.
    pub fn count(self) -> u32 {
        self.0 & ((1 << COUNT_BITS) - 1)
    }

    /// What the smallest amount is.
    pub fn granularity(self) -> Granularity {
        match self.0 >> COUNT_BITS {
            0 => Granularity::Whole,
            1 => Granularity::Tenths,
            _ => Granularity::Hundredths,
        }
    }

    /// The same amount counted in another smallest amount; none if it is not a multiple of that, or too many.
    pub fn at(self, granularity: Granularity) -> Option<Self> {
        let per_chip = u64::from(granularity.per_chip());
        let scaled = u64::from(self.count()) * per_chip;
        let own = u64::from(self.granularity().per_chip());
        scaled.is_multiple_of(own).then(|| Self::counted(scaled / own, granularity))?
    }

    /// How many chips, as a float.
    pub fn as_f64(self) -> f64 {
        self.granularity().chips(f64::from(self.count()))
    }

    /// How many chips some amounts are together: exact, where a sum of floats is not.
    pub fn total(amounts: impl IntoIterator<Item = Self>) -> f64 {
        amounts.into_iter().map(Self::hundredths).sum::<u64>() as f64 / 100.0
    }

    /// How many chips are left of this amount without another: exact, and 0 if the other one is larger.
    pub fn without(self, other: Self) -> f64 {
        self.hundredths().saturating_sub(other.hundredths()) as f64 / 100.0
    }

    /// How many hundredths of a chip.
    pub(crate) fn hundredths(self) -> u64 {
        u64::from(self.count()) * u64::from(100 / self.granularity().per_chip())
    }

    /// So many hundredths of a chip, in the coarsest granularity that has them; none if they are too many.
    pub(crate) fn from_hundredths(hundredths: u64) -> Option<Self> {
        let fits =
            |granularity: &Granularity| hundredths.is_multiple_of(u64::from(100 / granularity.per_chip()));
        let granularity = Granularity::ALL.into_iter().find(fits)?;
        Self::counted(hundredths / u64::from(100 / granularity.per_chip()), granularity)
    }
}

impl PartialEq for Chips {
    fn eq(&self, other: &Self) -> bool {
        self.hundredths() == other.hundredths()
    }
}

impl Eq for Chips {}

impl PartialOrd for Chips {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Chips {
    fn cmp(&self, other: &Self) -> Ordering {
        self.hundredths().cmp(&other.hundredths())
    }
}

impl Hash for Chips {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hundredths().hash(state);
    }
}

impl fmt::Display for Chips {
    /// The shortest decimal: `94`, `1.8`, `0.25`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, per_chip) = (self.count(), self.granularity().per_chip());
        let (whole, rest) = (count / per_chip, count % per_chip);
        if rest == 0 {
            return whole.fmt(f);
        }
        let digits = format!("{:0width$}", rest, width = per_chip.ilog10() as usize);
        f.pad(&format!("{whole}.{}", digits.trim_end_matches('0')))
    }
}

impl fmt::Debug for Chips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<u16> for Chips {
    fn from(count: u16) -> Self {
        Self(u32::from(count))
    }
}

/// A text that is not an amount of chips.
#[derive(Clone, PartialEq, Eq, Debug, Default, thiserror::Error)]
#[error("the amount must be a number with at most two decimals, up to {}, like `94` or `1.8`", Chips::MAX)]
pub struct ParseChipsError;

impl FromStr for Chips {
    type Err = ParseChipsError;

    /// Digits, perhaps with a point and more digits: no sign, no exponent.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let is_decimal = is_number(whole) && is_number(decimals) && text.len() <= 40;
        let number = is_decimal.then(|| text.parse().ok()).flatten();
        number.and_then(Self::from_f64).ok_or(ParseChipsError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn chips(text: &str) -> Chips {
        text.parse().unwrap()
    }

    #[test]
    fn more_than_a_billion_chips_cannot_be_held() {
        assert_eq!(Chips::new(1_000_000_000), Some(Chips::MAX));
        assert_eq!(Chips::new(1_000_000_001), None);
        assert_eq!(Chips::new(u64::MAX), None);
        assert_eq!(Chips::saturating(u32::MAX, Granularity::Whole), Chips::MAX);
        assert_eq!(chips("100000000.0"), Chips::new(100_000_000).unwrap());
        assert_eq!("100000000.1".parse::<Chips>(), Err(ParseChipsError));
        assert_eq!(chips("9999999.99").count(), 999_999_999);
    }

    #[test]
    fn amounts_are_equal_by_what_they_are_worth() {
        let five = chips("5").at(Granularity::Hundredths).unwrap();
        assert_eq!((five.count(), five.to_string()), (500, "5".to_owned()));
        assert_eq!(five, chips("5.0"));
        assert!(chips("5.05") > five && chips("4.9") < five);
        assert_eq!(chips("5.25").at(Granularity::Tenths), None);
        assert_eq!(chips("5.50").granularity(), Granularity::Tenths);
        assert_eq!(Chips::total([chips("5.5"), chips("1.8"), chips("1.8")]), 9.1);
        assert_eq!(chips("97.5").without(chips("1.8")), 95.7);
        assert_eq!(size_of::<Chips>(), 4);
    }

    #[test]
    fn what_is_not_an_amount_is_refused() {
        for text in ["", "-1", "+1", "1e3", "nan", "inf", ".5", "5.", "1.234", "1,5", "0x10", "1.2.3", "１"]
        {
            assert_eq!(text.parse::<Chips>(), Err(ParseChipsError), "{text}");
        }
        for number in [f64::NAN, f64::INFINITY, -1.0, -0.5, 0.125, 1e300] {
            assert_eq!(Chips::from_f64(number), None, "{number}");
        }
        assert_eq!(
            ParseChipsError.to_string(),
            "the amount must be a number with at most two decimals, up to 1000000000, like `94` or `1.8`"
        );
    }

    proptest! {
        #[test]
        fn amounts_print_and_parse_back(count in 0..=u64::from(Chips::MAX_COUNT), place in 0usize..3) {
            let amount = Chips::counted(count, Granularity::ALL[place]).unwrap();
            prop_assert_eq!(amount.to_string().parse(), Ok(amount));
            prop_assert_eq!(Chips::from_f64(amount.as_f64()), Some(amount));
            prop_assert_eq!(amount.at(Granularity::ALL[place]).unwrap().count(), amount.count());
        }
    }
}
