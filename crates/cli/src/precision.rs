//! How numbers are stored, for people and for programs.

use noregret_holdem::MemoryLimit;
use noregret_holdem::cards::Street;
use noregret_holdem::{Precision, SolvePlan, SolverOptions};
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
    /// What they were picked by, if nobody has set them.
    #[serde(skip_serializing_if = "Option::is_none")]
    auto: Option<Picked>,
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
        let differ = streets.iter().any(|street| *street != river);
        Self { river, streets: differ.then_some(streets), auto: picked }
    }
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
}

impl Picked {
    /// How options came out of `asked`, if precisions were picked at all.
    pub fn new(asked: &SolverOptions, plan: &SolvePlan, limit: &MemoryLimit, threads: usize) -> Option<Self> {
        let needed = |options: &SolverOptions| plan.layout.size(options).memory.on_threads(threads);
        let fitted = &plan.spec.solver;
        let finest = fitted.clone().stored_in(Precision::Bits32, Precision::Bits32);
        asked.precision_is_auto.then(|| Self {
            limit_bytes: limit.bytes.0,
            needed_bytes: needed(fitted),
            needed_bytes_32bit: needed(&finest),
        })
    }
}

/// What was picked and what it costs, in a line.
pub struct PickedLine<'a> {
    pub picked: Picked,
    pub options: &'a SolverOptions,
    pub first_street: Street,
}

impl fmt::Display for PickedLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let streets = &Street::ALL[self.first_street.index()..];
        let bits = |precisions: &[Precision; 3]| {
            let on = |street: &Street| precisions[street.index()].bits();
            match streets {
                [first, rest @ ..] if rest.iter().all(|street| on(street) == on(first)) => {
                    format!("{} bits", on(first))
                }
                _ => {
                    let each = streets.iter().enumerate().map(|(i, street)| {
                        let unit = if i == 0 { " bits" } else { "" };
                        format!("{}{unit} on the {street}", on(street))
                    });
                    each.collect::<Vec<_>>().join(", ")
                }
            }
        };
        let Picked { limit_bytes, needed_bytes, needed_bytes_32bit } = self.picked;
        let [now, finest] = [needed_bytes, needed_bytes_32bit].map(|bytes| Bytes(bytes as u64));
        write!(
            f,
            "strategy {}; regrets {}: {now} with all buffers, of {} allowed; 32 bits would take {finest}",
            bits(&self.options.strategy_precision),
            bits(&self.options.regret_precision),
            Bytes(limit_bytes)
        )
    }
}
