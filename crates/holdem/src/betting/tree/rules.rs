//! The rules of betting: what can be done in a state, and what state that leads to.

use super::edits::{Cursor, Edit, EditError, Edited, TreeEdits};
use super::options::TreeOptions;
use crate::betting::action::Action;
use crate::betting::chips::{Chips, Granularity};
use crate::betting::line::{Line, Step};
use crate::betting::node::BettingNodeKind;
use crate::betting::position::{IP, OOP, Player};
use crate::betting::size::{BetSize, Betting, SizeKind};
use crate::betting::walk::{Points, ToAnswer, after, is_meant, listed, meant};
use crate::text::excerpt;
use noregret_cards::Street;

/// How far off a product of decimals may be and still count as the whole number of chips that it stands for.
const ROUNDING: f64 = 1e-6;

/// What goes wrong at a step of a line, or with all of it.
type LineTrouble = (Option<usize>, String);

/// A point of the betting with all that the rest of it depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BettingState {
    pub street: Street,
    pub kind: BettingNodeKind,
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
pub(super) struct BetBounds {
    /// What the player has put in.
    own: u32,
    /// What the opponent has put in.
    pub previous: u32,
    /// The minimum raise.
    pub least: u32,
    pub all_in: u32,
    granularity: Granularity,
}

impl BetBounds {
    /// A bet, a raise or all-in, whichever this amount makes it.
    pub fn bet(&self, amount: u32) -> Action {
        let chips = Chips::saturating(amount, self.granularity);
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
    /// What all amounts are counted in.
    granularity: Granularity,
    starting_pot: u32,
    effective_stack: u32,
    first_street: Street,
    pub(super) edited: Edited,
    bets: [[Vec<BetSize>; 2]; 3],
    raises: [[Vec<BetSize>; 2]; 3],
    donks: [Vec<BetSize>; 3],
}

impl<'a> Rules<'a> {
    /// The chips in the middle before the first bet.
    pub fn starting_pot(&self) -> Chips {
        self.chips(self.starting_pot)
    }

    /// So many of the smallest amount.
    pub fn chips(&self, count: u32) -> Chips {
        Chips::saturating(count, self.granularity)
    }

