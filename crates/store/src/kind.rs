//! Which kind of file it is, and what keeps bytes from being one.

use thiserror::Error;

/// What a container is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The first eight bytes of the file.
    pub magic: [u8; 8],
    /// The version that this program writes and reads.
    pub version: u32,
    /// What a person calls such a file.
    pub name: &'static str,
}

/// Bytes that are not a whole container of the kind asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ContainerError {
    /// The file starts otherwise.
    #[error("not a {0} file")]
    Kind(&'static str),
    /// There is nothing in the file.
    #[error("an empty file, and not a {0} file")]
    Empty(&'static str),
    /// The file is of another version.
    #[error(
        "a {name} file of version {found}, and this program, noregret {}, reads version {supported}: {}",
        env!("CARGO_PKG_VERSION"),
        who_can(*found, *supported)
    )]
    Version {
        /// What a person calls such a file.
        name: &'static str,
        /// The version in the file.
        found: u32,
        /// The version that can be read.
        supported: u32,
    },
    /// The file ends too early or goes on too long.
    #[error("torn: {found} bytes where {expected} belong")]
    Length {
        /// How long the file is.
        found: u64,
        /// How long it should be.
        expected: u64,
    },
    /// The file ends within a section.
    #[error("torn: {found} bytes where {expected} belong, and section `{tag}` is cut off")]
    Cut {
        /// The first section that is not whole.
        tag: String,
        /// How long the file is.
        found: u64,
        /// How long it should be.
        expected: u64,
    },
    /// The header does not match its checksum.
    #[error("corrupt: the header does not match its checksum")]
    Header,
    /// A section does not match its checksum.
    #[error("corrupt: section `{0}` does not match its checksum")]
    Section(String),
    /// A section is not there.
    #[error("section `{0}` is missing")]
    Missing(String),
    /// A section is whole, but what it says makes no sense.
    #[error("section `{tag}` cannot be read: {reason}")]
    Content {
        /// Its name.
        tag: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// Which program can read a file of a version that this one does not.
fn who_can(found: u32, supported: u32) -> &'static str {
    if found > supported {
        "a later noregret wrote it and can read it"
    } else {
        "an earlier noregret wrote it and can read it; or write it again with this one"
    }
}

impl ContainerError {
    /// The error for a section that is not there.
    pub fn missing(tag: [u8; 4]) -> Self {
        Self::Missing(tag_text(tag))
    }

    /// The error for a section whose content makes no sense.
    pub fn content(tag: [u8; 4], reason: impl Into<String>) -> Self {
        Self::Content { tag: tag_text(tag), reason: reason.into() }
    }
}

/// The name of a section as a person reads it.
pub(crate) fn tag_text(tag: [u8; 4]) -> String {
    tag.escape_ascii().to_string().trim_end().to_owned()
}
