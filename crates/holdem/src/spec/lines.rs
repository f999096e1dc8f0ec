//! Locks and edits of the tree: tables that name a line.

use super::read::{Document, Section, Value};
use super::{SpecError, range};
use crate::text::pieces;
use crate::{Edit, EditError, Line, Lock, LockError, LockField, ParseLineError, Spot, Step, TreeEdits};

/// `[[tree.add]]` and `[[tree.remove]]`.
pub(super) fn tree_edits(document: &Document<'_>) -> Result<TreeEdits, SpecError> {
    let lines = |path| {
        let sections = document.list(path)?;
        sections.iter().map(|section| line(&required_line(section)?)).collect::<Result<Vec<Line>, _>>()
    };
    Ok(TreeEdits { add: lines("tree.add")?, remove: lines("tree.remove")? })
}

/// A complaint about an edit, at the step of its line.
pub(super) fn edit_error(document: &Document<'_>, error: &EditError) -> SpecError {
    let (path, index) = match error.edit {
        Edit::Add(index) => ("tree.add", index),
        Edit::Remove(index) => ("tree.remove", index),
    };
    let value = document.list(path).ok().and_then(|sections| sections.get(index)?.get("line"));
    value.map_or_else(
        || SpecError::new(error.to_string()),
        |value| at_step(&value, error.step, &error.message),
    )
}

/// The spot with the hands that `[[locks]]` bind.
pub(super) fn with_locks(document: &Document<'_>, spot: Spot) -> Result<Spot, SpecError> {
    let sections = document.list("locks")?;
    let locks = sections.iter().map(lock).collect::<Result<Vec<Lock>, _>>()?;
    spot.with_locks(locks).map_err(|error| lock_error(&sections, &error))
}

fn lock(section: &Section<'_>) -> Result<Lock, SpecError> {
    let hands = section.get("hands").map(|value| {
        if let Some(colon) = value.text()?.find(':') {
            let message = "a lock takes hands as a whole: leave the weights out";
            return Err(value.error_within(colon..colon + 1, message));
        }
        range(&value)
    });
    Ok(Lock {
        line: line(&required_line(section)?)?,
        hands: hands.transpose()?,
        strategy: strategy(&section.require("strategy", "{ check = 0.3, \"bet 94\" = 0.7 }")?)?,
    })
}

/// A table of actions with their frequencies, or the one action that is always taken.
fn strategy(value: &Value<'_>) -> Result<Vec<(Step, f64)>, SpecError> {
    let step = |text: &str, value: &Value<'_>| {
        text.parse().map_err(|error: ParseLineError| value.error(error.message))
    };
    match value.entries() {
        Some(entries) => {
            entries.iter().map(|(key, value)| Ok((step(key, value)?, value.number()?))).collect()
        }
        None => {
            match value.text() {
                Ok(action) => Ok(vec![(step(action, value)?, 1.0)]),
                Err(_) => Err(value
                    .wrong_type("a table like { check = 0.3, \"bet 94\" = 0.7 } or one action in quotes")),
            }
        }
    }
}

/// A complaint about a lock, at the value that it is about.
fn lock_error(sections: &[Section<'_>], error: &LockError) -> SpecError {
    let value = |key| sections.get(error.lock).and_then(|section| section.get(key));
    let message = &error.message;
    let complaint = match error.field {
        LockField::Line(step) => value("line").map(|value| at_step(&value, step, message)),
        // Hands that are not there are the whole range of the line.
        LockField::Hands => value("hands").or_else(|| value("line")).map(|value| value.error(message)),
        LockField::Strategy(entry) => value("strategy").map(|value| {
            let entries = value.entries().unwrap_or_default();
            let entry = entry.and_then(|entry| entries.get(entry));
            entry.map_or_else(|| value.error(message), |(_, value)| value.error(message))
        }),
    };
    complaint.unwrap_or_else(|| SpecError::new(error.to_string()))
}

fn required_line<'a>(section: &Section<'a>) -> Result<Value<'a>, SpecError> {
    section.require("line", "\"check, bet 94\"")
}

fn line(value: &Value<'_>) -> Result<Line, SpecError> {
    let text = value.text()?;
    text.parse().map_err(|ParseLineError { span, message }| value.error_within(span, &message))
}

/// A complaint about a step of a line, or about all of it.
fn at_step(value: &Value<'_>, step: Option<usize>, message: &str) -> SpecError {
    let text = value.text().unwrap_or_default();
    let span = step.and_then(|step| pieces(text).nth(step)).map(|(span, _)| span);
    span.map_or_else(|| value.error(message), |span| value.error_within(span, message))
}
