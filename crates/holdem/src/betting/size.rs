//! The sizes that a player may bet or raise: one size, and what it is called.
//!
//! ```
//! use noregret_holdem::{SizeKind, SizeList};
//!
//! let raises = SizeList::parse("2.5x, 3e200%, a", SizeKind::Raise)?;
//! assert_eq!(raises.to_string(), "2.5x, 3e200%, a");
//! let error = SizeList::parse("50%, 2.5x", SizeKind::Bet).unwrap_err();
//! assert_eq!(&"50%, 2.5x"[error.span], "2.5x");
//! # Ok::<(), noregret_holdem::ParseSizeError>(())
//! ```

use crate::betting::chips::{Chips, Granularity};
use crate::text::excerpt;
use std::fmt;
use std::ops::Range;

mod list;
mod preset;

pub use list::{SizeEntry, SizeList};
pub use preset::Preset;

/// Whether a size is for a first bet or for raising one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SizeKind {
    /// The first chips of a street.
    Bet,
    /// More than the opponent has put in.
    Raise,
}

/// A share of the pot in percent: positive, and at most a million.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Percent(f64);

impl Percent {
    const MAX: f64 = 1e6;

    /// A percentage; none if it is not positive, or above a million.
    pub fn new(percent: f64) -> Option<Self> {
        (percent > 0.0 && percent <= Self::MAX).then_some(Self(percent))
    }

    /// The number before the percent sign.
    pub fn get(self) -> f64 {
        self.0
    }

    /// This share of an amount.
    pub fn of(self, amount: f64) -> f64 {
        amount * self.0 / 100.0
    }
}

/// A multiple of the previous bet: above 1, and at most a million.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Multiple(f64);

impl Multiple {
    const MAX: f64 = 1e6;

    /// A multiple; none if it is not above 1, or above a million.
    pub fn new(multiple: f64) -> Option<Self> {
        (multiple > 1.0 && multiple <= Self::MAX).then_some(Self(multiple))
    }

    /// The number before the `x`.
    pub fn get(self) -> f64 {
        self.0
    }
}

/// One size of a bet or a raise.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum BetSize {
    /// `70%`: of the pot; for a raise, the previous amount plus this share of the pot after calling.
    Pot(Percent),
    /// `2.5x`: so many times the previous bet. Raises only.
    Previous(Multiple),
    /// `100c`: chips; for a raise, the previous amount plus these. `20c3r`: as long as fewer raises than that were
    /// made on the street.
    Chips {
        /// How many.
        amount: Chips,
        /// How many raises a street may see by this size; no limit if none.
        max_raises: Option<u8>,
    },
    /// `e`, `2e`, `3e200%`: the share of the pot that, bet on each of so many streets, puts the last chip in on the
    /// last of them. For a raise the count drops by one for each raise already made on the street, to no less than 1.
    Geometric {
        /// Over how many streets, at least 1; all that remain if none.
        streets: Option<u8>,
        /// The largest share of the pot that it may come to.
        ceiling: Option<Percent>,
    },
    /// `a`: everything.
    AllIn,
}

/// What a size depends on: the betting that it answers. Amounts are counted in the smallest amount.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Betting {
    /// The pot after calling what there is to call.
    pub pot: f64,
    /// What the opponent has put in on this street; 0 for a first bet.
    pub previous: u32,
    /// What the player will have put in on this street when all-in.
    pub all_in: u32,
    /// The smallest amount.
    pub granularity: Granularity,
    /// How many raises this street has seen.
    pub raises: u32,
    /// How many streets remain, this one included.
    pub streets: u8,
}

impl BetSize {
    /// What the player will have put in on this street, unrounded and not yet kept within the rules.
    pub(crate) fn amount(self, betting: &Betting) -> Option<f64> {
        let previous = f64::from(betting.previous);
        match self {
            Self::Pot(percent) => Some(previous + percent.of(betting.pot)),
            Self::Previous(multiple) => (betting.previous > 0).then_some(previous * multiple.get()),
            Self::Chips { amount, max_raises } => max_raises
                .is_none_or(|most| betting.raises < u32::from(most) || betting.previous == 0)
                .then_some(previous + betting.granularity.count(amount.as_f64())),
            Self::Geometric { streets, ceiling } => {
                let streets = f64::from(streets.unwrap_or(betting.streets));
                let streets = (streets - f64::from(betting.raises)).max(1.0);
                let stack = f64::from(betting.all_in - betting.previous);
                let share = ((2.0 * stack / betting.pot + 1.0).powf(1.0 / streets) - 1.0) / 2.0;
                let share = ceiling.map_or(share, |most| share.min(most.of(1.0)));
                Some(previous + share * betting.pot)
            }
            Self::AllIn => Some(f64::from(betting.all_in)),
        }
    }
}

