//! What a plan comes to: one job for each ranges, stack and flop.

use super::{BatchPlan, Flops};
use crate::{OOP, Spec, Spot, Step, flop_subset};
use noregret_cards::{Board, DistinctFlop, SuitGroup, distinct_flops, flop_weight};

/// One solve of a batch.
#[derive(Clone, PartialEq, Debug)]
pub struct BatchJob {
    /// Its name, and that of its file without the ending.
    pub name: String,
    /// What it shares with the same solve on other flops: its ranges and its stack; empty if all jobs do.
    pub variant: String,
    /// The flop.
    pub flop: Board,
    /// How many of the 22,100 flops it stands for.
    pub weight: u32,
    /// What to solve, or why that has no answer.
    pub spec: Result<Spec, String>,
}

/// A spec that a plan cannot start from.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct PlanError(String);

impl BatchPlan {
    /// The jobs of the plan with the spec that it starts from, in a fixed order.
    pub fn jobs(&self, base: &Spec) -> Result<Vec<BatchJob>, PlanError> {
        if base.spot.board().cards().len() > 3 {
            let message = "the spec has a turn, and a batch is about flops: leave `turn` and `river` out";
            return Err(PlanError(message.to_owned()));
        }
        if base.solver.dry_run {
            return Err(PlanError(
                "`dry_run = true` is for one spec, and a batch solves: leave it out".to_owned(),
            ));
        }
        let flops = self.weighted_flops(base)?;
        let ranges: Vec<Option<&super::NamedRanges>> = match self.ranges.is_empty() {
            true => vec![None],
            false => self.ranges.iter().map(Some).collect(),
        };
        let own = [base.spot.options().effective_stack];
        let stacks = if self.stacks.is_empty() { &own[..] } else { &self.stacks[..] };
        let mut jobs = Vec::new();
        for named in ranges {
            for &stack in stacks {
                let mut variant: Vec<String> = named.iter().map(|named| named.name.clone()).collect();
                if !self.stacks.is_empty() {
                    variant.push(format!("{stack}"));
                }
                for &DistinctFlop { board, weight } in &flops {
                    let ranges = match named {
                        Some(named) => named.ranges.clone(),
                        None => [OOP, OOP.opponent()].map(|player| base.spot.range(player).clone()),
                    };
                    let mut options = base.spot.options().clone();
                    options.effective_stack = stack;
                    let spot = Spot::new(ranges, board, options).map_err(|error| error.to_string());
                    let locks = base.spot.locks().to_vec();
                    let spot =
                        spot.and_then(|spot| spot.with_locks(locks).map_err(|error| error.to_string()));
                    let name =
                        variant.iter().cloned().chain([board.to_string()]).collect::<Vec<_>>().join("-");
                    let spec = spot.map(|spot| Spec { spot, ..base.clone() });
                    jobs.push(BatchJob { name, variant: variant.join(", "), flop: board, weight, spec });
                }
            }
        }
        Ok(jobs)
    }

    fn weighted_flops(&self, base: &Spec) -> Result<Vec<DistinctFlop>, PlanError> {
        match &self.flops {
            Flops::List(flops) => {
                let weigh = |&(board, weight): &(Board, Option<u32>)| DistinctFlop {
                    board,
                    weight: weight.unwrap_or_else(|| flop_weight(&board)),
                };
                Ok(flops.iter().map(weigh).collect())
            }
            Flops::All => self.check_suits(base).map(|()| distinct_flops()),
            Flops::Subset(count) => self.check_suits(base).map(|()| flop_subset(&base.spot, *count)),
        }
    }

