//! Strategies that are set, and those that are locked.

mod common;

use common::{RIVER, answers, last, numbers, reasons, result, solved};
use noregret_cards::Hole;
use noregret_holdem::Spec;

/// On this flop clubs and diamonds are alike, and so are the turns that they make.
const FLOP: &str = "set_board QsJh2h\nset_range OOP AA,T9s\nset_range IP KK,99\nset_pot 0 0 100\nset_eff_stack 50\nadd_line 50\n\
                    add_line 0 50\nadd_line 0 0 50\nbuild_tree\ngo 20\nwait_for_solver\n";

/// A row with the same number for every hand.
fn row(share: &str) -> String {
    vec![share; 1326].join(" ")
}

/// The rows of a strategy with other numbers for one hand, as arguments of `set_strategy`.
fn with_hand(rows: &str, hand: &str, shares: &[&str]) -> String {
    let place = hand.parse::<Hole>().unwrap().index();
    let with = |(row, share): (&str, &&str)| {
        let mut numbers: Vec<&str> = row.split_whitespace().collect();
        numbers[place] = share;
        numbers.join(" ")
    };
    rows.lines().zip(shares).map(with).collect::<Vec<_>>().join(" ")
}

#[test]
fn strategies_that_are_set_are_played_and_locked_ones_are_solved_around() {
    let head = format!("{RIVER}set_accuracy 0.2\nbuild_tree\ngo\nwait_for_solver\n");
    let before = last(&format!("{head}calc_results\n"));
    // OOP checks everything: the second row is that of the second child.
    let set = format!("set_strategy r:0 {} {}\n", row("0"), row("1"));
    let ev = |results: &str| result(results, "EV OOP");
    let script = format!(
        "{head}{set}show_strategy r:0\ncalc_results\nshow_node r:0\nlock_node r:0\nshow_node r:0\ngo\nwait_for_solver\n\
         show_strategy r:0\ncalc_results\nunlock_node r:0\ngo\nwait_for_solver\nshow_node r:0\ncalc_results\n\
         show_range OOP r:0:c\n"
    );
    let after = answers(&script);
    let tail = &after[after.len() - 16..];
    assert_eq!(tail[0], "set_strategy ok!");
    let shown: Vec<Vec<f64>> = tail[1].lines().map(numbers).collect();
    assert_eq!((shown[0][1325], shown[1][1325]), (0.0, 1.0));
    // A node that is only set is not locked, and a best response of its player is free there.
    assert!(tail[3].ends_with("flags: PIO_ALG \n") && tail[5].ends_with("flags: PIO_ALG LOCKED \n"));
    assert_eq!(result(&tail[2], "OOP's MES"), result(&before, "OOP's MES"));
    assert!(result(&tail[2], "IP's MES") > result(&before, "IP's MES") + 1.0, "{} {before}", tail[2]);
    assert_eq!(tail[8].lines().map(numbers).collect::<Vec<_>>(), shown);
    // Solving around it makes the best of it for IP; solving without it is what was there before.
    assert!(ev(&tail[9]) <= ev(&tail[2]) + 0.5, "{tail:?}");
    assert!(tail[13].ends_with("flags: PIO_ALG \n"));
    let values = |results: &str| results.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(values(&tail[14]), values(&before));
    assert!(numbers(&tail[15])[1325] < 1.0);
    // With the lock it is the spec with the lock.
    let spec = "[ranges]\noop = 'AA,QQ,T9s,87s'\nip = 'KK,JJ,AQs'\n[cards]\nflop = 'QsJh2h'\nturn = '8c'\nriver = '3d'\n[tree]\n\
                starting_pot = 180\neffective_stack = 910\nadd_allin_threshold = 0\nforce_allin_threshold = 0\nmerging_threshold = 0\n\
                [bet_sizes.river]\noop_bet = '50%'\nip_bet = '50%'\noop_raise = '2.5x, a'\nip_raise = '2.5x, a'\n\
                [[tree.remove]]\nline = 'bet 90, all-in'\n[[tree.remove]]\nline = 'check, bet 90, all-in'\n\
                [[tree.remove]]\nline = 'bet 90, raise 225, raise 563'\n[[tree.remove]]\nline = 'check, bet 90, raise 225, raise 563'\n\
                [[locks]]\nline = ''\nstrategy = 'check'\n";
    let mut spec: Spec = spec.parse().unwrap();
    spec.solver.target_exploitability_pct = 100.0 * 0.2 / 180.0;
    spec.solver.max_iterations = 1_000_000;
    let results = solved(&spec).results();
    assert!((results.ev[0] - ev(&tail[9])).abs() < 1e-5, "{results:?} {}", tail[9]);
}

