//! A line of play from the root: actions and cards, as in `check, bet 94, call, Th, check` or `r:0:c:b94:c:Th:c`.
//!
//! ```
//! use noregret_holdem::Line;
//!
//! let line: Line = "Check, bet 94, call, th, allin".parse()?;
//! assert_eq!(line.to_string(), "check, bet 94, call, Th, all-in");
//! # Ok::<(), noregret_holdem::ParseLineError>(())
//! ```

use crate::text::excerpt;
use crate::{Action, BettingTree, Chips, NodeId, NodeKind};
use noregret_cards::{Board, Card, Street};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

mod colon;
mod pattern;

pub use pattern::{LinePattern, PatternStep};

/// One step of a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// A player acts.
    Action(Action),
    /// A player puts everything in, whatever it comes to.
    AllIn,
    /// A card is dealt.
    Card(Card),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Action(action) => action.fmt(f),
            Self::AllIn => f.write_str("all-in"),
            Self::Card(card) => card.fmt(f),
        }
    }
}

impl FromStr for Step {
    type Err = ParseLineError;

    /// Reads one step, in any case.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let line: Line = text.parse()?;
        match line.steps[..] {
            [step] => Ok(step),
            _ => Err(ParseLineError {
                span: 0..text.len(),
                message: format!("`{}` is not one step, like `check` or `bet 94`", excerpt(text)),
            }),
        }
    }
}

/// Steps from the root of a spot; none is the root itself.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Line {
    /// The steps, in order.
    pub steps: Vec<Step>,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.steps.iter().enumerate() {
            write!(f, "{}{step}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// A text that is not a line, and where in it the trouble is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseLineError {
    /// The offending bytes of the text.
    pub span: Range<usize>,
    /// What is wrong with them.
    pub message: String,
}

impl fmt::Display for ParseLineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseLineError {}

impl FromStr for Line {
    type Err = ParseLineError;

    /// Reads steps with commas between them, in any case; one more comma at the end is fine. A text of blanks is
    /// the root. Reads the notation of PioSOLVER's tools too: `r:0:c:b94`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let step = |pattern::ParsedStep { span, step }| match step {
            PatternStep::Step(step) => Ok(step),
            PatternStep::AnyCard => {
                let message =
                    "`*` stands for every card, and one line has one card there: write it, like `Th`";
                Err(ParseLineError { span, message: message.to_owned() })
            }
        };
        pattern::parse(text)?.into_iter().map(step).collect::<Result<_, _>>().map(|steps| Self { steps })
    }
}

/// Reads one step; `Err` is what is wrong with it.
fn parse_step(text: &str) -> Result<Step, String> {
    let lower = text.to_ascii_lowercase();
    let text = &excerpt(text);
    let mut words = lower.split_whitespace();
    let (word, amount, more) = (words.next().unwrap_or_default(), words.next(), words.next());
    let chips = |digits: &str| {
        let digits = digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(digits);
        let chips = digits.and_then(|digits| digits.parse().ok()).and_then(Chips::new);
        chips.ok_or_else(|| format!("`{text}`: the amount must be whole chips up to {}", Chips::MAX))
    };
    if more.is_some() {
        return Err(format!("`{text}` is more than one step: put commas between steps"));
    }
    match (word, amount) {
        ("", _) => Err("a step is missing between the commas".to_owned()),
        ("fold", None) => Ok(Step::Action(Action::Fold)),
        ("check", None) => Ok(Step::Action(Action::Check)),
        ("call", None) => Ok(Step::Action(Action::Call)),
        ("fold" | "check" | "call", Some(_)) => Err(format!("`{text}`: a {word} has no amount")),
        ("bet", Some(amount)) => Ok(Step::Action(Action::Bet(chips(amount)?))),
        ("raise", Some(amount)) => Ok(Step::Action(Action::Raise(chips(amount)?))),
        ("bet" | "raise", None) => {
            Err(format!("`{text}` needs an amount: what the player has put in on this street in all, as in `bet 94`"))
        }
        ("all-in" | "allin", None) => Ok(Step::AllIn),
        ("all-in" | "allin", Some(amount)) => Ok(Step::Action(Action::AllIn(chips(amount)?))),
        _ => lower.parse().map(Step::Card).map_err(|_| {
            format!(
                "`{text}` is not a step: write `fold`, `check`, `call`, `bet 94`, `raise 260`, `all-in`, or a card \
                 like `Th`"
            )
        }),
    }
}

/// A line that leaves the tree, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// Which step does not exist, counted from 0.
    pub step: usize,
    /// What does not exist, and what does there.
    pub message: String,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LineError {}

/// Points of a betting that lines lead through: the nodes of a tree, or what the rules make of them one by one.
pub(crate) trait Points {
    /// One of them.
    type Point: Copy;

    /// Where every line starts.
    fn root(&self) -> Self::Point;

    /// The street of a point, and what happens there.
    fn describe(&self, point: Self::Point) -> (Street, NodeKind);

    /// What follows a point, with the actions that lead there.
    fn after(&self, point: Self::Point) -> Vec<(Option<Action>, Self::Point)>;
}

impl Points for BettingTree {
    type Point = NodeId;

    fn root(&self) -> NodeId {
        Self::ROOT
    }

