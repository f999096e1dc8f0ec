//! Hands that are bound to a strategy at the end of a line: they play it exactly, and the rest is solved around them.
//!
//! ```
//! use noregret_holdem::{Lock, GameLayout, Solver, Spot, TreeOptions};
//!
//! let ranges = ["AA,KK,87s".parse()?, "TT+,KQs".parse()?];
//! let spot = Spot::new(ranges, "QsJh2h8c3d".parse()?, TreeOptions::new(100.into(), 300.into()))?;
//! // The second player gives up against every bet.
//! let fold = Lock { line: "bet 50".parse()?, strategy: vec![("fold".parse()?, 1.0)], ..Lock::default() };
//! let spot = spot.with_locks(vec![fold])?;
//! let game = GameLayout::new(&spot)?.build();
//! let mut solution = Solver::new(game.clone());
//! (0..200).for_each(|_| solution.iterate());
//! assert_eq!(solution.at(&"bet 50".parse()?)?.frequencies, [1.0, 0.0, 0.0, 0.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::action::Action;
use super::line::{Line, Step};
use super::node::BettingNodeKind;
use super::position::{OOP, Player};
use super::tree::{Rules, TreeOptions};
use super::walk::{after, dealt_after, is_meant, listed, walk};
use noregret_cards::{Board, HandKind, Hole, Range, SuitPermutation};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// How far from 1 the frequencies of a lock may add up: what decimals leave.
const SUM_TOLERANCE: f64 = 1e-6;

/// Hands that are bound to a strategy.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Lock {
    /// The decision. On a later street than the first the line names the cards, and the lock is for that runout.
    pub line: Line,
    /// The hands, each with a weight of 1; the whole range of whoever decides if none.
    pub hands: Option<Range>,
    /// Of these hands only those of one of these kinds, on the board of the line; all of them if empty.
    pub kinds: Vec<HandKind>,
    /// How often they take each action: see [`LockBy`].
    pub strategy: Vec<(Step, f64)>,
    /// Which hands take which action.
    pub by: LockBy,
}

impl Lock {
    /// The most locks of a spot.
    pub const MAX: usize = 10_000;

    /// Whether its hands are not known yet: it is by merit, and no solution has said what they are worth.
    pub fn is_open(&self) -> bool {
        matches!(&self.by, LockBy::Merit(merit) if merit.resolved.is_none())
    }

    /// The same before any solution has said what its hands are worth.
    #[must_use]
    pub fn opened(mut self) -> Self {
        if let LockBy::Merit(merit) = &mut self.by {
            merit.resolved = None;
        }
        self
    }
}

/// Which hands of a lock take which action.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum LockBy {
    /// Every hand takes each action with the same frequency. They add up to 1; an action that is not named is never taken.
    #[default]
    Uniform,
    /// The frequencies are those of all hands together, and the hands that lose least by it are moved there. What is not named
    /// is taken as it was, with what is left.
    Merit(Merit),
}

/// A lock by merit.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Merit {
    /// What the numbers of the lock's strategy are.
    pub target: MeritTarget,
    /// What each hand does, in the order of the tree's actions, once a solution without the lock has said what its actions are
    /// worth. Hands that do not get there in that solution are not bound.
    pub resolved: Option<Vec<(Hole, Vec<f64>)>>,
}

/// What the numbers of a lock by merit are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MeritTarget {
    /// How often all hands together take the action.
    #[default]
    Frequency,
    /// How much more often than in the solution without the lock; less often if below 0.
    Change,
}

/// A value of a [`Lock`] that can be wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockField {
    /// The line; at this step, counted from 0, if it is one.
    Line(Option<usize>),
    /// The hands.
    Hands,
    /// What a solution made of a lock by merit.
    Resolved,
    /// The strategy; at this entry, counted from 0, if it is one.
    Strategy(Option<usize>),
}

/// A lock that cannot be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("locks[{lock}].{field}: {message}")]
pub struct LockError {
    /// Which lock, counted from 0.
    pub lock: usize,
    /// Which value of it.
    pub field: LockField,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for LockField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Line(_) => "line",
            Self::Hands => "hands",
            Self::Resolved => "resolved",
            Self::Strategy(_) => "strategy",
        })
    }
}

/// What is wrong, and with which value.
type LockTrouble = (LockField, String);

/// A lock, worked out.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Bound {
    /// In the tree's own words.
    pub line: Line,
    pub player: Player,
    pub board: Board,
    /// The hands that are bound; of a lock whose hands are not known yet, those that may be.
    pub holes: Vec<Hole>,
    pub strategy: BoundStrategy,
}

