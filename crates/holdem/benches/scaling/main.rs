//! What the time of an iteration grows with: `cargo bench -p noregret-holdem --bench scaling -- [--svg FILE]`.
//!
//! Three series on a flop: the same tree and ranges on flops with fewer and more runouts, more bet sizes on one flop, and ranges twice as
//! wide each time. Prints a table, as it stands in the guide: what an iteration has to value, and how long it takes for each. `--svg` draws
//! how the time grows beside what it grows with, into a file named from the folder of the crate, where cargo runs benches.

mod chart;

use chart::Series;
use noregret_cfr::{Game, NodeKind, Player};
use noregret_holdem::{GameLayout, Postflop, Solver, Spec};
use std::sync::Arc;
use std::time::Instant;

/// Ranges of which each has twice as many hands as the one before, on the flop that they are timed on.
const RANGES: [(&str, &str); 5] = [
    ("narrow ranges", "TT+,ATs+,KJs+,QJs,AQo+"),
    ("twice as wide", MIDDLE),
    ("again", "22+,A2s+,K7s+,Q9s+,J9s+,T8s+,98s,87s,76s,A8o+,KTo+,QTo+,JTo"),
    ("again", "22+,A2s+,K2s+,Q2s+,J4s+,T6s+,96s+,86s+,75s+,65s,54s,A2o+,K7o+,Q8o+,J7o+,T7o+,98o,87o"),
    ("all hands", "22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32"),
];
const MIDDLE: &str = "77+,A8s+,K9s+,QTs+,JTs,T9s,98s,ATo+,KQo";

/// Iterations before the clock starts, and on it. Both kinds of iterations, with an average and without, come as often.
const WARM: u32 = 10;
const TIMED: u32 = 20;
/// The quickest of so many counts. All spots come in turn, so that a slow minute is one for all of them.
const RUNS: usize = 5;

fn main() {
    let flop = |flop| Timing::new("runouts", flop, flop, "60%", MIDDLE);
    let sizes = |sizes| Timing::new("sizes", sizes, "Kh8h3h", sizes, MIDDLE);
    let hands = |(name, range)| Timing::new("hands", name, "Kh8h3c", "60%", range);
    let mut all: [Vec<Timing>; 3] = [
        ["Kh8h3h", "Kh8h3c", "Kh8d3c"].map(flop).into(),
        ["60%", "40%, 80%", "30%, 60%, 120%"].map(sizes).into(),
        RANGES.map(hands).into(),
    ];
    for _ in 0..RUNS {
        all.iter_mut().flatten().for_each(Timing::again);
    }
    println!("| series | spot | hands | river boards | terminals of an iteration | seconds | ns for each |");
    println!("|---|---|---|---|---|---|---|");
    all.iter().flatten().for_each(Timing::print);
    if let Some(file) = svg_file() {
        let series = |name, timings: &[Timing], amount: fn(&Timing) -> usize| {
            Series::new(name, timings.iter().map(|timing| (amount(timing) as f64, timing.seconds)).collect())
        };
        let [flops, sizes, hands] = &all;
        let picture = chart::draw(&[
            series("terminals, by runouts", flops, |timing| timing.terminals),
            series("terminals, by bet sizes", sizes, |timing| timing.terminals),
            series("hands", hands, |timing| timing.hands),
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

/// A spot in which both players have the same range, what an iteration of it has to do and how long it takes.
struct Timing {
    series: &'static str,
    name: &'static str,
    game: Arc<Postflop>,
    /// Of one player.
    hands: usize,
    terminals: usize,
    /// Of the quickest iterations so far.
    seconds: f64,
}

impl Timing {
    fn new(series: &'static str, name: &'static str, flop: &str, sizes: &str, range: &str) -> Self {
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
        let game = GameLayout::new(&spec.spot).unwrap_or_else(|error| panic!("{error}")).build();
        let (hands, terminals) = (game.weights(Player::First).len(), terminals(&game));
        Self { series, name, game, hands, terminals, seconds: f64::INFINITY }
    }

    /// Times it once more.
    fn again(&mut self) {
        self.seconds = self.seconds.min(iteration_seconds(&self.game));
    }

    fn print(&self) {
        let Self { series, name, game, hands, terminals, seconds } = self;
        let (rivers, each) = (game.boards()[2], seconds * 1e9 / *terminals as f64);
        println!("| {series} | {name} | {hands} | {rivers} | {terminals} | {seconds:.4} | {each:.0} |");
    }
}

fn iteration_seconds(game: &Arc<Postflop>) -> f64 {
    let mut solution = Solver::new(game.clone());
    (0..WARM).for_each(|_| solution.iterate());
    let start = Instant::now();
    (0..TIMED).for_each(|_| solution.iterate());
    start.elapsed().as_secs_f64() / f64::from(TIMED)
}

/// How many terminal nodes an iteration evaluates, for both players together.
fn terminals(game: &Postflop) -> usize {
    let tree = game.tree();
    let of_round = |round: usize| {
        let is_terminal = |kind: NodeKind| matches!(kind, NodeKind::Terminal(_));
        tree.round_nodes(round).filter(|&node| is_terminal(tree.node(node).kind)).count()
            * game.deal_count(round)
    };
    2 * (0..tree.round_count()).map(of_round).sum::<usize>()
}
