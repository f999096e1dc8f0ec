//! Which precisions a solve has where nobody gives any.

use crate::{GameLayout, MemoryPlan, Precision, SolverOptions};
use noregret_cards::Street;

/// One of the two arrays that take nearly all memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Array {
    Strategy,
    Regrets,
}

/// What is made coarser first: 16 bits cost next to nothing, then strategies stand fewer bits better than regrets do.
const STEPS: [(Precision, Array); 6] = [
    (Precision::Bits16, Array::Strategy),
    (Precision::Bits16, Array::Regrets),
    (Precision::Bits8, Array::Strategy),
    (Precision::Bits8, Array::Regrets),
    (Precision::Bits4, Array::Strategy),
    (Precision::Bits4, Array::Regrets),
];

/// Regrets and strategies of up to so many bytes in 32 bits are quickest in 32 bits; larger ones in [`COMPACT`]. Encoding takes
/// time, and reading and writing memory takes more once the arrays are larger than the caches (figures in docs/experiments.md).
const SMALL_STATE: usize = 16 << 20;

/// The quickest precisions of large spots, by street: as many iterations as with 32 bits, of a quarter of the bytes.
const COMPACT: [Precision; 3] = [Precision::Bits16, Precision::Bits16, Precision::Bits8];

/// A spot that does not fit even in the coarsest precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// What it takes at least.
    pub least: MemoryPlan,
}

impl GameLayout {
    /// These options with the precisions that reach a target soonest on so many threads, by what was measured, among those that fit
    /// into so many bytes.
    ///
    /// Where the quickest ones do not fit, everything is made coarser a step at a time, the river before the turn before the flop,
    /// until it fits; then each array of each street gets back what there is room for, up to where it started. In the end none of
    /// them could be any finer on its own.
    pub fn fit(
        &self,
        options: &SolverOptions,
        bytes: u64,
        threads: usize,
    ) -> Result<SolverOptions, TooLarge> {
        let memory = self.size(options).memory;
        let fits =
            |options: &SolverOptions| self.stored_as(memory, options).on_threads(threads) as u64 <= bytes;
        let quickest = self.quickest(options);
        let mut fitted = quickest.clone();
        let streets = Street::ALL[self.betting().first_street().index()..].iter().rev();
        let mut steps = STEPS.iter().flat_map(|step| streets.clone().map(move |street| (step, street)));
        while !fits(&fitted) {
            let Some((&(precision, array), street)) = steps.next() else {
                return Err(TooLarge { least: self.stored_as(memory, &fitted) });
            };
            let slot = &mut precisions(&mut fitted, array)[street.index()];
            *slot = precision.min(*slot);
        }
        for street in streets.rev() {
            for array in [Array::Regrets, Array::Strategy] {
                let finest = *precisions(&mut quickest.clone(), array);
                for precision in Precision::ALL.into_iter().rev().filter(|&at| at <= finest[street.index()]) {
                    let mut finer = fitted.clone();
                    let slot = &mut precisions(&mut finer, array)[street.index()];
                    if precision <= *slot {
                        break;
                    }
                    *slot = precision;
                    if fits(&finer) {
                        fitted = finer;
                        break;
                    }
                }
            }
        }
        // Streets that are over take no memory; they read as the first one does.
        let first = self.betting().first_street().index();
        for array in [Array::Regrets, Array::Strategy] {
            let precisions = precisions(&mut fitted, array);
            let on_first = precisions[first];
            precisions[..first].fill(on_first);
        }
        Ok(fitted)
    }

    /// These options with the precisions that reach a target soonest where there is memory enough.
    fn quickest(&self, options: &SolverOptions) -> SolverOptions {
        let finest = options.clone().stored_in(Precision::Bits32, Precision::Bits32);
        let memory = self.size(&finest).memory;
        if memory.regrets + memory.strategy <= SMALL_STATE {
            finest
        } else {
            finest.stored_by_street([COMPACT; 2])
        }
    }
}

