//! `[output]`: where the answer goes.

/// Where the answer goes and how tightly it is packed. Both are for saved solutions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputOptions {
    /// The directory for solutions that are given no other place: `directory` of `[output]`.
    pub directory: Option<String>,
    /// How hard to compress them, 1 to 22, or 0 for not at all: `zstd_compression_level` of `[solver]`. 3 by default.
    pub zstd_compression_level: u8,
}

impl OutputOptions {
    /// The highest compression level.
    pub const MAX_COMPRESSION: u8 = 22;
}

impl Default for OutputOptions {
    fn default() -> Self {
        Self { directory: None, zstd_compression_level: 3 }
    }
}