#[test]
fn a_strategy_that_is_set_where_nobody_plays_to_is_read_back() {
    let check = format!("set_strategy r:0 {} {}\n", row("0"), row("1"));
    let set = format!("set_strategy r:0:b90:b225 {} {} {}\n", row("0.5"), row("0.25"), row("0.25"));
    let read = "show_strategy r:0:b90:b225\n";
    let script = format!(
        "{RIVER}build_tree\ngo 20\nwait_for_solver\n{check}{set}{read}lock_node r:0:b90:b225\n{read}"
    );
    let answers = answers(&script);
    let [set, _, locked] = &answers[answers.len() - 3..] else { panic!() };
    let aces: Vec<f64> = set.lines().map(|row| numbers(row)[1325]).collect();
    assert_eq!((aces, locked), (vec![0.5, 0.25, 0.25], set));
}

#[test]
fn a_strategy_that_is_only_set_is_forgotten_by_the_next_solve() {
    let set = format!("set_strategy r:0 {} {}\n", row("0"), row("1"));
    let script = format!(
        "{RIVER}set_accuracy 0.2\nbuild_tree\ngo\nwait_for_solver\n{set}calc_results\ngo\nwait_for_solver\ncalc_results\nshow_range OOP r:0:b90\n"
    );
    let answers = answers(&script);
    let [set, _, _, solved, range] = &answers[answers.len() - 5..] else { panic!() };
    assert!(result(set, "Exploitable for") > 1.0, "{set}");
    assert!(result(solved, "Exploitable for") <= 0.2, "{solved}");
    assert!(numbers(range).iter().sum::<f64>() > 0.1);
    assert_eq!(reasons(&script), ["(required accuracy reached)", "(required accuracy reached)"]);
}

#[test]
fn a_strategy_that_is_only_set_is_saved_as_it_is_played_and_stays_free() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("set.nrs").display().to_string();
    let set = format!("set_strategy r:0 {} {}\n", row("0.25"), row("0.75"));
    let script = format!(
        "{RIVER}set_accuracy 0.2\nbuild_tree\ngo\nwait_for_solver\n{set}show_strategy r:0\ncalc_results\ndump_tree {path}\n"
    );
    let live = answers(&script);
    let [strategy, results, _] = &live[live.len() - 3..] else { panic!() };
    let script = format!(
        "load_tree {path}\nshow_strategy r:0\ncalc_results\nshow_node r:0\nunlock_node r:0\nset_accuracy 0.2\ngo\nwait_for_solver\ncalc_results\n"
    );
    let loaded = answers(&script);
    assert_eq!((&loaded[1], &numbers(&strategy.replace('\n', ""))[1325]), (strategy, &0.25));
    assert_eq!(loaded[2].lines().skip(1).collect::<Vec<_>>(), results.lines().skip(1).collect::<Vec<_>>());
    assert!(loaded[3].ends_with("flags: PIO_ALG \n"), "{}", loaded[3]);
    assert_eq!(loaded[4], "unlock_node ok!");
    assert!(result(&loaded[8], "Exploitable for") <= 0.2, "{}", loaded[8]);
    assert_eq!(reasons(&script), ["(required accuracy reached)"]);
}

#[test]
fn a_lock_that_was_saved_before_it_was_solved_is_solved_from_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("locked.nrs").display().to_string();
    let set = format!("set_strategy r:0 {} {}\nlock_node r:0\n", row("0"), row("1"));
    let solve = "go\nwait_for_solver\ncalc_results\n";
    let script =
        format!("{RIVER}set_accuracy 0.2\nbuild_tree\ngo\nwait_for_solver\n{set}dump_tree {path}\n{solve}");
    let live = last(&script);
    let script =
        format!("load_tree {path}\nset_accuracy 0.2\nshow_node r:0\n{solve}show_range OOP r:0:b90\n");
    let loaded = answers(&script);
    assert!(
        loaded[2].ends_with("LOCKED \n") && result(&loaded[5], "Exploitable for") <= 0.2,
        "{}",
        loaded[5]
    );
    assert!((result(&loaded[5], "EV OOP") - result(&live, "EV OOP")).abs() < 0.4, "{} {live}", loaded[5]);
    assert_eq!(numbers(&loaded[6]).iter().sum::<f64>(), 0.0);
}

#[test]
fn wrong_strategies_are_refused() {
    let head = format!("{RIVER}set_accuracy 1\nbuild_tree\ngo\nwait_for_solver\n");
    let refused = |rows: String| last(&format!("{head}set_strategy r:0 {rows}\n"));
    assert_eq!(
        refused(format!("{} {}", row("0.3"), row("0.3"))),
        "ERROR: set_strategy: 8d7d: the frequencies add up to 0.6, not to 1"
    );
    assert!(
        refused(format!("{} {}", row("-1"), row("2")))
            .contains("a frequency must be a number from 0 to 1, not 2")
    );
    assert!(refused(format!("{} {}", row("x"), row("2"))).ends_with("`x` is not a number"));
}

