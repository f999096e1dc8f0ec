//! Every board that can come.
//!
//! Cards that a suit symmetry of the board, both ranges and all locks turns into each other share one deal: the first of them is
//! dealt, and its values count for the others with the suits of the hands renamed.

use super::orbits::{is_trivial, representative};
use crate::betting::locks::Bound;
use crate::betting::spot::Spot;
use noregret_cards::{Board, Card, Hole, Street, SuitGroup, SuitPermutation};
use noregret_cfr::{Deal, Player};

/// A card that may be dealt, and the renaming of suits that turns the deal's own card into it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DealtCard {
    pub card: Card,
    pub renaming: SuitPermutation,
}

/// One board of a round.
pub(crate) struct DealtBoard {
    pub board: Board,
    /// The cards that lead here; the first is the board's own.
    pub events: Vec<DealtCard>,
    /// The deal before, in the round before.
    pub parent: usize,
    /// The deals after, in the next round.
    pub next: std::ops::Range<usize>,
    /// How many hands each player can have.
    pub hand_counts: [usize; 2],
    /// How many orbits they form.
    pub orbit_counts: [usize; 2],
    /// The suit symmetries that leave the spot and all cards so far as they are.
    pub group: SuitGroup,
}

/// Whether cards that are the same up to a renaming of suits are solved once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Isomorphism {
    /// Once, and mapped.
    #[default]
    Merge,
    /// Each on its own.
    Keep,
}

/// All boards, round by round.
pub(crate) struct Runouts {
    rounds: Vec<Vec<DealtBoard>>,
}

impl Runouts {
    pub fn new(spot: &Spot, isomorphism: Isomorphism) -> Self {
        let board = *spot.board();
        let group = match isomorphism {
            Isomorphism::Merge => symmetries(spot),
            Isomorphism::Keep => SuitGroup::trivial(),
        };
        // Every board asks which of these it does not block.
        let hands = Player::BOTH.map(|player| possible(spot, &board, player).collect());
        let mut rounds = Vec::new();
        let mut round = vec![dealt(&hands, board, vec![], 0, group)];
        while !round.is_empty() {
            let next = next_round(&hands, &mut round);
            rounds.push(round);
            round = next;
        }
        Self { rounds }
    }

    pub fn rounds(&self) -> &[Vec<DealtBoard>] {
        &self.rounds
    }

    pub fn deal(&self, deal: Deal) -> &DealtBoard {
        &self.rounds[deal.round][deal.index]
    }

    /// How many boards there are on each street, where the spot begins on `first`.
    pub fn boards_by_street(&self, first: Street) -> [usize; 3] {
        let mut boards = [0; 3];
        for (street, round) in boards[first.index()..].iter_mut().zip(&self.rounds) {
            *street = round.len();
        }
        boards
    }

    /// How many hands a player can have in each deal of a round.
    pub fn hand_counts(&self, round: usize, player: Player) -> impl Iterator<Item = usize> {
        self.rounds[round].iter().map(move |deal| deal.hand_counts[player.index()])
    }

    /// How many orbits of hands a player can have in each deal of a round.
    pub fn orbit_counts(&self, round: usize, player: Player) -> impl Iterator<Item = usize> {
        self.rounds[round].iter().map(move |deal| deal.orbit_counts[player.index()])
    }

    /// How many orbits the hands of each player form before a card is dealt; none if every hand is one of its own, then and later.
    pub fn root_orbits(&self) -> Option<[usize; 2]> {
        let root = self.deal(Deal::ROOT);
        (root.orbit_counts != root.hand_counts).then_some(root.orbit_counts)
    }

    pub fn bytes(&self) -> usize {
        let bytes = |deal: &DealtBoard| {
            size_of::<DealtBoard>()
                + deal.events.len() * size_of::<DealtCard>()
                + size_of_val(deal.group.members())
        };
        self.rounds.iter().flatten().map(bytes).sum()
    }
}

/// The renamings of suits that leave a spot as it is.
pub(crate) fn symmetries(spot: &Spot) -> SuitGroup {
    SuitGroup::of(spot.board(), &Player::BOTH.map(|player| spot.range(player)))
        .leaving(|&renaming| Bound::are_left_by(spot.bound(), renaming))
}

/// Whether the same renamings of suits leave two spots as they are, which differ in their locks only: a layout of the one merges no
/// boards or hands that the locks of the other tell apart.
pub fn have_same_symmetries(a: &Spot, b: &Spot) -> bool {
    symmetries(a).members() == symmetries(b).members()
}

/// The hands of a player that a board does not block, in the order of their index.
pub(crate) fn possible<'s>(
    spot: &'s Spot,
    board: &Board,
    player: Player,
) -> impl Iterator<Item = Hole> + use<'s> {
    let blocked = board.set();
    spot.range(player).iter().map(|(hole, _)| hole).filter(move |hole| !hole.set().intersects(blocked))
}

