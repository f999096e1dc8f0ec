//! Ranges of one's own, in the place of those of the charts: a text of names and ranges.
//!
//! ```
//! use noregret_holdem::preflop::OwnRanges;
//!
//! let own: OwnRanges = "[ranges]\n\"BTN opens, 6-max, 100 bb\" = \"22+, A2s+, KTo+\"".parse()?;
//! let name = "BTN opens, 6-max, 100 bb".parse()?;
//! assert_eq!(own.get(name).map(|range| range.to_string()).as_deref(), Some("22+,A2s+,KTo+"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::range_name::RangeName;
use crate::spec::SpecError;
use crate::spec::read::{ANY_KEY, Document, DocumentLayout, check_length, text_of};
use noregret_cards::Range;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

const LAYOUT: &DocumentLayout = &DocumentLayout { tables: &[("ranges", &[ANY_KEY])], lists: &[] };
const WHAT: &str = "a text of ranges";

/// Ranges by the names that those of the charts have.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OwnRanges(BTreeMap<RangeName, Range>);

/// A range without hands: nobody plays on with none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a range has hands: leave it out to have that of the charts")]
pub struct NoHands;

impl OwnRanges {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The range with a name, if there is one.
    pub fn get(&self, name: RangeName) -> Option<&Range> {
        self.0.get(&name)
    }

    /// All of them, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (RangeName, &Range)> {
        self.0.iter().map(|(name, range)| (*name, range))
    }

    /// Adds a range, or puts it in the place of the one before.
    pub fn set(&mut self, name: RangeName, range: Range) -> Result<(), NoHands> {
        if range.is_empty() {
            return Err(NoHands);
        }
        self.0.insert(name, range);
        Ok(())
    }

    /// Takes a range out; whether it was there.
    pub fn remove(&mut self, name: RangeName) -> bool {
        self.0.remove(&name).is_some()
    }

    /// Reads them from the bytes of a file, which may not even be text.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SpecError> {
        text_of(bytes, WHAT)?.parse()
    }

    fn read(text: &str) -> Result<Self, SpecError> {
        check_length(text.len(), WHAT)?;
        let document = Document::parse(text, LAYOUT)?;
        let table = document.section("ranges");
        if !table.exists() {
            let example = "`\"BTN opens, 6-max, 100 bb\" = \"22+,A2s+\"`";
            return Err(SpecError::new("there are no ranges")
                .help(format!("write a table [ranges] with lines like {example}")));
        }
        let mut own = Self::default();
        for entry in table.entries() {
            let wrong = |message: String| SpecError::of_field("ranges", message).at(entry.key_span.clone());
            let name: RangeName = entry.key.parse().map_err(|error| wrong(format!("{error}")))?;
            if own.get(name).is_some() {
                return Err(wrong(format!("`{name}` is there twice")));
            }
            own.set(name, entry.value.range()?).map_err(|error| entry.value.error(error.to_string()))?;
        }
        Ok(own)
    }
}

impl FromStr for OwnRanges {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Self::read(text).map_err(|error| error.in_text(text))
    }
}

impl fmt::Display for OwnRanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "[ranges]")?;
        self.iter().try_for_each(|(name, range)| writeln!(f, "\"{name}\" = \"{range}\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn error(text: &str) -> SpecError {
        text.parse::<OwnRanges>().unwrap_err()
    }

    #[test]
    fn ranges_of_any_dialect_are_read_by_name_and_print_as_they_are_read() {
        let text = "# mine\n[ranges]\n\"BTN calls the 3-bet of BB, 6-max, 20 bb\" = '[50]AA,KK[/50]'\n\
                    \"bb calls btn, heads-up, 100 bb\" = 'AKs@50 QQ'\n";
        let own: OwnRanges = text.parse().unwrap();
        let printed = own.to_string();
        assert_eq!(
            printed,
            "[ranges]\n\"BTN calls the 3-bet of BB, 6-max, 20 bb\" = \"KK+:0.5\"\n\
             \"BB calls BTN, heads-up, 100 bb\" = \"QQ,AKs:0.5\"\n"
        );
        assert_eq!(printed.parse(), Ok(own));
        assert_eq!("[ranges]".parse(), Ok(OwnRanges::default()));
    }

    #[test]
    fn mistakes_are_told_with_their_line_and_the_nearest_name() {
        for (text, line, message) in [
            (
                "[ranges]\n\"BTN opns, 6-max, 20 bb\" = 'AA'",
                Some(2),
                "ranges: `BTN opns, 6-max, 20 bb` is no range of the charts; did you mean `BTN opens, 6-max, 20 bb`?",
            ),
            (
                "[ranges]\n\n\"BTN opens, 6-max\" = 'AA'",
                Some(3),
                "ranges: `BTN opens, 6-max` is the beginning of 5 names: write all of one, like `BTN opens, 6-max, 20 bb`",
            ),
            (
                "[ranges]\noop = 'AA'",
                Some(2),
                "ranges: `oop` is no range of the charts: their names are like `BTN opens, 6-max, 100 bb`",
            ),
            (
                "[ranges]\n\"BTN opens. 20 bb\" = 'AA'",
                Some(2),
                "ranges: `BTN opens. 20 bb` is no range of the charts; did you mean `BTN opens, 6-max, 20 bb`?",
            ),
            (
                "[ranges]\n\"BTN opens, 6-max, 20 bb\" = 'AA'\n\"btn opens, 6-max, 20 bb\" = 'KK'",
                Some(3),
                "ranges: `BTN opens, 6-max, 20 bb` is there twice",
            ),
            (
                "[ranges]\n\"BTN opens, 6-max, 20 bb\" = 'AA,Qx'",
                Some(2),
                "ranges.BTN opens, 6-max, 20 bb: `Qx` is not a group of hands",
            ),
            (
                "[ranges]\n\"BTN opens, 6-max, 20 bb\" = 'AA:0'",
                Some(2),
                "ranges.BTN opens, 6-max, 20 bb: a range has hands: leave it out to have that of the charts",
            ),
            (
                "[ranges]\n\"BTN opens, 6-max, 20 bb\" = 3",
                Some(2),
                "ranges.BTN opens, 6-max, 20 bb: must be a string in quotes",
            ),
            ("[range]\na = 'AA'", Some(1), "unknown key `range`"),
            ("", None, "there are no ranges"),
        ] {
            let error = error(text);
            assert!(error.message.starts_with(message), "{}", error.message);
            assert_eq!(error.line, line, "{text}");
        }
        let shown = error("[ranges]\n\"BTN opns, 6-max, 20 bb\" = 'AA'").render("mine.toml", "", false);
        assert!(shown.contains("mine.toml"), "{shown}");
        let twice = OwnRanges::from_bytes(b"[ranges]\n\xff").unwrap_err();
        assert_eq!(twice.message, "this is not a text file: line 2 is not UTF-8");
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(\\[ranges\\]\n|\"|BTN opens|BB calls|, 6-max|, 20 bb| = |'|AA|\\.|[a-z,\n]){0,20}") {
            let _ = text.parse::<OwnRanges>();
        }
    }
}
