//! How much memory reading a file may take.

use crate::{GameLayout, MemoryLimit};
use noregret_cfr::{Deal, Game, Precision, StateBytes, StoragePrecision, state_bytes};
use noregret_store::{ArchiveError, Bytes};
use std::io;

/// The limit that a file was opened with.
#[derive(Clone, Copy)]
pub(super) struct ReadMemory(pub MemoryLimit);

impl ReadMemory {
    /// Refuses a betting tree that does not fit.
    pub fn check_nodes(self, nodes: usize) -> Result<(), ArchiveError> {
        if nodes <= GameLayout::nodes_within(self.0.bytes.0) {
            return Ok(());
        }
        Err(self.too_little(&format!("its betting tree of {nodes} nodes does not fit")))
    }

    /// Refuses so many solvers of a game that do not fit.
    pub fn check<G: Game>(self, game: &G, precision: Precision, solvers: u64) -> Result<(), ArchiveError> {
        if self.0.bytes == MemoryLimit::ANY.bytes {
            return Ok(());
        }
        let hands = |round: usize, player| {
            let deals = (0..game.deal_count(round)).map(|index| Deal { round, index });
            deals.map(|deal| game.hand_count(deal, player)).collect()
        };
        let storage = StoragePrecision::uniform(precision, precision);
        let StateBytes { regrets, strategy } = state_bytes(game.tree(), hands, &storage, false);
        let needed = solvers.saturating_mul((regrets + strategy) as u64);
        if needed <= self.0.bytes.0 {
            return Ok(());
        }
        Err(self.too_little(&format!("this street takes {}", Bytes(needed))))
    }

    fn too_little(self, what: &str) -> ArchiveError {
        let message = format!("{what}, and {} of memory", self.0);
        io::Error::new(io::ErrorKind::OutOfMemory, message).into()
    }
}
