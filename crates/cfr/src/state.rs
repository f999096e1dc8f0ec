//! Regrets and average strategies in memory: a few large arrays, addressed by (round, deal, tile, block of hands, row).

pub(crate) mod array;
mod average;
pub(crate) mod layout;
mod regrets;
mod storage;
mod stored_deals;
mod view;

pub use array::StateBuffers;
pub(crate) use array::{QuantizedArray, QuantizedMut, QuantizedRef, with_encoding, with_strategy_encoding};
pub(crate) use average::{AverageMut, AverageRef, OwnReach};
pub(crate) use layout::StateLayout;
pub(crate) use regrets::{
    RegretMatching, RegretUpdate, RegretsMut, RegretsRef, RoundRegrets, ScaledMut, ScaledRef,
};
pub use storage::{StateBytes, StoragePrecision, state_bytes, stored_state_bytes};
pub use stored_deals::StoredDeals;
pub(crate) use view::{DealState, StateView};
