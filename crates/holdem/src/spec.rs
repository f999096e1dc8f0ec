//! The spec file: a spot and how to solve it, as TOML.
//!
//! Everything has a default except the ranges, the flop, the pot and the stack:
//!
//! | key | default |
//! |---|---|
//! | `[ranges]` `oop`, `ip` | — |
//! | `[cards]` `flop` | — |
//! | `turn`, `river` | `""`, not dealt |
//! | `[tree]` `starting_pot`, `effective_stack` | —; amounts up to a billion, with at most two decimals |
//! | `unit`, `big_blind` | `"chips"`; not known |
//! | `rake_rate`, `rake_cap` | 0; no cap |
//! | `add_allin_threshold`, `force_allin_threshold`, `merging_threshold` | 1.5, 0.15, 0.1 |
//! | `[[tree.add]]`, `[[tree.remove]]`: `line` | none |
//! | `[bet_sizes.flop]`, `.turn`, `.river`: `oop_bet`, `ip_bet` | `"50%"`; `""` for no bets |
//! | `oop_raise`, `ip_raise` | `"2.5x"`; `""` for no raises |
//! | `oop_donk` (for the turn and the river: on the flop there is nothing to donk after) | as `oop_bet` |
//! | `[solver]` `max_iterations`, `target_exploitability_pct` | 1000, 0.1 |
//! | `algorithm` | `"dcfr"` |
//! | `alpha`, `beta`, `gamma`, `restarts`, `warm_up` | as the algorithm has them; no restarts, 0 |
//! | `precision` | none; `"auto"` picks what fits into memory |
//! | `quantization`, `strategy_bits`, `regret_bits` | `"32bit"`, as `quantization` |
//! | `[solver.flop]`, `.turn`, `.river`: `strategy_bits`, `regret_bits` | as in `[solver]` |
//! | `[solver.warm_start]`: `enabled`, `iterations`, `weight`, `sizes` | off; on by being there, 20, `"auto"`, 1 |
//! | `enable_pruning`, `dry_run` | false |
//! | `zstd_compression_level` | 3; of saved solutions, 0 for none |
//! | `[[locks]]`: `line`, `hands`, `kind`, `by`, `strategy` or `change` | none; the whole range, of any kind; `"uniform"` |
//! | `[output]` `directory` | none; for solutions that are given no other place |
//!
//! ```
//! use noregret_holdem::Spec;
//!
//! let text = r#"
//! [ranges]
//! oop = "TT+, AQs+"
//! ip = "99+, AJs+:0.5"
//! [cards]
//! flop = "Qs Jh 2h"
//! [tree]
//! starting_pot = 180
//! effective_stack = -910
//! "#;
//! let error = text.parse::<Spec>().unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "tree.effective_stack: must be an amount above 0 and up to 1000000000, with at most two decimals, as in \
//!      `effective_stack = 5.5`"
//! );
//! assert!(error.render("spot.toml", text, false).contains("^^^^"));
//!
//! let spec: Spec = text.replace("-910", "910").parse()?;
//! assert_eq!(spec.to_string().parse(), Ok(spec));
//! # Ok::<(), noregret_holdem::SpecError>(())
//! ```

use crate::betting::chips::{Chips, Granularity};
use crate::betting::position::{OOP, Player};
use crate::betting::size::{ParseSizeError, SizeKind, SizeList};
use crate::betting::spot::{Spot, SpotError};
use crate::betting::tree::{Rake, StreetSizes, TreeField, TreeOptions};
use crate::betting::unit::UnitError;
use crate::options::SolverOptions;
use noregret_cards::{Board, Card, Street};
use noregret_store::Digest;
use std::str::FromStr;

mod error;
mod lines;
mod output;
mod print;
pub(crate) mod read;
mod solver;
#[cfg(test)]
mod tests;

pub use error::SpecError;
pub use output::OutputOptions;
use read::{Document, SpecTable, Value, check_length, text_of};
use solver::{output_options, solver_options};

