//! What shapes a betting tree: pot, stack, rake, thresholds and sizes.

use super::edits::TreeEdits;
use crate::betting::chips::{Chips, Granularity};
use crate::betting::line::Step;
use crate::betting::position::{OOP, Player};
use crate::betting::size::{BetSize, SizeEntry, SizeKind, SizeList};
use crate::betting::unit::{AmountFormat, ShownUnit, Unit, UnitError};
use noregret_cards::Street;
use std::fmt;

/// What one player may bet and raise on one street.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StreetSizes {
    /// First bets.
    pub bet: SizeList,
    /// Raises.
    pub raise: SizeList,
}

/// What the house takes from every pot that is won: a share, up to a cap.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Rake {
    /// The share of the pot, 0 to 1.
    pub rate: f64,
    /// The most that is taken, in chips; no limit if none.
    pub cap: Option<f64>,
}

impl Rake {
    /// What is taken from a pot.
    pub fn of(self, pot: f64) -> f64 {
        let share = self.rate * pot;
        self.cap.map_or(share, |cap| share.min(cap))
    }
}

/// Everything that the betting of a spot depends on. [`TreeOptions::new`] fills in the defaults of a spec file; change
/// the fields at will, and [`TreeOptions::validate`] says whether the values make sense.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeOptions {
    /// The chips in the middle before the first action.
    pub starting_pot: Chips,
    /// The smaller of the two stacks, which is all that can be played for.
    pub effective_stack: Chips,
    /// What all amounts are in. Chips by default.
    pub unit: Unit,
    /// How many chips a big blind is, so that amounts can be shown in the other unit; not known by default.
    pub big_blind: Option<f64>,
    /// What the house takes. Nothing by default.
    pub rake: Rake,
    /// All-in is added to the sizes when it is at most this many pots. 1.5 by default, 0 for never.
    pub add_allin_threshold: f64,
    /// A bet that a call would follow with a stack of at most this many pots becomes all-in. 0.15 by default, 0 for
    /// never.
    pub force_allin_threshold: f64,
    /// How far apart sizes must be to stay apart: of two with pot shares X and Y, the smaller goes if
    /// (1 + X) / (1 + Y) < 1 + this. 0.1 by default, 0 for all stay.
    pub merging_threshold: f64,
    /// The sizes by street and player. By default everybody bets 50% and raises 2.5x.
    pub sizes: [[StreetSizes; 2]; 3],
    /// What the first player may bet on a street after calling a bet on the one before; as any other bet if none.
    /// The flop has no street before it and takes none.
    pub donk: [Option<SizeList>; 3],
    /// Lines that are there although these sizes do not make them, and lines that are not. None by default.
    pub edits: TreeEdits,
}

impl TreeOptions {
    /// The default threshold for adding all-in.
    pub const ADD_ALLIN_THRESHOLD: f64 = 1.5;
    /// The default threshold for making a bet all-in.
    pub const FORCE_ALLIN_THRESHOLD: f64 = 0.15;
    /// The default threshold for merging sizes.
    pub const MERGING_THRESHOLD: f64 = 0.1;
    /// The default bets.
    pub const DEFAULT_BET: &str = "50%";
    /// The default raises.
    pub const DEFAULT_RAISE: &str = "2.5x";

    /// A pot and a stack, and the defaults for all else.
    pub fn new(starting_pot: Chips, effective_stack: Chips) -> Self {
        let list = |text, kind| SizeList::parse(text, kind).unwrap_or_default();
        let sizes = || StreetSizes {
            bet: list(Self::DEFAULT_BET, SizeKind::Bet),
            raise: list(Self::DEFAULT_RAISE, SizeKind::Raise),
        };
        Self {
            starting_pot,
            effective_stack,
            unit: Unit::default(),
            big_blind: None,
            rake: Rake::default(),
            add_allin_threshold: Self::ADD_ALLIN_THRESHOLD,
            force_allin_threshold: Self::FORCE_ALLIN_THRESHOLD,
            merging_threshold: Self::MERGING_THRESHOLD,
            sizes: std::array::from_fn(|_| [sizes(), sizes()]),
            donk: [None, None, None],
            edits: TreeEdits::default(),
        }
    }

