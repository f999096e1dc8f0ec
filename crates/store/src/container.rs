//! A file of named sections, each under a checksum, in memory as a whole. Its bytes are laid out as in `header.rs`.

use crate::digest::Digest;
use crate::header::{self, PREFIX, Prefix, SectionEntry};
use crate::kind::{ContainerError, Kind, tag_text};
use std::ops::Range;

/// A section to write.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    /// Its name.
    pub tag: [u8; 4],
    /// What it holds.
    pub bytes: &'a [u8],
}

/// Where a section is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SectionRange {
    tag: [u8; 4],
    range: Range<usize>,
}

/// A whole container in memory, every checksum checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    bytes: Vec<u8>,
    sections: Vec<SectionRange>,
    digest: Digest,
}

impl Container {
    /// Puts sections together.
    pub fn encode(kind: Kind, sections: &[Section<'_>]) -> Vec<u8> {
        let entry = |section: &Section<'_>| SectionEntry {
            tag: section.tag,
            length: section.bytes.len() as u64,
            digest: Digest::of(section.bytes),
        };
        let entries: Vec<SectionEntry> = sections.iter().map(entry).collect();
        let mut bytes = header::encode(kind, &entries);
        for section in sections {
            bytes.extend(section.bytes);
        }
        bytes
    }

    /// Takes a container apart, checking every byte of it.
    pub fn decode(kind: Kind, bytes: Vec<u8>) -> Result<Self, ContainerError> {
        let prefix = Prefix::decode(kind, &bytes[..bytes.len().min(PREFIX)])?;
        let start = match usize::try_from(prefix.head_length()) {
            Ok(start) if start <= bytes.len() => start,
            _ => {
                let (found, expected) = (bytes.len() as u64, prefix.head_length());
                return Err(ContainerError::Length { found, expected });
            }
        };
        let (entries, digest) = header::decode(kind, prefix, &bytes[..start])?;
        let sections = locate(&entries, start, &bytes)?;
        Ok(Self { bytes, sections, digest })
    }

    /// The bytes of a section.
    pub fn section(&self, tag: [u8; 4]) -> Result<&[u8], ContainerError> {
        self.sections
            .iter()
            .find(|place| place.tag == tag)
            .map(|place| &self.bytes[place.range.clone()])
            .ok_or_else(|| ContainerError::Missing(tag_text(tag)))
    }

    /// A digest of the header, and with it of everything: it holds the checksum of each section.
    pub fn digest(&self) -> Digest {
        self.digest
    }
}

/// Finds each section and checks it.
fn locate(entries: &[SectionEntry], start: usize, bytes: &[u8]) -> Result<Vec<SectionRange>, ContainerError> {
    let mut sections = Vec::new();
    let mut next = start as u64;
    for &SectionEntry { tag, length, digest } in entries {
        let end = next.saturating_add(length);
        let range = match usize::try_from(end) {
            Ok(end) if end <= bytes.len() => next as usize..end,
            _ => return Err(ContainerError::Length { found: bytes.len() as u64, expected: end }),
        };
        if Digest::of(&bytes[range.clone()]) != digest {
            return Err(ContainerError::Section(tag_text(tag)));
        }
        sections.push(SectionRange { tag, range });
        next = end;
    }
    if next != bytes.len() as u64 {
        return Err(ContainerError::Length { found: bytes.len() as u64, expected: next });
    }
    Ok(sections)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KIND: Kind = Kind { magic: *b"NR-TEST!", version: 3, name: "test" };

    fn sample() -> Vec<u8> {
        let sections =
            [Section { tag: *b"one ", bytes: b"first" }, Section { tag: *b"two ", bytes: &[7; 40] }];
        Container::encode(KIND, &sections)
    }

    #[test]
    fn sections_come_back_by_name() {
        let container = Container::decode(KIND, sample()).unwrap();
        assert_eq!(container.section(*b"one ").unwrap(), b"first");
        assert_eq!(container.section(*b"two ").unwrap(), [7; 40]);
        let error = container.section(*b"six ").unwrap_err();
        assert_eq!(error.to_string(), "section `six` is missing");
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let good = sample();
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                assert!(Container::decode(KIND, bad).is_err(), "byte {at} bit {bit}");
            }
        }
    }

    #[test]
    fn every_cut_and_every_addition_is_found() {
        let good = sample();
        for length in 0..good.len() {
            assert!(Container::decode(KIND, good[..length].to_vec()).is_err(), "{length}");
        }
        let longer = [&good[..], b"x"].concat();
        let expected = good.len();
        let error = Container::decode(KIND, longer).unwrap_err().to_string();
        assert_eq!(error, format!("torn: {} bytes where {expected} belong", expected + 1));
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let decode = |bytes| Container::decode(KIND, bytes).unwrap_err().to_string();
        assert_eq!(decode(b"PK\x03\x04".to_vec()), "not a test file");
        let other = Container::encode(Kind { version: 2, ..KIND }, &[]);
        assert_eq!(
            decode(other),
            "a test file of version 2, and this program, noregret 0.1.0, reads version 3: an earlier noregret wrote it and can read it; or write it again with this one"
        );
        let mut bad = sample();
        *bad.last_mut().unwrap() ^= 1;
        assert_eq!(decode(bad), "corrupt: section `two` does not match its checksum");
        let mut bad = sample();
        bad[17] ^= 1;
        assert_eq!(decode(bad), "corrupt: the header does not match its checksum");
        assert_eq!(
            ContainerError::content(*b"deal", "28 dominoes belong there").to_string(),
            "section `deal` cannot be read: 28 dominoes belong there"
        );
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(tail in prop::collection::vec(any::<u8>(), 0..200), known in any::<bool>()) {
            let mut bytes = if known { [&KIND.magic[..], &3_u32.to_le_bytes()].concat() } else { Vec::new() };
            bytes.extend(tail);
            let _ = Container::decode(KIND, bytes);
        }

        #[test]
        fn what_is_encoded_decodes(one in prop::collection::vec(any::<u8>(), 0..100), two in prop::collection::vec(any::<u8>(), 0..100)) {
            let bytes = Container::encode(KIND, &[Section { tag: *b"aaaa", bytes: &one }, Section { tag: *b"bbbb", bytes: &two }]);
            let container = Container::decode(KIND, bytes).unwrap();
            prop_assert_eq!(container.section(*b"aaaa").unwrap(), &one[..]);
            prop_assert_eq!(container.section(*b"bbbb").unwrap(), &two[..]);
        }
    }
}
