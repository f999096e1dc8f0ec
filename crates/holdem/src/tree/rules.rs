//! The rules of betting: what can be done in a state, and what state that leads to.

use super::edits::{Cursor, EditError, Edited};
use super::options::TreeOptions;
use super::{Action, NodeKind};
use crate::line::Points;
use crate::size::{BetSize, Betting, SizeKind};
use crate::{Chips, IP, OOP, Player};
use noregret_cards::Street;

/// How far off a product of decimals may be and still count as the whole number of chips that it stands for.
const ROUNDING: f64 = 1e-6;

/// A point of the betting with all that the rest of it depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    pub street: Street,
    pub kind: NodeKind,
    /// What each has put in since the root.
    pub committed: [u32; 2],
    /// What each had put in when the street began.
    before: u32,
    /// How many raises this street has seen.
    raises: u32,
    /// Whether the first player called a bet on the street before.
    called: bool,
    /// Where the edits of the tree stand.
    pub(super) edits: Cursor,
}

/// What a bet or raise may come to on the street.
pub(super) struct Stakes {
    /// What the player has put in.
    own: u32,
    /// What the opponent has put in.
    pub previous: u32,
    /// The minimum raise.
    pub least: u32,
    pub all_in: u32,
}

impl Stakes {
    /// A bet, a raise or all-in, whichever this amount makes it.
    pub fn bet(&self, amount: u32) -> Action {
        let chips = Chips::saturating(amount);
        match amount {
            _ if amount == self.all_in => Action::AllIn(chips),
            _ if self.previous == 0 => Action::Bet(chips),
            _ => Action::Raise(chips),
        }
    }
}

/// The rules of one spot: its options, with the sizes written out, and the edits of its tree.
pub(crate) struct Rules<'a> {
    options: &'a TreeOptions,
    first_street: Street,
    pub(super) edited: Edited,
    bets: [[Vec<BetSize>; 2]; 3],
    raises: [[Vec<BetSize>; 2]; 3],
    donks: [Vec<BetSize>; 3],
}

impl<'a> Rules<'a> {
    /// The rules of a spot that begins on `street`.
    pub fn new(options: &'a TreeOptions, street: Street) -> Result<Self, EditError> {
        let lists =
            |kind| Street::ALL.map(|street| Player::BOTH.map(|p| options.expanded(street, p, kind, false)));
        let mut rules = Self {
            options,
            first_street: street,
            edited: Edited::nothing(),
            bets: lists(SizeKind::Bet),
            raises: lists(SizeKind::Raise),
            donks: Street::ALL.map(|street| options.expanded(street, OOP, SizeKind::Bet, true)),
        };
        rules.edit(&options.edits)?;
        Ok(rules)
    }

    /// The first decision of the spot.
    pub fn root(&self) -> State {
        State {
            street: self.first_street,
            kind: NodeKind::Decision(OOP),
            committed: [0; 2],
            before: 0,
            raises: 0,
            called: false,
            edits: Edited::ROOT,
        }
    }

    /// What follows a state, in the order of play; a chance node has one successor, without an action, and the end of
    /// the hand has none.
    pub fn successors(&self, state: &State) -> Vec<(Option<Action>, State)> {
        match state.kind {
            NodeKind::Fold(_) | NodeKind::Showdown => Vec::new(),
            NodeKind::Chance => vec![(None, self.next_street(state))],
            NodeKind::Decision(player) => {
                let actions = self.edited.apply(state.edits, self.actions(state, player));
                actions.into_iter().map(|action| (Some(action), self.play(state, player, action))).collect()
            }
        }
    }

    /// The state after the card; nobody acts any more when all chips are in.
    fn next_street(&self, state: &State) -> State {
        let street = state.street.next().unwrap_or(Street::River);
        let kind = match street {
            _ if state.committed[0] < self.options.effective_stack.get() => NodeKind::Decision(OOP),
            Street::River => NodeKind::Showdown,
            _ => NodeKind::Chance,
        };
        State { street, kind, before: state.committed[0], raises: 0, ..*state }
    }

