//! The memory of the machine: how much a solve may take, and the finest precision that fits.

mod fit;
mod limit;

pub use fit::TooLarge;
pub use limit::{MachineMemory, MemoryLimit, OverLimit};
