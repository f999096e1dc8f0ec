//! Writing solutions.

use super::pages::{arrays_of, write_arrays, write_values};
use super::{
    CHECKPOINT, FileProgress, ORBITS, PROGRESS, Part, SOLUTION, SPEC, SUMMARY, SavedStreets, Summary, TREE,
    kept_rounds, orbit_bytes, tag, tree_bytes,
};
use crate::{IP, Measurement, OOP, Solver, Spec};
use noregret_cards::Street;
use noregret_cfr::{Deal, Game, Player, ReachedDeal, Response, TrainerProgress};
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
    let summary = Summary {
        keep,
        has_regrets: options.regrets,
        ev: [OOP, IP].map(|player| solver.ev(player)),
        equity: [OOP, IP].map(|player| solver.equity(player)),
        digest: solver.digest(),
    };
    let elapsed = history.last().map_or(Duration::ZERO, |last| last.elapsed);
    let content = Content { spec, solver, keep, regrets: options.regrets, values: true };
    let progress = progress(solver, history, elapsed);
    content.write(path, SOLUTION, &progress, Some(&summary), spec.output.zstd_compression_level)
}

/// Checkpoints are written often: quickly, rather than small.
const CHECKPOINT_LEVEL: u8 = 1;

/// Writes all that a solve needs to continue to `path`: whole or not at all. `elapsed` is how long it took so far.
pub fn save_checkpoint(
    path: &Path,
    spec: &Spec,
    solver: &Solver,
    history: &[Measurement],
    elapsed: Duration,
) -> io::Result<()> {
    let content = Content { spec, solver, keep: SavedStreets::Full, regrets: true, values: false };
    content.write(path, CHECKPOINT, &progress(solver, history, elapsed), None, CHECKPOINT_LEVEL)
}

fn progress(solver: &Solver, history: &[Measurement], elapsed: Duration) -> FileProgress {
    let TrainerProgress { iteration, average_weight } = solver.trainer.progress();
    FileProgress { iterations: iteration, average_weight, elapsed, history: history.to_vec() }
}

/// What goes into a file.
struct Content<'a> {
    spec: &'a Spec,
    solver: &'a Solver,
    keep: SavedStreets,
    regrets: bool,
    /// Whether to add the values that reading needs.
    values: bool,
}

impl Content<'_> {
    fn write(
        &self,
        path: &Path,
        kind: Kind,
        progress: &FileProgress,
        summary: Option<&Summary>,
        level: u8,
    ) -> io::Result<()> {
        let parts = self.parts();
        let tree = tree_bytes(self.solver.game().betting());
        let mut head =
            vec![(SPEC, self.spec.to_string().into_bytes()), (TREE, tree), (PROGRESS, progress.to_bytes())];
        head.extend(self.solver.game().root_orbits().map(|counts| (ORBITS, orbit_bytes(counts))));
        head.extend(summary.map(|summary| (SUMMARY, summary.to_bytes())));
        let mut writer = ArchiveWriter::create(path, kind, (head.len() + parts.len()) as u32)?;
        for (tag, bytes) in head {
            writer.section(tag, &pack(&bytes, level)?)?;
        }
        let first = self.solver.game().spot().board().street();
        let start = self.solver.average().start();
        for batch in parts.chunks(2 * rayon::current_num_threads()) {
            let sections: Vec<io::Result<Vec<u8>>> = batch
                .par_iter()
                .map(|&(part, deal)| pack(&self.section(part, deal, &start), level))
                .collect();
            for (&(part, deal), bytes) in batch.iter().zip(sections) {
                writer.section(tag(part, first, deal), &bytes?)?;
            }
        }
        writer.finish()
    }

    /// The sections of deals, in the order of the file.
    fn parts(&self) -> Vec<(Part, Deal)> {
        let game = self.solver.game();
        let rounds = game.tree().round_count();
        let kept = kept_rounds(self.spec, self.keep).unwrap_or(rounds).min(rounds);
        let deals = |round: usize| (0..game.deal_count(round)).map(move |index| Deal { round, index });
        let mut parts = Vec::new();
        for deal in (0..kept).flat_map(deals) {
            parts.push((Part::Strategy, deal));
            if self.regrets {
                parts.push((Part::Regrets, deal));
            }
            if self.values && deal.round + 1 < rounds {
                parts.push((Part::Exits, deal));
            }
        }
        if kept < rounds {
            parts.extend(deals(cut_round(self.spec, kept)).map(|deal| (Part::Cut, deal)));
        }
        parts
    }

    fn section(&self, part: Part, deal: Deal, start: &ReachedDeal) -> Vec<u8> {
        let profile = self.solver.average();
        match part {
            Part::Strategy | Part::Regrets => {
                write_arrays(&self.solver.trainer, deal, arrays_of(self.spec, part))
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

/// The round on whose deals the values at the cut are kept: at the roots of the first turns that are left out, which are few;
/// or before the rivers are dealt, of which there are many.
pub(super) fn cut_round(spec: &Spec, kept: usize) -> usize {
    let last = spec.spot.board().street().index() + kept - 1;
    if last == Street::Flop.index() { kept } else { kept - 1 }
}
