//! Packs the values of a level: each position is guessed from its neighbours, and a range coder stores how the guesses
//! fared.
//!
//! A neighbour differs by one domino swapped in one hand and has been stored before: there is one for each of the four
//! seats. Their distinct values, most votes first, are the guesses. Which neighbours exist and which of them agree is
//! the context that the chances are learned in.

use std::sync::LazyLock;

use crate::solver::backward::LevelValues;
use crate::solver::level::{HANDS, LANES, MASKS, TRICKS, bits, hand_of_lane, hands_of_row, lane, strides};
use crate::solver::rule_tables::RuleTables;
use crate::table::range_coder::{BitProbability, Decoder, Encoder};

const GUESSES: usize = 3;
/// Four bits for which seats have a neighbour, six for which pairs agree.
const PATTERNS: usize = 1 << 10;
/// A miss is stored as a number of this many bits.
const MISS_BITS: u32 = 7;
/// What a miss is counted from when no neighbour exists.
const MIDDLE: u8 = 21;

/// What the coder has learned of a level.
struct Model {
    guesses: &'static [Guesses],
    hits: Vec<[BitProbability; GUESSES]>,
    misses: [BitProbability; 1 << MISS_BITS],
}

impl Model {
    fn new() -> Self {
        Self {
            guesses: &GUESSES_BY_PATTERN,
            hits: vec![[BitProbability::EVEN; GUESSES]; PATTERNS],
            misses: [BitProbability::EVEN; 1 << MISS_BITS],
        }
    }
}

/// One side of the coder: told a value it writes it, or it reads one. None if what it reads is no value.
trait Coder {
    fn code(&mut self, model: &mut Model, votes: Votes, value: u8) -> Option<u8>;
}

/// Writes values.
struct ValueEncoder(Encoder);

/// Reads values.
struct ValueDecoder<'a>(Decoder<'a>);

impl Coder for ValueEncoder {
    #[inline(always)]
    fn code(&mut self, model: &mut Model, votes: Votes, value: u8) -> Option<u8> {
        let Guesses { order, context } = model.guesses[votes.pattern];
        for (seat, probability) in order.into_iter().zip(&mut model.hits[usize::from(context)]) {
            if seat == NO_GUESS {
                break;
            }
            let hit = votes.values[usize::from(seat)] == value;
            self.0.bit(probability, hit);
            if hit {
                return Some(value);
            }
        }
        let away = i16::from(value) - i16::from(votes.base(order[0]));
        let number = (if away < 0 { -2 * away - 1 } else { 2 * away }) as usize;
        let mut node = 1;
        for place in (0..MISS_BITS).rev() {
            let bit = number >> place & 1;
            self.0.bit(&mut model.misses[node], bit == 1);
            node = 2 * node + bit;
        }
        Some(value)
    }
}

impl Coder for ValueDecoder<'_> {
    #[inline(always)]
    fn code(&mut self, model: &mut Model, votes: Votes, _: u8) -> Option<u8> {
        let Guesses { order, context } = model.guesses[votes.pattern];
        for (seat, probability) in order.into_iter().zip(&mut model.hits[usize::from(context)]) {
            if seat == NO_GUESS {
                break;
            }
            if self.0.bit(probability) {
                return Some(votes.values[usize::from(seat)]);
            }
        }
        let mut node = 1;
        for _ in 0..MISS_BITS {
            node = 2 * node + usize::from(self.0.bit(&mut model.misses[node]));
        }
        let number = (node - (1 << MISS_BITS)) as i16;
        let away = if number % 2 == 1 { -(number + 1) / 2 } else { number / 2 };
        u8::try_from(i16::from(votes.base(order[0])) + away).ok()
    }
}

/// The neighbours' values by seat, and the pattern of which exist and agree.
#[derive(Clone, Copy)]
struct Votes {
    values: [u8; 4],
    pattern: usize,
}

const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
const NO_GUESS: u8 = 4;

impl Votes {
    #[inline(always)]
    fn new(values: [u8; 4], exist: usize) -> Self {
        let mut pattern = exist;
        for (i, (one, other)) in PAIRS.into_iter().enumerate() {
            pattern |= usize::from(values[one] == values[other]) << (4 + i);
        }
        Self { values, pattern }
    }

    /// What a miss is counted from.
    fn base(&self, first: u8) -> u8 {
        self.values.get(usize::from(first)).copied().unwrap_or(MIDDLE)
    }
}

/// What is guessed in a pattern.
#[derive(Clone, Copy)]
struct Guesses {
    /// The seats whose neighbours are guessed, in order: most votes first, each value once.
    order: [u8; GUESSES],
    /// The pattern without what it says of neighbours that do not exist.
    context: u16,
}

impl Guesses {
    fn of_pattern(pattern: usize) -> Self {
        let exists = |seat: usize| pattern >> seat & 1 == 1;
        let agreeing: Vec<usize> = (0..PAIRS.len())
            .filter(|&i| pattern >> (4 + i) & 1 == 1 && exists(PAIRS[i].0) && exists(PAIRS[i].1))
            .collect();
        let agree = |one: usize, other: usize| {
            one == other || agreeing.iter().any(|&i| PAIRS[i] == (one.min(other), one.max(other)))
        };
        let is_first = |seat: usize| exists(seat) && !(0..seat).any(|earlier| agree(earlier, seat));
        let votes = |seat: usize| (0..4).filter(|&other| exists(other) && agree(other, seat)).count();
        let mut seats: Vec<usize> = (0..4).filter(|&seat| is_first(seat)).collect();
        seats.sort_by_key(|&seat| std::cmp::Reverse(votes(seat)));
        let order = std::array::from_fn(|i| seats.get(i).map_or(NO_GUESS, |&seat| seat as u8));
        let context = agreeing.iter().fold(pattern & 0xf, |context, i| context | 1 << (4 + i)) as u16;
        Self { order, context }
    }
}

