//! Spots with symmetric suits: the same bits on any number of threads and with every instruction set, in every precision, and the
//! same numbers from memory and from a file.

mod common;

use common::noregret::noregret;
use common::{Run, solve_in};
use noregret_holdem::cards::Card;
use noregret_holdem::{
    GameLayout, HandView, IP, Line, NodeView, OOP, Solution, Solver, Spec, precisions_by_street,
};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A monotone turn: three suits are symmetric.
const MONOTONE: &str = r#"[ranges]
oop = "TT+,AJs+,KQs,AQo+"
ip = "QQ-77,AQs-A9s,KJs+,QJs,AJo"

[cards]
flop = "AhKhQh"
turn = "2h"

[tree]
starting_pot = 100
effective_stack = 300
"#;

/// A two-tone flop with short stacks: two suits are symmetric.
const TWO_TONE: &str = r#"[ranges]
oop = "TT+,AKs"
ip = "JJ-99,AQs"

[cards]
flop = "Kh8h3c"

[tree]
starting_pot = 100
effective_stack = 60
"#;

const PRECISIONS: [&str; 6] = ["32", "16", "16:16:8", "16/8", "8", "4/8"];

fn solved(home: &Path, spot: &str, more: &[&str], instructions: &str) -> Value {
    let args = [spot, "--json", "--target", "0", "--max-iterations", "40"];
    let output = solve_in(home, &[&args, more].concat()).env("NOREGRET_SIMD", instructions).output();
    Run::from(output.unwrap()).ok().json()
}

fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("turn.toml"), MONOTONE).unwrap();
    std::fs::write(home.path().join("flop.toml"), TWO_TONE).unwrap();
    home
}

#[test]
fn symmetric_suits_lead_to_the_same_digests_on_all_threads_and_instruction_sets() {
    let home = home();
    for spot in ["turn.toml", "flop.toml"] {
        for precision in PRECISIONS {
            let digest = |threads: &str, instructions: &str| {
                let more = ["--precision", precision, "--threads", threads];
                solved(home.path(), spot, &more, instructions)["strategy_digest"].clone()
            };
            let one = digest("1", "best");
            for (threads, instructions) in [("2", "best"), ("3", "best"), ("2", "avx2"), ("2", "plain")] {
                let found = digest(threads, instructions);
                assert_eq!(found, one, "{spot}, {precision}, {threads} threads, {instructions}");
            }
        }
    }
}

#[test]
fn memory_and_file_say_the_same_of_a_spot_with_symmetric_suits() {
    let home = home();
    for spot in ["turn.toml", "flop.toml"] {
        for precision in PRECISIONS {
            let more = ["--precision", precision, "--out", "solved.nrs", "--force"];
            let solved = solved(home.path(), spot, &more, "best");
            let inspect = Command::new(env!("CARGO_BIN_EXE_noregret"))
                .current_dir(home.path())
                .args(["inspect", "solved.nrs", "--json"])
                .output();
            let read = Run::from(inspect.unwrap()).ok().json();
            let verify = Command::new(env!("CARGO_BIN_EXE_noregret"))
                .current_dir(home.path())
                .args(["verify", "solved.nrs", "--json"])
                .output();
            let verified = Run::from(verify.unwrap()).ok().json();
            assert_eq!(verified["strategy_digest"], solved["strategy_digest"], "{spot}, {precision}");
            let is_near = |a: &Value, b: &Value, scale: f64| {
                (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() <= 1e-6 * scale
            };
            for player in ["oop", "ip"] {
                let (ev, equity) = (&solved["ev"][player], &solved["equity"][player]);
                let there = &read["players"][player];
                assert!(is_near(ev, &there["ev"], 100.0), "{spot}, {precision}: {ev} {there}");
                assert!(is_near(equity, &there["equity"], 1.0), "{spot}, {precision}: {equity} {there}");
            }
            let actions = solved["root"]["actions"].as_array().unwrap().iter();
            for (action, there) in actions.zip(read["actions"].as_array().unwrap()) {
                assert!(is_near(&action["frequency"], &there["frequency"], 1.0), "{action} {there}");
            }
        }
    }
}

/// SplitMix64: the same numbers from the same seed on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % end as u64) as usize
    }

    /// So many of a list, each once.
    fn pick<T: Clone>(&mut self, count: usize, list: &[T]) -> Vec<T> {
        let mut left = list.to_vec();
        (0..count).map(|_| left.swap_remove(self.below(left.len()))).collect()
    }
}

/// What ranges are made of.
const GROUPS: [&str; 15] =
    ["AA", "KK", "QQ", "TT", "88", "55", "AKs", "AQs", "KQs", "QJs", "T9s", "87s", "AKo", "KJo", "A5s"];

