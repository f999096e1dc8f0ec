//! A decision that is asked about, with the table as it is there.

use crate::answer::DrillAnswer;
use crate::error::DrillError;
use crate::grade::Grade;
use crate::hand::{DrillHand, HandState};
use crate::review::ReviewKey;
use noregret_cards::{Board, Hole, Street};
use noregret_holdem::{Action, BettingNodeKind, Chips, IP, Line, OOP, Player, ReadError, SolutionFile};
use noregret_report::player_name;

/// A step that leads to a question.
#[derive(Clone, PartialEq, Debug)]
pub struct QuestionStep {
    /// As in a line: `bet 94` or `Th`.
    pub label: String,
    /// Who acted; none for a card.
    pub player: Option<Player>,
    /// The street on which it happened.
    pub street: Street,
    /// The pot before it.
    pub pot: f64,
}

/// A decision that is asked about. Amounts are in the unit of the solution.
#[derive(Clone, PartialEq, Debug)]
pub struct Question {
    /// Who is asked.
    pub player: Player,
    /// Their cards.
    pub hole: Hole,
    /// Actions and cards from the root.
    pub line: Line,
    /// The same step by step.
    pub steps: Vec<QuestionStep>,
    /// The public cards.
    pub board: Board,
    /// The chips in the middle.
    pub pot: f64,
    /// What there is to call.
    pub to_call: f64,
    /// What each player has left, by the index of the player.
    pub stacks: [f64; 2],
    /// What can be done, the most passive first.
    pub actions: Vec<Action>,
}

impl Question {
    /// What a hand asks; none if nothing is asked any more.
    pub fn of_hand(saved: &SolutionFile, hand: &DrillHand) -> Result<Option<Self>, DrillError> {
        match hand.state {
            HandState::Asked => Self::at(saved, hand.line.clone(), hand.player, hand.hole).map(Some),
            HandState::Over(_) => Ok(None),
        }
    }

    /// A decision that went wrong, to be asked again.
    pub fn again(saved: &SolutionFile, key: &ReviewKey) -> Result<Self, DrillError> {
        let line: Line = key.line.parse().map_err(ReadError::Text)?;
        let line = saved.game().betting().exact(saved.game().spot().board(), &line)?;
        let hole = key.hole.parse().map_err(|_| DrillError::Hole(key.hole.clone()))?;
        Self::at(saved, line, if key.player == player_name(OOP) { OOP } else { IP }, hole)
    }

    fn at(saved: &SolutionFile, line: Line, player: Player, hole: Hole) -> Result<Self, DrillError> {
        let game = saved.game();
        let (tree, root, options) = (game.betting(), game.spot().board(), game.spot().options());
        let pot = |committed: [Chips; 2]| Chips::total(committed.into_iter().chain([options.starting_pot]));
        let (node, board) = tree.walk(root, &line)?;
        let committed = tree[node].committed;
        let [own, other] = [player, player.opponent()].map(|player| committed[player.index()]);
        let before = tree.nodes_before(root, &line)?;
        let steps = line.steps.iter().zip(before).map(|(step, (node, board))| QuestionStep {
            label: step.to_string(),
            player: match tree[node].kind {
                BettingNodeKind::Decision(player) => Some(player),
                _ => None,
            },
            street: board.street(),
            pot: pot(tree[node].committed),
        });
        Ok(Self {
            player,
            hole,
            steps: steps.collect(),
            board,
            pot: pot(committed),
            to_call: other.without(own),
            stacks: committed.map(|chips| options.effective_stack.without(chips)),
            actions: match tree[node].kind {
                BettingNodeKind::Decision(_) => tree.actions(node).collect(),
                _ => Vec::new(),
            },
            line,
        })
    }

    /// What an answer costs.
    pub fn grade(&self, saved: &SolutionFile, action: Action) -> Result<Grade, DrillError> {
        Grade::read(saved, &self.line, self.player, self.hole, action)
    }

    /// The answer as it is kept, to the hand with a number of the solution with an id.
    pub fn answer(&self, solution: &str, number: u64, grade: &Grade) -> DrillAnswer {
        let key = ReviewKey {
            solution: solution.to_owned(),
            line: self.line.to_string(),
            player: player_name(self.player).to_owned(),
            hole: self.hole.to_string(),
        };
        DrillAnswer::new(number, key, &self.board, grade)
    }
}