/// What the hands of a lock do: a number for each action.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum BoundStrategy {
    /// The same with all hands.
    Same(Vec<f32>),
    /// With each hand, in the order of the hands.
    Each(Vec<Vec<f32>>),
    /// Not known yet; targets by merit.
    Open(MeritTarget, Vec<f32>),
}

impl BoundStrategy {
    /// What a hand does, by its place among the hands of the lock; none if that is not known yet.
    pub fn of(&self, place: usize) -> Option<&[f32]> {
        match self {
            Self::Same(shares) => Some(shares),
            Self::Each(shares) => shares.get(place).map(Vec::as_slice),
            Self::Open(..) => None,
        }
    }

    /// How many actions there are.
    pub fn actions(&self) -> usize {
        match self {
            Self::Same(shares) | Self::Open(_, shares) => shares.len(),
            Self::Each(shares) => shares.first().map_or(0, Vec::len),
        }
    }

    /// What tells a hand from others in this lock.
    fn mark(&self, place: usize) -> (Option<MeritTarget>, &[f32]) {
        match self {
            Self::Open(target, shares) => (Some(*target), shares),
            _ => (None, self.of(place).unwrap_or_default()),
        }
    }
}

impl Bound {
    /// Resolves the locks of a spot with these ranges, board and options, and writes them in the tree's own words.
    pub fn all(
        ranges: &[Range; 2],
        board: &Board,
        options: &TreeOptions,
        locks: Vec<Lock>,
    ) -> Result<(Vec<Lock>, Vec<Self>), LockError> {
        if locks.len() > Lock::MAX {
            let message = format!("{} locks are too many: at most {} are possible", locks.len(), Lock::MAX);
            return Err(LockError { lock: Lock::MAX, field: LockField::Line(None), message });
        }
        let rules = match Rules::new(options, board.street()) {
            Ok(rules) => rules,
            Err(error) => unreachable!("the edits of a spot are fine: {error}"),
        };
        let mut written = Vec::with_capacity(locks.len());
        let mut bound: Vec<Self> = Vec::with_capacity(locks.len());
        let mut taken: HashMap<Line, HashMap<Hole, usize>> = HashMap::new();
        for (index, lock) in locks.into_iter().enumerate() {
            let error = |(field, message)| LockError { lock: index, field, message };
            let (lock, new, holes) = work_out(ranges, board, &rules, lock).map_err(error)?;
            let taken = taken.entry(new.line.clone()).or_default();
            for &hole in &holes {
                if let Some(earlier) = taken.insert(hole, index) {
                    let message = format!("{hole} is locked here already, by locks[{earlier}]");
                    return Err(error((LockField::Hands, message)));
                }
            }
            written.push(lock);
            bound.push(new);
        }
        Ok((written, bound))
    }

    /// Whether locks are the same when suits are renamed.
    pub fn are_left_by(bound: &[Self], renaming: SuitPermutation) -> bool {
        let mut by_line: HashMap<&Line, HashMap<Hole, _>> = HashMap::new();
        for lock in bound {
            let holes = by_line.entry(&lock.line).or_default();
            holes.extend(lock.holes.iter().enumerate().map(|(i, &hole)| (hole, lock.strategy.mark(i))));
        }
        bound.iter().all(|lock| {
            let image = by_line.get(&renamed(&lock.line, renaming));
            image.is_some_and(|image| {
                let mut holes = lock.holes.iter().enumerate();
                holes.all(|(i, &hole)| image.get(&renaming.hole(hole)) == Some(&lock.strategy.mark(i)))
            })
        })
    }
}

fn renamed(line: &Line, renaming: SuitPermutation) -> Line {
    let step = |step: &Step| match *step {
        Step::Card(card) => Step::Card(renaming.card(card)),
        step => step,
    };
    Line { steps: line.steps.iter().map(step).collect() }
}

