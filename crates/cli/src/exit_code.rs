//! What the program says to whoever started it.

/// The number that a command ends with: 0 done, 1 the job failed, 2 the request was wrong, 130 interrupted. Unlike that of the
/// standard library it can be read: the Python package hands it on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExitCode(pub u8);

impl ExitCode {
    /// All is done.
    pub const SUCCESS: Self = Self(0);
}

impl From<u8> for ExitCode {
    fn from(code: u8) -> Self {
        Self(code)
    }
}
