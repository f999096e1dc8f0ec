//! Kuhn and Leduc poker, whose values are published, on the same traversal as everything else.

use noregret_cfr::games::{Kuhn, Leduc};
use noregret_cfr::{Dcfr, Game, NodeId, Player, Solver};

fn solve<G: Game>(game: &G, target: f64) -> Solver<'_, G> {
    let mut solver = Solver::new(game, Dcfr::default());
    while solver.exploitability() > target {
        assert!(solver.iteration() < 20_000, "stuck at {}", solver.exploitability());
        for _ in 0..10 {
            solver.iterate();
        }
    }
    solver
}

#[test]
fn kuhn_poker_is_worth_minus_one_eighteenth() {
    let game = Kuhn::new();
    let solver = solve(&game, 5e-5);
    assert!((solver.expected_value(Player::First) + 1.0 / 18.0).abs() < 1e-4);
    assert!((solver.expected_value(Player::Second) - 1.0 / 18.0).abs() < 1e-4);
}

#[test]
fn kuhn_poker_has_its_one_equilibrium_shape() {
    let game = Kuhn::new();
    let solver = solve(&game, 3e-5);
    let strategy = |node| solver.strategy(noregret_cfr::Deal::ROOT, NodeId(node));
    let share = |node: u32, action: usize, hand: usize| strategy(node)[action][hand].unwrap();
    // First bets the jack a third as often as the king, and never the queen.
    let bluff = share(0, 1, 0);
    assert!((share(0, 1, 2) - 3.0 * bluff).abs() < 0.01, "{bluff}");
    assert!(share(0, 1, 1) < 0.01);
    // Second, after a check: bets the king, bluffs the jack a third of the time.
    assert!((share(1, 1, 0) - 1.0 / 3.0).abs() < 0.01);
    assert!(share(1, 1, 2) > 0.99);
    // Second, after a bet: calls with the queen a third of the time.
    assert!((share(2, 1, 1) - 1.0 / 3.0).abs() < 0.01);
}

#[test]
fn leduc_poker_is_worth_minus_0_0856() {
    let game = Leduc::new();
    let solver = solve(&game, 1e-4);
    assert!((solver.expected_value(Player::First) + 0.0856).abs() < 2e-4);
}

#[test]
fn reading_values_at_the_root_gives_the_expected_value() {
    let game = Leduc::new();
    let solver = solve(&game, 1e-2);
    for player in Player::BOTH {
        let values = solver.values(&solver.start(), player);
        let mean: f64 =
            values.at(NodeId::ROOT).iter().map(|&v| f64::from(v)).sum::<f64>() / game.total_weight();
        assert!((mean - solver.expected_value(player)).abs() < 1e-6);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let digest = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let game = Leduc::new();
            let mut solver = Solver::new(&game, Dcfr::default());
            (0..50).for_each(|_| solver.iterate());
            solver.digest()
        })
    };
    assert_eq!(digest(1), digest(2));
    assert_eq!(digest(1), digest(3));
}
