//! Steps as text: with commas between them, or in the notation of PioSOLVER's tools.

use super::colon;
use super::step::{ParseLineError, ParsedStep, PatternStep, PotShare, Step};
use crate::betting::action::Action;
use crate::betting::chips::Chips;
use crate::betting::size::{BetSize, SizeKind};
use crate::text::{excerpt, pieces};
use std::ops::Range;
use std::str::FromStr;

/// Reads steps in either notation.
pub(super) fn parse(text: &str) -> Result<Vec<ParsedStep>, ParseLineError> {
    if colon::is_colon(text) {
        return colon::parse(text);
    }
    let dashed = dashed(text);
    let pieces: Vec<(Range<usize>, &str)> = dashed.unwrap_or_else(|| pieces(text).collect());
    let mut steps: Vec<ParsedStep> = Vec::with_capacity(pieces.len());
    let mut before: Option<(&str, Step)> = None;
    for (span, piece) in pieces {
        if piece == "*" {
            steps.push(ParsedStep { span, step: PatternStep::AnyCard });
            continue;
        }
        match parse_step(piece) {
            Ok(step) => {
                before = Some((piece, step));
                steps.push(ParsedStep { span, step: PatternStep::Step(step) });
            }
            Err(message) => {
                let message = decimal_comma(before, piece).unwrap_or(message);
                return Err(ParseLineError { span, message });
            }
        }
    }
    Ok(steps)
}

/// What is wrong with digits after a comma that follows an amount: `bet 1,8`.
fn decimal_comma(before: Option<(&str, Step)>, digits: &str) -> Option<String> {
    let (bet, Step::Action(action)) = before? else { return None };
    let is_decimal = action.amount().is_some() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_decimal.then(|| {
        let (bet, digits) = (excerpt(bet), excerpt(digits));
        format!(
            "`{bet},{digits}` can be read as `{bet}.{digits}` or as two steps, `{bet}` and `{digits}`: write decimals with a \
             point, and a comma between steps"
        )
    })
}

/// The steps of a line with dashes between letters: `X-B40-C`. None if it is anything else.
fn dashed(text: &str) -> Option<Vec<(Range<usize>, &str)>> {
    let start = text.len() - text.trim_start().len();
    let mut at = start;
    let mut steps = Vec::new();
    for piece in text.trim().split('-') {
        let is_step = short_step(&piece.to_ascii_lowercase()).is_some()
            || piece.parse::<noregret_cards::Card>().is_ok();
        if !is_step {
            return None;
        }
        steps.push((at..at + piece.len(), piece));
        at += piece.len() + 1;
    }
    (steps.len() > 1).then_some(steps)
}

/// A step by its letter: X, C, F, A, or B and R with an amount.
fn short_step(lower: &str) -> Option<Step> {
    let (letter, amount) = lower.split_at_checked(1)?;
    match (letter, amount) {
        ("x", "") => Some(Step::Action(Action::Check)),
        ("c", "") => Some(Step::Action(Action::Call)),
        ("f", "") => Some(Step::Action(Action::Fold)),
        ("a", "" | "i") => Some(Step::AllIn),
        ("b" | "r", amount) if amount.starts_with(|c: char| c.is_ascii_digit()) => {
            let is_raise = letter == "r";
            if let Some(share) = pot_share(amount, is_raise) {
                return Some(share);
            }
            let chips = amount.parse().ok()?;
            Some(Step::Action(if is_raise { Action::Raise(chips) } else { Action::Bet(chips) }))
        }
        _ => None,
    }
}

/// A bet of a share of the pot: `33%`, `1/2 pot`, `pot`. None if it is anything else, like an amount of chips.
fn pot_share(text: &str, is_raise: bool) -> Option<Step> {
    if !text.contains(['%', '/', 'p']) && text != "half" {
        return None;
    }
    let text = text.replace(" %", "%");
    let BetSize::Pot(percent) = BetSize::parse(&text, SizeKind::Bet).ok()? else { return None };
    let basis_points = (100.0 * percent.get()).round() as u32;
    (basis_points > 0).then_some(Step::PotShare(PotShare { is_raise, basis_points }))
}

/// Reads one step; `Err` is what is wrong with it.
fn parse_step(text: &str) -> Result<Step, String> {
    let lower = text.to_ascii_lowercase();
    let text = &excerpt(text);
    if let Some(step) = short_step(&lower) {
        return Ok(step);
    }
    let mut words = lower.split_whitespace();
    let (word, amount, more) = (words.next().unwrap_or_default(), words.next(), words.next());
    let rest = lower.strip_prefix(word).unwrap_or_default().trim();
    match word {
        "bet" | "raise" if matches!(rest, "all-in" | "allin" | "all in") => return Ok(Step::AllIn),
        "bet" | "raise" => {
            if let Some(step) = pot_share(rest, word == "raise") {
                return Ok(step);
            }
        }
        "all" if rest == "in" => return Ok(Step::AllIn),
        _ => {}
    }
    let chips = |amount: &str| {
        amount.parse::<Chips>().map_err(|error| match amount {
            _ if amount.ends_with("bb") || amount.ends_with('c') => {
                format!("`{text}`: amounts of a line are in the unit of the spec: leave the unit out, as in `bet 1.8`")
            }
            _ => format!("`{text}`: {error}"),
        })
    };
    if matches!(more, Some("bb" | "chips")) && matches!(word, "bet" | "raise" | "all-in" | "allin") {
        return Err(format!(
            "`{text}`: amounts of a line are in the unit of the spec: leave the unit out, as in `bet 1.8`"
        ));
    }
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
                "`{text}` is not a step: write `fold`, `check`, `call`, `bet 94`, `bet 33%`, `raise 260`, `all-in`, or a \
                 card like `Th`"
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
