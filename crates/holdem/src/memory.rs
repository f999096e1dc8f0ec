//! The memory of the machine: how much a solve may take, and the finest precision that fits.

mod fit;
mod limit;
mod machine;

pub use fit::TooLarge;
pub use limit::{MemoryLimit, OverLimit};
pub use machine::MachineMemory;
