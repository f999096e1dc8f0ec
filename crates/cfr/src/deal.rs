//! The public outcome of chance.

/// The public outcome of all chance events so far: one of the numbered outcomes of a round. In hold'em a deal is a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Deal {
    /// How many chance events have happened.
    pub round: usize,
    /// Which of the round's deals this is.
    pub index: usize,
}

impl Deal {
    /// The deal before any chance event.
    pub const ROOT: Self = Self { round: 0, index: 0 };
}
