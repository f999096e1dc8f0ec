//! What hands are by name: a made hand or a draw.

use crate::{Board, Draws, FlushDraw, Hole, MadeHand, StraightDraw};
use std::fmt;
use std::str::FromStr;

/// A kind of hands that people speak of: `top pair`, `pair`, `nothing`, `flush draw`.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use noregret_cards::HandKind;
///
/// let draw: HandKind = "flush draw".parse()?;
/// assert!(draw.has("AhTh".parse()?, &"QsJh2h".parse()?));
/// assert!("no such thing".parse::<HandKind>().is_err());
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HandKind {
    /// Makes exactly this with a card of its own.
    Made(MadeHand),
    /// One of the five kinds of one pair.
    Pair,
    /// A pair or better.
    AnyMade,
    /// Less than a pair: those with an ace or a king, too.
    NotMade,
    /// As near to a flush as this.
    Flush(FlushDraw),
    /// As near to a straight as this.
    Straight(StraightDraw),
    /// An open-ended straight draw or a gutshot.
    AnyStraight,
    /// One card away from a straight or a flush.
    AnyDraw,
    /// Nothing, and so many cards above the board.
    Overcards(u8),
}

/// A text that is no kind of hands.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("it is none of {}", HandKind::names())]
pub struct ParseKindError;

/// The kinds that are no made hands, by name. Whoever asks for hands that have nothing wants those with an ace too.
const NAMED: [(&str, HandKind); 12] = [
    ("nothing", HandKind::NotMade),
    ("pair", HandKind::Pair),
    ("made", HandKind::AnyMade),
    ("middle pair", HandKind::Made(MadeHand::SecondPair)),
    ("flush draw", HandKind::Flush(FlushDraw::Draw)),
    ("backdoor flush draw", HandKind::Flush(FlushDraw::Backdoor)),
    ("open-ended", HandKind::Straight(StraightDraw::OpenEnded)),
    ("gutshot", HandKind::Straight(StraightDraw::Gutshot)),
    ("straight draw", HandKind::AnyStraight),
    ("draw", HandKind::AnyDraw),
    ("overcards", HandKind::Overcards(2)),
    ("one overcard", HandKind::Overcards(1)),
];

impl HandKind {
    /// All names, with commas between.
    pub fn names() -> String {
        let made: Vec<&str> = MadeHand::ALL.iter().map(|made| made.name()).collect();
        format!(
            "{}, pair, made; flush draw, backdoor flush draw, open-ended, gutshot, straight draw, draw, overcards, one overcard",
            made.join(", ")
        )
    }

    /// Whether a hand that shares no card with the board is one of them there.
    pub fn has(self, hole: Hole, board: &Board) -> bool {
        MadeHand::of(hole, board).is_some_and(|made| self.holds(made, &Draws::of(hole, board)))
    }

    /// The same, where it is known what the hand makes and what it may become.
    pub fn holds(self, made: MadeHand, draws: &Draws) -> bool {
        match self {
            Self::Made(kind) => made == kind,
            Self::Pair => made.is_pair(),
            Self::AnyMade => made.is_made(),
            Self::NotMade => !made.is_made(),
            Self::Flush(draw) => draws.flush == draw,
            Self::Straight(draw) => draws.straight == draw,
            Self::AnyStraight => draws.straight != StraightDraw::None,
            Self::AnyDraw => draws.is_draw(),
            Self::Overcards(count) => draws.overcards == count,
        }
    }
}

impl FromStr for HandKind {
    type Err = ParseKindError;

    fn from_str(text: &str) -> Result<Self, ParseKindError> {
        let name = text.trim().to_ascii_lowercase();
        let named = NAMED.iter().find(|(known, _)| *known == name).map(|&(_, kind)| kind);
        let made = || MadeHand::ALL.into_iter().find(|made| made.name() == name).map(Self::Made);
        named.or_else(made).ok_or(ParseKindError)
    }
}

impl fmt::Display for HandKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Made(made) => made.fmt(f),
            kind => f.pad(NAMED.iter().find(|(_, named)| named == kind).map_or("", |(name, _)| name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_read_back_from_their_names() {
        for name in HandKind::names().split([',', ';']).map(str::trim) {
            let kind: HandKind = name.parse().unwrap();
            assert_eq!(kind.to_string().parse::<HandKind>().unwrap(), kind, "{name}");
        }
        assert_eq!("Middle Pair".parse::<HandKind>().unwrap().to_string(), "second pair");
        let error = "air".parse::<HandKind>().unwrap_err().to_string();
        assert!(error.starts_with("it is none of nothing, king high, ace high, low pair"), "{error}");
    }

    #[test]
    fn hands_are_of_the_kinds_that_they_make() {
        let board = "QsJh2h".parse().unwrap();
        let has =
            |kind: &str, hole: &str| kind.parse::<HandKind>().unwrap().has(hole.parse().unwrap(), &board);
        assert!(has("nothing", "AcKd") && has("ace high", "AcKd") && !has("made", "AcKd"));
        assert!(has("pair", "AcQd") && has("top pair", "AcQd") && !has("second pair", "AcQd"));
        assert!(has("draw", "Th9c") && has("open-ended", "Th9c") && !has("flush draw", "Th9c"));
        assert!(!has("made", "QsQh"), "a card of the board is no hand's");
    }
}
