//! What is said about requests that are nearly right, and about results that are not quite what was asked for.

mod common;

use common::noregret::{noregret, solved};
use common::{RIVER, Run, TURN, solve};
use std::path::Path;

fn home(spec: &str) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("spot.toml"), spec).unwrap();
    home
}

fn run(home: &Path, args: &str) -> Run {
    noregret(home, &args.split_whitespace().collect::<Vec<_>>())
}

#[test]
fn a_limit_in_bytes_is_told_in_bytes() {
    let run = solve(TURN, &["--memory", "1KiB"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(
        run.stderr.starts_with(
            "error: the betting tree alone needs more memory than there is, as --memory allows 1"
        ),
        "{run:?}"
    );
    assert!(!run.stderr.contains("nodes"), "{run:?}");
}

#[test]
fn the_plan_of_a_batch_is_told_from_a_spec() {
    let home = home("[batch]\nspec = \"spot.toml\"\nout = \"solved\"\nflops = \"all\"\n");
    let run = run(home.path(), "solve spot.toml");
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(
        run.stderr.contains("this is the plan of a batch, and not a spec: `noregret batch` runs it"),
        "{run:?}"
    );
}

#[test]
fn a_target_that_was_missed_is_said_last_and_strict_makes_it_an_error() {
    let home = home(TURN);
    let missed = "--target 0.001 --max-iterations 5";
    let plain = run(home.path(), &format!("solve spot.toml {missed} --out spot.nrs")).ok();
    let last = plain.stdout.lines().last().unwrap();
    assert!(
        last.starts_with("the target of 0.001% was missed: ")
            && last.ends_with("allow more with --max-iterations"),
        "{last}"
    );
    let json = run(home.path(), &format!("solve spot.toml {missed} --json")).ok().json();
    assert_eq!(json["target_reached"], false);
    for json in ["", "--json"] {
        let strict = run(home.path(), &format!("solve spot.toml {missed} --strict --out strict.nrs {json}"));
        assert_eq!(strict.code, Some(1), "{strict:?}");
        assert!(strict.stderr.starts_with("error: the target of 0.001% was missed: "), "{strict:?}");
        // What was reached is there all the same.
        run(home.path(), "verify strict.nrs").ok();
    }
    run(home.path(), "solve spot.toml --target 50 --strict").ok();
}

#[test]
fn filters_list_hands_and_classes_go_by_a_hand_s_own_cards() {
    let spec = RIVER
        .replace("QsJh2h", "Kh9h4c")
        .replace("8c", "9s")
        .replace("turn = \"9s\"\nriver = \"3d\"\n", "turn = \"9s\"\n");
    let spec = spec.replace("AA,QQ,T9s,87s", "AK,77,54s,AA,AQo").replace("KK,JJ,AQs", "QQ,JJ,AJs");
    let home = solved(&spec, &["--max-iterations", "5"]);
    let list = |filter: &str| {
        let args = ["inspect", "spot.nrs", "--filter", filter, "--json"];
        let point = noregret(home.path(), &args).ok().json();
        let hands = point["hands"].as_array().unwrap().clone();
        hands.iter().map(|hand| hand["hand"].as_str().unwrap()[..].to_owned()).collect::<Vec<String>>()
    };
    let ranks = |hands: &[String]| {
        let mut ranks: Vec<String> = hands.iter().map(|hand| hand.chars().step_by(2).collect()).collect();
        ranks.dedup();
        ranks
    };
    assert_eq!(ranks(&list("top pair")), ["AK"]);
    assert_eq!(ranks(&list("underpair")), ["77"]);
    assert_eq!(ranks(&list("low pair")), ["54"]);
    assert_eq!(ranks(&list("overpair")), ["AA"]);
    assert_eq!(ranks(&list("ace high")), ["AQ"]);
    assert!(list("two pair").is_empty());
    let text = run(home.path(), "inspect spot.nrs").ok().stdout;
    for name in ["overpair", "top pair", "underpair", "low pair", "ace high"] {
        assert!(text.lines().any(|line| line.starts_with(name)), "{name}: {text}");
    }
    let point = run(home.path(), "inspect spot.nrs --json").ok().json();
    let classes = point["classes"].as_array().unwrap();
    let names: Vec<&str> = classes.iter().map(|class| class["made"].as_str().unwrap()).collect();
    assert_eq!(names, ["overpair", "top pair", "underpair", "low pair", "ace high"]);
    let sum = |key: &str| classes.iter().map(|class| class[key].as_f64().unwrap()).sum::<f64>();
    assert!((sum("share") - 1.0).abs() < 1e-9);
    assert!((sum("combos") - point["players"]["oop"]["combos"].as_f64().unwrap()).abs() < 1e-6);
}

#[test]
fn a_report_keeps_other_stacks_and_other_streets_apart() {
    let home = tempfile::tempdir().unwrap();
    let flop = RIVER.replace("turn = \"8c\"\nriver = \"3d\"\n", "");
    let spots = [
        ("short", flop.replace("910", "60")),
        ("deep", flop.replace("910", "180")),
        ("turn", flop.replace("910", "60").replace("QsJh2h\"", "QsJh2h\"\nturn = \"8c\"")),
    ];
    for (name, spec) in &spots {
        std::fs::write(home.path().join(format!("{name}.toml")), spec).unwrap();
        run(home.path(), &format!("solve {name}.toml --max-iterations 3 --out {name}.nrs")).ok();
    }
    let variants = |files: &str| {
        let rows = run(home.path(), &format!("report {files} --json")).ok().stdout;
        let rows = rows.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let all = rows.filter(|row| row["board"] == "all");
        all.map(|row| row["variant"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(variants("short.nrs"), [""]);
    assert_eq!(variants("short.nrs deep.nrs"), ["stack 60", "stack 180"]);
    assert_eq!(variants("short.nrs turn.nrs"), ["from the flop", "from the turn"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_checkpoint_that_cannot_be_written_is_warned_of_once() {
    let home = home(TURN);
    let command = format!(
        "ulimit -f 1 && exec '{}' solve spot.toml --target 0 --max-iterations 60 --checkpoint spot.nrc --checkpoint-every 0",
        env!("CARGO_BIN_EXE_noregret")
    );
    let output =
        std::process::Command::new("sh").args(["-c", &command]).current_dir(home.path()).output().unwrap();
    let run = Run::from(output);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert_eq!(run.stderr.matches("warning: cannot write spot.nrc: File too large").count(), 1, "{run:?}");
}

#[test]
fn a_batch_that_missed_a_target_says_so_and_strict_makes_it_an_error() {
    let home = home(&RIVER.replace("turn = \"8c\"\nriver = \"3d\"\n", "").replace("910", "100"));
    let plan = "[batch]\nspec = 'spot.toml'\nout = 'OUT'\nflops = ['QsJh2h', 'AsKd2c']\n";
    let batch = |out: &str, solver: &str, args: &str| {
        let spec = RIVER.replace("turn = \"8c\"\nriver = \"3d\"\n", "").replace("910", "100");
        std::fs::write(home.path().join("spot.toml"), format!("{spec}[solver]\n{solver}\n")).unwrap();
        std::fs::write(home.path().join("plan.toml"), plan.replace("OUT", out)).unwrap();
        run(home.path(), &format!("batch plan.toml {args}"))
    };
    let missed = "max_iterations = 3\ntarget_exploitability_pct = 0.001";
    let rows = batch("missed", missed, "--json").ok().stdout;
    let reached = |rows: &str| {
        let rows = rows.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        rows.map(|row| row["target_reached"].as_bool().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(reached(&rows), [false, false]);
    // Also where the solutions are there already.
    for args in ["--strict", "--strict --json"] {
        let strict = batch("missed", missed, args);
        assert_eq!(strict.code, Some(1), "{strict:?}");
        assert!(strict.stderr.contains("error: 2 of 2 jobs did not reach their target"), "{strict:?}");
    }
    let rows = batch("reached", "target_exploitability_pct = 20", "--strict --json").ok().stdout;
    assert_eq!(reached(&rows), [true, true]);
}

#[test]
fn a_software_driver_in_place_of_a_gpu_is_said() {
    let home = tempfile::tempdir().unwrap();
    let devices = run(home.path(), "devices --json").ok().json();
    let devices = devices["gpu"].as_array().unwrap();
    assert!(!devices.is_empty(), "scripts/setup-dominoes-tests installs a software driver");
    let has_hardware = devices.iter().any(|device| device["auto"] == true);
    let solve = |backend: &str| {
        let args =
            format!("forty-two solve --seeds 511 --decls sixes --backend {backend} --out {backend} --json");
        run(home.path(), &args).ok().stderr
    };
    let note = "note: there is no hardware GPU; ";
    let said = solve("gpu");
    assert_eq!(said.contains(note), !has_hardware, "{said}");
    assert!(
        has_hardware || said.contains(" is a software driver, which is slower than --backend cpu"),
        "{said}"
    );
    assert!(!solve("cpu").contains(note) && !solve("auto").contains(note));
}

#[test]
fn the_examples_of_help_run() {
    let home = tempfile::tempdir().unwrap();
    run(home.path(), "forty-two solve --seeds 0 --decls blanks --out tables").ok();
    let help = run(home.path(), "forty-two value --help").ok().stdout;
    let examples = help.split_once("Examples:\n").unwrap().1.split_once("\n\n").unwrap().0;
    // A line may be wrapped: blanks and line ends are the same between dominoes.
    let examples: Vec<&str> = examples.split("  noregret ").skip(1).collect();
    assert_eq!(examples.len(), 5, "{examples:?}");
    for example in examples {
        let args = example.split('"').enumerate().flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().collect::<Vec<_>>(),
            _ => vec![part],
        });
        let said = noregret(home.path(), &args.collect::<Vec<_>>()).ok().stdout;
        assert!(!said.is_empty(), "{example}");
    }
    let help = run(home.path(), "forty-two query --help").ok().stdout;
    let state = help.split_once("echo ").unwrap().1.split_once(" |").unwrap().0;
    let state = format!("forty-two value --seed 0 --decl blanks --layout to-go --state {state} --json");
    assert_eq!(run(home.path(), &state).ok().json()["moves"].as_array().unwrap().len(), 7);
}
