//! Typed access to the tables and values of a TOML document, with a place for every complaint.

use super::error::SpecError;
use crate::betting::chips::Chips;
use crate::text::excerpt;
use noregret_cards::{Card, ParseCardError, ParseRangeError};
use std::borrow::Cow;
use std::fmt;
use std::ops::{Range, RangeInclusive};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A table and its keys, or [`ANY_KEY`]. A `*` at the end of a table's name is any name.
type Keys = (&'static str, &'static [&'static str]);

/// Stands for the keys of a table whose reader knows what they may be.
pub(crate) const ANY_KEY: &str = "*";

/// What a kind of document may have.
pub(crate) struct DocumentLayout {
    pub tables: &'static [Keys],
    /// Lists of tables.
    pub lists: &'static [Keys],
}

impl DocumentLayout {
    fn all(&self) -> impl Iterator<Item = &'static Keys> + use<> {
        self.tables.iter().chain(self.lists)
    }

    /// Whether a table may have any key.
    fn takes_any(&self, path: &str) -> bool {
        self.all().any(|(name, keys)| is_named(name, path) && keys.contains(&ANY_KEY))
    }
}

/// The tables of a spec.
pub(super) const SPEC: &DocumentLayout = &DocumentLayout {
    tables: &[
        ("ranges", &["oop", "ip"]),
        ("cards", &["flop", "turn", "river"]),
        (
            "tree",
            &[
                "starting_pot",
                "effective_stack",
                "unit",
                "big_blind",
                "rake_rate",
                "rake_cap",
                "add_allin_threshold",
                "force_allin_threshold",
                "merging_threshold",
            ],
        ),
        ("bet_sizes.flop", &["oop_bet", "oop_raise", "ip_bet", "ip_raise", "oop_donk"]),
        ("bet_sizes.turn", &["oop_bet", "oop_raise", "ip_bet", "ip_raise", "oop_donk"]),
        ("bet_sizes.river", &["oop_bet", "oop_raise", "ip_bet", "ip_raise", "oop_donk"]),
        (
            "solver",
            &[
                "max_iterations",
                "target_exploitability_pct",
                "algorithm",
                "alpha",
                "beta",
                "gamma",
                "restarts",
                "warm_up",
                "precision",
                "quantization",
                "strategy_bits",
                "regret_bits",
                "enable_pruning",
                "zstd_compression_level",
                "dry_run",
            ],
        ),
        ("solver.flop", &["strategy_bits", "regret_bits"]),
        ("solver.turn", &["strategy_bits", "regret_bits"]),
        ("solver.river", &["strategy_bits", "regret_bits"]),
        ("solver.warm_start", &["enabled", "iterations", "weight", "sizes"]),
        ("output", &["directory"]),
    ],
    lists: &[
        ("tree.add", &["line"]),
        ("tree.remove", &["line"]),
        ("locks", &["line", "hands", "kind", "by", "strategy", "change", "resolved"]),
    ],
};

/// The longest text that is read, in bytes.
pub(super) const MAX_BYTES: usize = 4 << 20;

/// Refuses a text that is too long to be what it should be.
pub(crate) fn check_length(bytes: usize, what: &str) -> Result<(), SpecError> {
    if bytes > MAX_BYTES {
        let message = format!("this is not {what}: it is longer than {MAX_BYTES} bytes");
        return Err(SpecError::new(message));
    }
    Ok(())
}

/// The text in the bytes of a file, which may be none. `what` is what it should be.
pub(crate) fn text_of<'a>(bytes: &'a [u8], what: &str) -> Result<&'a str, SpecError> {
    check_length(bytes.len(), what)?;
    std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
        let message = format!("this is not a text file: line {line} is not UTF-8");
        SpecError { line: Some(line as u32), ..SpecError::new(message) }
    })
}

/// A document whose tables and keys are all known.
pub(crate) struct Document<'a> {
    source: &'a str,
    root: DeTable<'a>,
    layout: &'static DocumentLayout,
}