fn work_out(
    ranges: &[Range; 2],
    board: &Board,
    rules: &Rules<'_>,
    lock: Lock,
) -> Result<(Lock, Bound, Vec<Hole>), LockTrouble> {
    let end =
        walk(rules, board, &lock.line).map_err(|error| (LockField::Line(Some(error.step)), error.message))?;
    let nobody = |why: &str| {
        let steps = lock.line.steps.len();
        (LockField::Line(steps.checked_sub(1)), format!("nobody decides {}: {why}", after(&lock.line, steps)))
    };
    let player = match end.point.kind {
        BettingNodeKind::Decision(player) => player,
        BettingNodeKind::Chance => return Err(nobody(&dealt_after(end.point.street))),
        BettingNodeKind::Fold(_) | BettingNodeKind::Showdown => return Err(nobody("the hand is over")),
    };
    let actions: Vec<Action> =
        rules.successors(&end.point).into_iter().filter_map(|(action, _)| action).collect();
    let holes = holes(&ranges[player.index()], player, &end.board, &lock)
        .map_err(|message| (LockField::Hands, message))?;
    let (bound_holes, bound) = match &lock.by {
        LockBy::Uniform => (holes.clone(), BoundStrategy::Same(shares(&lock.strategy, &actions)?)),
        LockBy::Merit(merit) => {
            let targets = targets(&lock.strategy, &actions, merit.target)?;
            match &merit.resolved {
                None => (holes.clone(), BoundStrategy::Open(merit.target, targets)),
                Some(resolved) => each(resolved, &holes, actions.len())
                    .map(|(holes, shares)| (holes, BoundStrategy::Each(shares)))
                    .map_err(|message| (LockField::Resolved, message))?,
            }
        }
    };
    let named = |share: &(Step, f64)| actions.iter().position(|&action| is_meant(action, share.0));
    let mut strategy: Vec<(usize, f64)> =
        lock.strategy.iter().filter_map(|share| Some((named(share)?, share.1))).collect();
    strategy.sort_by_key(|&(action, _)| action);
    let strategy =
        strategy.into_iter().map(|(action, share)| (Step::Action(actions[action]), share)).collect();
    let bound =
        Bound { line: end.line.clone(), player, board: end.board, holes: bound_holes, strategy: bound };
    Ok((Lock { line: end.line, strategy, ..lock }, bound, holes))
}

/// What a solution made of a lock by merit.
fn each(
    resolved: &[(Hole, Vec<f64>)],
    holes: &[Hole],
    actions: usize,
) -> Result<(Vec<Hole>, Vec<Vec<f32>>), String> {
    let mut seen = HashSet::new();
    let mut bound = (Vec::with_capacity(resolved.len()), Vec::with_capacity(resolved.len()));
    for (hole, shares) in resolved {
        if !holes.contains(hole) {
            return Err(format!("{hole} is no hand of this lock"));
        }
        if !seen.insert(*hole) {
            return Err(format!("{hole} is there already"));
        }
        let sum: f64 = shares.iter().sum();
        if shares.len() != actions
            || shares.iter().any(|share| !(0.0..=1.0).contains(share))
            || (sum - 1.0).abs() > SUM_TOLERANCE
        {
            return Err(format!("{hole} needs {actions} numbers from 0 to 1 that add up to 1"));
        }
        bound.0.push(*hole);
        bound.1.push(shares.iter().map(|share| (share / sum) as f32).collect());
    }
    Ok(bound)
}

/// The hands of a lock that a board does not block.
fn holes(range: &Range, player: Player, board: &Board, lock: &Lock) -> Result<Vec<Hole>, String> {
    let name = if player == OOP { "oop" } else { "ip" };
    let hands = lock.hands.as_ref();
    let named = hands.unwrap_or(range);
    if named.is_empty() {
        return Err("there are no hands: leave `hands` out for the whole range".to_owned());
    }
    let mut holes = Vec::new();
    for (hole, weight) in named.iter().filter(|(hole, _)| !hole.set().intersects(board.set())) {
        if hands.is_some() && weight != 1.0 {
            return Err(format!("{hole} has a weight of {weight}: a lock takes a hand as a whole"));
        }
        if range.weight(hole) == 0.0 {
            return Err(format!("{hole} is not in the {name} range"));
        }
        holes.push(hole);
    }
    if holes.is_empty() {
        return Err(format!("the board {board} has a card of each of these hands"));
    }
    if !lock.kinds.is_empty() {
        holes.retain(|&hole| lock.kinds.iter().any(|kind| kind.has(hole, board)));
        if holes.is_empty() {
            let kinds: Vec<String> = lock.kinds.iter().map(ToString::to_string).collect();
            return Err(format!("no hand of the {name} range is {} on {board}", kinds.join(" or ")));
        }
    }
    Ok(holes)
}

