//! What a hand is played for.

use std::fmt;

/// What a hand is played for: a currency, the chips of a tournament, or play money.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Currency {
    /// US dollars.
    Usd,
    /// Euros.
    Eur,
    /// Pounds sterling.
    Gbp,
    /// Canadian dollars.
    Cad,
    /// Chinese yuan.
    Cny,
    /// Indian rupees.
    Inr,
    /// The chips of a tournament.
    Chips,
    /// Play money.
    Play,
    /// A file names none, or another one.
    Other,
}

impl Currency {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Usd,
        Self::Eur,
        Self::Gbp,
        Self::Cad,
        Self::Cny,
        Self::Inr,
        Self::Chips,
        Self::Play,
        Self::Other,
    ];

    /// What stands before an amount; nothing for chips.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Usd => "$",
            Self::Eur => "€",
            Self::Gbp => "£",
            Self::Cad => "C$",
            Self::Cny => "¥",
            Self::Inr => "₹",
            Self::Chips | Self::Play | Self::Other => "",
        }
    }

    /// Its code: `USD`; `chips`, `play` or `other` where it has none.
    pub fn code(self) -> &'static str {
        match self {
            Self::Usd => "USD",
            Self::Eur => "EUR",
            Self::Gbp => "GBP",
            Self::Cad => "CAD",
            Self::Cny => "CNY",
            Self::Inr => "INR",
            Self::Chips => "chips",
            Self::Play => "play",
            Self::Other => "other",
        }
    }

    /// The currency of a code such as `USD`.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL[..6].iter().copied().find(|currency| currency.code() == code)
    }

    /// The currency whose symbol a text begins with.
    pub fn of_symbol(text: &str) -> Option<Self> {
        Self::ALL[..6].iter().copied().find(|currency| text.starts_with(currency.symbol()))
    }

    /// What may stand before an amount: Canadian dollars are written with a dollar sign as well.
    pub(crate) fn symbols(self) -> [&'static str; 2] {
        [self.symbol(), if self == Self::Cad { "$" } else { self.symbol() }]
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}