    /// The same sizes for both players on one street, as a spec file has them.
    pub fn set_street(&mut self, street: Street, sizes: StreetSizes) {
        self.sizes[street.index()] = [sizes.clone(), sizes];
    }

    /// Whether a tree can be built from these values; the first that does not make sense is named.
    pub fn validate(&self) -> Result<(), OptionsError> {
        let check = |fine: bool, field, message: &str| {
            fine.then_some(()).ok_or_else(|| OptionsError { field, message: message.to_owned() })
        };
        let number = |value: f64| value.is_finite() && value >= 0.0;
        check(self.starting_pot > Chips::ZERO, TreeField::StartingPot, "the pot must be above 0")?;
        check(self.effective_stack > Chips::ZERO, TreeField::EffectiveStack, "the stack must be above 0")?;
        let granularity = self.granularity();
        let most = Chips::MAX_COUNT / granularity.per_chip();
        let too_large =
            format!("is too large: where amounts are multiples of {granularity}, {most} is the most");
        for (amount, field) in
            [(self.starting_pot, TreeField::StartingPot), (self.effective_stack, TreeField::EffectiveStack)]
        {
            check(amount.at(granularity).is_some(), field, &too_large)?;
        }
        let is_blind = self.big_blind.is_none_or(|blind| blind.is_finite() && blind > 0.0);
        check(is_blind, TreeField::BigBlind, "must be a number of chips above 0, as in `big_blind = 2`")?;
        check((0.0..=1.0).contains(&self.rake.rate), TreeField::RakeRate, "the rake is a share from 0 to 1")?;
        let at_least_0 = "must be a number of at least 0";
        check(self.rake.cap.is_none_or(number), TreeField::RakeCap, at_least_0)?;
        check(number(self.add_allin_threshold), TreeField::AddAllin, at_least_0)?;
        check(number(self.force_allin_threshold), TreeField::ForceAllin, at_least_0)?;
        check(number(self.merging_threshold), TreeField::Merging, at_least_0)?;
        for street in Street::ALL {
            let bets = Player::BOTH.map(|player| (player, &self.sizes[street.index()][player.index()].bet));
            let donk = self.donk[street.index()].as_ref().map(|donk| (OOP, donk));
            for (player, list) in bets.into_iter().chain(donk) {
                let multiple = |entry: &SizeEntry| matches!(entry, SizeEntry::Size(BetSize::Previous(_)));
                let fine = !list.entries().iter().any(multiple);
                check(
                    fine,
                    TreeField::Bet(street, player),
                    "a multiple of the previous bet is for raises only",
                )?;
            }
        }
        check(self.donk[0].is_none(), TreeField::FlopDonk, "the flop has no street before it to donk after")
    }

    /// The smallest amount of the betting tree, to whose multiples bets are rounded: as fine as the finest of pot, stack, sizes in
    /// chips and added lines, and at least a tenth of a big blind where amounts are in big blinds.
    pub fn granularity(&self) -> Granularity {
        let of_unit = if self.unit == Unit::Bb { Granularity::Tenths } else { Granularity::Whole };
        let pot = [self.starting_pot, self.effective_stack].map(Chips::granularity);
        let lists = self.sizes.iter().flatten().flat_map(|sizes| [&sizes.bet, &sizes.raise]);
        let entries = lists.chain(self.donk.iter().flatten()).flat_map(SizeList::entries);
        let sizes = entries.filter_map(|entry| match entry {
            SizeEntry::Size(BetSize::Chips { amount, .. }) => Some(amount.granularity()),
            _ => None,
        });
        let steps = self.edits.add.iter().flat_map(|line| line.steps.iter());
        let added = steps.filter_map(|step| match step {
            Step::Action(action) => action.amount().map(Chips::granularity),
            _ => None,
        });
        pot.into_iter().chain(sizes).chain(added).fold(of_unit, Ord::max)
    }

