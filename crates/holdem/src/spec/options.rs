//! How a spot is to be solved and where the answer goes.

use super::WarmStart;
use crate::text::excerpt;
use noregret_cards::Street;
use noregret_cfr::{
    CfrPlus, Dcfr, DcfrPlus, HsDcfr, Lcfr, PcfrPlus, PdcfrPlus, Precision, Ramp, SapcfrPlus, Schedule,
    Storage, WarmUp,
};
use std::fmt;
use std::str::FromStr;

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
    /// Whether the average starts again after iterations 1, 4, 16, 64…; DCFR only.
    pub restarts: bool,
    /// How many iterations are left out of the average. None by default.
    pub warm_up: u32,
    /// Whether a coarser tree is solved first. None is by default.
    pub warm_start: WarmStart,
    /// Whether precisions are still to be picked by the memory that there is: see [`Outline::fit`](crate::Outline::fit).
    pub precision_is_auto: bool,
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

    /// The precision of everything unless another is asked for.
    pub const PRECISION: Precision = Precision::Bits32;

    /// The same with other precisions, on all streets.
    #[must_use]
    pub fn stored_in(self, strategy: Precision, regrets: Precision) -> Self {
        self.stored_by_street([[strategy; 3], [regrets; 3]])
    }

    /// The same with other precisions of strategies and regrets, those of each street.
    #[must_use]
    pub fn stored_by_street(self, [strategy_precision, regret_precision]: [[Precision; 3]; 2]) -> Self {
        Self { precision_is_auto: false, strategy_precision, regret_precision, ..self }
    }

    /// The same, with the precisions of a solve under way if they are still to be picked: they stay what they were, however much
    /// memory there is now.
    #[must_use]
    pub fn picked_as(&self, under_way: &Self) -> Self {
        if !self.precision_is_auto {
            return self.clone();
        }
        Self {
            precision_is_auto: under_way.precision_is_auto,
            strategy_precision: under_way.strategy_precision,
            regret_precision: under_way.regret_precision,
            ..self.clone()
        }
    }

    /// The regret minimiser, ready to run.
    pub fn schedule(&self) -> Box<dyn Schedule> {
        let Exponents { alpha, beta, gamma } = self.exponents;
        let or = |number: Option<f64>, default| number.unwrap_or(default);
        let schedule: Box<dyn Schedule> = match self.algorithm {
            Algorithm::Dcfr => {
                let default = Dcfr::default();
                Box::new(Dcfr {
                    alpha: alpha.map_or(default.alpha, Ramp::from),
                    beta: beta.map_or(default.beta, Ramp::from),
                    gamma: or(gamma, default.gamma),
                    restarts: self.restarts,
                })
            }
            Algorithm::DcfrPlus => {
                let default = DcfrPlus::default();
                Box::new(DcfrPlus { alpha: or(alpha, default.alpha), gamma: or(gamma, default.gamma) })
            }
            Algorithm::CfrPlus => Box::new(CfrPlus),
            Algorithm::Lcfr => Box::new(Lcfr),
            Algorithm::PcfrPlus => Box::new(PcfrPlus { gamma: or(gamma, PcfrPlus::default().gamma) }),
            Algorithm::PdcfrPlus => {
                let default = PdcfrPlus::default();
                Box::new(PdcfrPlus { alpha: or(alpha, default.alpha), gamma: or(gamma, default.gamma) })
            }
            Algorithm::SapcfrPlus => {
                let default = SapcfrPlus::default();
                Box::new(SapcfrPlus { gamma: or(gamma, default.gamma), ..default })
            }
            Algorithm::HsDcfr => Box::new(HsDcfr { horizon: self.max_iterations }),
        };
        if self.warm_up > 0 { Box::new(WarmUp { schedule, iterations: self.warm_up }) } else { schedule }
    }

    /// Complains if actions are to be left out that the algorithm cannot tell.
    pub fn check_pruning(&self) -> Result<(), ChoiceError> {
        if self.prunes && !self.schedule().keeps_negative() {
            let message = format!(
                "{} keeps no negative regrets, which tell what no hand wants: accepted with dcfr, lcfr and hs-dcfr",
                self.algorithm
            );
            return Err(ChoiceError(message));
        }
        Ok(())
    }

    /// The precisions of a solve that starts on a street.
    pub fn storage(&self, first: Street) -> Storage {
        // Rounds count from the first street; what lies beyond the river does not exist.
        let rounds = |streets: &[Precision; 3]| {
            std::array::from_fn(|round| streets[(first.index() + round).min(Street::River.index())])
        };
        Storage { regrets: rounds(&self.regret_precision), strategy: rounds(&self.strategy_precision) }
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
            precision_is_auto: false,
            strategy_precision: [Self::PRECISION; 3],
            regret_precision: [Self::PRECISION; 3],
            prunes: false,
            dry_run: false,
        }
    }
}

