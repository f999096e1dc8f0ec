//! What an answer cost, and what kind of mistake it was.

use crate::error::DrillError;
use noregret_cards::Hole;
use noregret_holdem::{Action, Line, Player, SolutionFile, Unit};
use noregret_report::DecisionAnswer;
use serde::{Deserialize, Serialize};

/// How much an answer may cost, in percent of the pot, to be as good as the best: solutions are rarely more exact.
const FINE_PCT: f64 = 0.5;
/// Above this it is a mistake.
const MISTAKE_PCT: f64 = 3.0;
/// Above this it is a blunder.
const BLUNDER_PCT: f64 = 10.0;

/// How good an answer is, by what it cost in percent of the pot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No action is worth more.
    Best,
    /// At most half a percent.
    Fine,
    /// At most 3%.
    Inaccuracy,
    /// At most 10%.
    Mistake,
    /// More.
    Blunder,
}

impl Verdict {
    /// How good an answer is that costs so much, in percent of the pot.
    pub fn of(ev_loss_pct: f64) -> Self {
        Self::within(ev_loss_pct, [FINE_PCT, MISTAKE_PCT, BLUNDER_PCT])
    }

    /// By how much a fine answer, an inaccuracy and a mistake cost at most.
    pub(crate) fn within(loss: f64, [fine, inaccuracy, mistake]: [f64; 3]) -> Self {
        match loss {
            loss if loss <= 0.0 => Self::Best,
            loss if loss <= fine => Self::Fine,
            loss if loss <= inaccuracy => Self::Inaccuracy,
            loss if loss <= mistake => Self::Mistake,
            _ => Self::Blunder,
        }
    }

    /// Whether it is as good as the best.
    pub fn is_right(self) -> bool {
        self <= Self::Fine
    }
}

/// What was wrong with an answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum MistakeKind {
    /// A fold where calling or raising is worth more.
    FoldedTooMuch,
    /// A call where folding is worth more.
    CalledTooWide,
    /// A check where a bet is worth more.
    MissedBet,
    /// A call where a raise is worth more.
    MissedRaise,
    /// A bet where checking is worth more.
    BetTooMuch,
    /// A raise where calling or folding is worth more.
    RaisedTooMuch,
    /// A bet or raise where one of another size is worth more.
    WrongSize,
}

impl MistakeKind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::FoldedTooMuch,
        Self::CalledTooWide,
        Self::MissedBet,
        Self::MissedRaise,
        Self::BetTooMuch,
        Self::RaisedTooMuch,
        Self::WrongSize,
    ];

    /// What is wrong with an action where another is worth more.
    pub fn of(played: Action, best: Action) -> Self {
        match (played, best) {
            (Action::Fold, _) => Self::FoldedTooMuch,
            (Action::Check, _) => Self::MissedBet,
            (Action::Call, Action::Fold) => Self::CalledTooWide,
            (Action::Call, _) => Self::MissedRaise,
            (_, Action::Check) => Self::BetTooMuch,
            (_, Action::Fold | Action::Call) => Self::RaisedTooMuch,
            _ => Self::WrongSize,
        }
    }
}

/// What an answer cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Grade {
    /// What the solution says about the decision.
    pub answer: DecisionAnswer,
    /// Which action is worth most, by its place.
    pub best: usize,
    /// The EV of the best action less that of the one that was chosen, in the unit of the spec.
    pub ev_loss: f64,
    /// The same in percent of the pot.
    pub ev_loss_pct: f64,
    /// The same in big blinds; none if nobody said what the big blind is.
    pub ev_loss_bb: Option<f64>,
    /// How good that is.
    pub verdict: Verdict,
    /// What is wrong with it; none if it is as good as the best.
    pub mistake: Option<MistakeKind>,
}

impl Grade {
    /// Grades an action of a player who holds these cards at the end of a line.
    pub fn read(
        saved: &SolutionFile,
        line: &Line,
        player: Player,
        hole: Hole,
        action: Action,
    ) -> Result<Self, DrillError> {
        let view = saved.at(line)?;
        let played = view.actions.iter().position(|each| *each == action);
        let played = played.ok_or_else(|| DrillError::action(action, &view.actions))?;
        let answer = DecisionAnswer::new(saved.game(), &view, player, Some(hole), played);
        let (Some(best), Some(ev_loss)) = (answer.best, answer.ev_loss) else {
            return Err(DrillError::NoValue(hole));
        };
        let ev_loss_pct = 100.0 * ev_loss / answer.pot;
        let verdict = Verdict::of(ev_loss_pct);
        let kind = || answer.actions.get(best).map(|best| MistakeKind::of(action, best.action));
        let options = saved.spec().spot.options();
        let ev_loss_bb = match options.unit {
            Unit::Bb => Some(ev_loss),
            Unit::Chips => options.big_blind.map(|blind| ev_loss / blind),
        };
        let mistake = if verdict.is_right() { None } else { kind() };
        Ok(Self { best, ev_loss, ev_loss_pct, ev_loss_bb, verdict, mistake, answer })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_have_their_kind() {
        use Action::{AllIn, Bet, Call, Check, Fold, Raise};
        for (played, best, kind) in [
            (Fold, Call, MistakeKind::FoldedTooMuch),
            (Fold, Raise(9.into()), MistakeKind::FoldedTooMuch),
            (Call, Fold, MistakeKind::CalledTooWide),
            (Check, Bet(5.into()), MistakeKind::MissedBet),
            (Check, AllIn(50.into()), MistakeKind::MissedBet),
            (Call, AllIn(50.into()), MistakeKind::MissedRaise),
            (AllIn(50.into()), Check, MistakeKind::BetTooMuch),
            (Raise(9.into()), Fold, MistakeKind::RaisedTooMuch),
            (AllIn(50.into()), Call, MistakeKind::RaisedTooMuch),
            (Bet(5.into()), Bet(9.into()), MistakeKind::WrongSize),
            (Raise(9.into()), AllIn(50.into()), MistakeKind::WrongSize),
        ] {
            assert_eq!(MistakeKind::of(played, best), kind, "{played}, {best}");
        }
    }

    #[test]
    fn verdicts_go_by_the_share_of_the_pot() {
        let verdicts = [-0.1, 0.0, 0.2, 0.5, 0.6, 3.0, 7.0, 10.0, 10.1].map(Verdict::of);
        use Verdict::{Best, Blunder, Fine, Inaccuracy, Mistake};
        assert_eq!(verdicts, [Best, Best, Fine, Fine, Inaccuracy, Inaccuracy, Mistake, Mistake, Blunder]);
        assert!(Fine.is_right() && !Inaccuracy.is_right());
    }
}
