//! Bytes on disk: files that are whole or absent, and containers whose every byte is under a checksum.
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
mod container;
mod digest;
mod disk;
mod header;
mod kind;
mod output;
mod pack;
mod shard;
pub mod simulate;

pub use archive::{Archive, ArchiveError, ArchiveWriter};
pub use atomic::{
    PartFile, follow_links, is_part_of, is_replaceable, remove_left_overs, remove_parts, write_whole,
};
pub use bytes::{Bytes, ParseBytesError};
pub use container::{Container, Section};
pub use digest::{Digest, Hasher, ParseDigestError};
pub use disk::{Disk, DiskFile, MachineDisk, append, make_directories, open, read, remove, set_disk};
pub use kind::{ContainerError, Kind};
pub use output::{OutputKind, OverwriteError, is_same_file};
pub use pack::{UnpackError, pack, read_planes, take, unpack, write_planes};
pub use shard::{ParseShardError, Shard};
