//! What is known at the end, as `--json` prints it.

use crate::precision::{Picked, PrecisionBits, by_street};
use noregret_holdem::{
    Action, IP, Line, Measurement, OOP, Player, Size, SolvePlan, Solved, Solver, SolverOptions, StopReason,
};
use noregret_report::Amount;
use serde::Serialize;

/// A number for each player.
#[derive(Serialize)]
pub struct BothPlayers {
    pub oop: f64,
    pub ip: f64,
}

impl BothPlayers {
    fn new(number: impl Fn(Player) -> f64) -> Self {
        Self { oop: number(OOP), ip: number(IP) }
    }

    pub fn of(&self, player: Player) -> f64 {
        if player == OOP { self.oop } else { self.ip }
    }
}

/// An action at the root and how often it is taken.
#[derive(Serialize)]
pub struct ActionJson {
    pub action: &'static str,
    pub amount: Amount,
    pub frequency: f64,
    #[serde(skip)]
    pub taken: Action,
}

/// The first decision.
#[derive(Serialize)]
pub struct Root {
    pub player: &'static str,
    pub actions: Vec<ActionJson>,
}

/// One measurement.
#[derive(Serialize)]
pub struct MeasurementJson {
    iteration: u32,
    pub seconds: f64,
    pub exploitability_pct: f64,
}

impl MeasurementJson {
    pub fn new(check: &Measurement) -> Self {
        Self {
            iteration: check.iteration,
            seconds: check.elapsed.as_secs_f64(),
            exploitability_pct: check.exploitability_pct,
        }
    }
}

/// How a solve started on a coarser tree.
#[derive(Serialize)]
struct WarmStarted {
    iterations: u32,
    weight: u32,
    sizes: u32,
}

impl WarmStarted {
    fn new(options: &SolverOptions) -> Option<Self> {
        let warm = options.warm_start;
        let started = Self { iterations: warm.iterations, weight: warm.weight(), sizes: warm.sizes };
        warm.enabled.then_some(started)
    }
}

/// The answer to a spec.
#[derive(Serialize)]
pub struct SolveAnswer {
    pub iterations: u32,
    pub seconds: f64,
    pub exploitability_pct: f64,
    pub target_reached: bool,
    algorithm: String,
    precision: PrecisionBits,
    pub memory_bytes: usize,
    pub threads: usize,
    pub strategy_digest: String,
    unit: &'static str,
    pub ev: BothPlayers,
    pub equity: BothPlayers,
    pub root: Root,
    #[serde(skip_serializing_if = "Option::is_none")]
    warm_start: Option<WarmStarted>,
    history: Vec<MeasurementJson>,
    /// The precisions by street, in words.
    #[serde(skip)]
    pub precision_text: String,
    #[serde(skip)]
    pub pot: f64,
    #[serde(skip)]
    pub target_pct: f64,
}

impl SolveAnswer {
    pub fn new(solved: &Solved, precision: PrecisionBits, memory_bytes: usize, threads: usize) -> Self {
        let Solved { spec, solver, outcome, .. } = solved;
        let last = outcome.last();
        Self {
            iterations: last.iteration,
            seconds: last.elapsed.as_secs_f64(),
            exploitability_pct: last.exploitability_pct,
            target_reached: outcome.reason == StopReason::Target,
            algorithm: spec.solver.algorithm.to_string(),
            precision,
            memory_bytes,
            threads,
            strategy_digest: solver.digest(),
            unit: spec.spot.options().unit.name(),
            ev: BothPlayers::new(|player| solver.ev(player)),
            equity: BothPlayers::new(|player| solver.equity(player)),
            root: root(solver),
            warm_start: WarmStarted::new(&spec.solver),
            history: outcome.history.iter().map(MeasurementJson::new).collect(),
            precision_text: by_street(&spec.solver, spec.spot.board().street()),
            pot: spec.spot.options().starting_pot.as_f64(),
            target_pct: spec.solver.target_exploitability_pct,
        }
    }

    /// How much of its share of the pot a player gets: EV over equity times pot.
    pub fn eqr(&self, player: Player) -> f64 {
        self.ev.of(player) / (self.equity.of(player) * self.pot)
    }
}

fn root(solver: &Solver) -> Root {
    // The empty line always exists, and the first decision is always the first player's.
    let frequencies = solver.frequencies(&Line::default()).unwrap_or_default();
    let choice = |(action, frequency): (Action, f64)| ActionJson {
        action: action.name(),
        amount: Amount::of(action),
        frequency,
        taken: action,
    };
    Root { player: "oop", actions: frequencies.into_iter().map(choice).collect() }
}

#[derive(Serialize)]
struct MemoryJson {
    tree: usize,
    tables: usize,
    regrets: usize,
    strategy: usize,
    #[serde(skip_serializing_if = "is_zero")]
    warm_start: usize,
    working_per_thread: usize,
}

fn is_zero(bytes: &usize) -> bool {
    *bytes == 0
}

/// How large a spot is, as `--dry-run --json` prints it.
#[derive(Serialize)]
pub struct DryRun {
    betting_decisions: usize,
    betting_terminals: usize,
    boards: [usize; 3],
    decision_points: u64,
    terminals: u64,
    infosets: u64,
    precision: PrecisionBits,
    memory_bytes: usize,
    memory: MemoryJson,
}

impl DryRun {
    pub fn new(plan: &SolvePlan, size: &Size, picked: Option<Picked>) -> Self {
        let SolvePlan { spec, layout, .. } = plan;
        let counts = layout.betting().counts();
        Self {
            betting_decisions: counts.all_decisions(),
            betting_terminals: counts.all_terminals(),
            boards: size.boards,
            decision_points: size.decision_points,
            terminals: size.terminals,
            infosets: size.infosets,
            precision: PrecisionBits::new(&spec.solver, picked),
            memory_bytes: size.memory.total(),
            memory: MemoryJson {
                tree: size.memory.tree,
                tables: size.memory.tables,
                regrets: size.memory.regrets,
                strategy: size.memory.strategy,
                warm_start: size.memory.warm_start,
                working_per_thread: size.memory.working,
            },
        }
    }
}
