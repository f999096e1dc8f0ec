//! A spot over many workers is solved to the bits of one machine, in memory and in files.

use noregret_holdem::{
    BranchSolver, CutError, GameLayout, MemoryLimit, MemoryPlan, MessageError, SaveOptions, Solver, Spec,
    SpreadPlan, StopCondition, StopReason, TrunkSolver, run, save, verify_solution,
};
use noregret_store::Bytes;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A spec of a flop, with what else `[solver]` has and what follows.
fn spec(flop: &str, solver: &str, more: &str) -> Spec {
    let text = format!(
        "[ranges]\noop = 'AA,KTs,98s:0.5'\nip = 'QQ,T9s,KJs:0.25'\n[cards]\nflop = '{flop}'\n\
         [tree]\nstarting_pot = 60\neffective_stack = 150\n\
         [bet_sizes.flop]\noop_bet = '60%'\nip_bet = '60%'\n[bet_sizes.turn]\noop_bet = '70%'\nip_bet = 'a'\n\
         [bet_sizes.river]\noop_bet = 'a'\nip_bet = 'a'\n\
         [solver]\nmax_iterations = 12\ntarget_exploitability_pct = 0\n{solver}\n{more}"
    );
    text.parse().unwrap()
}

/// Two suits are alike on this flop, and on the other ones none or three.
const TWO_ALIKE: &str = "QsJh2h";

/// A spot in parts on one machine.
struct Spread {
    plan: SpreadPlan,
    trunk: TrunkSolver,
    workers: Vec<BranchSolver>,
    home: tempfile::TempDir,
}

fn exchange(
    workers: &mut [BranchSolver],
) -> impl FnMut(&[u8]) -> Result<Vec<Vec<u8>>, MessageError> + use<'_> {
    |request| workers.iter_mut().map(|worker| worker.answer(request)).collect()
}

impl Spread {
    fn new(spec: &Spec, workers: usize) -> Self {
        let plan = SpreadPlan::new(spec.clone(), workers).unwrap();
        // What is sent to workers is text.
        let sent: Spec = plan.spec_text().parse().unwrap();
        let worker = |part: &noregret_holdem::BranchPart| BranchSolver::new(sent.clone(), part.deals.clone());
        Self {
            trunk: TrunkSolver::new(sent.clone()).unwrap(),
            workers: plan.parts.iter().map(|part| worker(part).unwrap()).collect(),
            plan,
            home: tempfile::tempdir().unwrap(),
        }
    }

    fn run(&mut self) -> StopReason {
        loop {
            if let Some(reason) = self.trunk.advance(&mut exchange(&mut self.workers)).unwrap() {
                return reason;
            }
        }
    }

    fn run_to(&mut self, iteration: u32) {
        while self.trunk.iteration() < iteration {
            assert_eq!(self.trunk.advance(&mut exchange(&mut self.workers)).unwrap(), None);
        }
    }

    fn paths(&self, name: &str) -> Vec<PathBuf> {
        (0..=self.workers.len()).map(|part| self.home.path().join(format!("{name}-{part}.nrp"))).collect()
    }

    fn save_checkpoint(&self, name: &str) -> Vec<PathBuf> {
        let paths = self.paths(name);
        self.trunk.save_checkpoint(&paths[0]).unwrap();
        for (worker, path) in self.workers.iter().zip(&paths[1..]) {
            worker.save_checkpoint(path).unwrap();
        }
        paths
    }

    fn restore(&mut self, parts: &[PathBuf]) {
        self.trunk.restore(parts).unwrap();
        self.workers.iter_mut().for_each(|worker| worker.restore(parts).unwrap());
    }

    /// Writes the solution, and returns its digest.
    fn save(&mut self, path: &Path) -> String {
        let solution = self.trunk.solution(&mut exchange(&mut self.workers)).unwrap();
        let parts = self.paths("solution")[1..].to_vec();
        for (worker, path) in self.workers.iter().zip(&parts) {
            worker.save_solution(path).unwrap();
        }
        self.trunk.save(path, &solution, &parts).unwrap();
        solution.summary.digest
    }

    fn digest(&mut self) -> String {
        self.trunk.solution(&mut exchange(&mut self.workers)).unwrap().summary.digest
    }
}

/// The same on one machine, with its measurements.
fn whole(spec: &Spec) -> (Solver, Vec<(u32, f64)>) {
    let game = GameLayout::new(&spec.spot).unwrap().build();
    let mut solver = Solver::with_options(game, &spec.solver);
    let outcome = run(&mut solver, &StopCondition::of(&spec.solver), |_, _| ControlFlow::Continue(()));
    let history = outcome.history.iter().map(|check| (check.iteration, check.exploitability_pct)).collect();
    (solver, history)
}

