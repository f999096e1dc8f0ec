//! Requests that are wrong: exit code 2, one message that names the field, and nothing else happens.

mod common;

use common::{RIVER, Run, assert_empty, river_with, solve, solve_in};
use tempfile::TempDir;

/// What every refusal looks like.
fn assert_refused(run: &Run) {
    assert_eq!(run.code, Some(2), "{run:?}");
    assert_eq!(run.stdout, "", "{run:?}");
    assert!(!run.stderr.contains("panicked"), "{run:?}");
    assert!(!run.stderr.contains('\u{1b}'), "{run:?}");
    let errors = run.stderr.lines().filter(|line| line.starts_with("error")).count();
    assert_eq!(errors, 1, "{run:?}");
    assert!(run.stderr.starts_with("error: "), "{run:?}");
    assert!(run.stderr.len() < 4000, "{} bytes", run.stderr.len());
}

/// Refused with this message.
fn refused(spec: impl AsRef<[u8]>, message: &str) -> Run {
    let run = solve(spec, &[]);
    assert_refused(&run);
    let first = run.stderr.lines().next().unwrap_or_default();
    assert!(first.starts_with(&format!("error: {message}")), "{message}: {run:?}");
    run
}

/// Refused with this message and a caret under this piece of the file.
fn refused_at(spec: &str, message: &str, piece: &str) {
    let run = refused(spec, message);
    let lines: Vec<&str> = run.stderr.lines().collect();
    let caret = lines.iter().position(|line| line.contains('^')).unwrap_or_else(|| panic!("{run:?}"));
    let start = lines[caret].find('^').unwrap();
    let carets = lines[caret][start..].chars().take_while(|&c| c == '^').count();
    let shown: String = lines[caret - 1].chars().skip(start).take(carets).collect();
    assert_eq!(shown, piece, "{}", run.stderr);
}

#[test]
fn overlapping_cards() {
    refused_at(&river_with("QsJh2h", "QsJhQs"), "cards.flop: the card Qs is on the board already", "Qs");
    refused_at(&river_with("\"8c\"", "\"Jh\""), "cards.turn: the card Jh is on the board already", "Jh");
    refused_at(&river_with("\"3d\"", "\"8c\""), "cards.river: the card 8c is on the board already", "8c");
}

#[test]
fn boards_that_are_none() {
    refused_at(&river_with("turn = \"8c\"\n", ""), "cards.river: there is a river without a turn", "\"3d\"");
    refused_at(&river_with("\"8c\"", "\"\""), "cards.river: there is a river without a turn", "\"3d\"");
    refused_at(&river_with("QsJh2h", "QsJh"), "cards.flop: the flop has 3 cards, not 2", "\"QsJh\"");
    refused_at(&river_with("QsJh2h", ""), "cards.flop: the flop has 3 cards, not 0", "\"\"");
    refused_at(&river_with("QsJh2h", "QsJh2x"), "cards.flop: `2x` is not a card", "2x");
}

#[test]
fn ranges_that_are_empty_after_card_removal() {
    refused_at(&river_with("KK,JJ,AQs", "QsJh,AsQs"), "ranges.ip: the ip range is empty", "\"QsJh,AsQs\"");
    refused_at(&river_with("KK,JJ,AQs", ""), "ranges.ip: the ip range has no hands", "\"\"");
    refused_at(&river_with("KK,JJ,AQs", "KK:0"), "ranges.ip: the ip range has no hands", "\"KK:0\"");
    let alike = river_with("AA,QQ,T9s,87s", "AhKh").replace("KK,JJ,AQs", "AhKd");
    refused_at(&alike, "ranges.ip: the ranges cannot be dealt together", "\"AhKd\"");
}

#[test]
fn weights_outside_0_to_1() {
    for weight in ["1.5", "-0.5", "nan", "inf", "-inf", "1e999", "x"] {
        let message = format!("ranges.oop: `{weight}` is not a weight");
        refused_at(&river_with("QQ,", &format!("QQ:{weight},")), &message, weight);
    }
    refused_at(&river_with("QQ,", "QQ:0,5,"), "ranges.oop: `5` is not a group of hands", "5");
    refused_at(&river_with("QQ,", "QQ:,"), "ranges.oop: a weight is missing after `:`", ":");
    refused_at(&river_with("QQ,", "QQ:1e-40,"), "ranges.oop: the oop range has", "\"AA,QQ:1e-40,T9s,87s\"");
}

