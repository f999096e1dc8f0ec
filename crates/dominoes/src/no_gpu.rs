//! What stands for a GPU where the feature `gpu` is off: a device that cannot be opened.

use crate::deal::Deal;
use crate::declaration::Declaration;
use crate::device::{DeviceInfo, GpuError};
use crate::position::Layout;
use crate::table::Table;
use crate::table::parquet_rows::{RowProgress, WriteRowsError};
use std::io::Write;

/// A device that can solve. There is none in this build.
pub enum Gpu {}

impl Gpu {
    /// Whether this build can use a device at all.
    pub const IS_BUILT: bool = false;

    /// The devices there are: none that could be used.
    pub fn devices() -> Vec<DeviceInfo> {
        Vec::new()
    }

    /// Always an error.
    pub fn open() -> Result<Self, GpuError> {
        Err(GpuError::NotBuilt)
    }

    /// What it is.
    pub fn info(&self) -> &DeviceInfo {
        match *self {}
    }

    /// How many tables it solves at once.
    pub fn in_flight(&self) -> usize {
        match *self {}
    }

    /// Solves a deal.
    pub fn solve(&self, _deal: &Deal, _declaration: Declaration) -> Result<Table, GpuError> {
        match *self {}
    }

    /// Writes the rows of a table.
    pub fn write_rows<W: Write + Send>(
        &self,
        _table: &Table,
        _seed: Option<u64>,
        _layout: Layout,
        _out: W,
        _progress: impl FnMut(RowProgress) -> bool,
    ) -> Result<u64, WriteRowsError> {
        match *self {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_the_feature_there_are_no_devices_and_the_error_says_why() {
        assert!(Gpu::devices().is_empty());
        let error = Gpu::open().err().unwrap();
        assert_eq!(error.to_string(), "no GPU: this was built without the feature `gpu`");
    }
}
