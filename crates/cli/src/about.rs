//! What this program is: its version, where it was built from, and what it can use.

use noregret_holdem::instruction_set;
use std::sync::LazyLock;

/// The version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that it was built from, where that is known: in release builds.
pub fn commit() -> Option<&'static str> {
    Some(env!("NOREGRET_COMMIT")).filter(|commit| !commit.is_empty())
}

/// The parts that were compiled in.
pub fn features() -> Vec<&'static str> {
    let all = [
        ("cloud", cfg!(feature = "cloud")),
        ("forty-two", cfg!(feature = "forty-two")),
        ("gpu", cfg!(feature = "gpu")),
        ("hands", cfg!(feature = "hands")),
        ("parquet", cfg!(feature = "parquet")),
        ("serve", cfg!(feature = "serve")),
        ("shell", cfg!(feature = "shell")),
        ("upi", cfg!(feature = "upi")),
    ];
    all.into_iter().filter(|(_, is_built)| *is_built).map(|(name, _)| name).collect()
}

/// What `--version` prints after the name.
pub fn long_version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let features = features();
        format!(
            "{VERSION}\ncommit: {}\ntarget: {}\ninstruction set: {}\nfeatures: {}",
            commit().unwrap_or("unknown"),
            env!("NOREGRET_TARGET"),
            instruction_set(),
            if features.is_empty() { "none".to_owned() } else { features.join(", ") },
        )
    });
    &TEXT
}