#[test]
fn sizes_that_cannot_parse() {
    let with = |street: &str, key: &str, size: &str| {
        format!("{RIVER}\n[bet_sizes.{street}]\n{key} = \"33%, {size}\"\n")
    };
    for size in
        ["-5%", "0%", "nan%", "inf%", "1000001%", "c", "0c", "-1c", "1.555c", "9999999999c", "0e", "999e"]
    {
        for (street, key) in [("flop", "oop_bet"), ("turn", "oop_donk"), ("river", "ip_raise")] {
            refused_at(&with(street, key, size), &format!("bet_sizes.{street}.{key}: `"), size);
        }
    }
    refused_at(&with("river", "ip_bet", "2.5x"), "bet_sizes.river.ip_bet: `2.5x` is for raises only", "2.5x");
    refused_at(&with("river", "ip_raise", "1x"), "bet_sizes.river.ip_raise: `1x` is not a multiple", "1x");
    let many = with("river", "ip_bet", &vec!["1c"; 10_000].join(","));
    refused(many, "bet_sizes.river.ip_bet: 10001 sizes are too many");
}

#[test]
fn locks_that_cannot_be() {
    let lock = |line: &str, hands: &str, strategy: &str| {
        format!("{RIVER}\n[[locks]]\nline = \"{line}\"\nhands = \"{hands}\"\nstrategy = {strategy}\n")
    };
    let fold = "{ fold = 1 }";
    refused_at(
        &lock("check, bet 91", "KK", fold),
        "locks[0].line: there is no `bet 91` after `check`: there is `check`, `bet 90`",
        "bet 91",
    );
    refused_at(
        &lock("bet 90", "KK", "{ fold = 0.5, call = 0.6 }"),
        "locks[0].strategy: the frequencies add up to 1.1, not to 1",
        "{ fold = 0.5, call = 0.6 }",
    );
    refused_at(&lock("bet 90", "99", fold), "locks[0].hands: 9d9c is not in the ip range", "\"99\"");
    refused_at(
        &lock("bet 90", "KK", "{ check = 1.0 }"),
        "locks[0].strategy.check: there is no `check` here: there is `fold`, `call`",
        "1.0",
    );
    refused_at(
        &lock("bet 90", "KK:0.5", fold),
        "locks[0].hands: a lock takes hands as a whole: leave the weights out",
        ":",
    );
    refused_at(
        &lock("check, check", "KK", fold),
        "locks[0].line: nobody decides after `check, check`",
        "check",
    );
    let twice =
        format!("{}\n[[locks]]\nline = \"bet 90\"\nstrategy = \"call\"\n", lock("bet 90", "KK", fold));
    refused_at(&twice, "locks[1].line: KdKc is locked here already, by locks[0]", "\"bet 90\"");
    let later = river_with("river = \"3d\"\n", "");
    refused_at(
        &format!("{later}\n[[locks]]\nline = \"check, check, bet 90\"\nstrategy = \"fold\"\n"),
        "locks[0].line: there is no `bet 90` after `check, check`: the river card is dealt, like `Th`",
        "bet 90",
    );
}

#[test]
fn edits_that_cannot_be() {
    let edit = |list: &str, line: &str| format!("{RIVER}\n[[tree.{list}]]\nline = \"{line}\"\n");
    refused_at(
        &edit("remove", "check, bet 5"),
        "tree.remove[0].line: there is no `bet 5` after `check`: there is `check`, `bet 90`",
        "bet 5",
    );
    refused_at(
        &edit("add", "bet 90, raise 100"),
        "tree.add[0].line: `raise 100` is not possible after `bet 90`: amounts from 180 to 910 are",
        "raise 100",
    );
    refused_at(&edit("add", "bet 90"), "tree.add[0].line: `bet 90` is there already", "\"bet 90\"");
    refused_at(&edit("add", "Th"), "tree.add[0].line: an edit is for all runouts", "Th");
}

#[test]
fn more_actions_than_fit() {
    let sizes: Vec<String> = (1..=100).map(|bet| format!("{bet}c")).collect();
    let spec = river_with("= 910", "= 910\nmerging_threshold = 0");
    let spec = format!("{spec}\n[bet_sizes.river]\noop_bet = \"{}\"\n", sizes.join(","));
    refused(spec, "a decision has 101 actions, and 64 are possible: give fewer sizes");
}

