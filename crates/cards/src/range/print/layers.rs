//! The strokes of a strip with some of one lane's own strokes put last.
//!
//! What is painted over in the end does not matter before: under a stroke for suited hands, strokes for offsuit hands
//! may be written for both, which is shorter, and may cross its ends. The strip alone does not see that.

use super::cell::{Colour, Palette};
use super::slot::{Slot, Slots, StripKind};
use super::strip::{Strip, Stroke};
use crate::HandClass;

/// The best strokes for a strip, later over earlier.
pub(super) fn best_strokes(kind: StripKind, slots: &Slots, palette: &Palette) -> Vec<Stroke> {
    let mut strip = Strip::new(kind, slots, palette);
    let mut best = (strip.cost(), strip.strokes());
    for lane in [0, 1] {
        let own = Strip::new(kind, &only(lane, slots), palette).strokes();
        for over in choices(&own) {
            let mut under = slots.clone();
            let mut cost =
                cover(kind, &mut under, &over) + over.iter().map(|stroke| stroke.cost(palette)).sum::<u32>();
            let mut rest = Strip::new(kind, &under, palette);
            cost += rest.cost();
            if cost < best.0 {
                best = (cost, rest.strokes().into_iter().chain(over).collect());
            }
        }
    }
    best.1
}

fn only<'a>(lane: usize, slots: &Slots<'a>) -> Slots<'a> {
    let keep = |mut column: [Option<Slot<'a>>; 2]| {
        column[1 - lane] = None;
        column
    };
    slots.iter().copied().map(keep).collect()
}

/// Some or all of the strokes: every choice if they are few.
fn choices(strokes: &[Stroke]) -> Vec<Vec<Stroke>> {
    const FEW: usize = 5;
    let few = strokes.len().min(FEW) as u32;
    let chosen = |mask: u32, i: usize| i >= FEW || mask >> i & 1 == 1;
    let choice = |mask: u32| (0..strokes.len()).filter(|&i| chosen(mask, i)).map(|i| strokes[i]).collect();
    (1..1 << few).map(choice).collect()
}

/// Marks the slots that the strokes cover, and gives the cost of the combinations that are wrong after them.
fn cover(kind: StripKind, slots: &mut Slots, strokes: &[Stroke]) -> u32 {
    let mut cost = 0;
    for (column, classes) in slots.iter_mut().zip(kind.classes()) {
        for (slot, class) in column.iter_mut().zip(classes) {
            let (Some(slot), Some(class)) = (slot, class) else { continue };
            if let Some(colour) = last_colour(class, strokes)
                && !slot.covered
            {
                slot.covered = true;
                cost += slot.cell.cost(colour);
            }
        }
    }
    cost
}

fn last_colour(class: HandClass, strokes: &[Stroke]) -> Option<Colour> {
    strokes
        .iter()
        .rfind(|stroke| stroke.group.classes().any(|other| other == class))
        .map(|stroke| stroke.colour)
}
