//! Solutions and reports that the program carries.

use serde::Serialize;
use utoipa::ToSchema;

/// What there is to look at before anything was solved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Examples {
    /// Solutions.
    pub solutions: Vec<Example>,
    /// Reports: one line over many flops.
    pub reports: Vec<ExampleReport>,
}

/// A solution that the program carries.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Example {
    /// The id of the solution.
    pub id: String,
    /// The name of the spot.
    pub name: String,
    /// The board, like `QsJh2h`.
    pub board: String,
    /// What there is to see.
    pub description: String,
}

/// A report that the program carries: the rows, not the solutions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct ExampleReport {
    /// The id of the batch.
    pub id: String,
    /// The name of the spot.
    pub name: String,
    /// What there is to see.
    pub description: String,
    /// The lines that the report has.
    pub lines: Vec<String>,
}
