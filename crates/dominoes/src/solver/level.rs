//! The address of a position between tricks, by arithmetic alone.
//!
//! A *level* is all positions with the same number of tricks left, `k`. Three hands, those of seats 1 to 3, and the
//! leader pick a *row*; seat 0's hand picks a *lane* in it. Seat 0 has `k` of seven dominoes, so its lowest six bits
//! tell the seventh: a row has 64 lanes, a set of them is one `u64`, and taking domino `p` out of the hand moves every
//! lane down by the same `2^p` (by none for the seventh).

/// Tricks in a deal.
pub(crate) const TRICKS: usize = 7;
/// Lanes of a row.
pub(crate) const LANES: usize = 64;

/// How many hands of each size there are: binomials of seven.
pub(crate) const HANDS: [usize; 8] = [1, 7, 21, 35, 35, 21, 7, 1];

/// The place of each hand mask among those of its size, ascending.
pub(crate) const RANK: [u8; 128] = {
    let mut rank = [0; 128];
    let mut next = [0; 8];
    let mut mask = 0;
    while mask < 128 {
        let size = (mask as u8).count_ones() as usize;
        rank[mask] = next[size];
        next[size] += 1;
        mask += 1;
    }
    rank
};

/// The hand masks of each size, ascending.
pub(crate) const MASKS: [[u8; 35]; 8] = {
    let mut masks = [[0; 35]; 8];
    let mut mask = 0;
    while mask < 128 {
        masks[(mask as u8).count_ones() as usize][RANK[mask] as usize] = mask as u8;
        mask += 1;
    }
    masks
};

/// By size of seat 0's hand: the lanes of hands without the seventh domino.
pub(crate) const LOW_LANES: [u64; 8] = {
    let mut lanes = [0; 8];
    let mut mask: usize = 0;
    while mask < 64 {
        lanes[mask.count_ones() as usize] |= 1 << mask;
        mask += 1;
    }
    lanes
};

/// Rows of a level.
pub(crate) const fn rows(k: usize) -> usize {
    4 * HANDS[k] * HANDS[k] * HANDS[k]
}

/// What a rank of seats 1 to 3 adds to the number of a row. Seat 0 is in the lane and adds nothing.
pub(crate) const fn strides(k: usize) -> [usize; 4] {
    let n = HANDS[k];
    [0, 4, 4 * n, 4 * n * n]
}

/// The row of a position with `k` tricks left.
pub(crate) fn row(k: usize, held: [u8; 4], leader: usize) -> usize {
    let strides = strides(k);
    let place = |seat: usize| usize::from(RANK[usize::from(held[seat])]) * strides[seat];
    place(1) + place(2) + place(3) + leader
}

/// The hands of seats 1 to 3 of a row, with seat 0's left empty, and its leader.
pub(crate) fn hands_of_row(k: usize, row: usize) -> ([u8; 4], usize) {
    let n = HANDS[k];
    let triple = row / 4;
    let masks = &MASKS[k];
    ([0, masks[triple % n], masks[triple / n % n], masks[triple / (n * n)]], row % 4)
}

/// The lane of seat 0's hand.
pub(crate) const fn lane(mask: u8) -> u32 {
    mask as u32 & 63
}

/// Seat 0's hand in a lane of a level.
pub(crate) const fn hand_of_lane(k: usize, lane: u32) -> u8 {
    let low = lane as u8;
    if low.count_ones() as usize == k { low } else { low | 64 }
}

/// How far lanes move down when seat 0 plays a domino.
pub(crate) const fn lane_shift(local: usize) -> usize {
    (1 << local) & 63
}

/// The set bits, ascending.
#[inline(always)]
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_and_lane_is_addressed_once() {
        for k in 0..=TRICKS {
            for number in 0..rows(k) {
                let (held, leader) = hands_of_row(k, number);
                assert_eq!(row(k, held, leader), number);
                assert!(held[1..].iter().all(|mask| mask.count_ones() as usize == k));
            }
            let lanes: Vec<u32> = MASKS[k][..HANDS[k]].iter().map(|&mask| lane(mask)).collect();
            for (&mask, &lane) in MASKS[k].iter().zip(&lanes) {
                assert_eq!(hand_of_lane(k, lane), mask);
                for local in bits(u64::from(mask)) {
                    let rest = mask & !(1 << local);
                    assert_eq!(lane as usize - lane_shift(local as usize), rest as usize & 63);
                }
            }
        }
    }

    #[test]
    fn the_bound_of_the_design_holds() {
        assert_eq!((0..=TRICKS).map(|k| rows(k) * HANDS[k]).sum::<usize>(), 13_580_064);
        assert_eq!(bits(0b1001_0001).collect::<Vec<_>>(), [0, 4, 7]);
    }
}
