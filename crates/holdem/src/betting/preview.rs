//! A look at the betting of a spot that is not solved, point by point, without building its tree.

use super::action::Action;
use super::chips::Chips;
use super::line::Line;
use super::node::BettingNodeKind;
use super::spot::Spot;
use super::tree::Rules;
use super::walk::{LineError, walk};
use noregret_cards::{Board, Street};

/// What can be done at a point of a spot's betting.
#[derive(Clone, PartialEq, Debug)]
pub struct Preview {
    /// The line that leads there, in the tree's own words.
    pub line: Line,
    /// The public cards.
    pub board: Board,
    /// The street.
    pub street: Street,
    /// What happens there.
    pub kind: BettingNodeKind,
    /// What each player has put in since the root.
    pub committed: [Chips; 2],
    /// What can be done.
    pub actions: Vec<Action>,
}

impl Spot {
    /// What can be done at the end of a line, by the rules of betting alone.
    pub fn preview(&self, line: &Line) -> Result<Preview, LineError> {
        let rules = Rules::new(self.options(), self.board().street())
            .map_err(|error| LineError { step: 0, message: error.to_string() })?;
        let end = walk(&rules, self.board(), line)?;
        let actions = rules.successors(&end.point).into_iter().filter_map(|(action, _)| action).collect();
        Ok(Preview {
            line: end.line,
            board: end.board,
            street: end.point.street,
            kind: end.point.kind,
            committed: end.point.committed.map(|count| rules.chips(count)),
            actions,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{BettingNodeKind, BettingTree, Line, Spot, TreeOptions};

    #[test]
    fn a_preview_is_what_the_tree_has() {
        let ranges = ["AA,KK".parse().unwrap(), "QQ,JTs".parse().unwrap()];
        let options = TreeOptions::new(100.into(), 300.into());
        let spot = Spot::new(ranges, "QsJh2h3c".parse().unwrap(), options).unwrap();
        let tree = BettingTree::build(spot.options(), spot.board().street()).unwrap();
        for line in [
            "",
            "check",
            "bet 50",
            "bet 50, raise 125, all-in, call",
            "check, check, Th, bet 50",
            "bet 50, fold",
        ] {
            let line: Line = line.parse().unwrap();
            let preview = spot.preview(&line).unwrap();
            let (node, board) = tree.walk(spot.board(), &line).unwrap();
            assert_eq!(
                (preview.kind, preview.street, preview.board),
                (tree[node].kind, tree[node].street, board)
            );
            assert_eq!(preview.committed, tree[node].committed);
            assert_eq!(preview.actions, tree.actions(node).collect::<Vec<_>>());
        }
        assert_eq!(spot.preview(&"check, check".parse().unwrap()).unwrap().kind, BettingNodeKind::Chance);
        let error = spot.preview(&"bet 60".parse().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "there is no `bet 60` at the root: there is `check`, `bet 50`");
    }
}
