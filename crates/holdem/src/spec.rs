//! The spec file: a spot and how to solve it, as TOML.
//!
//! Everything has a default except the ranges, the flop, the pot and the stack:
//!
//! | key | default |
//! |---|---|
//! | `[ranges]` `oop`, `ip` | — |
//! | `[cards]` `flop` | — |
//! | `turn`, `river` | `""`, not dealt |
//! | `[tree]` `starting_pot`, `effective_stack` | —; whole chips from 1 to a billion |
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
//! | `[[locks]]`: `line`, `hands`, `strategy` | none; the whole range |
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
//! effective_stack = 910.5
//! "#;
//! let error = text.parse::<Spec>().unwrap_err();
//! assert_eq!(error.to_string(), "tree.effective_stack: must be a whole number of chips from 1 to 1000000000");
//! assert!(error.render("spot.toml", text, false).contains("^^^^^"));
//!
//! let spec: Spec = text.replace("910.5", "910").parse()?;
//! assert_eq!(spec.to_string().parse(), Ok(spec));
//! # Ok::<(), noregret_holdem::SpecError>(())
//! ```

use crate::size::{ParseSizeError, SizeKind, SizeList};
use crate::{OOP, Player, Rake, Spot, SpotError, StreetSizes, TreeField, TreeOptions};
use noregret_cards::{Board, Card, ParseRangeError, Range, Street};
use std::str::FromStr;

mod error;
mod lines;
mod options;
mod print;
pub(crate) mod read;
#[cfg(test)]
mod tests;
mod warm_start;

pub use error::SpecError;
pub use options::{
    Algorithm, ChoiceError, Exponents, OutputOptions, SolverOptions, precision_of_bits,
    precision_of_quantization, precisions_by_street,
};
use read::{Document, Section, Value};
pub use warm_start::WarmStart;

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
    pub const MAX_BYTES: usize = 4 << 20;

    /// Reads a spec from the bytes of a file, which may not even be text.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SpecError> {
        check_length(bytes.len())?;
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let line = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
            SpecError::new(format!("this is not a text file: line {line} is not UTF-8"))
        })?;
        text.parse()
    }
}

