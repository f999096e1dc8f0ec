//! What a drill asks, as the text of a link: `seed=7&play=decisions&street=turn&hands=top+pair`.

use noregret_cards::{Board, Hole, Street};
use noregret_holdem::{IP, Line, OOP, ParseLineError, Player};
use noregret_report::{Filter, FilterError};
use std::fmt;
use std::str::FromStr;

/// The longest text that is read, in bytes.
const MAX_TEXT: usize = 4000;
/// What a text can set, in the order in which it is printed.
static KEYS: [&str; 6] = ["seed", "play", "street", "player", "hands", "line"];

/// How much of a hand is played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DrillPlay {
    /// From the first decision to the end.
    #[default]
    Hands,
    /// One decision of each.
    Decisions,
}

/// Which hands are dealt: by their two cards, or by what they make of the board. Nothing chooses all.
#[derive(Clone, Debug, Default)]
pub struct HandChoice {
    text: String,
    filter: Filter,
}

impl HandChoice {
    /// Whether a hand is chosen on a board.
    pub fn has(&self, hole: Hole, board: &Board) -> bool {
        self.filter.has_cards(hole, board)
    }

    /// Whether it may be on some board.
    pub fn may_have(&self, hole: Hole) -> bool {
        self.filter.may_have(hole)
    }
}

impl PartialEq for HandChoice {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for HandChoice {}

impl FromStr for HandChoice {
    type Err = FilterError;

    /// Reads conditions with commas between them and `|` between alternatives: `top pair|flush draw, !AQs`.
    fn from_str(text: &str) -> Result<Self, FilterError> {
        let text = text.trim();
        Ok(Self { filter: Filter::of_cards(text)?, text: text.to_owned() })
    }
}

impl fmt::Display for HandChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What a drill asks. With a solution, it decides every question.
///
/// ```
/// use noregret_drill::{DrillPlay, DrillSettings};
///
/// let settings: DrillSettings = "seed=7&play=decisions&hands=top+pair&line=check,+bet+94".parse()?;
/// assert_eq!(settings.play, DrillPlay::Decisions);
/// assert_eq!(settings.line.to_string(), "check, bet 94");
/// assert_eq!(settings.to_string(), "seed=7&play=decisions&hands=top+pair&line=check%2C+bet+94");
/// # Ok::<(), noregret_drill::SettingsError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DrillSettings {
    /// What all random choices depend on.
    pub seed: u64,
    /// Whole hands or single decisions.
    pub play: DrillPlay,
    /// The only street that is asked about; none for all.
    pub street: Option<Street>,
    /// Whose decisions are asked for; none for both, by chance.
    pub player: Option<Player>,
    /// Which hands are dealt.
    pub hands: HandChoice,
    /// Where hands begin.
    pub line: Line,
}

/// A text that describes no drill.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SettingsError {
    /// It is too long.
    #[error("the settings have {0} bytes: at most {MAX_TEXT} are read")]
    Length(usize),
    /// Something that no drill has.
    #[error("`{key}` is no setting of a drill: there is {}", known.join(", "))]
    Key {
        /// Its name.
        key: String,
        /// What there is.
        known: &'static [&'static str],
    },
    /// The same twice.
    #[error("`{0}` is set twice")]
    Twice(&'static str),
    /// Bytes that are no text.
    #[error("`{0}` is not percent-encoded text")]
    Encoding(String),
    /// A seed that is no number.
    #[error("seed: `{0}` must be a whole number from 0 to 18446744073709551615")]
    Seed(String),
    /// A word that is not known.
    #[error("{key}: `{text}` must be {known}")]
    Word {
        /// The setting.
        key: &'static str,
        /// The word.
        text: String,
        /// What it can be.
        known: &'static str,
    },
    /// A choice of hands that cannot be read.
    #[error("hands: {0}")]
    Hands(#[from] FilterError),
    /// A line that cannot be read.
    #[error("line: {0}")]
    Line(#[from] ParseLineError),
}

/// The beginning of a text, for messages.
pub(crate) fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if text.chars().nth(40).is_some() {
        shown.push('…');
    }
    shown
}

impl SettingsError {
    /// The setting that is wrong, if it is one of them.
    pub fn key(&self) -> Option<&'static str> {
        match self {
            Self::Length(_) | Self::Key { .. } | Self::Encoding(_) => None,
            Self::Twice(key) | Self::Word { key, .. } => Some(key),
            Self::Seed(_) => Some("seed"),
            Self::Hands(_) => Some("hands"),
            Self::Line(_) => Some("line"),
        }
    }
}

