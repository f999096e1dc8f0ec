//! A hand played again by the rules of no-limit hold'em: whose turn it is, what may be put in, what that comes to.

use crate::hand_draft::{AnteRule, DraftAction, DraftMove, DraftPost};
use crate::history_error::Fault;
use crate::money::{Money, MoneyUnit};
use crate::play_street::PlayStreet;
use crate::played_action::{PlayedAction, PlayedMove, PostKind};

/// The chips at some point of a hand. Players are numbered in the order of action before the flop, the big blind last.
pub(crate) struct Replay {
    unit: MoneyUnit,
    names: Vec<String>,
    stacks: Vec<Money>,
    /// What each has put in on this street.
    bets: Vec<Money>,
    /// What each has put in that others had to call, on all streets.
    live: Vec<Money>,
    /// What each has put in as an ante, where a short one wins no more of each than it is itself.
    antes: Vec<Money>,
    ante_rule: AnteRule,
    /// What anybody can win, whatever they have put in: dead blinds, and antes that are one pot.
    dead: Money,
    folded: Vec<bool>,
    /// Who has acted since the last bet or raise.
    acted: Vec<bool>,
    street: PlayStreet,
    /// Who acts next, if anybody has to.
    turn: usize,
    /// What a full call comes to before the flop, though who posted it had less.
    least_call: Money,
    /// The last bet or raise was by this much.
    last_raise: Money,
    min_bet: Money,
    /// Who acts first after the flop.
    after_button: usize,
    /// What a bet of an earlier street was above what anybody could call.
    excess: Option<(usize, Money)>,
}

impl Replay {
    /// The table before anything is put in. Names and stacks are in the order of action before the flop; `after_button` is who
    /// acts first after it.
    pub fn new(
        unit: MoneyUnit,
        names: Vec<String>,
        stacks: Vec<Money>,
        min_bet: Money,
        ante_rule: AnteRule,
        after_button: usize,
    ) -> Self {
        let players = stacks.len();
        Self {
            unit,
            names,
            stacks,
            bets: vec![Money::ZERO; players],
            live: vec![Money::ZERO; players],
            antes: vec![Money::ZERO; players],
            ante_rule,
            dead: Money::ZERO,
            folded: vec![false; players],
            acted: vec![false; players],
            street: PlayStreet::Preflop,
            turn: 0,
            least_call: Money::ZERO,
            last_raise: min_bet,
            min_bet,
            after_button,
            excess: None,
        }
    }

    /// All chips in the middle.
    pub fn pot(&self) -> Money {
        self.dead + self.staked().into_iter().sum()
    }

    pub fn stacks(&self) -> &[Money] {
        &self.stacks
    }

    pub fn street(&self) -> PlayStreet {
        self.street
    }

    /// What each has put in that whoever wins from them must have put in too: bets, and antes that are matched.
    pub fn staked(&self) -> Vec<Money> {
        self.live.iter().zip(&self.antes).map(|(&live, &ante)| live + ante).collect()
    }

    /// How many seats after the button a player is, from 0.
    pub fn seats_after_button(&self, player: usize) -> usize {
        let players = self.stacks.len();
        (player + players - self.after_button) % players
    }

    /// What anybody can win, whatever they have put in.
    pub fn dead(&self) -> Money {
        self.dead
    }

    pub fn is_folded(&self, player: usize) -> bool {
        self.folded[player]
    }

