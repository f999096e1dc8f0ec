//! The one reader: what strategies say at a point, wherever they are stored.

use crate::game::place::Place;
use crate::{Action, BettingNodeKind, Line, LineError, Postflop};
use noregret_cards::{Board, Hole};
use noregret_cfr::{DealValues, Game, NodeId, Player, Profile, ReachedDeal};

/// One hand at a point of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct HandView {
    /// The hand.
    pub hole: Hole,
    /// Its reach probability: its weight in the range times the frequencies of its player's actions that lead here.
    pub reach: f64,
    /// Its reach times the compatible reach of the opponent, up to a constant: how often it is here after card removal.
    pub share: f64,
    /// What it expects, in chips, counted as at the root: what it has put in since is subtracted. None if no hand of the opponent
    /// is here with it. [`NodeView::hand`] counts from this point on.
    pub root_ev: Option<f64>,
    /// Which share of the pot it wins if both check to the end; none as for `root_ev`.
    pub equity: Option<f64>,
    /// How often it takes each action, if its player is to act; none if it was never played to here.
    pub strategy: Option<Vec<f64>>,
    /// What it expects after each action, if its player is to act, counted as at the root; none as for `root_ev`.
    pub root_action_evs: Option<Vec<f64>>,
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
    /// What each player has put in since the start, in chips.
    pub committed: [f64; 2],
    /// What can be done.
    pub actions: Vec<Action>,
    /// How often each action is taken, over all hands after card removal.
    pub frequencies: Vec<f64>,
    /// Both players' hands, in the order of their index.
    pub hands: [Vec<HandView>; 2],
}

/// One hand at a point of the game, without its values.
#[derive(Clone, PartialEq, Debug)]
pub struct HandReach {
    /// The hand.
    pub hole: Hole,
    /// Its reach probability: its weight in the range times the frequencies of the actions that lead here.
    pub reach: f64,
    /// Its reach times the compatible reach of the opponent: how often it is here after card removal.
    pub share: f64,
    /// How often it takes each action, if its player is to act; none if it was never played to here.
    pub strategy: Option<Vec<f64>>,
}

/// A point of the game with what both players may hold there: a [`NodeView`] without values, and much quicker to read.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeReach {
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
    pub hands: [Vec<HandReach>; 2],
}

/// A hand at a node as a person reads it: EVs from this point on, with the pot.
#[derive(Clone, PartialEq, Debug)]
pub struct HandAtNode {
    /// The hand.
    pub hole: Hole,
    /// Its reach probability: its weight in the range times the frequencies of its player's actions that lead here.
    pub reach: f64,
    /// What it expects from here on, in chips: the pot counts, what was put in before does not. None if no hand of the opponent is
    /// here with it.
    pub ev: Option<f64>,
    /// Which share of the pot it wins if both check to the end; none as for `ev`.
    pub equity: Option<f64>,
    /// How often it takes each action, if its player is to act; none if it was never played to here.
    pub strategy: Option<Vec<f64>>,
}

/// What the player who acts at a decision can do there.
#[derive(Clone, PartialEq, Debug)]
pub struct DecisionFrequencies {
    /// Each action and how often it is taken, over all hands after card removal.
    pub actions: Vec<(Action, f64)>,
    /// Whether any hands of both players are there together. If not, all actions count as equally likely.
    pub is_reached: bool,
}

/// Why a hand cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HandError {
    /// The text is not two cards.
    #[error("{0:?} is not a hand: give two cards, like AhKh")]
    Text(String),
    /// The player cannot hold it here.
    #[error("{0} is not in the range, or a card of the board blocks it")]
    NotThere(Hole),
}

impl NodeView {
    /// One hand of a player, by its cards: `AhKh`.
    pub fn hand(&self, player: Player, hole: &str) -> Result<HandAtNode, HandError> {
        let hole: Hole = hole.parse().map_err(|_| HandError::Text(hole.to_owned()))?;
        let hand = self.hands[player.index()].iter().find(|hand| hand.hole == hole);
        let hand = hand.ok_or(HandError::NotThere(hole))?;
        Ok(HandAtNode {
            hole,
            reach: hand.reach,
            ev: hand.root_ev.map(|ev| ev + self.committed[player.index()]),
            equity: hand.equity,
            strategy: hand.strategy.clone(),
        })
    }

