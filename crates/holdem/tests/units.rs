//! Spots in big blinds and with decimals: the same as in whole chips, but for the unit.

use noregret_holdem::{
    BettingTree, GameLayout, Granularity, Line, OOP, Player, ShownUnit, Solution, Solver, Spec, Unit,
};
use proptest::prelude::*;

/// A spec with these keys of `[tree]` and sizes on all streets.
fn spec(board: &str, tree: &str, bet: &str, raise: &str) -> Result<Spec, String> {
    let cards: Vec<&str> = board.split(' ').collect();
    let dealt =
        ["turn", "river"].iter().zip(&cards[1..]).map(|(street, card)| format!("{street} = '{card}'\n"));
    let sizes = ["flop", "turn", "river"].map(|street| {
        format!("[bet_sizes.{street}]\noop_bet = '{bet}'\nip_bet = '{bet}'\noop_raise = '{raise}'\nip_raise = '{raise}'\n")
    });
    let text = format!(
        "[ranges]\noop = 'AA,QQ,T9s,87s'\nip = 'KK,JJ,AQs'\n[cards]\nflop = '{}'\n{}[tree]\n{tree}\n{}",
        cards[0],
        dealt.collect::<String>(),
        sizes.concat()
    );
    text.parse().map_err(|error: noregret_holdem::SpecError| error.to_string())
}

fn tree(keys: &str) -> Result<Spec, String> {
    spec("QsJh2h 8c 3d", keys, "33%", "2.5x")
}

fn solved(spec: &Spec, iterations: u32) -> Solver {
    let game = GameLayout::new(&spec.spot).unwrap().build();
    let mut solver = Solver::with_options(game, &spec.solver);
    (0..iterations).for_each(|_| solver.iterate());
    solver
}

fn actions(spec: &Spec, line: &str) -> Vec<String> {
    let preview = spec.spot.preview(&line.parse().unwrap()).unwrap();
    preview.actions.iter().map(ToString::to_string).collect()
}

#[test]
fn a_third_of_five_and_a_half_blinds_is_one_point_eight() {
    let blinds = tree("starting_pot = 5.5\neffective_stack = 97.5\nunit = 'bb'").unwrap();
    assert_eq!(blinds.spot.granularity(), Granularity::Tenths);
    assert_eq!(actions(&blinds, ""), ["check", "bet 1.8"]);
    assert_eq!(actions(&blinds, "bet 1.8"), ["fold", "call", "raise 4.5"]);
    assert_eq!(actions(&blinds, "bet 1.80"), actions(&blinds, "r:0:b1.8"));
    assert_eq!(actions(&blinds, "bet 33%"), actions(&blinds, "bet 1.8"));
    // Without a unit the amounts are chips, and just as fine.
    let chips = tree("starting_pot = 5.5\neffective_stack = 97.5").unwrap();
    assert_eq!(actions(&chips, ""), ["check", "bet 1.8"]);
    // Whole blinds are as fine as tenths; whole chips are whole.
    let whole = tree("starting_pot = 6\neffective_stack = 97\nunit = 'bb'").unwrap();
    assert_eq!(actions(&whole, ""), ["check", "bet 2"]);
    assert_eq!(
        actions(
            &spec("QsJh2h 8c 3d", "starting_pot = 6\neffective_stack = 97\nunit = 'bb'", "40%", "a").unwrap(),
            ""
        ),
        ["check", "bet 2.4"]
    );
    assert_eq!(
        actions(&spec("QsJh2h 8c 3d", "starting_pot = 6\neffective_stack = 97", "40%", "a").unwrap(), ""),
        ["check", "bet 2"]
    );
    // The finest amount decides, a size or an added line too.
    let quarter = tree("starting_pot = 5.25\neffective_stack = 97.5\nunit = 'bb'").unwrap();
    assert_eq!(actions(&quarter, ""), ["check", "bet 1.73"]);
    let size = spec("QsJh2h 8c 3d", "starting_pot = 6\neffective_stack = 97", "33%, 1.25c", "a").unwrap();
    assert_eq!(actions(&size, ""), ["check", "bet 1.25", "bet 1.98"]);
    let added = tree("starting_pot = 6\neffective_stack = 97\n[[tree.add]]\nline = 'bet 0.5'").unwrap();
    assert_eq!(actions(&added, ""), ["check", "bet 0.5", "bet 2"]);
    // The least bet is the smallest amount.
    let tiny = spec("QsJh2h 8c 3d", "starting_pot = 0.5\neffective_stack = 3", "1%", "a").unwrap();
    assert_eq!(actions(&tiny, ""), ["check", "bet 0.1"]);
}

