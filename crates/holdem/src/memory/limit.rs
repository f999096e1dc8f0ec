//! How much memory a solve may take, and what to do about one that takes more.

use super::machine::MachineMemory;
use crate::{BettingTreeError, GameLayout, LayOutError, Precision, PrecisionChoice, SolverOptions, Spec};
use noregret_store::Bytes;
use std::fmt;

/// How much memory may be used, and who says so.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLimit {
    /// How much.
    pub bytes: Bytes,
    whose: &'static str,
}

impl fmt::Display for MemoryLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.whose, self.bytes)
    }
}

/// A spot that does not fit, in words that say what would.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct OverLimit(String);

impl MemoryLimit {
    /// No limit.
    pub const ANY: Self = Self { bytes: Bytes(u64::MAX), whose: "there are" };

    /// So much, because of whom or what, as in `the server may use` or `this machine has`.
    pub fn new(bytes: Bytes, whose: &'static str) -> Self {
        Self { bytes, whose }
    }

    /// What the machine has at the moment.
    pub fn of_machine() -> Self {
        let MachineMemory { available, whose, .. } = MachineMemory::now();
        Self { bytes: Bytes(available), whose }
    }

    /// Lays out what a spec asks for, with the coarser tree that is solved first; refused before the betting tree alone takes more.
    pub fn lay_out(&self, spec: &Spec) -> Result<GameLayout, LayOutError> {
        let most = GameLayout::nodes_within(self.bytes.0);
        GameLayout::of(spec, self.bytes.0).map_err(|error| match error {
            // Whoever sets a limit in bytes is told about bytes.
            LayOutError::Tree(BettingTreeError::TooLarge(nodes)) if nodes == most => {
                LayOutError::OverMemory { limit: self.bytes, whose: self.whose }
            }
            error => error,
        })
    }

    /// Refuses what does not fit, and says what would.
    pub fn check(
        &self,
        layout: &GameLayout,
        options: &SolverOptions,
        threads: usize,
    ) -> Result<(), OverLimit> {
        let needed = |options: &SolverOptions| Bytes(layout.size(options).memory.on_threads(threads) as u64);
        let limit = self.bytes;
        let now = needed(options);
        if now <= limit {
            return Ok(());
        }
        let coarser = COARSER.into_iter().find_map(|(strategy, regrets)| {
            let bytes = needed(&options.clone().stored_in(strategy, regrets));
            (bytes <= limit).then(|| {
                let (strategy, regrets) = (strategy.bits(), regrets.bits());
                format!("strategy_bits {strategy} with regret_bits {regrets} takes {bytes} and would fit")
            })
        });
        let coarsest = options.clone().stored_in(Precision::Bits4, Precision::Bits4);
        let advice = coarser.unwrap_or_else(|| self.far_too_small(needed(&coarsest)));
        Err(OverLimit(format!("this spot needs {now} of memory, and {self}: {advice}")))
    }

    /// The options with their precisions picked, if that is still to be done.
    pub fn fit(
        &self,
        layout: &GameLayout,
        options: &SolverOptions,
        threads: usize,
    ) -> Result<SolverOptions, OverLimit> {
        if options.precision_choice == PrecisionChoice::Given {
            return Ok(options.clone());
        }
        layout.fit(options, self.bytes.0, threads).map_err(|error| {
            let advice = self.far_too_small(Bytes(error.least.on_threads(threads) as u64));
            OverLimit(format!("no precision fits, as {self} of memory: {advice}"))
        })
    }

    /// What to do where not even the coarsest precision fits.
    fn far_too_small(&self, least: Bytes) -> String {
        let share = 100.0 * self.bytes.0 as f64 / least.0 as f64;
        format!(
            "even in 4 bits it needs {least}. Allow that much, or ask for a spot of about {share:.1}% of its size: give fewer \
             bet sizes, narrower ranges or a later street, or raise merging_threshold or force_allin_threshold"
        )
    }
}

/// Precisions (strategy, regrets) to suggest, finest first.
const COARSER: [(Precision, Precision); 4] = [
    (Precision::Bits16, Precision::Bits16),
    (Precision::Bits8, Precision::Bits16),
    (Precision::Bits8, Precision::Bits8),
    (Precision::Bits4, Precision::Bits4),
];
