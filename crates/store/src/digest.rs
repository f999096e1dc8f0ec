//! Digests of bytes.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The first 16 bytes of BLAKE3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 16]);

impl Digest {
    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut hasher = Hasher::default();
        hasher.update(bytes);
        hasher.digest()
    }
}

/// Makes a [`Digest`] of bytes that come piece by piece.
#[derive(Clone, Debug, Default)]
pub struct Hasher(blake3::Hasher);

impl Hasher {
    /// Takes the next piece.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of all pieces so far.
    pub fn digest(&self) -> Digest {
        let mut digest = [0; 16];
        digest.copy_from_slice(&self.0.finalize().as_bytes()[..16]);
        Digest(digest)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A text that is no digest.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a digest: 32 hexadecimal digits belong there")]
pub struct ParseDigestError(String);

impl FromStr for Digest {
    type Err = ParseDigestError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.as_bytes();
        let is_hex = digits.len() == 32 && digits.iter().all(u8::is_ascii_hexdigit);
        match u128::from_str_radix(text, 16) {
            Ok(number) if is_hex => Ok(Self(number.to_be_bytes())),
            _ => Err(ParseDigestError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_read_as_they_print() {
        let digest = Digest::of(b"x");
        assert_eq!(digest.to_string().parse(), Ok(digest));
        let error = "+0".parse::<Digest>().unwrap_err().to_string();
        assert_eq!(error, "`+0` is not a digest: 32 hexadecimal digits belong there");
    }
}
