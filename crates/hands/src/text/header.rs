//! The first line of a hand: whose text it is, its number, the game and the blinds.

use super::{NumberedLine, fault};
use crate::currency::Currency;
use crate::hand_draft::{GameStakes, HandSource};
use crate::history_error::Fault;
use crate::money::{Money, MoneyUnit};

/// What the first line says.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub source: HandSource,
    pub id: String,
    pub stakes: GameStakes,
    pub unit: MoneyUnit,
    pub blinds: [Money; 2],
    pub time: String,
}

/// Whether a line begins a hand.
pub(crate) fn is_header(line: &str) -> bool {
    source(line).is_some()
}

/// Whether a line is one that transcripts sent by mail have between hands: `*********** # 2 **************`.
pub(crate) fn is_between_hands(line: &str) -> bool {
    let number = line.strip_prefix("*********** # ").map(|rest| rest.trim_end_matches(['*', ' ']));
    let is_number = number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    is_number || line.starts_with("Transcript for your last ")
}

fn source(line: &str) -> Option<HandSource> {
    let is_hand = |text: &str| text.contains("Hand #") || text.contains("Game #");
    if line.starts_with("Poker Hand #") {
        return Some(HandSource::GgPoker);
    }
    (line.starts_with("PokerStars ") && is_hand(line)).then_some(HandSource::PokerStars)
}

const GAME: &str = "Hold'em No Limit";

impl Header {
    pub fn read(line: &NumberedLine<'_>) -> Result<Self, Fault> {
        let wrong = |message: &str| fault(line, message);
        let source = source(line.text)
            .ok_or_else(|| wrong("a hand begins with `PokerStars Hand #` or `Poker Hand #`"))?;
        let (before, rest) =
            line.text.split_once(": ").ok_or_else(|| wrong("the number of the hand is missing"))?;
        let id = before.rsplit('#').next().unwrap_or_default().trim();
        if id.is_empty() || id.len() > 40 || !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(wrong("the number of the hand is missing"));
        }
        let Some((event, rest)) = rest.split_once(GAME) else {
            return Err(wrong("only no-limit hold'em is read: `Hold'em No Limit`"));
        };
        // Home games name their club first: `{Club #123}`.
        let club = event.trim().strip_prefix('{').and_then(|event| event.split_once('}'));
        let event = club.map_or(event, |(_, event)| event);
        let stakes = match event.trim().strip_prefix("Tournament #") {
            Some(event) => {
                GameStakes::Tournament(event.split(',').next().unwrap_or_default().trim().to_owned())
            }
            None if event.trim().is_empty() => GameStakes::Cash,
            None => return Err(wrong("only no-limit hold'em is read: `Hold'em No Limit`")),
        };
        let no_blinds = || wrong("the blinds are missing, like `($0.50/$1.00 USD)`");
        let (_, amounts) = rest.split_once('(').ok_or_else(no_blinds)?;
        let (small, big) = amounts.split_once('/').ok_or_else(no_blinds)?;
        let (big, after) = big.split_at(big.find([' ', ')', '(']).ok_or_else(no_blinds)?);
        let code = after.trim_start().split([')', ' ', '-']).next().unwrap_or_default();
        let currency = match &stakes {
            GameStakes::Tournament(_) => Currency::Chips,
            GameStakes::Cash => {
                Currency::of_code(code).or_else(|| Currency::of_symbol(small)).unwrap_or(Currency::Play)
            }
        };
        let decimals = if matches!(currency, Currency::Chips | Currency::Play) { 0 } else { 2 };
        let unit = MoneyUnit { currency, decimals };
        let blind = |text: &str| unit.parse(text).ok_or_else(no_blinds);
        let blinds = [blind(small)?, blind(big)?];
        if blinds[1].is_zero() || blinds[0] > blinds[1] {
            return Err(no_blinds());
        }
        let time = rest.rsplit(" - ").next().unwrap_or_default().trim();
        let has_time = rest.contains(" - ");
        Ok(Self {
            source,
            id: id.to_owned(),
            stakes,
            unit,
            blinds,
            time: if has_time { time.to_owned() } else { String::new() },
        })
    }
}
