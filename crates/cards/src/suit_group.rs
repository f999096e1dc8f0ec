//! The suit symmetries of a spot, and the canonical form of isomorphic boards.

use crate::{Board, Card, Range, SuitPermutation};

/// A group of suit permutations: those that leave something as it is.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use noregret_cards::{Board, Range, SuitGroup};
///
/// let (oop, ip): (Range, Range) = ("22+,A2s+".parse()?, "QQ+,AK".parse()?);
/// let flop: Board = "QsJh2h".parse()?;
/// let group = SuitGroup::of(&flop, &[&oop, &ip]);
/// assert_eq!(group.members().len(), 2); // clubs and diamonds may be exchanged
///
/// let (turn, back) = group.representative("9d".parse()?);
/// assert_eq!(turn, "9c".parse()?);
/// assert_eq!(back.card(turn), "9d".parse()?);
/// # Ok(()) }
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuitGroup {
    members: Vec<SuitPermutation>,
}

impl SuitGroup {
    /// The permutations that leave the flop as a set, the turn, the river and every range as they are.
    pub fn of(board: &Board, ranges: &[&Range]) -> Self {
        let dealt = streets(board);
        let members = SuitPermutation::all()
            .filter(|p| streets(&p.board(*board)) == dealt && ranges.iter().all(|range| p.leaves(range)))
            .collect();
        Self { members }
    }

    /// The group of the identity alone: no symmetry.
    pub fn trivial() -> Self {
        Self { members: vec![SuitPermutation::identity()] }
    }

    /// The permutations, the identity first.
    pub fn members(&self) -> &[SuitPermutation] {
        &self.members
    }

    /// Those that also leave `card` as it is: what remains of the group when it is dealt.
    #[must_use]
    pub fn fixing(&self, card: Card) -> Self {
        self.leaving(|p| p.card(card) == card)
    }

    /// Those that also leave something else as it is, where `leaves` says which do.
    #[must_use]
    pub fn leaving(&self, leaves: impl Fn(&SuitPermutation) -> bool) -> Self {
        Self { members: self.members.iter().copied().filter(leaves).collect() }
    }

    /// The lowest card that `card` can become, and a member that makes it `card` again.
    ///
    /// All cards with one representative lead to the same game: solve that one, and rename its hands by the member.
    pub fn representative(&self, card: Card) -> (Card, SuitPermutation) {
        let to_lowest =
            self.members.iter().copied().min_by_key(|p| p.card(card)).unwrap_or(SuitPermutation::identity());
        (to_lowest.card(card), to_lowest.inverse())
    }
}

/// The canonical board of all boards that differ only in the names of the suits or in the order of the flop, and a permutation that
/// leads to it.
///
/// The flop is sorted, highest card first, and the suits are as high as they can be: `Kd4cKh` is `KsKh4d`.
pub fn canonical_board(board: &Board) -> (Board, SuitPermutation) {
    let (form, permutation) = SuitPermutation::all()
        .map(|p| (streets(&p.board(*board)), p))
        .max_by_key(|&(form, p)| (form, std::cmp::Reverse(p)))
        .unwrap_or((streets(board), SuitPermutation::identity()));
    let cards: Vec<Card> = form.into_iter().flatten().collect();
    (Board::new(&cards).unwrap_or(*board), permutation)
}

/// The cards with those of the flop in order, highest first: equal if each street has the same cards.
fn streets(board: &Board) -> [Option<Card>; 5] {
    let mut cards = [None; 5];
    cards.iter_mut().zip(board.cards()).for_each(|(slot, &card)| *slot = Some(card));
    cards[..3].sort_unstable_by(|a, b| b.cmp(a));
    cards
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Street;
    use proptest::prelude::*;

    fn group(board: &str, ranges: &[&str]) -> Vec<String> {
        let ranges: Vec<Range> = ranges.iter().map(|text| text.parse().unwrap()).collect();
        let ranges: Vec<&Range> = ranges.iter().collect();
        let group = SuitGroup::of(&board.parse().unwrap(), &ranges);
        group.members().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_board_leaves_the_symmetries_of_the_suits_that_it_lacks() {
        let both = ["22+,A2s+:0.5,KQo", "QQ+,AK"];
        for (board, size) in [
            ("AsKsQs", 6),
            ("QsJh2h", 2),
            ("QsJh2d", 1),
            ("KsKh4d", 2),
            ("KsKh4h", 2),
            ("7s7h7d", 6),
            ("AsKsQs4s", 6),
            ("AsKsQs4h", 2),
            ("KsKhQd2c", 2),
            ("KsKh4h2s", 2),
            ("KsKh7c2s", 1),
            ("QsJs2s4h5h", 2),
            ("QsJs2s4h5d", 1),
        ] {
            let group = group(board, &both);
            assert_eq!((group.len(), &*group[0]), (size, "cdhs"), "{board}: {group:?}");
        }
    }

    #[test]
    fn the_flop_is_a_set_but_turn_and_river_are_not() {
        assert_eq!(group("KsKh4d", &[]), ["cdhs", "cdsh"]);
        assert_eq!(group("KsQd4dKh", &[]), ["cdhs"]);
        assert_eq!(group("KsQd4dKhKc", &[]), ["cdhs"]);
    }

    #[test]
    fn a_symmetry_that_one_range_breaks_is_not_used() {
        assert_eq!(group("AsKsQs", &["22+", "JJ,AhKh"]).len(), 2);
        assert_eq!(group("AsKsQs", &["JcJd:0.5", "22+"]), ["cdhs", "dchs"]);
        assert_eq!(group("AsKsQs", &["AhKh:0.5", "AdKd:0.5"]), ["cdhs"]);
        assert_eq!(group("AsKsQs", &["AhKh:0.5,AdKd:0.5,AcKc:0.5"]).len(), 6);
    }

    fn boards() -> impl Strategy<Value = Board> {
        prop::sample::subsequence(Card::all().collect::<Vec<_>>(), 3..=5)
            .prop_shuffle()
            .prop_map(|cards| Board::new(&cards).unwrap())
    }

    proptest! {
        #[test]
        fn boards_that_are_alike_have_one_canonical_form(board in boards(), p in 0..24_usize) {
            let p = SuitPermutation::all().nth(p).unwrap();
            let (canonical, to_canonical) = canonical_board(&board);
            prop_assert_eq!(canonical_board(&p.board(board)).0, canonical);
            prop_assert_eq!(streets(&to_canonical.board(board)), streets(&canonical));
            prop_assert_eq!(canonical_board(&canonical), (canonical, SuitPermutation::identity()));

            let mut cards = board.cards().to_vec();
            cards[..3].rotate_left(1);
            prop_assert_eq!(canonical_board(&Board::new(&cards).unwrap()).0, canonical);
        }

        #[test]
        fn groups_are_closed_and_dealing_a_card_keeps_what_fixes_it(board in boards()) {
            let group = SuitGroup::of(&board, &[]);
            for p in group.members() {
                prop_assert!(group.members().contains(&p.inverse()));
                for q in group.members() {
                    prop_assert!(group.members().contains(&p.then(*q)));
                }
            }
            for card in Card::all().filter(|&card| !board.set().contains(card)) {
                let (representative, back) = group.representative(card);
                prop_assert!(group.members().contains(&back) && representative <= card);
                prop_assert_eq!(back.card(representative), card);
                prop_assert_eq!(group.representative(representative).0, representative);
                if board.street() != Street::River {
                    let next = board.with(card).unwrap();
                    prop_assert_eq!(SuitGroup::of(&next, &[]), group.fixing(card));
                }
            }
        }
    }
}
