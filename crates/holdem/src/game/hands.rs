//! The hands of both players on one board, and for a river board how they compare.

use super::orbits::{Orbits, is_trivial, representative};
use super::runouts::{DealtBoard, possible};
use crate::betting::spot::Spot;
use noregret_cards::{Board, Card, Hole, Strength, SuitGroup};
use noregret_cfr::Player;
use noregret_cfr::simd::WIDTH;

/// Both players' hands on a board, blocked ones left out. On a river board the weakest come first. Otherwise the representatives of
/// orbits come first; equals come in the order of their index.
pub(crate) struct HandTable {
    hands: [Vec<Hole>; 2],
    /// None where the board has no symmetry: every hand stands for itself.
    orbits: Option<[Orbits; 2]>,
    same_hands: [Vec<u16>; 2],
}

impl HandTable {
    /// The hands on a board that has these symmetries.
    pub fn new(spot: &Spot, board: &Board, group: &SuitGroup) -> Self {
        let hands = Player::BOTH.map(|player| {
            let mut hands: Vec<Hole> = possible(spot, board, player).collect();
            if let Some(strength) = ranking(board) {
                hands.sort_by_cached_key(|&hole| (strength(hole), hole.index()));
            } else if !is_trivial(group) {
                hands.sort_by_cached_key(|&hole| (representative(group, hole) != hole, hole.index()));
            }
            hands
        });
        let orbits = (!is_trivial(group)).then(|| hands.each_ref().map(|hands| Orbits::new(group, hands)));
        let mut table = Self { hands, orbits, same_hands: [Vec::new(), Vec::new()] };
        table.same_hands = Player::BOTH.map(|player| {
            let others = table.hands(player.opponent());
            let places = places(others);
            let representatives = table.representatives(player).iter();
            representatives.map(|hole| places[hole.index()].unwrap_or(others.len() as u16)).collect()
        });
        table
    }

    /// All hands of a player.
    pub fn hands(&self, player: Player) -> &[Hole] {
        &self.hands[player.index()]
    }

    /// The orbits of a player's hands; none if every hand stands for itself.
    pub fn orbits(&self, player: Player) -> Option<&Orbits> {
        self.orbits.as_ref().map(|orbits| &orbits[player.index()])
    }

    /// The hands of a player that stand for all others: those that a solver has.
    pub fn representatives(&self, player: Player) -> &[Hole] {
        self.orbits(player).map_or(self.hands(player), |orbits| &orbits.representatives)
    }

    /// For each representative of a player, where the opponent's list of all hands has the same two cards; its length if nowhere.
    pub fn same_hands(&self, player: Player) -> &[u16] {
        &self.same_hands[player.index()]
    }

    /// What the table of a deal takes.
    pub fn bytes(deal: &DealtBoard) -> usize {
        let has_orbits = !is_trivial(&deal.group);
        let of_player = |(hands, orbits): (usize, usize)| {
            let orbit_bytes = if has_orbits { Orbits::bytes(hands, orbits) } else { 0 };
            hands * size_of::<Hole>() + orbits * size_of::<u16>() + orbit_bytes
        };
        let players = deal.hand_counts.into_iter().zip(deal.orbit_counts);
        size_of::<Self>() + players.map(of_player).sum::<usize>()
    }
}

/// Where each hole is in a list.
pub(crate) fn places(hands: &[Hole]) -> Vec<Option<u16>> {
    let mut places = vec![None; Hole::COUNT];
    for (place, hole) in hands.iter().enumerate() {
        places[hole.index()] = Some(place as u16);
    }
    places
}

/// How strong a hole is, if the board is complete.
fn ranking(board: &Board) -> Option<impl Fn(Hole) -> Option<Strength>> {
    let cards = board.set();
    (cards.len() == 5).then_some(move |hole: Hole| Strength::of(cards.union(hole.set())))
}

/// Where a running sum is in a table of rows, of which the first is the sum over nobody: the number of its row, times eight. An
/// address can be scaled by eight at most, and a table with as many rows as 16 bits can point into needs no checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SumPlace(u16);

impl SumPlace {
    /// As many rows as make every number of 16 bits the start of a whole one, whether it is a multiple of eight or not.
    pub const ROWS: usize = u16::MAX as usize / 8 + 2;

    fn of_row(row: usize) -> Self {
        const { assert!(3 * Hole::COUNT < Self::ROWS - 1, "all sums over all hands have a place") }
        Self((8 * row) as u16)
    }

    pub fn row(self) -> usize {
        usize::from(self.0 / 8)
    }

    /// How many numbers come before the row.
    #[inline(always)]
    pub fn start(self) -> usize {
        const { assert!(WIDTH.is_multiple_of(8)) }
        WIDTH / 8 * usize::from(self.0)
    }
}

/// Which running sums one hand reads: those over the opponent's weaker hands and over the not stronger ones, and for
/// each of its two cards those over the opponent's hands with that card: weaker, not stronger, and all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reads {
    pub weaker: SumPlace,
    pub not_stronger: SumPlace,
    pub high: [SumPlace; 3],
    pub low: [SumPlace; 3],
}

/// What a hand [reads](Reads), in two words. Of eight places side by side, compilers make a vector, which they then have to take apart
/// again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SumReader([u64; 2]);

impl From<Reads> for SumReader {
    fn from(reads: Reads) -> Self {
        let Reads { weaker, not_stronger, high, low } = reads;
        let word = |places: [SumPlace; 4]| {
            places.iter().rev().fold(0, |word, place| word << u16::BITS | u64::from(place.0))
        };
        Self([word([weaker, high[0], low[0], high[2]]), word([not_stronger, high[1], low[1], low[2]])])
    }
}

