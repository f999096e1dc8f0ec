//! Locks and edits of the tree: tables that name a line.

use super::error::SpecError;
use super::read::{Document, SpecTable, Value};
use crate::betting::line::{Line, ParseLineError, Step};
use crate::betting::locks::{Lock, LockBy, LockError, LockField, Merit, MeritTarget};
use crate::betting::spot::Spot;
use crate::betting::tree::{Edit, EditError, TreeEdits};
use crate::text::{excerpt, pieces};
use noregret_cards::{HandKind, Hole, ParseRangeError, Range};

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
        || SpecError::of_field(format!("{path}[{index}].line"), &error.message),
        |value| at_step(&value, error.step, &error.message),
    )
}

/// The spot with the hands that `[[locks]]` bind.
pub(super) fn with_locks(document: &Document<'_>, spot: Spot) -> Result<Spot, SpecError> {
    let sections = document.list("locks")?;
    let locks = sections.iter().map(lock).collect::<Result<Vec<Lock>, _>>()?;
    spot.with_locks(locks).map_err(|error| lock_error(&sections, &error))
}

fn lock(section: &SpecTable<'_>) -> Result<Lock, SpecError> {
    let hands = section.get("hands").map(|value| {
        if let Some(colon) = value.text()?.find(':') {
            let message = "a lock takes hands as a whole: leave the weights out";
            return Err(value.error_within(colon..colon + 1, message));
        }
        value.range()
    });
    let line = line(&required_line(section)?)?;
    let kinds = section.get("kind").map_or(Ok(Vec::new()), |value| kinds(&value))?;
    let hands = hands.transpose()?;
    let by_merit = section.get("by").map_or(Ok(false), |value| by_merit(&value))?;
    if !by_merit {
        if let Some((key, value)) =
            ["change", "resolved"].iter().find_map(|key| Some((key, section.get(key)?)))
        {
            return Err(value.error(format!("`{key}` needs `by = \"merit\"`")));
        }
        let strategy = strategy(&required_strategy(section)?, Value::number)?;
        return Ok(Lock { line, hands, kinds, strategy, by: LockBy::Uniform });
    }
    let (target, strategy) = match (section.get("strategy"), section.get("change")) {
        (Some(_), Some(change)) => {
            return Err(change.error("give `strategy` or `change`, not both"));
        }
        (None, Some(change)) if change.entries().is_some() => {
            (MeritTarget::Change, strategy(&change, Value::signed_number)?)
        }
        (None, Some(change)) => return Err(change.wrong_type("a table like { call = 0.1 }")),
        _ => (MeritTarget::Frequency, strategy(&required_strategy(section)?, Value::number)?),
    };
    let resolved = section.get("resolved").map(|value| resolved(&value)).transpose()?;
    Ok(Lock { line, hands, kinds, strategy, by: LockBy::Merit(Merit { target, resolved }) })
}

fn required_strategy<'a>(section: &SpecTable<'a>) -> Result<Value<'a>, SpecError> {
    section.require("strategy", "{ check = 0.3, \"bet 94\" = 0.7 }")
}

/// Which hands take which action.
fn by_merit(value: &Value<'_>) -> Result<bool, SpecError> {
    match value.text()? {
        "uniform" => Ok(false),
        "merit" => Ok(true),
        other => {
            Err(value.error(format!("`{}` is not known: write \"merit\" or \"uniform\"", excerpt(other))))
        }
    }
}

/// Kinds of hands with `|` between.
fn kinds(value: &Value<'_>) -> Result<Vec<HandKind>, SpecError> {
    let kind = |text: &str| {
        text.parse().map_err(|error| value.error(format!("`{}`: {error}", excerpt(text.trim()))))
    };
    value.text()?.split('|').map(kind).collect()
}

/// What each hand of a lock by merit does.
fn resolved(value: &Value<'_>) -> Result<Vec<(Hole, Vec<f64>)>, SpecError> {
    let entries = value.entries().ok_or_else(|| value.wrong_type("a table like { AhKh = [1.0, 0.0] }"))?;
    let mut hands = Vec::new();
    for (text, shares) in entries {
        let range: Range = text.parse().map_err(|error: ParseRangeError| shares.error(error.message))?;
        let numbers = shares.list()?.iter().map(Value::number).collect::<Result<Vec<f64>, _>>()?;
        hands.extend(range.iter().map(|(hole, _)| (hole, numbers.clone())));
    }
    hands.sort_by_key(|(hole, _)| hole.index());
    Ok(hands)
}