pub(crate) fn check_length(bytes: usize) -> Result<(), SpecError> {
    if bytes > Spec::MAX_BYTES {
        let message = format!("this is not a spec: it is longer than {} bytes", Spec::MAX_BYTES);
        return Err(SpecError::new(message));
    }
    Ok(())
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        check_length(text.len())?;
        let document = Document::parse(text, read::SPEC)?;
        if document.is_empty() {
            return Err(
                SpecError::new("the spec is empty").help("it needs at least [ranges], [cards] and [tree]")
            );
        }
        let (ranges, cards, tree) =
            (document.section("ranges"), document.section("cards"), document.section("tree"));
        let oop = range(&ranges.require("oop", "\"88+,AJs+,KQo\"")?)?;
        let ip = range(&ranges.require("ip", "\"99-22,ATs+,KQo\"")?)?;
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
fn options_error(tree: &Section<'_>, field: TreeField, message: &str) -> SpecError {
    tree.error(&field.to_string(), message)
}

pub(crate) fn range(value: &Value<'_>) -> Result<Range, SpecError> {
    let text = value.text()?;
    text.parse().map_err(|ParseRangeError { span, message }| value.error_within(span, &message))
}

/// The flop, turn and river.
fn board(section: &Section<'_>) -> Result<Board, SpecError> {
    let mut cards: Vec<Card> = Vec::new();
    let flop = section.require("flop", "\"QsJh2h\"")?;
    let streets = [
        (Some(flop), Street::Flop),
        (section.get("turn"), Street::Turn),
        (section.get("river"), Street::River),
    ];
    for (value, street) in streets {
        let Some(value) = value else { continue };
        let dealt = cards_of(&value, value.text()?)?;
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

/// The cards of a text, the beginning of a value, with their places; blanks between them are fine.
pub(crate) fn cards_of(
    value: &Value<'_>,
    text: &str,
) -> Result<Vec<(std::ops::Range<usize>, Card)>, SpecError> {
    let letters: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| !c.is_whitespace()).collect();
    let card = |pair: &[(usize, char)]| {
        let name: String = pair.iter().map(|(_, c)| c).collect();
        let end = pair.last().map_or(0, |(at, c)| at + c.len_utf8());
        let span = pair.first().map_or(0, |(at, _)| *at)..end;
        let card = name.parse().map_err(|error: noregret_cards::ParseCardError| {
            value.error_within(span.clone(), &error.to_string())
        });
        Ok((span, card?))
    };
    letters.chunks(2).map(card).collect()
}

fn tree_options(document: &Document<'_>, tree: &Section<'_>) -> Result<TreeOptions, SpecError> {
    let mut options = TreeOptions::new(
        tree.require("starting_pot", "180")?.chips()?,
        tree.require("effective_stack", "910")?.chips()?,
    );
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

fn solver_options(document: &Document<'_>) -> Result<SolverOptions, SpecError> {
    let section = document.section("solver");
    let mut options = SolverOptions::default();
    if let Some(value) = section.get("max_iterations") {
        options.max_iterations = value.whole("", 1..=u64::from(SolverOptions::MAX_ITERATIONS))? as u32;
    }
    if let Some(value) = section.get("target_exploitability_pct") {
        options.target_exploitability_pct = value.number()?;
    }
    if let Some(value) = section.get("algorithm") {
        options.algorithm = chosen(&value, value.text()?.parse())?;
    }
    let exponents = &mut options.exponents;
    let slots =
        [("alpha", &mut exponents.alpha), ("beta", &mut exponents.beta), ("gamma", &mut exponents.gamma)];
    for (key, slot) in slots {
        let Some(value) = section.get(key) else { continue };
        let exponent = if key == "beta" { value.signed_number()? } else { value.number()? };
        if exponent.abs() > 100.0 {
            return Err(value.error("must be at most 100"));
        }
        check_has(options.algorithm, key, &value)?;
        *slot = Some(exponent);
    }
    if let Some(value) = section.get("restarts") {
        options.restarts = value.boolean()?;
        check_has(options.algorithm, "restarts", &value)?;
    }
    if let Some(value) = section.get("warm_up") {
        options.warm_up = value.whole(" of iterations", 0..=u64::from(SolverOptions::MAX_ITERATIONS))? as u32;
    }
    options.warm_start = WarmStart::read(&document.section("solver.warm_start"))?;
    if let Some(value) = section.get("precision") {
        if value.text()? != "auto" {
            let message = "accepted `auto`; `quantization`, `strategy_bits` and `regret_bits` set precisions";
            return Err(value.error(message));
        }
        refuse_precisions(document)?;
        options.precision_is_auto = true;
    }
    if let Some(value) = section.get("quantization") {
        let both = chosen(&value, precision_of_quantization(value.text()?))?;
        (options.strategy_precision, options.regret_precision) = ([both; 3], [both; 3]);
    }
    for (key, precisions) in
        [("strategy_bits", &mut options.strategy_precision), ("regret_bits", &mut options.regret_precision)]
    {
        if let Some(value) = section.get(key) {
            *precisions = [chosen(&value, precision_of_bits(value.whole("", 1..=255)?))?; 3];
        }
        for (street, section) in STREET_SOLVERS.iter().enumerate() {
            if let Some(value) = document.section(section).get(key) {
                precisions[street] = chosen(&value, precision_of_bits(value.whole("", 1..=255)?))?;
            }
        }
    }
    if let Some(value) = section.get("enable_pruning") {
        options.prunes = value.boolean()?;
        chosen(&value, options.check_pruning())?;
    }
    if let Some(value) = section.get("dry_run") {
        options.dry_run = value.boolean()?;
    }
    Ok(options)
}

/// The tables with what `[solver]` says otherwise for one street.
const STREET_SOLVERS: [&str; 3] = ["solver.flop", "solver.turn", "solver.river"];

/// Refuses precisions that are set where they are to be picked.
fn refuse_precisions(document: &Document<'_>) -> Result<(), SpecError> {
    for section in ["solver"].iter().chain(&STREET_SOLVERS) {
        for key in ["quantization", "strategy_bits", "regret_bits"] {
            if let Some(value) = document.section(section).get(key) {
                let message = "`precision = \"auto\"` picks this: leave one of the two out";
                return Err(value.error(message));
            }
        }
    }
    Ok(())
}

/// What a value names, or a complaint about it.
fn chosen<T>(value: &Value<'_>, choice: Result<T, ChoiceError>) -> Result<T, SpecError> {
    choice.map_err(|error| value.error(error.to_string()))
}

/// Refuses a key that an algorithm has no use for.
fn check_has(algorithm: Algorithm, key: &str, value: &Value<'_>) -> Result<(), SpecError> {
    if algorithm.has(key) {
        Ok(())
    } else {
        Err(value.error(format!("the algorithm `{algorithm}` has no {key}")))
    }
}

fn output_options(document: &Document<'_>) -> Result<OutputOptions, SpecError> {
    let mut options = OutputOptions::default();
    if let Some(value) = document.section("solver").get("zstd_compression_level") {
        options.zstd_compression_level =
            value.whole("", 0..=u64::from(OutputOptions::MAX_COMPRESSION))? as u8;
    }
    if let Some(value) = document.section("output").get("directory") {
        let directory = value.text()?;
        if directory.is_empty() || directory.contains('\0') {
            return Err(value.error("must be the name of a directory"));
        }
        options.directory = Some(directory.to_owned());
    }
    Ok(options)
}
