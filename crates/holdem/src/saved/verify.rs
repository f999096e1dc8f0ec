//! Reading a file through: every section, every checksum, every number.

use super::file::{read_layout, read_spec, section};
use super::memory::ReadMemory;
use super::pages::{SectionReader, arrays_of, precisions_of, read_values};
use super::write::{FileParts, parts_of};
use super::{
    CHECKPOINT, FileProgress, ORBITS, PROGRESS, Part, SOLUTION, SPEC, SUMMARY, SavedStreets, Summary, TREE,
    content, kept_rounds, tag,
};
use crate::{MemoryLimit, Postflop, Spec};
use noregret_cfr::{
    ArrayKind, Deal, DealDigest, EncodedShape, Game, NodeId, Player, StoragePrecision, Subgame, Trainer,
    digest_of_deals,
};
use noregret_store::{Archive, ArchiveError, ContainerError, Kind};
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;

/// A solution or a checkpoint in which everything is as it should be.
#[derive(Clone, Debug)]
pub struct VerifiedFile {
    /// What a person calls such a file.
    pub kind: &'static str,
    /// How long it is.
    pub bytes: u64,
    /// How many sections were read.
    pub sections: usize,
    /// How many iterations it holds.
    pub iterations: u32,
    /// The digest of the strategies; checkpoints do not carry one.
    pub digest: Option<String>,
}

/// Reads a solution or a checkpoint through: that no section is missing or too many, that each matches its checksum, that each
/// number can be, and that the strategies of a full save have the digest that the file says. What would take more memory than
/// the limit is an error.
pub fn verify(path: &Path, limit: MemoryLimit) -> Result<VerifiedFile, ArchiveError> {
    verify_kinds(path, limit, &[SOLUTION, CHECKPOINT])
}

/// As [`verify`], for a solution: a checkpoint is an error too.
pub fn verify_solution(path: &Path, limit: MemoryLimit) -> Result<VerifiedFile, ArchiveError> {
    verify_kinds(path, limit, &[SOLUTION])
}

fn verify_kinds(path: &Path, limit: MemoryLimit, kinds: &[Kind]) -> Result<VerifiedFile, ArchiveError> {
    let memory = ReadMemory(limit);
    let archive = Archive::open(path, kinds)?;
    let spec = read_spec(&archive)?;
    let layout = read_layout(&archive, &spec, memory)?;
    let progress = FileProgress::from_bytes(&section(&archive, PROGRESS)?)?;
    let is_solution = archive.kind() == SOLUTION;
    let summary = if is_solution { Some(Summary::from_bytes(&section(&archive, SUMMARY)?)?) } else { None };
    let keep = summary.as_ref().map_or(SavedStreets::Full, |summary| summary.keep);
    if kept_rounds(&spec, keep).is_none() {
        return Err(content(SUMMARY, "it keeps no street of this spot"));
    }
    let regrets = summary.as_ref().is_none_or(|summary| summary.has_regrets);
    let game = layout.build_as_needed();
    let parts = parts_of(&game, &spec, FileParts { keep, regrets, values: is_solution });
    let reader =
        FileReader { archive: &archive, spec: &spec, game: &game, memory, iterations: progress.iterations };
    reader.check_names(&parts, is_solution)?;
    let digests = parts.par_iter().map(|&(part, deal)| reader.check(part, deal));
    let digests = digests.collect::<Result<Vec<Option<DealDigest>>, _>>()?;
    if let Some(summary) = summary.as_ref().filter(|summary| summary.keep == SavedStreets::Full)
        && digest_of_deals(digests.into_iter().flatten()) != summary.digest
    {
        return Err(content(SUMMARY, "its digest is not that of the strategies"));
    }
    Ok(VerifiedFile {
        kind: archive.kind().name,
        bytes: archive.length(),
        sections: archive.tags().count(),
        iterations: progress.iterations,
        digest: summary.map(|summary| summary.digest),
    })
}

