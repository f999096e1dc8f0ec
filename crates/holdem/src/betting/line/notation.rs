//! Steps as text: with commas between them, or in the notation of PioSOLVER's tools.

use super::colon;
use super::step::{ParseLineError, ParsedStep, PatternStep, Step};
use crate::betting::action::Action;
use crate::betting::chips::Chips;
use crate::text::{excerpt, pieces};
use std::ops::Range;
use std::str::FromStr;

/// Reads steps in either notation.
pub(super) fn parse(text: &str) -> Result<Vec<ParsedStep>, ParseLineError> {
    if colon::is_colon(text) {
        return colon::parse(text);
    }
    let step = |(span, piece): (Range<usize>, &str)| match piece {
        "*" => Ok(ParsedStep { span, step: PatternStep::AnyCard }),
        _ => match parse_step(piece) {
            Ok(step) => Ok(ParsedStep { span, step: PatternStep::Step(step) }),
            Err(message) => Err(ParseLineError { span, message }),
        },
    };
    pieces(text).map(step).collect()
}

/// Reads one step; `Err` is what is wrong with it.
fn parse_step(text: &str) -> Result<Step, String> {
    let lower = text.to_ascii_lowercase();
    let text = &excerpt(text);
    let mut words = lower.split_whitespace();
    let (word, amount, more) = (words.next().unwrap_or_default(), words.next(), words.next());
    let chips = |digits: &str| {
        let digits = digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(digits);
        let chips = digits.and_then(|digits| digits.parse().ok()).and_then(Chips::new);
        chips.ok_or_else(|| format!("`{text}`: the amount must be whole chips up to {}", Chips::MAX))
    };
    if more.is_some() {
        return Err(format!("`{text}` is more than one step: put commas between steps"));
    }
    match (word, amount) {
        ("", _) => Err("a step is missing between the commas".to_owned()),
        ("fold", None) => Ok(Step::Action(Action::Fold)),
        ("check", None) => Ok(Step::Action(Action::Check)),
        ("call", None) => Ok(Step::Action(Action::Call)),
        ("fold" | "check" | "call", Some(_)) => Err(format!("`{text}`: a {word} has no amount")),
        ("bet", Some(amount)) => Ok(Step::Action(Action::Bet(chips(amount)?))),
        ("raise", Some(amount)) => Ok(Step::Action(Action::Raise(chips(amount)?))),
        ("bet" | "raise", None) => {
            Err(format!("`{text}` needs an amount: what the player has put in on this street in all, as in `bet 94`"))
        }
        ("all-in" | "allin", None) => Ok(Step::AllIn),
        ("all-in" | "allin", Some(amount)) => Ok(Step::Action(Action::AllIn(chips(amount)?))),
        _ => lower.parse().map(Step::Card).map_err(|_| {
            format!(
                "`{text}` is not a step: write `fold`, `check`, `call`, `bet 94`, `raise 260`, `all-in`, or a card \
                 like `Th`"
            )
        }),
    }
}

/// Reads the steps of one line, in which no card is left open.
pub(super) fn steps(text: &str) -> Result<Vec<Step>, ParseLineError> {
    let step = |ParsedStep { span, step }| match step {
        PatternStep::Step(step) => Ok(step),
        PatternStep::AnyCard => {
            let message = "`*` stands for every card, and one line has one card there: write it, like `Th`";
            Err(ParseLineError { span, message: message.to_owned() })
        }
    };
    parse(text)?.into_iter().map(step).collect()
}

impl FromStr for Step {
    type Err = ParseLineError;

    /// Reads one step, in any case.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match steps(text)?[..] {
            [step] => Ok(step),
            _ => Err(ParseLineError {
                span: 0..text.len(),
                message: format!("`{}` is not one step, like `check` or `bet 94`", excerpt(text)),
            }),
        }
    }
}