    /// The rules of a spot that begins on `street`.
    pub fn new(options: &'a TreeOptions, street: Street) -> Result<Self, EditError> {
        let lists =
            |kind| Street::ALL.map(|street| Player::BOTH.map(|p| options.expanded(street, p, kind, false)));
        let granularity = options.granularity();
        // What is too large for the smallest amount, validation refuses.
        let count = |amount: Chips| amount.at(granularity).unwrap_or(amount).count();
        let mut rules = Self {
            options,
            granularity,
            starting_pot: count(options.starting_pot),
            effective_stack: count(options.effective_stack),
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
    pub fn root(&self) -> BettingState {
        BettingState {
            street: self.first_street,
            kind: BettingNodeKind::Decision(OOP),
            committed: [0; 2],
            before: 0,
            raises: 0,
            called: false,
            edits: Edited::ROOT,
        }
    }

    /// What follows a state, in the order of play; a chance node has one successor, without an action, and the end of
    /// the hand has none.
    pub fn successors(&self, state: &BettingState) -> Vec<(Option<Action>, BettingState)> {
        match state.kind {
            BettingNodeKind::Fold(_) | BettingNodeKind::Showdown => Vec::new(),
            BettingNodeKind::Chance => vec![(None, self.next_street(state))],
            BettingNodeKind::Decision(player) => {
                let actions = self.edited.apply(state.edits, self.actions(state, player));
                actions.into_iter().map(|action| (Some(action), self.play(state, player, action))).collect()
            }
        }
    }

    /// The state after the card; nobody acts any more when all chips are in.
    fn next_street(&self, state: &BettingState) -> BettingState {
        let street = state.street.next().unwrap_or(Street::River);
        let kind = match street {
            _ if state.committed[0] < self.effective_stack => BettingNodeKind::Decision(OOP),
            Street::River => BettingNodeKind::Showdown,
            _ => BettingNodeKind::Chance,
        };
        BettingState { street, kind, before: state.committed[0], raises: 0, ..*state }
    }

    /// What a player may bet or raise to.
    pub(super) fn stakes(&self, state: &BettingState, player: Player) -> BetBounds {
        let on_street = state.committed.map(|chips| chips - state.before);
        let (own, previous) = (on_street[player.index()], on_street[player.opponent().index()]);
        let all_in = self.effective_stack - state.before;
        let least = (2 * previous - own).clamp(1, all_in);
        BetBounds { own, previous, least, all_in, granularity: self.granularity }
    }

    /// Fold, check or call, then the bets or raises by amount.
    fn actions(&self, state: &BettingState, player: Player) -> Vec<Action> {
        let stakes = self.stakes(state, player);
        let BetBounds { own, previous, least, all_in, .. } = stakes;
        let (mut actions, sizes) = if previous > own {
            (vec![Action::Fold, Action::Call], &self.raises[state.street.index()][player.index()])
        } else if player == OOP && state.called {
            (vec![Action::Check], &self.donks[state.street.index()])
        } else {
            (vec![Action::Check], &self.bets[state.street.index()][player.index()])
        };
        let betting = Betting {
            pot: f64::from(self.starting_pot) + 2.0 * f64::from(state.before + previous),
            previous,
            all_in,
            granularity: self.granularity,
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
    fn play(&self, state: &BettingState, player: Player, action: Action) -> BettingState {
        let mut next = BettingState { edits: self.edited.after(state.edits, action), ..*state };
        let (own, other) = (player.index(), player.opponent().index());
        match action {
            Action::Fold => next.kind = BettingNodeKind::Fold(player),
            Action::Check if player == OOP => next.kind = BettingNodeKind::Decision(IP),
            Action::Check | Action::Call => {
                next.committed[own] = state.committed[other];
                next.called = player == OOP;
                let last = state.street == Street::River;
                next.kind = if last { BettingNodeKind::Showdown } else { BettingNodeKind::Chance };
            }
            Action::Bet(amount) | Action::Raise(amount) | Action::AllIn(amount) => {
                next.raises += u32::from(state.committed[other] > state.before);
                next.committed[own] = state.before + amount.count();
                next.kind = BettingNodeKind::Decision(player.opponent());
            }
        }
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
    fn add(&mut self, line: &Line) -> Result<(), LineTrouble> {
        let mut state = self.root();
        let mut added = false;
        for (i, &step) in line.steps.iter().enumerate() {
            let action = match self.find(&mut state, line, i) {
                Ok(action) => action,
                Err(trouble) => {
                    let action = self.bet_at(&state, line, i)?.ok_or(trouble)?;
                    self.edited.add(state.edits, action);
                    added = true;
                    action
                }
            };
            debug_assert!(matches!(step, Step::PotShare(_)) || is_meant(action, step));
            self.follow(&mut state, action);
        }
        if added { Ok(()) } else { Err((None, format!("`{}` is there already", shown(line)))) }
    }

    /// Takes the end of a line out, with all that follows.
    fn remove(&mut self, line: &Line) -> Result<(), LineTrouble> {
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
        self.edited.remove(state.edits, action);
        Ok(())
    }

    /// The action that a step of a line means, at a point from which cards have been dealt as far as they come.
    fn find(&self, state: &mut BettingState, line: &Line, i: usize) -> Result<Action, LineTrouble> {
        while state.kind == BettingNodeKind::Chance {
            *state = self.successors(state)[0].1;
        }
        let step = line.steps[i];
        if let Step::Card(_) = step {
            let message = format!("an edit is for all runouts: leave the card `{step}` out");
            return Err((Some(i), message));
        }
        let successors = self.successors(state);
        let actions: Vec<Action> = successors.iter().filter_map(|(action, _)| *action).collect();
        meant(&actions, step, self.to_answer(*state)).ok_or_else(|| {
            let there = if actions.is_empty() { "the hand is over".to_owned() } else { listed(&actions) };
            (Some(i), format!("there is no `{step}` {}: {there}", after(line, i)))
        })
    }

    /// The bet or raise that a step of a line stands for where there is none yet; none if it is something else.
    fn bet_at(&self, state: &BettingState, line: &Line, i: usize) -> Result<Option<Action>, LineTrouble> {
        let BettingNodeKind::Decision(player) = state.kind else { return Ok(None) };
        let stakes = self.stakes(state, player);
        let amount = match line.steps[i] {
            Step::Action(action) => match action.amount() {
                Some(amount) => Some(self.count_at(amount, line, i)?),
                None => None,
            },
            Step::AllIn => Some(stakes.all_in),
            Step::PotShare(share) if share.is_raise == (stakes.previous > 0) => {
                let betting = self.to_answer(*state);
                Some(share.amount(betting.pot, betting.previous).round() as u32)
            }
            Step::PotShare(_) | Step::Card(_) => None,
        };
        let Some(amount) = amount.filter(|_| stakes.previous < stakes.all_in) else { return Ok(None) };
        if !(stakes.least..=stakes.all_in).contains(&amount) {
            let message = format!(
                "`{}` is not possible {}: amounts from {} to {} are",
                line.steps[i],
                after(line, i),
                self.chips(stakes.least),
                self.chips(stakes.all_in)
            );
            return Err((Some(i), message));
        }
        Ok(Some(stakes.bet(amount)))
    }

    /// How many of the smallest amount a step of a line is.
    fn count_at(&self, amount: Chips, line: &Line, i: usize) -> Result<u32, LineTrouble> {
        amount.at(self.granularity).map(Chips::count).ok_or_else(|| {
            let (step, place) = (line.steps[i], after(line, i));
            let message =
                format!("`{step}` is not possible {place}: amounts are multiples of {}", self.granularity);
            (Some(i), message)
        })
    }

    /// Plays an action, and makes sure that edits can be made where it leads.
    fn follow(&mut self, state: &mut BettingState, action: Action) {
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

impl Points for Rules<'_> {
    type Point = BettingState;

    fn root(&self) -> BettingState {
        self.root()
    }

    fn describe(&self, point: BettingState) -> (Street, BettingNodeKind) {
        (point.street, point.kind)
    }

    fn after(&self, point: BettingState) -> Vec<(Option<Action>, BettingState)> {
        self.successors(&point)
    }

    fn to_answer(&self, point: BettingState) -> ToAnswer {
        let [first, second] = point.committed;
        let previous = match point.kind {
            BettingNodeKind::Decision(player) => self.stakes(&point, player).previous,
            _ => 0,
        };
        ToAnswer { pot: f64::from(self.starting_pot) + 2.0 * f64::from(first.max(second)), previous }
    }
}
