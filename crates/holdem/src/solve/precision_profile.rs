//! `precision = "profile"`: times some iterations in each precision that fits, on this spot and this machine, and picks the quickest.

use crate::{GameLayout, MemoryPlan, Postflop, Precision, SolverOptions};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The precisions that are timed, each on flop, turn and river for strategies and regrets alike, with how many iterations they take
/// to a target for one with 32 bits: the geometric means over eight examples, to 0.3 and to 0.1% (docs/experiments.md, "2026-11-18:
/// every precision on every example, on another machine").
const CANDIDATES: [([Precision; 3], f64); 4] = [
    ([Precision::Bits32; 3], 1.0),
    ([Precision::Bits16; 3], 1.0),
    ([Precision::Bits16, Precision::Bits16, Precision::Bits8], 0.98),
    ([Precision::Bits8; 3], 1.04),
];

/// Iterations of each candidate that are not timed: the first ones touch fresh memory.
const UNTIMED: u32 = 2;

/// At least so many iterations are timed, and at least for so long.
const TIMED: (u32, Duration) = (4, Duration::from_millis(40));

/// A precision that may be timed.
#[derive(Clone, Debug)]
pub(crate) struct PrecisionCandidate {
    options: SolverOptions,
    memory: MemoryPlan,
    relative_iterations: f64,
}

impl PrecisionCandidate {
    /// Those that fit into so many bytes on so many threads.
    pub fn fitting(layout: &GameLayout, options: &SolverOptions, bytes: u64, threads: usize) -> Vec<Self> {
        let candidate = |(streets, relative_iterations): ([Precision; 3], f64)| {
            let options = options.clone().stored_by_street([streets; 2]);
            let memory = layout.size(&options).memory;
            Self { options, memory, relative_iterations }
        };
        let fits = |candidate: &Self| candidate.memory.on_threads(threads) as u64 <= bytes;
        CANDIDATES.map(candidate).into_iter().filter(fits).collect()
    }
}

/// How long iterations take in one precision.
#[derive(Clone, PartialEq, Debug)]
pub struct PrecisionTiming {
    /// The options with that precision.
    pub options: SolverOptions,
    /// The memory that a solve takes.
    pub memory: MemoryPlan,
    /// Seconds of an iteration: the fastest of those that were timed.
    pub seconds_per_iteration: f64,
    /// How many iterations it takes to a target for one with 32 bits: a mean over examples.
    pub relative_iterations: f64,
}

impl PrecisionTiming {
    /// Seconds for as much progress as an iteration with 32 bits makes: what is compared.
    pub fn cost(&self) -> f64 {
        self.seconds_per_iteration * self.relative_iterations
    }
}

/// What was timed, and what was picked by it.
#[derive(Clone, PartialEq, Debug)]
pub struct PrecisionProfile {
    /// One for each precision that fits.
    pub timings: Vec<PrecisionTiming>,
    /// The index of the quickest.
    pub picked: usize,
}

impl PrecisionProfile {
    /// Times each candidate on the current thread pool. `before_each` is told how many are done, and may stop it.
    pub(crate) fn measure(
        game: &Arc<Postflop>,
        candidates: &[PrecisionCandidate],
        mut before_each: impl FnMut(usize) -> ControlFlow<()>,
    ) -> Option<Self> {
        let mut timings = Vec::new();
        for (done, candidate) in candidates.iter().enumerate() {
            if before_each(done).is_break() {
                return None;
            }
            timings.push(PrecisionTiming {
                options: candidate.options.clone(),
                memory: candidate.memory,
                seconds_per_iteration: seconds_per_iteration(game, &candidate.options),
                relative_iterations: candidate.relative_iterations,
            });
        }
        let picked = (0..timings.len()).min_by(|&a, &b| timings[a].cost().total_cmp(&timings[b].cost()))?;
        Some(Self { timings, picked })
    }

    /// The options with the precision that was picked.
    pub fn options(&self) -> &SolverOptions {
        &self.timings[self.picked].options
    }
}

/// The time of the fastest of some iterations.
fn seconds_per_iteration(game: &Arc<Postflop>, options: &SolverOptions) -> f64 {
    let mut trainer = game.clone().trainer(options);
    (0..UNTIMED).for_each(|_| trainer.iterate());
    let start = Instant::now();
    let mut fastest = Duration::MAX;
    let mut timed = 0;
    while timed < TIMED.0 || start.elapsed() < TIMED.1 {
        let before = Instant::now();
        trainer.iterate();
        fastest = fastest.min(before.elapsed());
        timed += 1;
    }
    fastest.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PrecisionChoice, Spot, TreeOptions, precision_text};

    fn layout() -> GameLayout {
        let ranges = ["88+,AQs+,KQs".parse().unwrap(), "TT-66,AJs+,QJs".parse().unwrap()];
        let options = TreeOptions::new(100.into(), 200.into());
        GameLayout::new(&Spot::new(ranges, "QsJh2h8c".parse().unwrap(), options).unwrap()).unwrap()
    }

    #[test]
    fn only_what_fits_is_timed_and_the_least_cost_is_picked() {
        let (layout, options) = (layout(), SolverOptions::default());
        let all = PrecisionCandidate::fitting(&layout, &options, u64::MAX, 2);
        let bits = |options: &SolverOptions| {
            assert_eq!(options.precision_choice, PrecisionChoice::Given);
            precision_text(&options.strategy_precision, &options.regret_precision)
        };
        let texts: Vec<String> = all.iter().map(|candidate| bits(&candidate.options)).collect();
        assert_eq!(texts, ["32/32", "16/16", "16:16:8/16:16:8", "8/8"]);
        let limit = all[1].memory.on_threads(2) as u64;
        let fitting = PrecisionCandidate::fitting(&layout, &options, limit, 2);
        assert_eq!(bits(&fitting[0].options), "16/16");
        let game = layout.build();
        let mut told = Vec::new();
        let profile = PrecisionProfile::measure(&game, &fitting, |done| {
            told.push(done);
            ControlFlow::Continue(())
        });
        let profile = profile.unwrap();
        assert_eq!((told, profile.timings.len()), (vec![0, 1, 2], 3));
        let cost = profile.timings[profile.picked].cost();
        assert!(profile.timings.iter().all(|timing| timing.cost() >= cost && timing.cost() > 0.0));
        assert_eq!(profile.options(), &profile.timings[profile.picked].options);
    }

    #[test]
    fn a_profile_can_be_stopped() {
        let layout = layout();
        let candidates = PrecisionCandidate::fitting(&layout, &SolverOptions::default(), u64::MAX, 1);
        let stop = |done| if done == 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        assert_eq!(PrecisionProfile::measure(&layout.build(), &candidates, stop), None);
        assert_eq!(
            PrecisionProfile::measure(&self::layout().build(), &[], |_| ControlFlow::Continue(())),
            None
        );
    }
}
