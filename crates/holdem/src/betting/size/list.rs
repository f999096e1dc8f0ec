//! A list of sizes, as a user writes it.

use super::{BetSize, ParseSizeError, Preset, SizeKind};
use crate::betting::chips::Chips;
use crate::text::{excerpt, pieces};
use noregret_cards::Street;
use std::fmt;

/// A size, or the name of a built-in list.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SizeEntry {
    /// One size.
    Size(BetSize),
    /// All sizes of a list.
    Preset(Preset),
}

impl fmt::Display for SizeEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(size) => size.fmt(f),
            Self::Preset(preset) => preset.fmt(f),
        }
    }
}

/// The sizes of one player on one street; none means that this player does not bet (or raise) there.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SizeList(Vec<SizeEntry>);

impl SizeList {
    /// How many entries a list may have.
    pub const MAX_LEN: usize = 100;

    /// A list of entries; none if there are more than [`SizeList::MAX_LEN`].
    pub fn new(entries: Vec<SizeEntry>) -> Option<Self> {
        (entries.len() <= Self::MAX_LEN).then_some(Self(entries))
    }

    /// Reads comma-separated sizes for a bet or for a raise. Blanks around them do not matter, nor does a
    /// comma at the end; a text of blanks is a list of none.
    pub fn parse(text: &str, kind: SizeKind) -> Result<Self, ParseSizeError> {
        let count = pieces(text).count();
        if count > Self::MAX_LEN {
            let message = format!("{count} sizes are too many: a list has at most {}", Self::MAX_LEN);
            return Err(ParseSizeError { span: 0..text.len(), message });
        }
        let mut entries = Vec::with_capacity(count);
        for (span, piece) in pieces(text) {
            let entry = match Preset::from_name(piece) {
                _ if piece.is_empty() => Err("a size is missing between the commas".to_owned()),
                Some(preset) => Ok(SizeEntry::Preset(preset)),
                None => BetSize::parse(piece, kind).map(SizeEntry::Size).map_err(|message| {
                    let parts: Vec<&str> = piece.split_whitespace().collect();
                    let are_sizes = parts.iter().all(|part| BetSize::parse(part, kind).is_ok());
                    if parts.len() > 1 && are_sizes {
                        return format!(
                            "a comma is missing between sizes: write `{}`",
                            excerpt(&parts.join(", "))
                        );
                    }
                    message
                }),
            };
            entries.push(entry.map_err(|message| ParseSizeError { span, message })?);
        }
        Ok(Self(entries))
    }

    /// The entries, as written.
    pub fn entries(&self) -> &[SizeEntry] {
        &self.0
    }

    /// The sizes, with the named lists written out for a street of a spot with this pot and stack.
    pub fn sizes(&self, kind: SizeKind, street: Street, pot: Chips, stack: Chips) -> Vec<BetSize> {
        let expand = |entry: &SizeEntry| match entry {
            SizeEntry::Size(size) => vec![*size],
            SizeEntry::Preset(preset) => preset.sizes(kind, street, pot, stack),
        };
        self.0.iter().flat_map(expand).collect()
    }
}

impl fmt::Display for SizeList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, entry) in self.0.iter().enumerate() {
            write!(f, "{}{entry}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::betting::size::{Multiple, Percent};
    use proptest::prelude::*;

    #[test]
    fn a_bad_entry_is_pointed_at() {
        let error = |text: &str| SizeList::parse(text, SizeKind::Bet).unwrap_err();
        for (text, bad) in [("50%, 7p, a", "7p"), (" banana ", "banana"), ("50%,2x", "2x"), ("é%", "é%")] {
            assert_eq!(&text[error(text).span], bad);
        }
        assert_eq!(error("50%, ,a").span, 4..5);
        assert_eq!(error("50%,,").message, "a size is missing between the commas");
        assert_eq!(error("33% 75%").message, "a comma is missing between sizes: write `33%, 75%`");
        assert_eq!(SizeList::parse("33,75", SizeKind::Bet).unwrap().to_string(), "33%, 75%");
        assert_eq!(
            SizeList::parse("1/2 pot, pot, allin", SizeKind::Bet).unwrap().to_string(),
            "50%, 100%, a"
        );
        assert_eq!(SizeList::parse(" ", SizeKind::Bet), Ok(SizeList::default()));
    }

    #[test]
    fn lists_without_end_are_refused() {
        let text = vec!["1c"; 1_000_000].join(",");
        let error = SizeList::parse(&text, SizeKind::Bet).unwrap_err();
        assert_eq!(error.message, "1000000 sizes are too many: a list has at most 100");
    }

    #[test]
    fn presets_mix_with_sizes() {
        let list = SizeList::parse("Standard, 33%", SizeKind::Bet).unwrap();
        assert_eq!(list.to_string(), "medium, 33%");
        let sizes = list.sizes(SizeKind::Bet, Street::Flop, 180.into(), 910.into());
        assert_eq!(sizes.len(), 4);
    }

    pub(crate) fn any_entry() -> impl Strategy<Value = SizeEntry> {
        let percent = || (1u32..1_000_000_000).prop_map(|n| Percent::new(f64::from(n) / 1000.0).unwrap());
        let chips = (1u64..=1_000_000_000).prop_map(|n| Chips::new(n).unwrap());
        prop_oneof![
            percent().prop_map(|percent| SizeEntry::Size(BetSize::Pot(percent))),
            (1.0f64..1000.0)
                .prop_filter_map("above 1", Multiple::new)
                .prop_map(|multiple| SizeEntry::Size(BetSize::Previous(multiple))),
            (chips, any::<Option<u8>>())
                .prop_map(|(amount, max_raises)| SizeEntry::Size(BetSize::Chips { amount, max_raises })),
            (proptest::option::of(1u8..=100), proptest::option::of(percent()))
                .prop_map(|(streets, ceiling)| SizeEntry::Size(BetSize::Geometric { streets, ceiling })),
            Just(SizeEntry::Size(BetSize::AllIn)),
            prop::sample::select(vec![Preset::Minimal, Preset::Medium, Preset::Full])
                .prop_map(SizeEntry::Preset),
        ]
    }

    proptest! {
        #[test]
        fn lists_parse_back_from_their_print(entries in prop::collection::vec(any_entry(), 0..8)) {
            let list = SizeList::new(entries).unwrap();
            prop_assert_eq!(SizeList::parse(&list.to_string(), SizeKind::Raise), Ok(list));
        }

        #[test]
        fn no_text_panics_and_every_span_is_within_it(text in "[0-9.,%xcrea é-]{0,24}|\\PC{0,12}") {
            for kind in [SizeKind::Bet, SizeKind::Raise] {
                if let Err(error) = SizeList::parse(&text, kind) {
                    prop_assert!(text.get(error.span).is_some());
                }
            }
        }
    }
}
