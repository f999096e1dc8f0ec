//! Lines in the notation of PioSOLVER's tools: `r:0:c:b94:c:Th`.
//!
//! `r` is the root and `r:0` the first decision there. `c` is a check or a call, `f` a fold, `b94` a bet or a raise; its
//! amount is what the player has put in since the root, all streets together.

use super::step::{ParseLineError, ParsedStep, PatternStep, Step};
use crate::betting::action::Action;
use crate::betting::chips::{Chips, ParseChipsError};
use crate::text::excerpt;
use noregret_cards::Card;

/// Whether a text is meant to be in this notation.
pub(super) fn is_colon(text: &str) -> bool {
    text.split(':').next().is_some_and(|root| root.trim().eq_ignore_ascii_case("r"))
}

/// What the players have put in so far, in hundredths: what amounts are counted from.
#[derive(Default)]
struct Bets {
    /// By each player on the streets before.
    before: u64,
    /// By the one who has put in most.
    most: u64,
    /// Whether there is a bet to answer.
    open: bool,
}

/// Reads the steps of a line with their places.
pub(super) fn parse(text: &str) -> Result<Vec<ParsedStep>, ParseLineError> {
    let mut bets = Bets::default();
    let mut steps = Vec::new();
    let mut start = 0;
    for (i, piece) in text.split(':').enumerate() {
        let from = start + (piece.len() - piece.trim_start().len());
        start += piece.len() + 1;
        let piece = piece.trim();
        let is_root = (i == 0 && piece.eq_ignore_ascii_case("r")) || (i == 1 && piece == "0");
        if is_root {
            continue;
        }
        let span = from..from + piece.len();
        let step = bets.step(piece).map_err(|message| ParseLineError { span: span.clone(), message })?;
        steps.push(ParsedStep { span, step });
    }
    Ok(steps)
}

impl Bets {
    fn step(&mut self, piece: &str) -> Result<PatternStep, String> {
        let act = |action| Ok(PatternStep::Step(Step::Action(action)));
        let lower = piece.to_ascii_lowercase();
        match lower.as_str() {
            "f" => act(Action::Fold),
            "c" => act(if std::mem::take(&mut self.open) { Action::Call } else { Action::Check }),
            "*" => {
                self.deal();
                Ok(PatternStep::AnyCard)
            }
            _ => match (lower.strip_prefix('b'), lower.parse::<Card>()) {
                (Some(amount), _) => act(self.bet(piece, amount)?),
                (None, Ok(card)) => {
                    self.deal();
                    Ok(PatternStep::Step(Step::Card(card)))
                }
                (None, Err(_)) => Err(format!(
                    "`{}` is not a step of a line with colons: write `c` to check or call, `b94` to bet or raise, `f` to \
                     fold, or a card like `Th`",
                    excerpt(piece)
                )),
            },
        }
    }

    /// A bet or a raise to so much since the root.
    fn bet(&mut self, piece: &str, amount: &str) -> Result<Action, String> {
        let all: Chips =
            amount.parse().map_err(|error: ParseChipsError| format!("`{}`: {error}", excerpt(piece)))?;
        let street = all
            .hundredths()
            .checked_sub(self.before)
            .filter(|&street| street > 0)
            .and_then(Chips::from_hundredths);
        let street = street.ok_or_else(|| {
            format!(
                "`{}`: with colons an amount counts all streets since the root, and {} are in already",
                excerpt(piece),
                self.before as f64 / 100.0
            )
        })?;
        self.most = all.hundredths();
        Ok(if std::mem::replace(&mut self.open, true) { Action::Raise(street) } else { Action::Bet(street) })
    }

    fn deal(&mut self) {
        self.before = self.most;
        self.open = false;
    }
}

/// Steps in this notation; none if an all-in has no amount.
pub(super) fn print(steps: &[Step]) -> Option<String> {
    let mut text = "r:0".to_owned();
    let (mut before, mut most) = (0u64, 0u64);
    for step in steps {
        text.push(':');
        match step {
            Step::Action(Action::Fold) => text.push('f'),
            Step::Action(Action::Check | Action::Call) => text.push('c'),
            Step::Action(Action::Bet(amount) | Action::Raise(amount) | Action::AllIn(amount)) => {
                most = before + amount.hundredths();
                text.push_str(&format!("b{}", most as f64 / 100.0));
            }
            Step::AllIn | Step::PotShare(_) => return None,
            Step::Card(card) => {
                before = most;
                text.push_str(&card.to_string());
            }
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use crate::Line;
    use proptest::prelude::*;

    fn read(text: &str) -> String {
        text.parse::<Line>()
            .map_or_else(|error| format!("{:?}: {error}", error.span), |line| line.to_string())
    }

    #[test]
    fn amounts_count_from_the_root() {
        assert_eq!(read("r"), "");
        assert_eq!(read("r:0"), "");
        assert_eq!(read("r:0:c:b94"), "check, bet 94");
        assert_eq!(read("R:0:C:B94:b230:C:tH:c:b330"), "check, bet 94, raise 230, call, Th, check, bet 100");
        assert_eq!(read("r:0:c:c:Th:b50:c:2c:b150:f"), "check, check, Th, bet 50, call, 2c, bet 100, fold");
        assert_eq!(read(" r : 0 : c : b94 "), "check, bet 94");
        assert_eq!(read("r:0:b1.8:c:Th:b7.55"), "bet 1.8, call, Th, bet 5.75");
    }

    #[test]
    fn a_bad_step_is_pointed_at() {
        let not = "is not a step of a line with colons: write `c` to check or call";
        assert!(read("r:0:x9").starts_with(&format!("4..6: `x9` {not}")), "{}", read("r:0:x9"));
        assert!(read("r:0:").starts_with(&format!("4..4: `` {not}")), "{}", read("r:0:"));
        assert!(read("r:0:c:0").contains(not));
        assert_eq!(
            read("r:0:b94:c:Th:b94"),
            "13..16: `b94`: with colons an amount counts all streets since the root, and 94 are in already"
        );
        for bad in ["b", "b-4", "b9x", "b1.234", "b99999999999999999999"] {
            assert!(
                read(&format!("r:0:{bad}"))
                    .contains("the amount must be a number with at most two decimals, up to 1000000000"),
                "{bad}"
            );
        }
        assert!(
            read("r:0:c:*")
                .ends_with("`*` stands for every card, and one line has one card there: write it, like `Th`")
        );
    }

    proptest! {
        #[test]
        fn no_text_panics_and_lines_go_there_and_back(text in "r(:0)?(:(c|f|b[0-9]{1,4}|b[0-9]{1,3}[.][0-9]{1,2}|[2-9TJQKA][cdhs])){0,10}|r:\\PC{0,20}") {
            if let Ok(line) = text.parse::<Line>() {
                // With a fold, a bet or a raise in between, the names of later steps may be those of no real line.
                let colon = line.colon().unwrap();
                prop_assert_eq!(colon.parse(), Ok(line));
            }
        }
    }
}
