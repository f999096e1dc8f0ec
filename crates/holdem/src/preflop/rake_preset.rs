//! What the house commonly takes.

use std::fmt;

/// A rake as card rooms have it, in percent of the pot and in big blinds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum RakePreset {
    /// Nothing.
    None,
    /// Online, small stakes: 5%, at most 4 bb.
    OnlineSmall,
    /// Online, middle stakes: 5%, at most 1.5 bb.
    OnlineMiddle,
    /// Online, high stakes: 5%, at most 0.6 bb.
    OnlineHigh,
    /// Live, small stakes: 10%, at most 3 bb.
    Live,
}

impl RakePreset {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::None, Self::OnlineSmall, Self::OnlineMiddle, Self::OnlineHigh, Self::Live];

    /// A word for it, as addresses and files have.
    pub fn id(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::OnlineSmall => "online-small",
            Self::OnlineMiddle => "online-middle",
            Self::OnlineHigh => "online-high",
            Self::Live => "live",
        }
    }

    /// The one with this word.
    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.id() == id)
    }

    /// The share of every pot that is won.
    pub fn rate(self) -> f64 {
        match self {
            Self::None => 0.0,
            Self::OnlineSmall | Self::OnlineMiddle | Self::OnlineHigh => 0.05,
            Self::Live => 0.1,
        }
    }

    /// The most that is taken, in big blinds.
    pub fn cap(self) -> f64 {
        match self {
            Self::None => 0.0,
            Self::OnlineSmall => 4.0,
            Self::OnlineMiddle => 1.5,
            Self::OnlineHigh => 0.6,
            Self::Live => 3.0,
        }
    }
}

impl fmt::Display for RakePreset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::None => return f.write_str("No rake"),
            Self::OnlineSmall => "Online, small stakes",
            Self::OnlineMiddle => "Online, middle stakes",
            Self::OnlineHigh => "Online, high stakes",
            Self::Live => "Live, small stakes",
        };
        write!(f, "{name}: {}%, at most {} bb", (self.rate() * 100.0).round(), self.cap())
    }
}
