//! The coarse tree that a solve may start on, and how the full tree takes over from it.

mod counterparts;

use crate::{BettingTree, Lock, SolverOptions, Spot, WarmStart};
use counterparts::counterparts;
use noregret_cfr::{Counterpart, NodeId};
use std::collections::HashSet;
use std::fmt;

/// Why a solve cannot start on a coarser tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WarmStartError {
    /// No decision has more than so many sizes besides all-in.
    NothingToLeaveOut(u32),
    /// The solve would be over before it begins: it goes on from this iteration, and ends with this one.
    TooLate(u32, u32),
}

impl fmt::Display for WarmStartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NothingToLeaveOut(sizes) => {
                let s = if sizes == 1 { "" } else { "s" };
                write!(
                    f,
                    "solver.warm_start: no decision has more than {sizes} size{s} besides all-in, so a coarser tree would be \
                     the same: give more bet sizes{}, or turn the warm start off (`enabled = false`)",
                    if sizes == 1 { "" } else { " or lower `sizes`" }
                )
            }
            Self::TooLate(weight, last) => write!(
                f,
                "solver.warm_start.weight: the solve goes on from iteration {weight} and would be over at once, as \
                 max_iterations is {last}: raise max_iterations or lower `weight`"
            ),
        }
    }
}

impl std::error::Error for WarmStartError {}

/// A tree with fewer sizes, and what stands in it for the nodes of the full one.
#[derive(Clone)]
pub(crate) struct Coarse {
    pub betting: BettingTree,
    pub counterparts: Vec<Counterpart>,
}

impl Coarse {
    /// The coarse tree for these options; none if they do not ask for one.
    pub fn new(
        spot: &Spot,
        betting: &BettingTree,
        options: &SolverOptions,
    ) -> Result<Option<Self>, WarmStartError> {
        let WarmStart { enabled, sizes, .. } = options.warm_start;
        if !enabled {
            return Ok(None);
        }
        let weight = options.warm_start.weight();
        if weight >= options.max_iterations {
            return Err(WarmStartError::TooLate(weight, options.max_iterations));
        }
        let coarse = betting.thinned(sizes as usize, &locked(spot, betting));
        if coarse.nodes().len() == betting.nodes().len() {
            return Err(WarmStartError::NothingToLeaveOut(sizes));
        }
        let counterparts = counterparts(betting, &coarse);
        Ok(Some(Self { betting: coarse, counterparts }))
    }
}

/// The decisions where hands are locked. Locks hold in both trees, so all that they name is in both.
fn locked(spot: &Spot, betting: &BettingTree) -> HashSet<NodeId> {
    let node = |lock: &Lock| betting.walk(spot.board(), &lock.line).ok().map(|(node, _)| node);
    spot.locks().iter().filter_map(node).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Algorithm, GameLayout, Precision, SizeKind, SizeList, TreeOptions};
    use noregret_cfr::{Game, StateBytes};

    fn spot() -> Spot {
        let mut options = TreeOptions::new(100.into(), 300.into());
        for sizes in options.sizes.iter_mut().flatten() {
            sizes.bet = SizeList::parse("33%, 75%, a", SizeKind::Bet).unwrap();
        }
        let ranges = ["88+,AQs+,KQs".parse().unwrap(), "TT-66,AJs+,QJs".parse().unwrap()];
        Spot::new(ranges, "QsJh2h8c".parse().unwrap(), options).unwrap()
    }

    #[test]
    fn what_is_announced_is_what_both_trees_take() {
        for algorithm in [Algorithm::Dcfr, Algorithm::PdcfrPlus] {
            for bits in Precision::ALL {
                let warm_start = WarmStart { enabled: true, ..WarmStart::default() };
                let options = SolverOptions { algorithm, warm_start, ..SolverOptions::default() };
                let options = options.stored_in(bits, bits);
                let plain = GameLayout::new(&spot()).unwrap().size(&options).memory;
                assert_eq!(plain.warm_start, 0);
                let layout = GameLayout::new(&spot()).unwrap().with_warm_start(&options).unwrap();
                let memory = layout.size(&options).memory;
                assert_eq!(memory.total(), plain.total() + memory.warm_start);
                let game = layout.build();
                let coarse = game.coarse().unwrap();
                let StateBytes { regrets, strategy } = coarse.game.clone().trainer(&options).bytes();
                // For each node, the payoffs of a terminal node to both players: two numbers each.
                let nodes = size_of_val(coarse.game.betting().nodes())
                    + coarse.game.betting().nodes().len() * 4 * size_of::<f32>();
                let tree = coarse.game.tree().bytes() + nodes + size_of_val(coarse.counterparts.as_slice());
                assert_eq!(memory.warm_start, regrets + strategy + tree);
                assert!(memory.warm_start < plain.total());
            }
        }
    }

    #[test]
    fn precisions_that_are_picked_leave_room_for_both_trees() {
        let warm_start = WarmStart { enabled: true, ..WarmStart::default() };
        let options = SolverOptions { warm_start, ..SolverOptions::default() };
        let layout = GameLayout::new(&spot()).unwrap().with_warm_start(&options).unwrap();
        let all = |bits| layout.size(&options.clone().stored_in(bits, bits)).memory.on_threads(2) as u64;
        let (least, most) = (all(Precision::Bits4), all(Precision::Bits32));
        for limit in [least, (least + most) / 2, most] {
            let fitted = layout.fit(&options, limit, 2).unwrap();
            assert!(layout.size(&fitted).memory.on_threads(2) as u64 <= limit);
        }
        assert!(layout.fit(&options, least - 1, 2).is_err());
    }
}