impl FromStr for DrillSettings {
    type Err = SettingsError;

    /// Reads the query of a link, with or without `?`. What it does not set is as in [`DrillSettings::default`].
    fn from_str(text: &str) -> Result<Self, SettingsError> {
        let mut settings = Self::default();
        read_query(text, &KEYS, |key, value| settings.read(key, value))?;
        // What is printed is longer where it has to be encoded, and must be read again.
        checked_length(settings)
    }
}

/// Calls `set` with each setting of a query and its value, if it has no others and none twice.
pub(crate) fn read_query(
    text: &str,
    keys: &'static [&'static str],
    mut set: impl FnMut(&'static str, &str) -> Result<(), SettingsError>,
) -> Result<(), SettingsError> {
    if text.len() > MAX_TEXT {
        return Err(SettingsError::Length(text.len()));
    }
    let mut seen: Vec<&'static str> = Vec::new();
    for pair in text.strip_prefix('?').unwrap_or(text).split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let key = known_key(&decoded(key)?, keys)?;
        if seen.contains(&key) {
            return Err(SettingsError::Twice(key));
        }
        seen.push(key);
        set(key, decoded(value)?.trim())?;
    }
    Ok(())
}

/// Settings that print as no more than is read.
pub(crate) fn checked_length<S: fmt::Display>(settings: S) -> Result<S, SettingsError> {
    let printed = settings.to_string().len();
    if printed > MAX_TEXT { Err(SettingsError::Length(printed)) } else { Ok(settings) }
}

/// The setting with a name.
pub(crate) fn known_key(name: &str, keys: &'static [&'static str]) -> Result<&'static str, SettingsError> {
    let known = keys.iter().copied().find(|known| *known == name);
    known.ok_or_else(|| SettingsError::Key { key: shown(name), known: keys })
}

/// A seed.
pub(crate) fn seed(text: &str) -> Result<u64, SettingsError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| SettingsError::Seed(shown(text)))
}

impl DrillSettings {
    /// Sets one of them by its name, to a value as links have it before it is encoded.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingsError> {
        self.read(known_key(key, &KEYS)?, value.trim())?;
        checked_length(&*self).map(drop)
    }

    fn read(&mut self, key: &'static str, value: &str) -> Result<(), SettingsError> {
        let wrong = |known| Err(SettingsError::Word { key, text: shown(value), known });
        match (key, value) {
            ("seed", _) => self.seed = seed(value)?,
            ("play", "hands") => self.play = DrillPlay::Hands,
            ("play", "decisions") => self.play = DrillPlay::Decisions,
            ("play", _) => return wrong("hands or decisions"),
            ("street", "") => self.street = None,
            ("street", "flop") => self.street = Some(Street::Flop),
            ("street", "turn") => self.street = Some(Street::Turn),
            ("street", "river") => self.street = Some(Street::River),
            ("street", _) => return wrong("flop, turn or river"),
            ("player", "") => self.player = None,
            ("player", "oop") => self.player = Some(OOP),
            ("player", "ip") => self.player = Some(IP),
            ("player", _) => return wrong("oop or ip"),
            ("hands", _) => self.hands = value.parse()?,
            _ => self.line = value.parse()?,
        }
        Ok(())
    }
}

impl fmt::Display for DrillSettings {
    /// As the query of a link; what is as in [`DrillSettings::default`] is left out, but for the seed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seed={}", self.seed)?;
        if self.play == DrillPlay::Decisions {
            f.write_str("&play=decisions")?;
        }
        if let Some(street) = self.street {
            write!(f, "&street={}", street.to_string().to_lowercase())?;
        }
        if let Some(player) = self.player {
            write!(f, "&player={}", noregret_report::player_name(player))?;
        }
        for (key, text) in [("hands", self.hands.to_string()), ("line", self.line.to_string())] {
            if !text.is_empty() {
                write!(f, "&{key}={}", encoded(&text))?;
            }
        }
        Ok(())
    }
}

/// Text as in the query of an address.
fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'*' => {
                encoded.push(char::from(byte));
            }
            b' ' => encoded.push('+'),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// The text of a part of such a query.