#[test]
fn whole_specs_have_whole_trees_and_print_without_a_unit() {
    let whole = tree("starting_pot = 180\neffective_stack = 910").unwrap();
    assert_eq!((whole.spot.granularity(), whole.spot.options().unit), (Granularity::Whole, Unit::Chips));
    assert!(!whole.to_string().contains("unit"));
    let same = tree("starting_pot = 180.0\neffective_stack = 910\nunit = 'chips'").unwrap();
    assert_eq!(same.digest(), whole.digest());
    let blinds = tree("starting_pot = 5.5\neffective_stack = 97.5\nunit = 'BB'\nbig_blind = 2").unwrap();
    assert!(
        blinds
            .to_string()
            .contains("starting_pot = 5.5\neffective_stack = 97.5\nunit = \"bb\"\nbig_blind = 2.0\n")
    );
    assert_eq!(blinds.to_string().parse(), Ok(blinds.clone()));
    let format = blinds.spot.options().amount_format(Some(ShownUnit::Chips)).unwrap();
    assert_eq!(format.text(5.5, 5.5), "11 chips");
}

#[test]
fn locks_and_edits_take_decimals() {
    let keys = "starting_pot = 5.5\neffective_stack = 97.5\nunit = 'bb'\n[[tree.remove]]\nline = 'check, bet 1.8'\n\
                [[locks]]\nline = 'bet 1.8'\nstrategy = { fold = 0.25, 'raise 4.5' = 0.75 }";
    let spec = tree(keys).unwrap();
    assert_eq!(actions(&spec, "check"), ["check"]);
    assert_eq!(spec.spot.locks()[0].line.to_string(), "bet 1.8");
    assert_eq!(spec.to_string().parse(), Ok(spec));
}

#[test]
fn what_makes_no_sense_is_refused_with_what_does() {
    let refused = |keys: &str| tree(keys).unwrap_err();
    let stack = "effective_stack = 97.5\n";
    let amount = "must be an amount above 0 and up to 1000000000, with at most two decimals, as in `starting_pot = 5.5`";
    for bad in ["nan", "-5.5", "0", "0.0", "5.555", "inf", "1e300", "'5.5bb'", "0.001"] {
        assert_eq!(
            refused(&format!("{stack}starting_pot = {bad}")),
            format!("tree.starting_pot: {amount}"),
            "{bad}"
        );
    }
    let fine = format!("{stack}starting_pot = 5.5\n");
    assert_eq!(
        refused(&format!("{fine}unit = 'euro'")),
        "tree.unit: `euro` is not a unit of amounts: write `unit = \"chips\"` or `unit = \"bb\"`"
    );
    assert_eq!(refused(&format!("{fine}unit = 2")), "tree.unit: must be a string in quotes");
    for bad in ["0", "-2", "nan", "inf", "'2'"] {
        let blind = "tree.big_blind: must be a number of chips above 0, as in `big_blind = 2`";
        assert_eq!(refused(&format!("{fine}unit = 'bb'\nbig_blind = {bad}")), blind, "{bad}");
    }
    assert_eq!(
        refused(&format!("{fine}big_blind = 2")),
        "tree.starting_pot: `5.5` can be read as chips or as big blinds, since there is a `big_blind`: write \
         `unit = \"chips\"` or `unit = \"bb\"`"
    );
    assert!(tree("starting_pot = 11\neffective_stack = 195\nbig_blind = 2").is_ok());
    assert_eq!(
        refused("starting_pot = 5.5\neffective_stack = 1000000000"),
        "tree.effective_stack: is too large: where amounts are multiples of 0.1, 100000000 is the most"
    );
    assert_eq!(
        refused(&format!("{fine}[[tree.remove]]\nline = 'bet 1.85'")),
        "tree.remove[0].line: there is no `bet 1.85` at the root: there is `check`, `bet 1.8`"
    );
    assert_eq!(
        refused(&format!("{fine}[[tree.add]]\nline = 'bet 97.6'")),
        "tree.add[0].line: `bet 97.6` is not possible at the root: amounts from 0.1 to 97.5 are"
    );
}

