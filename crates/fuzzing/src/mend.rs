//! Checksums and lengths that are made right, so that readers come to what is behind them.

use noregret_store::{Container, Digest, Kind, Section};

const PREFIX: usize = 16;
const ENTRY: usize = 28;
const DIGEST: usize = 16;
/// More sections than that only take time.
const MOST: usize = 200;
/// How a section begins that is packed as it is, and how long that beginning is.
const PLAIN: u8 = 0;
const PLAIN_HEAD: usize = 9;

/// A file of sections: names and lengths are taken from the head as far as they make sense, everything else is made right.
pub fn container(kind: Kind, bytes: &[u8]) -> Vec<u8> {
    let sections = sections(bytes);
    let packed: Vec<([u8; 4], Vec<u8>)> = sections
        .into_iter()
        .map(|(tag, bytes)| {
            let mut bytes = bytes.to_vec();
            let head = PLAIN_HEAD.min(bytes.len());
            if let ([PLAIN, length @ ..], content) = bytes.split_at_mut(head)
                && length.len() + 1 == PLAIN_HEAD
            {
                length.copy_from_slice(&(content.len() as u64).to_le_bytes());
            }
            (tag, bytes)
        })
        .collect();
    let sections: Vec<Section<'_>> = packed.iter().map(|(tag, bytes)| Section { tag: *tag, bytes }).collect();
    Container::encode(kind, &sections)
}

/// The sections of a file, cut where the bytes end.
fn sections(bytes: &[u8]) -> Vec<([u8; 4], &[u8])> {
    let count = bytes.get(12..PREFIX).and_then(|count| count.try_into().ok()).map_or(0, u32::from_le_bytes);
    let count = (count as usize).min(MOST).min(bytes.len().saturating_sub(PREFIX) / ENTRY);
    let start = (PREFIX + ENTRY * count + DIGEST).min(bytes.len());
    let (head, mut rest) = bytes.split_at(start);
    let entries = head.get(PREFIX..).unwrap_or_default().chunks_exact(ENTRY).take(count);
    let mut sections = Vec::new();
    for entry in entries {
        let (Some(&tag), Some(&length)) = (entry.first_chunk::<4>(), entry[4..].first_chunk::<8>()) else {
            break;
        };
        let length = usize::try_from(u64::from_le_bytes(length)).unwrap_or(usize::MAX).min(rest.len());
        let (section, after) = rest.split_at(length);
        sections.push((tag, section));
        rest = after;
    }
    sections
}

/// A file of packed sections with each of them unpacked: mutations of that reach what is inside. For making corpora.
pub fn plain_sections(kind: Kind, bytes: &[u8]) -> Vec<u8> {
    let unpacked: Vec<([u8; 4], Vec<u8>)> = sections(bytes)
        .into_iter()
        .map(|(tag, section)| {
            let plain =
                noregret_store::unpack(section).ok().and_then(|plain| noregret_store::pack(&plain, 0).ok());
            (tag, plain.unwrap_or_else(|| section.to_vec()))
        })
        .collect();
    let sections: Vec<Section<'_>> =
        unpacked.iter().map(|(tag, bytes)| Section { tag: *tag, bytes }).collect();
    Container::encode(kind, &sections)
}

/// A manifest with the count and the checksum at its end that belong there.
pub fn manifest(bytes: &[u8]) -> Vec<u8> {
    const END: &[u8] = b"# end\t";
    let end = bytes.windows(END.len()).position(|piece| piece == END).unwrap_or(bytes.len());
    let mut whole = bytes[..end].to_vec();
    if !whole.ends_with(b"\n") {
        whole.push(b'\n');
    }
    let listed = whole.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"seed_")).count();
    let digest = Digest::of(&whole);
    whole.extend(format!("# end\t{listed}\t{digest}\n").into_bytes());
    whole
}
