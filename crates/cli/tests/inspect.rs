//! `noregret inspect`: what people see of a solution file.

mod common;

use common::noregret::{command, noregret, solved};
use common::{RIVER, Run, TURN};
use serde_json::Value;
use std::path::Path;

fn inspect(home: &Path, args: &[&str]) -> Run {
    noregret(home, &[&["inspect", "spot.nrs"], args].concat())
}

fn json(home: &Path, args: &[&str]) -> Value {
    inspect(home, &[&["--json"], args].concat()).ok().json()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

#[test]
fn a_point_has_players_actions_and_a_matrix_in_80_columns() {
    let home = solved(RIVER, &[]);
    let run = inspect(home.path(), &[]).ok();
    for words in
        ["Board  QsJh2h8c3d   pot 180", "OOP to act", "OOP's hands and what they do", "walk on with --line"]
    {
        assert!(run.stdout.contains(words), "{words}: {run:?}");
    }
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 80), "{run:?}");
    assert!(!run.stdout.contains('\u{1b}'), "{run:?}");
    // Nines are not in the range; the legend says so.
    assert!(run.stdout.contains(" 99 ") && run.stdout.contains("· not in the range"), "{run:?}");
    let coloured = |variables: &[(&str, &str)]| {
        let mut command = command(home.path(), &["inspect", "spot.nrs"]);
        Run::from(command.envs(variables.iter().copied()).output().unwrap()).stdout.contains('\u{1b}')
    };
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn the_numbers_of_the_root_are_those_of_the_solve() {
    let home = solved(TURN, &["--target", "1"]);
    let root = json(home.path(), &[]);
    let again = noregret(home.path(), &["solve", "spot.toml", "--target", "1", "--json"]).ok().json();
    for player in ["oop", "ip"] {
        assert!((number(&root["players"][player]["ev"]) - number(&again["ev"][player])).abs() < 1e-3);
        assert!((number(&root["players"][player]["equity"]) - number(&again["equity"][player])).abs() < 1e-6);
    }
    for (action, solved) in
        root["actions"].as_array().unwrap().iter().zip(again["root"]["actions"].as_array().unwrap())
    {
        assert_eq!((&action["action"], &action["amount"]), (&solved["action"], &solved["amount"]));
        assert!((number(&action["frequency"]) - number(&solved["frequency"])).abs() < 1e-6);
    }
    let matrix = root["matrix"].as_object().unwrap();
    let combos: f64 = matrix.values().map(|cell| number(&cell["combos"])).sum();
    assert!((combos - number(&root["players"]["oop"]["combos"])).abs() < 1e-6);
}

#[test]
fn a_line_with_colons_is_the_line_with_words() {
    let home = solved(TURN, &["--target", "2"]);
    let words = json(home.path(), &["--line", "check, bet 90, call, Th, bet 180"]);
    let colons = json(home.path(), &["--line", "r:0:c:b90:c:Th:b270"]);
    assert_eq!(words, colons);
    assert_eq!(words["colon"], "r:0:c:b90:c:Th:b270");
    assert_eq!(
        (&words["player"], &words["board"], &words["pot"]),
        (&"ip".into(), &"QsJh2h8cTh".into(), &540.0.into())
    );
}

#[test]
fn hands_are_listed_sorted_and_filtered() {
    let home = solved(TURN, &["--target", "2"]);
    let all = json(home.path(), &["--hands"]);
    let by_ev = json(home.path(), &["--hands", "--sort", "ev"]);
    let (all, by_ev) = (all["hands"].as_array().unwrap(), by_ev["hands"].as_array().unwrap());
    assert_eq!(all.len(), by_ev.len());
    assert!(by_ev.windows(2).all(|pair| number(&pair[0]["ev"]) >= number(&pair[1]["ev"])));
    let upwards = json(home.path(), &["--hands", "--sort", "ev", "--reverse"]);
    assert_eq!(upwards["hands"][0], by_ev[by_ev.len() - 1]);
    let draws = json(home.path(), &["--hands", "--filter", "flush draw, equity<0.9"]);
    let draws = draws["hands"].as_array().unwrap();
    assert!(!draws.is_empty() && draws.len() < all.len());
    for hand in draws {
        assert!(hand["draws"].as_array().unwrap().contains(&"flush draw".into()), "{hand}");
        assert!(number(&hand["equity"]) < 0.9);
    }
    let run = inspect(home.path(), &["--hands", "--filter", "set"]).ok();
    assert!(run.stdout.contains("of OOP's") && run.stdout.contains("QdQc  set"), "{run:?}");
}