/// The number of each action; none of those that are not named.
fn numbers(
    strategy: &[(Step, f64)],
    actions: &[Action],
    least: f64,
) -> Result<Vec<Option<f64>>, LockTrouble> {
    let mut numbers = vec![None; actions.len()];
    for (i, &(step, number)) in strategy.iter().enumerate() {
        let trouble = |message| (LockField::Strategy(Some(i)), message);
        let action = actions.iter().position(|&action| is_meant(action, step));
        let action =
            action.ok_or_else(|| trouble(format!("there is no `{step}` here: {}", listed(actions))))?;
        if !(least..=1.0).contains(&number) {
            let what = if least < 0.0 { "change" } else { "frequency" };
            return Err(trouble(format!(
                "the {what} of `{step}` must be a number from {least} to 1, not {number}"
            )));
        }
        if numbers[action].replace(number).is_some() {
            return Err(trouble(format!("`{step}` is `{}`, which is there already", actions[action])));
        }
    }
    Ok(numbers)
}

/// How often each action is taken.
fn shares(strategy: &[(Step, f64)], actions: &[Action]) -> Result<Vec<f32>, LockTrouble> {
    let shares = numbers(strategy, actions, 0.0)?.into_iter().map(Option::unwrap_or_default);
    let sum: f64 = shares.clone().sum();
    if (sum - 1.0).abs() > SUM_TOLERANCE {
        return Err((LockField::Strategy(None), sum_error(sum, "not to 1", actions)));
    }
    Ok(shares.map(|share| (share / sum) as f32).collect())
}

/// The targets of a lock by merit; infinite for actions that have none.
fn targets(
    strategy: &[(Step, f64)],
    actions: &[Action],
    target: MeritTarget,
) -> Result<Vec<f32>, LockTrouble> {
    let least = if target == MeritTarget::Change { -1.0 } else { 0.0 };
    let numbers = numbers(strategy, actions, least)?;
    let trouble = |message| Err((LockField::Strategy(None), message));
    let mut named = numbers.iter().flatten().peekable();
    if named.peek().is_none() {
        return trouble(format!("it names no action: {}", listed(actions)));
    }
    let sum: f64 = named.sum();
    if target == MeritTarget::Frequency {
        if sum > 1.0 + SUM_TOLERANCE {
            return trouble(sum_error(sum, "not to at most 1", actions));
        }
        if numbers.iter().all(Option::is_some) && (sum - 1.0).abs() > SUM_TOLERANCE {
            return trouble(sum_error(sum, "not to 1", actions));
        }
    }
    Ok(numbers.into_iter().map(|number| number.map_or(f32::INFINITY, |number| number as f32)).collect())
}