#[test]
fn numbers_that_are_none() {
    for (section, keys) in [
        ("tree", ["starting_pot", "effective_stack", "rake_rate", "rake_cap"].as_slice()),
        ("tree", &["add_allin_threshold", "force_allin_threshold", "merging_threshold"]),
        ("solver", &["max_iterations", "target_exploitability_pct", "strategy_bits", "regret_bits"]),
        ("solver", &["zstd_compression_level", "alpha", "gamma", "warm_up"]),
        ("solver", &["flop.strategy_bits", "river.regret_bits"]),
    ] {
        for key in keys {
            for number in
                ["nan", "inf", "-inf", "-1", "-0.5", "1e999", "\"5\"", "true", "[1]", "{}", "1979-05-27"]
            {
                let line = format!("{key} = {number}\n");
                let spec = match RIVER.lines().find(|line| line.starts_with(key)) {
                    Some(old) => river_with(&format!("{old}\n"), &line),
                    None if section == "tree" => format!("{RIVER}{line}"),
                    None => format!("{RIVER}[solver]\n{line}"),
                };
                refused_at(&spec, &format!("{section}.{key}: must be "), number);
            }
        }
    }
}

#[test]
fn stacks_of_nothing_and_pots_that_overflow() {
    for (key, line) in [("starting_pot", "starting_pot = 180"), ("effective_stack", "effective_stack = 910")]
    {
        let message = format!(
            "tree.{key}: must be an amount above 0 and up to 1000000000, with at most two decimals, as in `{key} = 5.5`"
        );
        for number in ["0", "1000000001", "4294967296", "18446744073709551616", "1e300", &"9".repeat(400)] {
            let run = refused(river_with(line, &format!("{key} = {number}")), &message);
            assert!(run.stderr.contains('^'), "{run:?}");
        }
        // The most there may be is no trouble.
        solve(river_with(line, &format!("{key} = 1000000000")), &["--dry-run"]).ok();
    }
}

#[test]
fn more_nodes_or_memory_than_fit() {
    let war = river_with("= 910", "= 1000000000\nforce_allin_threshold = 0\nmerging_threshold = 0");
    let war = format!("{war}[bet_sizes.river]\noop_bet = \"1c\"\noop_raise = \"1c\"\nip_raise = \"1c\"\n");
    let run = refused(&war, "the betting tree has more than 20000000 nodes");
    assert!(run.stderr.contains("force_allin_threshold"), "{run:?}");

    let run = solve(common::TURN, &["--memory", "100kB"]);
    assert_refused(&run);
    assert!(run.stderr.contains("--memory allows 100 kB"), "{run:?}");
    assert!(run.stderr.contains("even in 4 bits it needs "), "{run:?}");
    assert!(
        run.stderr.contains("Allow that much, or ask for a spot of about ")
            && run.stderr.contains("% of its size"),
        "{run:?}"
    );
}

#[test]
fn wrong_types() {
    refused_at(&river_with("\"QsJh2h\"", "5"), "cards.flop: must be a string", "5");
    refused_at(&river_with("\"AA,QQ,T9s,87s\"", "[\"AA\"]"), "ranges.oop: must be a string", "[\"AA\"]");
    refused("ranges = 5\n", "ranges: must be a table, written [ranges]");
    refused("[[tree]]\n", "tree: must be a table, written [tree]");
    let solver = |line: &str| format!("{RIVER}[solver]\n{line}\n");
    refused_at(&solver("dry_run = 1"), "solver.dry_run: must be true or false, as in `dry_run = true`", "1");
    refused_at(&solver("algorithm = 'best'"), "solver.algorithm: `best` is not known", "'best'");
    refused_at(&solver("quantization = 16"), "solver.quantization: must be a string", "16");
}

#[test]
fn unknown_keys_suggest_the_nearest() {
    let suggests = |spec: String, message: &str, piece: &str, help: &str| {
        refused_at(&spec, message, piece);
        let run = solve(spec, &[]);
        assert!(run.stderr.contains(help), "{run:?}");
    };
    suggests(
        river_with("starting_pot", "startng_pot"),
        "unknown key `tree.startng_pot`",
        "startng_pot",
        "did you mean `starting_pot`?",
    );
    suggests(river_with("[cards]", "[card]"), "unknown key `card`", "card", "did you mean `cards`?");
    suggests(
        format!("{RIVER}starting_stack = 5\n"),
        "unknown key `tree.starting_stack`",
        "starting_stack",
        "did you mean `starting_pot`?",
    );
    suggests(
        format!("{RIVER}max_iterations = 5\n"),
        "unknown key `tree.max_iterations`",
        "max_iterations",
        "`max_iterations` belongs in [solver]",
    );
}

