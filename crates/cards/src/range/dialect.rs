//! What other programs write in ranges: weights in percent, blocks, words for many hands, and 1,326 numbers.

use super::Range;
use super::piece::{ParseRangeError, Piece, excerpt};
use crate::{HandClass, Hole};

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

/// Words that stand for many hands: `random`, `any`, `15%`. None for anything else.
pub(super) fn named_hands(piece: Piece) -> Result<Option<Vec<Hole>>, ParseRangeError> {
    let lower = piece.as_str().to_ascii_lowercase();
    match lower.as_str() {
        "random" | "any" | "any two" | "anytwo" | "all" | "100%" => return Ok(Some(Hole::all().collect())),
        _ => {}
    }
    let share = lower.strip_prefix("top").unwrap_or(&lower).trim_start().strip_suffix('%');
    let Some(number) = share.map(str::trim_end) else { return Ok(None) };
    let is_plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    match number.parse::<f64>().ok().filter(|percent| is_plain && *percent > 0.0 && *percent <= 100.0) {
        Some(percent) => Ok(Some(best_hands(percent))),
        None => Err(piece.error(format!(
            "`{}` is not a share of all hands above 0% and up to 100%, like `15%`",
            excerpt(piece.as_str())
        ))),
    }
}

/// The kinds of hands by their equity against a random hand, best first, from three million deals each.
const BY_EQUITY: &str = "\
    AA KK QQ JJ TT 99 88 AKs 77 AQs AKo AJs ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo A7s A9o \
    KJo 55 QJs K9s A5s A6s A8o KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s JTs K7s A2s QTo 44 \
    A4o K6s K8o Q8s A3o K5s J9s Q9o JTo K7o A2o K4s Q7s K6o K3s T9s J8s 33 Q6s Q8o K5o J9o K2s \
    Q5s J7s K4o T8s Q4s Q7o T9o J8o K3o Q6o Q3s 98s T7s J6s K2o 22 Q2s Q5o J5s T8o J7o Q4o 97s \
    J4s T6s J3s Q3o 98o 87s T7o J6o 96s J2s Q2o T5s J5o T4s 97o 86s J4o T6o 95s T3s 76s J3o 87o \
    T2s 85s 96o J2o T5o 94s 75s T4o 86o 93s 65s 84s 95o T3o 92s 76o 74s T2o 54s 85o 64s 83s 94o \
    75o 82s 73s 93o 65o 53s 63s 84o 92o 43s 74o 72s 54o 64o 52s 62s 83o 82o 42s 73o 53o 63o 32s \
    43o 72o 52o 62o 42o 32o";

/// The best hands that are so many percent of all 1,326: whole kinds, as many as do not make more.
fn best_hands(percent: f64) -> Vec<Hole> {
    let most = percent / 100.0 * Hole::COUNT as f64;
    let mut best: Vec<Hole> = Vec::new();
    for name in BY_EQUITY.split_whitespace() {
        let kind = HandClass::all().find(|class| class.to_string() == name);
        let holes: Vec<Hole> = kind.into_iter().flat_map(HandClass::holes).collect();
        if (best.len() + holes.len()) as f64 > most + 1e-9 {
            break;
        }
        best.extend(holes);
    }
    best
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
        let count = |text: &str| text.parse::<Range>().unwrap().iter().count();
        // 15% of 1,326 hands are 198.9.
        assert!((187..=198).contains(&count("15%")), "{}", count("15%"));
        assert_eq!((count("top 15 %"), count("0.5%"), count("0.46%")), (count("15%"), 6, 6));
        assert!(weight("5%", "AsAh") == 1.0 && weight("5%", "7s2h") == 0.0);
        assert_eq!(message("0%"), "`0%` is not a share of all hands above 0% and up to 100%, like `15%`");
        assert_eq!(message("150%"), "`150%` is not a share of all hands above 0% and up to 100%, like `15%`");
    }

    #[test]
    fn every_kind_of_hand_has_its_place_by_equity() {
        let names: std::collections::BTreeSet<&str> = BY_EQUITY.split_whitespace().collect();
        assert_eq!((names.len(), BY_EQUITY.split_whitespace().count()), (HandClass::COUNT, HandClass::COUNT));
        assert!(HandClass::all().all(|class| names.contains(class.to_string().as_str())));
        let mut last = 0;
        for percent in 1..=100 {
            let now = best_hands(f64::from(percent)).len();
            assert!(now >= last && now as f64 <= f64::from(percent) * 13.26 + 1e-9);
            last = now;
        }
        assert_eq!(last, Hole::COUNT);
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
