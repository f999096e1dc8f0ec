//! Names that stand for something.

use crate::text::excerpt;

/// A name that stands for nothing here, and what does.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ChoiceError(pub(super) String);

/// Names with what they stand for.
pub(super) type Choices<T> = [(&'static str, T)];

/// What a name stands for.
pub(super) fn choose<T: Copy>(name: &str, choices: &Choices<T>) -> Result<T, ChoiceError> {
    choices.iter().find(|(known, _)| *known == name).map(|&(_, choice)| choice).ok_or_else(|| {
        let accepted: Vec<String> = choices.iter().map(|(name, _)| format!("`{name}`")).collect();
        ChoiceError(format!("`{}` is not known: accepted {}", excerpt(name), accepted.join(", ")))
    })
}
