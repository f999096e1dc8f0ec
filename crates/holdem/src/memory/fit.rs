//! The finest way to store numbers that fits into so much memory.

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

/// A spot that does not fit even in the coarsest precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// What it takes at least.
    pub least: MemoryPlan,
}

impl GameLayout {
    /// These options with the finest precisions that fit into so many bytes on so many threads.
    ///
    /// Everything starts at 32 bits and is made coarser a step at a time, the river before the turn before the flop, until
    /// it fits; then each array of each street gets back what there is room for. In the end none of them could be any
    /// finer on its own.
    pub fn fit(
        &self,
        options: &SolverOptions,
        bytes: u64,
        threads: usize,
    ) -> Result<SolverOptions, TooLarge> {
        let memory = self.size(options).memory;
        let fits =
            |options: &SolverOptions| self.stored_as(memory, options).on_threads(threads) as u64 <= bytes;
        let mut fitted = options.clone().stored_in(Precision::Bits32, Precision::Bits32);
        let streets = Street::ALL[self.betting().first_street().index()..].iter().rev();
        let mut steps = STEPS.iter().flat_map(|step| streets.clone().map(move |street| (step, street)));
        while !fits(&fitted) {
            let Some((&(precision, array), street)) = steps.next() else {
                return Err(TooLarge { least: self.stored_as(memory, &fitted) });
            };
            precisions(&mut fitted, array)[street.index()] = precision;
        }
        for street in streets.rev() {
            for array in [Array::Regrets, Array::Strategy] {
                for precision in Precision::ALL.into_iter().rev() {
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
    use crate::{Spot, TreeOptions};

    fn layout(board: &str) -> GameLayout {
        let ranges = ["88+,AQs+,KQs".parse().unwrap(), "TT-66,AJs+,QJs".parse().unwrap()];
        let spot =
            Spot::new(ranges, board.parse().unwrap(), TreeOptions::new(100.into(), 200.into())).unwrap();
        GameLayout::new(&spot).unwrap()
    }

    fn bytes(layout: &GameLayout, options: &SolverOptions) -> u64 {
        layout.size(options).memory.on_threads(2) as u64
    }

    #[test]
    fn what_fits_is_as_fine_as_it_can_be() {
        let options = SolverOptions { precision_is_auto: true, ..SolverOptions::default() };
        for board in ["QsJh2h", "QsJh2h8c", "QsJh2h8c3d"] {
            let layout = layout(board);
            let first = layout.betting().first_street().index();
            let all = |precision| bytes(&layout, &options.clone().stored_in(precision, precision));
            let (least, most) = (all(Precision::Bits4), all(Precision::Bits32));
            for step in 0..=40 {
                let limit = least + (most - least) * step / 40;
                let fitted = layout.fit(&options, limit, 2).unwrap();
                assert!(bytes(&layout, &fitted) <= limit && !fitted.precision_is_auto);
                for array in [Array::Strategy, Array::Regrets] {
                    for street in first..3 {
                        let mut finer = fitted.clone();
                        let slot = &mut precisions(&mut finer, array)[street];
                        let next = Precision::ALL.into_iter().find(|precision| precision > slot);
                        let Some(next) = next else { continue };
                        *slot = next;
                        assert!(bytes(&layout, &finer) > limit, "{fitted:?}: {array:?} on {street}");
                    }
                }
            }
            let fitted = layout.fit(&options, most, 2).unwrap();
            assert_eq!(fitted, options.clone().stored_in(Precision::Bits32, Precision::Bits32));
            let error = layout.fit(&options, least - 1, 2).unwrap_err();
            assert_eq!(error.least.on_threads(2) as u64, least);
        }
    }

    #[test]
    fn the_river_gives_way_first_and_strategies_before_regrets() {
        let layout = layout("QsJh2h");
        let options = SolverOptions::default();
        let limit = |strategy, regrets| bytes(&layout, &options.clone().stored_in(strategy, regrets));
        let bits = |limit| {
            let fitted = layout.fit(&options, limit, 2).unwrap();
            (fitted.strategy_precision.map(Precision::bits), fitted.regret_precision.map(Precision::bits))
        };
        let (strategy, regrets) = bits(limit(Precision::Bits16, Precision::Bits16));
        assert_eq!((strategy[2], regrets[2]), (16, 16));
        let (strategy, regrets) = bits(limit(Precision::Bits8, Precision::Bits16));
        assert_eq!((strategy[2], regrets[2]), (8, 16));
        assert!(strategy[0] >= 8 && regrets[0] >= 16);
    }
}