#[test]
fn workers_end_with_the_bits_and_the_file_of_one_machine() {
    let lock = "[[locks]]\nline = 'check, bet 36'\nstrategy = { fold = 0.5, call = 0.5 }\n\
                [[locks]]\nline = 'check, check, 7d'\nhands = 'AA'\nstrategy = { check = 1 }\n";
    let cases = [
        (TWO_ALIKE, "quantization = '32bit'", ""),
        ("QhJh2h", "quantization = '16bit'", ""),
        (TWO_ALIKE, "strategy_bits = 8\nregret_bits = 8\nenable_pruning = true", ""),
        ("QsJh2d", "quantization = '16bit'\nalgorithm = 'pdcfr+'", lock),
        (TWO_ALIKE, "", ""),
    ];
    for (case, (flop, solver, more)) in cases.into_iter().enumerate() {
        let spec = spec(flop, solver, more);
        let counts: &[usize] = if case == 0 { &[1, 2, 3, 7] } else { &[3] };
        let settled = SpreadPlan::new(spec.clone(), 1).unwrap().spec;
        let (one, measured) = whole(&settled);
        for &count in counts {
            let mut many = Spread::new(&spec, count);
            assert_eq!(many.workers.len(), count);
            assert_eq!(many.run(), StopReason::Iterations);
            let history = many.trunk.history().to_vec();
            let checks: Vec<_> = history.iter().map(|at| (at.iteration, at.exploitability_pct)).collect();
            assert_eq!(checks, measured, "{flop} {solver}");
            if count != 3 {
                assert_eq!(many.digest(), one.digest(), "{count} workers");
                continue;
            }
            let path = many.home.path().join("many.nrs");
            assert_eq!(many.save(&path), one.digest(), "{flop} {solver}");
            // With the same times, the file is that of one machine.
            let alone = many.home.path().join("one.nrs");
            save(&alone, &settled, &one, &history, SaveOptions::default()).unwrap();
            assert!(std::fs::read(&path).unwrap() == std::fs::read(&alone).unwrap(), "{flop} {solver}");
        }
    }
}

#[test]
fn any_number_of_threads_ends_with_the_same_bits() {
    let spec = spec(TWO_ALIKE, "quantization = '16bit'", "");
    let digest = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut many = Spread::new(&spec, 2);
            many.run_to(6);
            many.digest()
        })
    };
    assert_eq!(digest(1), digest(3));
}

#[test]
fn rake_and_verification_go_the_same_way() {
    let raked = "[ranges]\noop = 'AA,QJs'\nip = 'QQ,T9s,KQo'\n[cards]\nflop = 'QsJh2h'\n[tree]\nstarting_pot = 60\n\
                 effective_stack = 100\nrake_rate = 0.05\nrake_cap = 3\n[solver]\nmax_iterations = 200\n\
                 target_exploitability_pct = 5\n";
    let spec: Spec = raked.parse().unwrap();
    let mut many = Spread::new(&spec, 2);
    assert_eq!(many.run(), StopReason::Target);
    let (one, measured) = whole(&many.plan.spec);
    assert_eq!(measured.last().unwrap().0, many.trunk.iteration());
    let path = many.home.path().join("many.nrs");
    assert_eq!(many.save(&path), one.digest());
    verify_solution(&path, MemoryLimit::ANY).unwrap();
}

#[test]
fn a_worker_that_is_lost_is_replaced_and_iterations_are_made_again() {
    let spec = spec(TWO_ALIKE, "quantization = '16bit'", "");
    let mut many = Spread::new(&spec, 3);
    many.run_to(11);
    let parts = many.save_checkpoint("at-11");
    many.run_to(12);
    // The second worker is gone in the middle of an iteration, which the first one has begun.
    let Spread { trunk, workers, .. } = &mut many;
    let lost = trunk.advance(&mut |request: &[u8]| {
        workers[0].answer(request).map_err(|error| error.to_string())?;
        Err("gone".to_owned())
    });
    assert!(matches!(lost, Err(CutError::Transport(reason)) if reason == "gone"));
    let deals = many.plan.parts[1].deals.clone();
    many.workers[1] = BranchSolver::new(many.plan.spec.clone(), deals).unwrap();
    many.restore(&parts);
    assert_eq!((many.trunk.iteration(), many.workers[1].iteration()), (11, 11));
    many.run();
    let (one, _) = whole(&many.plan.spec);
    assert_eq!(many.digest(), one.digest());
    // Another number of workers goes on from the same checkpoint.
    let mut others = Spread::new(&spec, 2);
    others.restore(&parts);
    assert_eq!(others.trunk.history().len(), 1);
    others.run();
    assert_eq!(others.digest(), one.digest());
}

