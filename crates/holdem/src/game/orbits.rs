//! Hands that a suit symmetry maps onto each other.

use noregret_cards::{Hole, SuitGroup};
use noregret_cfr::simd::Row;
use std::cell::RefCell;

/// The orbits of a list of hands under the suit symmetries of a board: hands that differ only in names of suits that nothing tells
/// apart. They have the same strategies and values, so solvers have one place for all of them.
#[derive(Clone, Debug)]
pub(crate) struct Orbits {
    /// For each hand of the list, which orbit it is in.
    pub orbit_of: Vec<u16>,
    /// The hand that stands for each orbit, in the order of the list.
    pub representatives: Vec<Hole>,
    /// How many hands each orbit has.
    pub sizes: Vec<u8>,
}

impl Orbits {
    /// The orbits of hands. In the list, a representative must come before the other hands of its orbit.
    pub fn new(group: &SuitGroup, hands: &[Hole]) -> Self {
        let mut orbits =
            Self { orbit_of: Vec::with_capacity(hands.len()), representatives: vec![], sizes: vec![] };
        let mut numbers = vec![0; Hole::COUNT];
        for &hole in hands {
            let representative = representative(group, hole);
            if representative == hole {
                numbers[hole.index()] = orbits.representatives.len() as u16;
                orbits.representatives.push(hole);
                orbits.sizes.push(0);
            }
            let orbit = numbers[representative.index()];
            orbits.orbit_of.push(orbit);
            orbits.sizes[usize::from(orbit)] += 1;
        }
        orbits.representatives.shrink_to_fit();
        orbits.sizes.shrink_to_fit();
        orbits
    }

    /// What the orbits of so many hands take.
    pub fn bytes(hands: usize, orbits: usize) -> usize {
        hands * size_of::<u16>() + orbits * (size_of::<Hole>() + size_of::<u8>())
    }
}

thread_local! {
    /// Buffers of [`ExpandedReach`] that are not in use.
    static BUFFERS: RefCell<Vec<Vec<Row>>> = const { RefCell::new(Vec::new()) };
}

/// Reach probabilities of all hands, from those of orbits.
pub(crate) struct ExpandedReach(Option<Vec<Row>>);

impl ExpandedReach {
    /// Expands rows; nothing is copied where every hand stands for itself.
    pub fn new(orbits: Option<&Orbits>, reach: &[Row]) -> Self {
        Self(orbits.map(|orbits| {
            let mut rows = BUFFERS.with_borrow_mut(Vec::pop).unwrap_or_default();
            rows.clear();
            rows.extend(orbits.orbit_of.iter().map(|&orbit| reach[usize::from(orbit)]));
            rows
        }))
    }

    /// The rows of all hands, where `reach` are those that were expanded.
    pub fn rows<'r>(&'r self, reach: &'r [Row]) -> &'r [Row] {
        self.0.as_deref().unwrap_or(reach)
    }
}

impl Drop for ExpandedReach {
    fn drop(&mut self) {
        if let Some(rows) = self.0.take() {
            BUFFERS.with_borrow_mut(|buffers| buffers.push(rows));
        }
    }
}

/// The hand that stands for all that the symmetries turn a hand into: the first of them.
pub(crate) fn representative(group: &SuitGroup, hole: Hole) -> Hole {
    let images = group.members().iter().map(|renaming| renaming.hole(hole));
    images.min_by_key(|image| image.index()).unwrap_or(hole)
}

/// Whether there is any symmetry.
pub(crate) fn is_trivial(group: &SuitGroup) -> bool {
    group.members().len() <= 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use noregret_cards::{Board, Range};

    #[test]
    fn orbits_partition_the_hands() {
        let range: Range = "22+,A2s+,KTo+".parse().unwrap();
        for (board, symmetries) in [("QsJh2h", 2), ("QhJh2h", 6), ("QsJh2d", 1), ("7s7h7d", 6)] {
            let board: Board = board.parse().unwrap();
            let group = SuitGroup::of(&board, &[&range]);
            assert_eq!(group.members().len(), symmetries);
            let mut hands: Vec<Hole> = range
                .iter()
                .map(|(hole, _)| hole)
                .filter(|hole| !hole.set().intersects(board.set()))
                .collect();
            hands.sort_by_key(|&hole| (representative(&group, hole) != hole, hole.index()));
            let orbits = Orbits::new(&group, &hands);
            assert_eq!(orbits.sizes.iter().map(|&size| usize::from(size)).sum::<usize>(), hands.len());
            for (&hole, &orbit) in hands.iter().zip(&orbits.orbit_of) {
                let first = orbits.representatives[usize::from(orbit)];
                assert!(
                    group.members().iter().any(|renaming| renaming.hole(hole) == first),
                    "{hole} and {first}"
                );
                assert!(symmetries % usize::from(orbits.sizes[usize::from(orbit)]) == 0);
            }
            // Representatives come first, so that a solver's hands are the first of the list.
            assert_eq!(hands[..orbits.representatives.len()], orbits.representatives);
        }
    }
}