#[test]
fn one_hand_is_told_in_detail_and_one_that_is_not_there_as_such() {
    let home = solved(RIVER, &[]);
    let run = inspect(home.path(), &["--hand", "QdQc"]).ok();
    assert!(run.stdout.contains("QdQc of OOP: set") && run.stdout.contains("to best"), "{run:?}");
    let run = inspect(home.path(), &["--hand", "KdKc"]).ok();
    assert!(run.stdout.contains("KdKc is not in OOP's range"), "{run:?}");
    let run = inspect(home.path(), &["--hand", "QsKc"]).ok();
    assert!(run.stdout.contains("KcQs is not possible: the board has a card of it"), "{run:?}");
    // After a fold on the river nobody has a set of queens left.
    let run =
        inspect(home.path(), &["--line", "check, bet 90, fold", "--hand", "QdQc", "--player", "oop"]).ok();
    assert!(run.stdout.contains("It does not get here.") && run.stdout.contains("OOP has folded"), "{run:?}");
    let hand = json(home.path(), &["--line", "check, bet 90, fold", "--hand", "QdQc", "--player", "oop"]);
    assert_eq!(
        (&hand["hands"][0]["gets_here"], &hand["hands"][0]["strategy"]),
        (&false.into(), &Value::Null)
    );
}

#[test]
fn where_a_card_is_dealt_the_cards_are_shown() {
    let home = solved(TURN, &["--target", "2"]);
    let run = inspect(home.path(), &["--line", "check, check"]).ok();
    assert!(
        run.stdout.contains("a card is dealt") && run.stdout.contains("What OOP expects after each card"),
        "{run:?}"
    );
    let cards = json(home.path(), &["--line", "check, check"]);
    let cards = cards["cards"].as_array().unwrap();
    assert_eq!(cards.len(), 48);
    let ten = cards.iter().find(|card| card["card"] == "Th").unwrap();
    let there = json(home.path(), &["--line", "check, check, Th"]);
    assert_eq!(ten["players"], there["players"]);
    // A file without rivers tells as much: all rivers of a line are solved again at once.
    let home = solved(TURN, &["--target", "2", "--save", "turn"]);
    let run = inspect(home.path(), &["--line", "check, check"]).ok();
    assert!(run.stdout.contains("What OOP expects after each card"), "{run:?}");
    let cards = json(home.path(), &["--line", "check, check"]);
    let ten = cards["cards"].as_array().unwrap().iter().find(|card| card["card"] == "Th").unwrap();
    let there = json(home.path(), &["--line", "check, check, Th"]);
    assert_eq!(ten["players"], there["players"]);
}

/// Nothing but all-ins, so that a flop is quick.
const FLOP: &str = "[ranges]\noop = '99,AKs'\nip = '88,AQs'\n[cards]\nflop = '2c3d4h'\n[tree]\nstarting_pot = 20\n\
                    effective_stack = 30\n[bet_sizes.flop]\noop_bet = ''\nip_bet = ''\n[bet_sizes.turn]\noop_bet = 'a'\n\
                    ip_bet = 'a'\n[bet_sizes.river]\noop_bet = 'a'\nip_bet = 'a'\n";

#[test]
fn turns_that_are_left_out_are_listed_and_solved_where_one_walks() {
    let home = solved(FLOP, &["--target", "1", "--save", "flop"]);
    let run = inspect(home.path(), &["--line", "check, check"]).ok();
    assert!(run.stdout.contains("The file leaves the turn out: each card is solved again"), "{run:?}");
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 80), "{run:?}");
    let run = inspect(home.path(), &["--line", "check, check, Th"]).ok();
    assert!(run.stdout.contains("2c3d4hTh") && run.stdout.contains("OOP can"), "{run:?}");
    // The rivers of that turn come with it.
    let run = inspect(home.path(), &["--line", "check, check, Th, check, check"]).ok();
    assert!(run.stdout.contains("What OOP expects after each card"), "{run:?}");
    // Where nobody acts, a hand is looked for in both ranges.
    let run = inspect(home.path(), &["--line", "check, check", "--hand", "8d8c"]).ok();
    assert!(run.stdout.contains("8d8c of IP"), "{run:?}");
}

#[test]
fn a_wrong_request_says_what_there_is() {
    let home = solved(RIVER, &[]);
    let refused = |args: &[&str], words: &str| {
        let run = inspect(home.path(), args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.stderr.contains(words), "{words}: {run:?}");
    };
    refused(&["--line", "bet 7"], "there is no `bet 7` at the root: there is `check`, `bet 90`");
    refused(&["--line", "jump"], "--line: `jump` is not a step");
    refused(&["--line", "r:0:x"], "--line: `x` is not a step of a line with colons");
    refused(&["--hands", "--filter", "luck"], "--filter: `luck` chooses no hands");
    refused(
        &["--hands", "--sort", "luck"],
        "--sort: `luck` is nothing to sort by here: there is hand, made, ev",
    );
    refused(&["--hand", "AhAh"], "`AhAh` is not a hand");
    let run = noregret(home.path(), &["inspect", "none.nrs"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("there is no solution file none.nrs"), "{run:?}");
    let run = noregret(home.path(), &["inspect", "spot.toml"]);
    assert_eq!(run.code, Some(1), "{run:?}");
}
