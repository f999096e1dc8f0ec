//! One piece of a range without its weight: `AsAh`, `AKs`, `TT+`, `A9s-A6s`.

use crate::{Card, HandClass, Hole, Rank, Suit};
use std::fmt;

/// Which hands of two ranks are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Suits {
    Both,
    Suited,
    Offsuit,
}

/// Two ranks, the higher first: `AK`, `AKs`, `AKo`, or `AA`, which always has `Suits::Both`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pattern {
    high: Rank,
    low: Rank,
    suits: Suits,
}

impl Pattern {
    pub(super) fn new(a: Rank, b: Rank, suits: Suits) -> Self {
        Self { high: a.max(b), low: a.min(b), suits: if a == b { Suits::Both } else { suits } }
    }

    fn is_pair(self) -> bool {
        self.high == self.low
    }

    /// Where a `+` ends: at the aces for a pair, else just below the high card.
    fn top(self) -> Self {
        match self.high.below() {
            Some(low) if !self.is_pair() => Self { low, ..self },
            _ => Rank::all().next_back().map_or(self, |ace| Self::new(ace, ace, self.suits)),
        }
    }

    fn gap(self) -> u8 {
        self.high.index() - self.low.index()
    }

    pub(super) fn classes(self) -> impl Iterator<Item = HandClass> {
        let suited = (self.suits != Suits::Offsuit).then(|| HandClass::new(self.high, self.low));
        let offsuit =
            (self.suits != Suits::Suited && !self.is_pair()).then(|| HandClass::new(self.low, self.high));
        suited.into_iter().chain(offsuit)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.suits {
            Suits::Both => "",
            Suits::Suited => "s",
            Suits::Offsuit => "o",
        };
        write!(f, "{}{}{suffix}", self.high.to_char(), self.low.to_char())
    }
}

/// One combination, or a run of patterns under one high card or with one gap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HandGroup {
    Hole(Hole),
    Run { top: Pattern, bottom: Pattern },
}

/// Why a text is not a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GroupProblem {
    Unreadable,
    PairWithSuffix,
    RepeatedCard,
    EndsApart,
}

impl HandGroup {
    /// The longest text of a group: `A9s-A6s`.
    const MAX_CHARS: usize = 7;

    /// The run between two patterns, in either order, if they are on one line.
    pub(super) fn run(a: Pattern, b: Pattern) -> Option<Self> {
        let on_one_line =
            a.suits == b.suits && (a.gap() == b.gap() || a.high == b.high && !a.is_pair() && !b.is_pair());
        let (top, bottom) = if (a.high, a.low) >= (b.high, b.low) { (a, b) } else { (b, a) };
        on_one_line.then_some(Self::Run { top, bottom })
    }

    /// Reads a group; blanks anywhere in it do not matter.
    pub(super) fn parse(text: &str) -> Result<Self, GroupProblem> {
        // Some write ten with two digits, and programs that set type a longer dash.
        let text = text.replace("10", "T").replace('–', "-");
        let chars: Vec<char> =
            text.chars().filter(|c| !c.is_whitespace()).take(Self::MAX_CHARS + 1).collect();
        if let Some(dash) = chars.iter().position(|&c| c == '-') {
            let (a, b) = (parse_pattern(&chars[..dash])?, parse_pattern(&chars[dash + 1..])?);
            return Self::run(a, b).ok_or(GroupProblem::EndsApart);
        }
        match *chars {
            [ref pattern @ .., '+'] => {
                parse_pattern(pattern).map(|bottom| Self::Run { top: bottom.top(), bottom })
            }
            [a, b, c, d] => parse_hole([a, b, c, d]).map(Self::Hole),
            _ => parse_pattern(&chars).map(|pattern| Self::Run { top: pattern, bottom: pattern }),
        }
    }

    /// Calls `f` with each of its hole pairs.
    pub(super) fn for_each_hole(self, mut f: impl FnMut(Hole)) {
        match self {
            Self::Hole(hole) => f(hole),
            Self::Run { .. } => self.classes().flat_map(HandClass::holes).for_each(f),
        }
    }

