//! Parts of a text, and what is wrong with one.

/// The first piece of a text that keeps it from being a range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParseRangeError {
    /// Where the piece is in the text, in bytes.
    pub span: std::ops::Range<usize>,
    /// The piece, what is wrong with it, and what is accepted.
    pub message: String,
}

/// A part of the whole text.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    pub text: &'a str,
    pub start: usize,
    pub end: usize,
}

impl<'a> Piece<'a> {
    pub fn as_str(self) -> &'a str {
        &self.text[self.start..self.end]
    }

    pub fn trim(self) -> Self {
        let start = self.end - self.as_str().trim_start().len();
        Self { start, end: start + self.as_str().trim().len(), ..self }
    }

    pub fn error(self, message: String) -> ParseRangeError {
        ParseRangeError { span: self.start..self.end, message }
    }
}

/// The text, on one line and not too long for a message.
pub(super) fn excerpt(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    let mut short: String =
        text.chars().take(MAX_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(MAX_CHARS).is_some() {
        short.push('…');
    }
    short
}
