//! Standard output, which may be full or gone.

use crate::failure::Failure;
use std::fmt::Display;
use std::io::{ErrorKind, Write};

/// Prints a line or more, with colours where the terminal wants them.
pub fn print(text: impl Display) -> Result<(), Failure> {
    let mut output = anstream::stdout().lock();
    writeln!(output, "{text}").and_then(|()| output.flush()).map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::unheard(),
        _ => Failure::job(format!("cannot write to standard output: {error}")),
    })
}
