//! Hand histories in, solved decisions out.
//!
//! [`read_text`] makes a [`PlayedHand`] of every hand of a text: PokerStars, GGPoker, or the open PHH format. A hand is played again by
//! the rules when it is read, so that its chips add up, its cards do not repeat and its actions are legal and in order.
//!
//! A hand whose flop two players saw becomes a [`HandSpot`]: a spec with ranges by position and action, and betting that has the line
//! that was played. A [`DecisionAnswer`] is what its solution says about one of its decisions. A [`HandsSession`] is many hands
//! together.

mod answer;
mod award;
mod currency;
mod decision_row;
mod hand_document;
mod hand_draft;
mod hand_spot;
mod history_error;
mod left_out;
mod money;
mod phh;
mod play_street;
mod played_action;
mod played_hand;
mod preflop_role;
mod range_choice;
mod read;
mod replay;
mod seat_position;
mod session;
mod session_document;
mod session_page;
mod session_totals;
mod spot_options;
mod spot_text;
mod text;

pub use answer::read_answer;
pub use currency::Currency;
pub use decision_row::{DecisionRow, RowAction, address_part};
pub use hand_document::{
    HandAction, HandDocument, HandLeftOut, HandPlayer, HandPost, HandSolution, SpotDocument, SpotSide,
    SpotSides,
};
pub use hand_draft::{GameStakes, HandSource};
pub use hand_spot::{HandSpot, PlayedDecision};
pub use history_error::HistoryError;
pub use left_out::LeftOut;
pub use money::{Money, MoneyUnit};
pub use noregret_report::{ActionAnswer, DecisionAnswer};
pub use play_street::PlayStreet;
pub use played_action::{PlayedAction, PlayedMove, Post, PostKind};
pub use played_hand::{HandSeat, PlayedHand};
pub use range_choice::RangeChoice;
pub use read::{ReadHands, read_bytes, read_text};
pub use seat_position::SeatPosition;
pub use session::{HandsSession, SessionError, SessionHand, SolvedHand, UnreadSolution};
pub use session_document::{HANDS_SCHEMA, error_document, hand_document, session_documents};
pub use session_page::session_page;
pub use session_totals::{LossTotal, SessionTotals};
pub use spot_options::{HandRake, RakeError, SpotOptions};
