//! Lines that are added to the betting or taken out of it before the tree is built.
//!
//! An edit holds for all runouts, so its line has no cards. Edits become a small tree of their own, of the points that
//! some edit passes; the rules walk along in it.

use crate::betting::action::Action;
use crate::betting::line::Line;
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
    pub const MAX: usize = 20_000;
}

/// Which edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edit {
    /// The one of this number in [`TreeEdits::add`].
    Add(usize),
    /// The one of this number in [`TreeEdits::remove`].
    Remove(usize),
}

impl fmt::Display for Edit {
    /// Its path in a spec, like `tree.add[0]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Add(index) => write!(f, "tree.add[{index}]"),
            Self::Remove(index) => write!(f, "tree.remove[{index}]"),
        }
    }
}

/// An edit that cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{edit}.line: {message}")]
pub struct EditError {
    /// Which edit.
    pub edit: Edit,
    /// The step of its line where the trouble is, counted from 0; none if it is the line as a whole.
    pub step: Option<usize>,
    /// What is wrong with it.
    pub message: String,
}

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

    /// Adds an action to a point.
    pub fn add(&mut self, at: Cursor, action: Action) {
        if let Some(at) = at {
            self.points[at as usize].added.push(action);
        }
    }

    /// Takes an action out of a point.
    pub fn remove(&mut self, at: Cursor, action: Action) {
        if let Some(at) = at {
            self.points[at as usize].removed.push(action);
        }
    }

    /// Makes sure that edits can be made where an action leads.
    pub fn enter(&mut self, at: u32, action: Action) -> u32 {
        if let Some(next) = self.after(Some(at), action) {
            return next;
        }
        let next = self.points.len() as u32;
        self.points.push(EditedPoint::default());
        self.points[at as usize].next.push((action, next));
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BettingTree, BettingTreeError, NodeId, Step, TreeOptions};
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
            "tree.add[20000].line: 20001 edits are too many: at most 20000 are possible"
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
        let Err(BettingTreeError::Edit(error)) = BettingTree::build(&options, Street::Turn) else { panic!() };
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
                Err(BettingTreeError::Edit(error)) => prop_assert!(!error.message.is_empty()),
                Err(error) => prop_assert!(false, "{error}"),
            }
        }
    }
}
