//! The words that a spot's name is made of.

use std::fmt;
use std::str::FromStr;

/// A word that names nothing of a kind.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is no {kind}: it is one of {known}")]
pub struct NameError {
    /// The word.
    pub text: String,
    /// What was looked for.
    pub kind: &'static str,
    /// What there is.
    pub known: String,
}

/// Finds a value by the text that it prints, without regard to upper and lower case.
fn named<T: Copy + fmt::Display>(text: &str, kind: &'static str, all: &[T]) -> Result<T, NameError> {
    let found = all.iter().find(|each| each.to_string().eq_ignore_ascii_case(text.trim()));
    found.copied().ok_or_else(|| NameError {
        text: crate::text::excerpt(text),
        kind,
        known: all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    })
}

/// How many players are dealt in, and for what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum GameFormat {
    /// Six players, cash.
    SixMax,
    /// Two players, cash.
    HeadsUp,
}

impl GameFormat {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::SixMax, Self::HeadsUp];

    /// Its positions in the order in which they act before the flop.
    pub fn positions(self) -> &'static [TablePosition] {
        match self {
            Self::SixMax => &TablePosition::ALL,
            Self::HeadsUp => &[TablePosition::Btn, TablePosition::Bb],
        }
    }

    /// What a position has put in before anybody acts, in big blinds. Heads-up the button posts the small blind.
    pub fn blind(self, position: TablePosition) -> f64 {
        match (self, position) {
            (_, TablePosition::Bb) => 1.0,
            (Self::SixMax, TablePosition::Sb) | (Self::HeadsUp, TablePosition::Btn) => 0.5,
            _ => 0.0,
        }
    }

    /// The position that can complete the small blind.
    pub fn limper(self) -> TablePosition {
        match self {
            Self::SixMax => TablePosition::Sb,
            Self::HeadsUp => TablePosition::Btn,
        }
    }
}

impl fmt::Display for GameFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SixMax => "6-max",
            Self::HeadsUp => "heads-up",
        })
    }
}

impl FromStr for GameFormat {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        named(text, "game", &Self::ALL)
    }
}

/// A place at the table, in the order of action before the flop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum TablePosition {
    /// Under the gun.
    Utg,
    /// The hijack.
    Hj,
    /// The cutoff.
    Co,
    /// The button.
    Btn,
    /// The small blind.
    Sb,
    /// The big blind.
    Bb,
}

impl TablePosition {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Utg, Self::Hj, Self::Co, Self::Btn, Self::Sb, Self::Bb];

    /// When the position acts after the flop: the blinds are first.
    pub fn postflop_order(self) -> usize {
        match self {
            Self::Sb => 0,
            Self::Bb => 1,
            Self::Utg => 2,
            Self::Hj => 3,
            Self::Co => 4,
            Self::Btn => 5,
        }
    }
}

impl fmt::Display for TablePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utg => "UTG",
            Self::Hj => "HJ",
            Self::Co => "CO",
            Self::Btn => "BTN",
            Self::Sb => "SB",
            Self::Bb => "BB",
        })
    }
}

impl FromStr for TablePosition {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        named(text, "position", &Self::ALL)
    }
}

/// What both players have at the start of the hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum StackDepth {
    /// 20 big blinds.
    Bb20,
    /// 40 big blinds.
    Bb40,
    /// 60 big blinds.
    Bb60,
    /// 100 big blinds.
    Bb100,
    /// 200 big blinds.
    Bb200,
}

impl StackDepth {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Bb20, Self::Bb40, Self::Bb60, Self::Bb100, Self::Bb200];

    /// In big blinds.
    pub fn big_blinds(self) -> u32 {
        match self {
            Self::Bb20 => 20,
            Self::Bb40 => 40,
            Self::Bb60 => 60,
            Self::Bb100 => 100,
            Self::Bb200 => 200,
        }
    }

    /// The depth whose charts are closest to a stack: the ratio of the two decides.
    pub fn nearest(big_blinds: f64) -> Self {
        let distance = |depth: &Self| (f64::from(depth.big_blinds()) / big_blinds).ln().abs();
        Self::ALL.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(Self::Bb100)
    }
}

impl fmt::Display for StackDepth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bb", self.big_blinds())
    }
}

impl FromStr for StackDepth {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let bare = text.trim().trim_end_matches(|c: char| c.is_alphabetic()).trim_end();
        named(&format!("{bare} bb"), "depth", &Self::ALL)
            .map_err(|error| NameError { text: text.to_owned(), ..error })
    }
}

/// How often the pot was raised before the flop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PotType {
    /// A raise and a call.
    SingleRaised,
    /// A raise, a 3-bet and a call.
    ThreeBet,
    /// A raise, a 3-bet, a 4-bet and a call.
    FourBet,
    /// The small blind completes, the big blind checks.
    Limped,
}

impl PotType {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::SingleRaised, Self::ThreeBet, Self::FourBet, Self::Limped];
}

impl fmt::Display for PotType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SingleRaised => "single-raised",
            Self::ThreeBet => "3-bet",
            Self::FourBet => "4-bet",
            Self::Limped => "limped",
        })
    }
}

impl FromStr for PotType {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        named(text, "type of pot", &Self::ALL)
    }
}
