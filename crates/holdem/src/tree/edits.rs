//! Lines that are added to the betting or taken out of it before the tree is built.
//!
//! An edit holds for all runouts, so its line has no cards. Edits become a small tree of their own, of the points that
//! some edit passes; the rules walk along in it.

use super::rules::{Rules, State};
use super::{Action, NodeKind};
use crate::line::{Line, Step, after, is_meant, listed};
use crate::text::excerpt;
use std::fmt;

/// Lines to add to a betting tree and lines to take out of it, on all runouts. All that is added is there before
/// anything is taken out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TreeEdits {
    /// Lines whose bets and raises are added where they are missing; what follows them is built by the rules.
    pub add: Vec<Line>,
    /// Lines that are taken out, with all that follows.
    pub remove: Vec<Line>,
}

impl TreeEdits {
    /// The most edits of a tree.
    pub const MAX: usize = 1000;
}

/// Which edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edit {
    /// The one of this number in [`TreeEdits::add`].
    Add(usize),
    /// The one of this number in [`TreeEdits::remove`].
    Remove(usize),
}

/// An edit that cannot be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EditError {
    /// Which edit.
    pub edit: Edit,
    /// The step of its line where the trouble is, counted from 0; none if it is the line as a whole.
    pub step: Option<usize>,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.edit {
            Edit::Add(index) => write!(f, "tree.add[{index}].line: {}", self.message),
            Edit::Remove(index) => write!(f, "tree.remove[{index}].line: {}", self.message),
        }
    }
}

impl std::error::Error for EditError {}

/// What goes wrong at a step of a line, or with all of it.
type Trouble = (Option<usize>, String);

/// A place in [`Edited`]; none where no edit passes.
pub(super) type Cursor = Option<u32>;

/// The points that some edit passes.
#[derive(Clone, Debug)]
pub(super) struct Edited {
    points: Vec<EditedPoint>,
}

#[derive(Clone, Debug, Default)]
struct EditedPoint {
    added: Vec<Action>,
    removed: Vec<Action>,
    next: Vec<(Action, u32)>,
}

impl Edited {
    pub const ROOT: Cursor = Some(0);

    pub fn nothing() -> Self {
        Self { points: vec![EditedPoint::default()] }
    }

    /// The actions of a point after its edits, bets and raises smallest first.
    pub fn apply(&self, at: Cursor, mut actions: Vec<Action>) -> Vec<Action> {
        if let Some(point) = at.map(|at| &self.points[at as usize]) {
            actions.extend(&point.added);
            actions.sort_by_key(|action| action.amount());
            actions.retain(|action| !point.removed.contains(action));
        }
        actions
    }

    /// Where an action leads.
    pub fn after(&self, at: Cursor, action: Action) -> Cursor {
        let point = &self.points[at? as usize];
        point.next.iter().find(|(known, _)| *known == action).map(|&(_, next)| next)
    }

    fn enter(&mut self, at: u32, action: Action) -> u32 {
        if let Some(next) = self.after(Some(at), action) {
            return next;
        }
        let next = self.points.len() as u32;
        self.points.push(EditedPoint::default());
        self.points[at as usize].next.push((action, next));
        next
    }
}