/// Iterations of each random spot: the average begins with the tenth.
const ITERATIONS: u32 = 14;

/// In which random spots are solved.
const LADDER: [&str; 4] = ["32/32", "16/16", "8/8", "4/8"];

/// Random spots from a seed, with a name: turns and rivers on each kind of flop, and three small flops.
fn random_spots() -> Vec<(String, String)> {
    let mut random = Random(21);
    let mut spots = Vec::new();
    for kind in ["monotone", "two-tone", "rainbow", "paired"] {
        for cards in [3, 4, 5] {
            if kind == "rainbow" && cards == 3 {
                continue;
            }
            let suits = random.pick(4, &['c', 'd', 'h', 's']);
            let mut ranks = random.pick(3, &"23456789TJQKA".chars().collect::<Vec<_>>());
            let suits = match kind {
                "monotone" => [suits[0]; 3],
                "two-tone" => [suits[0], suits[0], suits[1]],
                _ => [suits[0], suits[1], suits[2]],
            };
            if kind == "paired" {
                ranks[1] = ranks[0];
            }
            let mut board: Vec<String> =
                ranks.iter().zip(suits).map(|(rank, suit)| format!("{rank}{suit}")).collect();
            while board.len() < cards {
                let card = Card::all().nth(random.below(52)).unwrap().to_string();
                if !board.contains(&card) {
                    board.push(card);
                }
            }
            let count = if cards == 3 { 4 } else { 7 };
            let [oop, ip] = [(); 2].map(|()| random.pick(count, &GROUPS).join(","));
            // With a short stack there are few bets, so that a flop is small.
            let stack = if cards == 3 { 60 } else { 60 + 30 * random.below(8) };
            let mut spec =
                format!("[ranges]\noop = '{oop}'\nip = '{ip}'\n[cards]\nflop = '{}'\n", board[..3].concat());
            for (street, card) in ["turn", "river"].iter().zip(&board[3..]) {
                spec += &format!("{street} = '{card}'\n");
            }
            spec += &format!("[tree]\nstarting_pot = 100\neffective_stack = {stack}\n");
            spots.push((format!("{kind} {}", board.concat()), spec));
        }
    }
    spots
}

/// A spot solved in memory, on the current thread pool.
fn in_memory(spec: &str, precision: &str) -> Solver {
    let spec: Spec = spec.parse().unwrap();
    let options = spec.solver.stored_by_street(precisions_by_street(precision).unwrap());
    let mut solver = Solver::with_options(GameLayout::new(&spec.spot).unwrap().build(), &options);
    (0..ITERATIONS).for_each(|_| solver.iterate());
    solver
}

/// The digests of all random spots on so many threads.
fn digests(threads: usize) -> Vec<String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut digests = Vec::new();
    for (name, spec) in random_spots() {
        for precision in LADDER {
            let digest = pool.install(|| in_memory(&spec, precision).digest());
            digests.push(format!("{name} in {precision}: {digest}"));
        }
    }
    digests
}

/// Tells a process of this test that it is one of the others.
const DIGESTS: &str = "NOREGRET_TEST_DIGESTS";

#[test]
fn random_spots_lead_to_the_same_digests_on_all_threads_and_instruction_sets() {
    if std::env::var_os(DIGESTS).is_some() {
        // After what the test harness begins its line with.
        println!();
        digests(2).iter().for_each(|digest| println!("digest: {digest}"));
        return;
    }
    let one = digests(1);
    assert_eq!(one.len(), 44);
    for threads in [2, 3] {
        assert_eq!(digests(threads), one, "{threads} threads");
    }
    // The instruction set is chosen once in a process.
    for instructions in ["avx2", "plain"] {
        let name = "random_spots_lead_to_the_same_digests_on_all_threads_and_instruction_sets";
        let output = Command::new(std::env::current_exe().unwrap())
            .args([name, "--exact", "--nocapture"])
            .env(DIGESTS, "")
            .env("NOREGRET_SIMD", instructions)
            .output();
        let run = Run::from(output.unwrap()).ok();
        let found: Vec<&str> = run.stdout.lines().filter_map(|line| line.strip_prefix("digest: ")).collect();
        assert_eq!(found, one, "{instructions}");
    }
}

