//! Random choices of a drill: a function of its seed, the number of the question and what is chosen.

/// What is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// One solution of several.
    Solution,
    /// Who is asked.
    Player,
    /// The street of a single decision.
    Street,
    /// Which decision of the street.
    Decision,
    /// The cards of whoever is asked.
    Hole,
    /// The opponent's cards.
    OpponentHole,
    /// The next public card.
    Card,
    /// What a player does.
    Action,
    /// Which seat of Texas 42 is asked.
    Seat,
    /// One of several dominoes that are worth the same.
    Domino,
}

/// The random numbers of one question: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014)
/// over the key of each choice, so that none depends on how many were made before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DrillRandom(u64);

fn mixed(state: u64, key: u64) -> u64 {
    let mut z = (state ^ key).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl DrillRandom {
    /// Those of the question with a number, where it is dealt for the `attempt`th time.
    pub fn new(seed: u64, number: u64, attempt: u64) -> Self {
        Self(mixed(mixed(mixed(0, seed), number), attempt))
    }

    /// A number from 0 to below 1.
    fn unit(self, purpose: Purpose, place: usize) -> f64 {
        let bits = mixed(mixed(self.0, purpose as u64), place as u64);
        (bits >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// One of so many, each as likely; none of none.
    pub fn below(self, purpose: Purpose, place: usize, count: usize) -> Option<usize> {
        let chosen = (self.unit(purpose, place) * count as f64) as usize;
        (count > 0).then(|| chosen.min(count - 1))
    }

    /// One of some places by their weights; none if all weights are zero.
    pub fn weighted(self, purpose: Purpose, place: usize, weights: &[f64]) -> Option<usize> {
        let total: f64 = weights.iter().sum();
        let target = self.unit(purpose, place) * total;
        let mut sum = 0.0;
        let passed = weights.iter().position(|weight| {
            sum += weight;
            *weight > 0.0 && sum > target
        });
        // Rounding may leave the sum at the target.
        passed.or_else(|| weights.iter().rposition(|weight| *weight > 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_follow_their_weights() {
        let weights = [1.0, 0.0, 2.0, 5.0];
        let mut counts = [0_u32; 4];
        for number in 0..40_000 {
            let random = DrillRandom::new(3, number, 0);
            counts[random.weighted(Purpose::Action, 2, &weights).unwrap()] += 1;
        }
        assert_eq!(counts[1], 0);
        let expected = weights.map(|weight| weight * 40_000.0 / 8.0);
        let chi_square: f64 =
            [0, 2, 3].map(|i| (f64::from(counts[i]) - expected[i]).powi(2) / expected[i]).into_iter().sum();
        // Two degrees of freedom: 13.8 is passed by one chance in a thousand.
        assert!(chi_square < 13.8, "{counts:?}: {chi_square}");
    }

    #[test]
    fn nothing_is_chosen_of_nothing_and_the_purpose_counts() {
        let random = DrillRandom::new(1, 2, 3);
        assert_eq!(random.weighted(Purpose::Card, 0, &[0.0, 0.0]), None);
        assert_eq!(random.below(Purpose::Card, 0, 0), None);
        assert_ne!(random.unit(Purpose::Card, 0), random.unit(Purpose::Action, 0));
        assert_ne!(random.unit(Purpose::Card, 0), random.unit(Purpose::Card, 1));
        assert_ne!(random.unit(Purpose::Card, 0), DrillRandom::new(1, 3, 2).unit(Purpose::Card, 0));
    }
}
