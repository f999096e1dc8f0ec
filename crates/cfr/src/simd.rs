//! SIMD: operations on sixteen numbers at a time, implemented for each instruction set and chosen at run time.
//!
//! A [`Kernel`] is written against [`Lanes`], and [`run`] runs it with the best instruction set of this machine. Results have the same
//! bits with every one: each operation rounds once, sums have a fixed order, and multiplication and addition are fused only where a
//! kernel says so. The environment variable `NOREGRET_SIMD` limits the choice to `avx2`, `neon` or `plain`.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
mod plain;

use std::sync::LazyLock;

pub(crate) use lanes::blocks;
pub use lanes::{Kernel, Lanes, Row, WIDTH, flat, flat_mut};
pub use plain::Plain;

/// Runs a kernel with the best instruction set of this machine.
#[inline(always)]
pub fn run<K: Kernel>(kernel: K) -> K::Output {
    match *BEST {
        #[cfg(target_arch = "x86_64")]
        Best::Avx512(lanes) => lanes.run(kernel),
        #[cfg(target_arch = "x86_64")]
        Best::Avx2(lanes) => lanes.run(kernel),
        #[cfg(target_arch = "aarch64")]
        Best::Neon(lanes) => lanes.run(kernel),
        Best::Plain => kernel.run(Plain),
    }
}

/// An instruction set that this machine has.
#[derive(Clone, Copy)]
enum Best {
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
    #[cfg(target_arch = "aarch64")]
    Neon(neon::Neon),
    Plain,
}

/// The best instruction set of this machine, within the limit of the environment variable.
static BEST: LazyLock<Best> = LazyLock::new(|| best(std::env::var("NOREGRET_SIMD").ok().as_deref()));

#[cfg(target_arch = "x86_64")]
fn best(limit: Option<&str>) -> Best {
    let avx512 = || avx512::Avx512::new().map(Best::Avx512);
    let avx2 = || avx2::Avx2::new().map(Best::Avx2);
    let best = match limit {
        Some("plain") => None,
        Some("avx2") => avx2(),
        _ => avx512().or_else(avx2),
    };
    best.unwrap_or(Best::Plain)
}

#[cfg(target_arch = "aarch64")]
fn best(limit: Option<&str>) -> Best {
    let neon = if limit == Some("plain") { None } else { neon::Neon::new() };
    neon.map_or(Best::Plain, Best::Neon)
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn best(_limit: Option<&str>) -> Best {
    Best::Plain
}

/// The name of the instruction set that [`run`] uses.
pub fn instruction_set() -> &'static str {
    match *BEST {
        #[cfg(target_arch = "x86_64")]
        Best::Avx512(_) => "AVX-512",
        #[cfg(target_arch = "x86_64")]
        Best::Avx2(_) => "AVX2",
        #[cfg(target_arch = "aarch64")]
        Best::Neon(_) => "NEON",
        Best::Plain => "plain",
    }
}

#[cfg(test)]
mod tests;
