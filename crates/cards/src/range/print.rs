//! A range as the shortest text that is found to read back as the same weights.
//!
//! A text paints the 1326 hole pairs group by group, later over earlier, and the question is which strokes are the
//! fewest letters. The answer has three parts, each painted over the one before:
//!
//! 1. classes, in strips of one high card, where a small dynamic programme finds the best strokes ([`strip`]);
//! 2. runs with one gap (`T9s-54s`), below or above the strips, chosen by local search ([`search`]);
//! 3. single combinations, for what is still wrong.
//!
//! The third part makes the text right whatever the first two do. They only make it short: the shortest there is for
//! ranges without weights as far as the tests can try all texts, and close to it where weights lie over one another.

mod cell;
mod column;
mod layers;
mod search;
mod slot;
mod strip;

use super::Range;
use super::group::HandGroup;
use crate::Hole;
use cell::{ClassCells, Palette};
use std::fmt;

/// Prints the shortest text that is found for the range; the same range always prints the same.
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (group, weight)) in short_groups(self).into_iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{group}")?;
            if weight != 1.0 {
                write!(f, ":{weight}")?;
            }
        }
        Ok(())
    }
}

fn short_groups(range: &Range) -> Vec<(HandGroup, f32)> {
    let palette = Palette::of(range);
    let cells = ClassCells::of(range, &palette);
    let strokes = search::shortest(&cells, &palette);
    let mut groups: Vec<(HandGroup, f32)> =
        strokes.into_iter().map(|stroke| (stroke.group, palette.weight(stroke.colour))).collect();

    let mut painted = Range::default();
    for &(group, weight) in &groups {
        group.for_each_hole(|hole| painted.weights[hole.index()] = weight);
    }
    let mut wrong: Vec<Hole> =
        Hole::all().filter(|&hole| painted.weight(hole) != range.weight(hole)).collect();
    wrong.reverse();
    groups.extend(wrong.into_iter().map(|hole| (HandGroup::Hole(hole), range.weight(hole))));
    groups
}

#[cfg(test)]
mod tests {
    use super::super::group::{Pattern, Suits};
    use super::*;
    use crate::{HandClass, Rank};
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;
    use std::collections::BTreeMap;

    fn reprinted(text: &str) -> String {
        text.parse::<Range>().unwrap_or_else(|e| panic!("{text}: {e}")).to_string()
    }

    #[test]
    fn groups_merge_into_the_usual_short_forms() {
        let everything = "22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32";
        for (text, short) in [
            ("", ""),
            ("AA:0", ""),
            ("AA,KK,QQ", "QQ+"),
            ("QQ,99,TT,JJ,88", "QQ-88"),
            ("AKs,AKo", "AK"),
            ("AhKh,AdKd,AsKs,AcKc", "AKs"),
            ("A2s,A3s,A4s,A5s", "A5s-A2s"),
            ("ATs,AJs,AQs,AKs,ATo,AJo,AQo,AKo", "AT+"),
            ("98o,87o,76o,65o", "98o-65o"),
            ("AA,QQ:0.25,KK:0.5,KK:0.25", "QQ+:0.25,AA"),
            ("AsKs:0.3,QQ+,AK:0.25", "QQ+,AK:0.25"),
            ("22+:0.5,AA", "22+:0.5,AA"),
            ("88+,A5s-A2s:0.5,KQo,AhKh", "88+,A5s-A2s:0.5,KQo,AhKh"),
            ("AA:0.25,99-22,K9o+", "AA:0.25,99-22,K9o+"),
            ("AK,AhKh:0", "AK,AhKh:0"),
            ("KsKh:0.5,KsKd:0.5", "KsKh:0.5,KsKd:0.5"),
            (everything, everything),
            (
                "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,64s+,53s+",
                "66+,A8s+,AJ+,A5s-A4s,K9s+,KQ,QTs+,JTs,98s-54s,97s-53s,96s-85s",
            ),
        ] {
            assert_eq!(reprinted(text), short, "{text}");
        }
    }

    /// Every run of unpaired hands among ranks up to `highest`.
    fn runs(highest: Rank) -> Vec<HandGroup> {
        let lows = |high: Rank| Rank::all().take_while(move |&low| low < high);
        let highs = || Rank::all().take_while(|&high| high <= highest);
        let patterns: Vec<Pattern> = [Suits::Both, Suits::Suited, Suits::Offsuit]
            .into_iter()
            .flat_map(|suits| highs().map(move |high| (high, suits)))
            .flat_map(|(high, suits)| lows(high).map(move |low| Pattern::new(high, low, suits)))
            .collect();
        patterns.iter().flat_map(|&a| patterns.iter().filter_map(move |&b| HandGroup::run(a, b))).collect()
    }