impl<'a> Document<'a> {
    /// Reads the TOML and checks that it has no tables or keys but those of a layout.
    pub fn parse(source: &'a str, layout: &'static DocumentLayout) -> Result<Self, SpecError> {
        let root = DeTable::parse(source).map_err(|error| {
            let message = format!("this is not TOML: {}", error.message().replace('\n', ", "));
            let start = error.span().map_or(0, |span| span.start);
            SpecError::new(message)
                .at(error.span().filter(|s| source.get(s.clone()).is_some()).unwrap_or(start..start))
        })?;
        let document = Self { source, root: root.into_inner(), layout };
        document.check("", &document.root)?;
        Ok(document)
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.root.is_empty()
    }

    /// Checks the keys of a table and of the tables in it.
    fn check(&self, outer: &str, table: &DeTable<'a>) -> Result<(), SpecError> {
        for (key, value) in table {
            let path = if outer.is_empty() {
                key.get_ref().to_string()
            } else {
                format!("{outer}.{}", key.get_ref())
            };
            if self.layout.takes_any(outer) {
                continue;
            }
            // A quoted key may have a dot in it, but no table or key of a spec has.
            if key.get_ref().contains('.') {
                return Err(unknown(self.layout, key, &path));
            }
            let inner = format!("{path}.");
            if self
                .layout
                .tables
                .iter()
                .any(|(section, _)| is_named(section, &path) || section.starts_with(&inner))
            {
                let DeValue::Table(table) = value.get_ref() else {
                    let error = SpecError::of_field(&path, format!("must be a table, written [{path}]"));
                    return Err(error.at(value.span()).label(format!("this is {}", kind(value.get_ref()))));
                };
                self.check(&path, table)?;
            } else if self.layout.lists.iter().any(|(list, _)| *list == path) {
                for item in items(&path, value)? {
                    let item = item.get_ref().as_table();
                    item.map_or(Ok(()), |table| self.check(&path, table))?;
                }
            } else if !is_known(self.layout, &path) {
                return Err(unknown(self.layout, key, &path));
            }
        }
        Ok(())
    }

    /// The names of the tables within a table, in the order of the names.
    pub fn names_in(&self, table: &str) -> Vec<&str> {
        let table = self.root.get(table).and_then(|value| value.get_ref().as_table());
        table.map_or(Vec::new(), |table| table.keys().map(|key| key.get_ref().as_ref()).collect())
    }

    /// A table, empty if it is absent.
    pub fn section(&self, path: &str) -> SpecTable<'_> {
        let mut table = Some(&self.root);
        let mut header = None;
        for name in path.split('.') {
            let value = table.and_then(|table| table.get(name));
            header = value.map(Spanned::span);
            table = value.and_then(|value| value.get_ref().as_table());
        }
        SpecTable { path: path.to_owned(), title: format!("[{path}]"), table, header, source: self.source }
    }

    /// The tables of one of the layout's lists, in order.
    pub fn list(&self, path: &'static str) -> Result<Vec<SpecTable<'_>>, SpecError> {
        let mut value = None;
        let mut table = Some(&self.root);
        for name in path.split('.') {
            value = table.and_then(|table| table.get(name));
            table = value.and_then(|value| value.get_ref().as_table());
        }
        let Some(value) = value else { return Ok(Vec::new()) };
        let mut sections = Vec::new();
        for (index, item) in items(path, value)?.iter().enumerate() {
            sections.push(SpecTable {
                path: format!("{path}[{index}]"),
                title: format!("[[{path}]]"),
                table: item.get_ref().as_table(),
                header: Some(item.span()),
                source: self.source,
            });
        }
        Ok(sections)
    }
}

