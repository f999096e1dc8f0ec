//! Bytes on disk and in object storage: files that are whole or absent, and containers whose every byte is under a checksum.
//!
//! Wherever a function takes a path it takes a URL in its stead: `s3://bucket/name`, `gs://`, `az://` (with the feature `cloud`) and
//! `file://`; see [`Place`].
//!
//! ```
//! use noregret_store::{Container, Kind, Section, write_whole};
//!
//! const NOTES: Kind = Kind { magic: *b"NR-NOTES", version: 1, name: "note" };
//!
//! let directory = tempfile::tempdir()?;
//! let path = directory.path().join("today.note");
//! let bytes = Container::encode(NOTES, &[Section { tag: *b"text", bytes: b"hello" }]);
//! write_whole(&path, &bytes)?;
//!
//! let container = Container::decode(NOTES, std::fs::read(&path)?)?;
//! assert_eq!(container.section(*b"text")?, b"hello");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod archive;
mod atomic;
mod bytes;
#[cfg(feature = "cloud")]
mod cloud;
mod container;
mod digest;
mod disk;
mod files;
mod header;
mod kind;
mod listed_file;
#[cfg(not(feature = "cloud"))]
mod no_cloud;
mod output;
mod pack;
mod place;
mod provider;
mod shard;
pub mod simulate;
mod store_error;
mod stored_file;
mod whole_file;

pub use archive::{Archive, ArchiveError, ArchiveWriter};
pub use atomic::{PartFile, follow_links, is_part_of};
pub use bytes::{Bytes, ParseBytesError};
#[cfg(feature = "cloud")]
pub use cloud::Object;
pub use container::{Container, Section};
pub use digest::{Digest, Hasher, ParseDigestError};
pub use disk::{Disk, DiskFile, MachineDisk, append, set_disk};
pub use files::{
    check_writable, create_whole, entry, exists, is_directory, is_replaceable, length, list, list_deep,
    make_directories, open, read, read_start, remove, remove_left_overs, remove_parts, rename, update_whole,
    write_new, write_whole,
};
pub use kind::{ContainerError, Kind};
pub use listed_file::ListedFile;
#[cfg(not(feature = "cloud"))]
pub use no_cloud::Object;
pub use output::{OutputKind, OverwriteError, is_same_file};
pub use pack::{UnpackError, pack, read_planes, take, unpack, write_planes};
pub use place::Place;
pub use provider::{PlaceError, Provider};
pub use shard::{ParseShardError, Shard};
pub use store_error::StoreError;
pub use stored_file::StoredFile;
pub use whole_file::WholeFile;
