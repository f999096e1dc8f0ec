//! How a spot is to be solved and where the answer goes.

use crate::text::excerpt;
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
    /// How the average strategy is stored.
    pub strategy_precision: Precision,
    /// How the regrets are stored.
    pub regret_precision: Precision,
    /// Whether to say what a solve would take, and not solve.
    pub dry_run: bool,
}

impl SolverOptions {
    /// The most iterations that may be asked for: a billion.
    pub const MAX_ITERATIONS: u32 = 1_000_000_000;
}

impl Default for SolverOptions {
    fn default() -> Self {
        Self {
            max_iterations: 1000,
            target_exploitability_pct: 0.1,
            algorithm: Algorithm::default(),
            strategy_precision: Precision::default(),
            regret_precision: Precision::default(),
            dry_run: false,
        }
    }
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

/// Names with what they stand for, or nothing where that is not available.
type Choices<T> = [(&'static str, Option<T>)];

/// What a name stands for.
fn choose<T: Copy>(name: &str, choices: &Choices<T>) -> Result<T, ChoiceError> {
    let accepted = || {
        let available = choices.iter().filter(|(_, choice)| choice.is_some());
        available.map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    };
    match choices.iter().find(|(known, _)| *known == name) {
        Some((_, Some(choice))) => Ok(*choice),
        Some((_, None)) => Err(ChoiceError(format!("`{name}` is not available: accepted {}", accepted()))),
        None => Err(ChoiceError(format!("`{}` is not known: accepted {}", excerpt(name), accepted()))),
    }
}

/// What a choice is called.
fn name_of<T: Copy + PartialEq>(choice: T, choices: &Choices<T>) -> &'static str {
    choices.iter().find(|(_, known)| *known == Some(choice)).map_or("", |(name, _)| name)
}

/// A regret minimiser.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Algorithm {
    /// Discounted CFR.
    #[default]
    Dcfr,
}

impl Algorithm {
    const CHOICES: &Choices<Self> = &[
        ("dcfr", Some(Self::Dcfr)),
        ("dcfr+", None),
        ("cfr+", None),
        ("lcfr", None),
        ("pcfr+", None),
        ("pdcfr+", None),
        ("sapcfr+", None),
        ("hs-dcfr", None),
    ];
}

impl FromStr for Algorithm {
    type Err = ChoiceError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        choose(name, Self::CHOICES)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name_of(*self, Self::CHOICES))
    }
}

/// How a number of the solver is stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Precision {
    /// As a 32-bit float.
    #[default]
    Bits32,
}

impl Precision {
    const BITS: &Choices<Self> = &[("32", Some(Self::Bits32)), ("16", None), ("8", None), ("4", None)];
    const QUANTIZATIONS: &Choices<Self> = &[("32bit", Some(Self::Bits32)), ("16bit", None)];

    /// How many bits a number takes.
    pub fn bits(self) -> u8 {
        match self {
            Self::Bits32 => 32,
        }
    }

    /// The precision of so many bits.
    pub fn from_bits(bits: u64) -> Result<Self, ChoiceError> {
        choose(&bits.to_string(), Self::BITS)
    }

    /// The precision that a `quantization` like `32bit` names for everything.
    pub fn from_quantization(name: &str) -> Result<Self, ChoiceError> {
        choose(name, Self::QUANTIZATIONS)
    }
}

/// Where the answer goes and how tightly it is packed. Both are for saved solutions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputOptions {
    /// The directory for solutions: `directory` of `[output]`.
    pub directory: Option<String>,
    /// How hard to compress them, 0 to 22: `zstd_compression_level` of `[solver]`. 3 by default.
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
    fn what_is_not_available_is_refused_by_name() {
        assert_eq!("dcfr".parse(), Ok(Algorithm::Dcfr));
        assert_eq!(Algorithm::Dcfr.to_string(), "dcfr");
        let message = |name: &str| name.parse::<Algorithm>().unwrap_err().to_string();
        assert_eq!(message("cfr+"), "`cfr+` is not available: accepted `dcfr`");
        assert_eq!(message("mcts"), "`mcts` is not known: accepted `dcfr`");
        assert_eq!(Precision::from_bits(32), Ok(Precision::Bits32));
        assert_eq!(Precision::from_bits(8).unwrap_err().to_string(), "`8` is not available: accepted `32`");
        assert_eq!(
            Precision::from_quantization("16bit").unwrap_err().to_string(),
            "`16bit` is not available: accepted `32bit`"
        );
    }
}
