//! The coarse tree that a solve may start on, and how the full tree takes over from it.

mod counterparts;
mod start;

use crate::{BettingTree, Lock, SolverOptions, Spot, WarmStart};
use counterparts::counterparts;
use noregret_cfr::{Counterpart, NodeId};
pub(crate) use start::{Start, solver};
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
                     the same: give more bet sizes{}, or turn the warm start off (`enabled = false`, --no-warm-start)",
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

/// The decisions where hands are locked. Locks hold in both trees alike, so all that they name is in both.
fn locked(spot: &Spot, betting: &BettingTree) -> HashSet<NodeId> {
    let node = |lock: &Lock| betting.walk(spot.board(), &lock.line).ok().map(|(node, _)| node);
    spot.locks().iter().filter_map(node).collect()
}