static GUESSES_BY_PATTERN: LazyLock<Vec<Guesses>> =
    LazyLock::new(|| (0..PATTERNS).map(Guesses::of_pattern).collect());

/// By size and rank of a hand: the ranks before it that differ by one swapped domino, nearest first.
static SWAPS: LazyLock<Vec<Vec<Vec<u8>>>> = LazyLock::new(|| {
    (0..=TRICKS)
        .map(|k| {
            let masks = &MASKS[k][..HANDS[k]];
            let one_swap = |rank: usize, other: usize| (masks[rank] ^ masks[other]).count_ones() == 2;
            let before = |rank: usize| {
                (0..rank).rev().filter(|&other| one_swap(rank, other)).map(|other| other as u8).collect()
            };
            (0..masks.len()).map(before).collect()
        })
        .collect()
});

/// The same for seat 0, by lane: the lanes below that differ by one swapped domino.
fn lane_swaps(k: usize) -> [u64; LANES] {
    let mut swaps = [0; LANES];
    let masks = &MASKS[k][..HANDS[k]];
    for &mask in masks {
        for &other in
            masks.iter().filter(|&&other| (mask ^ other).count_ones() == 2 && lane(other) < lane(mask))
        {
            swaps[lane(mask) as usize] |= 1 << lane(other);
        }
    }
    swaps
}

/// Packs a level's values.
pub(crate) fn encode_level(rules: &RuleTables, k: usize, reach: &[u64], level: &mut LevelValues) -> Vec<u8> {
    let mut encoder = ValueEncoder(Encoder::new());
    // A level that is already there codes to itself.
    code_level(rules, k, reach, level, &mut encoder);
    encoder.0.finish()
}

/// Unpacks a level's values. None if the bytes hold no values, or more than those.
pub(crate) fn decode_level(rules: &RuleTables, k: usize, reach: &[u64], bytes: &[u8]) -> Option<LevelValues> {
    let mut level = LevelValues::empty(reach).0;
    let mut decoder = ValueDecoder(Decoder::new(bytes));
    code_level(rules, k, reach, &mut level, &mut decoder)?;
    decoder.0.is_at_end().then_some(level)
}

fn code_level(
    rules: &RuleTables,
    k: usize,
    reach: &[u64],
    level: &mut LevelValues,
    coder: &mut impl Coder,
) -> Option<()> {
    let mut model = Model::new();
    let swaps: &[Vec<u8>] = &SWAPS[k];
    let lane_swaps = lane_swaps(k);
    // What each hand of each seat counts: no value is higher than what is left to win.
    let counts: [[u8; 128]; 4] = std::array::from_fn(|seat| {
        std::array::from_fn(|mask| {
            let mut held = [0; 4];
            held[seat] = mask as u8;
            rules.counts(held)
        })
    });
    let mut neighbours = Neighbours { values: [[0; LANES]; 3], exist: [0; 3] };
    for (number, &lanes) in reach.iter().enumerate().filter(|(_, lanes)| **lanes != 0) {
        let (held, _) = hands_of_row(k, number);
        let points: u8 = k as u8 + (1..4).map(|seat| counts[seat][usize::from(held[seat])]).sum::<u8>();
        neighbours.find(k, number, reach, swaps, level);
        let row = level.row_mut(number);
        for lane in bits(lanes) {
            let at = lane as usize;
            let swaps = lanes & lane_swaps[at];
            let beside = if swaps == 0 { 0 } else { row[63 - swaps.leading_zeros() as usize] };
            let votes = neighbours.votes(lane, beside, swaps != 0);
            let left = points + counts[0][usize::from(hand_of_lane(k, lane))];
            row[at] = coder.code(&mut model, votes, row[at]).filter(|&value| value <= left)?;
        }
    }
    Some(())
}

/// For each lane of a row, the values of the neighbours in seats 1 to 3, and in which lanes they exist.
struct Neighbours {
    values: [[u8; LANES]; 3],
    exist: [u64; 3],
}

impl Neighbours {
    /// Looks up a row's neighbours. Where there is none, the value of an earlier row stays: it has no vote.
    fn find(&mut self, k: usize, number: usize, reach: &[u64], swaps: &[Vec<u8>], level: &LevelValues) {
        let (strides, n, triple) = (strides(k), HANDS[k], number / 4);
        let ranks = [triple % n, triple / n % n, triple / (n * n)];
        for (i, rank) in ranks.into_iter().enumerate() {
            let mut open = reach[number];
            for &other in &swaps[rank] {
                let beside = number - (rank - usize::from(other)) * strides[i + 1];
                let found = open & reach[beside];
                if found != 0 {
                    let row = level.row(beside);
                    for lane in bits(found) {
                        self.values[i][lane as usize] = row[lane as usize];
                    }
                    open &= !found;
                    if open == 0 {
                        break;
                    }
                }
            }
            self.exist[i] = reach[number] & !open;
        }
    }

    #[inline(always)]
    fn votes(&self, lane: u32, beside: u8, has_beside: bool) -> Votes {
        let at = lane as usize;
        let exists = |i: usize| (self.exist[i] >> lane & 1) as usize;
        let exist = usize::from(has_beside) | exists(0) << 1 | exists(1) << 2 | exists(2) << 3;
        Votes::new([beside, self.values[0][at], self.values[1][at], self.values[2][at]], exist)
    }
}