#[test]
fn strategies_that_tell_suits_apart_are_set_locked_and_read_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("apart.nrs").display().to_string();
    let nodes = "show_strategy r:0:c:c:Tc\nshow_strategy r:0:c:c:Td\nshow_strategy r:0:b50\n";
    let before = answers(&format!("{FLOP}show_strategy r:0\nshow_strategy r:0:c\n{nodes}calc_results\n"));
    let [root, checked, after @ ..] = &before[before.len() - 6..] else { panic!() };
    let first = with_hand(root, "Td9d", &["0.5", "0.5"]);
    let second = with_hand(checked, "9s9d", &["1", "0"]);
    let script = format!(
        "{FLOP}set_strategy r:0 {first}\n{nodes}calc_results\nsolver_time\ndump_tree {path}\n\
         set_strategy r:0:c {second}\nshow_strategy r:0\nshow_strategy r:0:c\nlock_node r:0\nlock_node r:0:c\nlock_node r:0:b50\n\
         show_node r:0\ncalc_results\nshow_range OOP r:0:b50\ndump_tree {path}\ngo 20\nwait_for_solver\nshow_strategy r:0\n\
         show_strategy r:0:c\nload_tree {path}\nshow_node r:0\nshow_strategy r:0:c\n"
    );
    let answers = answers(&script);
    let tail = &answers[FLOP.lines().count()..];
    let shares = |rows: &str, hand: &str| -> Vec<f64> {
        rows.lines().map(|row| numbers(row)[hand.parse::<Hole>().unwrap().index()]).collect()
    };
    assert_eq!(tail[0], "set_strategy ok!");
    // Everything else is played as before.
    assert_eq!(tail[1..4], after[..3]);
    let (set, was) = (result(&tail[4], "OOP's MES"), result(after.last().unwrap(), "OOP's MES"));
    assert!((set - was).abs() < 1e-3, "{set} {was}");
    assert!(tail[5].parse::<f64>().unwrap() > 0.0);
    assert_eq!(
        tail[6],
        "ERROR: dump_tree: strategies are set that tell suits apart, and a file cannot hold them unless they are locked: lock_node or \
         go first"
    );
    assert_eq!(tail[7], "set_strategy ok!");
    let is_close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4);
    assert!(is_close(&shares(&tail[8], "Td9d"), &[0.5, 0.5]), "{:?}", shares(&tail[8], "Td9d"));
    assert_eq!(shares(&tail[8], "Tc9c"), shares(root, "Tc9c"));
    assert_eq!(
        (shares(&tail[9], "9s9d"), shares(&tail[9], "9s9c")),
        (vec![1.0, 0.0], shares(checked, "9s9c"))
    );
    assert!(tail[10..13].iter().all(|answer| answer == "lock_node ok!"), "{:?}", &tail[10..13]);
    assert!(tail[13].ends_with("LOCKED \n"));
    assert!((numbers(&tail[15])["Td9d".parse::<Hole>().unwrap().index()] - 0.5).abs() < 1e-4);
    assert_eq!(tail[16], "dump_tree ok!");
    // Locks are kept by a solve and by a file.
    assert!(is_close(&shares(&tail[19], "Td9d"), &[0.5, 0.5]));
    assert_eq!(shares(&tail[20], "9s9d"), [1.0, 0.0]);
    assert!(tail[22].ends_with("LOCKED \n"), "{}", tail[22]);
    assert_eq!(shares(&tail[23], "9s9d"), [1.0, 0.0]);
}

#[test]
fn one_runout_can_be_set_alone() {
    let rows = format!("{} {}", row("1"), row("0"));
    let script = format!(
        "{FLOP}show_strategy r:0:c:c:Td\nset_strategy r:0:c:c:Tc {rows}\nshow_strategy r:0:c:c:Tc\nshow_strategy r:0:c:c:Td\n\
         lock_node r:0\nlock_node r:0:c:c:Tc\ngo 5\nwait_for_solver\nshow_strategy r:0:c:c:Tc\nshow_node r:0:c:c:Td\n"
    );
    let answers = answers(&script);
    let tail = &answers[FLOP.lines().count()..];
    let aces = |rows: &str| numbers(rows.lines().next().unwrap())[1325];
    assert_eq!((tail[1].as_str(), aces(&tail[2]), &tail[3]), ("set_strategy ok!", 1.0, &tail[0]));
    assert_eq!((tail[4].as_str(), tail[5].as_str(), aces(&tail[8])), ("lock_node ok!", "lock_node ok!", 1.0));
    assert!(tail[9].ends_with("flags: PIO_ALG \n"), "{}", tail[9]);
}
