//! How a spot is to be solved.

use super::algorithm::{Algorithm, Exponents, listed};
use super::choice::ChoiceError;
use super::precision::{PrecisionChoice, PrecisionSetting};
use super::warm_start::WarmStart;
use noregret_cards::Street;
use noregret_cfr::{Precision, Schedule, StoragePrecision, WarmUp};

/// How a spot is to be solved: `[solver]` of a spec.
#[derive(Clone, PartialEq, Debug)]
pub struct SolverOptions {
    /// The iteration after which the solver stops at the latest. 1000 by default.
    pub max_iterations: u32,
    /// The exploitability that is good enough, in percent of the starting pot. 0.1 by default.
    pub target_exploitability_pct: f64,
    /// The regret minimiser. DCFR by default.
    pub algorithm: Algorithm,
    /// Other numbers for it than its own.
    pub exponents: Exponents,
    /// Whether the average starts again after iterations 1, 4, 16, 64…; DCFR and DCFR+ only.
    pub restarts: bool,
    /// How many iterations are left out of the average. None by default.
    pub warm_up: u32,
    /// Whether a coarser tree is solved first. None is by default.
    pub warm_start: WarmStart,
    /// How precisions are found. Where they are not given, a job picks them; a solver on its own takes them as they are here.
    pub precision_choice: PrecisionChoice,
    /// How the average strategy is stored, by street.
    pub strategy_precision: [Precision; 3],
    /// How the regrets are stored, by street.
    pub regret_precision: [Precision; 3],
    /// Whether to leave out actions that no hand wants in most iterations: `enable_pruning`.
    pub prunes: bool,
    /// Whether to say what a solve would take, and not solve.
    pub dry_run: bool,
}

impl SolverOptions {
    /// The most iterations that may be asked for: a billion.
    pub const MAX_ITERATIONS: u32 = 1_000_000_000;

    /// The precision of what is not given where something is, and the reference for all others.
    pub const PRECISION: Precision = Precision::Bits32;

    /// The same with other precisions, on all streets.
    #[must_use]
    pub fn stored_in(self, strategy: Precision, regrets: Precision) -> Self {
        self.stored_by_street([[strategy; 3], [regrets; 3]])
    }

    /// The same with other precisions of strategies and regrets, those of each street.
    #[must_use]
    pub fn stored_by_street(self, [strategy_precision, regret_precision]: [[Precision; 3]; 2]) -> Self {
        Self { precision_choice: PrecisionChoice::Given, strategy_precision, regret_precision, ..self }
    }

    /// The same with the precisions that `precision` says.
    #[must_use]
    pub fn with_precision(self, setting: PrecisionSetting) -> Self {
        match setting {
            PrecisionSetting::Auto => Self { precision_choice: PrecisionChoice::Auto, ..self },
            PrecisionSetting::Profile => Self { precision_choice: PrecisionChoice::Profile, ..self },
            PrecisionSetting::Bits(streets) => self.stored_by_street(streets),
        }
    }

    /// The same, with the precisions of a solve under way if they are still to be picked: they stay what they were, however much
    /// memory there is now.
    #[must_use]
    pub fn picked_as(&self, under_way: &Self) -> Self {
        if self.precision_choice == PrecisionChoice::Given {
            return self.clone();
        }
        Self {
            precision_choice: under_way.precision_choice,
            strategy_precision: under_way.strategy_precision,
            regret_precision: under_way.regret_precision,
            ..self.clone()
        }
    }

    /// The regret minimiser, ready to run.
    pub fn schedule(&self) -> Box<dyn Schedule> {
        let schedule = self.algorithm.schedule(self.exponents, self.restarts, self.max_iterations);
        if self.warm_up > 0 { Box::new(WarmUp { schedule, iterations: self.warm_up }) } else { schedule }
    }

    /// Complains if actions are to be left out that the algorithm cannot tell.
    pub fn check_pruning(&self) -> Result<(), ChoiceError> {
        if self.prunes && !self.schedule().keeps_negative() {
            let message = format!(
                "{} keeps no negative regrets, which tell what no hand wants: accepted with {}",
                self.algorithm,
                Self::pruning_algorithms()
            );
            return Err(ChoiceError(message));
        }
        Ok(())
    }

    /// The names of the algorithms that can tell which actions to leave out.
    pub fn pruning_algorithms() -> String {
        let keeps = |algorithm: &Algorithm| {
            Self { algorithm: *algorithm, ..Self::default() }.schedule().keeps_negative()
        };
        listed(Algorithm::all().filter(keeps), "and")
    }

    /// The precisions of a solve that starts on a street.
    pub fn storage(&self, first: Street) -> StoragePrecision {
        // Rounds count from the first street; what lies beyond the river does not exist.
        let rounds = |streets: &[Precision; 3]| {
            std::array::from_fn(|round| streets[(first.index() + round).min(Street::River.index())])
        };
        StoragePrecision {
            regrets: rounds(&self.regret_precision),
            strategy: rounds(&self.strategy_precision),
        }
    }
}

impl Default for SolverOptions {
    fn default() -> Self {
        Self {
            max_iterations: 1000,
            target_exploitability_pct: 0.1,
            algorithm: Algorithm::default(),
            exponents: Exponents::default(),
            restarts: false,
            warm_up: 0,
            warm_start: WarmStart::default(),
            precision_choice: PrecisionChoice::default(),
            strategy_precision: [Self::PRECISION; 3],
            regret_precision: [Self::PRECISION; 3],
            prunes: false,
            dry_run: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_street_has_its_precision_whatever_the_first_street() {
        let options = SolverOptions {
            strategy_precision: [Precision::Bits32, Precision::Bits16, Precision::Bits4],
            ..SolverOptions::default()
        };
        let strategy = |first| options.storage(first).strategy;
        assert_eq!(strategy(Street::Flop)[..3], [Precision::Bits32, Precision::Bits16, Precision::Bits4]);
        assert_eq!(strategy(Street::Turn)[..2], [Precision::Bits16, Precision::Bits4]);
        assert_eq!(strategy(Street::River)[0], Precision::Bits4);
    }
}
