//! Specs that read, specs that do not, and what is said of those.

use super::*;
use crate::{Algorithm, BettingTree, Chips, Exponents, IP, PrecisionChoice, WarmStart, precision_text};
use proptest::prelude::*;

const VALID: &str = r#"[ranges]
oop = "88+,A5s-A2s:0.5,KQo"
ip = "QQ-22,AQs-A2s"

[cards]
flop = "QsJh2h"
turn = "8c"

[tree]
starting_pot = 180
effective_stack = 910
rake_rate = 0.05
rake_cap = 30.0

[bet_sizes.turn]
oop_bet = "50%, a"
ip_raise = "2.5x"

[bet_sizes.river]
oop_donk = "33%"

[solver]
max_iterations = 500
dry_run = false
"#;

/// The valid spec with one piece of it replaced.
fn with(old: &str, new: &str) -> String {
    assert!(VALID.contains(old), "{old}");
    VALID.replacen(old, new, 1)
}

fn rendered(text: &str) -> String {
    text.parse::<Spec>().unwrap_err().render("spot.toml", text, false)
}

/// The message, and the text that the caret points at.
fn complaint(text: &str) -> (String, &str) {
    let error = text.parse::<Spec>().unwrap_err();
    (error.message, error.span.map_or("", |span| &text[span]))
}

#[test]
fn specs_that_mean_the_same_have_the_same_digest() {
    let digest = |text: &str| text.parse::<Spec>().unwrap().digest();
    assert_eq!(digest(VALID), digest(&with("88+,A5s-A2s:0.5", "A5s-A2s:0.5, 88+")));
    assert_eq!(digest(VALID), digest(&VALID.parse::<Spec>().unwrap().to_string()));
    assert_ne!(digest(VALID), digest(&with("910", "911")));
}

#[test]
fn a_complaint_has_its_field_and_its_line() {
    let place = |text: &str| {
        let error = text.parse::<Spec>().unwrap_err();
        (error.field, error.line)
    };
    let at = |field: &str, line| (Some(field.into()), Some(line));
    assert_eq!(place(&with("QQ-22", "QQ-2x")), at("ranges.ip", 3));
    assert_eq!(place(&with("910", "910.125")), at("tree.effective_stack", 11));
    assert_eq!(place(&with("ip = \"QQ-22,AQs-A2s\"\n", "")), at("ranges.ip", 1));
    assert_eq!(place(&with("180", "180 180")), (None, Some(10)));
    assert_eq!(place(""), (None, None));
    assert_eq!(Spec::from_bytes(b"[ranges]\n\xff").unwrap_err().line, Some(2));
    let lock = format!("{VALID}[[locks]]\nline = \"check, jump\"\nstrategy = \"check\"\n");
    assert_eq!(place(&lock), at("locks[0].line", 26));
}

#[test]
fn every_key_is_read() {
    let text = r#"
        [ranges]
        oop = "AA"
        ip = "KK:0.5"
        [cards]
        flop = "QsJh2h"
        turn = "8c"
        river = "3d"
        [tree]
        starting_pot = 180
        effective_stack = 910.0
        rake_rate = 0.05
        rake_cap = 30
        add_allin_threshold = 2
        force_allin_threshold = 0.25
        merging_threshold = 0
        [bet_sizes.flop]
        oop_bet = "1c"
        oop_raise = "2c"
        ip_bet = "3c"
        ip_raise = "4c"
        [bet_sizes.turn]
        oop_bet = "5c"
        oop_raise = "6c"
        ip_bet = "7c"
        ip_raise = "8c"
        oop_donk = "9c"
        [bet_sizes.river]
        oop_bet = "10c"
        oop_raise = "11c"
        ip_bet = "12c"
        ip_raise = "13c"
        oop_donk = ""
        [solver]
        max_iterations = 7
        target_exploitability_pct = 0.5
        algorithm = "dcfr"
        quantization = "32bit"
        strategy_bits = 32
        regret_bits = 32
        enable_pruning = false
        zstd_compression_level = 19
        dry_run = true
        [output]
        directory = "solved"
    "#;
    let Spec { spot, solver, output } = text.parse().unwrap();
    assert_eq!(spot.board().to_string(), "QsJh2h8c3d");
    assert_eq!((spot.holes(OOP).count(), spot.holes(IP).next().unwrap().1), (6, 0.5));
    let options = spot.options();
    assert_eq!((options.starting_pot, options.effective_stack), (180.into(), 910.into()));
    assert_eq!(options.rake, Rake { rate: 0.05, cap: Some(30.0) });
    assert_eq!(
        (options.add_allin_threshold, options.force_allin_threshold, options.merging_threshold),
        (2.0, 0.25, 0.0)
    );
    let sizes: Vec<String> =
        options.sizes.iter().flatten().map(|s| format!("{} {}", s.bet, s.raise)).collect();
    assert_eq!(sizes, ["1c 2c", "3c 4c", "5c 6c", "7c 8c", "10c 11c", "12c 13c"]);
    let donks: Vec<Option<String>> =
        options.donk.iter().map(|d| d.as_ref().map(ToString::to_string)).collect();
    assert_eq!(donks, [None, Some("9c".to_owned()), Some(String::new())]);
    assert_eq!((solver.max_iterations, solver.target_exploitability_pct, solver.dry_run), (7, 0.5, true));
    assert_eq!((output.directory.as_deref(), output.zstd_compression_level), (Some("solved"), 19));
}