    fn describe(&self, point: NodeId) -> (Street, NodeKind) {
        (self[point].street, self[point].kind)
    }

    fn after(&self, point: NodeId) -> Vec<(Option<Action>, NodeId)> {
        self.children(point).map(|child| (self[child].action, child)).collect()
    }
}

/// Where a line leads.
pub(crate) struct End<P> {
    /// The point there.
    pub point: P,
    /// The board with the cards of the line.
    pub board: Board,
    /// The line in the tree's own words: every bet as what it is there.
    pub line: Line,
}

/// Follows a line from a board.
pub(crate) fn walk<P: Points>(points: &P, board: &Board, line: &Line) -> Result<End<P::Point>, LineError> {
    let mut end = End { point: points.root(), board: *board, line: Line::default() };
    for (i, &step) in line.steps.iter().enumerate() {
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
        ((_, NodeKind::Chance), Step::Card(card)) => match board.with(card) {
            Some(board) => Ok((next[0].1, board, step)),
            None => Err(format!("it is on the board already, {board}")),
        },
        ((street, NodeKind::Chance), _) => Err(dealt_after(street)),
        ((_, NodeKind::Fold(_) | NodeKind::Showdown), _) => Err("the hand is over".to_owned()),
        ((_, NodeKind::Decision(_)), step) => {
            let actions = next.iter().filter_map(|&(action, point)| Some((action?, point)));
            let meant = actions.clone().find(|&(action, _)| is_meant(action, step));
            meant
                .map(|(action, point)| (point, board, Step::Action(action)))
                .ok_or_else(|| listed(&actions.map(|(action, _)| action).collect::<Vec<_>>()))
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

impl BettingTree {
    /// Where a line leads from a board: the node there, and the board with the cards of the line.
    ///
    /// A bet, raise or all-in is found by its amount, so that `bet 910` is fine where 910 is all-in.
    pub fn walk(&self, board: &Board, line: &Line) -> Result<(NodeId, Board), LineError> {
        walk(self, board, line).map(|end| (end.point, end.board))
    }
}

/// Whether a step names an action of the tree.
pub(crate) fn is_meant(action: Action, step: Step) -> bool {
    match step {
        Step::Action(named) => {
            named == action || (named.amount().is_some() && named.amount() == action.amount())
        }
        Step::AllIn => matches!(action, Action::AllIn(_)),
        Step::Card(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TreeOptions;
    use proptest::prelude::*;

    fn tree() -> (BettingTree, Board) {
        let options = TreeOptions::new(100.into(), 300.into());
        (BettingTree::build(&options, Street::Turn).unwrap(), "QsJh2h3c".parse().unwrap())
    }

    fn walk(line: &str) -> Result<(String, NodeKind), String> {
        let (tree, board) = tree();
        let end = tree.walk(&board, &line.parse().unwrap());
        end.map(|(node, board)| (board.to_string(), tree[node].kind)).map_err(|error| error.to_string())
    }

    #[test]
    fn steps_are_read_in_any_case_and_spelling() {
        let line: Line = " CHECK ,Bet 94,call,tH,allin, All-In 910 ,raise 7, fold".parse().unwrap();
        assert_eq!(line.to_string(), "check, bet 94, call, Th, all-in, all-in 910, raise 7, fold");
        assert_eq!(" ".parse(), Ok(Line::default()));
    }

    #[test]
    fn a_bad_step_is_pointed_at() {
        let error = |text: &str| text.parse::<Line>().unwrap_err();
        for (text, bad) in [
            ("check, jump, call", "jump"),
            ("bet", "bet"),
            ("check,bet 9 4", "bet 9 4"),
            ("bet -4", "bet -4"),
        ] {
            assert_eq!(&text[error(text).span], bad);
        }
        assert_eq!(error("check,,").message, "a step is missing between the commas");
        assert_eq!(error("call 5").message, "`call 5`: a call has no amount");
        assert!(error("bet 99999999999999999999").message.contains("whole chips up to 1000000000"));
    }

    #[test]
    fn lines_lead_through_actions_and_cards() {
        assert_eq!(walk(""), Ok(("QsJh2h3c".to_owned(), NodeKind::Decision(crate::OOP))));
        assert_eq!(walk("check, check"), Ok(("QsJh2h3c".to_owned(), NodeKind::Chance)));
        assert_eq!(walk("bet 50, call, Th"), Ok(("QsJh2h3cTh".to_owned(), NodeKind::Decision(crate::OOP))));
        assert_eq!(
            walk("bet 50, raise 125, all-in, call, Th"),
            Ok(("QsJh2h3cTh".to_owned(), NodeKind::Showdown))
        );
        assert_eq!(walk("bet 50, raise 125, all-in 300, fold").unwrap().1, NodeKind::Fold(crate::IP));
        assert_eq!(walk("bet 50, raise 125, raise 300").unwrap().1, NodeKind::Decision(crate::IP));
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

    proptest! {
        #[test]
        fn no_text_panics_and_what_parses_parses_back(text in "([a-iT2-9 ,0-9-]|check|call|bet |all-in){0,12}|\\PC{0,20}") {
            match text.parse::<Line>() {
                Ok(line) => prop_assert_eq!(line.to_string().parse(), Ok(line)),
                Err(error) => prop_assert!(text.get(error.span).is_some()),
            }
        }
    }
}