impl fmt::Display for BetSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Pot(percent) => write!(f, "{}%", percent.0),
            Self::Previous(multiple) => write!(f, "{}x", multiple.0),
            Self::Chips { amount, max_raises: None } => write!(f, "{amount}c"),
            Self::Chips { amount, max_raises: Some(most) } => write!(f, "{amount}c{most}r"),
            Self::Geometric { streets, ceiling } => {
                streets.map_or(Ok(()), |streets| streets.fmt(f))?;
                f.write_str("e")?;
                ceiling.map_or(Ok(()), |percent| write!(f, "{}%", percent.0))
            }
            Self::AllIn => f.write_str("a"),
        }
    }
}

/// A text that is not a size or a list of sizes, and where in it the trouble is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParseSizeError {
    /// The offending bytes of the text.
    pub span: Range<usize>,
    /// What is wrong with them.
    pub message: String,
}

/// What the forms of a size are, for messages.
const FORMS: &str = "`70%` of the pot, `2.5x` the previous bet (raises only), `100c` chips, `20c3r` chips with at \
                     most three raises, `e`, `2e` or `3e200%` geometric, `a` all-in";

impl BetSize {
    /// Reads one size; `Err` is what is wrong with it.
    pub(crate) fn parse(text: &str, kind: SizeKind) -> Result<Self, String> {
        let lower = text.to_ascii_lowercase();
        if let Some(size) = spoken(&lower)? {
            return Ok(size);
        }
        let size = match lower.as_bytes() {
            [.., b'%'] if !lower.contains('e') => Self::Pot(percent(&lower)?),
            [.., b'x'] => Self::Previous(multiple(&lower, kind)?),
            [.., b'c'] => Self::Chips { amount: chips(&lower[..lower.len() - 1])?, max_raises: None },
            [.., b'r'] => limited(&lower)?,
            [.., b'e' | b'%'] => geometric(&lower)?,
            b"a" => Self::AllIn,
            _ if is_digits(&lower.replacen('.', "", 1)) => Self::Pot(bare(&lower)?),
            _ => return Err(format!("`{}` is not a size: write {FORMS}", excerpt(text))),
        };
        Ok(size)
    }
}

/// Sizes in words and fractions: `pot`, `half pot`, `1/2 pot`, `2/3`, `all-in`.
fn spoken(text: &str) -> Result<Option<BetSize>, String> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.as_str() {
        "all-in" | "allin" | "all in" | "jam" | "shove" => return Ok(Some(BetSize::AllIn)),
        "pot" => return Ok(Percent::new(100.0).map(BetSize::Pot)),
        "half pot" | "half" => return Ok(Percent::new(50.0).map(BetSize::Pot)),
        _ => {}
    }
    let fraction = words.strip_suffix("pot").unwrap_or(&words).trim_end();
    let Some((over, under)) = fraction.split_once('/') else { return Ok(None) };
    let parts =
        (is_digits(over) && is_digits(under)).then(|| Some((decimal(over)?, decimal(under)?))).flatten();
    let share =
        parts.filter(|(_, under)| *under > 0.0).and_then(|(over, under)| Percent::new(100.0 * over / under));
    share.map(|share| Some(BetSize::Pot(share))).ok_or_else(|| {
        format!("`{}` is not a fraction of the pot above 0, like `2/3` or `1/2 pot`", excerpt(text))
    })
}

