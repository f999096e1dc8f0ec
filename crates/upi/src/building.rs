//! What is set before a tree is built.

use crate::starting::limit_after;
use noregret_cards::{Board, Range};
use noregret_holdem::{
    ChipLines, Chips, GameLayout, JobError, PrecisionSetting, Rake, SolvePlan, SolverOptions, Spec, Spot,
    TreeOptions,
};

/// How good a solve has to be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Accuracy {
    /// Exploitable for at most so many chips.
    Chips(f64),
    /// For at most this share of the pot.
    Fraction(f64),
}

impl Accuracy {
    /// The same in percent of a pot.
    pub fn pot_pct(self, pot: Chips) -> f64 {
        match self {
            Self::Chips(chips) => 100.0 * chips / pot.as_f64(),
            Self::Fraction(fraction) => 100.0 * fraction,
        }
    }
}

/// A spec that was loaded: its betting and how it is solved.
struct LoadedSpec {
    options: TreeOptions,
    spec: Spec,
}

/// Everything that a tree is built from.
#[derive(Default)]
pub(crate) struct Setup {
    pub ranges: [Option<Range>; 2],
    pub board: Option<Board>,
    pub pot: Option<Chips>,
    pub stack: Option<Chips>,
    pub rake: Rake,
    pub accuracy: Option<Accuracy>,
    /// Whether the script wants isomorphic flops and turns merged. They always are.
    pub isomorphism: [bool; 2],
    lines: ChipLines,
    loaded: Option<LoadedSpec>,
}

impl Setup {
    /// The lines of the tree; what a spec said of its betting is dropped.
    pub fn lines(&mut self) -> &mut ChipLines {
        self.loaded = None;
        &mut self.lines
    }

    /// Takes everything from a spec but the accuracy, where the script has set one.
    pub fn load(&mut self, spec: Spec) {
        let spot = &spec.spot;
        self.ranges =
            [noregret_holdem::OOP, noregret_holdem::IP].map(|player| Some(spot.range(player).clone()));
        self.board = Some(*spot.board());
        self.pot = Some(spot.options().starting_pot);
        self.stack = Some(spot.options().effective_stack);
        self.rake = spot.options().rake;
        self.lines = ChipLines::default();
        self.loaded = Some(LoadedSpec { options: spot.options().clone(), spec });
    }

    /// Both ranges and the board.
    pub fn deal(&self) -> Result<([Range; 2], Board), String> {
        let [oop, ip] = self.ranges.clone();
        let oop = oop.ok_or("the range of OOP is missing: use set_range OOP")?;
        let ip = ip.ok_or("the range of IP is missing: use set_range IP")?;
        Ok(([oop, ip], self.board.ok_or("the board is missing: use set_board")?))
    }

    /// What is to be solved.
    pub fn spec(&self) -> Result<Spec, String> {
        let (ranges, board) = self.deal()?;
        let pot = self.pot.ok_or("the pot is missing: use set_pot")?;
        let stack = self.stack.ok_or("the stack is missing: use set_eff_stack")?;
        let mut options = match &self.loaded {
            Some(loaded) => {
                TreeOptions { starting_pot: pot, effective_stack: stack, ..loaded.options.clone() }
            }
            None => self.lines.options(pot, stack, board.street()).map_err(|error| error.to_string())?,
        };
        options.rake = self.rake;
        let spot = Spot::new(ranges, board, options).map_err(|error| error.to_string())?;
        let Some(LoadedSpec { spec, .. }) = &self.loaded else {
            let solver = SolverOptions {
                max_iterations: SolverOptions::MAX_ITERATIONS,
                target_exploitability_pct: self.accuracy.map_or(0.0, |accuracy| accuracy.pot_pct(pot)),
                ..SolverOptions::default()
            };
            return Ok(Spec::of_spot(spot, solver));
        };
        let locks = spec.spot.locks().to_vec();
        let spot = spot.with_locks(locks).map_err(|error| error.to_string())?;
        let mut spec = Spec { spot, ..spec.clone() };
        if let Some(accuracy) = self.accuracy {
            spec.solver.target_exploitability_pct = accuracy.pot_pct(pot);
        }
        Ok(spec)
    }

    /// A tree that is laid out and fits into memory once so many bytes are freed; coarser numbers than asked for if only those do.
    pub fn plan(&self, threads: usize, freed: u64) -> Result<SolvePlan, String> {
        let spec = self.spec()?;
        let limit = limit_after(freed);
        let plan = |spec: Spec| -> Result<SolvePlan, JobError> {
            let plan = SolvePlan::new(spec, &limit, threads)?;
            plan.check_memory(&limit, threads)?;
            Ok(plan)
        };
        match plan(spec.clone()) {
            Err(JobError::Memory(_)) => {
                let solver = spec.solver.clone().with_precision(PrecisionSetting::Auto);
                plan(Spec { solver, ..spec }).map_err(|error| error.to_string())
            }
            other => other.map_err(|error| error.to_string()),
        }
    }

    /// A layout of both ranges on the board where nobody can bet: for equities.
    pub fn check_down(&self) -> Result<GameLayout, String> {
        let (ranges, board) = self.deal()?;
        let options = ChipLines::default().options(1.into(), 1.into(), board.street());
        let options = options.map_err(|error| error.to_string())?;
        let spot = Spot::new(ranges, board, options).map_err(|error| error.to_string())?;
        GameLayout::new(&spot).map_err(|error| error.to_string())
    }
}
