//! What people read: the table, the sizes, the help.

mod common;

use common::{RIVER, Run, TURN, assert_empty, solve, solve_in};
use std::process::Command;
use tempfile::TempDir;

/// The cells of the line that begins with a word.
fn cells<'a>(run: &'a Run, first: &str) -> Vec<&'a str> {
    let mut lines = run.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    lines.find(|cells| cells.first() == Some(&first)).unwrap_or_else(|| panic!("no {first}: {run:?}"))
}

fn parse(cell: &str) -> f64 {
    cell.trim_end_matches('%').parse().unwrap_or_else(|_| panic!("{cell}"))
}

#[test]
fn the_answer_is_a_table_and_the_root_strategy() {
    let run = solve(RIVER, &[]).ok();
    assert_eq!(run.stderr, "");
    assert_eq!(cells(&run, "EV"), ["EV", "equity", "EQR"]);
    let (oop, ip) = (cells(&run, "OOP"), cells(&run, "IP"));
    assert!((parse(oop[1]) + parse(ip[1]) - 180.0).abs() < 0.02, "{run:?}");
    assert!((parse(oop[2]) + parse(ip[2]) - 100.0).abs() < 0.002, "{run:?}");
    for row in [&oop, &ip] {
        let eqr = 100.0 * parse(row[1]) / (parse(row[2]) / 100.0 * 180.0);
        assert!((parse(row[3]) - eqr).abs() < 0.1, "{run:?}");
    }
    assert!(run.stdout.contains("OOP at the root"), "{run:?}");
    let (check, bet) = (cells(&run, "check"), cells(&run, "bet"));
    assert_eq!(bet[1], "90");
    assert!((parse(check[1]) + parse(bet[2]) - 100.0).abs() < 0.02, "{run:?}");
    assert!(run.stdout.contains("Solved: exploitability 0.0"), "{run:?}");
    assert!(run.stdout.contains("strategy digest "), "{run:?}");
}

#[test]
fn columns_are_aligned_for_large_amounts() {
    let spec = RIVER.replace("180", "1000000000").replace("910", "1000000000");
    let run = solve(spec, &[]).ok();
    let lines: Vec<&str> = run.stdout.lines().collect();
    let head = lines.iter().position(|line| line.trim_start().starts_with("EV")).unwrap();
    let ends = |line: &str| {
        let blank_after =
            |&(i, c): &(usize, char)| c != ' ' && line[i + 1..].chars().next().is_none_or(|c| c == ' ');
        let ends: Vec<usize> = line.char_indices().filter(blank_after).map(|(i, _)| i).collect();
        ends[ends.len() - 3..].to_vec()
    };
    assert_eq!(
        [ends(lines[head + 1]), ends(lines[head + 2])],
        [(); 2].map(|()| ends(lines[head])),
        "{run:?}"
    );
}

#[test]
fn a_run_says_when_it_has_not_reached_the_target() {
    let run = solve(RIVER, &["--max-iterations", "7", "--target", "0.05"]).ok();
    assert!(run.stdout.contains("Out of iterations: exploitability "), "{run:?}");
    assert!(run.stdout.contains("(target 0.05%)\n7 iterations in "), "{run:?}");
    let run = solve(RIVER, &["--max-iterations", "1"]).ok();
    assert!(run.stdout.contains("\n1 iteration in "), "{run:?}");
}

#[test]
fn a_player_without_equity_has_no_eqr() {
    let spec = RIVER.replace("AA,QQ,T9s,87s", "T9s").replace("KK,JJ,AQs", "QQ");
    let run = solve(spec, &[]).ok();
    assert_eq!(cells(&run, "IP")[3], "–");
    assert!(!run.stdout.contains("inf%") && !run.stdout.contains("NaN"), "{run:?}");
}