/// A line of the tree in whole chips, where one of the finer tree is so many times as large.
fn scaled(line: &Line, times: f64) -> String {
    let steps = line.steps.iter().map(|step| {
        let text = step.to_string();
        match text.split_once(' ') {
            Some((name, amount)) => format!("{name} {}", (times * amount.parse::<f64>().unwrap()).round()),
            None => text,
        }
    });
    steps.collect::<Vec<_>>().join(", ")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn decimals_are_whole_chips_of_a_smaller_unit(
        pot in 1u32..200,
        stack in 1u32..900,
        decimals in 1u32..=2,
        river in any::<bool>(),
        bet in prop::sample::select(vec!["33%, 75%", "e, a", "medium", "50%"]),
        raise in prop::sample::select(vec!["2.5x", "45%", "full", ""]),
        cap in prop::option::of(1u32..30),
    ) {
        let times = 10f64.powi(decimals as i32);
        let board = if river { "QsJh2h 8c 3d" } else { "QsJh2h 8c" };
        let keys = |pot: f64, stack: f64, cap: Option<f64>, unit: &str| {
            let rake = cap.map_or(String::new(), |cap| format!("rake_rate = 0.05\nrake_cap = {cap:?}\n"));
            format!("starting_pot = {pot:?}\neffective_stack = {stack:?}\n{rake}{unit}merging_threshold = 0.3\nadd_allin_threshold = 0.0")
        };
        let small = |count: u32| f64::from(count) / times;
        // The pot decides how fine amounts are: the last digit is not 0.
        let pot = if pot % 10 == 0 { pot + 1 } else { pot };
        let fine = spec(board, &keys(small(pot), small(stack), cap.map(small), "unit = 'bb'\n"), bet, raise).unwrap();
        let whole = spec(board, &keys(pot.into(), stack.into(), cap.map(f64::from), ""), bet, raise).unwrap();
        prop_assert_eq!(fine.spot.granularity().per_chip(), times as u32);
        let within = |spec: &Spec| BettingTree::build_within(spec.spot.options(), spec.spot.board().street(), 3_000);
        let (Ok(fine_tree), Ok(whole_tree)) = (within(&fine), within(&whole)) else { return Ok(()) };
        prop_assert_eq!(fine_tree.chip_lines(), whole_tree.chip_lines());

        let (fine, whole) = (solved(&fine, 8), solved(&whole, 8));
        prop_assert_eq!(fine.digest(), whole.digest());
        prop_assert_eq!(fine.exploitability_pct(), whole.exploitability_pct());
        let near = |fine: f64, whole: f64| (times * fine - whole).abs() <= 1e-9 * whole.abs().max(1.0);
        for player in Player::BOTH {
            prop_assert!(near(fine.ev(player), whole.ev(player)));
            prop_assert!(near(fine.results().best_response[player.index()], whole.results().best_response[player.index()]));
        }
        let (fine, whole) = (Solution::from(fine), Solution::from(whole));
        let root = fine.at("").unwrap();
        for action in &root.actions {
            let line: Line = action.to_string().parse().unwrap();
            let (a, b) = (fine.at(&line).unwrap(), whole.at(scaled(&line, times).as_str()).unwrap());
            prop_assert_eq!(&a.frequencies, &b.frequencies);
            prop_assert!(a.ev(OOP).is_none() == b.ev(OOP).is_none());
            prop_assert!(a.ev(OOP).zip(b.ev(OOP)).is_none_or(|(a, b)| near(a, b)), "{line}: {:?} {:?}", a.ev(OOP), b.ev(OOP));
        }
    }
}
