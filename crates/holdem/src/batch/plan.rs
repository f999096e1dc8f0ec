//! The plan of a batch: one spec, many flops, perhaps several ranges and stacks, as TOML.
//!
//! ```toml
//! [batch]
//! spec = "three-bet-pot.toml"    # everything but the flop; beside the plan
//! out = "solved"                 # the directory for the solutions; beside the plan
//! subset = 25                    # or: flops = "all", or: flops = ["QsJh2h", "AsKd2c:24"]
//! stacks = [500, 910]            # in place of the spec's
//! save = "turn"                  # full, turn or flop; full if absent
//! checkpoint_every = 300         # seconds, or "never"
//!
//! [ranges.wide]                  # in place of the spec's; more than one if there are more such tables
//! oop = "22+,A2s+,KTs+"
//! ip = "22-JJ,A2s-AQs"
//! ```

mod jobs;

use crate::Chips;
use crate::saved::SavedStreets;
use crate::spec::SpecError;
use crate::spec::read::{Document, DocumentLayout, SpecTable, Value, check_length};
use noregret_cards::{Board, Card, Range, canonical_board};
use std::str::FromStr;
use std::time::Duration;

pub use jobs::{BatchJob, PlanError};

/// Which flops to solve.
#[derive(Clone, PartialEq, Debug)]
pub enum Flops {
    /// These, each with the number of flops that it stands for if that was given.
    List(Vec<(Board, Option<u32>)>),
    /// All 1,755 distinct ones.
    All,
    /// So many that stand for all of them.
    Subset(usize),
}

/// Ranges with a name.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedRanges {
    /// The name, which becomes part of file names.
    pub name: String,
    /// What both players may hold.
    pub ranges: [Range; 2],
}

/// What a batch is to solve, but for the spec that it starts from.
#[derive(Clone, PartialEq, Debug)]
pub struct BatchPlan {
    /// The file of the spec.
    pub spec: String,
    /// The directory for the solutions.
    pub directory: String,
    /// Which flops.
    pub flops: Flops,
    /// Stacks in place of the spec's; none for that.
    pub stacks: Vec<Chips>,
    /// Ranges in place of the spec's; none for those.
    pub ranges: Vec<NamedRanges>,
    /// Which streets to keep.
    pub keep: SavedStreets,
    /// Seconds between two checkpoints of a running job; 0 for none.
    pub checkpoint_every: Option<Duration>,
}

const LAYOUT: &DocumentLayout = &DocumentLayout {
    tables: &[
        ("batch", &["spec", "out", "flops", "subset", "stacks", "save", "checkpoint_every"]),
        ("ranges.*", &["oop", "ip"]),
    ],
    lists: &[],
};

/// Seconds between two checkpoints if the plan does not say.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(300);

impl BatchPlan {
    /// Reads a plan from the bytes of a file, which may not even be text.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SpecError> {
        check_length(bytes.len(), "a plan")?;
        let text = std::str::from_utf8(bytes);
        text.map_err(|_| SpecError::new("this is not a text file: it is not UTF-8"))?.parse()
    }
}

impl FromStr for BatchPlan {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::read(text).map_err(|error| error.in_text(text))
    }
}

impl BatchPlan {
    fn read(text: &str) -> Result<Self, SpecError> {
        check_length(text.len(), "a plan")?;
        let document = Document::parse(text, LAYOUT)?;
        let batch = document.section("batch");
        let path = |key: &'static str, example: &str| -> Result<String, SpecError> {
            let value = batch.require(key, example)?;
            match value.text()? {
                "" => Err(value.error("must be a path")),
                path if path.contains('\0') => Err(value.error("must be a path")),
                path => Ok(path.to_owned()),
            }
        };
        let keep = match batch.get("save") {
            Some(value) => value.text()?.parse().map_err(|error: String| value.error(error))?,
            None => SavedStreets::default(),
        };
        let checkpoint_every = match batch.get("checkpoint_every") {
            Some(value) if value.text().is_ok_and(|text| text == "never") => None,
            Some(value) => {
                let expected = "must be a number of seconds above 0, or \"never\"";
                let seconds = value.number().ok().filter(|seconds| *seconds > 0.0);
                let every = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                Some(every.ok_or_else(|| value.error(expected))?)
            }
            None => Some(CHECKPOINT_EVERY),
        };
        let plan = Self {
            spec: path("spec", "\"spot.toml\"")?,
            directory: path("out", "\"solved\"")?,
            flops: flops(&batch)?,
            stacks: stacks(&batch)?,
            ranges: named_ranges(&document)?,
            keep,
            checkpoint_every,
        };
        Ok(plan)
    }
}

