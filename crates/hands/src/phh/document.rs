//! The TOML of a document, with the lines that things stand in.

use crate::history_error::Fault;
use crate::money::{Money, MoneyUnit};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Every key of the format. Others are taken for slips, but for those that begin with an underscore, which are anybody's own.
const KEYS: [&str; 36] = [
    "variant",
    "ante_trimming_status",
    "antes",
    "blinds_or_straddles",
    "bring_in",
    "small_bet",
    "big_bet",
    "min_bet",
    "starting_stacks",
    "actions",
    "author",
    "event",
    "url",
    "venue",
    "address",
    "city",
    "region",
    "postal_code",
    "country",
    "time",
    "time_zone",
    "time_zone_abbreviation",
    "day",
    "month",
    "year",
    "hand",
    "level",
    "seats",
    "seat_count",
    "table",
    "players",
    "finishing_stacks",
    "winnings",
    "currency",
    "currency_symbol",
    "time_limit",
];

/// Where the lines of a document begin.
pub(super) struct LineStarts {
    starts: Vec<usize>,
    /// How many lines are before it, where a text has several documents.
    before: u32,
}

impl LineStarts {
    pub fn of(text: &str, before: u32) -> Self {
        let after_ends = text.bytes().zip(1..).filter(|(byte, _)| *byte == b'\n').map(|(_, next)| next);
        Self { starts: [0].into_iter().chain(after_ends).collect(), before }
    }

    /// The line of a place in the document, from 1 for the first of the text.
    fn line(&self, offset: usize) -> u32 {
        self.before + self.starts.partition_point(|&start| start <= offset) as u32
    }
}

/// The most letters of the number of a hand.
const LONGEST_ID: usize = 60;

/// The table of one hand.
pub(super) struct PhhTable<'a> {
    /// The name of the table, where a document has several.
    name: Option<&'a str>,
    table: &'a DeTable<'a>,
    lines: &'a LineStarts,
    start: usize,
}

/// The document.
pub(super) fn parse<'t>(text: &'t str, lines: &LineStarts) -> Result<Spanned<DeTable<'t>>, Fault> {
    DeTable::parse(text).map_err(|error| {
        let line = lines.line(error.span().map_or(0, |span| span.start));
        Fault::new(line, format!("this is no TOML: {}", error.message()))
    })
}

/// The hands of a document: itself, or each of its tables.
pub(super) fn tables<'a>(
    root: &'a Spanned<DeTable<'a>>,
    lines: &'a LineStarts,
) -> Result<Vec<PhhTable<'a>>, Fault> {
    let table = root.get_ref();
    if table.contains_key("variant") {
        return Ok(vec![PhhTable { name: None, table, lines, start: 0 }]);
    }
    let mut tables = Vec::new();
    for (key, value) in table {
        let line = lines.line(key.span().start);
        let DeValue::Table(table) = value.get_ref() else {
            return Err(Fault::new(line, "this is no hand: `variant` is missing"));
        };
        tables.push(PhhTable { name: Some(key.get_ref().as_ref()), table, lines, start: key.span().start });
    }
    tables.sort_by_key(|table| table.start);
    Ok(tables)
}

impl<'a> PhhTable<'a> {
    /// The line that it begins at.
    pub fn line(&self) -> u32 {
        self.lines.line(self.start)
    }

    /// An error about a key that has to be there.
    pub fn missing(&self, key: &str) -> Fault {
        Fault::new(self.line(), format!("`{key}` is missing"))
    }

    /// Refuses keys that the format does not have.
    pub fn check_keys(&self) -> Result<(), Fault> {
        let is_known = |key: &str| key.starts_with('_') || key == "time_banks" || KEYS.contains(&key);
        match self.table.keys().find(|key| !is_known(key.get_ref())) {
            Some(key) => Err(Fault::new(self.lines.line(key.span().start), "the format has no such key")),
            None => Ok(()),
        }
    }

    fn value(&self, key: &str) -> Option<(&'a Spanned<DeValue<'a>>, u32)> {
        let value = self.table.get(key)?;
        Some((value, self.lines.line(value.span().start)))
    }

    fn wrong(&self, key: &str, line: u32, kind: &str) -> Fault {
        Fault::new(line, format!("`{key}` must be {kind}"))
    }

    /// A text.
    pub fn text(&self, key: &str) -> Result<Option<(&'a str, u32)>, Fault> {
        let Some((value, line)) = self.value(key) else { return Ok(None) };
        let text = value.get_ref().as_str().ok_or_else(|| self.wrong(key, line, "a text in quotes"))?;
        Ok(Some((text, line)))
    }

