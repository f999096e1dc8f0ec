//! What people and programs read out of solved spots.
//!
//! ```
//! use noregret_holdem::{GameLayout, Solver, Spot, TreeOptions};
//! use noregret_report::NodeSummary;
//!
//! let ranges = ["AA,KK,QJs".parse()?, "TT+,AQs".parse()?];
//! let spot = Spot::new(ranges, "QsJh2h8c3d".parse()?, TreeOptions::new(100.into(), 300.into()))?;
//! let game = GameLayout::new(&spot)?.build();
//! let mut solution = Solver::new(game.clone());
//! (0..50).for_each(|_| solution.iterate());
//!
//! let summary = NodeSummary::new(&game, &solution.at(&"check".parse()?)?);
//! for action in &summary.actions {
//!     println!("{}: {:?} of the time, worth {:?} chips", action.action, action.frequency, action.outlook.ev);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod amount;
mod answer;
mod batch_list;
mod export;
mod filter;
mod hands;
mod report;
mod summary;
mod table;
#[cfg(test)]
mod test_spots;

pub use amount::Amount;
pub use answer::{ActionAnswer, DecisionAnswer};
pub use batch_list::{BATCH_LIST, LIST_HEADING, ListError, Listed, list_beside, list_text, parse_list};
pub use export::{ExportError, ExportProgress, Extent, columns, export, player_name};
pub use filter::{Filter, FilterError};
pub use hands::{
    ClassLine, HandLine, MadeLine, SortError, SortKey, class_lines, draw_names, hand_lines, made_lines,
};
pub use report::{
    Average, BoardGroup, PAGE_OUTPUT, PAGE_STYLE, Report, ReportRow, SpotSetting, Subject, escaped, flop_row,
    html, runout_rows,
};
pub use summary::{ActionDocument, ActionSummary, NEGLIGIBLE, NodeSummary, Outlook, paid, pot};
pub use table::{Column, ColumnType, TableCell, TableFormat, TableWriter};
