//! How far a solve has come and what it has found, as bytes.

use super::{PROGRESS, SUMMARY, SavedStreets, content};
use crate::{Measurement, Solver, SolverOptions};
use noregret_cfr::TrainerProgress;
use noregret_store::{ArchiveError, take};
use std::time::Duration;

/// How far a solve has come.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FileProgress {
    /// How many iterations have been made.
    pub iterations: u32,
    /// What they count in the average, if the last one counts as one.
    pub average_weight: f64,
    /// How long they took.
    pub elapsed: Duration,
    /// All measurements.
    pub history: Vec<Measurement>,
}

impl FileProgress {
    /// How far a solver has come, with its measurements on the way.
    pub fn of(solver: &Solver, history: &[Measurement]) -> Self {
        let TrainerProgress { iteration, average_weight } = solver.trainer.progress();
        let elapsed = history.last().map_or(Duration::ZERO, |last| last.elapsed);
        Self { iterations: iteration, average_weight, elapsed, history: history.to_vec() }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(self.iterations.to_le_bytes());
        bytes.extend(self.average_weight.to_le_bytes());
        bytes.extend(nanoseconds(self.elapsed).to_le_bytes());
        for check in &self.history {
            bytes.extend(check.iteration.to_le_bytes());
            bytes.extend(nanoseconds(check.elapsed).to_le_bytes());
            bytes.extend(check.exploitability_pct.to_le_bytes());
        }
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, ArchiveError> {
        let mut fields = Fields(bytes);
        let mut read = || -> Option<Self> {
            let iterations = u32::from_le_bytes(fields.take()?);
            let average_weight = f64::from_le_bytes(fields.take()?);
            let elapsed = Duration::from_nanos(u64::from_le_bytes(fields.take()?));
            let mut history: Vec<Measurement> = Vec::new();
            while !fields.0.is_empty() {
                let iteration = u32::from_le_bytes(fields.take()?);
                let elapsed = Duration::from_nanos(u64::from_le_bytes(fields.take()?));
                let exploitability_pct = f64::from_le_bytes(fields.take()?);
                history.push(Measurement { iteration, elapsed, exploitability_pct });
            }
            let orderly = iterations <= SolverOptions::MAX_ITERATIONS
                && history.is_sorted_by(|a, b| a.iteration < b.iteration)
                && history.last().is_none_or(|last| last.iteration <= iterations)
                && history.iter().all(|check| check.exploitability_pct.is_finite())
                && average_weight.is_finite()
                && average_weight >= 0.0;
            orderly.then_some(Self { iterations, average_weight, elapsed, history })
        };
        read().ok_or_else(|| content(PROGRESS, "iterations and measurements belong there"))
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// What a saved solution is worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Which streets are kept.
    pub keep: SavedStreets,
    /// Whether the regrets are, so that solving can go on at once.
    pub has_regrets: bool,
    /// What each player expects at the root, in chips.
    pub ev: [f64; 2],
    /// Which share of the pot each player wins if both check to the end.
    pub equity: [f64; 2],
    /// The hash of the average strategies of all streets.
    pub digest: String,
}

const DIGEST: usize = 32;

impl Summary {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.keep as u8, u8::from(self.has_regrets)];
        bytes.extend(self.ev.iter().chain(&self.equity).flat_map(|number| number.to_le_bytes()));
        bytes.extend(self.digest.as_bytes());
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, ArchiveError> {
        let mut fields = Fields(bytes);
        let mut read = || -> Option<Self> {
            let [keep, regrets] = fields.take()?;
            let keep =
                *[SavedStreets::Flop, SavedStreets::Turn, SavedStreets::Full].get(usize::from(keep))?;
            let mut numbers = [0.0; 4];
            for number in &mut numbers {
                *number = f64::from_le_bytes(fields.take()?);
            }
            let digest = fields.take::<DIGEST>()?;
            let digest = digest.iter().all(u8::is_ascii_hexdigit).then(|| digest.map(char::from));
            let fits = fields.0.is_empty() && regrets <= 1 && numbers.iter().all(|number| number.is_finite());
            let [ev, equity] = [[numbers[0], numbers[1]], [numbers[2], numbers[3]]];
            let summary =
                Self { keep, has_regrets: regrets == 1, ev, equity, digest: digest?.iter().collect() };
            fits.then_some(summary)
        };
        read().ok_or_else(|| content(SUMMARY, "streets, EVs, equities and a digest belong there"))
    }
}

/// Bytes being taken apart.
struct Fields<'b>(&'b [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        take(&mut self.0, N)?.first_chunk().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_reads_back_and_one_beyond_all_iterations_is_refused() {
        let progress =
            |iterations| FileProgress { iterations, average_weight: 3.5, ..FileProgress::default() };
        let most = progress(SolverOptions::MAX_ITERATIONS);
        assert_eq!(FileProgress::from_bytes(&most.to_bytes()).unwrap(), most);
        let error =
            FileProgress::from_bytes(&progress(SolverOptions::MAX_ITERATIONS + 1).to_bytes()).unwrap_err();
        assert!(error.to_string().contains("iterations and measurements belong there"), "{error}");
    }
}