    /// What a player may bet or raise to.
    pub(super) fn stakes(&self, state: &State, player: Player) -> Stakes {
        let on_street = state.committed.map(|chips| chips - state.before);
        let (own, previous) = (on_street[player.index()], on_street[player.opponent().index()]);
        let all_in = self.options.effective_stack.get() - state.before;
        let least = (2 * previous - own).clamp(1, all_in);
        Stakes { own, previous, least, all_in }
    }

    /// Fold, check or call, then the bets or raises by amount.
    fn actions(&self, state: &State, player: Player) -> Vec<Action> {
        let stakes = self.stakes(state, player);
        let Stakes { own, previous, least, all_in } = stakes;
        let (mut actions, sizes) = if previous > own {
            (vec![Action::Fold, Action::Call], &self.raises[state.street.index()][player.index()])
        } else if player == OOP && state.called {
            (vec![Action::Check], &self.donks[state.street.index()])
        } else {
            (vec![Action::Check], &self.bets[state.street.index()][player.index()])
        };
        let betting = Betting {
            pot: self.options.starting_pot.as_f64() + 2.0 * f64::from(state.before + previous),
            previous,
            all_in,
            raises: state.raises,
            streets: 3 - state.street.index() as u8,
        };
        if previous < all_in {
            let amounts = self.amounts(sizes, &betting, least);
            actions.extend(amounts.into_iter().map(|amount| stakes.bet(amount)));
        }
        actions
    }

    /// What a bet or raise may come to on the street, smallest first.
    fn amounts(&self, sizes: &[BetSize], betting: &Betting, least: u32) -> Vec<u32> {
        let &Betting { pot, previous, all_in, .. } = betting;
        let above_call = |amount: u32| f64::from(amount - previous);
        let mut amounts: Vec<u32> = sizes
            .iter()
            .filter_map(|size| size.amount(betting))
            .map(|amount| amount.round().clamp(f64::from(least), f64::from(all_in)) as u32)
            .map(|amount| {
                let pot_called = pot + 2.0 * above_call(amount);
                let behind = f64::from(all_in - amount);
                let forced = behind <= self.options.force_allin_threshold * pot_called + ROUNDING;
                if forced { all_in } else { amount }
            })
            .collect();
        if above_call(all_in) <= self.options.add_allin_threshold * pot + ROUNDING {
            amounts.push(all_in);
        }
        amounts.sort_unstable();
        amounts.dedup();

        let mut kept: Vec<u32> = Vec::with_capacity(amounts.len());
        for &amount in amounts.iter().rev() {
            let close = |&larger: &u32| {
                let widened = (pot + above_call(amount)) * (1.0 + self.options.merging_threshold);
                pot + above_call(larger) + ROUNDING < widened
            };
            if !kept.last().is_some_and(close) {
                kept.push(amount);
            }
        }
        kept.reverse();
        kept
    }

    /// The state after an action.
    fn play(&self, state: &State, player: Player, action: Action) -> State {
        let mut next = State { edits: self.edited.after(state.edits, action), ..*state };
        let (own, other) = (player.index(), player.opponent().index());
        match action {
            Action::Fold => next.kind = NodeKind::Fold(player),
            Action::Check if player == OOP => next.kind = NodeKind::Decision(IP),
            Action::Check | Action::Call => {
                next.committed[own] = state.committed[other];
                next.called = player == OOP;
                let last = state.street == Street::River;
                next.kind = if last { NodeKind::Showdown } else { NodeKind::Chance };
            }
            Action::Bet(amount) | Action::Raise(amount) | Action::AllIn(amount) => {
                next.raises += u32::from(state.committed[other] > state.before);
                next.committed[own] = state.before + amount.get();
                next.kind = NodeKind::Decision(player.opponent());
            }
        }
        next
    }
}

impl Points for Rules<'_> {
    type Point = State;

    fn root(&self) -> State {
        self.root()
    }

    fn describe(&self, point: State) -> (Street, NodeKind) {
        (point.street, point.kind)
    }

    fn after(&self, point: State) -> Vec<(Option<Action>, State)> {
        self.successors(&point)
    }
}