impl Rules<'_> {
    /// Makes all edits, one after the other.
    pub(super) fn edit(&mut self, edits: &TreeEdits) -> Result<(), EditError> {
        let count = edits.add.len() + edits.remove.len();
        let last = |list: &[Line]| list.len().saturating_sub(1);
        if count > TreeEdits::MAX {
            let edit = if edits.remove.is_empty() {
                Edit::Add(last(&edits.add))
            } else {
                Edit::Remove(last(&edits.remove))
            };
            let message = format!("{count} edits are too many: at most {} are possible", TreeEdits::MAX);
            return Err(EditError { edit, step: None, message });
        }
        for (index, line) in edits.add.iter().enumerate() {
            self.add(line).map_err(|(step, message)| EditError { edit: Edit::Add(index), step, message })?;
        }
        for (index, line) in edits.remove.iter().enumerate() {
            let error = |(step, message)| EditError { edit: Edit::Remove(index), step, message };
            self.remove(line).map_err(error)?;
        }
        Ok(())
    }

    /// Adds what is missing of a line.
    fn add(&mut self, line: &Line) -> Result<(), Trouble> {
        let mut state = self.root();
        let mut added = false;
        for (i, &step) in line.steps.iter().enumerate() {
            let action = match self.find(&mut state, line, i) {
                Ok(action) => action,
                Err(trouble) => {
                    let action = self.bet_at(&state, line, i)?.ok_or(trouble)?;
                    if let Some(at) = state.edits {
                        self.edited.points[at as usize].added.push(action);
                    }
                    added = true;
                    action
                }
            };
            debug_assert!(is_meant(action, step));
            self.follow(&mut state, action);
        }
        if added { Ok(()) } else { Err((None, format!("`{}` is there already", shown(line)))) }
    }

    /// Takes the end of a line out, with all that follows.
    fn remove(&mut self, line: &Line) -> Result<(), Trouble> {
        let Some(last) = line.steps.len().checked_sub(1) else {
            return Err((None, "the root cannot be taken out: give a line".to_owned()));
        };
        let mut state = self.root();
        for i in 0..last {
            let action = self.find(&mut state, line, i)?;
            self.follow(&mut state, action);
        }
        let action = self.find(&mut state, line, last)?;
        if self.successors(&state).len() == 1 {
            let place = after(line, last);
            return Err((Some(last), format!("`{action}` is all that is left {place}: it has to stay")));
        }
        if let Some(at) = state.edits {
            self.edited.points[at as usize].removed.push(action);
        }
        Ok(())
    }

    /// The action that a step of a line means, at a point from which cards have been dealt as far as they come.
    fn find(&self, state: &mut State, line: &Line, i: usize) -> Result<Action, Trouble> {
        while state.kind == NodeKind::Chance {
            *state = self.successors(state)[0].1;
        }
        let step = line.steps[i];
        if let Step::Card(_) = step {
            let message = format!("an edit is for all runouts: leave the card `{step}` out");
            return Err((Some(i), message));
        }
        let successors = self.successors(state);
        let actions: Vec<Action> = successors.iter().filter_map(|(action, _)| *action).collect();
        actions.iter().copied().find(|&action| is_meant(action, step)).ok_or_else(|| {
            let there = if actions.is_empty() { "the hand is over".to_owned() } else { listed(&actions) };
            (Some(i), format!("there is no `{step}` {}: {there}", after(line, i)))
        })
    }

    /// The bet or raise that a step of a line stands for where there is none yet; none if it is something else.
    fn bet_at(&self, state: &State, line: &Line, i: usize) -> Result<Option<Action>, Trouble> {
        let NodeKind::Decision(player) = state.kind else { return Ok(None) };
        let stakes = self.stakes(state, player);
        let amount = match line.steps[i] {
            Step::Action(action) => action.amount().map(|amount| amount.get()),
            Step::AllIn => Some(stakes.all_in),
            Step::Card(_) => None,
        };
        let Some(amount) = amount.filter(|_| stakes.previous < stakes.all_in) else { return Ok(None) };
        if !(stakes.least..=stakes.all_in).contains(&amount) {
            let message = format!(
                "`{}` is not possible {}: amounts from {} to {} are",
                line.steps[i],
                after(line, i),
                stakes.least,
                stakes.all_in
            );
            return Err((Some(i), message));
        }
        Ok(Some(stakes.bet(amount)))
    }

    /// Plays an action, and makes sure that edits can be made where it leads.
    fn follow(&mut self, state: &mut State, action: Action) {
        if let Some(at) = state.edits {
            self.edited.enter(at, action);
        }
        let next = self.successors(state).into_iter().find(|(other, _)| *other == Some(action));
        *state = next.map_or(*state, |(_, next)| next);
    }
}

