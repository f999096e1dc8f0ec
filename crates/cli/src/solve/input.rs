//! Reading specs and other documents from a file or from standard input.

use crate::failure::Failure;
use noregret_holdem::{Spec, SpecError};
use std::io::Read;
use std::path::Path;

/// The spec in a file, or on standard input for `-`.
pub fn read(path: &Path) -> Result<Spec, Failure> {
    document(path, "the spec", Spec::from_bytes)
}

/// What a file says, or standard input for `-`; a mistake is shown with its line. `what` is what it should be.
pub fn document<T>(
    path: &Path,
    what: &str,
    parse: impl FnOnce(&[u8]) -> Result<T, SpecError>,
) -> Result<T, Failure> {
    let (name, bytes) = if path == Path::new("-") {
        ("standard input".to_owned(), read_some(std::io::stdin().lock()))
    } else {
        (path.display().to_string(), open(path).and_then(read_some))
    };
    let bytes = bytes.map_err(|error| Failure::request(format!("cannot read {what} {name}: {error}")))?;
    parse(&bytes).map_err(|error| {
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(Spec::MAX_BYTES)]);
        // Colours are taken out again where they are not wanted.
        Failure::rendered(error.render(&name, &text, true))
    })
}

/// What a spec is called: its file's name without what follows the last dot, `spot` on standard input.
pub fn name(path: &Path) -> String {
    match path.file_stem() {
        Some(stem) if path != Path::new("-") => stem.to_string_lossy().into_owned(),
        _ => "spot".to_owned(),
    }
}

/// Opens a document. What the shell hands over in place of a file, like `<(sed …)`, has its writer already; a pipe with a name
/// may wait for one for ever.
fn open(path: &Path) -> std::io::Result<Box<dyn Read>> {
    if path.starts_with("/dev/fd") || path == Path::new("/dev/stdin") {
        return Ok(Box::new(std::fs::File::open(path)?));
    }
    Ok(Box::new(noregret_store::open(path)?))
}

/// Reads no more than shows that it is too long for a spec.
fn read_some(source: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(Spec::MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