/// A number without a sign behind it: percent, unless it is so small that it may be something else.
fn bare(text: &str) -> Result<Percent, String> {
    let shown = excerpt(text);
    let number = decimal(text).ok_or_else(|| format!("`{shown}` is not a size: write {FORMS}"))?;
    if number < 10.0 {
        return Err(format!(
            "`{shown}` can be read as {shown}% of the pot or as {shown} times: write `{shown}%`, or `{}%` for {shown} times the \
             pot, or `{shown}x` for {shown} times the previous bet (raises only)",
            100.0 * number
        ));
    }
    percent(&format!("{text}%"))
}

/// `70%`.
fn percent(text: &str) -> Result<Percent, String> {
    let number = text.strip_suffix('%').and_then(decimal);
    number.and_then(Percent::new).ok_or_else(|| {
        format!("`{}` is not a percentage above 0 and up to {}, like `70%`", excerpt(text), Percent::MAX)
    })
}

/// `2.5x`.
fn multiple(text: &str, kind: SizeKind) -> Result<Multiple, String> {
    if kind == SizeKind::Bet {
        return Err(format!(
            "`{}` is for raises only: a first bet has no previous bet to multiply",
            excerpt(text)
        ));
    }
    let number = text.strip_suffix('x').and_then(decimal);
    number.and_then(Multiple::new).ok_or_else(|| {
        format!("`{}` is not a multiple above 1 and up to {}, like `2.5x`", excerpt(text), Multiple::MAX)
    })
}

/// `100`, of `100c`.
fn chips(digits: &str) -> Result<Chips, String> {
    let amount = digits.parse::<Chips>().ok().filter(|&chips| chips > Chips::ZERO);
    amount.ok_or_else(|| {
        format!(
            "`{}c` is not an amount above 0 and up to {} with at most two decimals, like `100c` or `1.5c`",
            excerpt(digits),
            Chips::MAX
        )
    })
}

/// `20c3r`.
fn limited(text: &str) -> Result<BetSize, String> {
    let parts = text.strip_suffix('r').and_then(|rest| rest.split_once('c'));
    let parts = parts.filter(|(_, most)| is_digits(most));
    let (amount, most) = parts
        .ok_or_else(|| format!("`{}` is not chips with a limit of raises, like `20c3r`", excerpt(text)))?;
    let most = most.parse().map_err(|_| format!("`{}`: a street has at most 255 raises", excerpt(text)))?;
    Ok(BetSize::Chips { amount: chips(amount)?, max_raises: Some(most) })
}

/// `e`, `2e`, `e200%` or `3e200%`.
fn geometric(text: &str) -> Result<BetSize, String> {
    let wrong = || format!("`{}` is not a geometric size, like `e`, `2e` or `3e200%`", excerpt(text));
    let (streets, ceiling) = text.split_once('e').ok_or_else(wrong)?;
    let streets = match streets {
        "" => None,
        digits if is_digits(digits) => {
            let count = digits.parse().ok().filter(|&count: &u8| (1..=100).contains(&count));
            Some(
                count
                    .ok_or_else(|| format!("`{}`: the streets are a number from 1 to 100", excerpt(text)))?,
            )
        }
        _ => return Err(wrong()),
    };
    let ceiling = match ceiling {
        "" => None,
        text => Some(percent(text)?),
    };
    Ok(BetSize::Geometric { streets, ceiling })
}