    /// Who is still in the hand.
    pub fn remaining(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.stacks.len()).filter(|&player| !self.folded[player])
    }

    /// The most that anybody has put in on this street.
    fn highest(&self) -> Money {
        self.bets.iter().copied().max().unwrap_or_default()
    }

    /// Takes a blind or an ante from a player. `nominal` is what it would be with enough chips.
    pub fn post(&mut self, player: usize, post: &DraftPost, nominal: Money) -> Result<(), Fault> {
        let left = self.stacks[player].without(post.amount).ok_or_else(|| {
            let (name, has) = (&self.names[player], self.unit.text(self.stacks[player]));
            Fault::new(post.line, format!("{name} has {has}, which is less than this {}", post.kind))
        })?;
        self.stacks[player] = left;
        if post.kind == PostKind::Ante && self.ante_rule == AnteRule::Matched {
            self.antes[player] += post.amount;
            return Ok(());
        }
        if !post.kind.is_live() {
            self.dead += post.amount;
            return Ok(());
        }
        self.bets[player] += post.amount;
        self.live[player] += post.amount;
        self.least_call = self.least_call.max(if left.is_zero() { nominal } else { post.amount });
        if post.kind == PostKind::Straddle {
            self.turn = (player + 1) % self.stacks.len();
        }
        Ok(())
    }

    /// Who has to act, if anybody has to.
    pub fn next(&self) -> Option<usize> {
        if self.remaining().count() < 2 {
            return None;
        }
        let players = self.stacks.len();
        let highest = self.highest();
        let can_act = |&player: &usize| !self.folded[player] && !self.stacks[player].is_zero();
        let able = (0..players).filter(can_act).count();
        let has_to = |player: &usize| {
            let is_behind = self.bets[*player] < highest;
            // With nobody left to bet against, there is nothing to do but to answer a bet.
            is_behind || (!self.acted[*player] && able > 1)
        };
        (0..players).map(|step| (self.turn + step) % players).filter(can_act).find(has_to)
    }

    /// Plays an action.
    pub fn play(&mut self, player: usize, action: &DraftAction, line: u32) -> Result<PlayedAction, Fault> {
        let wrong = |message: String| Fault::new(line, message);
        let name = &self.names[player];
        match self.next() {
            Some(next) if next == player => {}
            Some(next) => return Err(wrong(format!("it is {}'s turn, not {name}'s", self.names[next]))),
            None => return Err(wrong(format!("nobody has to act on the {} any more", self.street))),
        }
        let (stack, bet, highest) = (self.stacks[player], self.bets[player], self.highest());
        let to_call = highest.less(bet);
        let made = self.made(player, action.action);
        let added = match made {
            PlayedMove::Fold => Money::ZERO,
            PlayedMove::Check if to_call.is_zero() => Money::ZERO,
            PlayedMove::Check => {
                return Err(wrong(format!(
                    "{name} cannot check: there is {} to call",
                    self.unit.text(to_call)
                )));
            }
            PlayedMove::Call => self.called(player, action, to_call).map_err(wrong)?,
            PlayedMove::Bet | PlayedMove::Raise => self.raised(player, made, action).map_err(wrong)?,
        };
        let left = stack.without(added);
        let left = left.ok_or_else(|| wrong(format!("{name} has {} only", self.unit.text(stack))))?;
        if action.says_all_in && !left.is_zero() {
            return Err(wrong(format!("{name} is not all-in: {} would be left", self.unit.text(left))));
        }
        let played = PlayedAction {
            seat: player,
            street: self.street,
            action: made,
            added,
            to: bet + added,
            is_all_in: left.is_zero() && !added.is_zero(),
            pot: self.pot(),
            to_call: to_call.min(stack),
            stack,
            line,
        };
        self.stacks[player] = left;
        self.bets[player] += added;
        self.live[player] += added;
        self.folded[player] = made == PlayedMove::Fold;
        if matches!(made, PlayedMove::Bet | PlayedMove::Raise) {
            self.acted.fill(false);
            self.last_raise = self.last_raise.max(self.bets[player].less(highest.max(self.least_call)));
            self.least_call = self.least_call.max(self.bets[player]);
        }
        self.acted[player] = true;
        self.turn = (player + 1) % self.stacks.len();
        Ok(played)
    }

    /// The bet that there is to call or raise.
    fn before(&self) -> Money {
        let highest = self.highest();
        if self.street == PlayStreet::Preflop { highest.max(self.least_call) } else { highest }
    }

    /// What a player does, where the text has one word for two.
    fn made(&self, player: usize, action: DraftMove) -> PlayedMove {
        match action {
            DraftMove::Fold => PlayedMove::Fold,
            DraftMove::Check => PlayedMove::Check,
            DraftMove::Call => PlayedMove::Call,
            DraftMove::Bet => PlayedMove::Bet,
            DraftMove::Raise => PlayedMove::Raise,
            DraftMove::CheckOrCall if self.highest() == self.bets[player] => PlayedMove::Check,
            DraftMove::CheckOrCall => PlayedMove::Call,
            DraftMove::BetOrRaise if self.before().is_zero() => PlayedMove::Bet,
            DraftMove::BetOrRaise => PlayedMove::Raise,
        }
    }

    /// What a call puts in.
    fn called(&self, player: usize, action: &DraftAction, to_call: Money) -> Result<Money, String> {
        let (name, stack) = (&self.names[player], self.stacks[player]);
        // Who posted less than the blind leaves others to call the whole of it.
        let whole = if self.street == PlayStreet::Preflop {
            self.least_call.less(self.bets[player])
        } else {
            to_call
        };
        if whole.max(to_call).is_zero() {
            return Err(format!("{name} has nothing to call"));
        }
        let [whole, to_call] = [whole.max(to_call), to_call].map(|amount| amount.min(stack));
        match action.amount {
            None => Ok(if to_call.is_zero() { whole } else { to_call }),
            Some(amount) if amount == to_call && !amount.is_zero() || amount == whole => Ok(amount),
            Some(_) => Err(format!("{name} has {} to call", self.unit.text(whole))),
        }
    }

    /// What a bet or a raise puts in.
    fn raised(&self, player: usize, made: PlayedMove, action: &DraftAction) -> Result<Money, String> {
        let (name, bet) = (&self.names[player], self.bets[player]);
        let (highest, before) = (self.highest(), self.before());
        match (made, before.is_zero()) {
            (PlayedMove::Bet, false) => {
                return Err(format!("{name} cannot bet: there is a bet, to call or raise"));
            }
            (PlayedMove::Raise, true) => return Err(format!("{name} cannot raise: there is no bet")),
            _ => {}
        }
        let Some(to) = action.amount else { return Err(format!("it does not say how much {name} puts in")) };
        let added = to.without(bet).filter(|_| to > highest);
        let Some(added) = added else {
            return Err(format!("a raise must be to more than {}", self.unit.text(highest)));
        };
        let is_all_in = added == self.stacks[player];
        let least = if before.is_zero() { self.min_bet } else { before + self.last_raise };
        if to < least && !is_all_in {
            return Err(format!("{name} must put in at least {}, or everything", self.unit.text(least)));
        }
        if let Some(by) = action.by
            && by != to.less(highest)
            && by != to.less(before)
        {
            return Err(format!(
                "a raise to {} is one of {}",
                self.unit.text(to),
                self.unit.text(to.less(highest))
            ));
        }
        Ok(added)
    }

    /// Deals the cards of the next street: an error if somebody has to act first, or nobody is left to play for them.
    pub fn deal(&mut self, street: PlayStreet) -> Result<(), String> {
        if let Some(next) = self.next() {
            return Err(format!("{} has to act before the {street}", self.names[next]));
        }
        if self.remaining().count() < 2 {
            return Err(format!("the hand is over before the {street}"));
        }
        if self.street.next() != Some(street) {
            return Err(format!("the {street} does not follow the {}", self.street));
        }
        self.street = street;
        self.excess = self.uncalled();
        self.bets.fill(Money::ZERO);
        self.acted.fill(false);
        self.last_raise = self.min_bet;
        self.turn = self.after_button;
        Ok(())
    }

    /// What the last bet was above what anybody has called, and whose it was.
    pub fn uncalled(&self) -> Option<(usize, Money)> {
        let highest = self.highest();
        if highest.is_zero() {
            return self.excess;
        }
        let owner = self.bets.iter().position(|&bet| bet == highest)?;
        let others = (0..self.bets.len()).filter(|&player| player != owner);
        let second = others.map(|player| self.bets[player]).max().unwrap_or_default();
        let excess = highest.less(second);
        (!excess.is_zero() && !self.folded[owner]).then_some((owner, excess))
    }

    /// Gives back a bet that nobody called.
    pub fn give_back(&mut self, player: usize, amount: Money) {
        self.stacks[player] += amount;
        self.bets[player] = self.bets[player].less(amount);
        self.live[player] = self.live[player].less(amount);
    }
}
