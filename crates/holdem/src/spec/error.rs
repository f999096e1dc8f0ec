//! What is wrong with a spec, and where.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::fmt;
use std::ops::Range;

/// The first thing that keeps a text from being a spec.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct SpecError {
    /// The field and what is wrong with it, in one line.
    pub message: String,
    /// The field by its path, like `ranges.oop` or `locks[0].line`; none if the text as a whole is wrong.
    pub field: Option<Box<str>>,
    /// The line of the text where the trouble begins, from 1, where that is known.
    pub line: Option<u32>,
    /// The offending bytes of the text, where there are any.
    pub span: Option<Range<usize>>,
    /// A few words for the offending bytes.
    pub label: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
}

impl SpecError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), field: None, line: None, span: None, label: None, help: None }
    }

    /// A complaint about a field.
    pub(crate) fn of_field(path: impl Into<String>, message: impl fmt::Display) -> Self {
        let path = path.into();
        let message = format!("{path}: {message}");
        Self { field: Some(path.into()), ..Self::new(message) }
    }

    /// The same with the line of the text that it was read from.
    pub(crate) fn in_text(self, text: &str) -> Self {
        let line = self
            .span
            .as_ref()
            .and_then(|span| text.get(..span.start))
            .map(|before| line_number(before) as u32);
        Self { line: line.or(self.line), ..self }
    }

    pub(crate) fn at(self, span: Range<usize>) -> Self {
        Self { span: Some(span), ..self }
    }

    pub(super) fn label(self, label: impl Into<String>) -> Self {
        Self { label: Some(label.into()), ..self }
    }

    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// The message with the line of the file and a caret under the offending piece, for a terminal. `source` is the text
    /// that was read; `colour` adds the escapes for it.
    pub fn render(&self, file_name: &str, source: &str, colour: bool) -> String {
        let mut group = match self.span.clone().and_then(|span| first_line(source, span)) {
            Some(line) => {
                let annotation = AnnotationKind::Primary.span(line.span).label(self.label.as_deref());
                let snippet = Snippet::source(line.text).line_start(line.number).path(file_name);
                Level::ERROR.primary_title(&self.message).element(snippet.annotation(annotation))
            }
            None => {
                let title = Level::ERROR.primary_title(&self.message);
                title.element(Level::NOTE.message(format!("in {file_name}")))
            }
        };
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(help));
        }
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        renderer.decor_style(DecorStyle::Ascii).render(&[group])
    }
}

/// The number of the line that a text ends in, from 1.
pub(super) fn line_number(before: &str) -> usize {
    before.bytes().filter(|&byte| byte == b'\n').count() + 1
}

/// A line of a text and a span in it.
struct MarkedLine<'a> {
    text: &'a str,
    /// Its number, from 1.
    number: usize,
    span: Range<usize>,
}

/// The first line that a span touches, which is enough to point at it; none if the span is not within the text.
fn first_line(source: &str, span: Range<usize>) -> Option<MarkedLine<'_>> {
    source.get(span.clone())?;
    let start = source[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = source[span.start..].find('\n').map_or(source.len(), |newline| span.start + newline);
    let number = line_number(&source[..start]);
    let text = source[start..end].trim_end_matches('\r');
    let from = (span.start - start).min(text.len());
    Some(MarkedLine { text, number, span: from..(span.end - start).clamp(from, text.len()) })
}