impl SumReader {
    #[inline(always)]
    fn place(self, word: usize, i: u32) -> SumPlace {
        SumPlace((self.0[word] >> (i * u16::BITS)) as u16)
    }

    #[inline(always)]
    pub fn reads(self) -> Reads {
        Reads {
            weaker: self.place(0, 0),
            not_stronger: self.place(1, 0),
            high: [self.place(0, 1), self.place(1, 1), self.place(0, 3)],
            low: [self.place(0, 2), self.place(1, 2), self.place(1, 3)],
        }
    }
}

/// Where running sums go on with one hand, weakest first: the one over all hands, and for each of its two cards the one over the hands
/// with that card, from where it was kept last. Hands of equal strength share a place, so that few are needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SumStep {
    pub all: SumPlace,
    pub before: [SumPlace; 2],
    pub after: [SumPlace; 2],
}

/// One player's hands on a river board as running sums, weakest first.
struct Side {
    /// For each hand, where the sums go on.
    steps: Vec<SumStep>,
    /// For each representative of the other player, what it reads.
    readers: Vec<SumReader>,
}

/// How the hands of both players compare on a river board.
pub(crate) struct ShowdownTable {
    sides: [Side; 2],
}

impl ShowdownTable {
    /// The table of a board with five cards, none of a shorter one.
    pub fn new(board: &Board, hands: &HandTable) -> Option<Self> {
        let strength = ranking(board)?;
        let ranked =
            |hands: &[Hole]| hands.iter().map(|&hole| (hole, strength(hole))).collect::<Vec<Ranked>>();
        let sides = Player::BOTH.map(|player| {
            side(&ranked(hands.hands(player)), &ranked(hands.representatives(player.opponent())))
        });
        Some(Self { sides })
    }

    /// Where the running sums over a player's hands go on with each of them, weakest first.
    pub fn steps(&self, player: Player) -> &[SumStep] {
        &self.sides[player.index()].steps
    }

    /// What each representative of a player reads from the sums over the opponent's hands.
    pub fn readers(&self, player: Player) -> &[SumReader] {
        &self.sides[player.opponent().index()].readers
    }

    /// What the table of a deal takes.
    pub fn bytes(deal: &DealtBoard) -> usize {
        let (hands, orbits): (usize, usize) = (deal.hand_counts.iter().sum(), deal.orbit_counts.iter().sum());
        size_of::<Self>() + hands * size_of::<SumStep>() + orbits * size_of::<SumReader>()
    }
}

/// A hand and how strong it is.
type Ranked = (Hole, Option<Strength>);

/// The running sums over `hands`, and what `others` read from them; both come weakest first.
fn side(hands: &[Ranked], others: &[Ranked]) -> Side {
    let (levels, all) = levels(hands.iter().map(|hand| hand.1));
    // For each card, how many rows come before its own, and how strong the hands of each of those are.
    let mut by_card: Vec<(usize, Vec<Option<Strength>>)> = Vec::with_capacity(Card::COUNT);
    let mut before = levels.len();
    for card in Card::all() {
        let with = hands.iter().filter(|(hole, _)| hole.cards().contains(&card));
        let mut levels: Vec<_> = with.map(|hand| hand.1).collect();
        levels.dedup();
        let rows = levels.len();
        by_card.push((before, levels));
        before += rows;
    }
    // The sum over nobody is the same for all cards.
    let place = |before: usize, row: usize| SumPlace::of_row(if row == 0 { 0 } else { before + row });
    let places = |card: Card, level: Option<Strength>| {
        let (before, levels) = &by_card[card.index() as usize];
        rows_up_to(levels, level).map(|row| place(*before, row))
    };
    let mut last = [SumPlace::of_row(0); Card::COUNT];
    let steps = hands.iter().zip(all).map(|(&(hole, level), all)| {
        let after = hole.cards().map(|card| places(card, level)[1]);
        let before = [0, 1].map(|i| std::mem::replace(&mut last[hole.cards()[i].index() as usize], after[i]));
        SumStep { all: SumPlace::of_row(all), before, after }
    });
    let steps = steps.collect();
    let read = |&(hole, level): &Ranked| {
        let [high, low] = hole.cards().map(|card| places(card, level));
        let [weaker, not_stronger, _] = rows_up_to(&levels, level).map(SumPlace::of_row);
        SumReader::from(Reads { weaker, not_stronger, high, low })
    };
    Side { steps, readers: others.iter().map(read).collect() }
}

/// The different levels of hands that come weakest first, and for each hand which one it has, counted from one.
fn levels(hands: impl Iterator<Item = Option<Strength>>) -> (Vec<Option<Strength>>, Vec<usize>) {
    let mut levels = Vec::new();
    let numbers = hands.map(|level| {
        if levels.last() != Some(&level) {
            levels.push(level);
        }
        levels.len()
    });
    let numbers = numbers.collect();
    (levels, numbers)
}

/// The rows of the sums over hands below a level, not above it, and all, counted from that of the sum over nobody.
fn rows_up_to(levels: &[Option<Strength>], level: Option<Strength>) -> [usize; 3] {
    let weaker = levels.partition_point(|&other| other < level);
    let not_stronger = weaker + usize::from(levels.get(weaker) == Some(&level));
    [weaker, not_stronger, levels.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_give_back_what_a_hand_reads() {
        let place = |i: u16| SumPlace(8 * i + 0xf000);
        let reads = Reads {
            weaker: place(1),
            not_stronger: place(2),
            high: [place(3), place(4), place(5)],
            low: [place(6), place(7), place(8)],
        };
        assert_eq!(SumReader::from(reads).reads(), reads);
    }
}
