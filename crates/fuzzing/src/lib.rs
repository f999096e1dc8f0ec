//! What is fuzzed. A target is a function of bytes that must answer or refuse, and never panic; checksums are made right first, so
//! that what is behind them is reached.
//!
//! The tests of this crate run each target on the inputs in `corpus/` and on mutations of them. `scripts/fuzz` runs the same
//! functions under libFuzzer, guided by coverage.
//!
//! ```
//! for target in noregret_fuzzing::TARGETS {
//!     (target.run)(b"whatever comes from outside");
//! }
//! ```

mod files;
mod mend;
mod messages;
mod mutate;
mod place;
mod protocol;
mod requests;
mod text;

pub use mend::plain_sections;
pub use messages::SPOT as SPREAD_SPOT;
pub use mutate::Mutator;

/// Something that takes bytes from outside.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, and that of its folder in `corpus/`.
    pub name: &'static str,
    /// Takes the bytes. A panic is a fault.
    pub run: fn(&[u8]),
    /// How many mutations the tests try: more where one takes little.
    pub tries: usize,
}

const fn target(name: &'static str, tries: usize, run: fn(&[u8])) -> Target {
    Target { name, run, tries }
}

/// All of them.
pub const TARGETS: &[Target] = &[
    target("range", 4000, text::range),
    target("spec", 1500, text::spec),
    target("plan", 2000, text::plan),
    target("line", 4000, text::line),
    target("hands", 3000, text::hands),
    target("own_ranges", 400, text::own_ranges),
    target("drill", 4000, text::drill),
    target("solution", 300, files::solution),
    target("checkpoint", 300, files::checkpoint),
    target("part", 150, files::part),
    target("table", 60, files::table),
    target("manifest", 3000, files::manifest),
    target("batch_list", 3000, files::batch_list),
    target("journal", 3000, files::journal),
    target("parquet", 600, files::parquet),
    target("server_state", 60, requests::server_state),
    target("request", 500, requests::request),
    target("upi", 150, protocol::upi),
    target("message", 100, messages::message),
];

/// The target with a name.
pub fn target_named(name: &str) -> Option<Target> {
    TARGETS.iter().find(|target| target.name == name).copied()
}
