//! `[solver.warm_start]`: solving a coarser tree first.

use super::SpecError;
use super::read::Section;
use std::fmt;

/// Whether and how a solve starts on a tree with fewer sizes: `[solver.warm_start]` of a spec.
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
    /// The keys of the table.
    pub(super) const KEYS: &[&str] = &["enabled", "iterations", "weight", "sizes"];

    /// The most iterations and the largest weight that may be asked for: a million.
    pub const MAX_ITERATIONS: u32 = 1_000_000;

    /// The most sizes that may be asked for.
    pub const MAX_SIZES: u32 = noregret_cfr::MAX_ACTIONS as u32;

    /// The iteration from which the full tree goes on: the weight, or half of the iterations if it is to be picked. Weights of all of
    /// them and more took longer to 0.1% than no warm start at all on two of three spots (the GUIDE has the figures).
    pub fn weight(&self) -> u32 {
        self.weight.unwrap_or_else(|| (self.iterations / 2).clamp(1, Self::MAX_ITERATIONS))
    }

    /// Reads the table, which turns it on by being there.
    pub(super) fn read(section: &Section<'_>) -> Result<Self, SpecError> {
        let mut options = Self { enabled: section.exists(), ..Self::default() };
        if let Some(value) = section.get("enabled") {
            options.enabled = value.boolean()?;
        }
        if let Some(value) = section.get("iterations") {
            options.iterations = value.whole("", 1..=u64::from(Self::MAX_ITERATIONS))? as u32;
        }
        if let Some(value) = section.get("weight") {
            options.weight = match value.text() {
                Ok("auto") => None,
                Ok(_) => return Err(value.error("must be a number of iterations or `auto`")),
                Err(_) => {
                    Some(value.whole(" of iterations or \"auto\",", 1..=u64::from(Self::MAX_ITERATIONS))?
                        as u32)
                }
            };
        }
        if let Some(value) = section.get("sizes") {
            options.sizes = value.whole("", 1..=u64::from(Self::MAX_SIZES))? as u32;
        }
        Ok(options)
    }
}

impl Default for WarmStart {
    fn default() -> Self {
        Self { enabled: false, iterations: 20, weight: None, sizes: 1 }
    }
}

impl fmt::Display for WarmStart {
    /// As the table of a spec, with a blank line before it; nothing if it is as if there were none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::default() {
            return Ok(());
        }
        let Self { enabled, iterations, weight, sizes } = self;
        writeln!(f, "\n[solver.warm_start]\nenabled = {enabled}\niterations = {iterations}")?;
        match weight {
            Some(weight) => writeln!(f, "weight = {weight}")?,
            None => writeln!(f, "weight = \"auto\"")?,
        }
        writeln!(f, "sizes = {sizes}")
    }
}
