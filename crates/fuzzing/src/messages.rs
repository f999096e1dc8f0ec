//! Messages between the driver and the workers of one spot.

use noregret_holdem::{BranchSolver, Spec, TrunkSolver};

/// A spot whose workers have next to nothing to do.
pub const SPOT: &str = "[ranges]\noop = 'AsAh'\nip = 'KsKh'\n[cards]\nflop = 'QsJh2h'\n[tree]\nstarting_pot = 100\n\
                        effective_stack = 50\n[bet_sizes.flop]\noop_bet = 'a'\nip_bet = 'a'\n[solver]\nmax_iterations = 4\n";

/// The bytes as a request to a worker, and as what one has answered.
pub fn message(bytes: &[u8]) {
    let Ok(spec) = SPOT.parse::<Spec>() else { return };
    if let Ok(mut worker) = BranchSolver::new(spec.clone(), vec![0]) {
        let _ = worker.answer(bytes);
    }
    if let Ok(mut trunk) = TrunkSolver::new(spec) {
        let _ = trunk.advance(&mut |_: &[u8]| Ok::<_, std::convert::Infallible>(vec![bytes.to_vec()]));
    }
}
