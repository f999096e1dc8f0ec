//! Lines with cards left open: `bet 94, call, *, check` is one line for every card.

use super::Line;
use super::notation::parse;
use super::step::{ParseLineError, PatternStep, Step};
use crate::betting::tree::BettingTree;
use crate::betting::walk::LineError;
use noregret_cards::{Board, Card};
use std::fmt;
use std::str::FromStr;

/// A line in which `*` stands for every card that can come there.
///
/// ```
/// use noregret_holdem::{BettingTree, LinePattern, TreeOptions, cards::Street};
///
/// let tree = BettingTree::build(&TreeOptions::new(100.into(), 300.into()), Street::Turn)?;
/// let pattern: LinePattern = "check, check, *, bet 50".parse()?;
/// let lines = pattern.lines(&tree, &"QsJh2h3c".parse()?)?;
/// assert_eq!(lines.len(), 48);
/// assert_eq!(lines[0].to_string(), "check, check, 2c, bet 50");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LinePattern {
    /// The steps, in order.
    pub steps: Vec<PatternStep>,
}

impl LinePattern {
    /// Whether some card is left open.
    pub fn is_open(&self) -> bool {
        self.steps.contains(&PatternStep::AnyCard)
    }

    /// The one line that it is, if no card is left open.
    pub fn line(&self) -> Option<Line> {
        let step = |step: &PatternStep| match step {
            PatternStep::Step(step) => Some(*step),
            PatternStep::AnyCard => None,
        };
        self.steps.iter().map(step).collect::<Option<_>>().map(|steps| Line { steps })
    }

    /// Every line of a tree that it stands for, in the order of the cards.
    pub fn lines(&self, tree: &BettingTree, board: &Board) -> Result<Vec<Line>, LineError> {
        let mut lines = vec![(Line::default(), *board)];
        for (i, step) in self.steps.iter().enumerate() {
            let mut longer = Vec::with_capacity(lines.len());
            for (line, board) in lines {
                let mut add = |step: Step, board: Board| {
                    let mut line = line.clone();
                    line.steps.push(step);
                    longer.push((line, board));
                };
                match *step {
                    PatternStep::Step(step) => {
                        add(step, card(step).and_then(|card| board.with(card)).unwrap_or(board))
                    }
                    PatternStep::AnyCard => {
                        let cards = Card::all().filter_map(|card| Some((card, board.with(card)?)));
                        cards.for_each(|(card, board)| add(Step::Card(card), board));
                    }
                }
            }
            // What one of them misses, all of them miss, but for a card that is there already.
            if let Some((first, _)) = longer.first() {
                tree.walk(board, first)?;
            } else {
                let before = Self { steps: self.steps[..i].to_vec() };
                let message = format!("there is no `*` after `{before}`: the board is complete");
                return Err(LineError { step: i, message });
            }
            lines = longer;
        }
        Ok(lines.into_iter().map(|(line, _)| line).filter(|line| tree.walk(board, line).is_ok()).collect())
    }
}

fn card(step: Step) -> Option<Card> {
    match step {
        Step::Card(card) => Some(card),
        _ => None,
    }
}

impl fmt::Display for LinePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.steps.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { ", " })?;
            match step {
                PatternStep::Step(step) => step.fmt(f)?,
                PatternStep::AnyCard => f.write_str("*")?,
            }
        }
        Ok(())
    }
}

impl FromStr for LinePattern {
    type Err = ParseLineError;

    /// Reads a line in either notation, with `*` for every card.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self { steps: parse(text)?.into_iter().map(|parsed| parsed.step).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TreeOptions;
    use noregret_cards::Street;

    fn tree() -> (BettingTree, Board) {
        let options = TreeOptions::new(100.into(), 300.into());
        (BettingTree::build(&options, Street::Flop).unwrap(), "QsJh2h".parse().unwrap())
    }

    fn lines(pattern: &str) -> Result<Vec<String>, String> {
        let (tree, board) = tree();
        let pattern: LinePattern = pattern.parse().unwrap();
        let lines = pattern.lines(&tree, &board).map_err(|error| error.to_string())?;
        Ok(lines.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_star_is_every_card_once() {
        assert_eq!(lines("check, bet 50").unwrap(), ["check, bet 50"]);
        let turns = lines("check, check, *").unwrap();
        assert_eq!((turns.len(), &*turns[0], &*turns[48]), (49, "check, check, 2c", "check, check, As"));
        assert_eq!(lines("r:0:b50:c:*:c:c:*:b150").unwrap().len(), 49 * 48);
        // A card that is named later cannot come before.
        assert_eq!(lines("check, check, *, check, check, As").unwrap().len(), 48);
    }

    #[test]
    fn a_pattern_that_leaves_the_tree_says_where() {
        assert_eq!(
            lines("check, *").unwrap_err(),
            "there is no `2c` after `check`: there is `check`, `bet 50`"
        );
        assert!(lines("check, check, *, bet 7").unwrap_err().starts_with("there is no `bet 7` after"));
        let river = "check, check, *, check, check, *, *";
        assert_eq!(
            lines(river).unwrap_err(),
            "there is no `*` after `check, check, *, check, check, *`: the board is complete"
        );
        assert!(lines("*").unwrap_err().starts_with("there is no `2c` at the root"));
    }

    #[test]
    fn patterns_print_as_they_read() {
        let pattern: LinePattern = "Bet 50,call , *, check".parse().unwrap();
        assert_eq!(pattern.to_string(), "bet 50, call, *, check");
        assert!(pattern.is_open() && pattern.line().is_none());
        assert!(!"check".parse::<LinePattern>().unwrap().is_open());
    }

    #[test]
    fn an_exact_line_has_the_trees_own_actions() {
        let (tree, board) = tree();
        let exact = |line: &str| tree.exact(&board, &line.parse().unwrap()).map(|line| line.to_string());
        assert_eq!(exact("bet 50, raise 125, all-in").unwrap(), "bet 50, raise 125, all-in 300");
        assert_eq!(
            exact("bet 50, raise 125, raise 300, call, Th").unwrap(),
            "bet 50, raise 125, all-in 300, call, Th"
        );
        assert!(exact("bet 51").is_err());
    }

    #[test]
    fn every_node_has_its_line() {
        let (tree, board) = tree();
        let cards = ["Th".parse().unwrap(), "3c".parse().unwrap()];
        for id in (0..tree.nodes().len() as u32).map(crate::NodeId) {
            let count = tree[id].street.index();
            let line = tree.line_to(id, &cards[..count]).unwrap();
            assert_eq!(tree.walk(&board, &line).unwrap().0, id, "{line}");
            assert_eq!(count == 0, tree.line_to(id, &[]).is_some());
        }
    }
}
