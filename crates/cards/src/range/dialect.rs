//! What other programs write in ranges: weights in percent, blocks, words for many hands, and 1,326 numbers.

use super::Range;
use super::parse::{ParseRangeError, Piece, excerpt};
use crate::Hole;

/// A block of GTO+ that is open: `[50]`.
pub(super) struct WeightBlock {
    pub weight: f32,
    /// Where its beginning is in the text.
    pub tag: std::ops::Range<usize>,
}

/// Reads the beginning or the end of a block: `[50]`, `[/50]`.
pub(super) fn read_tag(piece: Piece, block: &mut Option<WeightBlock>) -> Result<(), ParseRangeError> {
    let text = piece.as_str();
    let shown = excerpt(text);
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let Some(inner) = inner else {
        return Err(piece.error(format!("`{shown}` is not closed: write `[50]AA,KK[/50]` for hands at 50%")));
    };
    match (inner.trim().strip_prefix('/'), &block) {
        (Some(_), None) => {
            Err(piece.error(format!("`{shown}` ends a block that was not begun, like `[50]`")))
        }
        (Some(_), Some(_)) => {
            *block = None;
            Ok(())
        }
        (None, Some(open)) => {
            let before = &piece.text[open.tag.clone()];
            Err(piece.error(format!("`{shown}` begins within `{before}`: end that one first")))
        }
        (None, None) => {
            let number = inner.trim().trim_end_matches('%').trim_end();
            let is_percent = inner.contains('%');
            let weight = percent(number, is_percent).map_err(|problem| match problem {
                PercentProblem::Wrong => {
                    piece.error(format!("`{shown}` is not a block: write a number from 0 to 100, like `[50]`"))
                }
                PercentProblem::Ambiguous => piece.error(format!(
                    "`{shown}` can be read as {number}% or as a weight of {number}: write `[{number}%]` or `[{}]`",
                    hundredfold(number)
                )),
            })?;
            *block = Some(WeightBlock { weight, tag: piece.start..piece.end });
            Ok(())
        }
    }
}

/// Why a number is no percentage.
enum PercentProblem {
    Wrong,
    Ambiguous,
}

/// A percentage as a weight. One of 1 and less is a weight in some programs, unless a sign says what it is.
fn percent(number: &str, has_sign: bool) -> Result<f32, PercentProblem> {
    let is_plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let percent: f32 = number.parse().ok().filter(|_| is_plain).ok_or(PercentProblem::Wrong)?;
    match percent {
        _ if !(0.0..=100.0).contains(&percent) => Err(PercentProblem::Wrong),
        _ if percent > 0.0 && percent <= 1.0 && !has_sign => Err(PercentProblem::Ambiguous),
        _ => Ok(percent / 100.0),
    }
}

/// A number times a hundred, as text.
fn hundredfold(number: &str) -> f64 {
    number.parse::<f64>().unwrap_or(0.0) * 100.0
}

/// The weight after a `:` or an `@` at `sign`: `0.5`, `50%`; after an `@` also `50`.
pub(super) fn read_weight(piece: Piece, sign: usize) -> Result<f32, ParseRangeError> {
    let text = piece.as_str();
    let is_at = piece.text[sign..].starts_with('@');
    if text.is_empty() {
        let sign = Piece { start: sign, end: sign + 1, ..piece };
        let example =
            if is_at { "a number of percent, like `AA@50`" } else { "a number from 0 to 1, like `AA:0.5`" };
        return Err(sign.error(format!("a weight is missing after `{}`: write {example}", sign.as_str())));
    }
    let shown = excerpt(text);
    let with_sign = text.strip_suffix('%').map(str::trim_end);
    match (is_at, with_sign) {
        (false, None) => match text.parse::<f32>() {
            // Adding zero turns −0 into 0.
            Ok(weight) if (0.0..=1.0).contains(&weight) => Ok(weight + 0.0),
            _ => Err(piece.error(format!(
                "`{shown}` is not a weight: write a number from 0 to 1, like `AA:0.5`, or percent, like `AA@50`"
            ))),
        },
        (_, number) => percent(number.unwrap_or(text), number.is_some()).map_err(|problem| match problem {
            PercentProblem::Wrong => piece.error(format!(
                "`{shown}` is not a percentage: write a number from 0 to 100, like `AA@50`"
            )),
            PercentProblem::Ambiguous => piece.error(format!(
                "`@{shown}` can be read as {shown}% or as a weight of {shown}: write `@{shown}%`, or `:{shown}`"
            )),
        }),
    }
}

/// Words that stand for many hands: `random`, `any`, `100%`. None for anything else.
pub(super) fn named_hands(piece: Piece) -> Result<Option<Vec<Hole>>, ParseRangeError> {
    let lower = piece.as_str().to_ascii_lowercase();
    match lower.as_str() {
        "random" | "any" | "any two" | "anytwo" | "all" | "100%" => return Ok(Some(Hole::all().collect())),
        _ => {}
    }
    Ok(None)
}

/// How many numbers make a text a list of weights, whatever their number.
const MANY: usize = 20;