fn precisions(options: &mut SolverOptions, array: Array) -> &mut [Precision; 3] {
    match array {
        Array::Strategy => &mut options.strategy_precision,
        Array::Regrets => &mut options.regret_precision,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PrecisionChoice, PrecisionSetting, Spot, TreeOptions, precision_text};

    fn layout(board: &str) -> GameLayout {
        let ranges = ["88+,AQs+,KQs".parse().unwrap(), "TT-66,AJs+,QJs".parse().unwrap()];
        let spot =
            Spot::new(ranges, board.parse().unwrap(), TreeOptions::new(100.into(), 200.into())).unwrap();
        GameLayout::new(&spot).unwrap()
    }

    fn bytes(layout: &GameLayout, options: &SolverOptions) -> u64 {
        layout.size(options).memory.on_threads(2) as u64
    }

    fn text(options: &SolverOptions) -> String {
        assert_eq!(options.precision_choice, PrecisionChoice::Given);
        precision_text(&options.strategy_precision, &options.regret_precision)
    }

    /// The same layout is small or large by the ranges.
    fn large() -> GameLayout {
        let ranges = ["22+,A2s+,K2s+,QTs+,ATo+".parse().unwrap(), "22+,A2s+,K2s+,QTs+,ATo+".parse().unwrap()];
        let options = TreeOptions::new(100.into(), 1000.into());
        let spot = Spot::new(ranges, "QsJh2h".parse().unwrap(), options).unwrap();
        GameLayout::new(&spot).unwrap()
    }

    #[test]
    fn small_spots_have_32_bits_and_large_ones_8_on_the_river() {
        let options = SolverOptions::default();
        for board in ["QsJh2h8c", "QsJh2h8c3d"] {
            assert_eq!(text(&layout(board).fit(&options, u64::MAX, 2).unwrap()), "32/32");
        }
        let large = large();
        assert!(bytes(&large, &options) > 2 * SMALL_STATE as u64);
        assert_eq!(text(&large.fit(&options, u64::MAX, 2).unwrap()), "16:16:8/16:16:8");
    }

    #[test]
    fn what_fits_is_as_fine_as_it_can_be_and_no_finer_than_the_quickest() {
        let options = SolverOptions::default();
        for layout in [layout("QsJh2h"), layout("QsJh2h8c"), layout("QsJh2h8c3d"), large()] {
            let first = layout.betting().first_street().index();
            let quickest = layout.fit(&options, u64::MAX, 2).unwrap();
            let coarsest = options.clone().stored_in(Precision::Bits4, Precision::Bits4);
            let (least, most) = (bytes(&layout, &coarsest), bytes(&layout, &quickest));
            for step in 0..=40 {
                let limit = least + (most - least) * step / 40;
                let fitted = layout.fit(&options, limit, 2).unwrap();
                assert!(bytes(&layout, &fitted) <= limit, "{}", text(&fitted));
                for array in [Array::Strategy, Array::Regrets] {
                    for street in first..3 {
                        let mut finer = fitted.clone();
                        let slot = &mut precisions(&mut finer, array)[street];
                        let finest = precisions(&mut quickest.clone(), array)[street];
                        assert!(*slot <= finest);
                        let next = Precision::ALL.into_iter().find(|precision| precision > slot);
                        let Some(next) = next.filter(|&next| next <= finest) else { continue };
                        *slot = next;
                        assert!(bytes(&layout, &finer) > limit, "{}: {array:?} on {street}", text(&fitted));
                    }
                }
            }
            assert_eq!(layout.fit(&options, most, 2).unwrap(), quickest);
            let error = layout.fit(&options, least - 1, 2).unwrap_err();
            assert_eq!(error.least.on_threads(2) as u64, least);
        }
    }

    #[test]
    fn the_river_gives_way_first_and_strategies_before_regrets() {
        let options = SolverOptions::default();
        let fitted = |layout: &GameLayout, precision: &str| {
            let setting: PrecisionSetting = precision.parse().unwrap();
            let limit = bytes(layout, &options.clone().with_precision(setting));
            text(&layout.fit(&options, limit, 2).unwrap())
        };
        let small = layout("QsJh2h8c");
        assert_eq!(fitted(&small, "32:32:16/32"), "32:32:16/32");
        assert_eq!(fitted(&small, "32:32:16/32:32:16"), "32:32:16/32:32:16");
        let large = large();
        assert_eq!(fitted(&large, "16:16:8/16:16:8"), "16:16:8/16:16:8");
        assert_eq!(fitted(&large, "8/16:16:8"), "8/16:16:8");
        assert_eq!(fitted(&large, "16:16:4/16:16:8"), "16:16:4/16:16:8");
    }
}