/// A file whose small sections have been read.
struct FileReader<'a> {
    archive: &'a Archive,
    spec: &'a Spec,
    game: &'a Arc<Postflop>,
    memory: ReadMemory,
    iterations: u32,
}

impl FileReader<'_> {
    fn tag(&self, part: Part, deal: Deal) -> [u8; 4] {
        tag(part, self.spec.spot.board().street(), deal)
    }

    /// Refuses sections that do not belong in the file, and misses those that do.
    fn check_names(&self, parts: &[(Part, Deal)], is_solution: bool) -> Result<(), ArchiveError> {
        let mut known = vec![SPEC, TREE, PROGRESS];
        known.extend(self.game.root_orbits().map(|_| ORBITS));
        known.extend(is_solution.then_some(SUMMARY));
        known.extend(parts.iter().map(|&(part, deal)| self.tag(part, deal)));
        known.sort_unstable();
        if let Some(other) = self.archive.tags().find(|tag| known.binary_search(tag).is_err()) {
            return Err(content(other, "it does not belong in this file"));
        }
        match known.into_iter().find(|&tag| !self.archive.has(tag)) {
            Some(missing) => Err(ContainerError::missing(missing).into()),
            None => Ok(()),
        }
    }

    /// Checks a section; the digest of its strategies if it has any.
    fn check(&self, part: Part, deal: Deal) -> Result<Option<DealDigest>, ArchiveError> {
        let tag = self.tag(part, deal);
        let bytes = section(self.archive, tag)?;
        let reader = SectionReader { tag, bytes: &bytes };
        let tree = self.game.tree();
        match part {
            Part::Strategy | Part::Regrets => self.check_arrays(part, deal, reader),
            Part::Exits => {
                read_values(self.game, reader, deal, tree.chance_nodes(deal.round).count()).map(|_| None)
            }
            Part::Cut => {
                // As it is written: at roots where the street is left out that begins there, else before its cards.
                let nodes = match self.kept_rounds() {
                    kept if kept == deal.round => tree.roots(deal.round).len(),
                    _ => tree.chance_nodes(deal.round).count(),
                };
                read_values(self.game, reader, deal, nodes).map(|_| None)
            }
        }
    }

    fn kept_rounds(&self) -> usize {
        let rounds = self.game.tree().round_count();
        let strategies = (0..rounds)
            .take_while(|&round| self.archive.has(self.tag(Part::Strategy, Deal { round, index: 0 })));
        strategies.count()
    }

    fn check_arrays(
        &self,
        part: Part,
        deal: Deal,
        mut reader: SectionReader<'_>,
    ) -> Result<Option<DealDigest>, ArchiveError> {
        let tag = reader.tag;
        let precision = precisions_of(self.spec, part)[deal.round];
        let storage = StoragePrecision::uniform(precision, precision);
        let mut arrays = Vec::new();
        for root in self.game.tree().roots(deal.round) {
            let reach = Player::BOTH.map(|player| vec![1.0; self.game.hand_count(deal, player)]);
            let subgame = Subgame::to_chance(self.game.clone(), deal, root, reach, Default::default());
            self.memory.check(&subgame, precision, rayon::current_num_threads() as u64)?;
            let mut trainer = Trainer::with_storage(Arc::new(subgame), self.spec.solver.schedule(), &storage);
            for player in Player::BOTH {
                for &kind in arrays_of(self.spec, part) {
                    let shape = EncodedShape::of(&**self.game, deal, root, player, kind, precision);
                    let array = reader.numbers(shape)?;
                    let decoded = trainer.decode(Deal::ROOT, NodeId::ROOT, player, kind, &array);
                    decoded.map_err(|error| content(tag, error))?;
                    if array.last_update.is_some_and(|last| last > self.iterations) {
                        return Err(content(tag, "it was updated after the last iteration"));
                    }
                    if kind == ArrayKind::Strategy {
                        arrays.push(array);
                    }
                }
            }
        }
        reader.end()?;
        Ok(matches!(part, Part::Strategy).then(|| DealDigest::of(&arrays)))
    }
}