#[test]
fn missing_keys_are_asked_for() {
    for line in RIVER.lines().filter(|line| line.contains(" = ")) {
        let key = line.split(' ').next().unwrap();
        if ["turn", "river"].contains(&key) {
            continue;
        }
        let run = solve(river_with(&format!("{line}\n"), ""), &[]);
        assert_refused(&run);
        assert!(run.stderr.contains(&format!(".{key}: is missing")), "{run:?}");
        assert!(run.stderr.contains(&format!("help: write `{key} = ")), "{run:?}");
    }
}

#[test]
fn texts_that_are_no_specs() {
    refused("", "the spec is empty");
    refused(" \n# nothing\n", "the spec is empty");
    refused("\u{feff}", "the spec is empty");
    refused(b"[ranges]\n\xff\xfe", "this is not a text file: line 2 is not UTF-8");
    refused(b"\x7fELF\x02\x01\x01\x00\x00", "this is not TOML");
    refused("<html></html>", "this is not TOML");
    refused("[ranges]\noop = \"AA", "this is not TOML");
    refused("[".repeat(100_000), "this is not TOML");
    refused(format!("a = {}", "[".repeat(100_000)), "this is not TOML");
    let noise: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    refused(noise, "this is not");
}

#[test]
fn ranges_of_ten_thousand_groups() {
    let groups = vec!["AhKh:0.25"; 10_000].join(",");
    solve(river_with("KK,", &format!("{groups},")), &["--dry-run"]).ok();
    let spec = river_with("KK,", &format!("{groups},bad,{groups},"));
    refused_at(&spec, "ranges.ip: `bad` is not a group of hands", "bad");
}

#[test]
fn files_that_cannot_be_specs() {
    let home = TempDir::new().unwrap();
    let path = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("empty.toml"), "").unwrap();
    std::fs::create_dir(path("directory")).unwrap();
    // 100 MB that take no room.
    std::fs::File::create(path("large.toml")).unwrap().set_len(100_000_000).unwrap();
    for (name, message) in [
        ("empty.toml", "the spec is empty"),
        ("directory", "it is a directory"),
        ("missing.toml", "cannot read the spec"),
        ("large.toml", "this is not a spec: it is longer than 4194304 bytes"),
    ] {
        let directory = TempDir::new().unwrap();
        let run: Run = solve_in(directory.path(), &[&path(name)]).output().unwrap().into();
        assert_refused(&run);
        assert!(run.stderr.contains(message) && run.stderr.contains(name), "{run:?}");
        assert_empty(directory.path());
    }
}

#[test]
fn a_message_names_the_file() {
    let home = TempDir::new().unwrap();
    std::fs::write(home.path().join("spot.toml"), river_with("180", "0")).unwrap();
    let run: Run = solve_in(home.path(), &["spot.toml"]).output().unwrap().into();
    assert_refused(&run);
    let expected = "error: tree.starting_pot: must be an amount above 0 and up to 1000000000, with at most two decimals, as in `starting_pot = 5.5`
  --> spot.toml:11:16
   |
11 | starting_pot = 0
   |                ^
";
    assert_eq!(run.stderr, expected);
}

#[test]
fn bad_arguments() {
    for (option, values) in [
        ("--threads", ["0", "-1", "x", "99999", "1.5"].as_slice()),
        ("--target", &["-1", "NaN", "inf", "-inf", "101", "x", ""]),
        ("--max-iterations", &["0", "-1", "1.5", "x", "1000000001", "99999999999999999999"]),
        ("--memory", &["nonsense", "-1", "4 apples", "NaN", "1e9", "99999999999999999TB", ""]),
        ("--precision", &["7", "best", ""]),
        ("--algorithm", &["cfr++", "best", ""]),
        ("--quantization", &["17bit", "32", ""]),
        ("--strategy-bits", &["7", "0", "-32", "x"]),
        ("--regret-bits", &["7", "64", "-32", "x"]),
    ] {
        for value in values {
            let run = solve(RIVER, &[&format!("{option}={value}")]);
            assert_refused(&run);
            assert!(run.stderr.contains(option), "{run:?}");
            if !value.starts_with("-inf") {
                let run = solve(RIVER, &[option, value]);
                assert_refused(&run);
                assert!(run.stderr.contains(option), "{run:?}");
            }
        }
    }
    for args in [["--bogus"], ["more.toml"]] {
        let run = solve(RIVER, &args);
        assert_refused(&run);
        assert!(run.stderr.contains(args[0]), "{run:?}");
    }
}