    /// What a player's hands expect on average from this point on, in chips; the pot counts. None if no hands of both players are
    /// here together.
    pub fn ev(&self, player: Player) -> Option<f64> {
        Some(self.mean(player, |hand| hand.root_ev)? + self.committed[player.index()])
    }

    /// The mean of a number over a player's hands that have it, weighted by `share`.
    pub fn mean(&self, player: Player, number: impl Fn(&HandView) -> Option<f64>) -> Option<f64> {
        let hands = self.hands[player.index()].iter();
        let (sum, weight) = hands
            .filter_map(|hand| Some((number(hand)?, hand.share)))
            .fold((0.0, 0.0), |(sum, weight), (number, share)| (sum + number * share, weight + share));
        (weight > 0.0).then(|| sum / weight)
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
        noregret_cfr::NodeKind::Decision(player) => {
            let children = game.tree().node(node).children();
            children.map(|child| values[player.index()].at(child)).collect()
        }
        _ => Vec::new(),
    };
    (here, after)
}

/// The strategies at a place, for the orbits of hands of its deal in their order there.
pub(crate) struct PointStrategy {
    /// The reach probabilities of both players.
    pub reaches: [Vec<f32>; 2],
    /// The average strategy of the player who acts, action by action.
    pub strategy: Vec<Vec<Option<f32>>>,
}

impl PointStrategy {
    /// What a profile says at a node of a deal.
    pub fn new<G: Game>(profile: Profile<'_, G>, reached: &ReachedDeal, node: NodeId) -> Self {
        let reaches = Player::BOTH.map(|player| profile.reach(reached, node, player));
        Self { reaches, strategy: profile.strategy(reached, node) }
    }

    /// Where a line leads, and how likely the average strategies get to its deal.
    pub fn locate(profile: Profile<'_, Postflop>, line: &Line) -> Result<(Place, ReachedDeal), LineError> {
        let path = profile.game().path(line)?;
        let mut reached = profile.start();
        for deal in path.deals {
            reached = profile.follow(&reached, deal.index);
        }
        Ok((path.place, reached))
    }

    /// The frequencies at the end of a line, see [`PointStrategy::frequencies`].
    pub fn frequencies_at(
        profile: Profile<'_, Postflop>,
        line: &Line,
    ) -> Result<Vec<(Action, f64)>, LineError> {
        let (place, reached) = Self::locate(profile, line)?;
        Ok(Self::new(profile, &reached, place.node).frequencies(profile.game(), &place))
    }

    /// All that there is to say at the end of a line.
    pub fn view_at(profile: Profile<'_, Postflop>, line: &Line) -> Result<NodeView, LineError> {
        let (place, reached) = Self::locate(profile, line)?;
        let values = Player::BOTH.map(|player| profile.values_below(&reached, place.node, player));
        let (values, after) = values_at(profile.game(), &values, place.node);
        Ok(Self::new(profile, &reached, place.node).view(profile.game(), &place, values, &after))
    }

    /// The same for all hands of the deal instead of one for each orbit.
    fn of_all_hands(&self, game: &Postflop, place: &Place) -> Self {
        let reaches =
            Player::BOTH.map(|player| game.of_all_hands(place.deal, player, &self.reaches[player.index()]));
        let strategy = match game.betting()[place.node].kind {
            BettingNodeKind::Decision(player) => {
                self.strategy.iter().map(|action| game.of_all_hands(place.deal, player, action)).collect()
            }
            _ => Vec::new(),
        };
        Self { reaches, strategy }
    }

    /// How often each action is taken, over all hands of the player who acts after card removal; none if nobody acts. Where nothing
    /// was ever played, as before the first iteration, all actions are equally likely.
    pub fn decision(&self, game: &Postflop, place: &Place) -> Option<DecisionFrequencies> {
        let tree = game.betting();
        let BettingNodeKind::Decision(player) = tree[place.node].kind else { return None };
        let Self { reaches, strategy } = self.of_all_hands(game, place);
        let (reach, others) = (&reaches[player.index()], &reaches[player.opponent().index()]);
        let compatible = game.compatible_reach(place.deal, player, others);
        let shares: Vec<f64> =
            reach.iter().zip(&compatible).map(|(&reach, compatible)| f64::from(reach) * compatible).collect();
        let total: f64 = shares.iter().sum();
        let uniform = 1.0 / strategy.len() as f64;
        let frequency = |action: &Vec<Option<f32>>| {
            let played = action.iter().map(|share| share.map_or(uniform, f64::from));
            let sum: f64 = shares.iter().zip(played).map(|(share, played)| share * played).sum();
            if total > 0.0 { sum / total } else { uniform }
        };
        let actions = tree.actions(place.node).zip(strategy.iter().map(frequency)).collect();
        Some(DecisionFrequencies { actions, is_reached: total > 0.0 })
    }

