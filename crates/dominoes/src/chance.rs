//! How likely something is, from how often it was seen.

/// A share of the deals, with the 95% interval that the whole lies in (Wilson's).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    /// What was seen.
    pub seen: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Chance {
    /// So many of so many.
    pub fn new(hits: u64, deals: u64) -> Self {
        const Z: f64 = 1.959_963_984_540_054;
        if deals == 0 {
            return Self { seen: 0.0, low: 0.0, high: 1.0 };
        }
        let (n, seen) = (deals as f64, hits as f64 / deals as f64);
        let scale = 1.0 + Z * Z / n;
        let middle = (seen + Z * Z / (2.0 * n)) / scale;
        let half = Z * (seen * (1.0 - seen) / n + Z * Z / (4.0 * n * n)).sqrt() / scale;
        Self { seen, low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
    }

    /// So many of all that there are: nothing is left to chance.
    pub fn exact(hits: u64, deals: u64) -> Self {
        let seen = hits as f64 / deals.max(1) as f64;
        Self { seen, low: seen, high: seen }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_intervals_are_the_textbook_ones() {
        let chance = Chance::new(8, 10);
        assert!((chance.low - 0.4902).abs() < 1e-4 && (chance.high - 0.9433).abs() < 1e-4, "{chance:?}");
        assert_eq!(Chance::new(0, 5).low, 0.0);
        assert_eq!(Chance::new(0, 0).high, 1.0);
        assert_eq!(Chance::exact(1, 4), Chance { seen: 0.25, low: 0.25, high: 0.25 });
    }
}
