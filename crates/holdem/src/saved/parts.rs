//! Files of a solve over several workers: each writes what it stores, and together they are a checkpoint or a solution.
//!
//! A part is an archive with the sections of a whole file, packed as there: those of the deals that its writer stores. So a solution is
//! put together by copying sections, and a checkpoint is read by workers that store other deals than those who wrote it.

use super::file::{read_spec, section};
use super::pages::{arrays_of, write_arrays, write_values};
use super::resume::{LoadedArrays, load_arrays};
use super::write::{CHECKPOINT_LEVEL, FileParts, head_sections, parts_of, write_archive};
use super::{FileProgress, PROGRESS, Part, SOLUTION, SPEC, SavedStreets, Summary, content, difference, tag};
use crate::{Postflop, Spec};
use noregret_cfr::{
    ArrayKind, Branches, Deal, DecodeError, EncodedArray, NodeId, Player, TrainerProgress, Trunk,
};
use noregret_store::{Archive, ArchiveError, ContainerError, Kind, pack};
use rayon::prelude::*;
use std::io;
use std::path::{Path, PathBuf};

/// What parts begin with, and which version is written.
pub const PART: Kind = Kind { magic: *b"NOREGNRP", version: 1, name: "part of a solve" };

/// What stores the numbers of some deals of a game.
pub(crate) trait PartState: Sync {
    fn game(&self) -> &Postflop;
    /// The deals that it stores.
    fn deals(&self) -> Vec<Deal>;
    fn encode(&self, deal: Deal, root: NodeId, player: Player, kind: ArrayKind) -> EncodedArray;
    fn decode(
        &mut self,
        deal: Deal,
        root: NodeId,
        player: Player,
        kind: ArrayKind,
        array: &EncodedArray,
    ) -> Result<(), DecodeError>;
    fn set_progress(&mut self, progress: TrainerProgress);
}

impl PartState for Trunk<Postflop> {
    fn game(&self) -> &Postflop {
        Self::game(self)
    }

    fn deals(&self) -> Vec<Deal> {
        vec![Deal::ROOT]
    }

    fn encode(&self, _: Deal, _: NodeId, player: Player, kind: ArrayKind) -> EncodedArray {
        Self::encode(self, player, kind)
    }

    fn decode(
        &mut self,
        _: Deal,
        _: NodeId,
        player: Player,
        kind: ArrayKind,
        array: &EncodedArray,
    ) -> Result<(), DecodeError> {
        Self::decode(self, player, kind, array)
    }

    fn set_progress(&mut self, progress: TrainerProgress) {
        Self::set_progress(self, progress);
    }
}

impl PartState for Branches<Postflop> {
    fn game(&self) -> &Postflop {
        Self::game(self)
    }

    fn deals(&self) -> Vec<Deal> {
        self.stored_deals()
    }

    fn encode(&self, deal: Deal, root: NodeId, player: Player, kind: ArrayKind) -> EncodedArray {
        Self::encode(self, deal, root, player, kind)
    }

    fn decode(
        &mut self,
        deal: Deal,
        root: NodeId,
        player: Player,
        kind: ArrayKind,
        array: &EncodedArray,
    ) -> Result<(), DecodeError> {
        Self::decode(self, deal, root, player, kind, array)
    }

    fn set_progress(&mut self, progress: TrainerProgress) {
        Self::set_progress(self, progress);
    }
}

/// The sections of a file that have deals which a part stores, in the order of the file.
fn sections_of(state: &impl PartState, spec: &Spec, file: FileParts) -> Vec<(Part, Deal)> {
    let deals = state.deals();
    let mut sections = parts_of(state.game(), spec, file);
    sections.retain(|(_, deal)| deals.binary_search_by_key(&key(*deal), |&at| key(at)).is_ok());
    sections
}

fn key(deal: Deal) -> (usize, usize) {
    (deal.round, deal.index)
}

/// Writes the part of a checkpoint.
pub(crate) fn save_checkpoint_part(
    path: &Path,
    spec: &Spec,
    state: &impl PartState,
    progress: &FileProgress,
) -> io::Result<()> {
    let game = state.game();
    let sections =
        sections_of(state, spec, FileParts { keep: SavedStreets::Full, regrets: true, values: false });
    let head = head_sections(spec, game, progress, None);
    let level = CHECKPOINT_LEVEL;
    write_archive(path, PART, head, level, (game.spot().board().street(), &sections), |part, deal| {
        let encode = |root, player, kind| state.encode(deal, root, player, kind);
        pack(&write_arrays(game, deal, arrays_of(spec, part), encode), level)
    })
}

/// Writes the part of a solution that branches have, once the trunk has asked for the values at chance nodes.
pub(crate) fn save_solution_part(
    path: &Path,
    spec: &Spec,
    branches: &Branches<Postflop>,
    progress: &FileProgress,
) -> io::Result<()> {
    let game = &**branches.game();
    let sections = sections_of(branches, spec, SOLUTION_PARTS);
    let head = head_sections(spec, game, progress, None);
    let level = spec.output.zstd_compression_level;
    write_archive(path, PART, head, level, (game.spot().board().street(), &sections), |part, deal| {
        let bytes = match part {
            Part::Strategy | Part::Regrets => {
                let encode = |root, player, kind| branches.encode(deal, root, player, kind);
                write_arrays(game, deal, arrays_of(spec, part), encode)
            }
            Part::Exits | Part::Cut => {
                let values = Player::BOTH.map(|player| branches.chance_values(deal, player));
                let [Some(first), Some(second)] = values else {
                    let message = "the trunk has not asked for values at chance nodes yet";
                    return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
                };
                write_values(&[first, second])
            }
        };
        pack(&bytes, level)
    })
}