    /// A flop stands for those with other suits only if no range tells suits apart.
    fn check_suits(&self, base: &Spec) -> Result<(), PlanError> {
        let own = [OOP, OOP.opponent()].map(|player| base.spot.range(player));
        let locks = base.spot.locks();
        let locked = locks.iter().filter_map(|lock| lock.hands.as_ref());
        let mut ranges =
            own.into_iter().chain(self.ranges.iter().flat_map(|named| &named.ranges)).chain(locked);
        let is_card = |step: &Step| matches!(step, Step::Card(_));
        if locks.iter().any(|lock| lock.line.steps.iter().any(is_card)) {
            let message = "a lock is for one runout, which is another one on other flops: list flops instead, or lock \
                           lines of the flop only";
            return Err(PlanError(message.to_owned()));
        }
        // The first board lets three suits be exchanged and the second one three others: all four together.
        let boards = ["2s2h2d", "2c2h2d"].map(|board| board.parse::<Board>());
        let is_symmetric =
            |range| boards.iter().flatten().all(|board| SuitGroup::of(board, &[range]).members().len() == 6);
        if ranges.all(is_symmetric) {
            return Ok(());
        }
        let message = "a range tells suits apart, so that one flop does not stand for those with other suits: list flops \
                       instead, or write ranges without single hands like `AhKh`";
        Err(PlanError(message.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(oop: &str) -> Spec {
        let text = format!(
            "[ranges]\noop = '{oop}'\nip = 'TT+,AKo'\n[cards]\nflop = '2c3d4h'\n[tree]\nstarting_pot = 10\neffective_stack = 90\n"
        );
        text.parse().unwrap()
    }

    fn plan(rest: &str) -> BatchPlan {
        format!("[batch]\nspec = 's'\nout = 'o'\n{rest}").parse().unwrap()
    }

    #[test]
    fn jobs_are_every_combination_with_a_name_each() {
        let plan = plan(
            "flops = ['QsJh2h', 'AsAhAd:7']\nstacks = [50, 90]\n[ranges.b]\noop = 'QQ'\nip = 'KK'\n[ranges.a]\noop = 'AA'\nip = 'KK'\n",
        );
        let jobs = plan.jobs(&base("88+")).unwrap();
        let names: Vec<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
        assert_eq!(names[..3], ["a-50-QsJh2h", "a-50-AsAhAd", "a-90-QsJh2h"]);
        assert_eq!((names.len(), jobs[7].variant.as_str()), (8, "b, 90"));
        assert_eq!(jobs.iter().map(|job| job.weight).take(2).collect::<Vec<_>>(), [12, 7]);
        // Aces cannot be held on a flop of aces: that job has no answer, the others have.
        assert_eq!(
            jobs[1].spec.as_ref().unwrap_err(),
            "the oop range is empty: the board has a card of each of its hands"
        );
        assert_eq!(jobs.iter().filter(|job| job.spec.is_ok()).count(), 6);
        let spec = jobs[7].spec.as_ref().unwrap();
        assert_eq!(spec.spot.options().effective_stack, 90.into());
        assert_eq!(spec.spot.range(OOP).to_string(), "QQ");
        let plain = self::plan("flops = ['QsJh2h']").jobs(&base("88+")).unwrap();
        assert_eq!((plain[0].name.as_str(), plain[0].variant.as_str()), ("QsJh2h", ""));
    }

    #[test]
    fn all_flops_and_subsets_need_suits_that_are_alike() {
        assert_eq!(plan("flops = 'all'").jobs(&base("88+,AKs")).unwrap().len(), 1755);
        let subset = plan("subset = 3").jobs(&base("88+,AKs")).unwrap();
        assert_eq!(subset.iter().map(|job| job.weight).sum::<u32>(), 22_100);
        for range in ["88+,AhKh", "88+,2d2c:0.5", "AKs,AsKs:0"] {
            let error = plan("flops = 'all'").jobs(&base(range)).unwrap_err().to_string();
            assert!(error.starts_with("a range tells suits apart"), "{range}: {error}");
        }
        assert_eq!(plan("flops = ['QsJh2h']").jobs(&base("88+,AhKh")).unwrap().len(), 1);
    }

    #[test]
    fn locks_hold_on_every_flop_and_those_of_one_runout_are_refused_for_all() {
        let with_lock =
            |lock: &str| -> Spec { format!("{}\n[[locks]]\n{lock}\n", base("88+,AKs")).parse().unwrap() };
        let flop = with_lock("line = 'check'\nhands = 'TT'\nstrategy = 'check'");
        for plan in [plan("flops = ['QsJh2h']"), plan("subset = 2")] {
            let jobs = plan.jobs(&flop).unwrap();
            assert!(jobs.iter().all(|job| job.spec.as_ref().unwrap().spot.locks() == flop.spot.locks()));
        }
        let error = |lock: &str| plan("flops = 'all'").jobs(&with_lock(lock)).unwrap_err().to_string();
        assert!(
            error("line = 'check, check, Th'\nstrategy = 'check'").starts_with("a lock is for one runout")
        );
        assert!(
            error("line = 'check'\nhands = 'ThTd'\nstrategy = 'check'")
                .starts_with("a range tells suits apart")
        );
    }

    #[test]
    fn a_dry_run_is_refused() {
        let mut spec = base("88+");
        spec.solver.dry_run = true;
        let error = plan("flops = ['QsJh2h']").jobs(&spec).unwrap_err().to_string();
        assert_eq!(error, "`dry_run = true` is for one spec, and a batch solves: leave it out");
    }

    #[test]
    fn a_spec_with_a_turn_is_refused() {
        let mut text = base("88+").to_string();
        text = text.replace("flop = \"2c3d4h\"", "flop = \"2c3d4h\"\nturn = \"5c\"");
        let error = plan("flops = 'all'").jobs(&text.parse().unwrap()).unwrap_err().to_string();
        assert_eq!(error, "the spec has a turn, and a batch is about flops: leave `turn` and `river` out");
    }
}