    /// The length of the shortest text for every way to paint `classes`, with commas, found by trying all strokes.
    fn shortest_lengths(
        classes: &[HandClass],
        highest: Rank,
        weights: &[f32],
    ) -> BTreeMap<Vec<usize>, usize> {
        let places = |group: HandGroup| -> Option<Vec<usize>> {
            group.classes().map(|class| classes.iter().position(|&other| other == class)).collect()
        };
        let groups: Vec<(Vec<usize>, usize)> = runs(highest)
            .into_iter()
            .filter_map(|group| Some((places(group)?, group.to_string().len() + 1)))
            .collect();
        let suffixes: Vec<usize> =
            weights.iter().map(|&w| if w == 1.0 { 0 } else { 1 + w.to_string().len() }).collect();

        let blank = vec![0; classes.len()];
        let mut lengths = BTreeMap::from([(blank.clone(), 0)]);
        let mut by_length = BTreeMap::from([(0, vec![blank])]);
        while let Some((length, states)) = by_length.pop_first() {
            for state in states {
                if lengths[&state] < length {
                    continue;
                }
                for (places, letters) in &groups {
                    for (i, suffix) in suffixes.iter().enumerate() {
                        let mut next = state.clone();
                        places.iter().for_each(|&place| next[place] = i + 1);
                        let next_length = length + letters + suffix;
                        let known = lengths.entry(next.clone()).or_insert(usize::MAX);
                        if next_length < *known {
                            *known = next_length;
                            by_length.entry(next_length).or_default().push(next);
                        }
                    }
                }
            }
        }
        lengths
    }

    /// Checks the printed text for every way to paint `classes` against the shortest one.
    fn check_all(classes: &[HandClass], highest: Rank, weights: &[f32], slack: usize) {
        let lengths = shortest_lengths(classes, highest, weights);
        assert_eq!(lengths.len(), (weights.len() + 1).pow(classes.len() as u32));
        for (state, shortest) in lengths {
            let mut range = Range::default();
            for (class, &colour) in classes.iter().zip(&state).filter(|&(_, &colour)| colour > 0) {
                class.holes().for_each(|hole| range.set(hole, weights[colour - 1]).unwrap());
            }
            let text = range.to_string();
            assert!(text.is_empty() || text.len() < shortest + slack, "{text} can be shorter");
        }
    }

    fn unpaired(belongs: impl Fn(HandClass) -> bool) -> Vec<HandClass> {
        HandClass::all().filter(|&class| class.low() != class.high() && belongs(class)).collect()
    }

    #[test]
    fn no_text_is_shorter_for_any_hands_of_few_ranks() {
        let five = Rank::from_char('5').unwrap();
        check_all(&unpaired(|class| class.high() <= five), five, &[1.0], 0);
    }

    #[test]
    fn no_text_is_shorter_by_two_letters_for_any_two_weights_under_one_high_card() {
        let five = Rank::from_char('5').unwrap();
        // Not found: `52,52o+:0.5,53`, where one stroke over both lanes is under a third and another is over it.
        check_all(&unpaired(|class| class.high() == five), five, &[1.0, 0.5], 1);
    }

    fn weights() -> impl Strategy<Value = f32> {
        prop_oneof![
            3 => Just(1.0),
            3 => Just(0.0),
            2 => Just(0.5),
            1 => (0..=20_u8).prop_map(|n| f32::from(n) / 20.0),
            1 => 0.0..=1.0_f32,
            1 => (0..=1.0_f32.to_bits()).prop_map(f32::from_bits),
        ]
    }

    /// Ranges by class, with some hole pairs of their own.
    fn ranges() -> impl Strategy<Value = Range> {
        let by_class = prop::collection::vec((0..HandClass::COUNT, weights()), 0..169);
        let by_hole = prop::collection::vec((0..Hole::COUNT, weights()), 0..60);
        (by_class, by_hole).prop_map(|(by_class, by_hole)| {
            let (classes, holes): (Vec<_>, Vec<_>) = (HandClass::all().collect(), Hole::all().collect());
            let mut range = Range::default();
            for (class, weight) in by_class {
                HandClass::holes(classes[class]).for_each(|hole| range.set(hole, weight).unwrap());
            }
            for (hole, weight) in by_hole {
                range.set(holes[hole], weight).unwrap();
            }
            range
        })
    }

    fn texts() -> impl Strategy<Value = String> {
        let pairs = ["TT+", "QQ-88", "55", "44-22"].map(String::from);
        let runs = runs(Rank::from_char('A').unwrap()).into_iter().map(|group| group.to_string());
        let groups: Vec<String> = runs.chain(pairs).collect();
        prop::collection::vec(prop::sample::select(groups), 1..14).prop_map(|groups| groups.join(","))
    }

    fn assert_reads_back(range: &Range) -> Result<(), TestCaseError> {
        let text = range.to_string();
        let again: Range = text.parse().map_err(|e| TestCaseError::fail(format!("{text}: {e}")))?;
        for hole in Hole::all() {
            prop_assert_eq!(
                again.weight(hole).to_bits(),
                range.weight(hole).to_bits(),
                "{} in {}",
                hole,
                text
            );
        }
        prop_assert_eq!(again.to_string(), text);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_is_printed_reads_back_as_the_same_bits(range in ranges()) {
            assert_reads_back(&range)?;
        }

        #[test]
        fn weights_of_single_hands_read_back_as_the_same_bits(
            weights in prop::collection::vec(weights(), Hole::COUNT),
        ) {
            let mut range = Range::default();
            Hole::all().zip(weights).for_each(|(hole, weight)| range.set(hole, weight).unwrap());
            assert_reads_back(&range)?;
        }
    }

    proptest! {
        // The search is good, not perfect: always try the same texts.
        #![proptest_config(ProptestConfig { cases: 256, rng_seed: RngSeed::Fixed(42), ..ProptestConfig::default() })]

        #[test]
        fn a_text_without_weights_is_never_printed_longer(text in texts()) {
            prop_assert!(reprinted(&text).len() <= text.len(), "{} became {}", text, reprinted(&text));
        }
    }
}
