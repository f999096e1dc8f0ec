//! What a store of objects has said.

use std::io;
use thiserror::Error;

/// What a store of objects has said, in words: what is in an [`io::Error`] about a place in a bucket.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct StoreError(String);

impl StoreError {
    /// An error of this kind in these words.
    #[cfg(feature = "cloud")]
    pub(crate) fn of(kind: io::ErrorKind, words: String) -> io::Error {
        io::Error::new(kind, Self(words))
    }

    /// Whether a store of objects is why something went wrong, and not a disk.
    pub fn is_in(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<Self>())
    }
}