/// The tables of a list, which may hold nothing else.
fn items<'v, 'a>(
    path: &str,
    value: &'v Spanned<DeValue<'a>>,
) -> Result<&'v [Spanned<DeValue<'a>>], SpecError> {
    let wrong = |value: &Spanned<DeValue<'_>>| {
        let error = SpecError::of_field(path, format!("must be a list of tables, each written [[{path}]]"));
        error.at(value.span()).label(format!("this is {}", kind(value.get_ref())))
    };
    let items = value.get_ref().as_array().ok_or_else(|| wrong(value))?;
    match items.iter().find(|item| !item.get_ref().is_table()) {
        Some(item) => Err(wrong(item)),
        None => Ok(items),
    }
}

/// Whether a table of a layout, whose name may end in `*`, is the one at a path.
fn is_named(section: &str, path: &str) -> bool {
    match section.strip_suffix('*') {
        Some(prefix) => path.strip_prefix(prefix).is_some_and(|name| !name.is_empty() && !name.contains('.')),
        None => section == path,
    }
}

fn is_known(layout: &DocumentLayout, path: &str) -> bool {
    let (section, key) = path.rsplit_once('.').unwrap_or(("", path));
    layout.all().any(|(name, keys)| is_named(name, section) && keys.contains(&key))
}

/// The complaint about a key that the layout does not have.
fn unknown(layout: &DocumentLayout, key: &Spanned<Cow<'_, str>>, path: &str) -> SpecError {
    let name = key.get_ref().as_ref();
    let section = path.strip_suffix(name).unwrap_or_default().trim_end_matches('.');
    let error = SpecError::new(format!("unknown key `{}`", excerpt(path))).at(key.span());
    let known = known_in(layout, section);
    let nearest = known.iter().max_by(|a, b| likeness(a, name).total_cmp(&likeness(b, name)));
    let elsewhere = layout.all().find(|(other, keys)| !is_named(other, section) && keys.contains(&name));
    // `rake` is neither `rake_rate` nor `rake_cap`, and near to both.
    let start = format!("{}_", name.to_lowercase());
    let begun: Vec<String> =
        known.iter().filter(|known| known.starts_with(&start)).map(|known| format!("`{known}`")).collect();
    match (elsewhere, nearest) {
        _ if path == "batch" => {
            error.help("this is the plan of a batch, and not a spec: `noregret batch` runs it")
        }
        (Some((other, _)), _) => error.help(format!("`{name}` belongs in [{other}]")),
        _ if !begun.is_empty() => error.help(format!(
            "did you mean {}? The keys here are: {}",
            begun.join(" or "),
            known.join(", ")
        )),
        (None, Some(nearest)) => {
            error.help(format!("did you mean `{nearest}`? The keys here are: {}", known.join(", ")))
        }
        (None, None) => error,
    }
}

/// What may stand in a table, or at the top where the path is empty.
fn known_in(layout: &DocumentLayout, section: &str) -> Vec<&'static str> {
    let prefix = if section.is_empty() { String::new() } else { format!("{section}.") };
    let keys =
        layout.all().filter(|(name, _)| is_named(name, section)).flat_map(|(_, keys)| keys.iter().copied());
    let inner = layout.all().filter_map(|(name, _)| name.strip_prefix(&prefix)?.split('.').next());
    let mut names: Vec<&str> = Vec::new();
    for name in keys.chain(inner) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// How similar two keys are, of which the second may be any text.
fn likeness(known: &str, name: &str) -> f64 {
    let name: String = name.chars().take(64).collect();
    strsim::normalized_damerau_levenshtein(known, &name.to_lowercase())
}

/// A table of the document.
pub(crate) struct SpecTable<'a> {
    path: String,
    /// As it is written in the file.
    title: String,
    table: Option<&'a DeTable<'a>>,
    header: Option<Range<usize>>,
    source: &'a str,
}

impl<'a> SpecTable<'a> {
    /// Whether the document has it, be it empty.
    pub fn exists(&self) -> bool {
        self.table.is_some()
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<Value<'a>> {
        let value = self.table?.get(key)?;
        Some(Value::new(format!("{}.{key}", self.path), value, self.source))
    }

