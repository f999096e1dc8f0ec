//! The deals that agree with what a player knows, numbered.

use crate::domino::Domino;
use crate::hand::Hand;

/// Dominoes of a hand at most, and one.
const SIZES: usize = 8;

/// Ways to deal the unknown dominoes to three seats, each of which may not hold some of them. They are numbered from 0
/// on, so that counting them needs no list and drawing one takes a number.
#[derive(Clone, Debug)]
pub struct Worlds {
    /// What is known of the four hands: what each seat has played, and the player's own hand.
    known: [Hand; 4],
    /// The other three seats.
    others: [usize; 3],
    /// The unknown dominoes, each with the others that may hold it, as a mask.
    unknown: Vec<(Domino, u8)>,
    /// By how many dominoes are still to be dealt from the end of the list and how many the first two others still
    /// need: the ways to deal them. What the third needs follows.
    ways: Vec<[[u64; SIZES]; SIZES]>,
}

impl Worlds {
    /// With `may_hold` saying which of the three others may hold a domino.
    pub(crate) fn new(known: [Hand; 4], own: usize, may_hold: impl Fn(usize, Domino) -> bool) -> Self {
        let others = [1, 2, 3].map(|turns| (own + turns) % 4);
        let unknown: Vec<(Domino, u8)> = Domino::all()
            .filter(|&domino| !known.iter().any(|hand| hand.contains(domino)))
            .map(|domino| {
                let mask =
                    (0..3).fold(0, |mask, other| mask | u8::from(may_hold(others[other], domino)) << other);
                (domino, mask)
            })
            .collect();
        let mut worlds = Self { known, others, unknown, ways: Vec::new() };
        worlds.ways = worlds.count_ways();
        worlds
    }

    fn count_ways(&self) -> Vec<[[u64; SIZES]; SIZES]> {
        let mut ways = vec![[[0; SIZES]; SIZES]];
        ways[0][0][0] = 1;
        for (dealt, &(_, mask)) in self.unknown.iter().rev().enumerate() {
            let below = ways[dealt];
            let mut here = [[0; SIZES]; SIZES];
            for (first, here) in here.iter_mut().enumerate() {
                for (second, here) in here.iter_mut().enumerate() {
                    let Some(third) = (dealt + 1).checked_sub(first + second) else { continue };
                    if mask & 1 != 0 && first > 0 {
                        *here += below[first - 1][second];
                    }
                    if mask & 2 != 0 && second > 0 {
                        *here += below[first][second - 1];
                    }
                    if mask & 4 != 0 && third > 0 && third < SIZES {
                        *here += below[first][second];
                    }
                }
            }
            ways.push(here);
        }
        ways
    }

    /// How many dominoes each of the others needs.
    fn needs(&self) -> [usize; 3] {
        self.others.map(|seat| 7 - self.known[seat].len())
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        let [first, second, _] = self.needs();
        self.ways.last().map_or(0, |ways| ways[first][second])
    }

    /// The four hands, as they were dealt, of the world with this number, which must be below [`count`](Self::count).
    pub fn hands(&self, number: u64) -> [Hand; 4] {
        let mut hands = self.known;
        let [mut first, mut second, _] = self.needs();
        let mut number = number;
        for (at, &(domino, mask)) in self.unknown.iter().enumerate() {
            let left = self.unknown.len() - at - 1;
            let below = &self.ways[left];
            // Numbers go by who holds the first unknown domino, then the second, and so on.
            let to_first = if mask & 1 != 0 && first > 0 { below[first - 1][second] } else { 0 };
            let to_second = if mask & 2 != 0 && second > 0 { below[first][second - 1] } else { 0 };
            let other = if number < to_first {
                first -= 1;
                0
            } else if number < to_first + to_second {
                number -= to_first;
                second -= 1;
                1
            } else {
                number -= to_first + to_second;
                2
            };
            hands[self.others[other]].insert(domino);
        }
        hands
    }
}