/// Exponents of a regret minimiser that are not its own.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Exponents {
    /// How fast positive regret is trusted: `alpha`.
    pub alpha: Option<f64>,
    /// How fast negative regret is trusted: `beta`.
    pub beta: Option<f64>,
    /// How much later iterations count for more in the average: `gamma`.
    pub gamma: Option<f64>,
}

/// A name that stands for nothing here, and what does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChoiceError(String);

impl fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ChoiceError {}

/// Names with what they stand for.
type Choices<T> = [(&'static str, T)];

/// What a name stands for.
fn choose<T: Copy>(name: &str, choices: &Choices<T>) -> Result<T, ChoiceError> {
    choices.iter().find(|(known, _)| *known == name).map(|&(_, choice)| choice).ok_or_else(|| {
        let accepted: Vec<String> = choices.iter().map(|(name, _)| format!("`{name}`")).collect();
        ChoiceError(format!("`{}` is not known: accepted {}", excerpt(name), accepted.join(", ")))
    })
}

/// A regret minimiser.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Algorithm {
    /// Discounted CFR.
    #[default]
    Dcfr,
    /// Discounted CFR with regrets floored at zero.
    DcfrPlus,
    /// CFR+.
    CfrPlus,
    /// Linear CFR.
    Lcfr,
    /// Predictive CFR+.
    PcfrPlus,
    /// Predictive discounted CFR+.
    PdcfrPlus,
    /// Simple asymmetric predictive CFR+.
    SapcfrPlus,
    /// Discounted CFR with scheduled exponents.
    HsDcfr,
}

impl Algorithm {
    const CHOICES: &Choices<Self> = &[
        ("dcfr", Self::Dcfr),
        ("dcfr+", Self::DcfrPlus),
        ("cfr+", Self::CfrPlus),
        ("lcfr", Self::Lcfr),
        ("pcfr+", Self::PcfrPlus),
        ("pdcfr+", Self::PdcfrPlus),
        ("sapcfr+", Self::SapcfrPlus),
        ("hs-dcfr", Self::HsDcfr),
    ];

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::CHOICES.iter().map(|&(_, algorithm)| algorithm)
    }

    /// Whether it has an exponent of this name, or restarts.
    pub(super) fn has(self, key: &str) -> bool {
        let algorithms: &[Self] = match key {
            "alpha" => &[Self::Dcfr, Self::DcfrPlus, Self::PdcfrPlus],
            "gamma" => &[Self::Dcfr, Self::DcfrPlus, Self::PcfrPlus, Self::PdcfrPlus, Self::SapcfrPlus],
            _ => &[Self::Dcfr],
        };
        algorithms.contains(&self)
    }
}

impl FromStr for Algorithm {
    type Err = ChoiceError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        choose(name, Self::CHOICES)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let choice = Self::CHOICES.iter().find(|(_, known)| known == self);
        f.write_str(choice.map_or("", |(name, _)| name))
    }
}

/// The precision of so many bits.
pub fn precision_of_bits(bits: u64) -> Result<Precision, ChoiceError> {
    const BITS: &Choices<Precision> = &[
        ("32", Precision::Bits32),
        ("16", Precision::Bits16),
        ("8", Precision::Bits8),
        ("4", Precision::Bits4),
    ];
    choose(&bits.to_string(), BITS)
}

/// The precision that a `quantization` like `16bit` names for everything.
pub fn precision_of_quantization(name: &str) -> Result<Precision, ChoiceError> {
    choose(name, &[("32bit", Precision::Bits32), ("16bit", Precision::Bits16)])
}

