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
mod strip;

use super::Range;
use super::group::Group;
use crate::Hole;
use cell::{Cells, Palette};
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

fn short_groups(range: &Range) -> Vec<(Group, f32)> {
    let palette = Palette::of(range);
    let cells = Cells::of(range, &palette);
    let strokes = search::shortest(&cells, &palette);
    let mut groups: Vec<(Group, f32)> =
        strokes.into_iter().map(|stroke| (stroke.group, palette.weight(stroke.colour))).collect();

    let mut painted = Range::default();
    for &(group, weight) in &groups {
        group.for_each_hole(|hole| painted.weights[hole.index()] = weight);
    }
    let mut wrong: Vec<Hole> =
        Hole::all().filter(|&hole| painted.weight(hole) != range.weight(hole)).collect();
    wrong.reverse();
    groups.extend(wrong.into_iter().map(|hole| (Group::Hole(hole), range.weight(hole))));
    groups
}
