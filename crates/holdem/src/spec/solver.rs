//! `[solver]` and `[output]`: how to solve, and where the answer goes.

use super::error::SpecError;
use super::output::OutputOptions;
use super::read::{Document, SpecTable, Value};
use crate::options::{
    Algorithm, ChoiceError, PrecisionChoice, SolverOptions, WarmStart, precision_of_bits,
    precision_of_quantization,
};

/// `[solver]`.
pub(super) fn solver_options(document: &Document<'_>) -> Result<SolverOptions, SpecError> {
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
    options.warm_start = warm_start(&document.section("solver.warm_start"))?;
    if let Some(value) = section.get("precision") {
        let setting = chosen(&value, value.text()?.parse())?;
        refuse_precisions(document, value.text()?)?;
        options = options.with_precision(setting);
    }
    if precisions_set(document).next().is_some() {
        options.precision_choice = PrecisionChoice::Given;
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
pub(super) const STREET_SOLVERS: [&str; 3] = ["solver.flop", "solver.turn", "solver.river"];

/// The values that set precisions one by one.
fn precisions_set<'d>(document: &'d Document<'_>) -> impl Iterator<Item = Value<'d>> {
    let sections = ["solver"].into_iter().chain(STREET_SOLVERS);
    let keys = ["quantization", "strategy_bits", "regret_bits"];
    sections
        .flat_map(move |section| keys.into_iter().filter_map(move |key| document.section(section).get(key)))
}

/// Refuses precisions that are set beside `precision`.
fn refuse_precisions(document: &Document<'_>, precision: &str) -> Result<(), SpecError> {
    match precisions_set(document).next() {
        None => Ok(()),
        Some(value) => {
            let message = format!("`precision = \"{precision}\"` sets this: leave one of the two out");
            Err(value.error(message))
        }
    }
}

/// What a value names, or a complaint about it.
fn chosen<T>(value: &Value<'_>, choice: Result<T, ChoiceError>) -> Result<T, SpecError> {
    choice.map_err(|error| value.error(error.to_string()))
}

/// Refuses a key that an algorithm has no use for, with an algorithm that has: the default has all.
fn check_has(algorithm: Algorithm, key: &str, value: &Value<'_>) -> Result<(), SpecError> {
    let example = Algorithm::default();
    algorithm.check_has(key).map_err(|error| {
        value.error(format!("{error}; leave it out, or write `algorithm = \"{example}\"` with it"))
    })
}

/// `[output]`, and the level of compression.
pub(super) fn output_options(document: &Document<'_>) -> Result<OutputOptions, SpecError> {
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

/// Reads the table, which turns it on by being there.
fn warm_start(section: &SpecTable<'_>) -> Result<WarmStart, SpecError> {
    let mut options = WarmStart { enabled: section.exists(), ..WarmStart::default() };
    if let Some(value) = section.get("enabled") {
        options.enabled = value.boolean()?;
    }
    if let Some(value) = section.get("iterations") {
        options.iterations = value.whole("", 1..=u64::from(WarmStart::MAX_ITERATIONS))? as u32;
    }
    if let Some(value) = section.get("weight") {
        options.weight = match value.text() {
            Ok("auto") => None,
            Ok(_) => return Err(value.error("must be a number of iterations or `auto`")),
            Err(_) => {
                Some(value.whole(" of iterations or \"auto\",", 1..=u64::from(WarmStart::MAX_ITERATIONS))?
                    as u32)
            }
        };
    }
    if let Some(value) = section.get("sizes") {
        options.sizes = value.whole("", 1..=u64::from(WarmStart::MAX_SIZES))? as u32;
    }
    Ok(options)
}
