//! Ways to weigh iterations in the average strategy, to be compared side by side.

use super::choice::ChoiceError;
use super::solver_options::SolverOptions;
use crate::text::excerpt;
use std::fmt;
use std::str::FromStr;

/// How iterations count in the average strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Averaging {
    /// As the options say.
    #[default]
    AsGiven,
    /// In proportion to their number: γ = 1.
    Linear,
    /// The average starts again after iterations 1, 4, 16, 64…
    Restarts,
    /// So many iterations are left out.
    WarmUp(u32),
}

impl Averaging {
    /// The options with this average. An algorithm without such an average has an error that names it.
    pub fn apply(self, options: &SolverOptions) -> Result<SolverOptions, ChoiceError> {
        let mut options = options.clone();
        let key = match self {
            Self::AsGiven => return Ok(options),
            Self::WarmUp(iterations) => {
                options.warm_up = iterations;
                return Ok(options);
            }
            Self::Linear => {
                options.exponents.gamma = Some(1.0);
                "gamma"
            }
            Self::Restarts => {
                options.restarts = true;
                "restarts"
            }
        };
        let checked = options.algorithm.check_has(key);
        checked.map(|()| options).map_err(|error| ChoiceError(format!("averaging `{self}`: {error}")))
    }
}

impl FromStr for Averaging {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        let wrong = || {
            let accepted = "accepted `as-given`, `linear`, `restarts`, or a number of iterations to leave out like `warm-up:30`";
            ChoiceError(format!("`{}` is not known: {accepted}", excerpt(text)))
        };
        match text.trim() {
            "as-given" => Ok(Self::AsGiven),
            "linear" => Ok(Self::Linear),
            "restarts" => Ok(Self::Restarts),
            other => {
                let count = other.strip_prefix("warm-up:").and_then(|count| count.parse().ok());
                let count = count.filter(|count| (1..=SolverOptions::MAX_ITERATIONS).contains(count));
                count.map(Self::WarmUp).ok_or_else(wrong)
            }
        }
    }
}

impl fmt::Display for Averaging {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AsGiven => f.write_str("as-given"),
            Self::Linear => f.write_str("linear"),
            Self::Restarts => f.write_str("restarts"),
            Self::WarmUp(iterations) => write!(f, "warm-up:{iterations}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Algorithm;

    #[test]
    fn averages_are_read_from_their_names() {
        for text in ["as-given", "linear", "restarts", "warm-up:30"] {
            assert_eq!(text.parse::<Averaging>().unwrap().to_string(), text);
        }
        for text in ["", "warm-up", "warm-up:0", "warm-up:x", "reset"] {
            let expected = format!(
                "`{text}` is not known: accepted `as-given`, `linear`, `restarts`, or a number of iterations to leave out like \
                 `warm-up:30`"
            );
            assert_eq!(text.parse::<Averaging>().unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn an_average_changes_what_it_is_about() {
        let options = SolverOptions::default();
        assert_eq!(Averaging::AsGiven.apply(&options), Ok(options.clone()));
        assert_eq!(Averaging::Linear.apply(&options).unwrap().exponents.gamma, Some(1.0));
        assert!(Averaging::Restarts.apply(&options).unwrap().restarts);
        assert_eq!(Averaging::WarmUp(9).apply(&options).unwrap().warm_up, 9);
        let cfr_plus = SolverOptions { algorithm: Algorithm::CfrPlus, ..options };
        assert_eq!(Averaging::WarmUp(9).apply(&cfr_plus).unwrap().warm_up, 9);
        assert_eq!(
            Averaging::Restarts.apply(&cfr_plus).unwrap_err().to_string(),
            "averaging `restarts`: the algorithm `cfr+` has no restarts: accepted with dcfr and dcfr+"
        );
        assert_eq!(
            Averaging::Linear.apply(&cfr_plus).unwrap_err().to_string(),
            "averaging `linear`: the algorithm `cfr+` has no gamma: accepted with dcfr, dcfr+, pcfr+, pdcfr+ and sapcfr+"
        );
    }
}
