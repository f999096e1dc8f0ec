//! Where a line leads through the points of a betting.

use super::action::Action;
use super::line::{Line, Step};
use super::node::BettingNodeKind;
use noregret_cards::{Board, Street};

/// A line that leaves the tree, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LineError {
    /// Which step does not exist, counted from 0.
    pub step: usize,
    /// What does not exist, and what does there.
    pub message: String,
}

/// Points of a betting that lines lead through: the nodes of a tree, or what the rules make of them one by one.
pub(crate) trait Points {
    /// One of them.
    type Point: Copy;

    /// Where every line starts.
    fn root(&self) -> Self::Point;

    /// The street of a point, and what happens there.
    fn describe(&self, point: Self::Point) -> (Street, BettingNodeKind);

    /// What follows a point, with the actions that lead there.
    fn after(&self, point: Self::Point) -> Vec<(Option<Action>, Self::Point)>;

    /// Where somebody decides: the pot after calling, and what the opponent has put in on the street, in the smallest amount.
    fn to_answer(&self, point: Self::Point) -> ToAnswer;
}

/// The betting that a decision answers.
#[derive(Clone, Copy)]
pub(crate) struct ToAnswer {
    /// The pot after calling.
    pub pot: f64,
    /// What the opponent has put in on the street.
    pub previous: u32,
}

/// Where a line leads.
pub(crate) struct End<P> {
    /// The point there.
    pub point: P,
    /// The board with the cards of the line.
    pub board: Board,
    /// The line in the tree's own words: every bet as what it is there.
    pub line: Line,
    /// The point before each step, with the board there.
    pub before: Vec<(P, Board)>,
}

/// Follows a line from a board.
pub(crate) fn walk<P: Points>(points: &P, board: &Board, line: &Line) -> Result<End<P::Point>, LineError> {
    let mut end = End { point: points.root(), board: *board, line: Line::default(), before: Vec::new() };
    for (i, &step) in line.steps.iter().enumerate() {
        end.before.push((end.point, end.board));
        let taken;
        (end.point, end.board, taken) = follow(points, end.point, end.board, step).map_err(|there| {
            LineError { step: i, message: format!("there is no `{step}` {}: {there}", after(line, i)) }
        })?;
        end.line.steps.push(taken);
    }
    Ok(end)
}

/// One step; `Err` is what there is instead.
fn follow<P: Points>(
    points: &P,
    at: P::Point,
    board: Board,
    step: Step,
) -> Result<(P::Point, Board, Step), String> {
    let next = points.after(at);
    match (points.describe(at), step) {
        ((_, BettingNodeKind::Chance), Step::Card(card)) => match board.with(card) {
            Some(board) => Ok((next[0].1, board, step)),
            None => Err(format!("it is on the board already, {board}")),
        },
        ((street, BettingNodeKind::Chance), _) => Err(dealt_after(street)),
        ((_, BettingNodeKind::Fold(_) | BettingNodeKind::Showdown), _) => Err("the hand is over".to_owned()),
        ((_, BettingNodeKind::Decision(_)), step) => {
            let actions: Vec<Action> = next.iter().filter_map(|(action, _)| *action).collect();
            let meant = meant(&actions, step, points.to_answer(at));
            let point = meant.and_then(|meant| next.iter().find(|(action, _)| *action == Some(meant)));
            meant
                .zip(point)
                .map(|(action, &(_, point))| (point, board, Step::Action(action)))
                .ok_or_else(|| listed(&actions))
        }
    }
}

/// That a card comes next, and which.
pub(crate) fn dealt_after(street: Street) -> String {
    format!("the {} card is dealt, like `Th`", street.next().unwrap_or(Street::River))
}

/// What can be done somewhere.
pub(crate) fn listed(actions: &[Action]) -> String {
    let actions: Vec<String> = actions.iter().map(|action| format!("`{action}`")).collect();
    format!("there is {}", actions.join(", "))
}

/// How many steps of a line a message shows.
const SHOWN_STEPS: usize = 12;

/// The point before a step of a line, in words.
pub(crate) fn after(line: &Line, step: usize) -> String {
    if step == 0 {
        return "at the root".to_owned();
    }
    let first = step.saturating_sub(SHOWN_STEPS);
    let dots = if first > 0 { "…, " } else { "" };
    format!("after `{dots}{}`", Line { steps: line.steps[first..step].to_vec() })
}

