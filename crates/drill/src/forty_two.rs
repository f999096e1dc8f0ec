//! Texas 42: a hand is played with one seat's dominoes seen, the others play exactly, and every play is scored by its regret in the
//! deal and by what could be known.

mod answer;
mod grade;
mod hand;
mod settings;

pub use answer::{DominoAnswer, DominoTotals, TrickTotal};
pub use grade::{DominoGrade, GradedMove};
pub use hand::{DominoDrill, DominoDrillError, DominoHand};
pub use settings::DominoSettings;