fn flops(batch: &SpecTable<'_>) -> Result<Flops, SpecError> {
    match (batch.get("flops"), batch.get("subset")) {
        (Some(_), Some(subset)) => {
            Err(subset.error("is one way to choose flops and `flops` another: leave one out"))
        }
        (None, Some(subset)) => Ok(Flops::Subset(subset.whole(" of flops", 1..=1755)? as usize)),
        (None, None) => Err(batch
            .require("flops", "\"all\"")
            .err()
            .unwrap_or_else(|| SpecError::of_field("batch.flops", "is missing"))
            .help("write `flops = \"all\"`, `flops = [\"QsJh2h\", \"AsKd2c\"]` or `subset = 25` in [batch]")),
        (Some(flops), None) => match flops.text() {
            Ok("all") => Ok(Flops::All),
            Ok(_) => Err(flops.error("accepted `\"all\"`, or a list like `[\"QsJh2h\", \"AsKd2c\"]`")),
            Err(_) => list(&flops).map(Flops::List),
        },
    }
}

fn list(value: &Value<'_>) -> Result<Vec<(Board, Option<u32>)>, SpecError> {
    let mut flops: Vec<(Board, Option<u32>)> = Vec::new();
    for item in value.list()? {
        let (flop, weight) = flop(&item)?;
        let form = |board: &Board| canonical_board(board).0;
        if let Some((same, _)) = flops.iter().find(|(other, _)| form(other) == form(&flop)) {
            return Err(item.error(format!("{flop} is {same} with other suits, which is there already")));
        }
        flops.push((flop, weight));
    }
    if flops.is_empty() { Err(value.error("has no flops")) } else { Ok(flops) }
}

/// A flop, perhaps with a weight: `QsJh2h:24`.
fn flop(value: &Value<'_>) -> Result<(Board, Option<u32>), SpecError> {
    let text = value.text()?;
    let (cards, weight) = match text.split_once(':') {
        Some((cards, weight)) => {
            let weight = weight.trim().parse::<u32>().ok().filter(|weight| *weight > 0);
            let wrong = || value.error("the weight must be a whole number of at least 1, as in `QsJh2h:24`");
            (cards, Some(weight.ok_or_else(wrong)?))
        }
        None => (text, None),
    };
    let cards: Vec<Card> = value.cards(cards)?.into_iter().map(|(_, card)| card).collect();
    if cards.len() != 3 {
        return Err(value.error(format!("a flop has 3 cards, not {}", cards.len())));
    }
    Ok((Board::new(&cards).map_err(|error| value.error(error.to_string()))?, weight))
}

fn stacks(batch: &SpecTable<'_>) -> Result<Vec<Chips>, SpecError> {
    let Some(value) = batch.get("stacks") else { return Ok(Vec::new()) };
    let mut stacks: Vec<Chips> = Vec::new();
    for item in value.list()? {
        let stack = item.chips()?;
        if stacks.contains(&stack) {
            return Err(item.error("is there already"));
        }
        stacks.push(stack);
    }
    if stacks.is_empty() { Err(value.error("has no stacks")) } else { Ok(stacks) }
}

