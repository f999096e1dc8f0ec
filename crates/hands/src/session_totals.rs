//! What a session cost, in all and by street, position and kind of pot.

use crate::decision_row::DecisionRow;
use crate::seat_position::SeatPosition;
use noregret_cards::Street;
use noregret_holdem::preflop::PotType;
use serde::Serialize;

/// How many decisions are told as the costliest.
const COSTLIEST: usize = 10;

/// What some decisions cost together.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LossTotal {
    /// What they have in common: `turn`, `BTN`, `3-bet`.
    pub name: String,
    /// How many there are, of those with a choice whose cost is known.
    pub decisions: usize,
    /// What they cost, in big blinds.
    pub ev_loss_bb: f64,
    /// The mean of what each cost in percent of its pot.
    #[cfg_attr(feature = "schema", schema(required))]
    pub ev_loss_pct: Option<f64>,
}

impl LossTotal {
    fn of<'r>(name: &str, rows: impl Iterator<Item = &'r DecisionRow>) -> Self {
        let counted: Vec<&DecisionRow> = rows.filter(|row| row.counts()).collect();
        let percents: f64 = counted.iter().filter_map(|row| row.ev_loss_pct).sum();
        Self {
            name: name.to_owned(),
            decisions: counted.len(),
            // The sum of no numbers is -0.
            ev_loss_bb: 0.0 + counted.iter().filter_map(|row| row.ev_loss_bb).sum::<f64>(),
            ev_loss_pct: (!counted.is_empty()).then(|| percents / counted.len() as f64),
        }
    }
}

/// The totals of a session.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SessionTotals {
    /// Of everything.
    pub all: LossTotal,
    /// By street.
    pub street: Vec<LossTotal>,
    /// By the position of whoever decided.
    pub position: Vec<LossTotal>,
    /// By how often the pot was raised before the flop.
    pub pot_type: Vec<LossTotal>,
    /// The decisions that cost most, the costliest first; none that cost nothing.
    pub costliest: Vec<DecisionRow>,
}

impl SessionTotals {
    /// The totals of some rows. Groups without a decision are left out.
    pub fn of(rows: &[DecisionRow]) -> Self {
        let group = |names: Vec<String>, key: fn(&DecisionRow) -> &str| -> Vec<LossTotal> {
            let total = |name: &String| LossTotal::of(name, rows.iter().filter(|row| key(row) == name));
            names.iter().map(total).filter(|total| total.decisions > 0).collect()
        };
        let loss = |row: &DecisionRow| row.ev_loss_bb.unwrap_or(0.0);
        let costs = |row: &&DecisionRow| row.counts() && loss(row) > 0.0;
        let mut costliest: Vec<DecisionRow> = rows.iter().filter(costs).cloned().collect();
        costliest.sort_by(|a, b| loss(b).total_cmp(&loss(a)));
        costliest.truncate(COSTLIEST);
        Self {
            all: LossTotal::of("all", rows.iter()),
            street: group(Street::ALL.map(|street| street.to_string()).into(), |row| &row.street),
            position: group(SeatPosition::ALL.map(|position| position.to_string()).into(), |row| {
                &row.position
            }),
            pot_type: group(PotType::ALL.map(|pot| pot.to_string()).into(), |row| &row.pot_type),
            costliest,
        }
    }
}