    /// Whether it has a key.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// A yes or no; no if it is not told.
    pub fn flag(&self, key: &str) -> Result<bool, Fault> {
        let Some((value, line)) = self.value(key) else { return Ok(false) };
        value.get_ref().as_bool().ok_or_else(|| self.wrong(key, line, "`true` or `false`"))
    }

    /// A text or a number as a text; empty if it is neither.
    pub fn word(&self, key: &str) -> String {
        match self.value(key).map(|(value, _)| value.get_ref()) {
            Some(DeValue::String(text)) => text.to_string(),
            Some(DeValue::Integer(number)) => number.as_str().to_owned(),
            _ => String::new(),
        }
    }

    /// A list of texts with their lines, and the line of the list.
    #[expect(clippy::type_complexity, reason = "a list with its line, as everything here")]
    pub fn texts(&self, key: &str) -> Result<Option<(Vec<(&'a str, u32)>, u32)>, Fault> {
        let Some((value, line)) = self.value(key) else { return Ok(None) };
        let items = value.get_ref().as_array().ok_or_else(|| self.wrong(key, line, "a list of texts"))?;
        let mut texts = Vec::new();
        for item in items.iter() {
            let line = self.lines.line(item.span().start);
            texts.push((
                item.get_ref().as_str().ok_or_else(|| self.wrong(key, line, "a list of texts"))?,
                line,
            ));
        }
        Ok(Some((texts, line)))
    }

    /// An amount.
    pub fn amount(&self, key: &str, unit: MoneyUnit) -> Result<Option<(Money, u32)>, Fault> {
        let Some((value, line)) = self.value(key) else { return Ok(None) };
        let amount = digits(value.get_ref()).and_then(|text| unit.parse(text));
        Ok(Some((amount.ok_or_else(|| self.wrong(key, line, "an amount of at least 0"))?, line)))
    }

    /// A list of amounts, and its line.
    pub fn amounts(&self, key: &str, unit: MoneyUnit) -> Result<Option<(Vec<Money>, u32)>, Fault> {
        let Some((value, line)) = self.value(key) else { return Ok(None) };
        let wrong = || self.wrong(key, line, "a list of amounts of at least 0");
        let items = value.get_ref().as_array().ok_or_else(wrong)?;
        let amount = |item: &Spanned<DeValue<'a>>| digits(item.get_ref()).and_then(|text| unit.parse(text));
        let amounts: Option<Vec<Money>> = items.iter().map(amount).collect();
        Ok(Some((amounts.ok_or_else(wrong)?, line)))
    }

    /// The digits of every amount, with their lines.
    pub fn number_texts(&self) -> Vec<(&'a str, u32)> {
        let keys =
            ["antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks", "winnings", "min_bet"];
        let values = keys.into_iter().filter_map(|key| self.value(key));
        let mut texts = Vec::new();
        for (value, line) in values {
            match value.get_ref() {
                DeValue::Array(items) => {
                    texts.extend(items.iter().filter_map(|item| Some((digits(item.get_ref())?, line))));
                }
                value => texts.extend(digits(value).map(|text| (text, line))),
            }
        }
        texts
    }

    /// The number of the hand, or the name of its table. It is printed as it is, so it must be fit to be.
    pub fn id(&self) -> Result<String, Fault> {
        let number = self.word("hand");
        let (id, line) = match self.value("hand") {
            Some((_, line)) if !number.is_empty() => (number, line),
            _ => (self.name.unwrap_or("1").to_owned(), self.line()),
        };
        if id.chars().any(char::is_control) || id.chars().count() > LONGEST_ID {
            let message = format!("the number of a hand is one line of at most {LONGEST_ID} letters");
            return Err(Fault::new(line, message));
        }
        Ok(id)
    }

    /// When it was played: the date, as far as it is told.
    pub fn time(&self) -> String {
        let parts = ["year", "month", "day"].map(|key| self.word(key));
        if parts.iter().any(String::is_empty) {
            return parts[0].clone();
        }
        let [year, month, day] = parts;
        format!("{year}/{month:0>2}/{day:0>2}")
    }
}

/// The digits of a number as they are written.
fn digits<'a>(value: &'a DeValue<'_>) -> Option<&'a str> {
    match value {
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str()),
        DeValue::Float(number) => Some(number.as_str()),
        _ => None,
    }
}