    /// The value of a key that has no default.
    pub fn require(&self, key: &str, example: &str) -> Result<Value<'a>, SpecError> {
        self.get(key).ok_or_else(|| {
            let error = SpecError::of_field(format!("{}.{key}", self.path), "is missing");
            let error = error.help(format!("write `{key} = {example}` in {}", self.title));
            self.header.clone().map_or(error.clone(), |header| error.at(header))
        })
    }

    /// Its keys and values.
    pub fn entries(&self) -> impl Iterator<Item = TableEntry<'a>> {
        self.table.into_iter().flatten().map(|(key, value)| {
            let name = key.get_ref().as_ref();
            let path = format!("{}.{}", self.path, excerpt(name));
            TableEntry { key: name, key_span: key.span(), value: Value::new(path, value, self.source) }
        })
    }

    /// A complaint about a key, at its value if it is there.
    pub fn error(&self, key: &str, message: &str) -> SpecError {
        let error = SpecError::of_field(format!("{}.{key}", self.path), message);
        self.get(key).map_or(error.clone(), |value| error.at(value.value.span()))
    }
}

/// A key of a table with its value.
pub(crate) struct TableEntry<'a> {
    pub key: &'a str,
    pub key_span: Range<usize>,
    pub value: Value<'a>,
}

/// A value of the document.
pub(crate) struct Value<'a> {
    path: String,
    value: &'a Spanned<DeValue<'a>>,
    source: &'a str,
    /// A value that is accepted here, as it is written in a spec.
    example: Option<&'static str>,
}

impl<'a> Value<'a> {
    fn new(path: String, value: &'a Spanned<DeValue<'a>>, source: &'a str) -> Self {
        Self { path, value, source, example: None }
    }

    /// The same with a value that is accepted in its place, which complaints show.
    pub fn with_example(self, example: &'static str) -> Self {
        Self { example: Some(example), ..self }
    }

    /// A complaint about the whole value.
    pub fn error(&self, message: impl AsRef<str>) -> SpecError {
        SpecError::of_field(&self.path, message.as_ref()).at(self.value.span())
    }

    /// A complaint about the whole value that says what is accepted, with the example if there is one.
    pub fn not_accepted(&self, message: impl fmt::Display) -> SpecError {
        let key = self.path.rsplit('.').next().unwrap_or_default();
        match self.example {
            Some(example) => self.error(format!("{message}, as in `{key} = {example}`")),
            None => self.error(message.to_string()),
        }
    }

    pub fn wrong_type(&self, expected: &str) -> SpecError {
        self.not_accepted(format_args!("must be {expected}"))
            .label(format!("this is {}", kind(self.value.get_ref())))
    }

    /// The keys and values of a table.
    pub fn entries(&self) -> Option<Vec<(&'a str, Value<'a>)>> {
        let table = self.value.get_ref().as_table()?;
        let entry = |(key, value): (&'a Spanned<Cow<'a, str>>, _)| {
            let key = key.get_ref().as_ref();
            (key, Value::new(format!("{}.{}", self.path, excerpt(key)), value, self.source))
        };
        Some(table.iter().map(entry).collect())
    }

