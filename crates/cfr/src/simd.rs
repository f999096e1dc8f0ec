//! Run-time choice of the instruction set, in one place.

/// Runs `kernel` compiled for the best instruction set of this machine.
///
/// The kernel and everything hot in it must be `#[inline(always)]`. Results have the same bits on every
/// instruction set: kernels add in a fixed order and never contract a product and a sum into one rounding.
#[inline(always)]
pub fn vectorize<R>(kernel: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(kernel)
}
