//! Disks that fail, for tests: at one operation ([`FaultyDisk`]), or by losing power at any moment ([`RecordingDisk`] and
//! [`crash_states`]).

mod fault;
mod power_loss;

pub use fault::{DiskFault, DiskOperation, FaultyDisk};
pub use power_loss::{DiskContents, DiskStep, RecordingDisk, crash_states};
