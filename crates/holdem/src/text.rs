//! What the readers of lists share: pieces between commas, and how a piece is shown in a message.

use std::fmt::Write;
use std::ops::Range;

/// How many characters of the input a message shows.
const SHOWN: usize = 40;

/// The pieces between the commas of a text, trimmed, each with its place in bytes; a blank piece has the place of its
/// blanks. One more comma at the end is fine, and a text of blanks has no pieces.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut start = 0;
    text.split(',').filter_map(move |piece| {
        let from = start;
        start += piece.len() + 1;
        let trimmed = piece.trim();
        if trimmed.is_empty() {
            let last = start > text.len();
            return (!last).then_some((from..from + piece.len(), trimmed));
        }
        let from = from + (piece.len() - piece.trim_start().len());
        Some((from..from + trimmed.len(), trimmed))
    })
}

/// A piece of input as a message shows it: on one line, without control characters, cut when it is long.
pub(crate) fn excerpt(text: &str) -> String {
    let mut shown = String::new();
    for (i, c) in text.chars().enumerate() {
        if i == SHOWN {
            shown.push('…');
            break;
        }
        match c {
            c if c.is_control() => write!(shown, "{}", c.escape_default()).unwrap_or_default(),
            c => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_their_places() {
        let places = |text| pieces(text).map(|(span, piece)| (span.start, piece)).collect::<Vec<_>>();
        assert_eq!(places("a, b ,c"), [(0, "a"), (3, "b"), (6, "c")]);
        assert_eq!(places("a,"), [(0, "a")]);
        assert_eq!(places("a, , b"), [(0, "a"), (2, ""), (5, "b")]);
        assert_eq!(places(",a"), [(0, ""), (1, "a")]);
        assert_eq!(places(" "), []);
        assert_eq!(places(""), []);
    }

    #[test]
    fn excerpts_are_short_and_on_one_line() {
        assert_eq!(excerpt("a\nb\u{7}"), "a\\nb\\u{7}");
        assert_eq!(excerpt(&"é".repeat(1000)).chars().count(), SHOWN + 1);
    }
}