#[test]
fn all_but_ranges_flop_pot_and_stack_has_a_default() {
    let text = "ranges = {oop = 'AA', ip = 'KK'}\ncards.flop = 'QsJh2h'\n[tree]\nstarting_pot = 1\neffective_stack = 2";
    let spec: Spec = text.parse().unwrap();
    assert_eq!(*spec.spot.options(), TreeOptions::new(1.into(), 2.into()));
    assert_eq!((spec.solver, spec.output), (SolverOptions::default(), OutputOptions::default()));
    let rate_only: Spec = with("rake_cap = 30.0\n", "").parse().unwrap();
    assert_eq!(rate_only.spot.options().rake, Rake { rate: 0.05, cap: None });
    let no_turn: Spec = with("\"8c\"", "\"\"\nriver = \"\"").parse().unwrap();
    assert_eq!(no_turn.spot.board().street(), Street::Flop);
}

#[test]
fn the_examples_read_and_have_the_known_trees() {
    let tree = |text: &str| {
        let spec: Spec = text.parse().unwrap();
        let tree = BettingTree::build(spec.spot.options(), spec.spot.board().street()).unwrap();
        let hands = Player::BOTH.map(|player| spec.spot.holes(player).count());
        (tree.counts().all_decisions(), tree.counts().all_terminals(), hands)
    };
    assert_eq!(tree(include_str!("../../../../examples/three-bet-pot.toml")), (194, 257, [273, 416]));
    assert_eq!(tree(include_str!("../../../../examples/turn.toml")), (76, 113, [167, 250]));
    let (decisions, _, hands) = tree(include_str!("../../../../examples/quick.toml"));
    assert!(decisions < 100 && hands.iter().all(|&count| count < 400));
}

#[test]
fn an_error_shows_the_line_and_a_caret() {
    assert_eq!(
        rendered(&with("A5s-A2s:0.5", "A5x")),
        r#"error: ranges.oop: `A5x` is not a group of hands: write a class (`AA`, `AKs`, `AKo`, `AK`), two cards (`AsAh`), or a run (`TT+`, `ATs+`, `QQ-88`, `A9s-A6s`, `98o-65o`), with commas between groups, or `random` for all
 --> spot.toml:2:12
  |
2 | oop = "88+,A5x,KQo"
  |            ^^^"#
    );
    assert_eq!(
        rendered(&with("starting_pot", "startng_pot")),
        "error: unknown key `tree.startng_pot`
  --> spot.toml:10:1
   |
10 | startng_pot = 180
   | ^^^^^^^^^^^
   |
   = help: did you mean `starting_pot`? The keys here are: starting_pot, effective_stack, unit, big_blind, rake_rate, rake_cap, \
add_allin_threshold, force_allin_threshold, merging_threshold, add, remove"
    );
    assert_eq!(
        rendered(&with("180", "true")),
        "error: tree.starting_pot: must be an amount above 0 and up to 1000000000, with at most two decimals, as in \
`starting_pot = 5.5`
  --> spot.toml:10:16
   |
10 | starting_pot = true
   |                ^^^^ this is a boolean"
    );
    let windows = with("180", "0").replace('\n', "\r\n");
    assert!(rendered(&windows).ends_with("10 | starting_pot = 0\n   |                ^"));
    let coloured = VALID.replace("180", "0").parse::<Spec>().unwrap_err().render("spot.toml", VALID, true);
    assert!(coloured.contains("\u{1b}["));
}

