//! Writing solutions.

use super::pages::{arrays_of, write_arrays, write_values};
use super::{
    CHECKPOINT, FileProgress, ORBITS, PROGRESS, Part, SOLUTION, SPEC, SUMMARY, SavedStreets, Summary, TREE,
    kept_rounds, orbit_bytes, tag, tree_bytes,
};
use crate::{IP, Measurement, OOP, Postflop, Solver, Spec};
use noregret_cards::Street;
use noregret_cfr::{
    ArrayKind, Deal, Game, NodeId, Player, Profile, ReachedDeal, Response, Strategy, Trainer,
};
use noregret_store::{ArchiveWriter, Kind, pack};
use rayon::prelude::*;
use std::io;
use std::path::Path;
use std::time::Duration;

/// What a solution file is to hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SaveOptions {
    /// Which streets.
    pub keep: SavedStreets,
    /// Whether the regrets too, for all streets: solving can then go on at once.
    pub regrets: bool,
}

/// Writes the average strategies of a solver to `path`: whole or not at all. `spec` is what was solved, `history` the measurements
/// on the way.
pub fn save(
    path: &Path,
    spec: &Spec,
    solver: &Solver,
    history: &[Measurement],
    options: SaveOptions,
) -> io::Result<()> {
    let keep = if options.regrets { SavedStreets::Full } else { options.keep };
    let regrets = options.regrets.then_some(&solver.trainer);
    let content = Content { keep, regrets, ..Content::of(spec, solver) };
    content.write_solution(path, &FileProgress::of(solver, history))
}

/// As [`save`], for average strategies without what further iterations need.
pub(crate) fn save_strategy(
    path: &Path,
    spec: &Spec,
    game: &Postflop,
    strategy: &Strategy,
    progress: &FileProgress,
    keep: SavedStreets,
) -> io::Result<()> {
    Content { spec, game, strategy, keep, regrets: None, values: true }.write_solution(path, progress)
}

/// Checkpoints are written often: quickly, rather than small.
pub(super) const CHECKPOINT_LEVEL: u8 = 1;

/// Writes all that a solve needs to continue to `path`: whole or not at all. `elapsed` is how long it took so far.
pub fn save_checkpoint(
    path: &Path,
    spec: &Spec,
    solver: &Solver,
    history: &[Measurement],
    elapsed: Duration,
) -> io::Result<()> {
    let content = Content { regrets: Some(&solver.trainer), values: false, ..Content::of(spec, solver) };
    let progress = FileProgress { elapsed, ..FileProgress::of(solver, history) };
    content.write(path, CHECKPOINT, &progress, None, CHECKPOINT_LEVEL)
}

/// What goes into a file.
struct Content<'a> {
    spec: &'a Spec,
    game: &'a Postflop,
    strategy: &'a Strategy,
    keep: SavedStreets,
    /// Where the regrets come from, if they are kept.
    regrets: Option<&'a Trainer<Postflop>>,
    /// Whether to add the values that reading needs.
    values: bool,
}

/// The spec with the precisions that the arrays have, whoever has picked them.
pub(crate) fn spec_text(spec: &Spec) -> String {
    let precisions = [spec.solver.strategy_precision, spec.solver.regret_precision];
    Spec { solver: spec.solver.clone().stored_by_street(precisions), ..spec.clone() }.to_string()
}

/// What a file of a game begins with.
pub(super) fn head_sections(
    spec: &Spec,
    game: &Postflop,
    progress: &FileProgress,
    summary: Option<&Summary>,
) -> Vec<([u8; 4], Vec<u8>)> {
    let tree = tree_bytes(game.betting());
    let mut head = vec![(SPEC, spec_text(spec).into_bytes()), (TREE, tree), (PROGRESS, progress.to_bytes())];
    head.extend(game.root_orbits().map(|counts| (ORBITS, orbit_bytes(counts))));
    head.extend(summary.map(|summary| (SUMMARY, summary.to_bytes())));
    head
}

/// Writes an archive: its head, and then the packed section of each part of a game that begins on a street, some at a time in
/// parallel.
pub(super) fn write_archive(
    path: &Path,
    kind: Kind,
    head: Vec<([u8; 4], Vec<u8>)>,
    level: u8,
    (first, parts): (Street, &[(Part, Deal)]),
    packed: impl Fn(Part, Deal) -> io::Result<Vec<u8>> + Sync,
) -> io::Result<()> {
    let mut writer = ArchiveWriter::create(path, kind, (head.len() + parts.len()) as u32)?;
    for (tag, bytes) in head {
        writer.section(tag, &pack(&bytes, level)?)?;
    }
    for batch in parts.chunks(2 * rayon::current_num_threads()) {
        let sections: Vec<io::Result<Vec<u8>>> =
            batch.par_iter().map(|&(part, deal)| packed(part, deal)).collect();
        for (&(part, deal), bytes) in batch.iter().zip(sections) {
            writer.section(tag(part, first, deal), &bytes?)?;
        }
    }
    writer.finish()
}

