//! What a player did before the flop, in the words of the charts.

use crate::play_street::PlayStreet;
use crate::played_action::{PlayedAction, PlayedMove};
use crate::played_hand::PlayedHand;
use noregret_cards::Range;
use noregret_holdem::preflop::{ChartEntry, PotType, PreflopAction, PreflopSituation, TablePosition};

/// The last thing that a player did before the flop, and what it answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PreflopRole {
    pub position: TablePosition,
    pub situation: PreflopSituation,
    pub action: PreflopAction,
    /// What the charts take for granted of whoever answers a 3-bet or a 4-bet, where it is not so: `did not open`.
    pub unlike: Option<&'static str>,
}

impl PreflopRole {
    /// The role of somebody who sees the flop; none if the player did nothing, as after a walk.
    pub fn of(hand: &PlayedHand, seat: usize) -> Option<Self> {
        let actions: Vec<&PlayedAction> = hand.on(PlayStreet::Preflop).collect();
        let last = actions.iter().rposition(|action| action.seat == seat)?;
        let chart = |seat: usize| hand.seats()[seat].position.chart_position();
        let raisers: Vec<usize> = raisers(&actions[..last]);
        let limper = actions[..last].iter().find(|action| action.action == PlayedMove::Call);
        let made = actions[last].action;
        let raised_or_called =
            if made == PlayedMove::Raise { PreflopAction::Raise } else { PreflopAction::Call };
        let (situation, action) = match (raisers.as_slice(), limper) {
            ([], None) if made == PlayedMove::Raise => (PreflopSituation::Unopened, PreflopAction::Raise),
            ([], _) if made == PlayedMove::Call => (PreflopSituation::Unopened, PreflopAction::Limp),
            ([], limper) => {
                let limper = limper.map_or(TablePosition::Sb, |limper| chart(limper.seat));
                let action =
                    if made == PlayedMove::Raise { PreflopAction::Raise } else { PreflopAction::Check };
                (PreflopSituation::FacingLimp { limper }, action)
            }
            (&[opener], _) => (PreflopSituation::FacingOpen { opener: chart(opener) }, raised_or_called),
            (&[_, three_bettor], _) => {
                (PreflopSituation::FacingThreeBet { three_bettor: chart(three_bettor) }, raised_or_called)
            }
            (&[.., last], _) => {
                let action =
                    if made == PlayedMove::Raise { PreflopAction::AllIn } else { PreflopAction::Call };
                (PreflopSituation::FacingFourBet { opener: chart(last) }, action)
            }
        };
        let unlike = match raisers.as_slice() {
            [opener, _] if *opener != seat => Some("did not open"),
            [.., raised, _] if raisers.len() > 2 && *raised != seat => Some("did not make the raise before"),
            _ => None,
        };
        Some(Self { position: chart(seat), situation, action, unlike })
    }

    /// In the words of the charts: `BB calls BTN`.
    pub fn words(self) -> String {
        let Self { position, situation, action, .. } = self;
        ChartEntry { position, situation, action, range: Range::default() }.to_string()
    }

    /// How far an entry of a chart is from this role, in seats; none if it is another kind of answer. Whom a player answers
    /// shapes the range more than where the player sits, and counts double.
    pub fn distance(self, entry: &ChartEntry) -> Option<usize> {
        use PreflopSituation::{FacingFourBet, FacingLimp, FacingOpen, FacingThreeBet, Unopened};
        let seats = |a: TablePosition, b: TablePosition| (a as usize).abs_diff(b as usize);
        let other = match (self.situation, entry.situation) {
            (Unopened, Unopened) => 0,
            (FacingLimp { limper: a }, FacingLimp { limper: b })
            | (FacingOpen { opener: a }, FacingOpen { opener: b })
            | (FacingThreeBet { three_bettor: a }, FacingThreeBet { three_bettor: b })
            | (FacingFourBet { opener: a }, FacingFourBet { opener: b }) => seats(a, b),
            _ => return None,
        };
        (self.action == entry.action).then(|| seats(self.position, entry.position) + 2 * other)
    }
}

/// Who raised, in order.
pub(crate) fn raisers(actions: &[&PlayedAction]) -> Vec<usize> {
    actions.iter().filter(|action| action.action == PlayedMove::Raise).map(|action| action.seat).collect()
}

/// How often the pot was raised before the flop.
pub(crate) fn pot_type(hand: &PlayedHand) -> PotType {
    let actions: Vec<&PlayedAction> = hand.on(PlayStreet::Preflop).collect();
    match raisers(&actions).len() {
        0 => PotType::Limped,
        1 => PotType::SingleRaised,
        2 => PotType::ThreeBet,
        _ => PotType::FourBet,
    }
}