#[test]
fn unknown_keys_suggest_the_nearest() {
    let help = |text: &str| text.parse::<Spec>().unwrap_err().help.unwrap_or_default();
    assert!(
        help(&with("[cards]", "[card]"))
            .starts_with("did you mean `cards`? The keys here are: ranges, cards, tree")
    );
    assert!(help(&with("[bet_sizes.turn]", "[bet_sizes.trun]")).starts_with("did you mean `turn`?"));
    assert!(help(&with("oop_donk", "donk")).starts_with("did you mean `oop_donk`?"));
    assert!(help(&with("max_iterations", "MaxIterations")).starts_with("did you mean `max_iterations`?"));
    assert_eq!(help(&with("dry_run", "rake_cap")), "`rake_cap` belongs in [tree]");
    assert_eq!(help(&format!("starting_pot = 1\n{VALID}")), "`starting_pot` belongs in [tree]");
    assert_eq!(help(&format!("\"solver.max_iterations\" = 3\n{VALID}"))[..13], *"did you mean ");
    assert_eq!(complaint(&format!("\"bet_sizes.turn\" = {{}}\n{VALID}")).0, "unknown key `bet_sizes.turn`");
    let long = format!("{} = 1", "x".repeat(1_000_000));
    let error = long.parse::<Spec>().unwrap_err();
    assert!(error.message.len() < 200 && error.render("spot.toml", &long, false).len() < 2000);
}

#[test]
fn cards_that_make_no_board_are_refused() {
    let flop = |flop: &str| {
        let text = with("QsJh2h", flop);
        let (message, at) = complaint(&text);
        (message, at.to_owned())
    };
    let refused = |message: &str, at: &str| (format!("cards.{message}"), at.to_owned());
    assert_eq!(flop("QsJhQs"), refused("flop: the card Qs is on the board already", "Qs"));
    assert_eq!(flop("Qs Jh 8c"), refused("turn: the card 8c is on the board already", "8c"));
    assert_eq!(flop("QsJh"), refused("flop: the flop has 3 cards, not 2", "\"QsJh\""));
    assert_eq!(flop(""), refused("flop: the flop has 3 cards, not 0", "\"\""));
    assert_eq!(flop("QsJh2h8c"), refused("flop: the flop has 3 cards, not 4", "\"QsJh2h8c\""));
    let (message, at) = flop("QsJh2");
    assert!(message.starts_with("cards.flop: `2` is not a card") && at == "2");
    assert_eq!(
        complaint(&with("turn = \"8c\"", "river = \"8c\"")).0,
        "cards.river: there is a river without a turn"
    );
    assert_eq!(complaint(&with("\"8c\"", "\"8c9c\"")).0, "cards.turn: the turn has 1 card, not 2");
}

#[test]
fn ranges_that_cannot_be_dealt_are_refused() {
    let ip = |range: &str| complaint(&with("QQ-22,AQs-A2s", range)).0;
    assert_eq!(
        ip("QsQh,JhTh"),
        "ranges.ip: the ip range is empty: the board has a card of each of its hands"
    );
    assert_eq!(ip(""), "ranges.ip: the ip range has no hands");
    assert_eq!(ip("AA:0"), "ranges.ip: the ip range has no hands");
    assert!(ip("AA:1e-40").starts_with("ranges.ip: the ip range has AdAc with a weight below 1e-9"));
    for weight in ["1.5", "-0.5", "nan", "inf", "x"] {
        let text = with("A5s-A2s:0.5", &format!("A5s-A2s:{weight}"));
        let (message, at) = complaint(&text);
        assert!(message.starts_with(&format!("ranges.oop: `{weight}` is not a weight")), "{message}");
        assert_eq!(at, weight);
    }
}