    /// The classes of a run.
    pub(super) fn classes(self) -> impl Iterator<Item = HandClass> {
        let ends = match self {
            Self::Hole(_) => None,
            Self::Run { top, bottom } => Some((top, bottom)),
        };
        ends.into_iter().flat_map(|(top, bottom)| {
            let patterns = Rank::between(bottom.low, top.low).filter_map(move |low| {
                let same_high = top.high == bottom.high;
                let high = if same_high { Some(top.high) } else { Rank::new(low.index() + top.gap()) };
                Some(Pattern::new(high?, low, top.suits))
            });
            patterns.flat_map(Pattern::classes)
        })
    }
}

impl fmt::Display for HandGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Hole(hole) => hole.fmt(f),
            Self::Run { top, bottom } if top == bottom => top.fmt(f),
            Self::Run { top, bottom } if top == bottom.top() => write!(f, "{bottom}+"),
            Self::Run { top, bottom } => write!(f, "{top}-{bottom}"),
        }
    }
}

fn parse_pattern(chars: &[char]) -> Result<Pattern, GroupProblem> {
    let (a, b, suits) = match *chars {
        [a, b] => (a, b, Suits::Both),
        [a, b, 's' | 'S'] => (a, b, Suits::Suited),
        [a, b, 'o' | 'O'] => (a, b, Suits::Offsuit),
        _ => return Err(GroupProblem::Unreadable),
    };
    let rank = |c| Rank::from_char(c).ok_or(GroupProblem::Unreadable);
    let (a, b) = (rank(a)?, rank(b)?);
    if a == b && suits != Suits::Both {
        return Err(GroupProblem::PairWithSuffix);
    }
    Ok(Pattern::new(a, b, suits))
}

fn parse_hole([a, b, c, d]: [char; 4]) -> Result<Hole, GroupProblem> {
    let card = |rank, suit| Some(Card::new(Rank::from_char(rank)?, Suit::from_char(suit)?));
    let (Some(first), Some(second)) = (card(a, b), card(c, d)) else {
        return Err(GroupProblem::Unreadable);
    };
    Hole::new(first, second).ok_or(GroupProblem::RepeatedCard)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> Result<String, GroupProblem> {
        HandGroup::parse(text).map(|group| group.to_string())
    }

    #[test]
    fn groups_print_in_one_form() {
        for (text, canonical) in [
            ("AA", "AA"),
            ("kas", "AKs"),
            ("AKO", "AKo"),
            ("2h As", "As2h"),
            ("AA+", "AA"),
            ("TT +", "TT+"),
            ("TT-AA", "TT+"),
            ("88 - QQ", "QQ-88"),
            ("AKs+", "AKs"),
            ("75s+", "75s+"),
            ("AKs-ATs", "ATs+"),
            ("A6s-A9s", "A9s-A6s"),
            ("65o-98o", "98o-65o"),
            ("AT+", "AT+"),
            ("T9-54", "T9-54"),
            ("32+", "32"),
        ] {
            assert_eq!(printed(text).as_deref(), Ok(canonical), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_group_is_refused_for_the_right_reason() {
        for text in
            ["", "A", "AKx", "AsK", "AKs++", "AK-", "-AK", "AsKs+", "AK-AQ-AJ", "AKsAQs", "1T", "éé", "+"]
        {
            assert_eq!(printed(text), Err(GroupProblem::Unreadable), "{text}");
        }
        for text in ["AAs", "22o+", "AAs-KKs"] {
            assert_eq!(printed(text), Err(GroupProblem::PairWithSuffix), "{text}");
        }
        assert_eq!(printed("AsAs"), Err(GroupProblem::RepeatedCard));
        for text in ["AKs-AQo", "AKs-AQ", "AK-QT", "AA-AK", "AK-AA", "K9s-Q9s"] {
            assert_eq!(printed(text), Err(GroupProblem::EndsApart), "{text}");
        }
    }
}
