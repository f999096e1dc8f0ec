//! Heads-up postflop hold'em: the spot that a user asks about, its betting tree, and the game that a solver plays.
//!
//! Build a spot, solve it, walk to a line, and read what every hand does and expects there:
//!
//! ```
//! use noregret_holdem::{Goal, IP, OOP, Outline, Solution, Spot, TreeOptions, run};
//! use std::ops::ControlFlow;
//!
//! let ranges = ["AA,KK,QJs,87s".parse()?, "TT+,AQs+:0.5,KQs".parse()?];
//! let spot = Spot::new(ranges, "QsJh2h8c3d".parse()?, TreeOptions::new(100.into(), 300.into()))?;
//! let game = Outline::new(&spot)?.build();
//! let mut solution = Solution::new(&game);
//! let goal = Goal { target_pct: 0.3, max_iterations: 1000 };
//! let outcome = run(&mut solution, &goal, |_iteration, _last| ControlFlow::Continue(()));
//! assert!(outcome.last().exploitability_pct <= 0.3);
//! assert!((solution.ev(OOP) + solution.ev(IP) - 100.0).abs() < 0.01);
//!
//! let node = solution.at(&"check, bet 50".parse()?)?;
//! for hand in &node.hands[OOP.index()] {
//!     println!("{} plays {:?}, expects {:?} chips", hand.hole, hand.strategy, hand.ev);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use noregret_cards as cards;
pub use noregret_cfr::simd::instruction_set;
pub use noregret_cfr::{Player, Precision, StateBytes};

/// The player who acts first on every street.
pub const OOP: Player = Player::First;
/// The player who acts last on every street.
pub const IP: Player = Player::Second;

mod all_in;
mod chips;
mod deal_tables;
mod equity;
mod fit;
mod flop_subset;
mod game;
mod hands;
mod kernels;
mod limit;
mod line;
mod locks;
mod plan;
mod preview;
mod reading;
mod run;
mod runouts;
mod saved;
mod size;
mod solution;
mod spec;
mod spot;
mod text;
mod tree;
mod warm_start;

pub use chips::Chips;
pub use fit::TooLarge;
pub use flop_subset::flop_subset;
pub use game::{LayOutError, MemoryPlan, Outline, Postflop, Size};
pub use limit::{MachineMemory, MemoryLimit, OverLimit};
pub use line::{Line, LineError, LinePattern, ParseLineError, PatternStep, Step};
pub use locks::{Lock, LockError, LockField};
pub use plan::{Flops, Job, NamedRanges, Plan, PlanError};
pub use preview::Preview;
pub use reading::{HandView, NodeView};
pub use run::{Checked, Earlier, Ending, Goal, Moment, Outcome, resume, run, time_left};
pub use runouts::Isomorphism;
pub use saved::{
    Checkpoint, Head, Keep, Progress, ReadError, Resume, ResumeError, SaveOptions, Saved, Summary, Use, save,
    save_checkpoint,
};
pub use size::{BetSize, Multiple, ParseSizeError, Percent, Preset, SizeEntry, SizeKind, SizeList};
pub use solution::Solution;
pub use spec::{
    Algorithm, ChoiceError, Exponents, OutputOptions, SolverOptions, Spec, SpecError, WarmStart,
    precision_of_bits, precision_of_quantization, precisions_by_street,
};
pub use spot::{Spot, SpotError};
pub use tree::{
    Action, BettingTree, Edit, EditError, Node, NodeId, NodeKind, OptionsError, Payoff, Rake, StreetSizes,
    TreeCounts, TreeEdits, TreeError, TreeField, TreeOptions,
};
pub use warm_start::WarmStartError;
