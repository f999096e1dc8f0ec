//! Whoever keeps objects, and what is wrong with the names of places.

use std::fmt;
use std::io;
use thiserror::Error;

/// Whoever keeps objects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Provider {
    /// Amazon S3 and what speaks like it: `s3://`.
    S3,
    /// Google Cloud Storage: `gs://`.
    Google,
    /// Azure Blob Storage: `az://`; a container is a bucket.
    Azure,
}

impl Provider {
    /// All three.
    pub const ALL: [Self; 3] = [Self::S3, Self::Google, Self::Azure];

    /// What a URL begins with.
    pub fn scheme(self) -> &'static str {
        match self {
            Self::S3 => "s3",
            Self::Google => "gs",
            Self::Azure => "az",
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.scheme())
    }
}

/// Why a text names no place.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlaceError {
    /// It begins like the address of something else.
    #[error(
        "`{0}://` is not read or written: give a path, or a URL with `s3://`, `gs://`, `az://` or `file://`"
    )]
    Scheme(String),
    /// It has no bucket.
    #[error("the bucket is missing: write `{0}://BUCKET/NAME`")]
    Bucket(Provider),
    /// What follows the bucket is no name.
    #[error("`{0}` is not the name of an object: {1}")]
    Name(String, String),
    /// A file of another machine.
    #[error("`file://` is for files of this machine: write `file:///FOLDER/NAME`")]
    Host,
    /// The program cannot reach any.
    #[error(
        "this noregret was built without object storage: install a release or the Python package, or build with `--features cloud`"
    )]
    NoCloud,
}

impl From<PlaceError> for io::Error {
    fn from(error: PlaceError) -> Self {
        Self::new(io::ErrorKind::InvalidInput, error)
    }
}
