//! What is wrong with a spec, and where.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::fmt;
use std::ops::Range;

/// The first thing that keeps a text from being a spec.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError {
    /// The field and what is wrong with it, in one line.
    pub message: String,
    /// The offending bytes of the text, where there are any.
    pub span: Option<Range<usize>>,
    /// A few words for the offending bytes.
    pub label: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
}

impl SpecError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), span: None, label: None, help: None }
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

/// A line of a text and a span in it.
struct Line<'a> {
    text: &'a str,
    /// Its number, from 1.
    number: usize,
    span: Range<usize>,
}

/// The first line that a span touches, which is enough to point at it; none if the span is not within the text.
fn first_line(source: &str, span: Range<usize>) -> Option<Line<'_>> {
    source.get(span.clone())?;
    let start = source[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = source[span.start..].find('\n').map_or(source.len(), |newline| span.start + newline);
    let number = source[..start].bytes().filter(|&byte| byte == b'\n').count() + 1;
    let text = source[start..end].trim_end_matches('\r');
    let from = (span.start - start).min(text.len());
    Some(Line { text, number, span: from..(span.end - start).clamp(from, text.len()) })
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SpecError {}