/// What a solution file has.
const SOLUTION_PARTS: FileParts = FileParts { keep: SavedStreets::Full, regrets: false, values: true };

/// Puts a solution file together: the first round from the trunk, and the others from the parts of all branches. `values` are those
/// of both players at the chance nodes of the first round.
pub(crate) fn assemble(
    path: &Path,
    spec: &Spec,
    trunk: &Trunk<Postflop>,
    values: &[Vec<Vec<f32>>; 2],
    (progress, summary): (&FileProgress, &Summary),
    parts: &SavedParts,
) -> Result<(), ArchiveError> {
    let game = &**trunk.game();
    let (first, level) = (game.spot().board().street(), spec.output.zstd_compression_level);
    let sections = parts_of(game, spec, SOLUTION_PARTS);
    for &(part, deal) in sections.iter().filter(|(_, deal)| deal.round > 0) {
        parts.archive_with(tag(part, first, deal))?;
    }
    let head = head_sections(spec, game, progress, Some(summary));
    let written = write_archive(path, SOLUTION, head, level, (first, &sections), |part, deal| match part {
        _ if deal.round > 0 => {
            let tag = tag(part, first, deal);
            let copied = parts.archive_with(tag).and_then(|archive| archive.section(tag));
            copied.map_err(|error| match error {
                ArchiveError::Io(error) => error,
                ArchiveError::Content(error) => io::Error::new(io::ErrorKind::InvalidData, error.to_string()),
            })
        }
        Part::Exits | Part::Cut => pack(&write_values(values), level),
        Part::Strategy | Part::Regrets => {
            let encode = |_, player, kind| trunk.encode(player, kind);
            pack(&write_arrays(game, deal, arrays_of(spec, part), encode), level)
        }
    });
    Ok(written?)
}

/// The parts of a checkpoint or of a solution, open to be read.
pub(crate) struct SavedParts {
    archives: Vec<Archive>,
    progress: FileProgress,
}

impl SavedParts {
    /// Opens the parts that workers have written of the same solve after the same iteration.
    pub fn open(paths: &[PathBuf], spec: &Spec) -> Result<Self, ArchiveError> {
        let mut archives = Vec::with_capacity(paths.len());
        let mut progress: Option<FileProgress> = None;
        for path in paths {
            let archive = Archive::open(path, &[PART])?;
            let written = read_spec(&archive)?;
            let other = difference(&written, spec)
                .or_else(|| (written.spot != spec.spot).then(|| "its locks are others".to_owned()));
            if let Some(other) = other {
                return Err(content(SPEC, format!("it is a part of another solve: {other}")));
            }
            let here = FileProgress::from_bytes(&section(&archive, PROGRESS)?)?;
            let is_same = |before: &FileProgress| before.iterations == here.iterations;
            if !progress.as_ref().is_none_or(is_same) {
                return Err(content(PROGRESS, "the parts were written after different iterations"));
            }
            // The trunk has the measurements.
            if progress.as_ref().is_none_or(|before| before.history.len() < here.history.len()) {
                progress = Some(here);
            }
            archives.push(archive);
        }
        Ok(Self { archives, progress: progress.unwrap_or_default() })
    }

    /// How far the solve had come.
    pub fn progress(&self) -> &FileProgress {
        &self.progress
    }

    fn archive_with(&self, tag: [u8; 4]) -> Result<&Archive, ArchiveError> {
        let found = self.archives.iter().find(|archive| archive.has(tag));
        found.ok_or_else(|| {
            ContainerError::Missing(String::from_utf8_lossy(&tag).trim_end().to_owned()).into()
        })
    }

    /// Puts a trunk or branches where these parts of a checkpoint left off.
    pub fn restore(&self, spec: &Spec, state: &mut impl PartState) -> Result<(), ArchiveError> {
        let first = spec.spot.board().street();
        for batch in state.deals().chunks(2 * rayon::current_num_threads()) {
            for part in [Part::Strategy, Part::Regrets] {
                let load = |&deal: &Deal| {
                    let archive = self.archive_with(tag(part, first, deal))?;
                    load_arrays(archive, spec, state.game(), deal, part)
                };
                let loaded: Vec<Result<LoadedArrays, ArchiveError>> = batch.par_iter().map(load).collect();
                for (&deal, loaded) in batch.iter().zip(loaded) {
                    for (root, player, kind, array) in loaded? {
                        let decoded = state.decode(deal, root, player, kind, &array);
                        decoded.map_err(|error| content(tag(part, first, deal), error))?;
                    }
                }
            }
        }
        let FileProgress { iterations, average_weight, .. } = self.progress;
        state.set_progress(TrainerProgress { iteration: iterations, average_weight });
        Ok(())
    }
}
