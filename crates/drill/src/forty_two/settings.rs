//! What a drill of Texas 42 asks, as the text of a link: `seed=7&seat=0&decl=6`.

use crate::settings::{SettingsError, checked_length, known_key, read_query, seed, shown};
use noregret_dominoes::{Declaration, Seat};
use std::fmt;
use std::str::FromStr;

/// What a text can set, in the order in which it is printed.
static KEYS: [&str; 4] = ["seed", "seat", "decl", "worlds"];
/// The most deals that a play is compared over.
const MAX_WORLDS: u64 = 1_000;

/// What a drill of Texas 42 asks. It decides every question.
///
/// ```
/// use noregret_drill::DominoSettings;
///
/// let settings: DominoSettings = "seed=7&decl=sixes".parse()?;
/// assert_eq!(settings.to_string(), "seed=7&decl=6");
/// # Ok::<(), noregret_drill::SettingsError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DominoSettings {
    /// The seed of the first deal; the next hand is the deal of the next seed.
    pub seed: u64,
    /// Who is asked; none for any of the four, by chance.
    pub seat: Option<Seat>,
    /// The declaration; none for the suit that seat 0 holds most of.
    pub declaration: Option<Declaration>,
    /// Over how many deals a play is compared with others: all that could be are counted if they are no more.
    pub worlds: u64,
}

impl Default for DominoSettings {
    fn default() -> Self {
        Self { seed: 0, seat: None, declaration: None, worlds: 100 }
    }
}

impl DominoSettings {
    /// Sets one of them by its name.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingsError> {
        self.read(known_key(key, &KEYS)?, value.trim())
    }

    fn read(&mut self, key: &'static str, value: &str) -> Result<(), SettingsError> {
        let wrong = |known| SettingsError::Word { key, text: shown(value), known };
        match (key, value) {
            ("seed", _) => self.seed = seed(value)?,
            ("seat", "") => self.seat = None,
            ("seat", _) => {
                let seat = value.parse().ok().and_then(Seat::new);
                self.seat = Some(seat.ok_or_else(|| wrong("0, 1, 2 or 3"))?);
            }
            ("decl", "") => self.declaration = None,
            ("decl", _) => {
                let known = "a declaration, by its name or its number from 0 to 9";
                self.declaration = Some(value.parse().map_err(|_| wrong(known))?);
            }
            _ => {
                let worlds = value.parse().ok().filter(|worlds| (1..=MAX_WORLDS).contains(worlds));
                self.worlds = worlds.ok_or_else(|| wrong("a whole number from 1 to 1000"))?;
            }
        }
        Ok(())
    }
}

impl FromStr for DominoSettings {
    type Err = SettingsError;

    /// Reads the query of a link, with or without `?`. What it does not set is as in [`DominoSettings::default`].
    fn from_str(text: &str) -> Result<Self, SettingsError> {
        let mut settings = Self::default();
        read_query(text, &KEYS, |key, value| settings.read(key, value))?;
        checked_length(settings)
    }
}

impl fmt::Display for DominoSettings {
    /// As the query of a link; what is as in [`DominoSettings::default`] is left out, but for the seed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seed={}", self.seed)?;
        if let Some(seat) = self.seat {
            write!(f, "&seat={seat}")?;
        }
        if let Some(declaration) = self.declaration {
            write!(f, "&decl={}", declaration.number())?;
        }
        if self.worlds != Self::default().worlds {
            write!(f, "&worlds={}", self.worlds)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn mistakes_are_named() {
        for (text, message) in [
            ("player=oop", "`player` is no setting of a drill: there is seed, seat, decl, worlds"),
            ("seed=1&seed=2", "`seed` is set twice"),
            ("seed=x", "seed: `x` must be a whole number from 0 to 18446744073709551615"),
            ("seat=4", "seat: `4` must be 0, 1, 2 or 3"),
            ("decl=clubs", "decl: `clubs` must be a declaration, by its name or its number from 0 to 9"),
            ("worlds=0", "worlds: `0` must be a whole number from 1 to 1000"),
        ] {
            assert_eq!(text.parse::<DominoSettings>().unwrap_err().to_string(), message);
        }
        assert_eq!("?seat=&decl=".parse(), Ok(DominoSettings::default()));
    }

    proptest! {
        #[test]
        fn settings_print_and_parse_back(
            seed in any::<u64>(), seat in 0_u8..5, declaration in 0_u8..11, worlds in 1_u64..=MAX_WORLDS,
        ) {
            let settings =
                DominoSettings { seed, seat: Seat::new(seat), declaration: Declaration::new(declaration), worlds };
            prop_assert_eq!(settings.to_string().parse(), Ok(settings));
        }

        #[test]
        fn no_text_panics(text in "((seed|seat|decl|worlds|x)=[a-z0-9%+-]{0,8}&?){0,4}|\\PC{0,30}") {
            if let Ok(settings) = text.parse::<DominoSettings>() {
                prop_assert_eq!(settings.to_string().parse(), Ok(settings));
            }
        }
    }
}