/// A spot, how to solve it, and where the answer goes. Reads from and prints as TOML.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    /// What to solve.
    pub spot: Spot,
    /// How.
    pub solver: SolverOptions,
    /// What becomes of the answer.
    pub output: OutputOptions,
}

impl Spec {
    /// The longest text that is read as a spec, in bytes.
    pub const MAX_BYTES: usize = read::MAX_BYTES;

    /// A spec of a spot, with the defaults for what becomes of the answer.
    pub fn of_spot(spot: Spot, solver: SolverOptions) -> Self {
        Self { spot, solver, output: OutputOptions::default() }
    }

    /// A hash of the spec as it prints, every key with its value: equal digests mean equal specs, however they were written.
    pub fn digest(&self) -> Digest {
        Digest::of(self.to_string().as_bytes())
    }

    /// The same with what a solve of it has settled on its way, as its file has it: precisions that were to be picked, and the hands
    /// of locks by merit.
    #[must_use]
    pub fn continuing(self, begun: &Self) -> Self {
        Self {
            solver: self.solver.picked_as(&begun.solver),
            spot: self.spot.resolved_as(&begun.spot),
            ..self
        }
    }

    /// Reads a spec from the bytes of a file, which may not even be text.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SpecError> {
        text_of(bytes, "a spec")?.parse()
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::read(text).map_err(|error| error.in_text(text))
    }
}

impl Spec {
    fn read(text: &str) -> Result<Self, SpecError> {
        check_length(text.len(), "a spec")?;
        let document = Document::parse(text, read::SPEC)?;
        if document.is_empty() {
            return Err(
                SpecError::new("the spec is empty").help("it needs at least [ranges], [cards] and [tree]")
            );
        }
        let (ranges, cards, tree) =
            (document.section("ranges"), document.section("cards"), document.section("tree"));
        let oop = ranges.require("oop", "\"88+,AJs+,KQo\"")?.range()?;
        let ip = ranges.require("ip", "\"99-22,ATs+,KQo\"")?.range()?;
        let board = board(&cards)?;
        let options = tree_options(&document, &tree)?;
        let (solver, output) = (solver_options(&document)?, output_options(&document)?);
        let spot = Spot::new([oop, ip], board, options).map_err(|error| match &error {
            SpotError::EmptyRange(player)
            | SpotError::BlockedRange(player)
            | SpotError::TinyWeight(player, _) => {
                ranges.error(if *player == OOP { "oop" } else { "ip" }, &error.to_string())
            }
            SpotError::NoDeal => ranges.error("ip", &error.to_string()),
            SpotError::Options(error) => options_error(&tree, error.field, &error.message),
            SpotError::Edit(error) => lines::edit_error(&document, error),
        })?;
        let spot = lines::with_locks(&document, spot)?;
        Ok(Self { spot, solver, output })
    }
}

/// A complaint about a value of the betting, at its key.
fn options_error(tree: &SpecTable<'_>, field: TreeField, message: &str) -> SpecError {
    SpecError { field: Some(field.path().into()), ..tree.error(&field.to_string(), message) }
}

/// The flop, turn and river.
fn board(section: &SpecTable<'_>) -> Result<Board, SpecError> {
    let mut cards: Vec<Card> = Vec::new();
    let flop = section.require("flop", "\"QsJh2h\"")?;
    let streets = [
        (Some(flop), Street::Flop),
        (section.get("turn"), Street::Turn),
        (section.get("river"), Street::River),
    ];
    for (value, street) in streets {
        let Some(value) = value else { continue };
        let dealt = value.cards(value.text()?)?;
        let count = if street == Street::Flop { 3 } else { 1 };
        let optional = street != Street::Flop;
        if dealt.is_empty() && optional {
            continue;
        }
        if dealt.len() != count {
            let s = if count == 1 { "" } else { "s" };
            return Err(value.error(format!("the {street} has {count} card{s}, not {}", dealt.len())));
        }
        if street == Street::River && cards.len() < 4 {
            return Err(value
                .error("there is a river without a turn")
                .help("set `turn` too, or leave the river out"));
        }
        for (span, card) in dealt {
            if cards.contains(&card) {
                return Err(value.error_within(span, &format!("the card {card} is on the board already")));
            }
            cards.push(card);
        }
    }
    Board::new(&cards).map_err(|error| section.error("flop", &error.to_string()))
}