#[test]
fn there_are_colours_only_where_they_are_wanted() {
    let home = TempDir::new().unwrap();
    std::fs::write(home.path().join("spot.toml"), RIVER).unwrap();
    std::fs::write(home.path().join("bad.toml"), "[tree]\nx = 1").unwrap();
    let coloured = |file: &str, variables: &[(&str, &str)]| {
        let mut command = solve_in(home.path(), &[file]);
        let run: Run = command.envs(variables.iter().copied()).output().unwrap().into();
        run.stdout.contains('\u{1b}') || run.stderr.contains('\u{1b}')
    };
    for file in ["spot.toml", "bad.toml"] {
        assert!(!coloured(file, &[]), "not a terminal");
        assert!(coloured(file, &[("CLICOLOR_FORCE", "1")]));
        assert!(!coloured(file, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    }
}

#[test]
fn a_dry_run_prints_sizes_and_does_not_solve() {
    let run = solve(TURN, &["--dry-run"]).ok();
    for word in [
        "Spot ",
        "Tree ",
        "Memory ",
        "decision points",
        "terminal nodes",
        "information sets",
        "1 turn, 48 rivers",
    ] {
        assert!(run.stdout.contains(word), "{word}: {run:?}");
    }
    assert!(!run.stdout.contains("exploitability"), "{run:?}");
}

#[test]
fn more_memory_than_allowed_is_refused_with_what_would_fit() {
    let refused = solve(TURN, &["--precision", "32", "--memory", "1MB"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{refused:?}");
    assert!(refused.stderr.contains("--memory allows 1.0 MB: "), "{refused:?}");
    assert!(refused.stderr.contains("would fit"), "{refused:?}");
    let coarser = solve(TURN, &["--precision", "32", "--memory", "2.5MB"]);
    let advice = "strategy_bits 16 with regret_bits 16 takes ";
    assert!(coarser.code == Some(2) && coarser.stderr.contains(advice), "{coarser:?}");
    solve(TURN, &["--memory", "2.5MB", "--quantization", "16bit", "--threads", "1", "--max-iterations", "1"])
        .ok();
    solve(TURN, &["--memory", "100MB", "--max-iterations", "1"]).ok();
    // A dry run says the size first.
    let dry = solve(TURN, &["--precision", "32", "--memory", "1MB", "--dry-run"]);
    assert_eq!(dry.code, Some(2), "{dry:?}");
    assert!(dry.stdout.contains("Memory ") && dry.stderr.contains("would fit"), "{dry:?}");
}

#[test]
fn locked_hands_are_counted() {
    let spec = format!("{RIVER}\n[[locks]]\nline = \"bet 90\"\nhands = \"KK,AQs\"\nstrategy = \"fold\"\n");
    let run = solve(&spec, &["--dry-run"]).ok();
    assert!(run.stdout.contains("\nLocked  9 hands, by 1 lock\n"), "{run:?}");
    assert!(!solve(RIVER, &["--dry-run"]).ok().stdout.contains("Locked"));
}

#[test]
fn a_precision_is_picked_by_what_fits_and_said() {
    let run = |memory: &str| {
        solve(TURN, &["--precision", "auto", "--memory", memory, "--threads", "1", "--dry-run"])
    };
    let plenty = run("100MB").ok();
    assert!(
        plenty.stdout.contains("Picked  strategy 32, regrets 32: the quickest for its size"),
        "{plenty:?}"
    );
    let some = run("2MB").ok();
    assert!(some.stdout.contains("of 2.0 MB allowed; 32 bits would take "), "{some:?}");
    assert!(some.stdout.contains(", regrets 32/16: "), "{some:?}");
    let none = run("200kB");
    assert_eq!((none.code, none.stdout.as_str()), (Some(2), ""), "{none:?}");
    let message = "error: no precision fits, as --memory allows 200 kB of memory: even in 4 bits it needs ";
    assert!(none.stderr.starts_with(message), "{none:?}");
    // What is set is not picked.
    let set =
        solve(format!("{TURN}[solver]\nprecision = \"auto\"\n"), &["--quantization", "16bit", "--dry-run"])
            .ok();
    assert!(!set.stdout.contains("Picked"), "{set:?}");
    let both = solve(TURN, &["--precision", "auto", "--strategy-bits", "8"]);
    assert!(both.code == Some(2) && both.stderr.contains("--strategy-bits"), "{both:?}");
}

#[test]
fn help_is_complete_and_has_examples() {
    let help = |args: &[&str]| {
        let directory = TempDir::new().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_noregret"));
        let run = Run::from(command.args(args).current_dir(directory.path()).output().unwrap()).ok();
        assert_empty(directory.path());
        run.stdout
    };
    let top = help(&["--help"]);
    assert!(top.contains("solve") && top.contains("Examples:\n  noregret solve "), "{top}");
    // A build without the web app does not speak of it.
    assert_eq!(top.contains("serve"), cfg!(feature = "serve"), "{top}");
    let solve = help(&["solve", "--help"]);
    let options =
        ["json", "threads", "target", "max-iterations", "memory", "dry-run", "algorithm", "quantization"];
    for option in options.into_iter().chain(["precision", "strategy-bits", "regret-bits", "help", "version"])
    {
        assert!(solve.contains(&format!("--{option}")), "{option}: {solve}");
    }
    for words in ["Examples:\n  noregret solve ", "Exit codes:", "standard input", "4GiB"] {
        assert!(solve.contains(words), "{words}: {solve}");
    }
    assert_eq!(help(&["help", "solve"]), solve);
    let version = format!("noregret {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(help(&["-V"]), version);
    let long = help(&["--version"]);
    assert!(long.starts_with(&version), "{long}");
    let names: Vec<&str> = long.lines().skip(1).filter_map(|line| Some(line.split_once(": ")?.0)).collect();
    assert_eq!(names, ["commit", "target", "instruction set", "features"]);
    let has = |feature: &str| long.lines().last().unwrap().contains(feature);
    assert_eq!((has("gpu"), has("serve")), (cfg!(feature = "gpu"), cfg!(feature = "serve")), "{long}");
}

#[test]
fn a_file_and_standard_input_give_the_same() {
    let home = TempDir::new().unwrap();
    std::fs::write(home.path().join("spot.toml"), RIVER).unwrap();
    let from_file: Run = solve_in(home.path(), &["spot.toml"]).output().unwrap().into();
    let digest = |run: &Run| cells(run, "strategy")[2].to_owned();
    assert_eq!(digest(&from_file), digest(&solve(RIVER, &[])));
}
