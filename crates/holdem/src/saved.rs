//! Solutions and checkpoints on disk.
//!
//! A file is an archive of `noregret-store`; every section is under a checksum and packed on its own, so that opening one
//! reads little and a look at one board reads that board:
//!
//! | section | |
//! |---|---|
//! | `spec` | the spec, as text |
//! | `tree` | the betting tree, to tell whether the program still builds the same one |
//! | `orbs` | how many orbits the hands of each player form, where suits are symmetric: a number is stored once for each |
//! | `prog` | iterations, what they weigh, measurements |
//! | `sum` | which streets are kept, EVs, equities, the digest; in solutions only |
//! | `f000`, `t01f`, `r5a3`… | average strategies: a street's letter, the number of the board |
//! | `F000`, `T01f`, `R5a3`… | regrets and predictions |
//! | `ef00`, `et1f`… | what hands are worth where the next card is dealt: EVs are read from here |
//! | `ct1f`… | what a best response is worth where the file ends: small saves are re-solved against it |

use crate::{BettingTree, Spec};
use noregret_cards::Street;
use noregret_cfr::Deal;
use noregret_store::{ArchiveError, ContainerError, Kind, OutputKind};
use std::fmt;
use std::str::FromStr;

mod cache;
mod checkpoint;
mod difference;
mod file;
mod header;
mod memory;
mod page;
mod pages;
mod parts;
mod record;
mod resolve;
mod resume;
mod verify;
mod write;

pub use checkpoint::Checkpoint;
use difference::difference;
pub use file::{ReadError, SolutionFile};
pub use header::SolutionHeader;
pub use parts::PART;
pub(crate) use parts::{SavedParts, assemble, save_checkpoint_part, save_solution_part};
pub use record::{FileProgress, Summary};
pub use resume::{Continuation, ResumeError, ResumeFile};
pub use verify::{VerifiedFile, verify, verify_solution};
pub use write::{SaveOptions, save, save_checkpoint};
pub(crate) use write::{save_strategy, spec_text};

/// What solution files begin with, and which version is written.
pub const SOLUTION: Kind = Kind { magic: *b"NOREGNRS", version: 1, name: "solution" };
/// What checkpoints begin with, and which version is written.
pub const CHECKPOINT: Kind = Kind { magic: *b"NOREGNRC", version: 5, name: "checkpoint" };

/// Solution files, for knowing what they may be written over.
pub const SOLUTION_OUTPUT: OutputKind =
    OutputKind { name: "a solution", endings: &["nrs"], beginnings: &[&SOLUTION.magic] };
/// Checkpoints, for knowing what they may be written over.
pub const CHECKPOINT_OUTPUT: OutputKind =
    OutputKind { name: "a checkpoint", endings: &["nrc"], beginnings: &[&CHECKPOINT.magic] };

const SPEC: [u8; 4] = *b"spec";
const TREE: [u8; 4] = *b"tree";
const ORBITS: [u8; 4] = *b"orbs";
const PROGRESS: [u8; 4] = *b"prog";
const SUMMARY: [u8; 4] = *b"sum ";

/// Which streets a solution file keeps. What is left out is solved again when it is looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum SavedStreets {
    /// The flop.
    Flop,
    /// The flop and the turn.
    Turn,
    /// All of them.
    #[default]
    Full,
}

impl SavedStreets {
    const NAMES: [(&str, Self); 3] = [("flop", Self::Flop), ("turn", Self::Turn), ("full", Self::Full)];

    /// The last street that is kept.
    pub fn last(self) -> Street {
        match self {
            Self::Flop => Street::Flop,
            Self::Turn => Street::Turn,
            Self::Full => Street::River,
        }
    }
}

impl fmt::Display for SavedStreets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(_, keep)| keep == self);
        f.write_str(name.map_or("", |(name, _)| name))
    }
}

impl FromStr for SavedStreets {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let keep = Self::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, keep)| keep);
        keep.ok_or_else(|| "accepted `flop`, `turn`, `full`".to_owned())
    }
}

/// What a section holds of a deal.
#[derive(Clone, Copy)]
enum Part {
    Strategy,
    Regrets,
    Exits,
    Cut,
}

/// The name of a deal's section, in a spot that begins on a street.
fn tag(part: Part, first: Street, deal: Deal) -> [u8; 4] {
    let street = b"ftr"[(first.index() + deal.round).min(2)];
    let digit = |place: u32| b"0123456789abcdef"[(deal.index >> (4 * place)) & 15];
    match part {
        Part::Strategy => [street, digit(2), digit(1), digit(0)],
        Part::Regrets => [street.to_ascii_uppercase(), digit(2), digit(1), digit(0)],
        Part::Exits => [b'e', street, digit(1), digit(0)],
        Part::Cut => [b'c', street, digit(1), digit(0)],
    }
}

/// The error for a section whose content makes no sense.
fn content(tag: [u8; 4], reason: impl fmt::Display) -> ArchiveError {
    ContainerError::content(tag, reason.to_string()).into()
}

/// The tree as bytes: for each node what leads there and how many ways go on.
fn tree_bytes(tree: &BettingTree) -> Vec<u8> {
    let node = |node: &crate::BettingNode| {
        let name = node.action.map_or(b'-', |action| action.name().as_bytes()[0]);
        let amount = node.action.and_then(crate::Action::amount).map_or(0, crate::Chips::count);
        let [a, b, c, d] = amount.to_le_bytes();
        let [low, high] = node.child_count.to_le_bytes();
        [name, a, b, c, d, low, high]
    };
    tree.nodes().iter().flat_map(node).collect()
}

/// Bytes of each node in [`tree_bytes`].
const NODE_BYTES: usize = 7;

/// How many orbits the hands of each player form, as bytes.
fn orbit_bytes(counts: [usize; 2]) -> Vec<u8> {
    counts.iter().flat_map(|&count| (count as u32).to_le_bytes()).collect()
}

/// How many rounds of a spot are kept, if it begins early enough for any to be.
fn kept_rounds(spec: &Spec, keep: SavedStreets) -> Option<usize> {
    let first = spec.spot.board().street();
    (keep.last() >= first).then(|| keep.last().index() - first.index() + 1)
}
