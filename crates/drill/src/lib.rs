//! Drills on solved spots: a hand is dealt by its reach, the opponent plays by the solution, and every answer is graded by its EV.
//!
//! A [`Drill`] is a solution with [`DrillSettings`], which a link carries as text. Question by question it makes a [`DrillHand`], a
//! function of seed, number and what was answered so far. A [`Question`] is the table where it asks, a [`Grade`] is what an answer cost, [`DrillTotals`] are those of a session,
//! and [`ReviewBoxes`] say when to ask again what went wrong.
//!
//! ```
//! use noregret_drill::{Drill, DrillSettings, Question};
//! use noregret_holdem::{GameLayout, SaveOptions, SolutionFile, Solver, Spec, save};
//!
//! let spec: Spec = "[ranges]\noop = 'AA,QJs,T9s'\nip = 'KK,AQs,76s'\n[cards]\nflop = 'QsJh2h'\nturn = '8c'\nriver = '3d'\n\
//!                   [tree]\nstarting_pot = 100\neffective_stack = 300\n".parse()?;
//! let mut solver = Solver::with_options(GameLayout::new(&spec.spot)?.build(), &spec.solver);
//! (0..20).for_each(|_| solver.iterate());
//! let home = tempfile::tempdir()?;
//! let path = home.path().join("river.nrs");
//! save(&path, &spec, &solver, &[], SaveOptions::default())?;
//!
//! let saved = SolutionFile::open(&path)?;
//! let settings: DrillSettings = "seed=7&player=oop".parse()?;
//! let drill = Drill::new(&saved, &settings)?;
//! let hand = drill.hand(0, &[])?;
//! let question = Question::of_hand(&saved, &hand)?.ok_or("nothing is asked")?;
//! let grade = question.grade(&saved, question.actions[0])?;
//! println!("{} with {}: {:.2}% of the pot lost", question.actions[0], question.hole, grade.ev_loss_pct);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod error;
mod forty_two;
mod grade;
mod hand;
mod question;
mod random;
mod review;
mod settings;
mod totals;

pub use answer::DrillAnswer;
pub use error::DrillError;
pub use forty_two::{
    DominoAnswer, DominoDrill, DominoDrillError, DominoGrade, DominoHand, DominoSettings, DominoTotals,
    GradedMove, TrickTotal,
};
pub use grade::{Grade, MistakeKind, Verdict};
pub use hand::{Drill, DrillHand, HandEnd, HandState, solution_of};
pub use question::{Question, QuestionStep};
pub use review::{ReviewBoxes, ReviewItem, ReviewKey};
pub use settings::{DrillPlay, DrillSettings, HandChoice, SettingsError};
pub use totals::{DrillTotals, MistakeTotal, StreetTotal};