impl<'a> Content<'a> {
    /// All streets of a solver, with the values that reading needs and without the regrets.
    fn of(spec: &'a Spec, solver: &'a Solver) -> Self {
        let (game, strategy) = (&**solver.game(), solver.trainer.strategy());
        Self { spec, game, strategy, keep: SavedStreets::Full, regrets: None, values: true }
    }

    fn average(&self) -> Profile<'a, Postflop> {
        Profile::new(self.game, self.strategy)
    }

    fn write_solution(&self, path: &Path, progress: &FileProgress) -> io::Result<()> {
        let (average, granularity) = (self.average(), self.game.spot().granularity());
        let summary = Summary {
            keep: self.keep,
            has_regrets: self.regrets.is_some(),
            ev: [OOP, IP].map(|player| granularity.chips(average.expected_value(player))),
            equity: [OOP, IP].map(|player| self.game.root_equity(player)),
            digest: average.digest(),
        };
        let level = self.spec.output.zstd_compression_level;
        self.write(path, SOLUTION, progress, Some(&summary), level)
    }

    fn write(
        &self,
        path: &Path,
        kind: Kind,
        progress: &FileProgress,
        summary: Option<&Summary>,
        level: u8,
    ) -> io::Result<()> {
        let kept = FileParts { keep: self.keep, regrets: self.regrets.is_some(), values: self.values };
        let parts = parts_of(self.game, self.spec, kept);
        let head = head_sections(self.spec, self.game, progress, summary);
        let first = self.game.spot().board().street();
        let start = self.average().start();
        write_archive(path, kind, head, level, (first, &parts), |part, deal| {
            pack(&self.section(part, deal, &start), level)
        })
    }

    fn section(&self, part: Part, deal: Deal, start: &ReachedDeal) -> Vec<u8> {
        let profile = self.average();
        match part {
            Part::Strategy | Part::Regrets => {
                let encode = |root: NodeId, player: Player, kind: ArrayKind| match self.regrets {
                    Some(trainer) => trainer.encode(deal, root, player, kind),
                    None => self.strategy.encode(self.game, deal, root, player),
                };
                write_arrays(self.game, deal, arrays_of(self.spec, part), encode)
            }
            Part::Exits | Part::Cut => {
                let reached = match deal.round {
                    0 => profile.start(),
                    _ => profile.follow(start, deal.index),
                };
                let kept = kept_rounds(self.spec, self.keep).unwrap_or(0);
                write_values(&Player::BOTH.map(|player| match part {
                    Part::Cut if deal.round == kept => profile.root_values(&reached, player, Response::Best),
                    Part::Cut => profile.chance_values(&reached, player, Response::Best),
                    _ => profile.chance_values(&reached, player, Response::Average),
                }))
            }
        }
    }
}

/// Which numbers a file has.
#[derive(Clone, Copy)]
pub(super) struct FileParts {
    pub keep: SavedStreets,
    /// Whether it has regrets.
    pub regrets: bool,
    /// Whether it has the values that reading needs.
    pub values: bool,
}

/// The sections of deals, in the order of the file.
pub(super) fn parts_of(game: &Postflop, spec: &Spec, file: FileParts) -> Vec<(Part, Deal)> {
    let rounds = game.tree().round_count();
    let kept = kept_rounds(spec, file.keep).unwrap_or(rounds).min(rounds);
    let deals = |round: usize| (0..game.deal_count(round)).map(move |index| Deal { round, index });
    let mut parts = Vec::new();
    for deal in (0..kept).flat_map(deals) {
        parts.push((Part::Strategy, deal));
        if file.regrets {
            parts.push((Part::Regrets, deal));
        }
        if file.values && deal.round + 1 < rounds {
            parts.push((Part::Exits, deal));
        }
    }
    if kept < rounds {
        parts.extend(deals(cut_round(spec, kept)).map(|deal| (Part::Cut, deal)));
    }
    parts
}

/// The round on whose deals the values at the cut are kept: at the roots of the first turns that are left out, which are few;
/// or before the rivers are dealt, of which there are many.
pub(super) fn cut_round(spec: &Spec, kept: usize) -> usize {
    let last = spec.spot.board().street().index() + kept - 1;
    if last == Street::Flop.index() { kept } else { kept - 1 }
}
