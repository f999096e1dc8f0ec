//! One spot over many workers: the tree is cut after the flop.
//!
//! A [`SpreadPlan`] deals the turn cards out to workers, by what each costs, and says what memory each takes. The driver has a
//! [`TrunkSolver`], which owns the flop; each worker has a [`BranchSolver`], which owns its turn cards with all their rivers. What
//! carries their messages is up to whoever starts them: the Python package does it with Ray. Digests, measurements and files are those of
//! one machine, to the bit.
//!
//! ```
//! use noregret_holdem::{BranchSolver, Spec, SpreadPlan, TrunkSolver};
//!
//! let spec: Spec = "[ranges]\noop = 'AA,QJs'\nip = 'TT,KQs'\n[cards]\nflop = 'QsJh2h'\n\
//!                   [tree]\nstarting_pot = 100\neffective_stack = 100\n\
//!                   [solver]\nmax_iterations = 20\n".parse()?;
//! let plan = SpreadPlan::new(spec, 3)?;
//! let mut trunk = TrunkSolver::new(plan.spec.clone())?;
//! let workers = plan.parts.iter().map(|part| BranchSolver::new(plan.spec.clone(), part.deals.clone()));
//! let mut workers = workers.collect::<Result<Vec<_>, _>>()?;
//! let mut exchange =
//!     |request: &[u8]| workers.iter_mut().map(|worker| worker.answer(request)).collect::<Result<Vec<_>, _>>();
//! while trunk.advance(&mut exchange)?.is_none() {}
//! assert_eq!(trunk.iteration(), 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod branch_solver;
mod plan;
mod trunk_solver;

pub use branch_solver::BranchSolver;
pub use plan::{BranchPart, SpreadError, SpreadPlan};
pub use trunk_solver::{SpreadSolution, TrunkSolver};