/// The precisions that a text like `8/16` or `16:16:8/8` names, of the strategy and of the regrets: one for all streets, or those of flop,
/// turn and river.
pub fn precisions_by_street(text: &str) -> Result<[[Precision; 3]; 2], ChoiceError> {
    let wrong = |why: &str| ChoiceError(format!("`{}` {why}", excerpt(text)));
    let no_precision = || wrong("is not a precision: write strategy and regret bits like `8/16`");
    let bits = |text: &str| text.trim().parse().map_err(|_| no_precision()).and_then(precision_of_bits);
    let by_street = |side: &str| match side.split(':').collect::<Vec<_>>()[..] {
        [all] => Ok([bits(all)?; 3]),
        [flop, turn, river] => Ok([bits(flop)?, bits(turn)?, bits(river)?]),
        _ => Err(wrong(
            "does not say which street has how many bits: write one number for all, or those of flop, turn and river like `16:16:8/8`",
        )),
    };
    let (strategy, regrets) = text.split_once('/').ok_or_else(no_precision)?;
    Ok([by_street(strategy)?, by_street(regrets)?])
}

/// Where the answer goes and how tightly it is packed. Both are for saved solutions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputOptions {
    /// The directory for solutions that are given no other place: `directory` of `[output]`.
    pub directory: Option<String>,
    /// How hard to compress them, 1 to 22, or 0 for not at all: `zstd_compression_level` of `[solver]`. 3 by default.
    pub zstd_compression_level: u8,
}

impl OutputOptions {
    /// The highest compression level.
    pub const MAX_COMPRESSION: u8 = 22;
}

impl Default for OutputOptions {
    fn default() -> Self {
        Self { directory: None, zstd_compression_level: 3 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_refused_by_name() {
        for algorithm in Algorithm::all() {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
        assert_eq!(
            "mcts".parse::<Algorithm>().unwrap_err().to_string(),
            "`mcts` is not known: accepted `dcfr`, `dcfr+`, `cfr+`, `lcfr`, `pcfr+`, `pdcfr+`, `sapcfr+`, `hs-dcfr`"
        );
        for precision in Precision::ALL {
            assert_eq!(precision_of_bits(precision.bits().into()), Ok(precision));
        }
        assert_eq!(
            precision_of_bits(12).unwrap_err().to_string(),
            "`12` is not known: accepted `32`, `16`, `8`, `4`"
        );
        assert_eq!(precision_of_quantization("16bit"), Ok(Precision::Bits16));
        assert_eq!(
            precision_of_quantization("8bit").unwrap_err().to_string(),
            "`8bit` is not known: accepted `32bit`, `16bit`"
        );
    }

    #[test]
    fn precisions_are_read_from_one_text() {
        use Precision::{Bits4, Bits8, Bits16, Bits32};
        assert_eq!(precisions_by_street("8/16"), Ok([[Bits8; 3], [Bits16; 3]]));
        assert_eq!(precisions_by_street("32 / 4"), Ok([[Bits32; 3], [Bits4; 3]]));
        assert_eq!(precisions_by_street("16:16:8/8"), Ok([[Bits16, Bits16, Bits8], [Bits8; 3]]));
        assert_eq!(precisions_by_street("8 / 32:16 : 8"), Ok([[Bits8; 3], [Bits32, Bits16, Bits8]]));
        let message = |text| precisions_by_street(text).unwrap_err().to_string();
        for text in ["8", "8/x", "16:16:8", "8/16:x:8", "8/16::8", "16:16:8/8/8"] {
            let expected = format!("`{text}` is not a precision: write strategy and regret bits like `8/16`");
            assert_eq!(message(text), expected);
        }
        assert_eq!(message("8/12"), "`12` is not known: accepted `32`, `16`, `8`, `4`");
        assert_eq!(message("8/16:16:7"), "`7` is not known: accepted `32`, `16`, `8`, `4`");
        for text in ["16:8/8", "8/16:16:8:8"] {
            let expected = format!(
                "`{text}` does not say which street has how many bits: write one number for all, or those of flop, turn and river like `16:16:8/8`"
            );
            assert_eq!(message(text), expected);
        }
    }

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