/// A table of actions with their frequencies, or the one action that is always taken.
fn strategy<'a>(
    value: &Value<'a>,
    number: impl Fn(&Value<'a>) -> Result<f64, SpecError>,
) -> Result<Vec<(Step, f64)>, SpecError> {
    let step = |text: &str, value: &Value<'_>| {
        text.parse().map_err(|error: ParseLineError| value.error(error.message))
    };
    match value.entries() {
        Some(entries) => entries.iter().map(|(key, value)| Ok((step(key, value)?, number(value)?))).collect(),
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
fn lock_error(sections: &[SpecTable<'_>], error: &LockError) -> SpecError {
    let value = |key| sections.get(error.lock).and_then(|section| section.get(key));
    let message = &error.message;
    let complaint = match error.field {
        LockField::Line(step) => value("line").map(|value| at_step(&value, step, message)),
        // Hands that are not there are the whole range of the line.
        LockField::Hands => value("hands")
            .or_else(|| value("kind"))
            .or_else(|| value("line"))
            .map(|value| value.error(message)),
        LockField::Resolved => value("resolved").map(|value| value.error(message)),
        LockField::Strategy(entry) => value("strategy").or_else(|| value("change")).map(|value| {
            let entries = value.entries().unwrap_or_default();
            let entry = entry.and_then(|entry| entries.get(entry));
            entry.map_or_else(|| value.error(message), |(_, value)| value.error(message))
        }),
    };
    complaint.unwrap_or_else(|| SpecError::of_field(format!("locks[{}]", error.lock), message))
}

fn required_line<'a>(section: &SpecTable<'a>) -> Result<Value<'a>, SpecError> {
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

#[cfg(test)]
mod tests {
    use crate::{OOP, Spec};
    use proptest::prelude::*;

    const VALID: &str = r#"[ranges]
oop = "AA,KK,QJs:0.5"
ip = "TT+,AQs"

[cards]
flop = "QsJh2h"
turn = "3c"

[tree]
starting_pot = 100
effective_stack = 300

[[tree.add]]
line = "bet 20"

[[tree.remove]]
line = "check, bet 50"

[[locks]]
line = "bet 20"
hands = "KK,AQs"
strategy = { fold = 0.3, "call" = 0.7 }

[[locks]]
line = "check, check, Th"
strategy = "bet 50"
"#;

    /// The message and the piece of the file that it points at, with something replaced.
    fn complaint(old: &str, new: &str) -> (String, String) {
        assert!(VALID.contains(old), "{old}");
        let text = VALID.replacen(old, new, 1);
        let error = text.parse::<Spec>().unwrap_err();
        assert!(error.render("spot.toml", &text, false).contains("error"));
        (error.message, error.span.map_or_else(String::new, |span| text[span].to_owned()))
    }

    #[track_caller]
    fn refused(old: &str, new: &str, message: &str, piece: &str) {
        assert_eq!(complaint(old, new), (message.to_owned(), piece.to_owned()));
    }

    #[test]
    fn locks_and_edits_are_read_and_printed() {
        let spec: Spec = VALID.parse().unwrap();
        let lines = |lines: &[crate::Line]| lines.iter().map(ToString::to_string).collect::<Vec<_>>();
        let edits = &spec.spot.options().edits;
        assert_eq!(
            (lines(&edits.add), lines(&edits.remove)),
            (vec!["bet 20".to_owned()], vec!["check, bet 50".to_owned()])
        );
        let [first, second] = spec.spot.locks() else { panic!("{spec:?}") };
        assert_eq!(first.hands.as_ref().unwrap().to_string(), "KK,AQs");
        assert_eq!((second.hands.is_none(), second.strategy[0].1), (true, 1.0));
        assert_eq!(spec.spot.bound()[1].player, OOP);
        let text = spec.to_string();
        assert!(text.contains("[[tree.add]]\nline = \"bet 20\"\n"), "{text}");
        assert!(text.contains("[[locks]]\nline = \"bet 20\"\nhands = \"KK,AQs\"\nstrategy = { \"fold\" = 0.3, \"call\" = 0.7 }\n"), "{text}");
        assert_eq!(text.parse(), Ok(spec));
    }

    #[test]
    fn locks_by_merit_are_read_and_printed() {
        let merit = VALID.replace(
            "strategy = { fold = 0.3, \"call\" = 0.7 }",
            "by = \"merit\"\nkind = \"pair | nothing\"\nchange = { call = -0.1 }",
        );
        let spec: Spec = merit.parse().unwrap();
        let text = spec.to_string();
        assert!(
            text.contains("hands = \"KK,AQs\"\nkind = \"pair | nothing\"\nby = \"merit\"\nchange = { \"call\" = -0.1 }\n"),
            "{text}"
        );
        assert_eq!(text.parse(), Ok(spec));
        let resolved = merit.replace(
            "change =",
            "resolved = { \"KhKd,KsKd\" = [1, 0, 0], AhQh = [0.25, 0.75, 0.0] }\nchange =",
        );
        let spec: Spec = resolved.parse().unwrap();
        assert!(!spec.spot.has_open_locks() && spec.spot.bound()[0].holes.len() == 3);
        assert_eq!(spec.to_string().parse(), Ok(spec));
    }

    #[test]
    fn bad_locks_by_merit_are_pointed_at() {
        let strategy = "strategy = { fold = 0.3, \"call\" = 0.7 }";
        let merit = |rest: &str| format!("by = \"merit\"\n{rest}");
        refused(
            strategy,
            "by = \"luck\"",
            "locks[0].by: `luck` is not known: write \"merit\" or \"uniform\"",
            "\"luck\"",
        );
        refused(
            strategy,
            &merit("strategy = { fold = 0.7, call = 0.7 }"),
            "locks[0].strategy: the frequencies add up to 1.4, not to at most 1: there is `fold`, `call`, `raise 50`",
            "{ fold = 0.7, call = 0.7 }",
        );
        refused(
            strategy,
            &merit("change = { fold = -2 }"),
            "locks[0].change.fold: the change of `fold` must be a number from -1 to 1, not -2",
            "-2",
        );
        refused(
            strategy,
            &merit("change = \"fold\""),
            "locks[0].change: must be a table like { call = 0.1 }",
            "\"fold\"",
        );
        refused(
            strategy,
            &merit("strategy = {}"),
            "locks[0].strategy: it names no action: there is `fold`, `call`, `raise 50`",
            "{}",
        );
        refused(
            strategy,
            "change = { fold = 0.1 }",
            "locks[0].change: `change` needs `by = \"merit\"`",
            "{ fold = 0.1 }",
        );
        refused(
            strategy,
            &merit("strategy = { fold = 1 }\nchange = { fold = 0.1 }"),
            "locks[0].change: give `strategy` or `change`, not both",
            "{ fold = 0.1 }",
        );
        refused(
            strategy,
            &merit("strategy = { fold = 1 }\nresolved = { TT = [1, 0, 0] }"),
            "locks[0].resolved: TdTc is no hand of this lock",
            "{ TT = [1, 0, 0] }",
        );
        refused(
            strategy,
            &merit("strategy = { fold = 1 }\nresolved = { KhKd = [1, 0] }"),
            "locks[0].resolved: KhKd needs 3 numbers from 0 to 1 that add up to 1",
            "{ KhKd = [1, 0] }",
        );
        refused(
            "hands = \"KK,AQs\"",
            "hands = \"KK\"\nkind = \"set\"",
            "locks[0].hands: no hand of the ip range is set on QsJh2h3c",
            "\"KK\"",
        );
        let (message, piece) = complaint("hands = \"KK,AQs\"", "kind = \"air\"");
        assert!(message.starts_with("locks[0].kind: `air`: it is none of nothing, king high"), "{message}");
        assert_eq!(piece, "\"air\"");
    }

    #[test]
    fn a_bad_line_is_pointed_at_where_it_stops() {
        refused(
            "line = \"bet 20\"\nhands",
            "line = \"bet 20, raise 70\"\nhands",
            "locks[0].line: there is no `raise 70` after `bet 20`: there is `fold`, `call`, `raise 50`",
            "raise 70",
        );
        refused(
            "check, check, Th",
            "check, jump",
            "locks[1].line: `jump` is not a step: write `fold`, `check`, `call`, `bet 94`, `bet 33%`, `raise 260`, `all-in`, or a card like `Th`",
            "jump",
        );
        refused(
            "check, check, Th",
            "check, check",
            "locks[1].line: nobody decides after `check, check`: the river card is dealt, like `Th`",
            "check",
        );
        refused(
            "check, check, Th",
            "check, check, check",
            "locks[1].line: there is no `check` after `check, check`: the river card is dealt, like `Th`",
            "check",
        );
        refused(
            "line = \"bet 20\"\n\n",
            "line = \"bet 50\"\n\n",
            "tree.add[0].line: `bet 50` is there already",
            "\"bet 50\"",
        );
        refused(
            "check, bet 50\"",
            "check, bet 60\"",
            "tree.remove[0].line: there is no `bet 60` after `check`: there is `check`, `bet 50`",
            "bet 60",
        );
        refused("line = \"check, bet 50\"", "", "tree.remove[0].line: is missing", "[[tree.remove]]");
    }

    #[test]
    fn bad_hands_and_frequencies_are_pointed_at() {
        refused("KK,AQs", "KK,99", "locks[0].hands: 9d9c is not in the ip range", "\"KK,99\"");
        refused(
            "KK,AQs",
            "KK:0.5",
            "locks[0].hands: a lock takes hands as a whole: leave the weights out",
            ":",
        );
        refused(
            "KK,AQs",
            "KKs",
            "locks[0].hands: `KKs` is not a group of hands: a pair takes no `s` or `o`, write it like `AA`",
            "KKs",
        );
        refused(
            "fold = 0.3",
            "fold = 0.4",
            "locks[0].strategy: the frequencies add up to 1.1, not to 1: there is `fold`, `call`, `raise 50`",
            "{ fold = 0.4, \"call\" = 0.7 }",
        );
        refused(
            "fold = 0.3",
            "check = 0.3",
            "locks[0].strategy.check: there is no `check` here: there is `fold`, `call`, `raise 50`",
            "0.3",
        );
        refused(
            "fold = 0.3",
            "fold = -0.3",
            "locks[0].strategy.fold: must be a number of at least 0",
            "-0.3",
        );
        refused(
            "fold = 0.3",
            "leap = 0.3",
            "locks[0].strategy.leap: `leap` is not a step: write `fold`, `check`, `call`, `bet 94`, `bet 33%`, `raise 260`, `all-in`, or a card like `Th`",
            "0.3",
        );
        refused(
            "\"bet 50\"\n",
            "5\n",
            "locks[1].strategy: must be a table like { check = 0.3, \"bet 94\" = 0.7 } or one action in quotes",
            "5",
        );
        refused("strategy = \"bet 50\"\n", "", "locks[1].strategy: is missing", "[[locks]]");
        refused(
            "line = \"check, check, Th\"\nstrategy = \"bet 50\"",
            "line = \"bet 20\"\nhands = \"KhKd\"\nstrategy = \"fold\"",
            "locks[1].hands: KhKd is locked here already, by locks[0]",
            "\"KhKd\"",
        );
    }

    #[test]
    fn lists_that_are_none_are_refused() {
        let list = |text: String| {
            let error = text.parse::<Spec>().unwrap_err();
            (error.message, error.span.map_or_else(String::new, |span| text[span].to_owned()))
        };
        let plain = &VALID[..VALID.find("[[tree.add]]").unwrap()];
        for (text, path, piece) in [
            (format!("locks = 5\n{plain}"), "locks", "5"),
            (format!("locks = [1]\n{plain}"), "locks", "1"),
            (format!("{plain}add = \"bet 5\"\n"), "tree.add", "\"bet 5\""),
            (format!("{plain}[tree.remove]\nline = \"bet 5\"\n"), "tree.remove", "[tree.remove]"),
        ] {
            let message = format!("{path}: must be a list of tables, each written [[{path}]]");
            assert_eq!(list(text), (message, piece.to_owned()));
        }
        refused("hands", "hand", "unknown key `locks.hand`", "hand");
    }

    proptest! {
        #[test]
        fn mutated_locks_do_not_panic(
            edits in prop::collection::vec((0..VALID.len(), 0usize..6, prop::collection::vec(any::<u8>(), 0..4)), 1..4),
        ) {
            let mut bytes = VALID.as_bytes().to_vec();
            for (at, cut, insert) in edits {
                let at = at.min(bytes.len());
                let end = (at + cut).min(bytes.len());
                bytes.splice(at..end, insert);
            }
            match Spec::from_bytes(&bytes) {
                Ok(spec) => prop_assert_eq!(spec.to_string().parse(), Ok(spec)),
                Err(error) => prop_assert!(error.render("spot.toml", &String::from_utf8_lossy(&bytes), false).contains("error")),
            }
        }
    }
}
