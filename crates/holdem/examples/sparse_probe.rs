//! Temporary probe.
use noregret_cfr::{Deal, Game, NodeKind, Profile};
use noregret_holdem::*;
fn main() {
    let mut args = std::env::args().skip(1);
    let (path, iterations, precision, step) = (args.next().unwrap(), args.next().unwrap().parse::<u32>().unwrap(), args.next().unwrap(), args.next().unwrap().parse::<usize>().unwrap());
    let spec: Spec = std::fs::read_to_string(&path).unwrap().parse().unwrap();
    let options = spec.solver.clone().stored_by_street(precisions_by_street(&precision).unwrap());
    let layout = GameLayout::new(&spec.spot).unwrap();
    let memory = layout.size(&options).memory;
    let game = layout.build();
    let mut solver = Solver::with_options(game.clone(), &options);
    for _ in 0..iterations { solver.iterate(); }
    println!("{path} {precision} exploitability {:.4}", solver.exploitability_pct());
    let strategy = solver.into_strategy();
    let profile = Profile::new(&*game, &strategy);
    for threshold in [0.0, 0.001, 0.005, 0.01, 0.03] {
        let mut count = [0u64; 4]; // rows, stored, infoset blocks, unreached blocks
        let mut visit = vec![profile.start()];
        while let Some(at) = visit.pop() {
            let deal = at.deal();
            for node in game.tree().round_nodes(deal.round) {
                let NodeKind::Decision(player) = game.tree().node(node).kind else { continue };
                let reach = profile.reach(&at, node, player);
                let strategy = profile.strategy(&at, node);
                let actions = strategy.len();
                for start in (0..reach.len()).step_by(16) {
                    let block = start..(start + 16).min(reach.len());
                    count[2] += 1;
                    count[0] += actions as u64 - 1;
                    if block.clone().all(|h| reach[h] <= 0.0) { count[3] += 1; continue; }
                    let live = strategy.iter().filter(|action| block.clone().any(|h| reach[h] > 0.0 && action[h].unwrap_or(0.0) > threshold)).count();
                    count[1] += live.max(1) as u64 - 1;
                }
            }
            if deal.round + 1 < game.tree().round_count() {
                let next = game.next_deals(deal);
                let n = next.len();
                let mine = if deal.round == 0 { step } else { 1 };
                for i in (0..n).step_by(mine) { let _ = Deal { round: 0, index: i }; visit.push(profile.follow(&at, next.start + i)); }
            }
        }
        let [rows, stored, blocks, unreached] = count;
        let bits = options.strategy_precision[2].bits() as f64;
        let strategy_share = memory.strategy as f64 / memory.total() as f64;
        let saved = 1.0 - (stored as f64 * 2.0 * bits + blocks as f64) / (rows as f64 * 2.0 * bits);
        println!("threshold {threshold}: rows {rows} stored {stored} ({:.3}); blocks unreached {:.3}; strategy is {:.3} of {:.1} MB; saved {:.3} of strategy, {:.3} of all", stored as f64 / rows as f64, unreached as f64 / blocks as f64, strategy_share, memory.total() as f64 / 1e6, saved, saved * strategy_share);
    }
}
