//! What a solution says at a point, from wherever its numbers come.

use crate::{Action, Line, LineError, NodeKind, Postflop, Step};
use noregret_cards::{Board, Hole, SuitPermutation};
use noregret_cfr::{Deal, DealValues, Game, Kind, NodeId, Player};

/// One hand at a point of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct HandView {
    /// The hand.
    pub hole: Hole,
    /// How much of it gets here: its weight times the frequencies of the actions that lead here.
    pub reach: f64,
    /// How often it meets an opponent's hand here, up to a constant: `reach` after card removal.
    pub share: f64,
    /// What it expects, in chips, counted as at the root; none if no hand of the opponent gets here with it.
    pub ev: Option<f64>,
    /// Which share of the pot it wins if both check to the end; none as for `ev`.
    pub equity: Option<f64>,
    /// How often it takes each action, if its player is to act; none if it was never played to here.
    pub strategy: Option<Vec<f64>>,
    /// What it expects after each action, if its player is to act; none as for `ev`.
    pub action_evs: Option<Vec<f64>>,
}

/// A point of the game, with everything that both players may hold there.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeView {
    /// Its place in the betting tree.
    pub node: NodeId,
    /// The public cards.
    pub board: Board,
    /// Who is to act; none where a card is dealt or the hand is over.
    pub player: Option<Player>,
    /// What can be done.
    pub actions: Vec<Action>,
    /// How often each action is taken, over all hands after card removal.
    pub frequencies: Vec<f64>,
    /// Both players' hands, in the order of their index.
    pub hands: [Vec<HandView>; 2],
}

impl NodeView {
    /// The mean over a player's hands of a number that those have which meet somebody.
    pub fn mean(&self, player: Player, number: impl Fn(&HandView) -> Option<f64>) -> Option<f64> {
        let hands = self.hands[player.index()].iter();
        let (sum, weight) = hands
            .filter_map(|hand| Some((number(hand)?, hand.share)))
            .fold((0.0, 0.0), |(sum, weight), (number, share)| (sum + number * share, weight + share));
        (weight > 0.0).then(|| sum / weight)
    }
}

/// Where a line leads: a node, the public cards, the solved deal that stands for them, and the renaming that turns its suits
/// into those of the line.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub node: NodeId,
    pub board: Board,
    pub deal: Deal,
    pub renaming: SuitPermutation,
}

/// A place, and the deals of the later rounds that lead there, one for each card of the line.
pub(crate) struct Path {
    pub place: Place,
    pub deals: Vec<Deal>,
}

impl Postflop {
    /// Where a line of actions and cards leads.
    pub(crate) fn path(&self, line: &Line) -> Result<Path, LineError> {
        let (node, board) = self.betting().walk(self.spot().board(), line)?;
        let mut place = Place { node, board, deal: Deal::ROOT, renaming: SuitPermutation::identity() };
        let mut deals = Vec::new();
        for step in &line.steps {
            let Step::Card(card) = *step else { continue };
            let solved = place.renaming.inverse().card(card);
            let (deal, further) = self
                .next_deal(place.deal, solved)
                .unwrap_or_else(|| unreachable!("the walk above has found {card} in the deck"));
            place.deal = deal;
            place.renaming = further.then(place.renaming);
            deals.push(deal);
        }
        Ok(Path { place, deals })
    }
}

/// The values that a view of a node is made of: each player's there, and those of the player who acts after each action.
pub(crate) fn values_at<'v, G: Game>(
    game: &G,
    values: &'v [DealValues; 2],
    node: NodeId,
) -> ([&'v [f32]; 2], Vec<&'v [f32]>) {
    let here = values.each_ref().map(|values| values.at(node));
    let after = match game.tree().node(node).kind {
        Kind::Decision(player) => {
            let children = game.tree().node(node).children();
            children.map(|child| values[player.index()].at(child)).collect()
        }
        _ => Vec::new(),
    };
    (here, after)
}

/// What the solver's numbers say at a place, for the hands of its deal in their order there.
pub(crate) struct Numbers {
    /// How both players get there.
    pub reaches: [Vec<f32>; 2],
    /// The average strategy of the player who acts, action by action.
    pub strategy: Vec<Vec<Option<f32>>>,
}

impl Numbers {
    /// How often each action is taken, over all hands of the player who acts after card removal. Where nothing was ever
    /// played, as before the first iteration, all actions are equally likely.
    pub fn frequencies(&self, game: &Postflop, place: &Place) -> Vec<(Action, f64)> {
        let tree = game.betting();
        let NodeKind::Decision(player) = tree[place.node].kind else { return Vec::new() };
        let met = game.met(place.deal, player, &self.reaches[player.opponent().index()]);
        let reach = &self.reaches[player.index()];
        let shares: Vec<f64> = reach.iter().zip(&met).map(|(&reach, met)| f64::from(reach) * met).collect();
        let total: f64 = shares.iter().sum();
        let uniform = 1.0 / self.strategy.len() as f64;
        let frequency = |action: &Vec<Option<f32>>| {
            let played = action.iter().map(|share| share.map_or(uniform, f64::from));
            let sum: f64 = shares.iter().zip(played).map(|(share, played)| share * played).sum();
            if total > 0.0 { sum / total } else { uniform }
        };
        tree.actions(place.node).zip(self.strategy.iter().map(frequency)).collect()
    }

    /// All that there is to say, where `values` are what each player's hands are worth, and `after` what those of the player
    /// who acts are worth after each action; all weighed by the opponent's reach.
    pub fn view(&self, game: &Postflop, place: &Place, values: [&[f32]; 2], after: &[&[f32]]) -> NodeView {
        let &Place { node, board, deal, renaming } = place;
        let tree = game.betting();
        let actor = match tree[node].kind {
            NodeKind::Decision(player) => Some(player),
            _ => None,
        };
        let hands = Player::BOTH.map(|player| {
            let others = &self.reaches[player.opponent().index()];
            let met = game.met(deal, player, others);
            // The solver's weights are relative to the largest one.
            let [largest, largest_other] =
                [player, player.opponent()].map(|player| f64::from(game.spot().largest_weight(player)));
            let equities = game.equities(deal, player, others);
            let mut hands: Vec<HandView> = game
                .hands(deal, player)
                .iter()
                .enumerate()
                .map(|(h, &hole)| {
                    let reach = largest * f64::from(self.reaches[player.index()][h]);
                    let shares = self.strategy.iter().map(|shares| shares[h].map(f64::from));
                    let acts = actor == Some(player);
                    let ev = |values: &[f32]| f64::from(values[h]) / met[h];
                    HandView {
                        hole: renaming.hole(hole),
                        reach,
                        share: reach * met[h] * largest_other,
                        ev: (met[h] > 0.0).then(|| ev(values[player.index()])),
                        equity: equities[h],
                        strategy: if acts { shares.collect() } else { None },
                        action_evs: (acts && met[h] > 0.0)
                            .then(|| after.iter().map(|values| ev(values)).collect()),
                    }
                })
                .collect();
            hands.sort_by_key(|hand| hand.hole.index());
            hands
        });
        let actions: Vec<Action> = tree.actions(node).collect();
        let frequencies = self.frequencies(game, place).into_iter().map(|(_, frequency)| frequency).collect();
        NodeView { node, board, player: actor, actions, frequencies, hands }
    }
}
