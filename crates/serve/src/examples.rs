//! Solutions and a report that the program carries, so that there is something to see before anything was solved.
//!
//! The files are `solved/*` of this crate, made anew by `scripts/solve-examples`.

use crate::api::examples::{Example, ExampleReport, Examples};
use crate::failure::ApiFailure;
use serde_json::Value;
use std::sync::LazyLock;

/// Ids of examples begin like this; those of the library have no colon.
const PREFIX: &str = "example:";

/// A solution that is carried.
struct Carried {
    name: &'static str,
    board: &'static str,
    description: &'static str,
    bytes: &'static [u8],
}

macro_rules! carried {
    ($file:literal, $name:literal, $board:literal, $description:literal) => {
        Carried {
            name: $name,
            board: $board,
            description: $description,
            bytes: include_bytes!(concat!("../solved/", $file, ".nrs")),
        }
    };
}

const SOLUTIONS: [Carried; 5] = [
    carried!(
        "three-bet",
        "BTN vs BB, 3-bet, 100 bb",
        "QsJh2h",
        "A wet board, the 3-bettor out of position: who bets, and how often?"
    ),
    carried!(
        "single-raised",
        "UTG vs BB, single-raised, 100 bb",
        "Ks7d2c",
        "A dry king: the raiser bets small with almost everything."
    ),
    carried!(
        "four-bet",
        "CO vs BTN, 4-bet, 100 bb",
        "As9d5c",
        "Little behind and narrow ranges. The turns are in the file too."
    ),
    carried!(
        "short",
        "BTN vs BB, single-raised, 20 bb",
        "Th8h4c",
        "Twenty big blinds deep, on a board that everybody has a piece of."
    ),
    carried!(
        "river",
        "SB vs BB, single-raised, 100 bb",
        "KsTd6c4h2s",
        "A river after checks: all of it is in the file, so Exploit shows the best responses."
    ),
];

/// A report that is carried: the lines with their rows, as the API tells them.
const REPORT: &str = include_str!("../solved/flops.json");
const REPORT_NAME: &str = "CO vs BTN, 4-bet, 100 bb, 25 flops";

static LINES: LazyLock<serde_json::Map<String, Value>> =
    LazyLock::new(|| serde_json::from_str(REPORT).unwrap_or_default());

/// What is carried.
pub fn list() -> Examples {
    Examples {
        solutions: SOLUTIONS
            .iter()
            .map(|carried| Example {
                id: format!("{PREFIX}{}", carried.name),
                name: carried.name.to_owned(),
                board: carried.board.to_owned(),
                description: carried.description.to_owned(),
            })
            .collect(),
        reports: vec![ExampleReport {
            id: format!("{PREFIX}{REPORT_NAME}"),
            name: REPORT_NAME.to_owned(),
            description: "What both do on flops that stand for all 22,100.".to_owned(),
            lines: LINES.keys().cloned().collect(),
        }],
    }
}

/// Whether an id is one of an example, whether it is there or not.
pub fn is_example(id: &str) -> bool {
    id.starts_with(PREFIX)
}

/// The name and the file of an example.
pub fn solution(id: &str) -> Option<(&'static str, &'static [u8])> {
    let name = id.strip_prefix(PREFIX)?;
    SOLUTIONS.iter().find(|carried| carried.name == name).map(|carried| (carried.name, carried.bytes))
}

/// A line of a report that is carried.
pub fn report(id: &str, line: &str) -> Result<&'static Value, ApiFailure> {
    if id.strip_prefix(PREFIX) != Some(REPORT_NAME) {
        return Err(ApiFailure::missing("there is no such example"));
    }
    let steps: Vec<&str> = line.split(',').map(str::trim).filter(|step| !step.is_empty()).collect();
    LINES.get(&steps.join(", ")).ok_or_else(|| {
        let message =
            "the example has the rows of its first decisions only: solve the spot on 25 flops for the others";
        ApiFailure::field("line", message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use noregret_holdem::preflop::NamedSpot;

    #[test]
    fn what_is_carried_is_small_and_of_spots_that_have_a_name() {
        let sizes: Vec<usize> = SOLUTIONS.iter().map(|carried| carried.bytes.len()).collect();
        assert!(sizes.iter().all(|size| *size < 700_000), "{sizes:?}");
        assert!(sizes.iter().sum::<usize>() + REPORT.len() < 3_000_000, "{sizes:?}, {}", REPORT.len());
        for carried in SOLUTIONS {
            carried.name.parse::<NamedSpot>().unwrap();
        }
        assert!(REPORT_NAME.strip_suffix(", 25 flops").unwrap().parse::<NamedSpot>().is_ok());
    }

    #[test]
    fn the_report_has_25_flops_on_each_of_its_lines() {
        let lines = &list().reports[0].lines;
        assert!(lines.contains(&String::new()) && lines.len() > 3, "{lines:?}");
        let id = &list().reports[0].id;
        for line in lines {
            let report = report(id, line).unwrap();
            let rows = report["variants"][0]["rows"].as_array().unwrap();
            assert_eq!(rows.len(), 25, "{line}");
            assert!(rows.iter().all(|row| row["solution"] == ""), "the solutions are not carried");
        }
        let refused = format!("{:?}", report(id, "check, check").unwrap_err());
        assert!(refused.contains("solve the spot on 25 flops"), "{refused}");
        assert!(report("example:nothing", "").is_err());
    }
}