/// The weights of all 1,326 hands in PioSOLVER's order, which is that of [`Hole::index`]. None if the text is something else.
pub(super) fn pio_weights(text: &str) -> Option<Result<Range, ParseRangeError>> {
    let is_gap = |c: char| c.is_whitespace() || c == ',';
    let words = || text.split(is_gap).filter(|word| !word.is_empty());
    let is_number = |word: &str| {
        word.parse::<f32>().is_ok() && word.starts_with(|c: char| c.is_ascii_digit() || "-.".contains(c))
    };
    if words().take(MANY).filter(|word| is_number(word)).count() < MANY {
        return None;
    }
    let mut range = Range::default();
    let mut count = 0;
    let mut at = 0;
    for piece in text.split_inclusive(is_gap) {
        let (start, word) = (at, piece.trim_end_matches(is_gap));
        at += piece.len();
        if word.is_empty() {
            continue;
        }
        let weight = word.parse::<f32>().ok().filter(|weight| (0.0..=1.0).contains(weight));
        let Some(weight) = weight else {
            let piece = Piece { text, start, end: start + word.len() };
            let message = format!("`{}` is not a weight: write numbers from 0 to 1", excerpt(word));
            return Some(Err(piece.error(message)));
        };
        if let Some(slot) = range.weights.get_mut(count) {
            *slot = weight + 0.0;
        }
        count += 1;
    }
    if count == Hole::COUNT {
        return Some(Ok(range));
    }
    let piece = Piece { text, start: 0, end: text.len() };
    Some(Err(piece.error(format!(
        "there are {count} weights, and a range of PioSOLVER has {}, one for each hand",
        Hole::COUNT
    ))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(text: &str, hole: &str) -> f32 {
        let range: Range = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        range.weight(hole.parse().unwrap())
    }

    fn message(text: &str) -> String {
        text.parse::<Range>().unwrap_err().to_string()
    }

    #[test]
    fn weights_in_percent_are_read_where_they_can_only_be_that() {
        assert_eq!(weight("AKs@50", "AsKs"), 0.5);
        assert_eq!(weight("AKs @ 25%", "AsKs"), 0.25);
        assert_eq!(weight("AKs:25%", "AsKs"), 0.25);
        assert_eq!(weight("AKs@0.5%", "AsKs"), 0.005);
        assert_eq!((weight("AKs@0,AA", "AsKs"), weight("AKs@0,AA", "AsAh")), (0.0, 1.0));
        assert_eq!(
            message("AKs@0.5"),
            "`@0.5` can be read as 0.5% or as a weight of 0.5: write `@0.5%`, or `:0.5`"
        );
        assert_eq!(message("AKs@1"), "`@1` can be read as 1% or as a weight of 1: write `@1%`, or `:1`");
        assert_eq!(
            message("AKs@150"),
            "`150` is not a percentage: write a number from 0 to 100, like `AA@50`"
        );
        assert_eq!(message("AKs@"), "a weight is missing after `@`: write a number of percent, like `AA@50`");
    }

    #[test]
    fn blocks_give_their_hands_a_weight() {
        let text = "[50]AA,KK[/50],QQ,[25.0] JJ TT [/25.0]AKs";
        let weights = ["AsAh", "KsKh", "QsQh", "JsJh", "TsTh", "AsKs"].map(|hole| weight(text, hole));
        assert_eq!(weights, [0.5, 0.5, 1.0, 0.25, 0.25, 1.0]);
        assert_eq!(message("[50]AA"), "`[50]` has no end: write `[/50]` after its last hand");
        assert_eq!(message("AA[/50]"), "`[/50]` ends a block that was not begun, like `[50]`");
        assert_eq!(message("[50]AA[25]KK[/25][/50]"), "`[25]` begins within `[50]`: end that one first");
        assert_eq!(
            message("[0.5]AA[/0.5]"),
            "`[0.5]` can be read as 0.5% or as a weight of 0.5: write `[0.5%]` or `[50]`"
        );
        assert_eq!(message("[x]AA[/x]"), "`[x]` is not a block: write a number from 0 to 100, like `[50]`");
        assert_eq!(message("[50AA"), "`[50AA` is not closed: write `[50]AA,KK[/50]` for hands at 50%");
        assert_eq!(
            message("[50]AA:0.5[/50]"),
            "`AA:0.5` has a weight of its own, and the block that it is in gives it another: leave one out"
        );
    }

    #[test]
    fn words_stand_for_many_hands() {
        for text in ["random", "Any", "any two", "100%", "AA,random"] {
            let range: Range = text.parse().unwrap();
            assert_eq!(range.iter().count(), Hole::COUNT, "{text}");
        }
        assert_eq!(weight("random:0.5,AA", "7s2h"), 0.5);
    }

    #[test]
    fn the_weights_of_pio_are_one_for_each_hand() {
        let text: String =
            (0..Hole::COUNT).map(|i| format!("{} ", if i == 5 { "0.25" } else { "1" })).collect();
        let range: Range = text.parse().unwrap();
        assert_eq!(Hole::all().map(|hole| range.weight(hole)).filter(|weight| *weight == 0.25).count(), 1);
        assert_eq!(range.weights[5], 0.25);
        assert_eq!(text.replace(' ', ",").parse::<Range>(), Ok(range));
        assert_eq!(
            message(&text[2..]),
            "there are 1325 weights, and a range of PioSOLVER has 1326, one for each hand"
        );
        assert_eq!(message(&text.replace("0.25", "1.5")), "`1.5` is not a weight: write numbers from 0 to 1");
    }
}
