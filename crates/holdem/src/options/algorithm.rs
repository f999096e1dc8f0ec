//! The regret minimisers by name.

use super::choice::{ChoiceError, Choices, choose};
use noregret_cfr::{
    CfrPlus, Dcfr, DcfrPlus, HsDcfr, Lcfr, LcfrPlus, PcfrPlus, PdcfrPlus, Ramp, SapcfrPlus, Schedule,
};
use std::fmt;
use std::str::FromStr;

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
    /// Linear CFR with regrets floored at zero.
    LcfrPlus,
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
        ("lcfr+", Self::LcfrPlus),
        ("pcfr+", Self::PcfrPlus),
        ("pdcfr+", Self::PdcfrPlus),
        ("sapcfr+", Self::SapcfrPlus),
        ("hs-dcfr", Self::HsDcfr),
    ];

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::CHOICES.iter().map(|&(_, algorithm)| algorithm)
    }

    /// The names of all of them, as in `dcfr, cfr+ or lcfr`.
    pub fn names() -> String {
        listed(Self::all(), "or")
    }

    /// The schedule that it stands for, with other exponents where they are given. `restarts` is for DCFR and DCFR+; HS-DCFR plans for
    /// `max_iterations`.
    pub(super) fn schedule(
        self,
        exponents: Exponents,
        restarts: bool,
        max_iterations: u32,
    ) -> Box<dyn Schedule> {
        let Exponents { alpha, beta, gamma } = exponents;
        let or = |number: Option<f64>, default| number.unwrap_or(default);
        match self {
            Self::Dcfr => {
                let default = Dcfr::default();
                Box::new(Dcfr {
                    alpha: alpha.map_or(default.alpha, Ramp::from),
                    beta: beta.map_or(default.beta, Ramp::from),
                    gamma: or(gamma, default.gamma),
                    restarts,
                })
            }
            Self::DcfrPlus => {
                let default = DcfrPlus::default();
                Box::new(DcfrPlus {
                    alpha: or(alpha, default.alpha),
                    gamma: or(gamma, default.gamma),
                    restarts,
                })
            }
            Self::CfrPlus => Box::new(CfrPlus),
            Self::Lcfr => Box::new(Lcfr),
            Self::LcfrPlus => Box::new(LcfrPlus),
            Self::PcfrPlus => Box::new(PcfrPlus { gamma: or(gamma, PcfrPlus::default().gamma) }),
            Self::PdcfrPlus => {
                let default = PdcfrPlus::default();
                Box::new(PdcfrPlus { alpha: or(alpha, default.alpha), gamma: or(gamma, default.gamma) })
            }
            Self::SapcfrPlus => {
                let default = SapcfrPlus::default();
                Box::new(SapcfrPlus { gamma: or(gamma, default.gamma), ..default })
            }
            Self::HsDcfr => Box::new(HsDcfr { horizon: max_iterations }),
        }
    }

    /// Whether its schedule depends on the last iteration that is asked for.
    pub fn plans_for_last_iteration(self) -> bool {
        self == Self::HsDcfr
    }

    /// Complains if it has no exponent of this name, or no restarts.
    pub(crate) fn check_has(self, key: &str) -> Result<(), ChoiceError> {
        if self.has(key) {
            return Ok(());
        }
        let others = listed(Self::all().filter(|other| other.has(key)), "and");
        Err(ChoiceError(format!("the algorithm `{self}` has no {key}: accepted with {others}")))
    }

    fn has(self, key: &str) -> bool {
        let algorithms: &[Self] = match key {
            "alpha" => &[Self::Dcfr, Self::DcfrPlus, Self::PdcfrPlus],
            "gamma" => &[Self::Dcfr, Self::DcfrPlus, Self::PcfrPlus, Self::PdcfrPlus, Self::SapcfrPlus],
            "restarts" => &[Self::Dcfr, Self::DcfrPlus],
            _ => &[Self::Dcfr],
        };
        algorithms.contains(&self)
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

/// The names of some, with a word before the last.
pub(super) fn listed(algorithms: impl Iterator<Item = Algorithm>, word: &str) -> String {
    let names: Vec<String> = algorithms.map(|algorithm| algorithm.to_string()).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} {word} {last}", others.join(", ")),
        _ => names.concat(),
    }
}

impl FromStr for Algorithm {
    type Err = ChoiceError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        choose(name.trim(), Self::CHOICES)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let choice = Self::CHOICES.iter().find(|(_, known)| known == self);
        f.write_str(choice.map_or("", |(name, _)| name))
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
            "`mcts` is not known: accepted `dcfr`, `dcfr+`, `cfr+`, `lcfr`, `lcfr+`, `pcfr+`, `pdcfr+`, `sapcfr+`, `hs-dcfr`"
        );
    }
}
