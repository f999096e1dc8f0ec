//! The head of a file of sections: what kind of file it is, and where each section is.
//!
//! All numbers are little-endian:
//!
//! ```text
//! magic      8 bytes, the kind of file
//! version    u32
//! count      u32, how many sections
//! sections   count × (tag 4 bytes, length u64, checksum 16 bytes)
//! checksum   16 bytes, of everything above
//! payloads   the sections' bytes one after the other, to the end of the file
//! ```
//!
//! Checksums are the first 16 bytes of BLAKE3.

use crate::digest::Digest;
use crate::kind::{ContainerError, Kind};

/// A section's name, length and checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SectionEntry {
    pub tag: [u8; 4],
    pub length: u64,
    pub digest: Digest,
}

/// The fixed part, before the sections are listed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefix {
    version: u32,
    count: u32,
}

pub(crate) const PREFIX: usize = 16;
const ENTRY: usize = 28;
const DIGEST: usize = 16;

/// How many bytes come before the payloads of so many sections.
pub(crate) fn head_length(count: u32) -> u64 {
    PREFIX as u64 + ENTRY as u64 * u64::from(count) + DIGEST as u64
}

impl Prefix {
    /// Reads the first bytes of a file.
    pub fn decode(kind: Kind, bytes: &[u8]) -> Result<Self, ContainerError> {
        if bytes.is_empty() {
            return Err(ContainerError::Empty(kind.name));
        }
        // Fewer bytes than the magic has may still be the start of it.
        if !bytes.starts_with(&kind.magic) && !kind.magic.starts_with(bytes) {
            return Err(ContainerError::Kind(kind.name));
        }
        let Some(prefix) = bytes.first_chunk::<PREFIX>() else {
            return Err(ContainerError::Length { found: bytes.len() as u64, expected: PREFIX as u64 });
        };
        let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| prefix[at + i]));
        Ok(Self { version: number(8), count: number(12) })
    }

    /// How many bytes come before the payloads.
    pub fn head_length(self) -> u64 {
        head_length(self.count)
    }
}

/// Everything before the payloads.
pub(crate) fn encode(kind: Kind, entries: &[SectionEntry]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(head_length(entries.len() as u32) as usize);
    bytes.extend(kind.magic);
    bytes.extend(kind.version.to_le_bytes());
    bytes.extend((entries.len() as u32).to_le_bytes());
    for entry in entries {
        bytes.extend(entry.tag);
        bytes.extend(entry.length.to_le_bytes());
        bytes.extend(entry.digest.0);
    }
    bytes.extend(Digest::of(&bytes).0);
    bytes
}

/// The sections that a head lists, and the head's checksum. `head` is all of it, `prefix` its first part.
pub(crate) fn decode(
    kind: Kind,
    prefix: Prefix,
    head: &[u8],
) -> Result<(Vec<SectionEntry>, Digest), ContainerError> {
    let (listed, checksum) = head.split_at(head.len().saturating_sub(DIGEST));
    let digest = Digest::of(listed);
    if digest.0 != checksum {
        return Err(ContainerError::Header);
    }
    // Only now: a number that was changed by accident is a torn file, not one of another version.
    if prefix.version != kind.version {
        let (name, found, supported) = (kind.name, prefix.version, kind.version);
        return Err(ContainerError::Version { name, found, supported });
    }
    let entry = |bytes: &[u8; ENTRY]| {
        let (tag, rest) = bytes.split_first_chunk().unwrap_or((&[0; 4], bytes));
        let (length, digest) = rest.split_first_chunk().unwrap_or((&[0; 8], rest));
        let digest = Digest(*digest.first_chunk().unwrap_or(&[0; 16]));
        SectionEntry { tag: *tag, length: u64::from_le_bytes(*length), digest }
    };
    let (entries, _) = listed[PREFIX..].as_chunks::<ENTRY>();
    Ok((entries.iter().map(entry).collect(), digest))
}