fn sum_error(sum: f64, wrong: &str, actions: &[Action]) -> String {
    let rounded = (sum * 1e6).round() / 1e6;
    format!("the frequencies add up to {rounded}, {wrong}: {}", listed(actions))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Spot;

    fn spot() -> Spot {
        let ranges = ["AA,KK,QJs:0.5".parse().unwrap(), "TT+,AQs".parse().unwrap()];
        Spot::new(ranges, "QsJh2h3c".parse().unwrap(), TreeOptions::new(100.into(), 300.into())).unwrap()
    }

    fn lock(line: &str, hands: &str, strategy: &[(&str, f64)]) -> Lock {
        Lock {
            line: line.parse().unwrap(),
            hands: (!hands.is_empty()).then(|| hands.parse().unwrap()),
            strategy: strategy.iter().map(|&(step, share)| (step.parse().unwrap(), share)).collect(),
            ..Lock::default()
        }
    }

    fn refused(locks: Vec<Lock>) -> (LockField, String) {
        let error = spot().with_locks(locks).unwrap_err();
        (error.field, error.to_string())
    }

    const CHECK: [(&str, f64); 1] = [("check", 1.0)];

    #[test]
    fn locks_are_kept_in_the_words_of_the_tree() {
        let spot = spot()
            .with_locks(vec![
                lock("bet 50, bet 300", "", &[("call", 0.25), ("fold", 0.75)]),
                lock("", "AA", &CHECK),
            ])
            .unwrap();
        let written: Vec<String> = spot.locks().iter().map(|lock| lock.line.to_string()).collect();
        assert_eq!(written, ["bet 50, all-in 300", ""]);
        let steps: Vec<String> = spot.locks()[0].strategy.iter().map(|(step, _)| step.to_string()).collect();
        assert_eq!(steps, ["fold", "call"]);
        assert_eq!(spot.bound()[0].strategy, BoundStrategy::Same(vec![0.75, 0.25]));
        assert_eq!((spot.bound()[0].player, spot.bound()[0].holes.len()), (OOP, 6 + 6 + 2));
    }

    #[test]
    fn lines_where_nobody_decides_are_refused() {
        let line = |text: &str| refused(vec![lock(text, "", &CHECK)]);
        assert_eq!(
            line("bet 60"),
            (
                LockField::Line(Some(0)),
                "locks[0].line: there is no `bet 60` at the root: there is `check`, `bet 50`".to_owned()
            )
        );
        assert_eq!(
            line("check, check"),
            (
                LockField::Line(Some(1)),
                "locks[0].line: nobody decides after `check, check`: the river card is dealt, like `Th`"
                    .to_owned()
            )
        );
        assert_eq!(
            line("check, check, check"),
            (
                LockField::Line(Some(2)),
                "locks[0].line: there is no `check` after `check, check`: the river card is dealt, like `Th`"
                    .to_owned()
            )
        );
        assert_eq!(
            line("bet 50, fold").1,
            "locks[0].line: nobody decides after `bet 50, fold`: the hand is over"
        );
    }

    #[test]
    fn hands_that_cannot_be_locked_are_refused() {
        let hands = |line: &str, hands: &str| refused(vec![lock(line, hands, &CHECK)]).1;
        assert_eq!(hands("", "AKs"), "locks[0].hands: AcKc is not in the oop range");
        assert_eq!(hands("check", "KK,99"), "locks[0].hands: 9d9c is not in the ip range");
        assert_eq!(
            hands("", "AA:0.5"),
            "locks[0].hands: AdAc has a weight of 0.5: a lock takes a hand as a whole"
        );
        assert_eq!(hands("", "QsJs"), "locks[0].hands: the board QsJh2h3c has a card of each of these hands");
        let none = Lock { hands: Some(Range::default()), ..lock("", "", &CHECK) };
        assert_eq!(
            refused(vec![none]).1,
            "locks[0].hands: there are no hands: leave `hands` out for the whole range"
        );
        // What the board of the line blocks is left out.
        assert!(spot().with_locks(vec![lock("check, check, Ah", "AA", &CHECK)]).is_ok());
        assert_eq!(
            refused(vec![lock("", "AA,KK", &CHECK), lock("", "AhAd", &CHECK)]).1,
            "locks[1].hands: AhAd is locked here already, by locks[0]"
        );
        assert!(
            refused(vec![lock("", "", &CHECK), lock("", "", &CHECK)]).1.contains("is locked here already")
        );
        assert!(spot().with_locks(vec![lock("", "AA", &CHECK), lock("", "KK", &CHECK)]).is_ok());
    }

    #[test]
    fn strategies_that_are_none_are_refused() {
        let strategy = |shares: &[(&str, f64)]| refused(vec![lock("", "", shares)]);
        assert_eq!(
            strategy(&[("check", 0.3), ("bet 50", 0.6)]),
            (
                LockField::Strategy(None),
                "locks[0].strategy: the frequencies add up to 0.9, not to 1: there is `check`, `bet 50`"
                    .to_owned()
            )
        );
        assert_eq!(
            strategy(&[]).1,
            "locks[0].strategy: the frequencies add up to 0, not to 1: there is `check`, `bet 50`"
        );
        assert_eq!(
            strategy(&[("check", 0.3), ("bet 94", 0.7)]),
            (
                LockField::Strategy(Some(1)),
                "locks[0].strategy: there is no `bet 94` here: there is `check`, `bet 50`".to_owned()
            )
        );
        assert_eq!(
            strategy(&[("check", 1.5), ("bet 50", -0.5)]).1,
            "locks[0].strategy: the frequency of `check` must be a number from 0 to 1, not 1.5"
        );
        assert!(strategy(&[("check", f64::NAN)]).1.ends_with("must be a number from 0 to 1, not NaN"));
        assert_eq!(
            strategy(&[("bet 50", 0.5), ("raise 50", 0.5)]).1,
            "locks[0].strategy: `raise 50` is `bet 50`, which is there already"
        );
        assert!(spot().with_locks(vec![lock("", "", &[("check", 0.1), ("bet 50", 0.9)])]).is_ok());
    }

    #[test]
    fn too_many_locks_are_refused() {
        let message = refused(vec![lock("", "", &CHECK); Lock::MAX + 1]).1;
        assert_eq!(message, "locks[10000].line: 10001 locks are too many: at most 10000 are possible");
    }
}
