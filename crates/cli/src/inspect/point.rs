//! The point that is looked at, and how its numbers are written.

use noregret_holdem::{AmountFormat, Line, NodeView, OOP, Player, ShownUnit, SolutionFile};
use noregret_report::NodeSummary;

/// What is looked at.
pub struct InspectedPoint<'a> {
    pub saved: &'a SolutionFile,
    pub line: Line,
    pub view: NodeView,
    /// In the unit that is shown.
    pub summary: NodeSummary,
    /// The pot in the unit of the spec.
    pub pot: f64,
    /// Whose hands are shown.
    pub player: Player,
    /// How amounts are shown.
    pub format: AmountFormat,
}

impl InspectedPoint<'_> {
    /// The pot with its unit; as it is in the spec, where everything else is a share of it.
    pub fn pot_text(&self) -> String {
        let own = self.saved.spec().spot.options().amount_format(None).unwrap_or_default();
        let format = if self.format.unit() == ShownUnit::Pot { own } else { self.format };
        format.text(self.pot, self.pot)
    }

    /// What can be done here, as it is shown.
    pub fn action_names(&self) -> Vec<String> {
        let name = |action: &noregret_holdem::Action| self.summary.action_name(*action, self.format);
        self.view.actions.iter().map(name).collect()
    }
}

/// `OOP` or `IP`.
pub fn title(player: Player) -> &'static str {
    if player == OOP { "OOP" } else { "IP" }
}

/// A share in percent, or a dash for none.
pub fn percent(share: Option<f64>, digits: usize) -> String {
    share.map_or("–".to_owned(), |share| format!("{:.digits$}%", 100.0 * share))
}

/// An amount, or a dash for none.
pub fn chips(amount: Option<f64>) -> String {
    // Adding zero turns −0.00 into 0.00.
    amount.map_or("–".to_owned(), |amount| format!("{:.2}", (amount * 100.0).round() / 100.0 + 0.0))
}
