//! `noregret export`: rows that other programs read.

mod common;

use common::TURN;
use common::noregret::{noregret, solved};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

#[test]
fn parquet_opens_in_pyarrow_and_duckdb_and_holds_what_inspect_says() {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/dominoes-venv/bin/python");
    assert!(python.exists(), "run scripts/setup-dominoes-tests first");
    let home = solved(TURN, &["--target", "2"]);
    let run =
        noregret(home.path(), &["export", "spot.nrs", "--format", "parquet", "--out", "rows.parquet"]).ok();
    assert_eq!(run.stdout, "");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/read_export.py");
    let line = "check, bet 90";
    let output =
        Command::new(&python).current_dir(home.path()).args([script, "rows.parquet", line]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(
        run.stderr.replace(',', "").contains(&format!("{} rows written to rows.parquet", read["rows"])),
        "{run:?}"
    );
    assert_eq!(read["boards"], 49);
    // What DuckDB adds up is what inspect shows.
    let point = noregret(home.path(), &["inspect", "spot.nrs", "--line", line, "--json"]).ok().json();
    for action in point["actions"].as_array().unwrap() {
        let name = format!("{} {}", action["action"].as_str().unwrap(), action["amount"]);
        let frequency = read["frequencies"][&name].as_f64().unwrap_or_else(|| panic!("{name}: {read}"));
        assert!((frequency - action["frequency"].as_f64().unwrap()).abs() < 1e-6, "{name}: {read}");
    }
    let equity = point["players"]["oop"]["equity"].as_f64().unwrap();
    assert!((read["equity"].as_f64().unwrap() - equity).abs() < 1e-6, "{read}");
}

#[test]
fn a_line_or_a_street_goes_to_a_file_or_to_standard_output() {
    let home = solved(TURN, &["--target", "2"]);
    let export = |args: &[&str]| noregret(home.path(), &[&["export", "spot.nrs"], args].concat());
    let csv = export(&["--format", "csv", "--line", "r:0:c", "--out", "-"]).ok().stdout;
    assert!(csv.starts_with(
        "line,board,runouts,player,hand,action,amount,frequency,action_ev,ev,equity,reach,share\n"
    ));
    assert!(csv.lines().skip(1).all(|line| line.starts_with("check,QsJh2h8c,1,ip,")), "{csv}");
    let json = export(&["--format", "json", "--street", "turn", "--out", "-"]).ok().stdout;
    let rows: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(rows.iter().all(|row| row["board"] == "QsJh2h8c") && rows.len() > csv.lines().count());
    for (args, words) in [
        (["--street", "flop"], "--street: the spot starts after the flop"),
        (["--line", "check, check"], "--line: nobody decides after `check, check`, so there are no rows"),
        (["--line", "bet 7"], "there is no `bet 7` at the root"),
    ] {
        let run = export(&[&["--format", "csv", "--out", "x.csv"], &args[..]].concat());
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(words), "{run:?}");
    }
    let run = export(&["--format", "csv", "--out", "none/x.csv"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("cannot write none/x.csv"), "{run:?}");
    let mut names: Vec<_> = home.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["spot.nrs", "spot.toml"]);
}