#[test]
fn parts_of_another_solve_are_refused() {
    let mut many = Spread::new(&spec(TWO_ALIKE, "quantization = '16bit'", ""), 2);
    many.run_to(2);
    let parts = many.save_checkpoint("here");
    let complaint =
        |worker: &mut BranchSolver, parts: &[PathBuf]| worker.restore(parts).unwrap_err().to_string();
    let mut other = Spread::new(&spec("QsJh2d", "quantization = '16bit'", ""), 2);
    assert_eq!(
        complaint(&mut other.workers[0], &parts),
        "section `spec` cannot be read: it is a part of another solve: cards.flop is \"QsJh2h\" there and \"QsJh2d\" here"
    );
    let lock = "[[locks]]\nline = 'check, bet 36'\nstrategy = { fold = 0.5, call = 0.5 }\n";
    let mut locked = Spread::new(&spec(TWO_ALIKE, "quantization = '16bit'", lock), 2);
    assert_eq!(
        complaint(&mut locked.workers[0], &parts),
        "section `spec` cannot be read: it is a part of another solve: its locks are others"
    );
    assert_eq!(complaint(&mut many.workers[0], &parts[..1]), "section `t000` is missing");
    many.run_to(3);
    many.trunk.save_checkpoint(&parts[0]).unwrap();
    assert_eq!(
        complaint(&mut many.workers[0], &parts),
        "section `prog` cannot be read: the parts were written after different iterations"
    );
    let error = many.workers[0].save_solution(&parts[1]).unwrap_err().to_string();
    assert_eq!(error, "the trunk has not asked for values at chance nodes yet");
    std::fs::write(&parts[0], "something else").unwrap();
    assert_eq!(complaint(&mut many.workers[0], &parts), "not a part of a solve file");
}

#[test]
fn what_cannot_be_divided_says_so() {
    let complaint = |spec: Spec| SpreadPlan::new(spec, 2).unwrap_err().to_string();
    let with = |key: &str| complaint(spec(TWO_ALIKE, key, ""));
    let no_turn = "there is no turn card to divide it by: solve it on one machine";
    let turn =
        spec(TWO_ALIKE, "", "").to_string().replace("flop = \"QsJh2h\"", "flop = \"QsJh2h\"\nturn = \"8c\"");
    assert_eq!(complaint(turn.parse().unwrap()), no_turn);
    assert_eq!(with("[solver.warm_start]"), "warm_start is for one machine: leave it out, or solve on one");
    assert_eq!(
        with("precision = 'profile'"),
        "precision `profile` times candidates on one machine: say `auto`, or which"
    );
    let lock = "[[locks]]\nline = 'check, bet 36'\nby = 'merit'\nstrategy = { fold = 0.5, call = 0.5 }\n";
    assert_eq!(
        complaint(spec(TWO_ALIKE, "", lock)),
        "a lock by merit needs the solution without it: solve that first, on one machine, and give what it resolves to"
    );
    let error = BranchSolver::new(spec(TWO_ALIKE, "", ""), vec![0, 49]).err().unwrap().to_string();
    assert!(error.starts_with("turn 49 is not one of "), "{error}");
}

#[test]
fn memory_is_known_and_divides() {
    let spec = spec(TWO_ALIKE, "quantization = '32bit'", "");
    let state = |memory: &MemoryPlan| memory.regrets + memory.strategy;
    let size = GameLayout::new(&spec.spot).unwrap().size(&spec.solver).memory;
    let many = Spread::new(&spec, 3);
    let allocated = |bytes: noregret_holdem::StateBytes| bytes.regrets + bytes.strategy;
    assert_eq!(allocated(many.trunk.state_bytes()), state(&many.plan.trunk));
    let mut sum = state(&many.plan.trunk);
    for (worker, part) in many.workers.iter().zip(&many.plan.parts) {
        assert_eq!(allocated(worker.state_bytes()), state(&part.memory));
        assert!(state(&part.memory) < state(&size) * 2 / 5 && part.memory.tables < size.tables);
        assert_eq!(worker.deals().collect::<Vec<_>>(), part.deals);
        assert_eq!(part.boards.len(), part.deals.len());
        assert!((0.2..0.5).contains(&part.share), "{}", part.share);
        sum += state(&part.memory);
    }
    // Each has a layout of all deals, which is small.
    assert!((state(&size)..state(&size) * 5 / 4).contains(&sum), "{sum} of {}", state(&size));
    // A worker that may take less than it needs is refused, with a number of workers that would fit.
    let limit = |bytes| MemoryLimit::new(Bytes(bytes), "`memory` allows");
    let needed = many.plan.worker_bytes(1);
    many.plan.check_memory(&limit(needed.0), 1).unwrap();
    let error = many.plan.check_memory(&limit(needed.0 - 1), 1).unwrap_err().to_string();
    assert!(error.starts_with("one of 3 workers needs "), "{error}");
    assert!(error.contains(": 4 workers would fit, with "), "{error}");
    let error = many.plan.check_memory(&limit(1000), 1).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "even with a turn for each it would not fit: there are 36. Save memory by `precision`"
        ),
        "{error}"
    );
    let error = many.plan.check_trunk_memory(&limit(1000)).unwrap_err().to_string();
    assert!(
        error.starts_with("the driver needs ") && error.ends_with(": start it on a larger machine"),
        "{error}"
    );
    many.plan.check_trunk_memory(&limit(many.plan.trunk.on_threads(1) as u64)).unwrap();
    // No more workers than turns; and what was measured decides if it is given.
    let turns: usize = many.plan.parts.iter().map(|part| part.deals.len()).sum();
    assert_eq!(SpreadPlan::new(spec.clone(), 100).unwrap().parts.len(), turns);
    let mut costs = vec![1.0; turns];
    costs[5] = 1e6;
    let parts = SpreadPlan::by_costs(spec, 2, &costs).unwrap().parts;
    assert_eq!(parts[0].deals, [5]);
}
