//! A range from its text.

use super::Range;
use super::dialect::{self, WeightBlock};
use super::group::{GroupProblem, HandGroup};
use super::piece::{ParseRangeError, Piece, excerpt};
use std::str::FromStr;

impl FromStr for Range {
    type Err = ParseRangeError;

    /// Reads groups with commas or blanks between them; one more comma at the end is fine, and so is no group at all. Reads what
    /// other programs write, too: `[50]AA,KK[/50]` of GTO+, `AKs@50`, `random` of Equilab and Flopzilla, 1,326 weights of
    /// PioSOLVER.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(range) = dialect::pio_weights(text) {
            return range;
        }
        let mut range = Self::default();
        let mut block: Option<WeightBlock> = None;
        let mut start = 0;
        while !text[start..].trim_start().is_empty() {
            start = text.len() - text[start..].trim_start().len();
            if text[start..].starts_with('[') {
                let end = text[start..].find(']').map_or(text.len(), |end| start + end + 1);
                dialect::read_tag(Piece { text, start, end }, &mut block)?;
                let rest = text[end..].trim_start();
                // A comma may follow the end of a block.
                let is_over = block.is_none() && rest.starts_with([',', ';']);
                start = if is_over { text.len() - rest.len() + 1 } else { end };
                continue;
            }
            let end = text[start..].find([',', ';', '[']).map_or(text.len(), |end| start + end);
            let piece = Piece { text, start, end };
            let weight = block.as_ref().map(|block| block.weight);
            for group in groups(piece, weight) {
                read_group(group, &mut range, weight)?;
            }
            start = if text[end..].starts_with('[') { end } else { (end + 1).min(text.len()) };
        }
        match block {
            Some(WeightBlock { tag, .. }) => {
                let name = &text[tag.clone()];
                let message = format!("`{name}` has no end: write `[/{}` after its last hand", &name[1..]);
                Err(ParseRangeError { span: tag, message })
            }
            None => Ok(range),
        }
    }
}

