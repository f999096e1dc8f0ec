//! Sections made small: zstd around bytes, and numbers laid out so that it helps.

use std::io;
use thiserror::Error;

/// No section unpacks to more than so many times its size, so that a small file never asks for much memory. Bytes that
/// could be packed tighter than that are not packed.
const MOST_TIMES: usize = 1000;

const PLAIN: u8 = 0;
const ZSTD: u8 = 1;
const HEAD: usize = 9;

/// Bytes that do not unpack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("its {0}")]
pub struct UnpackError(&'static str);

/// Packs bytes with zstd at a level from 1 to 22; 0 leaves them as they are.
pub fn pack(bytes: &[u8], level: u8) -> io::Result<Vec<u8>> {
    let head = |method: u8| {
        let mut head = vec![method];
        head.extend((bytes.len() as u64).to_le_bytes());
        head
    };
    if level > 0 {
        let packed = zstd::bulk::compress(bytes, i32::from(level))?;
        if packed.len() < bytes.len() && bytes.len() <= packed.len().saturating_mul(MOST_TIMES) {
            return Ok([head(ZSTD), packed].concat());
        }
    }
    Ok([head(PLAIN), bytes.to_vec()].concat())
}

/// The bytes that were packed.
pub fn unpack(packed: &[u8]) -> Result<Vec<u8>, UnpackError> {
    let Some((&[method, ref length @ ..], bytes)) = packed.split_first_chunk::<HEAD>() else {
        return Err(UnpackError("length and packing are cut off"));
    };
    let length = u64::from_le_bytes(*length);
    match method {
        PLAIN if length == bytes.len() as u64 => Ok(bytes.to_vec()),
        PLAIN => Err(UnpackError("length is not the one that it says")),
        ZSTD if length > (bytes.len() as u64).saturating_mul(MOST_TIMES as u64) => {
            Err(UnpackError("length cannot be: it is over a thousand times that of the packed bytes"))
        }
        ZSTD => match zstd::bulk::decompress(bytes, length as usize) {
            Ok(unpacked) if unpacked.len() as u64 == length => Ok(unpacked),
            _ => Err(UnpackError("packed bytes do not unpack to the length that they should have")),
        },
        _ => Err(UnpackError("packing is not known")),
    }
}

/// Appends numbers of `width` bytes each: all first bytes come first, then all second ones and so on, as bytes that mean the
/// same pack well together.
pub fn write_planes(numbers: &[u8], width: usize, out: &mut Vec<u8>) {
    for plane in 0..width {
        out.extend(numbers.chunks_exact(width).map(|number| number[plane]));
    }
}

/// Takes `count` numbers that [`write_planes`] wrote off the front of `bytes`.
pub fn read_planes(bytes: &mut &[u8], count: usize, width: usize) -> Option<Vec<u8>> {
    let planes = take(bytes, count.checked_mul(width)?)?;
    let mut numbers = Vec::with_capacity(planes.len());
    for number in 0..count {
        numbers.extend((0..width).map(|plane| planes[plane * count + number]));
    }
    Some(numbers)
}

/// Takes the first bytes off.
pub fn take<'b>(bytes: &mut &'b [u8], count: usize) -> Option<&'b [u8]> {
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bytes_come_back_at_every_level() {
        let bytes: Vec<u8> = (0..5000_u32).map(|i| ((i * i) >> 7) as u8).collect();
        for level in 0..=22 {
            assert_eq!(unpack(&pack(&bytes, level).unwrap()), Ok(bytes.clone()), "{level}");
        }
        assert!(pack(&bytes, 3).unwrap().len() < pack(&bytes, 0).unwrap().len());
        assert_eq!(unpack(&pack(&[], 3).unwrap()), Ok(Vec::new()));
    }

    #[test]
    fn nothing_unpacks_to_more_than_a_thousand_times_its_size() {
        let zeros = vec![0; 10_000_000];
        let packed = pack(&zeros, 19).unwrap();
        assert_eq!(unpack(&packed), Ok(zeros));
        let mut bomb = vec![ZSTD];
        bomb.extend(10_000_000_u64.to_le_bytes());
        bomb.extend(zstd::bulk::compress(&vec![0; 10_000_000], 19).unwrap());
        let error = unpack(&bomb).unwrap_err().to_string();
        assert_eq!(error, "its length cannot be: it is over a thousand times that of the packed bytes");
    }

    #[test]
    fn what_does_not_unpack_is_told_apart() {
        let good = pack(&[7; 100], 3).unwrap();
        let text = |bytes: &[u8]| unpack(bytes).unwrap_err().to_string();
        assert_eq!(text(&good[..5]), "its length and packing are cut off");
        assert_eq!(text(&[&[9], &good[1..]].concat()), "its packing is not known");
        assert_eq!(text(&[&[PLAIN], &good[1..]].concat()), "its length is not the one that it says");
        let unpacked = "its packed bytes do not unpack to the length that they should have";
        assert_eq!(text(&good[..good.len() - 1]), unpacked);
        let mut longer = good;
        longer[1] += 1;
        assert_eq!(text(&longer), unpacked);
    }

    proptest! {
        #[test]
        fn planes_come_back(width in 0_usize..5, numbers in prop::collection::vec(any::<u32>(), 0..100)) {
            let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()[..width].to_vec()).collect();
            let mut out = Vec::new();
            write_planes(&bytes, width, &mut out);
            out.push(9);
            let mut rest = &out[..];
            prop_assert_eq!(read_planes(&mut rest, numbers.len(), width), Some(bytes));
            prop_assert_eq!(rest, [9]);
        }

        #[test]
        fn no_bytes_make_the_reader_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..60), count in 0_usize..200, width in 0_usize..5,
        ) {
            let _ = unpack(&bytes);
            let _ = read_planes(&mut &bytes[..], count, width);
        }
    }
}