#[test]
fn a_caret_points_into_any_string_and_at_all_of_it_when_it_has_escapes() {
    let at = |text: &str| complaint(text).1.to_owned();
    assert_eq!(at(&with("\"50%, a\"", "'50%, b'")), "b");
    assert_eq!(at(&with("\"50%, a\"", "\"\"\"\n50%,\n b\"\"\"")), "b");
    assert_eq!(at(&with("\"50%, a\"", r#""50%, \u0062""#)), r#""50%, \u0062""#);
    assert_eq!(at(&with("\"50%, a\"", "\"50%, é\"")), "é");
}

#[test]
fn amounts_are_within_bounds() {
    for key in ["starting_pot = 180", "effective_stack = 910"] {
        let name = key.split(' ').next().unwrap();
        for bad in [
            "0",
            "-5",
            "180.125",
            "nan",
            "inf",
            "-inf",
            "1e999",
            "1000000001",
            "99999999999999999999999999",
            "-0.0",
            "\"180\"",
            "[180]",
            "1979-05-27",
        ] {
            let text = with(key, &format!("{name} = {bad}"));
            let (message, at) = complaint(&text);
            let amount = "must be an amount above 0 and up to 1000000000, with at most two decimals";
            assert_eq!(message, format!("tree.{name}: {amount}, as in `{name} = 5.5`"));
            assert_eq!(at, bad);
        }
        for (fine, chips) in [("1_000_000_000", 1_000_000_000), ("0x10", 16), ("1.8e2", 180)] {
            let spec: Spec = with(key, &format!("{name} = {fine}")).parse().unwrap();
            let options = spec.spot.options();
            let read = if name == "starting_pot" { options.starting_pot } else { options.effective_stack };
            assert_eq!(read, Chips::new(chips).unwrap());
        }
    }
}

#[test]
fn numbers_are_finite_and_not_negative() {
    for key in ["rake_rate", "rake_cap", "add_allin_threshold", "force_allin_threshold", "merging_threshold"]
    {
        for bad in ["nan", "inf", "-inf", "-0.1", "-1", "1e999"] {
            let text = with("rake_rate = 0.05\nrake_cap = 30.0", &format!("{key} = {bad}"));
            assert_eq!(complaint(&text), (format!("tree.{key}: must be a number of at least 0"), bad));
        }
        let text = with("rake_rate = 0.05\nrake_cap = 30.0", &format!("{key} = 'x'"));
        assert_eq!(complaint(&text), (format!("tree.{key}: must be a number"), "'x'"));
    }
    assert_eq!(
        complaint(&with("0.05", "5")),
        ("tree.rake_rate: the rake is a share from 0 to 1".to_owned(), "5")
    );
}

#[test]
fn sizes_that_cannot_be_read_are_pointed_at() {
    let text = with("50%, a", "50%, 2.5x");
    let message =
        "bet_sizes.turn.oop_bet: `2.5x` is for raises only: a first bet has no previous bet to multiply";
    assert_eq!(complaint(&text), (message.to_owned(), "2.5x"));
    assert!(complaint(&with("33%", "7p")).0.starts_with("bet_sizes.river.oop_donk: `7p` is not a size"));
    let message = "bet_sizes.turn.oop_bet: a comma is missing between sizes: write `33%, 75%`";
    assert_eq!(complaint(&with("50%, a", "33% 75%")), (message.to_owned(), "33% 75%"));
    let many = with("50%, a", &vec!["1c"; 100_000].join(","));
    assert_eq!(
        complaint(&many).0,
        "bet_sizes.turn.oop_bet: 100000 sizes are too many: a list has at most 100"
    );
    assert!(rendered(&many).len() < 2000);
}

#[test]
fn a_donk_on_the_flop_changes_nothing() {
    let text = with("[bet_sizes.turn]", "[bet_sizes.flop]\noop_donk = \"5%\"\n[bet_sizes.turn]");
    assert_eq!(text.parse::<Spec>().unwrap().spot.options().donk[0], None);
    let text = text.replace("5%", "5");
    assert!(
        complaint(&text)
            .0
            .starts_with("bet_sizes.flop.oop_donk: `5` can be read as 5% of the pot or as 5 times")
    );
}

#[test]
fn precisions_and_algorithms_are_read_by_street() {
    let solver = |lines: &str| with("max_iterations = 500", lines).parse::<Spec>().unwrap().solver;
    let bits = |precisions: [noregret_cfr::Precision; 3]| precisions.map(|precision| precision.bits());
    let options = solver("quantization = '16bit'\nstrategy_bits = 8");
    assert_eq!((bits(options.strategy_precision), bits(options.regret_precision)), ([8; 3], [16; 3]));
    let options = solver("regret_bits = 16\nriver.strategy_bits = 4\nriver.regret_bits = 8");
    assert_eq!(
        (bits(options.strategy_precision), bits(options.regret_precision)),
        ([32, 32, 4], [16, 16, 8])
    );
    let options = solver("alpha = 2\nbeta = -1.5\ngamma = 3\nrestarts = true\nwarm_up = 7");
    assert_eq!(options.exponents, Exponents { alpha: Some(2.0), beta: Some(-1.5), gamma: Some(3.0) });
    assert_eq!((options.restarts, options.warm_up), (true, 7));
    for algorithm in Algorithm::all() {
        assert_eq!(solver(&format!("algorithm = '{algorithm}'")).algorithm, algorithm);
    }
}

#[test]
fn solver_options_that_do_not_exist_are_refused() {
    let solver = |line: &str| complaint(&with("max_iterations = 500", line)).0;
    assert_eq!(
        solver("algorithm = 'best'"),
        "solver.algorithm: `best` is not known: accepted `dcfr`, `dcfr+`, `cfr+`, `lcfr`, `lcfr+`, `pcfr+`, `pdcfr+`, `sapcfr+`, \
         `hs-dcfr`, as in `algorithm = \"dcfr\"`"
    );
    assert_eq!(
        solver("quantization = '8bit'"),
        "solver.quantization: `8bit` is not known: accepted `32bit`, `16bit`, as in `quantization = \"16bit\"`"
    );
    assert_eq!(
        solver("regret_bits = 7"),
        "solver.regret_bits: `7` is not known: accepted `32`, `16`, `8`, `4`, as in `regret_bits = 16`"
    );
    assert_eq!(
        solver("river.strategy_bits = 64"),
        "solver.river.strategy_bits: `64` is not known: accepted `32`, `16`, `8`, `4`, as in `strategy_bits = 16`"
    );
    assert_eq!(
        solver("strategy_bits = -8"),
        "solver.strategy_bits: must be 32, 16, 8 or 4, as in `strategy_bits = 16`"
    );
    for (algorithm, key, value, having) in [
        ("lcfr", "alpha", "2", "dcfr, dcfr+ and pdcfr+"),
        ("dcfr+", "beta", "0.5", "dcfr"),
        ("hs-dcfr", "gamma", "3", "dcfr, dcfr+, pcfr+, pdcfr+ and sapcfr+"),
        ("cfr+", "restarts", "true", "dcfr and dcfr+"),
    ] {
        let expected = format!(
            "solver.{key}: the algorithm `{algorithm}` has no {key}: accepted with {having}; leave it out, or write \
             `algorithm = \"dcfr\"` with it"
        );
        assert_eq!(solver(&format!("algorithm = '{algorithm}'\n{key} = {value}")), expected);
        // What the message shows works.
        let mended = with("max_iterations = 500", &format!("algorithm = \"dcfr\"\n{key} = {value}"));
        assert!(mended.parse::<Spec>().is_ok(), "{mended}");
    }
    assert_eq!(solver("gamma = -1"), "solver.gamma: must be a number of at least 0, as in `gamma = 3`");
    assert_eq!(solver("beta = nan"), "solver.beta: must be a number, as in `beta = 0.5`");
    assert_eq!(solver("beta = -101"), "solver.beta: must be from -100 to 100, as in `beta = 0.5`");
    assert_eq!(solver("alpha = 101"), "solver.alpha: must be at most 100, as in `alpha = 1.5`");
    assert_eq!(
        solver("warm_up = -1"),
        "solver.warm_up: must be a whole number of iterations from 0 to 1000000000, as in `warm_up = 30`"
    );
    assert_eq!(
        solver("algorithm = 'cfr+'\nenable_pruning = true"),
        "solver.enable_pruning: cfr+ keeps no negative regrets, which tell what no hand wants: accepted with dcfr, \
         lcfr and hs-dcfr; leave it out, or write `algorithm = \"dcfr\"` with it"
    );
    assert!(
        with("max_iterations = 500", "algorithm = \"dcfr\"\nenable_pruning = true").parse::<Spec>().is_ok()
    );
    assert_eq!(
        solver("enable_pruning = 1"),
        "solver.enable_pruning: must be true or false, as in `enable_pruning = true`"
    );
    assert_eq!(
        solver("max_iterations = 0"),
        "solver.max_iterations: must be a whole number from 1 to 1000000000, as in `max_iterations = 1000`"
    );
    assert_eq!(
        solver("target_exploitability_pct = -1"),
        "solver.target_exploitability_pct: must be a number of at least 0, as in `target_exploitability_pct = 0.1`"
    );
    assert_eq!(
        solver("zstd_compression_level = 23"),
        "solver.zstd_compression_level: must be a whole number from 0 to 22, as in `zstd_compression_level = 3`"
    );
    let directory = with("[solver]", "[output]\ndirectory = ''\n[solver]");
    assert_eq!(complaint(&directory).0, "output.directory: must be the name of a directory");
}

#[test]
fn what_has_no_default_is_asked_for() {
    for (line, field) in [
        ("oop = \"88+,A5s-A2s:0.5,KQo\"\n", "ranges.oop"),
        ("ip = \"QQ-22,AQs-A2s\"\n", "ranges.ip"),
        ("flop = \"QsJh2h\"\n", "cards.flop"),
        ("starting_pot = 180\n", "tree.starting_pot"),
        ("effective_stack = 910\n", "tree.effective_stack"),
    ] {
        assert_eq!(complaint(&with(line, "")).0, format!("{field}: is missing"));
    }
    assert_eq!(
        rendered(&with("starting_pot = 180\n", "")),
        "error: tree.starting_pot: is missing
 --> spot.toml:9:1
  |
9 | [tree]
  | ^^^^^^
  |
  = help: write `starting_pot = 180` in [tree]"
    );
}

#[test]
fn precisions_are_picked_unless_they_are_given() {
    let options = |lines: &str| format!("{VALID}{lines}").parse::<Spec>().unwrap().solver;
    let choice = |lines| options(lines).precision_choice;
    assert_eq!(choice(""), PrecisionChoice::Auto);
    assert_eq!(choice("precision = \"auto\""), PrecisionChoice::Auto);
    assert_eq!(choice("precision = \"profile\""), PrecisionChoice::Profile);
    for lines in ["quantization = \"16bit\"", "strategy_bits = 8", "[solver.river]\nregret_bits = 8"] {
        assert_eq!(choice(lines), PrecisionChoice::Given);
    }
    let bits = |lines: &str| {
        let options = options(lines);
        assert_eq!(options.precision_choice, PrecisionChoice::Given);
        precision_text(&options.strategy_precision, &options.regret_precision)
    };
    assert_eq!(bits("strategy_bits = 8"), "8/32");
    assert_eq!(bits("precision = \"16:16:8\""), "16:16:8/16:16:8");
    assert_eq!(bits("precision = \"8/16\""), "8/16");
    assert_eq!(
        complaint(&format!("{VALID}precision = \"fine\"")),
        (
            "solver.precision: `fine` is not a precision: accepted `auto`, `profile`, bits of strategy and regrets like `8/16`, or \
             those of flop, turn and river like `16:16:8`, as in `precision = \"16:16:8\"`"
                .to_owned(),
            "\"fine\""
        )
    );
}

#[test]
fn what_is_accepted_for_each_key_of_the_solver_is_shown_by_an_example_that_works() {
    let before = VALID.split_once("max_iterations").unwrap().0;
    let keys = read::SPEC.tables.iter().flat_map(|(table, keys)| keys.iter().map(move |key| (*table, *key)));
    for (table, key) in keys.filter(|(table, _)| table.starts_with("solver")) {
        let header = if table == "solver" { String::new() } else { format!("[{table}]\n") };
        let spec = |line: &str| format!("{before}{header}{line}\n");
        for value in ["[]", "-1000", "nan", "'x'", "2020-02-02"] {
            let text = spec(&format!("{key} = {value}"));
            let (message, piece) = complaint(&text);
            assert!(message.starts_with(&format!("{table}.{key}: ")) && piece == value, "{message}");
            let example = message.rsplit_once(", as in `").and_then(|(_, rest)| rest.strip_suffix('`'));
            let example = example.unwrap_or_else(|| panic!("no example: {message}"));
            assert!(example.starts_with(&format!("{key} = ")), "{message}");
            assert!(spec(example).parse::<Spec>().is_ok(), "{message}");
        }
    }
    let text = with("max_iterations = 500", "turn.regret_bits = '8'");
    assert_eq!(
        complaint(&text).0,
        "solver.turn.regret_bits: must be 32, 16, 8 or 4, as in `regret_bits = 16`"
    );
}

#[test]
fn a_precision_is_not_set_twice() {
    let solver = |lines: &str| format!("{VALID}{lines}");
    for (precision, lines, key, piece) in [
        ("auto", "regret_bits = 16", "solver.regret_bits", "16"),
        ("profile", "quantization = \"16bit\"", "solver.quantization", "\"16bit\""),
        ("8/16", "[solver.river]\nstrategy_bits = 8", "solver.river.strategy_bits", "8"),
    ] {
        let message = format!(
            "{key}: `precision = \"{precision}\"` sets this: leave one of the two out, as in `precision = \"16:16:8\"` alone"
        );
        assert_eq!(complaint(&solver(&format!("precision = \"{precision}\"\n{lines}"))), (message, piece));
    }
}

#[test]
fn files_that_are_no_specs_are_refused() {
    let message = |bytes: &[u8]| Spec::from_bytes(bytes).unwrap_err().message;
    assert_eq!(message(b""), "the spec is empty");
    assert_eq!(message(b"# nothing\n"), "the spec is empty");
    assert_eq!(message(b"[ranges]\n\xff\xfe"), "this is not a text file: line 2 is not UTF-8");
    assert!(message(b"\x00\x01\x02").starts_with("this is not TOML: "));
    assert!(message(b"ranges = 5\nranges = 6").starts_with("this is not TOML: "));
    assert_eq!(message(b"ranges = 5"), "ranges: must be a table, written [ranges]");
    assert_eq!(
        message(b"[bet_sizes]\nflop = 5"),
        "bet_sizes.flop: must be a table, written [bet_sizes.flop]"
    );
    assert_eq!(message(b"[[tree]]"), "tree: must be a table, written [tree]");
    assert!(message(b"<html>").starts_with("this is not TOML: "));
    let huge = vec![b'#'; 100_000_000];
    assert_eq!(message(&huge), "this is not a spec: it is longer than 4194304 bytes");
    for deep in ["[".repeat(1_000_000), format!("a = {}", "[".repeat(1_000_000)), "a.".repeat(500_000)] {
        assert!(deep.parse::<Spec>().is_err());
    }
}

#[test]
fn ranges_of_ten_thousand_groups_read_quickly() {
    let groups = vec!["AhKh:0.25"; 10_000].join(",");
    assert!(with("QQ-22", &groups).parse::<Spec>().is_ok());
    let text = with("QQ-22", &format!("{groups},bad,{groups}"));
    assert_eq!(complaint(&text).1, "bad");
    let shown = rendered(&text);
    assert!(shown.len() < 2000 && shown.contains("bad") && shown.contains("^^^"), "{shown}");
}

/// Nothing about a text may panic: not reading it, and not saying what is wrong with it.
fn survives(bytes: &[u8]) {
    if let Err(error) = Spec::from_bytes(bytes) {
        let text = String::from_utf8_lossy(bytes);
        for colour in [false, true] {
            assert!(error.render("spot.toml", &text, colour).contains("error"));
        }
    }
}

proptest! {
    #[test]
    fn random_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survives(&bytes);
    }

    #[test]
    fn random_text_does_not_panic(text in "\\PC{0,100}|([\\[\\]=\"'.,#\n a-z0-9]|tree|cards|ranges){0,60}") {
        survives(text.as_bytes());
    }

    #[test]
    fn mutated_specs_do_not_panic(
        edits in prop::collection::vec((0..VALID.len(), 0usize..6, prop::collection::vec(any::<u8>(), 0..4)), 1..4),
    ) {
        let mut bytes = VALID.as_bytes().to_vec();
        for (at, cut, insert) in edits {
            let at = at.min(bytes.len());
            let end = (at + cut).min(bytes.len());
            bytes.splice(at..end, insert);
        }
        survives(&bytes);
    }

    #[test]
    fn specs_with_values_out_of_place_do_not_panic(
        line in prop::sample::select(VALID.lines().filter(|line| line.contains('=')).collect::<Vec<_>>()),
        value in "nan|-?inf|-?[0-9]{1,30}|[0-9]{1,3}[.][0-9]{1,3}(e[0-9]{1,4})?|\"[0-9a-zA-Z%,:+é -]{0,20}\"|true|\\[\\]|\\{\\}|'''\n[a-z,]{0,9}'''",
    ) {
        let key = line.split('=').next().unwrap();
        survives(VALID.replacen(line, &format!("{key}= {value}"), 1).as_bytes());
    }
}

#[test]
fn a_warm_start_is_on_where_its_table_is() {
    let warm = |lines: &str| with("max_iterations = 500", lines).parse::<Spec>().unwrap().solver.warm_start;
    assert_eq!(warm(""), WarmStart::default());
    assert!(!WarmStart::default().enabled);
    let on = WarmStart { enabled: true, ..WarmStart::default() };
    assert_eq!(format!("{VALID}\n[solver.warm_start]\n").parse::<Spec>().unwrap().solver.warm_start, on);
    assert_eq!(warm("warm_start = {}"), on);
    assert_eq!(warm("warm_start.weight = 'auto'"), on);
    let all = "warm_start.iterations = 30\nwarm_start.weight = 12\nwarm_start.sizes = 2";
    assert_eq!(warm(all), WarmStart { enabled: true, iterations: 30, weight: Some(12), sizes: 2 });
    let off = warm(&format!("{all}\nwarm_start.enabled = false"));
    assert_eq!(off, WarmStart { enabled: false, iterations: 30, weight: Some(12), sizes: 2 });
}

#[test]
fn a_warm_start_that_cannot_be_is_refused() {
    let error = |line: &str| with("max_iterations = 500", line).parse::<Spec>().unwrap_err();
    let warm = |line: &str| error(&format!("warm_start.{line}")).to_string();
    assert_eq!(warm("iteration = 30"), "unknown key `solver.warm_start.iteration`");
    assert_eq!(
        error("warm_start.iteration = 30").help.unwrap(),
        "did you mean `iterations`? The keys here are: enabled, iterations, weight, sizes"
    );
    assert_eq!(
        warm("iterations = 0"),
        "solver.warm_start.iterations: must be a whole number from 1 to 1000000, as in `iterations = 20`"
    );
    for weight in ["0", "true", "1e7"] {
        assert_eq!(
            warm(&format!("weight = {weight}")),
            "solver.warm_start.weight: must be a whole number of iterations or \"auto\", from 1 to 1000000, as in `weight = 10`"
        );
    }
    assert_eq!(
        warm("weight = 'much'"),
        "solver.warm_start.weight: must be a number of iterations or \"auto\", as in `weight = 10`"
    );
    assert_eq!(
        warm("sizes = 0"),
        "solver.warm_start.sizes: must be a whole number from 1 to 64, as in `sizes = 1`"
    );
    assert_eq!(
        warm("enabled = 1"),
        "solver.warm_start.enabled: must be true or false, as in `enabled = true`"
    );
    assert_eq!(
        error("warm_start = true").to_string(),
        "solver.warm_start: must be a table, written [solver.warm_start]"
    );
}

#[test]
fn keys_that_mean_something_else_lead_there() {
    let plan = rendered("[batch]\nspec = \"spot.toml\"\nout = \"solved\"\n");
    assert!(plan.contains("this is the plan of a batch, and not a spec: `noregret batch` runs it"), "{plan}");
    let rake = rendered(&with("[tree]", "[tree]\nrake = 0.05"));
    assert!(rake.contains("did you mean `rake_rate` or `rake_cap`?"), "{rake}");
}