    /// The actions of [`PointStrategy::decision`]; none if nobody acts.
    pub fn frequencies(&self, game: &Postflop, place: &Place) -> Vec<(Action, f64)> {
        self.decision(game, place).map_or_else(Vec::new, |decision| decision.actions)
    }

    /// Who holds what, and what the player who acts does with it.
    pub(crate) fn hands(&self, game: &Postflop, place: &Place) -> NodeReach {
        let &Place { node, board, deal, renaming } = place;
        let tree = game.betting();
        let actor = match tree[node].kind {
            BettingNodeKind::Decision(player) => Some(player),
            _ => None,
        };
        let Self { reaches, strategy } = self.of_all_hands(game, place);
        let hands = Player::BOTH.map(|player| {
            let compatible = game.compatible_reach(deal, player, &reaches[player.opponent().index()]);
            // The solver's weights are relative to the largest one.
            let [largest, largest_other] =
                [player, player.opponent()].map(|player| f64::from(game.spot().largest_weight(player)));
            let hand = |(h, &hole): (usize, &Hole)| {
                let reach = largest * f64::from(reaches[player.index()][h]);
                let strategy = strategy.iter().map(|shares| shares[h].map(f64::from));
                HandReach {
                    hole: renaming.hole(hole),
                    reach,
                    share: reach * compatible[h] * largest_other,
                    strategy: if actor == Some(player) { strategy.collect() } else { None },
                }
            };
            let mut hands: Vec<HandReach> = game.hands(deal, player).iter().enumerate().map(hand).collect();
            hands.sort_by_key(|hand| hand.hole.index());
            hands
        });
        let (actions, frequencies) = self.frequencies(game, place).into_iter().unzip();
        NodeReach { node, board, player: actor, actions, frequencies, hands }
    }

    /// All that there is to say, where `values` are what each player's hands are worth, and `after` what those of the player
    /// who acts are worth after each action; all weighed by the opponent's reach.
    pub fn view(&self, game: &Postflop, place: &Place, values: [&[f32]; 2], after: &[&[f32]]) -> NodeView {
        let &Place { node, board, deal, renaming } = place;
        let tree = game.betting();
        let actor = match tree[node].kind {
            BettingNodeKind::Decision(player) => Some(player),
            _ => None,
        };
        let Self { reaches, strategy } = self.of_all_hands(game, place);
        let granularity = game.spot().granularity();
        let hands = Player::BOTH.map(|player| {
            let others = &reaches[player.opponent().index()];
            let compatible = game.compatible_reach(deal, player, others);
            let values = game.of_all_hands(deal, player, values[player.index()]);
            let acts = actor == Some(player);
            let after = after.iter().filter(|_| acts);
            let after: Vec<Vec<f32>> = after.map(|values| game.of_all_hands(deal, player, values)).collect();
            // The solver's weights are relative to the largest one.
            let [largest, largest_other] =
                [player, player.opponent()].map(|player| f64::from(game.spot().largest_weight(player)));
            let equities = game.equities(deal, player, others);
            let mut hands: Vec<HandView> = game
                .hands(deal, player)
                .iter()
                .enumerate()
                .map(|(h, &hole)| {
                    let reach = largest * f64::from(reaches[player.index()][h]);
                    let shares = strategy.iter().map(|shares| shares[h].map(f64::from));
                    let ev = |values: &[f32]| granularity.chips(f64::from(values[h]) / compatible[h]);
                    HandView {
                        hole: renaming.hole(hole),
                        reach,
                        share: reach * compatible[h] * largest_other,
                        root_ev: (compatible[h] > 0.0).then(|| ev(&values)),
                        equity: equities[h],
                        strategy: if acts { shares.collect() } else { None },
                        root_action_evs: (acts && compatible[h] > 0.0)
                            .then(|| after.iter().map(|values| ev(values)).collect()),
                    }
                })
                .collect();
            hands.sort_by_key(|hand| hand.hole.index());
            hands
        });
        let (actions, frequencies) = self.frequencies(game, place).into_iter().unzip();
        let committed = tree[node].committed.map(|chips| chips.as_f64());
        NodeView { node, board, player: actor, committed, actions, frequencies, hands }
    }
}
