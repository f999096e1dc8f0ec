//! What went wrong, and the exit code for it.

use crate::exit_code::ExitCode;
use std::fmt::Display;
use std::io::Write;

/// Stopped by the user, after a clean end.
pub const INTERRUPTED: u8 = 130;

/// What ends the program before its time.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    /// The job failed: exit code 1.
    pub fn job(message: impl Display) -> Self {
        Self { code: 1, message: format!("error: {message}") }
    }

    /// The request was wrong: exit code 2.
    pub fn request(message: impl Display) -> Self {
        Self { code: 2, message: format!("error: {message}") }
    }

    /// The request was wrong, and the message says all about it: exit code 2.
    pub fn rendered(message: String) -> Self {
        Self { code: 2, message }
    }

    /// Whoever read the output has had enough, which is no error: exit code 0, without a word.
    pub fn unheard() -> Self {
        Self { code: 0, message: String::new() }
    }

    /// Tells the user about it without ending the program.
    pub fn warn(&self) {
        let message = self.message.strip_prefix("error: ").unwrap_or(&self.message);
        let _ = writeln!(anstream::stderr(), "warning: {}", message.trim_end());
    }

    /// What it says, without the word `error`.
    pub fn message(&self) -> &str {
        self.message.strip_prefix("error: ").unwrap_or(&self.message)
    }

    /// Tells the user.
    pub fn report(self) -> ExitCode {
        if !self.message.is_empty() {
            // Where standard error cannot be written either, the exit code has to do.
            let _ = writeln!(anstream::stderr(), "{}", self.message.trim_end());
        }
        ExitCode::from(self.code)
    }
}
