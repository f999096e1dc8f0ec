//! `[solver]` and `[output]`: how to solve, and where the answer goes.

use super::error::SpecError;
use super::output::OutputOptions;
use super::read::{Document, SpecTable, Value};
use crate::options::{
    Algorithm, ChoiceError, PrecisionChoice, SolverOptions, WarmStart, precision_of_bits,
    precision_of_quantization,
};
use noregret_cfr::Precision;

/// A value of each key of `[solver]` and its tables, as complaints about others show it.
pub(super) const EXAMPLES: [(&str, &str); 19] = [
    ("max_iterations", "1000"),
    ("target_exploitability_pct", "0.1"),
    ("algorithm", "\"dcfr\""),
    ("alpha", "1.5"),
    ("beta", "0.5"),
    ("gamma", "3"),
    ("restarts", "true"),
    ("warm_up", "30"),
    ("precision", "\"16:16:8\""),
    ("quantization", "\"16bit\""),
    ("strategy_bits", "16"),
    ("regret_bits", "16"),
    ("enable_pruning", "true"),
    ("zstd_compression_level", "3"),
    ("dry_run", "true"),
    ("enabled", "true"),
    ("iterations", "20"),
    ("weight", "10"),
    ("sizes", "1"),
];

/// The value of a key of `[solver]` or of one of its tables.
fn get<'d>(section: &SpecTable<'d>, key: &str) -> Option<Value<'d>> {
    let value = section.get(key)?;
    Some(match EXAMPLES.iter().find(|(known, _)| *known == key) {
        Some((_, example)) => value.with_example(example),
        None => value,
    })
}

/// `[solver]`.
pub(super) fn solver_options(document: &Document<'_>) -> Result<SolverOptions, SpecError> {
    let section = document.section("solver");
    let mut options = SolverOptions::default();
    if let Some(value) = get(&section, "max_iterations") {
        options.max_iterations = value.whole("", 1..=u64::from(SolverOptions::MAX_ITERATIONS))? as u32;
    }
    if let Some(value) = get(&section, "target_exploitability_pct") {
        options.target_exploitability_pct = value.number()?;
    }
    if let Some(value) = get(&section, "algorithm") {
        options.algorithm = chosen(&value, value.text()?.parse())?;
    }
    let exponents = &mut options.exponents;
    let slots =
        [("alpha", &mut exponents.alpha), ("beta", &mut exponents.beta), ("gamma", &mut exponents.gamma)];
    for (key, slot) in slots {
        let Some(value) = get(&section, key) else { continue };
        let exponent = if key == "beta" { value.signed_number()? } else { value.number()? };
        if exponent.abs() > 100.0 {
            let accepted = if key == "beta" { "must be from -100 to 100" } else { "must be at most 100" };
            return Err(value.not_accepted(accepted));
        }
        check_has(options.algorithm, key, &value)?;
        *slot = Some(exponent);
    }
    if let Some(value) = get(&section, "restarts") {
        options.restarts = value.boolean()?;
        check_has(options.algorithm, "restarts", &value)?;
    }
    if let Some(value) = get(&section, "warm_up") {
        options.warm_up = value.whole(" of iterations", 0..=u64::from(SolverOptions::MAX_ITERATIONS))? as u32;
    }
    options.warm_start = warm_start(&document.section("solver.warm_start"))?;
    if let Some(value) = get(&section, "precision") {
        let setting = chosen(&value, value.text()?.parse())?;
        refuse_precisions(document, value.text()?)?;
        options = options.with_precision(setting);
    }
    if precisions_set(document).next().is_some() {
        options.precision_choice = PrecisionChoice::Given;
    }
    if let Some(value) = get(&section, "quantization") {
        let both = chosen(&value, precision_of_quantization(value.text()?))?;
        (options.strategy_precision, options.regret_precision) = ([both; 3], [both; 3]);
    }
    for (key, precisions) in
        [("strategy_bits", &mut options.strategy_precision), ("regret_bits", &mut options.regret_precision)]
    {
        if let Some(value) = get(&section, key) {
            *precisions = [bits(&value)?; 3];
        }
        for (street, section) in STREET_SOLVERS.iter().enumerate() {
            if let Some(value) = get(&document.section(section), key) {
                precisions[street] = bits(&value)?;
            }
        }
    }
    if let Some(value) = get(&section, "enable_pruning") {
        options.prunes = value.boolean()?;
        options.check_pruning().map_err(|error| value.error(with_algorithm(&error)))?;
    }
    if let Some(value) = get(&section, "dry_run") {
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
        .flat_map(move |section| keys.into_iter().filter_map(move |key| get(&document.section(section), key)))
}

/// Refuses precisions that are set beside `precision`.
fn refuse_precisions(document: &Document<'_>, precision: &str) -> Result<(), SpecError> {
    match precisions_set(document).next() {
        None => Ok(()),
        Some(value) => {
            let both = format!("`precision = \"{precision}\"` sets this: leave one of the two out");
            Err(value.error(format!("{both}, as in `precision = \"16:16:8\"` alone")))
        }
    }
}

/// What a value names, or a complaint about it.
fn chosen<T>(value: &Value<'_>, choice: Result<T, ChoiceError>) -> Result<T, SpecError> {
    choice.map_err(|error| value.not_accepted(error))
}

/// The precision of a number of bits.
fn bits(value: &Value<'_>) -> Result<Precision, SpecError> {
    let whole = value.whole("", 0..=u64::MAX).map_err(|_| value.wrong_type("32, 16, 8 or 4"))?;
    chosen(value, precision_of_bits(whole))
}

/// Refuses a key that an algorithm has no use for.
fn check_has(algorithm: Algorithm, key: &str, value: &Value<'_>) -> Result<(), SpecError> {
    algorithm.check_has(key).map_err(|error| value.error(with_algorithm(&error)))
}

/// A complaint about an algorithm that a key is not for, with one that it is for: the default has all.
fn with_algorithm(error: &ChoiceError) -> String {
    format!("{error}; leave it out, or write `algorithm = \"{}\"` with it", Algorithm::default())
}

/// `[output]`, and the level of compression.
pub(super) fn output_options(document: &Document<'_>) -> Result<OutputOptions, SpecError> {
    let mut options = OutputOptions::default();
    if let Some(value) = get(&document.section("solver"), "zstd_compression_level") {
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
    if let Some(value) = get(section, "enabled") {
        options.enabled = value.boolean()?;
    }
    if let Some(value) = get(section, "iterations") {
        options.iterations = value.whole("", 1..=u64::from(WarmStart::MAX_ITERATIONS))? as u32;
    }
    if let Some(value) = get(section, "weight") {
        options.weight = match value.text() {
            Ok("auto") => None,
            Ok(_) => return Err(value.not_accepted("must be a number of iterations or \"auto\"")),
            Err(_) => {
                Some(value.whole(" of iterations or \"auto\",", 1..=u64::from(WarmStart::MAX_ITERATIONS))?
                    as u32)
            }
        };
    }
    if let Some(value) = get(section, "sizes") {
        options.sizes = value.whole("", 1..=u64::from(WarmStart::MAX_SIZES))? as u32;
    }
    Ok(options)
}