/// Lines to compare: the root, after a check, after a bet, and after one and two more cards where they are dealt.
fn lines(solver: &Solver) -> Vec<String> {
    let root = solver.root();
    let bet = root.actions.last().unwrap();
    let mut lines = vec![String::new(), "check".to_owned(), bet.to_string()];
    let board = root.board.cards();
    let mut free = Card::all().filter(|card| !board.contains(card)).step_by(7);
    if board.len() < 5 {
        let (first, second) = (free.next().unwrap(), free.next().unwrap());
        lines.extend([format!("check, check, {first}"), format!("{bet}, call, {second}")]);
        if board.len() < 4 {
            lines.push(format!("check, check, {second}, check, check, {first}"));
        }
    }
    lines
}

fn is_near(a: Option<f64>, b: Option<f64>, scale: f64) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-6 * scale,
        (a, b) => a == b,
    }
}

/// Whether a point reads the same: strategies and reach probabilities to the bit, EVs and equities but for rounding.
fn assert_same(memory: &NodeView, file: &NodeView, place: &str) {
    assert_eq!(
        (&memory.board, memory.player, &memory.actions),
        (&file.board, file.player, &file.actions),
        "{place}"
    );
    for player in [OOP, IP] {
        let [here, there] = [memory, file].map(|view| &view.hands[player.index()]);
        assert_eq!(here.len(), there.len(), "{place}");
        for (a, b) in here.iter().zip(there) {
            let bits = |hand: &HandView| (hand.hole, hand.reach, hand.strategy.clone());
            assert_eq!(bits(a), bits(b), "{place}");
            assert!(
                is_near(a.root_ev, b.root_ev, 100.0) && is_near(a.equity, b.equity, 1.0),
                "{place}: {a:?} {b:?}"
            );
        }
    }
}

/// Whether `inspect` says what the file does.
fn assert_inspected(read: &Value, view: &NodeView, place: &str) {
    for (name, player) in [("oop", OOP), ("ip", IP)] {
        let there = read["players"][name]["ev"].as_f64();
        assert!(is_near(view.ev(player), there, 100.0), "{place}: {:?} {there:?}", view.ev(player));
    }
    let shares: Vec<f64> = read["actions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|action| action["frequency"].as_f64().unwrap())
        .collect();
    assert_eq!(shares.len(), view.frequencies.len(), "{place}");
    for (share, frequency) in shares.iter().zip(&view.frequencies) {
        assert!(is_near(Some(*share), Some(*frequency), 1.0), "{place}: {shares:?} {:?}", view.frequencies);
    }
    // After an all-in bet that was called nobody acts.
    let Some(player) = view.player else { return };
    for told in read["hands"].as_array().unwrap() {
        let hand = view.hand(player, told["hand"].as_str().unwrap()).unwrap();
        let strategy = told["strategy"]
            .as_array()
            .map(|shares| shares.iter().filter_map(Value::as_f64).collect::<Vec<_>>());
        assert!(is_near(hand.ev, told["ev"].as_f64(), 100.0), "{place}: {hand:?} {told}");
        assert!(is_near(Some(hand.reach), told["reach"].as_f64(), 1.0), "{place}: {hand:?} {told}");
        for (a, b) in strategy.unwrap_or_default().into_iter().zip(hand.strategy.unwrap_or_default()) {
            assert!(is_near(Some(a), Some(b), 1.0), "{place}: {told}");
        }
    }
}

#[test]
fn random_spots_read_the_same_from_memory_a_file_solve_and_inspect_at_several_lines() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("solved.nrs");
    for (name, spec) in random_spots() {
        std::fs::write(home.path().join("spot.toml"), &spec).unwrap();
        for precision in LADDER {
            let place = format!("{name} in {precision}");
            let iterations = ITERATIONS.to_string();
            let solve = ["solve", "spot.toml", "--json", "--target", "0", "--max-iterations", &iterations];
            let files = ["--precision", precision, "--threads", "1", "--out", "solved.nrs", "--force"];
            let solved = noregret(home.path(), &[&solve[..], &files].concat()).ok().json();
            let (solver, solution) = (in_memory(&spec, precision), Solution::open(&file).unwrap());
            assert_eq!(solved["strategy_digest"], solver.digest(), "{place}");
            assert_eq!(solution.digest(), solver.digest(), "{place}");
            for (name, player) in [("oop", OOP), ("ip", IP)] {
                assert!(
                    is_near(solved["ev"][name].as_f64(), Some(solver.ev(player)), 100.0),
                    "{place}: {solved}"
                );
            }
            for text in lines(&solver) {
                let place = format!("{place} after `{text}`");
                let line: Line = text.parse().unwrap();
                let view = solution.at(line.clone()).unwrap();
                assert_same(&solver.at(&line).unwrap(), &view, &place);
                let inspect = ["inspect", "solved.nrs", "--json", "--hands", "--line", &text];
                assert_inspected(&noregret(home.path(), &inspect).ok().json(), &view, &place);
            }
        }
    }
}
