//! Graphics devices, and what can go wrong with them.

use thiserror::Error;

/// A device that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// What its driver calls it.
    pub name: String,
    /// Through which interface it is reached.
    pub api: String,
    /// What kind of device it is.
    pub kind: &'static str,
    /// Whether it is more than a driver that computes on the CPU.
    pub is_hardware: bool,
}

/// A device that cannot be used.
#[derive(Debug, Error)]
pub enum GpuError {
    /// This library was built without the feature `gpu`.
    #[error("no GPU: this was built without the feature `gpu`")]
    NotBuilt,
    /// There is none.
    #[error("no GPU: no Vulkan, Metal or DX12 driver was found")]
    None,
    /// The driver refused.
    #[error("the GPU {0} cannot be used: {1}")]
    Device(String, String),
    /// The work was lost.
    #[error("the GPU stopped: {0}")]
    Lost(String),
}
