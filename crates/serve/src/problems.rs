//! Errors of the rooms below, as the API tells them.

use crate::api::common::{RequestProblem, TextPosition};
use crate::failure::ApiFailure;
use noregret_holdem::{ParseLineError, ReadError, SpecError};
use noregret_store::{ArchiveError, StoreError};
use std::ops::Range;

/// What is wrong with a spec, and where in its text.
pub fn of_spec(error: &SpecError, text: &str) -> RequestProblem {
    let position = error.span.clone().and_then(|span| position(text, span));
    let position = position.map(|(line, column, length)| TextPosition {
        line,
        column,
        length,
        message: error.label.clone().unwrap_or_else(|| error.message.clone()),
    });
    RequestProblem {
        message: error.message.clone(),
        field: error.field.as_deref().map(str::to_owned),
        help: error.help.clone(),
        positions: position.into_iter().collect(),
    }
}

/// Line, column and length of the first line that a span touches, the last two in UTF-16 units.
fn position(text: &str, span: Range<usize>) -> Option<(usize, usize, usize)> {
    let piece = text.get(span.clone())?;
    let before = &text[..span.start];
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let units = |text: &str| text.encode_utf16().count();
    let first = piece.lines().next().unwrap_or_default();
    Some((line, units(&before[start..]) + 1, units(first)))
}

/// A text that is no line, at the field that it was in.
pub fn of_line(error: &ParseLineError, text: &str) -> ApiFailure {
    let place = position(text, error.span.clone());
    let positions = place.map(|(line, column, length)| TextPosition {
        line,
        column,
        length,
        message: error.message.clone(),
    });
    ApiFailure::problem(RequestProblem {
        message: format!("line: {}", error.message),
        field: Some("line".to_owned()),
        help: None,
        positions: positions.into_iter().collect(),
    })
}

/// A line that a solution has no answer at.
pub fn of_reading(error: &ReadError) -> ApiFailure {
    match error {
        // The file may be as it should be.
        ReadError::File(ArchiveError::Io(error)) if StoreError::is_in(error) => {
            ApiFailure::cannot_read(error)
        }
        ReadError::Text(error) => ApiFailure::field("line", error),
        ReadError::Line(error) => ApiFailure::field("line", error),
        // It is whole, but does not have what the answer needs.
        ReadError::File(ArchiveError::Io(error)) if error.kind() == std::io::ErrorKind::Unsupported => {
            ApiFailure::problem(RequestProblem {
                message: format!("the solution does not answer this: {error}"),
                ..RequestProblem::default()
            })
        }
        // The file came from outside: it is at fault, not the server.
        ReadError::File(error) => ApiFailure::problem(RequestProblem {
            message: format!("the solution cannot be read: {error}"),
            ..RequestProblem::default()
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noregret_holdem::Spec;
    use proptest::prelude::*;

    #[test]
    fn a_bad_value_is_found_again_in_the_text() {
        let text = "# ünï\n[ranges]\noop = \"AA\"\nip = \"KK,Qx\"\n[cards]\nflop = \"QsJh2h\"\n[tree]\nstarting_pot = 10\neffective_stack = 5\n";
        let problem = of_spec(&text.parse::<Spec>().unwrap_err(), text);
        assert_eq!(problem.field.as_deref(), Some("ranges.ip"));
        let place = &problem.positions[0];
        assert_eq!((place.line, place.column, place.length), (4, 10, 2), "{problem:?}");
    }

    proptest! {
        #[test]
        fn no_span_panics(text in "\\PC{0,20}\n?\\PC{0,20}", start in 0_usize..60, length in 0_usize..60) {
            position(&text, start..start + length);
        }
    }
}
