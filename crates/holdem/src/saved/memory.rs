//! How much memory reading a file may take.

use crate::GameLayout;
use noregret_cfr::{Deal, Game, Precision, StateBytes, StoragePrecision, state_bytes};
use noregret_store::ArchiveError;
use std::io;

/// So many bytes at most.
#[derive(Clone, Copy)]
pub(super) struct Memory(pub u64);

impl Memory {
    /// No limit.
    pub const ANY: Self = Self(u64::MAX);

    /// Refuses a betting tree that does not fit.
    pub fn check_nodes(self, nodes: usize) -> Result<(), ArchiveError> {
        if nodes <= GameLayout::nodes_within(self.0) {
            return Ok(());
        }
        Err(self.too_little(&format!("its betting tree of {nodes} nodes does not fit")))
    }

    /// Refuses so many solvers of a game that do not fit.
    pub fn check<G: Game>(self, game: &G, precision: Precision, solvers: u64) -> Result<(), ArchiveError> {
        if self.0 == Self::ANY.0 {
            return Ok(());
        }
        let hands = |round: usize, player| {
            let deals = (0..game.deal_count(round)).map(|index| Deal { round, index });
            deals.map(|deal| game.hand_count(deal, player)).collect()
        };
        let storage = StoragePrecision::uniform(precision, precision);
        let StateBytes { regrets, strategy } = state_bytes(game.tree(), hands, &storage, false);
        let needed = solvers.saturating_mul((regrets + strategy) as u64);
        if needed <= self.0 {
            return Ok(());
        }
        Err(self.too_little(&format!("this street takes {} MB", needed.div_ceil(1_000_000))))
    }

    fn too_little(self, what: &str) -> ArchiveError {
        let message = format!("{what}, and there are {} MB of memory", self.0 / 1_000_000);
        io::Error::new(io::ErrorKind::OutOfMemory, message).into()
    }
}
