//! The fields that the reference lists, with their types, against what the program prints.

use super::pages;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// A spot with everything that a JSON form may tell of.
const SPOT: &str = r#"[ranges]
oop = "AA,QQ,T9s,87s"
ip = "KK,JJ,AQs"
[cards]
flop = "QsJh2h"
turn = "8c"
[tree]
starting_pot = 180
effective_stack = 300
[bet_sizes.turn]
oop_bet = "33%, 75%"
ip_bet = "33%, 75%"
[solver]
target_exploitability_pct = 5
strategy_bits = 16
[solver.river]
regret_bits = 16
[solver.warm_start]
"#;

/// A batch with a job that fails: no hand of the first player is possible on its flop.
const PLAN: &str = r#"[batch]
spec = "flop.toml"
out = "solved"
flops = ["QsJh2h", "AsAhAd"]
"#;

const FLOP: &str = r#"[ranges]
oop = "AA"
ip = "KK,QQ"
[cards]
flop = "QsJh2h"
[tree]
starting_pot = 100
effective_stack = 50
[solver]
target_exploitability_pct = 5
"#;

/// Commands whose lines of output are of a form.
const SAMPLES: &[(&str, &str)] = &[
    ("solve", "solve spot.toml --json --out spot.nrs"),
    ("solve", "solve auto.toml --json --precision auto --threads 1 --memory 450kB"),
    ("solve", "solve auto.toml --json --precision profile"),
    ("dry-run", "solve spot.toml --json --dry-run"),
    ("dry-run", "solve auto.toml --json --dry-run --precision auto --threads 1 --memory 450kB"),
    ("compare", "compare auto.toml --json --precisions 32/32,16:16:8/16:16:8"),
    ("inspect", "inspect spot.nrs --json --hands"),
    ("inspect", "inspect spot.nrs --json --line check,check"),
    ("inspect", "inspect spot.nrs --json --exploit oop"),
    ("batch", "batch plan.toml --json"),
    ("status", "batch plan.toml --status --json"),
    ("batch-dry-run", "batch plan.toml --dry-run --json"),
    ("hands", "hands session.txt --json --solve --out hands --target 50 --ranges own.toml"),
    ("report", "report spot.nrs --json"),
    ("export", "export spot.nrs --format json --street turn --out -"),
    ("devices", "devices --json"),
    ("bench", "bench river --target 5 --precisions 32/32 --json"),
    ("self-check", "self-check --json"),
    ("forty-two-solve", "forty-two solve --seeds 1 --decls no-trump --out tables --json"),
    ("forty-two-value", "forty-two value --table tables/seed_00000001_decl_9.n42 --json"),
    ("forty-two-census", "forty-two census --table tables/seed_00000001_decl_9.n42 --json"),
    ("forty-two-rows", "forty-two rows tables/seed_00000001_decl_9.n42 --out rows --layout to-go --json"),
    (
        "forty-two-expect",
        "forty-two expect --hand 6-6,6-5,6-4,5-5,4-4,1-0,2-0 --decl sixes --worlds 4 --json",
    ),
    ("forty-two-sample", "forty-two sample --seeds 1 --decls no-trump --per-table 10 --out samples --json"),
    ("verify", "verify spot.nrs damaged/seed_00000001_decl_9.n42 --json"),
    ("forty-two-verify", "forty-two verify damaged --json"),
    ("forty-two-bid", "forty-two bid --hand 6-6,6-5,6-4,5-5,4-4,1-0,2-0 --deals 1 --decls sixes --json"),
];