/// What each player may hold.
type HandLists = [Vec<Hole>; 2];

fn dealt(
    hands: &HandLists,
    board: Board,
    events: Vec<DealtCard>,
    parent: usize,
    group: SuitGroup,
) -> DealtBoard {
    let blocked = board.set();
    let possible = hands.each_ref().map(|hands| hands.iter().filter(|hole| !hole.set().intersects(blocked)));
    let hand_counts = possible.clone().map(Iterator::count);
    let orbit_counts = if is_trivial(&group) {
        hand_counts
    } else {
        possible.map(|hands| hands.filter(|&&hole| representative(&group, hole) == hole).count())
    };
    DealtBoard { board, events, parent, next: 0..0, hand_counts, orbit_counts, group }
}

/// The boards that follow a round, in the order of their parents and then of their cards.
fn next_round(hands: &HandLists, round: &mut [DealtBoard]) -> Vec<DealtBoard> {
    let mut next = Vec::new();
    for (index, parent) in round.iter_mut().enumerate() {
        let start = next.len();
        for card in Card::all() {
            let Some(board) = parent.board.with(card) else { continue };
            let events = orbit(&parent.group, card);
            if !events.is_empty() {
                next.push(dealt(hands, board, events, index, parent.group.fixing(card)));
            }
        }
        parent.next = start..next.len();
    }
    next
}

/// The cards that a symmetry turns `card` into, itself first; none if a lower card stands for it.
fn orbit(group: &SuitGroup, card: Card) -> Vec<DealtCard> {
    let mut events = vec![DealtCard { card, renaming: SuitPermutation::identity() }];
    for &renaming in group.members() {
        let image = renaming.card(card);
        if image < card {
            return Vec::new();
        }
        if events.iter().all(|event| event.card != image) {
            events.push(DealtCard { card: image, renaming });
        }
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TreeOptions;

    fn spot(board: &str, ranges: [&str; 2]) -> Spot {
        let ranges = ranges.map(|range| range.parse().unwrap());
        Spot::new(ranges, board.parse().unwrap(), TreeOptions::new(100.into(), 100.into())).unwrap()
    }

    fn counts(board: &str, ranges: [&str; 2], isomorphism: Isomorphism) -> Vec<usize> {
        let runouts = Runouts::new(&spot(board, ranges), isomorphism);
        runouts.rounds().iter().map(Vec::len).collect()
    }

    #[test]
    fn alike_cards_are_dealt_once() {
        let ranges = ["22+,A2s+,AKo", "QQ+"];
        assert_eq!(counts("QsJh2h", ranges, Isomorphism::Keep), [1, 49, 49 * 48]);
        // Spades and hearts differ, clubs and diamonds do not: 12 + 11 + 13 turns.
        assert_eq!(counts("QsJh2h", ranges, Isomorphism::Merge), [1, 36, 23 * 35 + 13 * 48]);
        // Three suits may be exchanged, two of them after most turns.
        assert_eq!(counts("QhJh2h", ranges, Isomorphism::Merge)[..2], [1, 10 + 13]);
        assert_eq!(counts("QsJh2d", ranges, Isomorphism::Merge)[..2], [1, 49]);
        assert_eq!(counts("QsJh2h9c3d", ranges, Isomorphism::Merge), [1]);
    }

    #[test]
    fn a_suit_that_a_range_singles_out_is_not_merged() {
        assert_eq!(counts("QsJh2h", ["AcKc:0.5,22+", "QQ+"], Isomorphism::Merge)[..2], [1, 49]);
        assert_eq!(counts("QsJh2h", ["22+", "AdKd"], Isomorphism::Merge)[..2], [1, 49]);
        // One that singles out a suit which is alone anyway changes nothing.
        assert_eq!(counts("QsJh2h", ["AsKs:0.5,22+", "QQ+"], Isomorphism::Merge)[..2], [1, 36]);
    }

    #[test]
    fn every_card_is_some_events_card_once() {
        let runouts = Runouts::new(&spot("QhJh2h", ["22+", "QQ+"]), Isomorphism::Merge);
        for round in 0..2 {
            for deal in &runouts.rounds()[round] {
                let next = &runouts.rounds()[round + 1][deal.next.clone()];
                let mut cards: Vec<Card> =
                    next.iter().flat_map(|deal| deal.events.iter().map(|event| event.card)).collect();
                cards.sort();
                let expected: Vec<Card> = Card::all().filter(|&c| !deal.board.set().contains(c)).collect();
                assert_eq!(cards, expected);
            }
        }
    }
}