/// The groups in it: itself, or where it is none and has blanks, what is between them. Blanks beside `-`, `+`, `:` and `@`
/// part nothing.
fn groups(piece: Piece<'_>, weight: Option<f32>) -> Vec<Piece<'_>> {
    let whole = piece.trim();
    let text = whole.as_str();
    if !text.contains(char::is_whitespace) || read_group(piece, &mut Range::default(), weight).is_ok() {
        return vec![piece];
    }
    let mut groups = Vec::new();
    let mut start = whole.start;
    let joins = |c: Option<char>, more: &[char]| {
        c.is_some_and(|c| ['-', '–', ':', '@'].contains(&c) || more.contains(&c))
    };
    for (i, c) in text.char_indices().filter(|(_, c)| c.is_whitespace()) {
        let at = whole.start + i;
        let (before, after) = (text[..i].trim_end(), text[i..].trim_start());
        if joins(before.chars().next_back(), &[]) || joins(after.chars().next(), &['+']) {
            continue;
        }
        if start < at {
            groups.push(Piece { start, end: at, ..piece });
        }
        start = at + c.len_utf8();
    }
    groups.push(Piece { start, end: whole.end, ..piece });
    groups
}

fn read_group(piece: Piece, range: &mut Range, block: Option<f32>) -> Result<(), ParseRangeError> {
    let sign = piece.as_str().find([':', '@']).map(|i| piece.start + i);
    let hands = Piece { end: sign.unwrap_or(piece.end), ..piece }.trim();
    if hands.as_str().is_empty() {
        let separator = Piece { start: hands.end, end: (hands.end + 1).min(piece.text.len()), ..piece };
        return Err(separator.error(format!("a group of hands is missing before `{}`", separator.as_str())));
    }
    let weight = match (sign, block) {
        (Some(_), Some(_)) => {
            let message = format!(
                "`{}` has a weight of its own, and the block that it is in gives it another: leave one out",
                excerpt(piece.trim().as_str())
            );
            return Err(piece.trim().error(message));
        }
        (Some(sign), None) => dialect::read_weight(Piece { start: sign + 1, ..piece }.trim(), sign)?,
        (None, block) => block.unwrap_or(1.0),
    };
    if let Some(holes) = dialect::named_hands(hands)? {
        holes.into_iter().for_each(|hole| range.weights[hole.index()] = weight);
        return Ok(());
    }
    let group =
        HandGroup::parse(hands.as_str()).map_err(|problem| hands.error(explain(problem, hands.as_str())))?;
    group.for_each_hole(|hole| range.weights[hole.index()] = weight);
    Ok(())
}

fn explain(problem: GroupProblem, text: &str) -> String {
    let text = excerpt(text);
    match problem {
        GroupProblem::Unreadable => format!(
            "`{text}` is not a group of hands: write a class (`AA`, `AKs`, `AKo`, `AK`), two cards (`AsAh`), \
             or a run (`TT+`, `ATs+`, `QQ-88`, `A9s-A6s`, `98o-65o`), with commas between groups, or `random` for all"
        ),
        GroupProblem::PairWithSuffix => {
            format!("`{text}` is not a group of hands: a pair takes no `s` or `o`, write it like `AA`")
        }
        GroupProblem::RepeatedCard => {
            format!(
                "`{text}` is not a group of hands: it has the same card twice, write two cards like `AsAh`"
            )
        }
        GroupProblem::EndsApart => format!(
            "`{text}` is not a run of hands: its ends must be two pairs (`QQ-88`), share the high card (`A9s-A6s`) \
             or share the gap (`98o-65o`), with the same `s`, `o` or neither at both ends"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HandClass, Hole};
    use proptest::prelude::*;

    /// The classes that a text covers in full, in matrix order, and nothing else in part.
    fn classes(text: &str) -> String {
        let range: Range = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        let names: Vec<String> = HandClass::all()
            .filter(|class| {
                let count = class.holes().filter(|&hole| range.weight(hole) == 1.0).count();
                assert!(count == 0 || count == class.holes().count(), "{text} has {class} in part");
                count > 0
            })
            .map(|class| class.to_string())
            .collect();
        names.join(" ")
    }

    #[test]
    fn each_form_covers_its_hands() {
        for (text, expected) in [
            ("", ""),
            ("  ", ""),
            ("AA", "AA"),
            ("AKs", "AKs"),
            ("AKo", "AKo"),
            ("AK", "AKs AKo"),
            ("TT+", "AA KK QQ JJ TT"),
            ("ATs+", "AKs AQs AJs ATs"),
            ("AQ+", "AKs AQs AKo AQo"),
            ("75s+", "76s 75s"),
            ("QQ-88", "QQ JJ TT 99 88"),
            ("88-QQ", "QQ JJ TT 99 88"),
            ("A9s-A6s", "A9s A8s A7s A6s"),
            ("A6s-A9s", "A9s A8s A7s A6s"),
            ("98o-65o", "98o 87o 76o 65o"),
            ("J9s-97s", "J9s T8s 97s"),
            ("K5-K4", "K5s K4s K5o K4o"),
            ("T9-98", "T9s T9o 98s 98o"),
            (" aks , Qq - jJ ,", "AKs QQ JJ"),
            // As other programs write them.
            ("KK AA", "AA KK"),
            ("AA KK\nQQ\tAKs", "AA AKs KK QQ"),
            ("AA;KK", "AA KK"),
            ("qq - jj aks TT +", "AA AKs KK QQ JJ TT"),
            ("QQ–JJ", "QQ JJ"),
            ("98 76", "98s 98o 76s 76o"),
            ("A10s, 1010", "ATs TT"),
            ("AA@100 KK:100%", "AA KK"),
            ("[100]AA,KK[/100],QQ", "AA KK QQ"),
            ("AA[100] KK [/100] QQ", "AA KK QQ"),
        ] {
            assert_eq!(classes(text), expected, "{text}");
        }
    }

    #[test]
    fn a_combination_is_one_hand_in_either_order() {
        for text in ["AsAh", "AhAs", "ah as"] {
            let range: Range = text.parse().unwrap();
            assert_eq!(range.iter().collect::<Vec<_>>(), [("AsAh".parse().unwrap(), 1.0)]);
        }
    }

    #[test]
    fn a_later_group_overrides_an_earlier_one() {
        let range: Range = "AK:0.5, AKs, AhKh : 0.25, AdKd:0".parse().unwrap();
        let weight = |hole: &str| range.weight(hole.parse().unwrap());
        assert_eq!(["AsKh", "AsKs", "AhKh", "AdKd", "AcKc"].map(weight), [0.5, 1.0, 0.25, 0.0, 1.0]);
    }

    #[test]
    fn an_error_points_at_the_offending_piece() {
        for (text, offending, reason) in [
            ("AA, AKx ,KK", "AKx", "`AKx` is not a group"),
            ("AA,,KK", ",", "missing before `,`"),
            (",AA", ",", "missing before `,`"),
            ("AA, ,", ",", "missing before `,`"),
            ("AA,:0.5", ":", "missing before `:`"),
            ("AA:1.5,KK", "1.5", "`1.5` is not a weight"),
            ("AA: -0.5 ", "-0.5", "`-0.5` is not a weight"),
            ("KK,AA:nan", "nan", "`nan` is not a weight"),
            ("KK:inf", "inf", "`inf` is not a weight"),
            ("KK:,AA", ":", "weight is missing"),
            ("KK:0.5:0.5", "0.5:0.5", "is not a weight"),
            ("KK AA jj- 99 x", "x", "`x` is not a group"),
            ("QQ,AAs", "AAs", "a pair takes no"),
            ("QQ,AhAh", "AhAh", "same card twice"),
            ("QQ,A9s-K6s,JJ", "A9s-K6s", "is not a run"),
            ("QQ,ÄÖ-ß,JJ", "ÄÖ-ß", "`ÄÖ-ß` is not a group"),
        ] {
            let error = text.parse::<Range>().unwrap_err();
            assert_eq!(&text[error.span.clone()], offending, "{text}");
            assert!(error.to_string().contains(reason), "{text}: {error}");
        }
        let long = "A\n".repeat(1_000_000).parse::<Range>().unwrap_err().to_string();
        assert!(long.len() < 400 && !long.contains('\n'));
    }

    #[test]
    fn ten_thousand_groups_are_no_trouble() {
        let text = "22+:0.5,A2+,T9s-54s,AsAh:0.125,".repeat(2500);
        let range: Range = text.parse().unwrap();
        assert_eq!(range.weight("AsAh".parse().unwrap()), 0.125);
        assert_eq!(range.iter().count(), 78 + 12 * 16 + 6 * 4);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC*") {
            let _ = text.parse::<Range>();
        }

        #[test]
        fn no_text_of_nearly_right_pieces_makes_it_panic(text in "([2-9TJQKAcdhso:.+,\u{e9} -]|AK|T9s|:0){0,40}") {
            if let Err(error) = text.parse::<Range>() {
                prop_assert!(text.get(error.span).is_some_and(|piece| !piece.is_empty()));
            }
        }

        #[test]
        fn every_parsed_weight_is_from_0_to_1(weight in "-?[0-9]{0,3}(\\.[0-9]{0,3})?(e-?[0-9]{1,3})?") {
            if let Ok(range) = format!("22+:{weight}").parse::<Range>() {
                prop_assert!(Hole::all().all(|hole| (0.0..=1.0).contains(&range.weight(hole))));
            }
        }
    }
}
