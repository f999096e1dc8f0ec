//! The question: who may hold what on which board, how the players may bet, and every line of play that follows.

pub(crate) mod action;
pub(crate) mod chips;
pub(crate) mod line;
pub(crate) mod locks;
pub(crate) mod node;
pub(crate) mod position;
pub(crate) mod preview;
pub(crate) mod size;
pub(crate) mod spot;
pub(crate) mod tree;
pub(crate) mod unit;
pub(crate) mod walk;