/// Fields that are printed otherwise than listed, not listed, or listed and never printed.
pub fn problems() -> Vec<String> {
    let home = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(home.path().join(name), text).unwrap();
    write("spot.toml", SPOT);
    let (auto, _) = SPOT.split_once("strategy_bits").unwrap();
    write("auto.toml", auto);
    write("flop.toml", FLOP);
    write("plan.toml", PLAN);
    let session = std::fs::read_to_string(pages::root().join("examples/session.txt")).unwrap();
    // A last hand that cannot be read.
    write(
        "session.txt",
        &format!("{session}\n\nPoker Hand #HD5: Hold'em No Limit ($1/$2) - 2026/03/14 20:20:00\n"),
    );
    write("own.toml", "[ranges]\n\"BB 3-bets BTN, 6-max, 20 bb\" = \"TT+, AQs+, AKo\"\n");
    std::fs::create_dir(home.path().join("damaged")).unwrap();
    write("damaged/seed_00000001_decl_9.n42", "");

    let listed = listed();
    let mut problems = Vec::new();
    let mut seen: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (form, command) in SAMPLES {
        let fields = listed.get(*form).unwrap_or_else(|| panic!("no table of the form {form}"));
        for value in values(home.path(), command) {
            let mut found = Vec::new();
            flatten("", &value, &mut found);
            for (path, kind) in found {
                match fields.get(&path) {
                    Some(types) if !types.split(" or ").any(|known| accepts(known, kind)) => {
                        problems.push(format!(
                            "{form}: {path} is a {kind} and listed as {types} (noregret {command})"
                        ));
                    }
                    Some(_) => {}
                    None if form == &"inspect" && path.starts_with("cards[].") => {}
                    None => problems.push(format!("{form}: {path} is not listed (noregret {command})")),
                }
                seen.entry(form).or_default().insert(path);
            }
        }
    }
    for (form, fields) in &listed {
        let seen = seen.remove(form.as_str()).unwrap_or_default();
        let unseen = fields.keys().filter(|path| !seen.contains(*path));
        // Where there is no device, nothing is told of one.
        for path in unseen.filter(|path| !path.starts_with("gpu[]")) {
            problems.push(format!("{form}: {path} is listed and not printed"));
        }
    }
    problems.sort();
    problems.dedup();
    problems
}

/// The fields of each form with their types, from the tables that follow a mark.
fn listed() -> BTreeMap<String, BTreeMap<String, String>> {
    let mut forms = BTreeMap::new();
    for page in ["json.md", "tables.md"] {
        let text = std::fs::read_to_string(pages::root().join("docs/reference").join(page)).unwrap();
        for section in text.split("<!-- schema: ").skip(1) {
            let (form, table) = section.split_once(" -->\n").unwrap();
            let rows = table.lines().take_while(|line| line.starts_with('|')).skip(2);
            let field = |row: &str| {
                let cells: Vec<&str> = row.split('|').map(str::trim).collect();
                (cells[1].trim_matches('`').to_owned(), cells[2].to_owned())
            };
            forms.insert(form.to_owned(), rows.map(field).collect());
        }
    }
    forms
}

fn values(home: &Path, command: &str) -> Vec<Value> {
    let args =
        command.split(' ').map(|word| word.replace(',', if command.contains("--hand ") { " " } else { "," }));
    let output = Command::new(env!("CARGO_BIN_EXE_noregret")).args(args).current_dir(home).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!text.is_empty(), "noregret {command}: {stderr}");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Every path of a value with the kind of what is there.
fn flatten(path: &str, value: &Value, found: &mut Vec<(String, &'static str)>) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "whole number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    };
    if !path.is_empty() && !path.ends_with("[]") {
        found.push((path.to_owned(), kind));
    }
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                // Cells of the matrix, and actions in the columns of a report.
                let key = match key.split_once(": ") {
                    _ if path == "matrix" => "HAND".to_owned(),
                    Some((_action, number)) => format!("ACTION: {number}"),
                    None => key.clone(),
                };
                flatten(&if path.is_empty() { key } else { format!("{path}.{key}") }, value, found);
            }
        }
        Value::Array(values) => {
            for value in values {
                flatten(&format!("{path}[]"), value, found);
            }
        }
        _ => {}
    }
}

/// Whether something of this kind may be where a type is listed.
fn accepts(listed: &str, kind: &str) -> bool {
    listed == kind || (listed == "number" && kind == "whole number")
}
