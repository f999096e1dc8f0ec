//! Reading the spec from a file or from standard input.

use crate::failure::Failure;
use noregret_holdem::Spec;
use std::io::{IsTerminal, Read};
use std::path::Path;

/// The spec in a file, or on standard input for `-`.
pub fn read(path: &Path) -> Result<Spec, Failure> {
    let (name, bytes) = if path == Path::new("-") {
        ("standard input".to_owned(), read_some(std::io::stdin().lock()))
    } else {
        (
            path.display().to_string(),
            std::fs::File::open(path).and_then(|file| {
                if file.metadata()?.is_dir() {
                    return Err(std::io::Error::other("it is a directory"));
                }
                read_some(file)
            }),
        )
    };
    let bytes = bytes.map_err(|error| Failure::request(format!("cannot read the spec {name}: {error}")))?;
    Spec::from_bytes(&bytes).map_err(|error| {
        let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(Spec::MAX_BYTES)]);
        Failure::rendered(error.render(&name, &text, colour))
    })
}

/// Reads no more than shows that it is too long for a spec.
fn read_some(source: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(Spec::MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