/// The action that a step stands for: by its name or its amount, or the one that is next to its share of the pot. That one must
/// be as near as rounding to the smallest amount explains, or within half a percent of the pot.
pub(crate) fn meant(actions: &[Action], step: Step, betting: ToAnswer) -> Option<Action> {
    let Step::PotShare(share) = step else {
        return actions.iter().copied().find(|&action| is_meant(action, step));
    };
    let wanted = share.amount(betting.pot, betting.previous);
    let distance = |action: &Action| action.amount().map(|amount| (f64::from(amount.count()) - wanted).abs());
    let nearest = actions
        .iter()
        .filter_map(|action| Some((*action, distance(action)?)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .filter(|_| share.is_raise == (betting.previous > 0));
    nearest.filter(|(_, off)| *off <= 1.0 || *off <= betting.pot / 200.0).map(|(action, _)| action)
}

/// Whether a step names an action of the tree.
pub(crate) fn is_meant(action: Action, step: Step) -> bool {
    match step {
        Step::Action(named) => {
            named == action || (named.amount().is_some() && named.amount() == action.amount())
        }
        Step::AllIn => matches!(action, Action::AllIn(_)),
        Step::Card(_) | Step::PotShare(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BettingTree, TreeOptions};

    fn tree() -> (BettingTree, Board) {
        let options = TreeOptions::new(100.into(), 300.into());
        (BettingTree::build(&options, Street::Turn).unwrap(), "QsJh2h3c".parse().unwrap())
    }

    fn walk(line: &str) -> Result<(String, BettingNodeKind), String> {
        let (tree, board) = tree();
        let end = tree.walk(&board, &line.parse().unwrap());
        end.map(|(node, board)| (board.to_string(), tree[node].kind)).map_err(|error| error.to_string())
    }

    #[test]
    fn lines_lead_through_actions_and_cards() {
        assert_eq!(walk(""), Ok(("QsJh2h3c".to_owned(), BettingNodeKind::Decision(crate::OOP))));
        assert_eq!(walk("check, check"), Ok(("QsJh2h3c".to_owned(), BettingNodeKind::Chance)));
        assert_eq!(
            walk("bet 50, call, Th"),
            Ok(("QsJh2h3cTh".to_owned(), BettingNodeKind::Decision(crate::OOP)))
        );
        assert_eq!(
            walk("bet 50, raise 125, all-in, call, Th"),
            Ok(("QsJh2h3cTh".to_owned(), BettingNodeKind::Showdown))
        );
        assert_eq!(walk("bet 50, raise 125, all-in 300, fold").unwrap().1, BettingNodeKind::Fold(crate::IP));
        assert_eq!(walk("bet 50, raise 125, raise 300").unwrap().1, BettingNodeKind::Decision(crate::IP));
    }

    #[test]
    fn shares_of_the_pot_find_the_bet_that_is_meant() {
        let (tree, board) = tree();
        let exact = |line: &str| tree.exact(&board, &line.parse().unwrap()).map(|line| line.to_string());
        assert_eq!(exact("bet 50%").as_deref(), Ok("bet 50"));
        assert_eq!(exact("X-B50%-C").as_deref(), Ok("check, bet 50, call"));
        assert_eq!(exact("bet half pot, raise all-in").as_deref(), Ok("bet 50, all-in 300"));
        // A raise is a share of the pot after calling: 50 + 37.5% of 200.
        assert_eq!(exact("bet 50%, raise 37.5%").as_deref(), Ok("bet 50, raise 125"));
        let error = exact("bet 33%").unwrap_err().to_string();
        assert_eq!(error, "there is no `bet 33%` at the root: there is `check`, `bet 50`");
        assert!(exact("raise 50%").is_err() && exact("bet 50%, bet 37.5%").is_err());
    }

    #[test]
    fn a_line_that_leaves_the_tree_says_where_and_what_there_is() {
        let message = |line| walk(line).unwrap_err();
        assert_eq!(message("bet 60"), "there is no `bet 60` at the root: there is `check`, `bet 50`");
        assert_eq!(
            message("bet 50, raise 9"),
            "there is no `raise 9` after `bet 50`: there is `fold`, `call`, `raise 125`, `all-in 300`"
        );
        assert_eq!(
            message("bet 50, call, check"),
            "there is no `check` after `bet 50, call`: the river card is dealt, like `Th`"
        );
        assert_eq!(
            message("check, check, 3c"),
            "there is no `3c` after `check, check`: it is on the board already, QsJh2h3c"
        );
        assert_eq!(message("bet 50, fold, Th"), "there is no `Th` after `bet 50, fold`: the hand is over");
        assert_eq!(message("Th"), "there is no `Th` at the root: there is `check`, `bet 50`");
        let (tree, board) = tree();
        assert_eq!(tree.walk(&board, &"check, bet 7".parse().unwrap()).unwrap_err().step, 1);
    }
}
