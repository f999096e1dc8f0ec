//! The score of a session.

use crate::answer::DrillAnswer;
use crate::grade::MistakeKind;
use serde::Serialize;

/// What the answers of a session cost.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DrillTotals {
    /// How many decisions were answered.
    pub decisions: usize,
    /// How many as well as the best action.
    pub right: usize,
    /// What a decision cost on average, in percent of its pot; null before the first.
    #[cfg_attr(feature = "schema", schema(required))]
    pub ev_loss_pct: Option<f64>,
    /// The same in big blinds; null if one of them has no big blind.
    #[cfg_attr(feature = "schema", schema(required))]
    pub ev_loss_bb: Option<f64>,
    /// By kind of mistake, the costliest first.
    pub mistakes: Vec<MistakeTotal>,
    /// By street, in order.
    pub streets: Vec<StreetTotal>,
}

/// The mistakes of a kind.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MistakeTotal {
    /// The kind.
    pub mistake: MistakeKind,
    /// How many.
    pub count: usize,
    /// What they cost together, each in percent of its pot.
    pub ev_loss_pct: f64,
}

/// The decisions of a street.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StreetTotal {
    /// `flop`, `turn` or `river`.
    pub street: String,
    /// How many.
    pub decisions: usize,
    /// What one cost on average, in percent of its pot.
    pub ev_loss_pct: f64,
}

fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = numbers.len();
    (count > 0).then(|| numbers.sum::<f64>() / count as f64)
}

impl DrillTotals {
    /// Those of some answers.
    pub fn of(answers: &[DrillAnswer]) -> Self {
        let big_blinds: Option<Vec<f64>> = answers.iter().map(|answer| answer.ev_loss_bb).collect();
        let mut mistakes: Vec<MistakeTotal> = MistakeKind::ALL
            .into_iter()
            .map(|mistake| {
                let of_kind = || answers.iter().filter(|answer| answer.mistake == Some(mistake));
                let ev_loss_pct = of_kind().map(|answer| answer.ev_loss_pct).sum();
                MistakeTotal { mistake, count: of_kind().count(), ev_loss_pct }
            })
            .filter(|total| total.count > 0)
            .collect();
        mistakes.sort_by(|a, b| b.ev_loss_pct.total_cmp(&a.ev_loss_pct));
        let streets = ["flop", "turn", "river"].into_iter().filter_map(|street| {
            let there: Vec<f64> = answers
                .iter()
                .filter(|answer| answer.street == street)
                .map(|answer| answer.ev_loss_pct)
                .collect();
            let decisions = there.len();
            Some(StreetTotal { street: street.to_owned(), decisions, ev_loss_pct: mean(there.into_iter())? })
        });
        Self {
            decisions: answers.len(),
            right: answers.iter().filter(|answer| answer.verdict.is_right()).count(),
            ev_loss_pct: mean(answers.iter().map(|answer| answer.ev_loss_pct)),
            ev_loss_bb: big_blinds.and_then(|losses| mean(losses.into_iter())),
            streets: streets.collect(),
            mistakes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Verdict;
    use crate::review::ReviewKey;

    fn answer(street: &str, ev_loss_pct: f64, mistake: Option<MistakeKind>) -> DrillAnswer {
        DrillAnswer {
            number: 0,
            key: ReviewKey::default(),
            board: "QsJh2h".to_owned(),
            street: street.to_owned(),
            action: "check".to_owned(),
            best: "check".to_owned(),
            ev_loss: ev_loss_pct,
            ev_loss_pct,
            ev_loss_bb: Some(ev_loss_pct / 10.0),
            verdict: if mistake.is_some() { Verdict::Mistake } else { Verdict::Best },
            mistake,
        }
    }

    #[test]
    fn losses_are_counted_by_decision_kind_and_street() {
        use MistakeKind::{CalledTooWide, MissedBet};
        let mut answers = vec![
            answer("river", 8.0, Some(MissedBet)),
            answer("flop", 0.0, None),
            answer("flop", 6.0, Some(CalledTooWide)),
            answer("flop", 2.0, Some(MissedBet)),
        ];
        let totals = DrillTotals::of(&answers);
        assert_eq!((totals.decisions, totals.right), (4, 1));
        assert_eq!(totals.ev_loss_pct, Some(4.0));
        assert!((totals.ev_loss_bb.unwrap() - 0.4).abs() < 1e-12);
        let kinds: Vec<_> = totals.mistakes.iter().map(|total| (total.mistake, total.count)).collect();
        assert_eq!(kinds, [(MissedBet, 2), (CalledTooWide, 1)]);
        let streets: Vec<_> = totals.streets.iter().map(|total| (&*total.street, total.decisions)).collect();
        assert_eq!(streets, [("flop", 3), ("river", 1)]);
        answers[0].ev_loss_bb = None;
        assert_eq!(DrillTotals::of(&answers).ev_loss_bb, None);
        assert_eq!(DrillTotals::of(&[]), DrillTotals::default());
    }
}