    /// The same with pot and stack counted in the smallest amount; as they are if they are too large for it.
    pub(crate) fn counted(mut self) -> Self {
        let granularity = self.granularity();
        for amount in [&mut self.starting_pot, &mut self.effective_stack] {
            *amount = amount.at(granularity).unwrap_or(*amount);
        }
        self
    }

    /// How amounts are shown: in their own unit, or in one that is asked for.
    pub fn amount_format(&self, shown: Option<ShownUnit>) -> Result<AmountFormat, UnitError> {
        AmountFormat::new(self.unit, self.big_blind, shown)
    }

    /// What each player wins or loses where a pot of these contributions ends, counted in the smallest amount of the tree. Chips
    /// that nobody called go back to their owner before the rake.
    pub fn payoff(&self, committed: [Chips; 2]) -> Payoff {
        let granularity =
            committed.map(Chips::granularity).into_iter().fold(self.starting_pot.granularity(), Ord::max);
        let count = |amount: Chips| f64::from(amount.at(granularity).unwrap_or(amount).count());
        let matched = count(committed[0].min(committed[1]));
        let pot = count(self.starting_pot) + 2.0 * matched;
        let rake = Rake { cap: self.rake.cap.map(|cap| granularity.count(cap)), ..self.rake };
        let won = pot - rake.of(pot);
        Payoff { win: won - matched, tie: won / 2.0 - matched, lose: -matched }
    }

    /// The sizes of a player on a street, named lists written out.
    pub(crate) fn expanded(
        &self,
        street: Street,
        player: Player,
        kind: SizeKind,
        donk: bool,
    ) -> Vec<BetSize> {
        let sizes = &self.sizes[street.index()][player.index()];
        let list = match (kind, &self.donk[street.index()]) {
            (SizeKind::Bet, Some(list)) if donk => list,
            (SizeKind::Bet, _) => &sizes.bet,
            (SizeKind::Raise, _) => &sizes.raise,
        };
        let granularity = self.granularity();
        let [pot, stack] =
            [self.starting_pot, self.effective_stack].map(|amount| amount.at(granularity).unwrap_or(amount));
        list.sizes(kind, street, pot, stack)
    }
}

/// What a player's chips come to at the end, in the smallest amount of the tree (whole chips, where no amount has decimals): the share of the whole pot less what the player has put in since
/// the start of the spot. Without rake a win and a loss, or two ties, add up to the starting pot.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Payoff {
    /// For the one who wins the pot.
    pub win: f64,
    /// For each of two who share it.
    pub tie: f64,
    /// For the one who does not.
    pub lose: f64,
}

/// A value of [`TreeOptions`] that can be wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeField {
    /// `starting_pot`
    StartingPot,
    /// `effective_stack`
    EffectiveStack,
    /// `big_blind`
    BigBlind,
    /// `rake_rate`
    RakeRate,
    /// `rake_cap`
    RakeCap,
    /// `add_allin_threshold`
    AddAllin,
    /// `force_allin_threshold`
    ForceAllin,
    /// `merging_threshold`
    Merging,
    /// A list of first bets.
    Bet(Street, Player),
    /// The donk bets of the flop.
    FlopDonk,
}

impl fmt::Display for TreeField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::StartingPot => f.write_str("starting_pot"),
            Self::EffectiveStack => f.write_str("effective_stack"),
            Self::BigBlind => f.write_str("big_blind"),
            Self::RakeRate => f.write_str("rake_rate"),
            Self::RakeCap => f.write_str("rake_cap"),
            Self::AddAllin => f.write_str("add_allin_threshold"),
            Self::ForceAllin => f.write_str("force_allin_threshold"),
            Self::Merging => f.write_str("merging_threshold"),
            Self::Bet(street, player) if player == OOP => write!(f, "oop_bet on the {street}"),
            Self::Bet(street, _) => write!(f, "ip_bet on the {street}"),
            Self::FlopDonk => f.write_str("oop_donk on the flop"),
        }
    }
}

