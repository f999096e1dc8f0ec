//! How hands compare over all cards that can still come, when nobody bets any more.

use super::hands::HandTable;
use noregret_cards::{Board, Card, CardSet, Hole, Street, Strength};
use noregret_cfr::Player;
use noregret_cfr::simd::WIDTH;

/// For each two hands on a flop or turn: in how many runouts the first one wins or ties, twice where it wins. Exact, as these are
/// whole numbers.
pub(crate) struct AllInTable {
    scores: RunoutScores,
    /// How long a row is.
    row: usize,
    /// How many runouts there are for two hands that meet.
    runouts: u16,
}

/// A row for each hand of the first player, padded to whole blocks. Hands that share a card never meet and score nothing.
enum RunoutScores {
    /// On a turn no score is above 88.
    Turn(Vec<u8>),
    Flop(Vec<u16>),
}

/// The strength of a hand that a runout blocks: nobody beats or ties it.
const BLOCKED: i16 = i16::MAX;

impl AllInTable {
    /// The table of a board with one or two cards to come.
    pub fn new(board: &Board, hands: &HandTable) -> Self {
        let [first, second] = Player::BOTH.map(|player| hands.hands(player));
        let row = second.len().next_multiple_of(WIDTH);
        let mut scores = vec![0u16; first.len() * row];
        for runout in runouts(board) {
            let [first, second] = ranks(board.set().union(runout), runout, [first, second]);
            for (&rank, scores) in first.iter().zip(scores.chunks_exact_mut(row.max(1))) {
                if rank != BLOCKED {
                    for (score, &other) in scores.iter_mut().zip(&second) {
                        *score += u16::from(rank > other) + u16::from(rank >= other);
                    }
                }
            }
        }
        for (hole, scores) in first.iter().zip(scores.chunks_exact_mut(row.max(1))) {
            let apart = second.iter().map(|other| !hole.set().intersects(other.set()));
            scores.iter_mut().zip(apart).filter(|(_, apart)| !apart).for_each(|(score, _)| *score = 0);
        }
        // Two hands leave so many cards.
        let left = (Card::COUNT - board.cards().len() - 4) as u16;
        if board.cards().len() == 4 {
            let scores = RunoutScores::Turn(scores.into_iter().map(|score| score as u8).collect());
            Self { scores, row, runouts: left }
        } else {
            Self { scores: RunoutScores::Flop(scores), row, runouts: left * (left - 1) / 2 }
        }
    }

    /// How many runouts there are for two hands that meet.
    #[inline(always)]
    pub fn runouts(&self) -> f32 {
        f32::from(self.runouts)
    }

    /// The scores of the hands `first..first + FIRST` of the first player, a row each, against `second..second + SECOND` of the second
    /// one, which must be within a block. Hands that there are not score nothing.
    #[inline(always)]
    pub fn scores<const FIRST: usize, const SECOND: usize>(
        &self,
        first: usize,
        second: usize,
    ) -> [[f32; SECOND]; FIRST] {
        match &self.scores {
            RunoutScores::Turn(scores) => part(scores, self.row, first, second),
            RunoutScores::Flop(scores) => part(scores, self.row, first, second),
        }
    }

    /// What the table of so many hands takes.
    pub fn bytes(street: Street, [first, second]: [usize; 2]) -> usize {
        let score = if street == Street::Turn { size_of::<u8>() } else { size_of::<u16>() };
        size_of::<Self>() + first * second.next_multiple_of(WIDTH) * score
    }
}

/// A part of a table whose rows are so long.
#[inline(always)]
fn part<T: Copy + Into<f32>, const FIRST: usize, const SECOND: usize>(
    scores: &[T],
    row: usize,
    first: usize,
    second: usize,
) -> [[f32; SECOND]; FIRST] {
    let mut part = [[0.0; SECOND]; FIRST];
    for (to, row) in part.iter_mut().zip(scores.chunks_exact(row.max(1)).skip(first)) {
        for (to, &score) in to.iter_mut().zip(&row[second..][..SECOND]) {
            *to = score.into();
        }
    }
    part
}

/// Every set of cards that can complete a board.
fn runouts(board: &Board) -> impl Iterator<Item = CardSet> + use<> {
    let left: Vec<Card> = Card::all().filter(|&card| !board.set().contains(card)).collect();
    let is_turn = board.cards().len() == 4;
    (0..left.len()).flat_map(move |i| {
        let first = CardSet::from_iter([left[i]]);
        let others = if is_turn { Vec::new() } else { left[i + 1..].to_vec() };
        let both = others.into_iter().map(move |second| first.union(CardSet::from_iter([second])));
        is_turn.then_some(first).into_iter().chain(both)
    })
}

/// How strong each hand is on a whole board, as its place among the strengths of all of them.
fn ranks(board: CardSet, runout: CardSet, hands: [&[Hole]; 2]) -> [Vec<i16>; 2] {
    let strength = |hole: &Hole| {
        (!hole.set().intersects(runout)).then(|| Strength::of(board.union(hole.set()))).flatten()
    };
    let strengths = hands.map(|hands| hands.iter().map(strength).collect::<Vec<_>>());
    let mut order: Vec<Strength> = strengths.iter().flatten().flatten().copied().collect();
    order.sort_unstable();
    order.dedup();
    let rank = |strength: &Option<Strength>| match strength {
        Some(strength) => order.partition_point(|other| other < strength) as i16,
        None => BLOCKED,
    };
    strengths.map(|strengths| strengths.iter().map(rank).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Spot, TreeOptions};

    fn hands(board: &Board) -> HandTable {
        let options = TreeOptions::new(100.into(), 100.into());
        let ranges = ["QQ+,AKs,QJs,43s,72o", "TT+,AQs,T9s,54s,32o"].map(|range| range.parse().unwrap());
        HandTable::new(
            &Spot::new(ranges, *board, options).unwrap(),
            board,
            &noregret_cards::SuitGroup::trivial(),
        )
    }

    #[test]
    fn scores_count_who_wins_each_runout() {
        for board in ["QsJh2h", "QsJh2h3h"] {
            let board: Board = board.parse().unwrap();
            let hands = hands(&board);
            let table = AllInTable::new(&board, &hands);
            let [first, second] = Player::BOTH.map(|player| hands.hands(player));
            assert_eq!(table.runouts, if board.cards().len() == 4 { 44 } else { 990 });
            for (i, a) in first.iter().enumerate() {
                for (j, b) in second.iter().enumerate() {
                    let [[score]] = table.scores::<1, 1>(i, j);
                    if a.set().intersects(b.set()) {
                        assert_eq!(score, 0.0);
                        continue;
                    }
                    let taken = a.set().union(b.set());
                    let mut expected = 0;
                    for runout in runouts(&board).filter(|runout| !runout.intersects(taken)) {
                        let of = |hole: &Hole| Strength::of(board.set().union(runout).union(hole.set()));
                        expected += i32::from(of(a) > of(b)) + i32::from(of(a) >= of(b));
                    }
                    assert_eq!(score, expected as f32, "{a} against {b} on {board}");
                }
            }
        }
    }
}
