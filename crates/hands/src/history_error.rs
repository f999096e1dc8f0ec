//! What cannot be read, and where.

/// A part of a text that is no hand, or one that contradicts itself.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {message}{}", shown(.text))]
pub struct HistoryError {
    /// The line of the text, from 1.
    pub line: u32,
    /// What stands there.
    pub text: String,
    /// What is wrong.
    pub message: String,
    /// The hand that it belongs to, if it has got a name yet.
    pub hand: Option<String>,
}

fn shown(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": `{text}`") }
}

/// The most characters of a line that a message shows.
const SHOWN: usize = 80;

impl HistoryError {
    /// A complaint about a line of a text, of which no more is shown than fits.
    pub(crate) fn at(fault: Fault, text: &str, hand: Option<&str>) -> Self {
        let text = text.trim();
        let excerpt: String = text.chars().filter(|c| !c.is_control()).take(SHOWN).collect();
        let dots = if text.chars().count() > SHOWN { "…" } else { "" };
        Self {
            line: fault.line,
            text: format!("{excerpt}{dots}"),
            // Names are anybody's text.
            message: fault.message.chars().filter(|c| !c.is_control()).collect(),
            hand: hand.map(str::to_owned),
        }
    }
}

/// What is wrong, and in which line, before the text of the line is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    pub line: u32,
    pub message: String,
}

impl Fault {
    pub fn new(line: u32, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }
}
