//! How to solve: the regret minimiser, its numbers, when it stops, and how its state is stored.

mod algorithm;
mod averaging;
mod choice;
mod precision;
mod solver_options;
mod warm_start;

pub use algorithm::{Algorithm, Exponents};
pub use averaging::Averaging;
pub use choice::ChoiceError;
pub use precision::{
    PrecisionChoice, PrecisionSetting, precision_of_bits, precision_of_quantization, precision_text,
    precisions_by_street,
};
pub use solver_options::SolverOptions;
pub use warm_start::WarmStart;
