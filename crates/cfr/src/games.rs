//! Two small games whose solutions are known: they show how a [`Game`](crate::Game) is written, and check solvers.

mod kuhn;
mod leduc;

pub use kuhn::Kuhn;
pub use leduc::Leduc;
