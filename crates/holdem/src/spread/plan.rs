//! Who owns which turn cards.

use crate::saved::spec_text;
use crate::{GameLayout, LayOutError, MemoryLimit, MemoryPlan, OverLimit, PrecisionChoice, Spec};
use noregret_cards::{Board, Street};
use noregret_cfr::{Deal, StoredDeals};
use noregret_store::Bytes;

/// Why a spot cannot be solved by several workers.
#[derive(Debug, thiserror::Error)]
pub enum SpreadError {
    /// The spot begins after the flop, or nobody gets to the turn.
    #[error("there is no turn card to divide it by: solve it on one machine")]
    NoTurn,
    /// A coarser tree is to be solved first.
    #[error("warm_start is for one machine: leave it out, or solve on one")]
    WarmStart,
    /// Precisions are to be timed.
    #[error("precision `profile` times candidates on one machine: say `auto`, or which")]
    Profile,
    /// Hands of locks by merit are not known yet.
    #[error(
        "a lock by merit needs the solution without it: solve that first, on one machine, and give what it resolves to"
    )]
    OpenLocks,
    /// A worker has no turn, or one that there is not.
    #[error("turn {0} is not one of {1}")]
    Turn(usize, usize),
    /// A worker would take more memory than it may.
    #[error("one of {workers} workers needs {needed} of memory, and {limit}: {advice}")]
    Worker {
        /// How many workers there are.
        workers: usize,
        /// What one of them takes.
        needed: Bytes,
        /// What it may take, and who says so.
        limit: String,
        /// What would fit.
        advice: String,
    },
    /// The driver would take more memory than it may.
    #[error(
        "the driver needs {needed} of memory for the flop and the tables of all boards, and {limit}: start it on a larger machine"
    )]
    Driver {
        /// What it takes.
        needed: Bytes,
        /// What it may take, and who says so.
        limit: String,
    },
    /// The game cannot be laid out.
    #[error(transparent)]
    LayOut(#[from] LayOutError),
    /// No precision fits.
    #[error(transparent)]
    Memory(#[from] OverLimit),
}

/// The turns of one worker.
#[derive(Clone, PartialEq, Debug)]
pub struct BranchPart {
    /// The numbers of its turns, ascending.
    pub deals: Vec<usize>,
    /// Their boards.
    pub boards: Vec<Board>,
    /// Its share of the work, by an estimate.
    pub share: f64,
    /// What it allocates.
    pub memory: MemoryPlan,
}

/// How a spot is dealt out to workers.
#[derive(Clone, Debug)]
pub struct SpreadPlan {
    /// What is solved, with the precisions that were picked: those of one machine with memory enough.
    pub spec: Spec,
    /// What the driver allocates.
    pub trunk: MemoryPlan,
    /// What each worker owns. There are no more of them than turns.
    pub parts: Vec<BranchPart>,
}

impl SpreadPlan {
    /// Deals the turns of a spec out to so many workers.
    pub fn new(spec: Spec, workers: usize) -> Result<Self, SpreadError> {
        let cut = CutLayout::new(&spec)?;
        Ok(cut.plan(workers, &cut.estimated_costs()))
    }

    /// As [`SpreadPlan::new`], by what each turn was measured to cost; a turn without a cost counts as nothing.
    pub fn by_costs(spec: Spec, workers: usize, costs: &[f64]) -> Result<Self, SpreadError> {
        Ok(CutLayout::new(&spec)?.plan(workers, costs))
    }

    /// What the worker that takes most memory takes, on so many threads.
    pub fn worker_bytes(&self, threads: usize) -> Bytes {
        let bytes = self.parts.iter().map(|part| part.memory.on_threads(threads));
        Bytes(bytes.max().unwrap_or(0) as u64)
    }

    /// Refuses workers that take more memory than each may, and says how many would do.
    pub fn check_memory(&self, limit: &MemoryLimit, threads: usize) -> Result<(), SpreadError> {
        let needed = self.worker_bytes(threads);
        if needed <= limit.bytes {
            return Ok(());
        }
        let turns: usize = self.parts.iter().map(|part| part.deals.len()).sum();
        // Laying the game out takes long; dealing its turns out does not.
        let cut = CutLayout::new(&self.spec)?;
        let costs = cut.estimated_costs();
        let larger = (self.parts.len() + 1..=turns)
            .map(|workers| (workers, cut.plan(workers, &costs).worker_bytes(threads)));
        let advice = match larger.into_iter().find(|(_, bytes)| *bytes <= limit.bytes) {
            Some((workers, bytes)) => format!("{workers} workers would fit, with {bytes} each"),
            None => format!(
                "even with a turn for each it would not fit: there are {turns}. Save memory by `precision`"
            ),
        };
        let workers = self.parts.len();
        Err(SpreadError::Worker { workers, needed, limit: limit.to_string(), advice })
    }

    /// Refuses a driver that takes more memory than it may.
    pub fn check_trunk_memory(&self, limit: &MemoryLimit) -> Result<(), SpreadError> {
        let needed = Bytes(self.trunk.on_threads(1) as u64);
        if needed <= limit.bytes {
            return Ok(());
        }
        Err(SpreadError::Driver { needed, limit: limit.to_string() })
    }

    /// The spec as text with the precisions that were picked, to be sent to workers.
    pub fn spec_text(&self) -> String {
        spec_text(&self.spec)
    }
}

/// Whether somebody stores a deal, which may be of a street that no line gets to.
fn is_stored(stored: &StoredDeals, layout: &GameLayout, deal: Deal) -> bool {
    deal.round < layout.round_count() && stored.contains(deal)
}

/// Gives the most expensive turn that is left to the worker who has least, until none is left. Nobody gets none.
fn dealt_by_cost(costs: &[f64], workers: usize) -> Vec<Vec<usize>> {
    let workers = workers.clamp(1, costs.len().max(1));
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by(|&a, &b| costs[b].total_cmp(&costs[a]).then(a.cmp(&b)));
    let mut parts: Vec<(f64, Vec<usize>)> = vec![(0.0, Vec::new()); workers];
    for deal in order {
        let least = parts
            .iter_mut()
            .min_by(|(a, some), (b, others)| a.total_cmp(b).then(some.len().cmp(&others.len())));
        if let Some((sum, deals)) = least {
            *sum += costs[deal];
            deals.push(deal);
        }
    }
    parts
        .into_iter()
        .map(|(_, mut deals)| {
            deals.sort_unstable();
            deals
        })
        .collect()
}

/// A spec that can be cut after its flop, laid out.
pub(super) struct CutLayout {
    /// With its precisions picked.
    pub spec: Spec,
    pub layout: GameLayout,
}

impl CutLayout {
    pub fn new(spec: &Spec) -> Result<Self, SpreadError> {
        if spec.spot.board().street() != Street::Flop {
            return Err(SpreadError::NoTurn);
        }
        if spec.solver.warm_start.enabled {
            return Err(SpreadError::WarmStart);
        }
        if spec.solver.precision_choice == PrecisionChoice::Profile {
            return Err(SpreadError::Profile);
        }
        if spec.spot.has_open_locks() {
            return Err(SpreadError::OpenLocks);
        }
        let limit = MemoryLimit::ANY;
        let layout = limit.lay_out(spec)?;
        if layout.round_count() < 2 {
            return Err(SpreadError::NoTurn);
        }
        let solver = limit.fit(&layout, &spec.solver, 1)?;
        Ok(Self { spec: Spec { solver, ..spec.clone() }, layout })
    }

    /// What each turn costs, by an estimate.
    fn estimated_costs(&self) -> Vec<f64> {
        self.layout.branch_costs().iter().map(|&cost| cost as f64).collect()
    }

    /// Deals the turns out to so many workers.
    fn plan(&self, workers: usize, costs: &[f64]) -> SpreadPlan {
        let Self { spec, layout } = self;
        let boards: Vec<Board> = layout.branch_boards().collect();
        let costs: Vec<f64> = (0..boards.len()).map(|deal| costs.get(deal).copied().unwrap_or(0.0)).collect();
        let total: f64 = costs.iter().sum();
        let part = |deals: Vec<usize>| {
            let stored = layout.branch_deals(&deals);
            BranchPart {
                share: deals.iter().map(|&deal| costs[deal]).sum::<f64>() / total.max(f64::MIN_POSITIVE),
                boards: deals.iter().map(|&deal| boards[deal]).collect(),
                // Hands are mapped from the flop.
                memory: layout.part_memory(&spec.solver, &stored, |deal| {
                    deal.round == 0 || is_stored(&stored, layout, deal)
                }),
                deals,
            }
        };
        let parts = dealt_by_cost(&costs, workers).into_iter().map(part).collect();
        // Equities are those of all boards.
        let trunk = layout.part_memory(&spec.solver, &layout.trunk_deals(), |_| true);
        SpreadPlan { spec: spec.clone(), trunk, parts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_dealt_out_by_what_they_cost() {
        assert_eq!(dealt_by_cost(&[5.0, 1.0, 1.0, 3.0], 2), [vec![0], vec![1, 2, 3]]);
        assert_eq!(dealt_by_cost(&[1.0; 5], 2), [vec![0, 2, 4], vec![1, 3]]);
        assert_eq!(dealt_by_cost(&[1.0; 3], 7), [vec![0], vec![1], vec![2]]);
        assert_eq!(dealt_by_cost(&[0.0; 3], 3), [vec![0], vec![1], vec![2]]);
        assert_eq!(dealt_by_cost(&[1.0; 3], 0), [vec![0, 1, 2]]);
    }
}
