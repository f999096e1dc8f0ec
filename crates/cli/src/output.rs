//! Standard output, which may be full or gone.

use crate::failure::Failure;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

/// Prints a line or more, with colours where the terminal wants them.
pub fn print(text: impl Display) -> Result<(), Failure> {
    write_line(text).map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::unheard(),
        _ => full(&error),
    })
}

fn write_line(text: impl Display) -> io::Result<()> {
    let mut output = anstream::stdout().lock();
    writeln!(output, "{text}").and_then(|()| output.flush())
}

/// The error for a stream of data that somebody stopped reading: not all of it was delivered.
pub fn cut_off(delivered: impl Display) -> Failure {
    Failure::job(format!("standard output was closed after {delivered}"))
}

fn full(error: &io::Error) -> Failure {
    Failure::job(format!("cannot write to standard output: {error}"))
}

/// What a command prints while it works. The work and its files are what was asked for: once something cannot be printed,
/// no more is, and the work goes on.
#[derive(Default)]
pub struct WorkLines {
    error: Option<io::Error>,
}

impl WorkLines {
    /// Prints a line or more if it can.
    pub fn print(&mut self, text: impl Display) {
        if self.error.is_none() {
            self.error = write_line(text).err();
        }
    }

    /// After the work: an error if standard output could not take it all. That whoever read it has had enough is none.
    pub fn finish(self) -> Result<(), Failure> {
        match self.error {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => Err(full(&error)),
            _ => Ok(()),
        }
    }
}
