//! Solving a coarser tree first.

/// Whether and how a solve starts on a tree with fewer sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WarmStart {
    /// Whether it does. It does not by default.
    pub enabled: bool,
    /// How many iterations are made there.
    pub iterations: u32,
    /// The iteration from which the full tree goes on, as if so many had been made there; picked if none.
    pub weight: Option<u32>,
    /// How many bets or raises each decision keeps there at most, all-in not counted. 1 by default.
    pub sizes: u32,
}

impl WarmStart {
    /// The most iterations and the largest weight that may be asked for: a million.
    pub const MAX_ITERATIONS: u32 = 1_000_000;

    /// The most sizes that may be asked for.
    pub const MAX_SIZES: u32 = noregret_cfr::MAX_ACTIONS as u32;

    /// The iteration from which the full tree goes on: the weight, or half of the iterations if it is to be picked. Weights of all of
    /// them and more took longer to 0.1% than no warm start at all on two of three spots (figures in docs/experiments.md).
    pub fn weight(&self) -> u32 {
        self.weight.unwrap_or_else(|| (self.iterations / 2).clamp(1, Self::MAX_ITERATIONS))
    }
}

impl Default for WarmStart {
    fn default() -> Self {
        Self { enabled: false, iterations: 20, weight: None, sizes: 1 }
    }
}
