//! Numbers of bytes, as people write and read them.

use std::fmt;
use std::str::FromStr;

/// A number of bytes: `4GiB`, `500MB`, `1048576`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Bytes(pub u64);

const UNITS: [(&str, u64); 13] = [
    ("", 1),
    ("b", 1),
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("k", 1 << 10),
    ("m", 1 << 20),
    ("g", 1 << 30),
];

/// A text that is no number of bytes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a number of bytes: write it like `4GiB`, `500MB` or `1048576`")]
pub struct ParseBytesError(String);

impl FromStr for Bytes {
    type Err = ParseBytesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseBytesError(text.to_owned());
        let text = text.trim();
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let number: f64 = text[..end].parse().map_err(|_| error())?;
        let unit = text[end..].trim().to_ascii_lowercase();
        let (_, factor) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(error)?;
        let bytes = number * *factor as f64;
        if bytes.is_finite() && bytes < u64::MAX as f64 { Ok(Self(bytes as u64)) } else { Err(error()) }
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0 as f64;
        let steps = [("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
        match steps.iter().find(|(_, size)| bytes >= *size) {
            Some((unit, size)) => write!(f, "{:.*} {unit}", usize::from(bytes < 10.0 * size), bytes / size),
            None => write!(f, "{} B", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_as_written() {
        let read = |text: &str| text.parse::<Bytes>().map(|bytes| bytes.0);
        assert_eq!(read("4GiB"), Ok(4 << 30));
        assert_eq!(read("500 MB"), Ok(500_000_000));
        assert_eq!(read("1.5g"), Ok(3 << 29));
        assert_eq!(read("1048576"), Ok(1 << 20));
        for bad in ["", "GiB", "4 apples", "-1", "1e9", "99999999999999999999TB", "NaN", "..", "4é"] {
            assert!(
                read(bad).is_err_and(|error| error.to_string().contains("is not a number of bytes")),
                "{bad}"
            );
        }
    }

    #[test]
    fn sizes_print_with_two_digits_or_more() {
        let print = |bytes| Bytes(bytes).to_string();
        assert_eq!(print(999), "999 B");
        assert_eq!(print(1_191_129_371), "1.2 GB");
        assert_eq!(print(1_130_000_000_000), "1.1 TB");
        assert_eq!(print(15_185_247), "15 MB");
        assert_eq!(print(34_796), "35 kB");
    }
}
