//! How much memory a solve may take, and what to do about one that takes more.

use crate::bytes::Bytes;
use crate::failure::Failure;
use noregret_holdem::{Outline, Precision, SolverOptions, Spec};

/// How much memory may be used, and who says so.
pub struct Limit {
    pub bytes: Bytes,
    whose: &'static str,
}

impl Limit {
    /// What the command line allows, or else what the machine has.
    pub fn new(allowed: Option<Bytes>) -> Self {
        match allowed {
            Some(bytes) => Self { bytes, whose: "--memory allows" },
            None => Self { bytes: Bytes(available_memory()), whose: "this machine has" },
        }
    }

    /// Lays out what a spec asks for, with the coarser tree that is solved first; refused before the betting tree alone takes more.
    pub fn lay_out(&self, spec: &Spec) -> Result<Outline, Failure> {
        let outline = Outline::within(&spec.spot, self.bytes.0).map_err(Failure::request)?;
        outline.with_warm_start(&spec.solver).map_err(Failure::request)
    }

    /// Refuses what does not fit, and says what would.
    pub fn check(&self, outline: &Outline, options: &SolverOptions, threads: usize) -> Result<(), Failure> {
        let needed = |options: &SolverOptions| Bytes(outline.size(options).memory.on_threads(threads) as u64);
        let Self { bytes: limit, whose } = self;
        let now = needed(options);
        if now <= *limit {
            return Ok(());
        }
        let coarser = COARSER.into_iter().find_map(|(strategy, regrets)| {
            let bytes = needed(&options.clone().stored_in(strategy, regrets));
            (bytes <= *limit).then(|| {
                let (strategy, regrets) = (strategy.bits(), regrets.bits());
                format!("--strategy-bits {strategy} --regret-bits {regrets} takes {bytes} and would fit")
            })
        });
        let coarsest = options.clone().stored_in(Precision::Bits4, Precision::Bits4);
        let advice = coarser.unwrap_or_else(|| self.far_too_small(needed(&coarsest)));
        Err(Failure::request(format!("this spot needs {now} of memory, and {whose} {limit}: {advice}")))
    }

    /// The options with their precisions picked, if that is still to be done.
    pub fn fit(
        &self,
        outline: &Outline,
        options: &SolverOptions,
        threads: usize,
    ) -> Result<SolverOptions, Failure> {
        if !options.precision_is_auto {
            return Ok(options.clone());
        }
        outline.fit(options, self.bytes.0, threads).map_err(|error| {
            let advice = self.far_too_small(Bytes(error.least.on_threads(threads) as u64));
            let Self { bytes, whose } = self;
            Failure::request(format!("no precision fits, as {whose} {bytes} of memory: {advice}"))
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

/// What can be allocated now, in bytes; no limit where the system does not tell.
pub fn available_memory() -> u64 {
    let Ok(mut system) = sysinfo::System::new() else { return u64::MAX };
    system.refresh_memory();
    let limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    system.available_memory().min(limit)
}