/// Digits and nothing else, at least one.
fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A plain decimal: digits with at most one point, no sign, no exponent, no words.
fn decimal(text: &str) -> Option<f64> {
    text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.').then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(text: &str) -> BetSize {
        BetSize::parse(text, SizeKind::Raise).unwrap()
    }

    #[test]
    fn every_form_prints_back_as_it_was_written() {
        for text in [
            "70%", "33.3%", "2.5x", "100c", "1.5c", "0.25c", "20c3r", "2.5c3r", "20c0r", "e", "2e", "3e200%",
            "e150%", "a",
        ] {
            assert_eq!(size(text).to_string(), text);
        }
        assert_eq!(size("A"), BetSize::AllIn);
        for (text, same) in [
            ("33", "33%"),
            ("33.5", "33.5%"),
            ("150", "150%"),
            ("pot", "100%"),
            ("POT", "100%"),
            ("half pot", "50%"),
            ("1/2", "50%"),
            ("1/2 pot", "50%"),
            ("1/2pot", "50%"),
            ("3/4 Pot", "75%"),
            ("3/2", "150%"),
            ("allin", "a"),
            ("All-In", "a"),
            ("all in", "a"),
            ("jam", "a"),
        ] {
            assert_eq!(size(text), size(same), "{text}");
        }
        assert_eq!(size("2E"), size("2e"));
    }

    #[test]
    fn bad_sizes_say_what_is_wrong() {
        let message = |text: &str| BetSize::parse(text, SizeKind::Raise).unwrap_err();
        assert!(message("2").starts_with(
            "`2` can be read as 2% of the pot or as 2 times: write `2%`, or `200%` for 2 times the pot"
        ));
        assert!(message("0.5").contains("can be read as 0.5% of the pot or as 0.5 times"));
        assert_eq!(message("1/0"), "`1/0` is not a fraction of the pot above 0, like `2/3` or `1/2 pot`");
        assert!(message("banana").starts_with("`banana` is not a size"));
        assert_eq!(message("-5%"), "`-5%` is not a percentage above 0 and up to 1000000, like `70%`");
        assert_eq!(message("0%"), "`0%` is not a percentage above 0 and up to 1000000, like `70%`");
        assert_eq!(message("nan%"), "`nan%` is not a percentage above 0 and up to 1000000, like `70%`");
        assert_eq!(message("1x"), "`1x` is not a multiple above 1 and up to 1000000, like `2.5x`");
        let amount =
            "is not an amount above 0 and up to 1000000000 with at most two decimals, like `100c` or `1.5c`";
        for text in ["0c", "0.0c", "1.234c", "-1c", "nanc", "1000000001c"] {
            assert_eq!(message(text), format!("`{text}` {amount}"));
        }
        assert_eq!(message("20c999r"), "`20c999r`: a street has at most 255 raises");
        assert_eq!(message("20r"), "`20r` is not chips with a limit of raises, like `20c3r`");
        assert_eq!(message("0e"), "`0e`: the streets are a number from 1 to 100");
        assert_eq!(message("1.5e"), "`1.5e` is not a geometric size, like `e`, `2e` or `3e200%`");
        assert_eq!(message("2e0%"), "`0%` is not a percentage above 0 and up to 1000000, like `70%`");
        assert_eq!(
            BetSize::parse("2.5x", SizeKind::Bet).unwrap_err(),
            "`2.5x` is for raises only: a first bet has no previous bet to multiply"
        );
        for text in
            ["", "%", "x", "c", "r", ".", ".%", "1e5%e", "1.2.3%", "∞%", "inf%", "+5%", "3ee", "1c1c1r"]
        {
            assert!(BetSize::parse(text, SizeKind::Raise).is_err(), "{text}");
        }
    }

    #[test]
    fn amounts_follow_the_pot_the_previous_bet_and_the_streets_that_remain() {
        let bet = Betting {
            pot: 200.0,
            previous: 0,
            all_in: 900,
            granularity: Granularity::Whole,
            raises: 0,
            streets: 2,
        };
        let amount = |text: &str, betting| size(text).amount(betting).map(|amount| amount.round());
        assert_eq!(amount("60%", &bet), Some(120.0));
        assert_eq!(amount("100c", &bet), Some(100.0));
        assert_eq!(amount("20c0r", &bet), Some(20.0));
        assert_eq!(amount("e", &bet), Some(216.0));
        assert_eq!(amount("1e", &bet), Some(900.0));
        assert_eq!(amount("2e50%", &bet), Some(100.0));
        assert_eq!(amount("a", &bet), Some(900.0));
        assert_eq!(amount("2.5x", &bet), None);

        let raise = Betting { pot: 440.0, previous: 120, ..bet };
        assert_eq!(amount("50%", &raise), Some(340.0));
        assert_eq!(amount("2.5x", &raise), Some(300.0));
        assert_eq!(amount("100c", &raise), Some(220.0));
        // The root of 1 + 2·780/440 is 2.1320, so 56.6% of 440 each.
        assert_eq!(amount("e", &raise), Some(369.0));
        let reraise = Betting { raises: 1, ..raise };
        assert_eq!(amount("e", &reraise), Some(900.0));
        assert_eq!(amount("3e", &reraise), amount("2e", &raise));
        assert_eq!((amount("20c1r", &raise), amount("20c1r", &reraise)), (Some(140.0), None));
    }
}
