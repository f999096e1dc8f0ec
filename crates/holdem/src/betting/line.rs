//! A line of play from the root: actions and cards, as in `check, bet 94, call, Th, check` or `r:0:c:b94:c:Th:c`.
//!
//! ```
//! use noregret_holdem::Line;
//!
//! let line: Line = "Check, bet 94, call, th, allin".parse()?;
//! assert_eq!(line.to_string(), "check, bet 94, call, Th, all-in");
//! # Ok::<(), noregret_holdem::ParseLineError>(())
//! ```

mod colon;
mod notation;
mod pattern;
mod step;

pub use pattern::LinePattern;
use std::fmt;
use std::str::FromStr;
pub use step::{ParseLineError, PatternStep, PotShare, Step};

/// Steps from the root of a spot; none is the root itself.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Line {
    /// The steps, in order.
    pub steps: Vec<Step>,
}

impl Line {
    /// The line in the notation of PioSOLVER's tools; none if an all-in has no amount, as [`BettingTree::exact`] gives it.
    ///
    /// ```
    /// use noregret_holdem::Line;
    ///
    /// let line: Line = "check, bet 94, call, Th, bet 100".parse()?;
    /// assert_eq!(line.colon().as_deref(), Some("r:0:c:b94:c:Th:b194"));
    /// assert_eq!("r:0:c:b94:c:Th:b194".parse(), Ok(line));
    /// # Ok::<(), noregret_holdem::ParseLineError>(())
    /// ```
    ///
    /// [`BettingTree::exact`]: crate::BettingTree::exact
    pub fn colon(&self) -> Option<String> {
        colon::print(&self.steps)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.steps.iter().enumerate() {
            write!(f, "{}{step}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl TryFrom<&str> for Line {
    type Error = ParseLineError;

    fn try_from(text: &str) -> Result<Self, ParseLineError> {
        text.parse()
    }
}

impl From<&Self> for Line {
    fn from(line: &Self) -> Self {
        line.clone()
    }
}

impl FromStr for Line {
    type Err = ParseLineError;

    /// Reads steps with commas between them, in any case; one more comma at the end is fine. A text of blanks is
    /// the root. Reads the notation of PioSOLVER's tools too: `r:0:c:b94`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        notation::steps(text).map(|steps| Self { steps })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Chips, Granularity};
    use proptest::prelude::*;

    #[test]
    fn steps_are_read_in_any_case_and_spelling() {
        let line: Line = " CHECK ,Bet 94,call,tH,allin, All-In 910 ,raise 7, fold".parse().unwrap();
        assert_eq!(line.to_string(), "check, bet 94, call, Th, all-in, all-in 910, raise 7, fold");
        assert_eq!(" ".parse(), Ok(Line::default()));
        for (text, same) in [
            ("bet all-in", "all-in"),
            ("raise allin, call", "all-in, call"),
            ("all in", "all-in"),
            ("X-B40", "check, bet 40"),
            ("x-b40-c-Th-X-B33%-R120-F", "check, bet 40, call, Th, check, bet 33%, raise 120, fold"),
            ("x, b40, C", "check, bet 40, call"),
            ("X-X-2s-A", "check, check, 2s, all-in"),
            ("bet 33 %", "bet 33%"),
            ("bet half pot", "bet 50%"),
            ("raise 2/3", "raise 66.67%"),
            ("bet pot", "bet 100%"),
            ("bet 1.8, raise 5.50, all-in 97.5", "bet 1.8, raise 5.5, all-in 97.5"),
            ("X-B1.8-R5.25", "check, bet 1.8, raise 5.25"),
        ] {
            let line: Line = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(line.to_string(), same, "{text}");
        }
    }

    #[test]
    fn a_bad_step_is_pointed_at() {
        let error = |text: &str| text.parse::<Line>().unwrap_err();
        for (text, bad) in [
            ("check, jump, call", "jump"),
            ("bet", "bet"),
            ("check,bet 9 4", "bet 9 4"),
            ("bet -4", "bet -4"),
        ] {
            assert_eq!(&text[error(text).span], bad);
        }
        assert_eq!(error("check,,").message, "a step is missing between the commas");
        assert_eq!(error("call 5").message, "`call 5`: a call has no amount");
        for text in ["bet 1.234", "bet nan", "bet 1e3", "raise .5"] {
            assert!(
                error(text).message.ends_with("at most two decimals, up to 1000000000, like `94` or `1.8`"),
                "{text}"
            );
        }
        for text in ["bet 1.8bb", "bet 1.8 bb", "raise 20c", "bet 94 chips"] {
            let unit = "amounts of a line are in the unit of the spec: leave the unit out, as in `bet 1.8`";
            assert_eq!(error(text).message, format!("`{text}`: {unit}"));
        }
        let comma = "`bet 1,8` can be read as `bet 1.8` or as two steps, `bet 1` and `8`: write decimals with a \
                     point, and a comma between steps";
        assert_eq!(error("check, bet 1,8, call").message, comma);
        assert!(
            error("bet 99999999999999999999")
                .message
                .contains("the amount must be a number with at most two decimals, up to 1000000000")
        );
    }

    proptest! {
        #[test]
        fn lines_with_decimals_print_and_parse_back(amounts in prop::collection::vec(1u64..100_000, 1..6)) {
            let bets = amounts.iter().map(|&count| Chips::counted(count, Granularity::Hundredths).unwrap());
            let line = Line { steps: bets.map(|amount| Step::Action(Action::Bet(amount))).collect() };
            prop_assert_eq!(line.to_string().parse(), Ok(line.clone()));
        }

        #[test]
        fn no_text_panics_and_what_parses_parses_back(text in "([a-iT2-9 ,0-9-]|check|call|bet |all-in){0,12}|\\PC{0,20}") {
            match text.parse::<Line>() {
                Ok(line) => prop_assert_eq!(line.to_string().parse(), Ok(line)),
                Err(error) => prop_assert!(text.get(error.span).is_some()),
            }
        }
    }
}
