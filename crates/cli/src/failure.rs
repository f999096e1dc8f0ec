//! What went wrong, and the exit code for it.

use std::fmt::Display;
use std::process::ExitCode;

/// Stopped by the user, after a clean end.
pub const INTERRUPTED: u8 = 130;

/// An error that ends the program.
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

    /// Tells the user.
    pub fn report(self) -> ExitCode {
        anstream::eprintln!("{}", self.message.trim_end());
        ExitCode::from(self.code)
    }
}
