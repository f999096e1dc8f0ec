//! One game over many machines: the tree is cut after its first round.
//!
//! A [`Trunk`] stores the regrets and average strategies of the first round; each of several [`Branches`] stores those of some deals
//! of the second round and of all that can follow them (the words are those of Burch, Johanson and Bowling, *Solving imperfect
//! information games using decomposition*, 2014). Memory and time divide by the number of branches:
//!
//! ```text
//! trunk:     reach probabilities at the chance nodes of the first round          request, the same to all
//! branches:  visit their deals, update regrets and average strategies there      answer: counterfactual values at the roots of each
//! trunk:     adds the values of all deals in their fixed order, updates the first round
//! ```
//!
//! Values are added in the order in which one [`Trainer`](crate::Trainer) adds them, by the same code: the numbers are the same to the
//! bit, however the deals are distributed. Best responses, expected values and digests go the same way.
//!
//! Messages are bytes, and whoever owns the trunk carries them: a function that hands a request to all branches and returns their
//! answers is all that there is to a transport. If one fails, the trunk and all branches have to be put back to where they were
//! together: what [`Trunk::encode`] and [`Branches::encode`] gave after the same iteration.

mod branches;
mod message;
mod trunk;

pub use branches::Branches;
pub use message::MessageError;
pub use trunk::{CutError, Trunk};
