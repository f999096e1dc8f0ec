//! How much of the stored average strategies is ever used: `cargo run --release -p noregret-holdem --example live_actions -- SPEC
//! ITERATIONS PRECISION EVERY`. Of the turn cards of a flop, one in EVERY is looked at.
//!
//! An action is live in a block of 16 hands if one of them reaches the decision and takes the action more often than a threshold.
//! What a packed array would hold is a bit for each action and, of the live ones, a row for all but the last.

use noregret_cfr::{Game, NodeKind, Profile};
use noregret_holdem::{GameLayout, Postflop, Solver, Spec, precisions_by_street};
use std::error::Error;

/// Hands that share a row.
const BLOCK: usize = 16;

#[derive(Default)]
struct Count {
    rows: u64,
    live_rows: u64,
    actions: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, iterations, precision, every] = arguments.as_slice() else {
        return Err("give SPEC ITERATIONS PRECISION EVERY, as in: examples/quick.toml 182 16:16:8 6".into());
    };
    let spec: Spec = std::fs::read_to_string(path)?.parse()?;
    let options = spec.solver.clone().stored_by_street(precisions_by_street(precision)?);
    let layout = GameLayout::new(&spec.spot)?;
    let memory = layout.size(&options).memory;
    let game = layout.build();
    let mut solver = Solver::with_options(game.clone(), &options);
    (0..iterations.parse()?).for_each(|_: u32| solver.iterate());
    println!("{path}, {precision}, {iterations} iterations: {:.4}%", solver.exploitability_pct());
    let strategy = solver.into_strategy();
    let profile = Profile::new(&*game, &strategy);
    println!("{:>9}  {:>9}  {:>17}  {:>12}", "threshold", "live rows", "saved of strategy", "saved of all");
    for threshold in [0.0, 0.001, 0.01, 0.03] {
        let Count { rows, live_rows, actions } = count(&game, profile, threshold, every.parse()?);
        let row_bits = BLOCK as f64 * f64::from(options.strategy_precision[2].bits());
        let packed = (live_rows as f64 * row_bits + actions as f64) / (rows as f64 * row_bits);
        let share = memory.strategy as f64 / memory.total() as f64;
        println!(
            "{threshold:>9}  {:>8.1}%  {:>16.1}%  {:>11.1}%",
            100.0 * live_rows as f64 / rows as f64,
            100.0 * (1.0 - packed),
            100.0 * (1.0 - packed) * share
        );
    }
    Ok(())
}

fn count(game: &Postflop, profile: Profile<'_, Postflop>, threshold: f32, every: usize) -> Count {
    let mut count = Count::default();
    let mut deals = vec![profile.start()];
    while let Some(at) = deals.pop() {
        let deal = at.deal();
        for node in game.tree().round_nodes(deal.round) {
            let NodeKind::Decision(player) = game.tree().node(node).kind else { continue };
            let reach = profile.reach(&at, node, player);
            let strategy = profile.strategy(&at, node);
            for start in (0..reach.len()).step_by(BLOCK) {
                let takes = |action: &Vec<Option<f32>>| {
                    let mut hands = start..(start + BLOCK).min(reach.len());
                    hands.any(|hand| reach[hand] > 0.0 && action[hand].is_some_and(|share| share > threshold))
                };
                let live = strategy.iter().filter(|action| takes(action)).count();
                count.rows += strategy.len() as u64 - 1;
                count.live_rows += live.saturating_sub(1) as u64;
                count.actions += strategy.len() as u64;
            }
        }
        if deal.round + 1 < game.tree().round_count() {
            let step = if deal.round == 0 { every.max(1) } else { 1 };
            deals.extend(game.next_deals(deal).step_by(step).map(|index| profile.follow(&at, index)));
        }
    }
    count
}
