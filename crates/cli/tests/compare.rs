//! Several ways to solve one spot, side by side.

mod common;

use common::{RIVER, Run, TURN, assert_empty};
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

fn compare_in(directory: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_noregret"));
    command.arg("compare").args(args).current_dir(directory);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn compare_from(directory: &Path, spec: &str, args: &[&str]) -> Run {
    let mut child = compare_in(directory, &[&["-"], args].concat()).spawn().unwrap();
    // The program may end without reading it all.
    let _ = child.stdin.take().unwrap().write_all(spec.as_bytes());
    child.wait_with_output().unwrap().into()
}

/// `noregret compare - ARGS` in an empty directory that must stay empty.
fn compare(spec: &str, args: &[&str]) -> Run {
    let directory = TempDir::new().unwrap();
    let run = compare_from(directory.path(), spec, args);
    assert_empty(directory.path());
    run
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

const ALL: &str = "dcfr,dcfr+,cfr+,lcfr,pcfr+,pdcfr+,sapcfr+,hs-dcfr";

#[test]
fn every_algorithm_runs_in_every_precision() {
    let args = ["--algorithms", ALL, "--precisions", "32/32,8/16", "--max-iterations", "20", "--json"];
    let all = compare(RIVER, &args).ok().json();
    assert_eq!(all["board"], "QsJh2h8c3d");
    assert_eq!((&all["max_iterations"], &all["target_pct"]), (&20.into(), &0.1.into()));
    let runs = all["runs"].as_array().unwrap();
    let names: Vec<String> = runs
        .iter()
        .map(|run| {
            let bits = |key: &str| run["precision"][key].as_u64().unwrap();
            let algorithm = run["algorithm"].as_str().unwrap();
            format!("{algorithm} {}/{}", bits("strategy_bits"), bits("regret_bits"))
        })
        .collect();
    let expected: Vec<String> =
        ALL.split(',').flat_map(|name| ["32/32", "8/16"].map(|bits| format!("{name} {bits}"))).collect();
    assert_eq!(names, expected);
    for run in runs {
        let history = run["history"].as_array().unwrap();
        let values: Vec<f64> = history.iter().map(|check| number(&check["exploitability_pct"])).collect();
        let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
        assert_eq!(number(&run["lowest_exploitability_pct"]), lowest, "{run}");
        assert_eq!(run["iterations"], history.last().unwrap()["iteration"], "{run}");
        assert_eq!(run["target_reached"], values.last().unwrap() <= &0.1, "{run}");
        assert_eq!(run["interrupted"], false);
        assert!(run["memory_bytes"].as_u64().unwrap() > 0 && run["seconds"].is_f64(), "{run}");
    }
    // Fewer bits take fewer bytes, and predictions take more.
    let bytes = |index: usize| runs[index]["memory_bytes"].as_u64().unwrap();
    assert!(bytes(1) < bytes(0) && bytes(8) > bytes(4), "{all}");
}

#[test]
fn a_run_is_what_solve_makes_of_it() {
    let how = ["--max-iterations", "40", "--target", "0"];
    let args = ["--algorithms", "pcfr+", "--precisions", "16/8", "--json"];
    let compared = compare(TURN, &[&args[..], &how].concat()).ok().json();
    let solve = ["--algorithm", "pcfr+", "--strategy-bits", "16", "--regret-bits", "8"];
    let solved = common::answer(TURN, &[&solve[..], &how].concat());
    let run = &compared["runs"][0];
    assert_eq!(run["memory_bytes"], solved["memory_bytes"]);
    let curve = |value: &Value| {
        let history = value["history"].as_array().unwrap().clone();
        history.into_iter().map(|check| check["exploitability_pct"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(curve(run), curve(&solved));
}

#[test]
fn streets_may_have_precisions_of_their_own() {
    let how = ["--max-iterations", "20", "--target", "0"];
    let args = ["--precisions", "8/8,16:16:8/32:16:8", "--json"];
    let compared = compare(TURN, &[&args[..], &how].concat()).ok().json();
    let spec = format!(
        "{TURN}[solver]\nstrategy_bits = 8\nregret_bits = 8\n[solver.flop]\nstrategy_bits = 16\nregret_bits = 32\n\
         [solver.turn]\nstrategy_bits = 16\nregret_bits = 16\n"
    );
    let solved = common::answer(&spec, &how);
    let run = &compared["runs"][1];
    assert_eq!((&run["precision"], &run["memory_bytes"]), (&solved["precision"], &solved["memory_bytes"]));
    let table = compare(TURN, &[&args[..2], &how].concat()).ok().stdout;
    assert!(table.contains(" 8/8 ") && table.contains(" 16:16:8/32:16:8 "), "{table}");
}

#[test]
fn what_the_spec_says_is_compared_by_default() {
    let spec = format!("{RIVER}[solver]\nalgorithm = \"lcfr\"\nstrategy_bits = 8\nmax_iterations = 10\n");
    let runs = compare(&spec, &["--json"]).ok().json();
    let run = &runs["runs"][0];
    assert_eq!((&run["algorithm"], &run["precision"]["strategy_bits"]), (&"lcfr".into(), &8.into()));
    assert_eq!((runs["runs"].as_array().unwrap().len(), &run["iterations"]), (1, &10.into()));
    // A tuned algorithm stays tuned, and the others have their own numbers.
    let tuned = format!("{RIVER}[solver]\nalpha = 3\nbeta = -2\ngamma = 9\nrestarts = true\n");
    let how = ["--algorithms", "dcfr,dcfr+", "--max-iterations", "30", "--target", "0", "--json"];
    let [tuned, plain] = [tuned.as_str(), RIVER].map(|spec| compare(spec, &how).ok().json());
    let lowest = |runs: &Value, i: usize| number(&runs["runs"][i]["lowest_exploitability_pct"]);
    assert_ne!(lowest(&tuned, 0), lowest(&plain, 0));
    assert_eq!(lowest(&tuned, 1), lowest(&plain, 1));
}

#[test]
fn a_table_has_a_line_for_each_run() {
    let args = [
        "--algorithms",
        "dcfr,cfr+",
        "--precisions",
        "32/32,4/4",
        "--target",
        "2",
        "--max-iterations",
        "300",
    ];
    let run = compare(RIVER, &args).ok();
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[0].starts_with("4 runs of QsJh2h8c3d to 2% or 300 iterations, on "), "{run:?}");
    let heads: Vec<&str> = lines[1].split_whitespace().collect();
    assert_eq!(heads, ["algorithm", "bits", "iterations", "seconds", "memory", "exploitability", "target"]);
    assert_eq!(lines.len(), 6, "{run:?}");
    for (line, name) in lines[2..].iter().zip(["dcfr 32/32", "dcfr 4/4", "cfr+ 32/32", "cfr+ 4/4"]) {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[..2].join(" "), name);
        assert!(line.ends_with("reached") && line.contains('%'), "{line}");
    }
    assert!(!run.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'), "{run:?}");
}

#[test]
fn a_picture_is_written_whole() {
    let home = TempDir::new().unwrap();
    let args = ["--algorithms", "dcfr,pdcfr+", "--max-iterations", "50", "--svg", "curves.svg", "--json"];
    let runs = compare_from(home.path(), RIVER, &args).ok().json();
    assert_eq!(runs["runs"].as_array().unwrap().len(), 2);
    let names: Vec<_> = home.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["curves.svg"]);
    let svg = std::fs::read_to_string(home.path().join("curves.svg")).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    assert!(document.root_element().has_tag_name(("http://www.w3.org/2000/svg", "svg")));
    let texts: Vec<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .filter_map(|node| node.text())
        .collect();
    for text in ["dcfr 32/32", "pdcfr+ 32/32", "seconds", "target 0.1%"] {
        assert!(texts.contains(&text), "{text}: {texts:?}");
    }
}

#[test]
fn wrong_requests_are_refused() {
    for (args, message) in [
        (["--algorithms", "dcfr,best"], "`best` is not known: accepted `dcfr`, `dcfr+`"),
        (["--algorithms", ""], "is not known: accepted `dcfr`"),
        (["--precisions", "x"], "`x` is not a precision: write bits of strategy and regrets like `8/16`"),
        (["--averaging", "reset"], "`reset` is not known: accepted `as-given`, `linear`"),
        (["--precisions", "16:8/8"], "`16:8/8` does not say which street has how many bits"),
        (["--precisions", "32/32,7/16"], "`7` is not known: accepted `32`, `16`, `8`, `4`"),
        (["--target", "-1"], "must be a number from 0 to 100"),
        (["--max-iterations", "0"], "--max-iterations"),
        (["--threads", "0"], "--threads"),
        (["--memory", "10kB"], "even in 4 bits it needs "),
        (["--svg", "missing/curves.svg"], "--svg missing/curves.svg: there is no such directory"),
        (["--svg", "."], "--svg .: it is a directory, and must be a file"),
    ] {
        let run = compare(RIVER, &args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {run:?}");
        assert!(run.stderr.starts_with("error: ") && run.stderr.contains(message), "{args:?}: {run:?}");
    }
    let run = compare("[ranges]\n", &[]);
    assert!(run.code == Some(2) && run.stderr.contains("ranges.oop: is missing"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_what_was_done() {
    use std::io::{BufRead, BufReader, Read};
    let home = TempDir::new().unwrap();
    std::fs::write(home.path().join("spot.toml"), TURN).unwrap();
    let args = ["spot.toml", "--algorithms", "dcfr,cfr+", "--target", "0", "--max-iterations", "1000000000"];
    let mut child = compare_in(home.path(), &[&args[..], &["--svg", "curves.svg"]].concat()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    // The heading comes first; from then on an interrupt is heard.
    output.read_line(&mut text).unwrap();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    output.read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 3 && lines[2].starts_with("dcfr ") && lines[2].ends_with("interrupted"), "{text}");
    assert!(home.path().join("curves.svg").is_file());
}