    /// A string.
    pub fn text(&self) -> Result<&'a str, SpecError> {
        self.value.get_ref().as_str().ok_or_else(|| self.wrong_type("a string in quotes"))
    }

    /// A complaint about some bytes of the string; about all of it if escapes keep the place from being known.
    pub fn error_within(&self, within: Range<usize>, message: &str) -> SpecError {
        let whole = self.value.span();
        let text = self.value.get_ref().as_str().unwrap_or_default();
        let offset =
            self.source.get(whole.clone()).filter(|_| !text.is_empty()).and_then(|raw| raw.find(text));
        let error = self.error(message);
        match offset.map(|offset| whole.start + offset) {
            Some(start) => error.at(start + within.start..start + within.end),
            None => error,
        }
    }

    /// The elements of an array.
    pub fn list(&self) -> Result<Vec<Value<'a>>, SpecError> {
        let items =
            self.value.get_ref().as_array().ok_or_else(|| self.wrong_type("an array, written [a, b]"))?;
        let item = |(i, value)| Value::new(format!("{}[{i}]", self.path), value, self.source);
        Ok(items.iter().enumerate().map(item).collect())
    }

    /// A boolean.
    pub fn boolean(&self) -> Result<bool, SpecError> {
        self.value.get_ref().as_bool().ok_or_else(|| self.wrong_type("true or false"))
    }

    /// A finite number of at least 0.
    pub fn number(&self) -> Result<f64, SpecError> {
        let number = self.any_number()?.filter(|n| *n >= 0.0);
        number.ok_or_else(|| self.not_accepted("must be a number of at least 0"))
    }

    /// A finite number of either sign.
    pub fn signed_number(&self) -> Result<f64, SpecError> {
        self.any_number()?.ok_or_else(|| self.not_accepted("must be a number"))
    }

    /// A number, if it is finite.
    fn any_number(&self) -> Result<Option<f64>, SpecError> {
        let number: Option<f64> = match self.value.get_ref() {
            DeValue::Integer(digits) => {
                i128::from_str_radix(digits.as_str(), digits.radix()).map(|n| n as f64).ok()
            }
            DeValue::Float(digits) => digits.as_str().parse().ok(),
            _ => return Err(self.wrong_type("a number")),
        };
        // Adding zero turns −0 into 0.
        Ok(number.filter(|n| n.is_finite()).map(|n| n + 0.0))
    }

    /// A whole number; a float without a fraction is one too.
    pub fn whole(&self, unit: &str, range: RangeInclusive<u64>) -> Result<u64, SpecError> {
        let expected = format!("must be a whole number{unit} from {} to {}", range.start(), range.end());
        let number = match self.value.get_ref() {
            DeValue::Integer(digits) => u64::from_str_radix(digits.as_str(), digits.radix()).ok(),
            DeValue::Float(digits) => {
                let number = digits.as_str().parse().ok();
                number.filter(|n: &f64| n.fract() == 0.0 && (0.0..=1e15).contains(n)).map(|n| n as u64)
            }
            other => {
                return Err(self.not_accepted(expected).label(format!("this is {}", kind(other))));
            }
        };
        number.filter(|n| range.contains(n)).ok_or_else(|| self.not_accepted(expected))
    }

    /// A range of hands.
    pub fn range(&self) -> Result<noregret_cards::Range, SpecError> {
        let text = self.text()?;
        text.parse().map_err(|ParseRangeError { span, message }| self.error_within(span, &message))
    }

    /// The cards of a text, the beginning of this value, with their places; blanks between them are fine.
    pub fn cards(&self, text: &str) -> Result<Vec<(Range<usize>, Card)>, SpecError> {
        let letters: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| !c.is_whitespace()).collect();
        let card = |pair: &[(usize, char)]| {
            let name: String = pair.iter().map(|(_, c)| c).collect();
            let end = pair.last().map_or(0, |(at, c)| at + c.len_utf8());
            let span = pair.first().map_or(0, |(at, _)| *at)..end;
            let card = name
                .parse()
                .map_err(|error: ParseCardError| self.error_within(span.clone(), &error.to_string()));
            Ok((span, card?))
        };
        letters.chunks(2).map(card).collect()
    }

    /// An amount above 0.
    pub fn chips(&self) -> Result<Chips, SpecError> {
        let key = self.path.rsplit('.').next().unwrap_or_default();
        let example = if key.contains('[') { String::new() } else { format!(", as in `{key} = 5.5`") };
        let expected =
            format!("must be an amount above 0 and up to {}, with at most two decimals{example}", Chips::MAX);
        let number = match self.value.get_ref() {
            DeValue::Integer(_) | DeValue::Float(_) => self.any_number()?,
            other => return Err(self.error(expected).label(format!("this is {}", kind(other)))),
        };
        let amount = number.and_then(Chips::from_f64).filter(|&amount| amount > Chips::ZERO);
        amount.ok_or_else(|| self.error(expected))
    }
}

/// The type of a value with its article.
fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
