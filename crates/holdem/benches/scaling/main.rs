//! What the time of an iteration grows with: `cargo bench -p noregret-holdem --bench scaling -- [--svg FILE]`.
//!
//! Three series on a flop: the same tree and ranges on flops with fewer and more runouts, more bet sizes on one flop, and wider
//! ranges. Prints a table, as it stands in the guide: what an iteration has to value, and how long it takes for each. `--svg` draws
//! how the time grows beside what it grows with.

mod chart;

use chart::Series;
use noregret_cfr::{Game, Kind, Player};
use noregret_holdem::{Outline, Postflop, Solution, Spec};
use std::time::Instant;

const WIDE: &str = "22+,A2s+,K5s+,Q8s+,J8s+,T8s+,97s+,86s+,76s,65s,A8o+,KTo+,QTo+,JTo";
const HALF: &str = "77+,A8s+,K9s+,QTs+,JTs,T9s,AJo+,KQo";
const QUARTER: &str = "TT+,ATs+,KQs,AQo+";

/// Iterations before the clock starts, and on it. Both kinds of iterations, with an average and without, come as often.
const WARM: u32 = 10;
const TIMED: u32 = 20;
/// The quickest of so many counts.
const RUNS: usize = 3;

fn main() {
    println!("| series | spot | hands | river boards | endings of an iteration | seconds | ns for each |");
    println!("|---|---|---|---|---|---|---|");
    let flops = ["Kh8h3h", "Kh8h3c", "Kh8d3c"].map(|flop| time("runouts", flop, flop, "60%", HALF));
    let sizes =
        ["60%", "40%, 80%", "30%, 60%, 120%"].map(|sizes| time("sizes", sizes, "Kh8h3h", sizes, HALF));
    let ranges = [("narrow", QUARTER), ("middle", HALF), ("wide", WIDE)];
    let hands = ranges.map(|(name, range)| time("hands", name, "Kh8h3c", "60%", range));
    if let Some(file) = svg_file() {
        let by_endings = |name, timings: [Timing; 3]| {
            Series::new(name, timings.map(|timing| (timing.endings as f64, timing.seconds)))
        };
        let picture = chart::draw(&[
            by_endings("endings, by runouts", flops),
            by_endings("endings, by bet sizes", sizes),
            Series::new("hands", hands.map(|timing| (timing.hands as f64, timing.seconds))),
        ]);
        std::fs::write(&file, picture).unwrap_or_else(|error| panic!("{file} cannot be written: {error}"));
    }
}

/// The file after `--svg`. Cargo adds `--bench`.
fn svg_file() -> Option<String> {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    match arguments.next()?.as_str() {
        "--svg" => Some(arguments.next().unwrap_or_else(|| panic!("`--svg` needs a file"))),
        other => panic!("`{other}` is no option; there is `--svg FILE`"),
    }
}

/// What an iteration has to do and how long it takes.
struct Timing {
    /// Of one player.
    hands: usize,
    endings: usize,
    seconds: f64,
}

/// Times a spot in which both players have the same range.
fn time(series: &str, name: &str, flop: &str, sizes: &str, range: &str) -> Timing {
    let street = |street: &str| {
        format!(
            "[bet_sizes.{street}]\noop_bet = '{sizes}'\nip_bet = '{sizes}'\noop_raise = ''\nip_raise = ''\n"
        )
    };
    let text = format!(
        "[ranges]\noop = '{range}'\nip = '{range}'\n[cards]\nflop = '{flop}'\n[tree]\nstarting_pot = 100\neffective_stack = 1000\n{}{}{}",
        street("flop"),
        street("turn"),
        street("river")
    );
    let spec: Spec = text.parse().unwrap_or_else(|error| panic!("{error}"));
    let game = Outline::new(&spec.spot).unwrap_or_else(|error| panic!("{error}")).build();
    let seconds = (0..RUNS).map(|_| iteration_seconds(&game)).fold(f64::INFINITY, f64::min);
    let endings = endings(&game);
    let hands = game.weights(Player::First).len();
    let rivers = game.boards()[2];
    println!(
        "| {series} | {name} | {hands} | {rivers} | {endings} | {seconds:.4} | {:.0} |",
        seconds * 1e9 / endings as f64
    );
    Timing { hands, endings, seconds }
}

fn iteration_seconds(game: &Postflop) -> f64 {
    let mut solution = Solution::new(game);
    (0..WARM).for_each(|_| solution.iterate());
    let start = Instant::now();
    (0..TIMED).for_each(|_| solution.iterate());
    start.elapsed().as_secs_f64() / f64::from(TIMED)
}

/// How many endings an iteration values, for both players together.
fn endings(game: &Postflop) -> usize {
    let tree = game.tree();
    let of_round = |round: usize| {
        let is_leaf = |kind: Kind| matches!(kind, Kind::Terminal { .. });
        tree.round_nodes(round).filter(|&node| is_leaf(tree.node(node).kind)).count() * game.deal_count(round)
    };
    2 * (0..tree.round_count()).map(of_round).sum::<usize>()
}
