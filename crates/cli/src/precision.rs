//! How numbers are stored, for people and for programs.

use crate::palette::BOLD;
use noregret_holdem::MemoryLimit;
use noregret_holdem::cards::Street;
use noregret_holdem::{
    Precision, PrecisionChoice, PrecisionProfile, PrecisionTiming, SolvePlan, SolverOptions, precision_text,
};
use noregret_store::Bytes;
use serde::Serialize;
use std::fmt;

/// The precision of the river, where nearly all numbers are, and of each street where they differ.
#[derive(Serialize, Clone)]
pub struct PrecisionBits {
    #[serde(flatten)]
    river: StreetBits,
    #[serde(skip_serializing_if = "Option::is_none")]
    streets: Option<[StreetBits; 3]>,
    /// What they were picked by, if nobody has set them and there was no memory for the quickest.
    #[serde(skip_serializing_if = "Option::is_none")]
    auto: Option<Picked>,
    /// What was timed, if they were picked by that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    profile: Vec<TimedPrecision>,
}

#[derive(Serialize, Clone, Copy, PartialEq)]
struct StreetBits {
    strategy_bits: u8,
    regret_bits: u8,
}

impl PrecisionBits {
    pub fn new(options: &SolverOptions, picked: Option<Picked>) -> Self {
        let streets = [0, 1, 2].map(|street| StreetBits {
            strategy_bits: options.strategy_precision[street].bits(),
            regret_bits: options.regret_precision[street].bits(),
        });
        let river = streets[2];
        // The limit differs from machine to machine, and says nothing where it did not matter.
        let auto = picked.filter(|picked| !picked.is_quickest);
        let differ = streets.iter().any(|street| *street != river);
        Self { river, streets: differ.then_some(streets), auto, profile: Vec::new() }
    }

    /// The same, picked by a profile.
    pub fn profiled(self, profile: &PrecisionProfile) -> Self {
        Self { profile: profile.timings.iter().map(TimedPrecision::new).collect(), ..self }
    }
}

/// A precision that was timed.
#[derive(Serialize, Clone)]
struct TimedPrecision {
    bits: String,
    memory_bytes: usize,
    seconds_per_iteration: f64,
    relative_iterations: f64,
}

impl TimedPrecision {
    fn new(timing: &PrecisionTiming) -> Self {
        Self {
            bits: precision_text(&timing.options.strategy_precision, &timing.options.regret_precision),
            memory_bytes: timing.memory.total(),
            seconds_per_iteration: timing.seconds_per_iteration,
            relative_iterations: timing.relative_iterations,
        }
    }
}

/// What was timed, a line for each precision.
pub struct ProfileTable<'a>(pub &'a PrecisionProfile);

impl fmt::Display for ProfileTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = ["bits", "memory", "iteration", "iterations", "cost"];
        write!(
            f,
            "{BOLD}{:<16}{:>10}{:>12}{:>12}{:>12}{BOLD:#}",
            header[0], header[1], header[2], header[3], header[4]
        )?;
        for (i, timing) in self.0.timings.iter().enumerate() {
            let row = TimedPrecision::new(timing);
            let mark = if i == self.0.picked { "  picked" } else { "" };
            let seconds = |seconds: f64| format!("{:.2} ms", 1000.0 * seconds);
            write!(
                f,
                "\n{:<16}{:>10}{:>12}{:>12}{:>12}{mark}",
                row.bits,
                Bytes(row.memory_bytes as u64).to_string(),
                seconds(row.seconds_per_iteration),
                format!("× {:.2}", row.relative_iterations),
                seconds(timing.cost())
            )?;
        }
        Ok(())
    }
}

/// The precisions of the streets of a spot, as in `strategy 16/16/8, regrets 16/16/8`; one number where they are all the same.
pub fn by_street(options: &SolverOptions, first: Street) -> String {
    let side = |precisions: &[Precision; 3]| {
        let mut bits: Vec<String> =
            precisions[first.index()..].iter().map(|precision| precision.bits().to_string()).collect();
        if bits.iter().all(|others| *others == bits[0]) {
            bits.truncate(1);
        }
        bits.join("/")
    };
    format!("strategy {}, regrets {}", side(&options.strategy_precision), side(&options.regret_precision))
}

impl fmt::Display for PrecisionBits {
    /// `8/16`: strategy and regrets; `16:16:8/8` where streets differ, as `noregret compare --precisions` reads it: those of flop, turn
    /// and river, whichever the spot begins with.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let streets = self.streets.unwrap_or([self.river; 3]);
        let side = |bits: fn(StreetBits) -> u8| match streets.map(bits) {
            [flop, turn, river] if flop == turn && turn == river => river.to_string(),
            [flop, turn, river] => format!("{flop}:{turn}:{river}"),
        };
        write!(f, "{}/{}", side(|street| street.strategy_bits), side(|street| street.regret_bits))
    }
}

/// What precisions were picked by, in bytes with the buffers of all threads.
#[derive(Serialize, Clone, Copy)]
pub struct Picked {
    limit_bytes: u64,
    needed_bytes: usize,
    needed_bytes_32bit: usize,
    /// Whether there was memory for the quickest.
    #[serde(skip)]
    is_quickest: bool,
}

impl Picked {
    /// How options came out of `asked`, if precisions were picked at all.
    pub fn new(asked: &SolverOptions, plan: &SolvePlan, limit: &MemoryLimit, threads: usize) -> Option<Self> {
        if asked.precision_choice != PrecisionChoice::Auto {
            return None;
        }
        let needed = |options: &SolverOptions| plan.layout.size(options).memory.on_threads(threads);
        let fitted = &plan.spec.solver;
        let finest = fitted.clone().stored_in(Precision::Bits32, Precision::Bits32);
        let quickest = plan.layout.fit(asked, u64::MAX, threads);
        Some(Self {
            limit_bytes: limit.bytes.0,
            needed_bytes: needed(fitted),
            needed_bytes_32bit: needed(&finest),
            is_quickest: quickest.is_ok_and(|quickest| quickest == *fitted),
        })
    }
}

/// What was picked and why, in a line.
pub struct PickedLine<'a> {
    pub picked: Picked,
    pub options: &'a SolverOptions,
    pub first_street: Street,
}

impl fmt::Display for PickedLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", by_street(self.options, self.first_street))?;
        let Picked { limit_bytes, needed_bytes, needed_bytes_32bit, is_quickest } = self.picked;
        let [now, finest] = [needed_bytes, needed_bytes_32bit].map(|bytes| Bytes(bytes as u64));
        if is_quickest {
            return write!(f, ": the quickest for its size");
        }
        let limit = Bytes(limit_bytes);
        write!(f, ": {now} with all buffers, of {limit} allowed; 32 bits would take {finest}")
    }
}
