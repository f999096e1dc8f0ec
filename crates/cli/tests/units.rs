//! Amounts in big blinds and with decimals, from the spec to every command that prints them.

mod common;

use common::noregret::{noregret, solved};
use common::{RIVER, Run, solve};
use serde_json::Value;
use std::path::Path;

/// The river spot with a pot of 5.5 and a stack of 97.5.
fn river(unit: &str) -> String {
    RIVER
        .replace("starting_pot = 180", "starting_pot = 5.5")
        .replace("effective_stack = 910", &format!("effective_stack = 97.5\n{unit}"))
        + "[bet_sizes.river]\noop_bet = '33%'\nip_bet = '1.5c, 75%'\n"
}

const BLINDS: &str = "unit = \"bb\"\nbig_blind = 2\n";

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

#[track_caller]
fn shows(run: &Run, words: &[&str]) {
    for words in words {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
}

#[test]
fn solve_answers_in_the_unit_of_the_spec() {
    let blinds = solve(river(BLINDS), &["--json"]).ok().json();
    assert_eq!(blinds["unit"], "bb");
    let bet = &blinds["root"]["actions"][1];
    assert_eq!((&bet["action"], &bet["amount"]), (&"bet".into(), &1.8.into()));
    assert!(is_near(number(&blinds["ev"]["oop"]) + number(&blinds["ev"]["ip"]), 5.5));
    // The same in chips of a tenth of a big blind.
    let text = river("").replace("5.5", "55").replace("97.5", "975").replace("1.5c", "15c");
    let chips = solve(text, &["--json"]).ok().json();
    assert_eq!((&chips["unit"], &chips["root"]["actions"][1]["amount"]), (&"chips".into(), &18.into()));
    assert_eq!(chips["strategy_digest"], blinds["strategy_digest"]);
    assert!(is_near(number(&chips["ev"]["oop"]), 10.0 * number(&blinds["ev"]["oop"])));

    let ev = number(&blinds["ev"]["oop"]);
    let own = solve(river(BLINDS), &[]).ok();
    shows(&own, &["pot 5.5 bb, stack 97.5 bb", "  bet 1.8 ", &format!("{ev:.2}")]);
    let chips = solve(river(BLINDS), &["--unit", "chips"]).ok();
    shows(
        &chips,
        &["pot 11 chips, stack 195 chips", "  bet 3.6 chips ", "EV chips", &format!("{:.2}", 2.0 * ev)],
    );
    let pots = solve(river(BLINDS), &["--unit", "pot"]).ok();
    shows(
        &pots,
        &["pot 5.5 bb, stack 1772.73%", "  bet 32.73% ", "EV %", &format!("{:.2}", 100.0 * ev / 5.5)],
    );
}

#[test]
fn inspect_prints_lines_that_it_reads_back() {
    let home = solved(&river(BLINDS), &[]);
    let inspect = |args: &[&str]| noregret(home.path(), &[&["inspect", "spot.nrs"], args].concat());
    let root = inspect(&[]).ok();
    shows(&root, &["pot 5.5 bb", "bet 1.8 ", "walk on with --line"]);
    let line = root.stdout.split("--line \"").nth(1).unwrap().split('"').next().unwrap();
    inspect(&["--line", line]).ok();
    for line in ["bet 1.8", "bet 1.80", "B1.8-R4.5", "r:0:b1.8:b4.5", "bet 33%", "check, bet 1.5, raise 3.8"]
    {
        inspect(&["--line", line]).ok();
    }
    let point = inspect(&["--line", "check, bet 1.5", "--json"]).ok().json();
    assert_eq!(
        (&point["unit"], &point["pot"], &point["colon"]),
        (&"bb".into(), &7.0.into(), &"r:0:c:b1.5".into())
    );
    let sum = number(&point["players"]["oop"]["ev"]) + number(&point["players"]["ip"]["ev"]);
    assert!(is_near(sum, 7.0), "{point}");
    shows(
        &inspect(&["--line", "bet 1.8", "--unit", "chips"]).ok(),
        &["pot 14.6 chips", "raise 9 chips", "EV chips"],
    );
    shows(&inspect(&["--line", "bet 1.8", "--unit", "pot"]).ok(), &["pot 7.3 bb", "raise 29.67%", "EV %"]);
    // What is listed is what is shown.
    let listed = inspect(&["--unit", "pot", "--hands", "--filter", "ev>100"]).ok();
    assert!(listed.stdout.contains("QsQd") || listed.stdout.contains("hands"), "{listed:?}");
    inspect(&["--sort", "bet 1.80"]).ok();
    let refused = inspect(&["--line", "bet 1.9"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.contains("there is no `bet 1.9` at the root: there is `check`, `bet 1.8`"),
        "{refused:?}"
    );
    let comma = inspect(&["--line", "bet 1,8"]);
    assert!(comma.stderr.contains("`bet 1,8` can be read as `bet 1.8` or as two steps"), "{comma:?}");
}

#[test]
fn export_and_report_carry_the_unit() {
    let home = solved(&river(BLINDS), &[]);
    let run = |args: &[&str]| noregret(home.path(), args).ok();
    let rows = |unit: &[&str]| -> Vec<Value> {
        let fixed = ["export", "spot.nrs", "--format", "json", "--line", "check", "--out", "-"];
        run(&[&fixed[..], unit].concat())
            .stdout
            .lines()
            .map(|row| serde_json::from_str(row).unwrap())
            .collect()
    };
    let (own, chips, pots) = (rows(&[]), rows(&["--unit", "chips"]), rows(&["--unit", "pot"]));
    let bet = own.iter().position(|row| row["action"] == "bet" && !row["ev"].is_null()).unwrap();
    assert_eq!((&own[bet]["amount"], &own[bet]["line"]), (&1.5.into(), &"check".into()));
    assert_eq!((&chips[bet]["amount"], &chips[bet]["line"]), (&3.0.into(), &"check".into()));
    assert!(is_near(number(&pots[bet]["amount"]), 100.0 * 1.5 / 5.5));
    for key in ["ev", "action_ev"] {
        assert!(is_near(number(&chips[bet][key]), 2.0 * number(&own[bet][key])));
        assert!(is_near(number(&pots[bet][key]), 100.0 * number(&own[bet][key]) / 5.5));
    }
    run(&["export", "spot.nrs", "--format", "parquet", "--out", "spot.parquet"]);
    let bytes = std::fs::read(home.path().join("spot.parquet")).unwrap();
    assert!(String::from_utf8_lossy(&bytes).contains("unit"));

    let report = run(&["report", "spot.nrs", "--json"]).stdout;
    let report: Value = serde_json::from_str(report.lines().next().unwrap()).unwrap();
    assert_eq!((&report["unit"], &report["pot"]), (&"bb".into(), &5.5.into()));
    assert!(report.get("bet 1.8: frequency").is_some(), "{report}");
    shows(&run(&["report", "spot.nrs"]), &["bet 1.8", "EVs are in big blinds and count the pot"]);
    shows(&run(&["report", "spot.nrs", "--unit", "chips"]), &["bet 3.6 chips", "EVs are in chips"]);
    run(&["report", "spot.nrs", "--out", "page.html"]);
    let page = std::fs::read_to_string(home.path().join("page.html")).unwrap();
    assert!(page.contains("EVs are in big blinds and count the pot") && page.contains("\"unit\":\"bb\""));
}

#[test]
fn checkpoints_and_batches_have_decimals_too() {
    let home =
        solved(&river(BLINDS), &["--max-iterations", "30", "--target", "0", "--checkpoint", "half.nrc"]);
    let resume =
        ["solve", "spot.toml", "--resume", "half.nrc", "--max-iterations", "60", "--target", "0", "--json"];
    let resumed = noregret(home.path(), &resume).ok().json();
    let whole = solve(river(BLINDS), &["--max-iterations", "60", "--target", "0", "--json"]).ok().json();
    assert_eq!(resumed["strategy_digest"], whole["strategy_digest"]);
    noregret(home.path(), &["verify", "spot.nrs", "half.nrc"]).ok();

    let flop = "[ranges]\noop = 'AA'\nip = 'KK,QQ'\n[cards]\nflop = 'QsJh2h'\n[tree]\nstarting_pot = 5.5\n\
                effective_stack = 3\nunit = 'bb'\n[solver]\ntarget_exploitability_pct = 5\n";
    let plan = "[batch]\nspec = 'flop.toml'\nout = 'solved'\nflops = ['QsJh2h']\nstacks = [3, 4.5]\n";
    std::fs::write(home.path().join("flop.toml"), flop).unwrap();
    std::fs::write(home.path().join("plan.toml"), plan).unwrap();
    let batch = noregret(home.path(), &["batch", "plan.toml", "--json"]).ok();
    shows(&batch, &["\"variant\":\"4.5\"", "4.5-QsJh2h.nrs"]);
    shows(&noregret(home.path(), &["report", "solved"]).ok(), &["4.5", "big blinds"]);
}

#[test]
fn units_without_a_meaning_are_refused() {
    let refused = |run: Run, words: &str| {
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(words) && run.stdout.is_empty(), "{words}: {run:?}");
    };
    let home = solved(&river(""), &[]);
    let run = |args: &[&str]| noregret(home.path(), args);
    let unknown = "amounts are in chips and nothing says how many chips a big blind is: write `big_blind = 2` in [tree]";
    for args in [
        &["solve", "spot.toml", "--unit", "bb"][..],
        &["inspect", "spot.nrs", "--unit", "bb"],
        &["report", "spot.nrs", "--unit", "bb"],
        &["export", "spot.nrs", "--format", "csv", "--out", "-", "--unit", "bb"],
    ] {
        refused(run(args), &format!("--unit bb: {unknown}"));
        let wrong: Vec<&str> = args.iter().map(|&word| if word == "bb" { "euro" } else { word }).collect();
        refused(run(&wrong), "`euro` is not a unit to show amounts in: accepted `chips`, `bb`, `pot`");
    }
    for command in [&["solve", "spot.toml"][..], &["inspect", "spot.nrs"], &["report", "spot.nrs"]] {
        refused(run(&[command, &["--json", "--unit", "pot"]].concat()), "cannot be used with");
    }
    let both = "can be read as chips or as big blinds, since there is a `big_blind`: write `unit = \"chips\"` or `unit = \"bb\"`";
    refused(solve(river("big_blind = 2\n"), &[]), &format!("tree.starting_pot: `5.5` {both}"));
    refused(
        solve(river("unit = 'pots'\n"), &[]),
        "tree.unit: `pots` is not a unit of amounts: write `unit = \"chips\"`",
    );

    let other = solved(&river(BLINDS), &[]);
    let blinds = other.path().join("spot.nrs");
    let mixed = run(&["report", "spot.nrs", blinds.to_str().unwrap()]);
    refused(mixed, "some files are in chips and some in big blinds: give --unit chips, bb or pot");
    assert!(Path::new(&blinds).exists());
    run(&["report", "spot.nrs", blinds.to_str().unwrap(), "--unit", "pot"]).ok();
}
