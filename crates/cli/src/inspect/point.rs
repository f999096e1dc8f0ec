//! The point that is looked at, and how its numbers are written.

use noregret_holdem::{Line, NodeView, OOP, Player, SolutionFile};
use noregret_report::NodeSummary;

/// What is looked at.
pub struct InspectedPoint<'a> {
    pub saved: &'a SolutionFile,
    pub line: Line,
    pub view: NodeView,
    pub summary: NodeSummary,
    /// Whose hands are shown.
    pub player: Player,
}

/// `OOP` or `IP`.
pub fn title(player: Player) -> &'static str {
    if player == OOP { "OOP" } else { "IP" }
}

/// A share in percent, or a dash for none.
pub fn percent(share: Option<f64>, digits: usize) -> String {
    share.map_or("–".to_owned(), |share| format!("{:.digits$}%", 100.0 * share))
}

/// Chips, or a dash for none.
pub fn chips(amount: Option<f64>) -> String {
    // Adding zero turns −0.00 into 0.00.
    amount.map_or("–".to_owned(), |amount| format!("{:.2}", (amount * 100.0).round() / 100.0 + 0.0))
}