fn tree_options(document: &Document<'_>, tree: &SpecTable<'_>) -> Result<TreeOptions, SpecError> {
    let mut options = TreeOptions::new(
        tree.require("starting_pot", "180")?.chips()?,
        tree.require("effective_stack", "910")?.chips()?,
    );
    set_unit(&mut options, tree)?;
    let number = |key, default| tree.get(key).map_or(Ok(default), |value| value.number());
    options.rake = Rake {
        rate: number("rake_rate", 0.0)?,
        cap: tree.get("rake_cap").map(|value| value.number()).transpose()?,
    };
    options.add_allin_threshold = number("add_allin_threshold", options.add_allin_threshold)?;
    options.force_allin_threshold = number("force_allin_threshold", options.force_allin_threshold)?;
    options.merging_threshold = number("merging_threshold", options.merging_threshold)?;
    for (street, path) in Street::ALL.into_iter().zip(["bet_sizes.flop", "bet_sizes.turn", "bet_sizes.river"])
    {
        let section = document.section(path);
        for (player, [bet, raise]) in
            Player::BOTH.into_iter().zip([["oop_bet", "oop_raise"], ["ip_bet", "ip_raise"]])
        {
            let StreetSizes { bet: bets, raise: raises } = &mut options.sizes[street.index()][player.index()];
            set_sizes(bets, section.get(bet), SizeKind::Bet)?;
            set_sizes(raises, section.get(raise), SizeKind::Raise)?;
        }
        let donk = section.get("oop_donk").map(|value| sizes(&value, SizeKind::Bet)).transpose()?;
        // The flop has no street before it to donk after: files that give all streets the same keys are fine.
        options.donk[street.index()] = donk.filter(|_| street != Street::Flop);
    }
    options.edits = lines::tree_edits(document)?;
    options.validate().map_err(|error| options_error(tree, error.field, &error.message))?;
    Ok(options)
}

/// `unit` and `big_blind`.
fn set_unit(options: &mut TreeOptions, tree: &SpecTable<'_>) -> Result<(), SpecError> {
    if let Some(value) = tree.get("big_blind") {
        let blind = value.number().ok().filter(|blind| *blind > 0.0);
        let expected = "must be a number of chips above 0, as in `big_blind = 2`";
        options.big_blind = Some(blind.ok_or_else(|| value.error(expected))?);
    }
    if let Some(value) = tree.get("unit") {
        options.unit = value.text()?.parse().map_err(|error: UnitError| value.error(error.to_string()))?;
        return Ok(());
    }
    let pot_and_stack =
        [("starting_pot", options.starting_pot), ("effective_stack", options.effective_stack)];
    let has_decimals = |amount: Chips| amount.granularity() != Granularity::Whole;
    match pot_and_stack.into_iter().find(|&(_, amount)| has_decimals(amount)) {
        Some((key, amount)) if options.big_blind.is_some() => {
            let message = format!(
                "`{amount}` can be read as chips or as big blinds, since there is a `big_blind`: write `unit = \"chips\"` or \
                 `unit = \"bb\"`"
            );
            Err(tree.error(key, &message))
        }
        _ => Ok(()),
    }
}

fn set_sizes(list: &mut SizeList, value: Option<Value<'_>>, kind: SizeKind) -> Result<(), SpecError> {
    if let Some(value) = value {
        *list = sizes(&value, kind)?;
    }
    Ok(())
}

fn sizes(value: &Value<'_>, kind: SizeKind) -> Result<SizeList, SpecError> {
    let list = SizeList::parse(value.text()?, kind);
    list.map_err(|ParseSizeError { span, message }| value.error_within(span, &message))
}