impl TreeField {
    /// Its path in a spec, like `tree.starting_pot` or `bet_sizes.flop.oop_bet`.
    pub fn path(self) -> String {
        match self {
            Self::Bet(street, player) if player == OOP => format!("bet_sizes.{street}.oop_bet"),
            Self::Bet(street, _) => format!("bet_sizes.{street}.ip_bet"),
            Self::FlopDonk => "bet_sizes.flop.oop_donk".to_owned(),
            _ => format!("tree.{self}"),
        }
    }
}

/// A value that makes no tree, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{field}: {message}")]
pub struct OptionsError {
    /// Which value.
    pub field: TreeField,
    /// What is wrong with it.
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> TreeOptions {
        TreeOptions::new(180.into(), 910.into())
    }

    #[test]
    fn the_defaults_make_sense() {
        assert_eq!(options().validate(), Ok(()));
        assert_eq!(options().sizes[2][1].bet.to_string(), "50%");
        assert_eq!(options().sizes[0][0].raise.to_string(), "2.5x");
    }

    #[test]
    fn values_that_make_no_tree_are_named() {
        let wrong = |change: fn(&mut TreeOptions)| {
            let mut options = options();
            change(&mut options);
            options.validate().unwrap_err().to_string()
        };
        assert_eq!(wrong(|o| o.starting_pot = Chips::ZERO), "starting_pot: the pot must be above 0");
        assert_eq!(wrong(|o| o.effective_stack = Chips::ZERO), "effective_stack: the stack must be above 0");
        assert_eq!(wrong(|o| o.rake.rate = f64::NAN), "rake_rate: the rake is a share from 0 to 1");
        assert_eq!(wrong(|o| o.rake.rate = 1.5), "rake_rate: the rake is a share from 0 to 1");
        assert_eq!(wrong(|o| o.rake.cap = Some(-1.0)), "rake_cap: must be a number of at least 0");
        assert_eq!(
            wrong(|o| o.merging_threshold = f64::INFINITY),
            "merging_threshold: must be a number of at least 0"
        );
        assert_eq!(
            wrong(|o| o.sizes[1][1].bet = SizeList::parse("2x", SizeKind::Raise).unwrap()),
            "ip_bet on the turn: a multiple of the previous bet is for raises only"
        );
        assert_eq!(
            wrong(|o| o.donk[0] = Some(SizeList::default())),
            "oop_donk on the flop: the flop has no street before it to donk after"
        );
    }

    #[test]
    fn payoffs_count_the_starting_pot_and_take_the_rake_once() {
        let mut options = options();
        let called = options.payoff([260.into(), 260.into()]);
        assert_eq!(called, Payoff { win: 440.0, tie: 90.0, lose: -260.0 });
        // A bet of 94 that nobody calls goes back: the pot is what it was.
        let folded = options.payoff([94.into(), 0.into()]);
        assert_eq!(folded, Payoff { win: 180.0, tie: 90.0, lose: 0.0 });

        options.rake = Rake { rate: 0.05, cap: Some(30.0) };
        assert_eq!(options.payoff([94.into(), 0.into()]).win, 171.0);
        assert_eq!(options.payoff([260.into(), 260.into()]), Payoff { win: 410.0, tie: 75.0, lose: -260.0 });
        options.rake.cap = None;
        assert_eq!(options.payoff([260.into(), 260.into()]).win, 405.0);
        options.rake.cap = Some(0.0);
        assert_eq!(options.payoff([260.into(), 260.into()]).win, 440.0);
    }
}
