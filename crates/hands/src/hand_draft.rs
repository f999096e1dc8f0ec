//! What a reader has found in a text, before anything is checked.

use crate::money::{Money, MoneyUnit};
use crate::play_street::PlayStreet;
use crate::played_action::PostKind;
use noregret_cards::{Card, Hole};
use std::fmt;

/// Where a hand was written down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum HandSource {
    /// PokerStars' text.
    PokerStars,
    /// GGPoker's text.
    GgPoker,
    /// The Poker Hand History format, TOML.
    Phh,
}

impl fmt::Display for HandSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PokerStars => "PokerStars",
            Self::GgPoker => "GGPoker",
            Self::Phh => "PHH",
        })
    }
}

/// For what a hand is played.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum GameStakes {
    /// For money, or play money.
    Cash,
    /// In a tournament of this name.
    Tournament(String),
}

/// Somebody at the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DraftSeat {
    pub number: u8,
    pub name: String,
    pub stack: Money,
    /// Whether the text says that the player is not dealt in. One that posts or acts is in any case.
    pub is_out: bool,
    pub line: u32,
}

/// A blind or an ante.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DraftPost {
    pub seat: usize,
    pub kind: PostKind,
    pub amount: Money,
    pub line: u32,
}

/// What a player does, as far as the text tells it: some write one word for a check and a call, and one for a bet and a raise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DraftMove {
    Fold,
    Check,
    Call,
    CheckOrCall,
    Bet,
    Raise,
    BetOrRaise,
}

/// An action as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DraftAction {
    pub seat: usize,
    pub action: DraftMove,
    /// What a call adds, and what a bet or raise comes to on the street; none where the text does not say.
    pub amount: Option<Money>,
    /// By how much a raise goes above the bet before it, if the text says so.
    pub by: Option<Money>,
    /// Whether the text says that nothing is left.
    pub says_all_in: bool,
}

/// What happens after the blinds, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum DraftEvent {
    Action(DraftAction),
    /// Public cards: those of the street, in the order dealt.
    Board(PlayStreet, Vec<Card>),
}

/// An amount that goes to a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DraftPayment {
    pub seat: usize,
    pub amount: Money,
    pub line: u32,
}

/// What a player who has less than the ante can win of the antes of others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AnteRule {
    /// All of them, as where one player posts the ante for the whole table.
    OnePot,
    /// As much of each as the player has put in, as of any bet.
    Matched,
}

/// How the text says that the pot was shared out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum DraftResult {
    /// Who collected what, the whole pot, and what the house took.
    Collected { payments: Vec<DraftPayment>, pot: Money, rake: Money, line: u32 },
    /// What everybody has at the end; what is missing the house took.
    Finished { stacks: Vec<Money>, line: u32 },
    /// What everybody gets of the pot; what is missing the house took. With what everybody has at the end, if the text says that too.
    Won { winnings: Vec<Money>, line: u32, stacks: Option<(Vec<Money>, u32)> },
    /// Nothing: hands that are shown decide.
    Open,
}

/// All of a hand, as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct HandDraft {
    pub source: HandSource,
    pub id: String,
    pub table: String,
    pub time: String,
    pub stakes: GameStakes,
    pub unit: MoneyUnit,
    /// The small and the big blind of the game.
    pub blinds: [Money; 2],
    /// The smallest bet after the flop.
    pub min_bet: Money,
    /// The number of the button's seat, and the line that says so; none where the order of the seats says it.
    pub button: Option<(u8, u32)>,
    pub seats: Vec<DraftSeat>,
    pub posts: Vec<DraftPost>,
    pub antes: AnteRule,
    /// With the line of each.
    pub events: Vec<(u32, DraftEvent)>,
    /// Cards that are known, by seat.
    pub holes: Vec<(usize, Hole, u32)>,
    /// Those who give up their cards at a showdown.
    pub mucked: Vec<usize>,
    pub hero: Option<usize>,
    /// What a bet that nobody called gave back.
    pub returned: Option<DraftPayment>,
    /// What the house adds to the pot.
    pub added: Money,
    pub result: DraftResult,
    pub first_line: u32,
    pub last_line: u32,
}