fn decoded(text: &str) -> Result<String, SettingsError> {
    let wrong = || SettingsError::Encoding(shown(text));
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || rest.next().and_then(|digit| char::from(digit).to_digit(16));
                let (high, low) = (digit().ok_or_else(wrong)?, digit().ok_or_else(wrong)?);
                (16 * high + low) as u8
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn error(text: &str) -> String {
        text.parse::<DrillSettings>().unwrap_err().to_string()
    }

    #[test]
    fn what_is_not_set_is_a_drill_of_whole_hands() {
        assert_eq!("".parse(), Ok(DrillSettings::default()));
        assert_eq!("?play=hands&street=&player=&line=".parse(), Ok(DrillSettings::default()));
        assert_eq!(DrillSettings::default().to_string(), "seed=0");
    }

    #[test]
    fn settings_can_be_set_one_by_one() {
        let mut settings = DrillSettings::default();
        for (key, value) in
            [("seed", "7"), ("play", "decisions"), ("hands", "top pair|AKs"), ("line", "check")]
        {
            assert_eq!(settings.set(key, value), Ok(()));
        }
        assert_eq!(settings.to_string(), "seed=7&play=decisions&hands=top+pair%7CAKs&line=check");
        assert_eq!(settings.set("speed", "3").unwrap_err().key(), None);
        assert_eq!(settings.set("street", "preflop").unwrap_err().key(), Some("street"));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, message) in [
            ("speed=3", "`speed` is no setting of a drill: there is seed, play, street, player, hands, line"),
            ("seed=1&seed=2", "`seed` is set twice"),
            ("seed=-1", "seed: `-1` must be a whole number from 0 to 18446744073709551615"),
            ("seed=", "seed: `` must be a whole number from 0 to 18446744073709551615"),
            ("play=all", "play: `all` must be hands or decisions"),
            ("street=preflop", "street: `preflop` must be flop, turn or river"),
            ("player=button", "player: `button` must be oop or ip"),
            ("hands=%zz", "`%zz` is not percent-encoded text"),
            ("hands=%ff", "`%ff` is not percent-encoded text"),
            ("line=jump", "line: `jump` is not a step"),
            ("hands=equity>0.5", "hands: `equity>0.5` compares a number"),
            ("hands=flash", "hands: `flash` chooses no hands"),
        ] {
            let told = error(text);
            assert!(told.starts_with(message), "{text}: {told}");
        }
        assert_eq!(error(&"x".repeat(4001)), "the settings have 4001 bytes: at most 4000 are read");
        // It fits as it is, and not once it is encoded.
        assert_eq!(
            error(&format!("hands=pair{}", "|pair".repeat(600))),
            "the settings have 4217 bytes: at most 4000 are read"
        );
    }

    fn settings() -> impl Strategy<Value = DrillSettings> {
        let street = prop::option::of(prop::sample::select(vec![Street::Flop, Street::Turn, Street::River]));
        let player = prop::option::of(prop::sample::select(vec![OOP, IP]));
        let hands =
            prop::sample::select(vec!["", "top pair", "flush draw|pair, !AKs", "22+,A2s+", "AhKh | set"]);
        let line = prop::sample::select(vec!["", "check, bet 94, call, Th", "bet 33%", "check, all-in"]);
        let play = prop::sample::select(vec![DrillPlay::Hands, DrillPlay::Decisions]);
        (any::<u64>(), play, street, player, hands, line).prop_map(
            |(seed, play, street, player, hands, line)| DrillSettings {
                seed,
                play,
                street,
                player,
                hands: hands.parse().unwrap(),
                line: line.parse().unwrap(),
            },
        )
    }

    proptest! {
        #[test]
        fn settings_print_and_parse_back(settings in settings()) {
            prop_assert_eq!(settings.to_string().parse(), Ok(settings.clone()));
        }

        #[test]
        fn no_text_panics_and_what_parses_parses_back(
            text in "((seed|play|street|player|hands|line|x)=([a-z0-9+%,|! ]{0,12}|check|pair|AKs|turn|7)&?){0,4}|\\PC{0,30}",
        ) {
            if let Ok(settings) = text.parse::<DrillSettings>() {
                prop_assert_eq!(settings.to_string().parse(), Ok(settings.clone()), "{}", settings);
            }
        }

        #[test]
        fn a_link_that_was_mutilated_is_read_or_refused(settings in settings(), place in 0_usize..80, byte in any::<u8>()) {
            let mut bytes = settings.to_string().into_bytes();
            let place = place % bytes.len();
            bytes[place] = byte;
            if let Ok(text) = String::from_utf8(bytes)
                && let Ok(read) = text.parse::<DrillSettings>()
            {
                prop_assert_eq!(read.to_string().parse(), Ok(read.clone()));
            }
        }
    }
}
