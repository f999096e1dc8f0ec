//! The target that `NOREGRET_FUZZ_TARGET` names, under libFuzzer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use noregret_fuzzing::{Target, target_named};
use std::sync::LazyLock;

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("NOREGRET_FUZZ_TARGET").expect("NOREGRET_FUZZ_TARGET names a target");
    target_named(&name).unwrap_or_else(|| panic!("there is no target {name}"))
});

fuzz_target!(|data: &[u8]| (TARGET.run)(data));
