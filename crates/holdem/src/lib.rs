//! Heads-up postflop hold'em: the spot that a user asks about, its betting tree, and the game that a solver plays.
//!
//! ```
//! use noregret_holdem::{OOP, Solve, Spot, Target, TreeOptions};
//!
//! let ranges = ["AA,KK,QJs,AKs".parse()?, "TT+,AQs+:0.5,KQs".parse()?];
//! let spot = Spot::new(ranges, "QsJh2h8c3d".parse()?, TreeOptions::new(100.into(), 300.into()))?;
//! let ev = spot.solve(Target::pot_pct(0.3))?.at("check, bet 50")?.hand(OOP, "AhKh")?.ev;
//! // It folds: from here on it expects next to nothing.
//! assert!(ev.is_some_and(|ev| ev.abs() < 0.01));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Solve::solve`] does all of it with the defaults. A [`SolveJob`] is the same with options, limits, progress and files. What is
//! underneath can be used by itself: a [`GameLayout`] says how large a spot is before anything large is allocated and builds the
//! [`Postflop`] game; a [`Solver`] improves strategies an iteration at a time; a [`Solution`] reads them.

mod batch;
mod betting;
mod game;
mod job;
mod memory;
mod options;
pub mod preflop;
mod saved;
mod solution;
mod solve;
mod spec;
mod spread;
mod text;

pub use noregret_cards as cards;
pub use noregret_cfr::simd::instruction_set;
pub use noregret_cfr::{CutError, MessageError, Precision, StateBuffers, StateBytes};

pub use batch::{BatchJob, BatchPlan, Flops, NamedRanges, PlanError, flop_subset};
pub use betting::action::Action;
pub use betting::chips::{Chips, Granularity, ParseChipsError};
pub use betting::line::{Line, LinePattern, ParseLineError, PatternStep, PotShare, Step};
pub use betting::locks::{Lock, LockBy, LockError, LockField, Merit, MeritTarget};
pub use betting::node::{BettingNode, BettingNodeKind, NodeId};
pub use betting::position::{IP, OOP, Player};
pub use betting::preview::Preview;
pub use betting::size::{BetSize, Multiple, ParseSizeError, Percent, Preset, SizeEntry, SizeKind, SizeList};
pub use betting::spot::{Spot, SpotError};
pub use betting::tree::{
    BettingTree, BettingTreeError, ChipLineError, ChipLines, Edit, EditError, OptionsError, Payoff, Rake,
    StreetSizes, TreeCounts, TreeEdits, TreeField, TreeOptions,
};
pub use betting::unit::{AmountFormat, ShownUnit, Unit, UnitError};
pub use betting::walk::LineError;
pub use game::layout::{GameLayout, LayOutError, MemoryPlan, Size};
pub use game::postflop::Postflop;
pub use game::runouts::{Isomorphism, have_same_symmetries};
pub use game::warm_start::WarmStartError;
pub use job::{
    Control, Forgives, JobError, Solve, SolveJob, SolveObserver, SolvePlan, Solved, StartFrom, Target,
};
pub use memory::{MachineMemory, MemoryLimit, OverLimit, TooLarge};
pub use options::{
    Algorithm, Averaging, ChoiceError, Exponents, PrecisionChoice, PrecisionSetting, SolverOptions,
    WarmStart, precision_of_bits, precision_of_quantization, precision_text, precisions_by_street,
};
pub use saved::{CHECKPOINT as CHECKPOINT_KIND, PART as PART_KIND, SOLUTION as SOLUTION_KIND};
pub use saved::{CHECKPOINT_OUTPUT, SOLUTION_OUTPUT};
pub use saved::{
    Checkpoint, Continuation, FileProgress, ReadError, ResumeError, ResumeFile, SaveOptions, SavedStreets,
    SolutionFile, SolutionHeader, Summary, VerifiedFile, save, save_checkpoint, verify, verify_solution,
};
pub use solution::Solution;
pub use solve::board_cache::BoardCache;
pub use solve::exploit::{ExploitView, ExploitingHand};
pub use solve::merit::LockEffect;
pub use solve::precision_profile::{PrecisionProfile, PrecisionTiming};
pub use solve::reading::{
    DecisionFrequencies, HandAtNode, HandError, HandReach, HandView, NodeReach, NodeView,
};
pub use solve::results::Results;
pub use solve::run::{
    Measurement, Outcome, PriorRun, Progress, StopCondition, StopReason, resume, run, time_left,
};
pub use solve::solver::Solver;
pub use spec::{OutputOptions, Spec, SpecError};
pub use spread::{BranchPart, BranchSolver, SpreadError, SpreadPlan, SpreadSolution, TrunkSolver};
