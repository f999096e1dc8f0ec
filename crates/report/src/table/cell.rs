//! Columns and what stands in them.

use std::borrow::Cow;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnType {
    /// Text.
    Text,
    /// A whole number.
    Whole,
    /// A number; may be missing.
    Number,
}

/// The name of a column and what it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name.
    pub name: Cow<'static, str>,
    /// What it holds.
    pub kind: ColumnType,
}

impl Column {
    /// A column of a name.
    pub fn new(name: impl Into<Cow<'static, str>>, kind: ColumnType) -> Self {
        Self { name: name.into(), kind }
    }
}

/// What is in one place of a row.
#[derive(Clone, PartialEq, Debug)]
pub enum TableCell {
    /// Text.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// A number; none if it is missing or not finite.
    Number(Option<f64>),
}

impl TableCell {
    /// A number that is not missing, whole or not.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => number.filter(|number| number.is_finite()),
            Self::Whole(number) => Some(*number as f64),
            Self::Text(_) => None,
        }
    }
}