fn shown(line: &Line) -> String {
    excerpt(&line.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BettingTree, NodeId, TreeError, TreeOptions};
    use noregret_cards::{Board, Street};
    use proptest::prelude::*;

    fn lines(lines: &[&str]) -> Vec<Line> {
        lines.iter().map(|line| line.parse().unwrap()).collect()
    }

    fn build(street: Street, add: &[&str], remove: &[&str]) -> Result<BettingTree, String> {
        let mut options = TreeOptions::new(100.into(), 300.into());
        options.edits = TreeEdits { add: lines(add), remove: lines(remove) };
        BettingTree::build(&options, street).map_err(|error| error.to_string())
    }

    fn actions(tree: &BettingTree, line: &str) -> Vec<String> {
        let board: Board = "QsJh2h3c".parse().unwrap();
        let (node, _) = tree.walk(&board, &line.parse().unwrap()).unwrap();
        tree.actions(node).map(|action| action.to_string()).collect()
    }

    #[test]
    fn added_bets_are_there_in_order_and_are_played_on_by_the_rules() {
        let tree = build(Street::Turn, &["bet 20", "bet 90, raise 200", "check, all-in"], &[]).unwrap();
        assert_eq!(actions(&tree, ""), ["check", "bet 20", "bet 50", "bet 90"]);
        assert_eq!(actions(&tree, "bet 90"), ["fold", "call", "raise 200", "all-in 300"]);
        assert_eq!(actions(&tree, "bet 20"), ["fold", "call", "raise 50"]);
        assert_eq!(actions(&tree, "check"), ["check", "bet 50", "all-in 300"]);
        // Nothing else has changed.
        assert_eq!(actions(&tree, "bet 50"), ["fold", "call", "raise 125", "all-in 300"]);
        assert_eq!(actions(&tree, "bet 20, call, Th"), ["check", "bet 70"]);
    }

    #[test]
    fn an_edit_is_for_all_runouts_and_for_its_line_only() {
        let tree = build(Street::Turn, &["check, check, bet 33"], &[]).unwrap();
        assert_eq!(actions(&tree, "check, check, Th"), ["check", "bet 33", "bet 50"]);
        assert_eq!(actions(&tree, "check, check, 4d"), ["check", "bet 33", "bet 50"]);
        assert_eq!(
            actions(&tree, "bet 50, call, Th"),
            actions(&build(Street::Turn, &[], &[]).unwrap(), "bet 50, call, Th")
        );
    }

    #[test]
    fn removed_lines_are_gone_with_all_that_follows() {
        let plain = build(Street::Turn, &[], &[]).unwrap();
        let tree = build(Street::Turn, &[], &["bet 50, raise 125", "check, check, check, bet 50"]).unwrap();
        assert_eq!(actions(&tree, "bet 50"), ["fold", "call", "all-in 300"]);
        assert_eq!(actions(&tree, "check, check, Th, check"), ["check"]);
        assert!(tree.nodes().len() < plain.nodes().len());
        // What was added may be taken out again, and a check may be.
        let same = build(Street::Turn, &["bet 20"], &["bet 20"]).unwrap();
        assert_eq!(same, plain);
        assert_eq!(actions(&build(Street::River, &[], &["check"]).unwrap(), ""), ["bet 50"]);
    }

    #[test]
    fn counting_and_building_agree() {
        let mut options = TreeOptions::new(100.into(), 300.into());
        options.edits = TreeEdits { add: lines(&["bet 20, raise 60"]), remove: lines(&["check, bet 50"]) };
        let tree = BettingTree::build(&options, Street::Flop).unwrap();
        assert_eq!(BettingTree::count(&options, Street::Flop, 1_000_000).unwrap(), *tree.counts());
        assert_eq!(tree.counts().nodes(), tree.nodes().len());
        assert!(tree.nodes().iter().skip(1).all(|node| node.parent.is_some_and(|NodeId(id)| id < u32::MAX)));
    }

    #[test]
    fn edits_that_cannot_be_made_say_where_and_why() {
        let add = |line: &str| build(Street::Turn, &[line], &[]).unwrap_err();
        let remove = |line: &str| build(Street::Turn, &[], &[line]).unwrap_err();
        assert_eq!(add("bet 50"), "tree.add[0].line: `bet 50` is there already");
        assert_eq!(add(""), "tree.add[0].line: `` is there already");
        assert_eq!(
            add("bet 50, raise 60"),
            "tree.add[0].line: `raise 60` is not possible after `bet 50`: amounts from 100 to 300 are"
        );
        assert_eq!(
            add("bet 301"),
            "tree.add[0].line: `bet 301` is not possible at the root: amounts from 1 to 300 are"
        );
        assert_eq!(
            add("bet 50, check"),
            "tree.add[0].line: there is no `check` after `bet 50`: there is `fold`, `call`, `raise 125`, `all-in 300`"
        );
        assert_eq!(
            add("check, check, Th, bet 33"),
            "tree.add[0].line: an edit is for all runouts: leave the card `Th` out"
        );
        assert_eq!(
            add("bet 50, fold, bet 20"),
            "tree.add[0].line: there is no `bet 20` after `bet 50, fold`: the hand is over"
        );
        assert_eq!(
            add("all-in, raise 400"),
            "tree.add[0].line: there is no `raise 400` after `all-in`: there is `fold`, `call`"
        );
        assert_eq!(
            remove("bet 60"),
            "tree.remove[0].line: there is no `bet 60` at the root: there is `check`, `bet 50`"
        );
        assert_eq!(remove(""), "tree.remove[0].line: the root cannot be taken out: give a line");
        assert_eq!(
            build(Street::Turn, &[], &["check", "bet 50"]).unwrap_err(),
            "tree.remove[1].line: `bet 50` is all that is left at the root: it has to stay"
        );
        let many = vec!["bet 20"; TreeEdits::MAX + 1];
        assert_eq!(
            build(Street::Turn, &many, &[]).unwrap_err(),
            "tree.add[1000].line: 1001 edits are too many: at most 1000 are possible"
        );
    }

    #[test]
    fn more_actions_than_a_solver_takes_are_refused() {
        let bets: Vec<String> =
            (1..80).map(|bet| format!("bet {bet}")).filter(|bet| bet != "bet 50").collect();
        let bets: Vec<&str> = bets.iter().map(String::as_str).collect();
        let message = build(Street::River, &bets, &[]).unwrap_err();
        assert!(
            message.starts_with("a decision has 80 actions, and 64 are possible: give fewer sizes"),
            "{message}"
        );
        assert!(build(Street::River, &bets[..60], &[]).is_ok());
    }

    #[test]
    fn an_error_names_the_step() {
        let mut options = TreeOptions::new(100.into(), 300.into());
        options.edits.add = lines(&["bet 20", "bet 50, raise 99"]);
        let Err(TreeError::Edit(error)) = BettingTree::build(&options, Street::Turn) else { panic!() };
        assert_eq!((error.edit, error.step), (Edit::Add(1), Some(1)));
    }

    prop_compose! {
        fn any_line()(steps in prop::collection::vec(
            prop::sample::select(vec!["check", "call", "fold", "bet 50", "bet 20", "raise 125", "raise 200", "all-in", "Th"]),
            0..6,
        )) -> Line {
            steps.join(", ").parse().unwrap()
        }
    }

    proptest! {
        #[test]
        fn any_edits_make_a_tree_or_a_message(
            add in prop::collection::vec(any_line(), 0..4),
            remove in prop::collection::vec(any_line(), 0..3),
        ) {
            let mut options = TreeOptions::new(100.into(), 300.into());
            options.edits = TreeEdits { add, remove };
            match BettingTree::build(&options, Street::Turn) {
                Ok(tree) => {
                    let board: Board = "QsJh2h3c".parse().unwrap();
                    let without_cards = |line: &Line| line.steps.iter().all(|step| !matches!(step, Step::Card(_)));
                    prop_assert!(options.edits.add.iter().all(without_cards));
                    for line in options.edits.remove.iter() {
                        // Cards are missing in the line; only lines without a card can be walked.
                        if let Ok((node, _)) = tree.walk(&board, line) {
                            prop_assert!(false, "{line} is at {node:?}");
                        }
                    }
                }
                Err(TreeError::Edit(error)) => prop_assert!(!error.message.is_empty()),
                Err(error) => prop_assert!(false, "{error}"),
            }
        }
    }
}