fn named_ranges(document: &Document<'_>) -> Result<Vec<NamedRanges>, SpecError> {
    let mut named = Vec::new();
    for name in document.names_in("ranges") {
        let section = document.section(&format!("ranges.{name}"));
        let oop = section.require("oop", "\"88+,AJs+,KQo\"")?.range()?;
        let ip = section.require("ip", "\"99-22,ATs+,KQo\"")?.range()?;
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') || name.len() > 60 {
            return Err(section.error(
                "oop",
                "the name of the table becomes part of file names: accepted letters, digits, `-`, `_`",
            ));
        }
        named.push(NamedRanges { name: name.to_owned(), ranges: [oop, ip] });
    }
    Ok(named)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PLAN: &str = "[batch]\nspec = 'spot.toml'\nout = 'solved'\nflops = ['QsJh2h', 'As Kd 2c:24']\n";

    fn error(text: &str) -> String {
        text.parse::<BatchPlan>().unwrap_err().to_string()
    }

    fn with(old: &str, new: &str) -> String {
        assert!(PLAN.contains(old));
        PLAN.replace(old, new)
    }

    #[test]
    fn a_plan_reads_with_its_defaults() {
        let plan: BatchPlan = PLAN.parse().unwrap();
        assert_eq!((plan.spec.as_str(), plan.directory.as_str()), ("spot.toml", "solved"));
        let flops =
            [("QsJh2h", None), ("AsKd2c", Some(24))].map(|(flop, weight)| (flop.parse().unwrap(), weight));
        assert_eq!(plan.flops, Flops::List(flops.into()));
        assert_eq!((plan.stacks.len(), plan.ranges.len(), plan.keep), (0, 0, SavedStreets::Full));
        let all = with(
            "['QsJh2h', 'As Kd 2c:24']",
            "'all'\nstacks = [200, 910]\nsave = 'turn'\ncheckpoint_every = 'never'",
        );
        let plan: BatchPlan =
            format!("{all}[ranges.wide]\noop = '22+'\nip = 'AKs'\n[ranges.tight]\noop = 'AA'\nip = 'KK'\n")
                .parse()
                .unwrap();
        assert_eq!((plan.flops, plan.keep, plan.checkpoint_every), (Flops::All, SavedStreets::Turn, None));
        assert_eq!(plan.stacks, [200.into(), 910.into()]);
        assert_eq!(
            plan.ranges.iter().map(|named| named.name.as_str()).collect::<Vec<_>>(),
            ["tight", "wide"]
        );
        let subset: BatchPlan = with("flops = ['QsJh2h', 'As Kd 2c:24']", "subset = 25").parse().unwrap();
        assert_eq!(subset.flops, Flops::Subset(25));
    }

    #[test]
    fn a_bad_plan_says_where_and_what_is_accepted() {
        assert_eq!(error(&with("spec = 'spot.toml'\n", "")), "batch.spec: is missing");
        assert_eq!(error(&with("'solved'", "''")), "batch.out: must be a path");
        assert_eq!(error(&with("flops = ['QsJh2h', 'As Kd 2c:24']\n", "")), "batch.flops: is missing");
        assert_eq!(
            error(&with("['QsJh2h', 'As Kd 2c:24']", "'some'")),
            "batch.flops: accepted `\"all\"`, or a list like `[\"QsJh2h\", \"AsKd2c\"]`"
        );
        assert_eq!(error(&with("['QsJh2h', 'As Kd 2c:24']", "[]")), "batch.flops: has no flops");
        assert_eq!(error(&with("QsJh2h", "QsJh")), "batch.flops[0]: a flop has 3 cards, not 2");
        assert_eq!(error(&with("QsJh2h", "QsJhJh")), "batch.flops[0]: the card Jh comes twice");
        assert_eq!(
            error(&with("QsJh2h", "Kh2sAd")),
            "batch.flops[1]: AsKd2c is Kh2sAd with other suits, which is there already"
        );
        assert!(error(&with(":24", ":0")).starts_with("batch.flops[1]: the weight must be a whole number"));
        assert!(
            error(&format!("{PLAN}subset = 25\n")).starts_with("batch.subset: is one way to choose flops")
        );
        assert!(
            error(&format!("{PLAN}stacks = [0]\n")).contains("batch.stacks[0]: must be an amount above 0")
        );
        assert_eq!(error(&format!("{PLAN}stacks = [9, 9]\n")), "batch.stacks[1]: is there already");
        assert_eq!(error(&format!("{PLAN}save = 'river'\n")), "batch.save: accepted `flop`, `turn`, `full`");
        assert_eq!(error(&format!("{PLAN}stack = [9]\n")), "unknown key `batch.stack`");
        assert_eq!(error(&format!("{PLAN}[ranges.a]\noop = 'AA'\n")), "ranges.a.ip: is missing");
        assert_eq!(
            error(&format!("{PLAN}[ranges.a]\noop = 'AA'\nip = 'KK'\nop = ''\n")),
            "unknown key `ranges.a.op`"
        );
        assert!(
            error(&format!("{PLAN}[ranges.'a/b']\noop = 'AA'\nip = 'KK'\n"))
                .contains("becomes part of file names")
        );
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(\\[batch\\]|spec|out|flops|subset|stacks|save| = |\\[|\\]|'|QsJh2h|:|[0-9a-z,\n]){0,40}") {
            let _ = text.parse::<BatchPlan>();
        }

        #[test]
        fn no_change_of_a_plan_panics(at in 0..PLAN.len(), byte in any::<u8>()) {
            let mut bytes = PLAN.as_bytes().to_vec();
            bytes[at] = byte;
            let _ = BatchPlan::from_bytes(&bytes);
        }
    }
}
