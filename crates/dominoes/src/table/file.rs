//! The `.n42` file: a solved deal in some kilobytes.
//!
//! A container of `noregret-store` with the sections `deal`, `sum` and `lv4` to `lv7`. Which positions are reachable is found
//! again on reading, and so are the values with at most three tricks left: they are nine of ten,
//! and packing them would take nearly half as long as solving the deal.

use noregret_store::{Container, ContainerError, Digest, Kind, OutputKind, Section};

use crate::deal::Deal;
use crate::declaration::Declaration;
use crate::domino::Domino;
use crate::hand::Hand;
use crate::position::Position;
use crate::seat::Seat;
use crate::solver::backward::{LevelValues, solve_level};
use crate::solver::level::TRICKS;
use crate::solver::reachable::Reachable;
use crate::solver::rule_tables::RuleTables;
use crate::table::codec::{decode_level, encode_level};
use crate::table::{PackedValues, Table, Threads};

/// What a table file begins with.
pub(crate) const MAGIC: [u8; 8] = *b"NOREGR42";
/// Table files, for knowing what they may be written over.
pub const TABLE_OUTPUT: OutputKind =
    OutputKind { name: "a Texas 42 table", endings: &["n42"], beginnings: &[&MAGIC] };
/// What table files begin with, and which version is written.
pub const KIND: Kind = Kind { magic: MAGIC, version: 1, name: "Texas 42 table" };
const DEAL: [u8; 4] = *b"deal";
const SUMMARY: [u8; 4] = *b"sum ";
/// Levels below this one are solved again on reading.
const LOWEST_STORED: usize = 4;

/// The first things that people ask of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSummary {
    /// Positions between tricks.
    pub positions: u32,
    /// The value of each move at the start, as the difference in points, by local index.
    pub root_moves: [i8; 7],
}

impl TableSummary {
    /// Sums up a table.
    pub fn of(table: &Table) -> Self {
        let root = table.evaluate_reachable(&Position::START);
        Self {
            positions: table.positions() as u32,
            root_moves: root.moves.map(|points| root.difference(points.unwrap_or(0))),
        }
    }

    /// The value of the deal under best play.
    pub fn root_value(&self) -> i8 {
        self.root_moves.into_iter().max().unwrap_or(0)
    }

    /// The positions and the seven values, with spaces between.
    pub(crate) fn to_text(self) -> String {
        self.root_moves.iter().fold(self.positions.to_string(), |text, value| format!("{text} {value}"))
    }

    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let (positions, moves) = text.split_once(' ')?;
        let moves: Vec<i8> = moves.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        Some(Self { positions: positions.parse().ok()?, root_moves: moves.try_into().ok()? })
    }
}

/// What a table file is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableHeader {
    /// The seed that dealt it, if one did.
    pub seed: Option<u64>,
    /// The deal.
    pub deal: Deal,
    /// The declaration.
    pub declaration: Declaration,
    /// The first things that people ask of it.
    pub summary: TableSummary,
    /// A digest of the whole file.
    pub digest: Digest,
}

impl TableHeader {
    /// Checks that the bytes are a whole table file, every byte under a checksum, and says what it is of.
    pub fn read(bytes: Vec<u8>) -> Result<Self, ContainerError> {
        Self::of_container(&Container::decode(KIND, bytes)?)
    }

    fn of_container(container: &Container) -> Result<Self, ContainerError> {
        let bytes = container.section(DEAL)?;
        let wrong = |reason: &str| ContainerError::content(DEAL, reason);
        let (seed, rest) =
            bytes.split_first_chunk::<9>().ok_or_else(|| wrong("it is too short to hold a deal"))?;
        let ([declaration, ..], Some(dominoes)) = (rest, rest.get(1..)) else {
            return Err(wrong("it is too short to hold a deal"));
        };
        let declaration =
            Declaration::new(*declaration).ok_or_else(|| wrong("there is no such declaration"))?;
        let deal = read_deal(dominoes).ok_or_else(|| wrong("its 28 dominoes are no deal"))?;
        let seed = match seed {
            [0, ..] => None,
            [_, number @ ..] => Some(u64::from_le_bytes(*number)),
        };
        if seed.is_some_and(|seed| Deal::from_seed(seed) != deal) {
            return Err(wrong("its seed deals otherwise"));
        }
        let summary = read_summary(container.section(SUMMARY)?)
            .ok_or_else(|| ContainerError::content(SUMMARY, "a count and seven values belong there"))?;
        Ok(Self { seed, deal, declaration, summary, digest: container.digest() })
    }
}

fn read_deal(dominoes: &[u8]) -> Option<Deal> {
    let mut hands = [Hand::EMPTY; 4];
    if dominoes.len() != Domino::COUNT {
        return None;
    }
    for (hand, dealt) in hands.iter_mut().zip(dominoes.chunks(7)) {
        for &number in dealt {
            hand.insert(Domino::new(number)?);
        }
    }
    Deal::from_hands(hands).ok()
}

fn read_summary(bytes: &[u8]) -> Option<TableSummary> {
    let (positions, moves) = bytes.split_first_chunk::<4>()?;
    let moves: [u8; 7] = moves.try_into().ok()?;
    Some(TableSummary {
        positions: u32::from_le_bytes(*positions),
        root_moves: moves.map(|value| value as i8),
    })
}

fn level_tag(k: usize) -> [u8; 4] {
    [b'l', b'v', b'0' + k as u8, b' ']
}

impl Table {
    /// The table as a file. The seed, if there is one, must be the one that deals this deal.
    pub fn to_bytes(&self, seed: Option<u64>) -> Vec<u8> {
        let mut head = vec![u8::from(seed.is_some())];
        head.extend(seed.unwrap_or(0).to_le_bytes());
        head.push(self.declaration().number());
        head.extend(Seat::ALL.iter().flat_map(|&seat| self.deal().hand(seat)).map(|domino| domino.number()));
        let levels: Vec<Vec<u8>> = (LOWEST_STORED..=TRICKS)
            .map(|k| {
                let reach = &self.reach().levels[k];
                let mut level = LevelValues::scatter(reach, self.points(k));
                encode_level(self.rules(), k, reach, &mut level)
            })
            .collect();
        let summary = TableSummary::of(self);
        let mut sum = summary.positions.to_le_bytes().to_vec();
        sum.extend(summary.root_moves.map(|value| value as u8));
        let mut sections = vec![Section { tag: DEAL, bytes: &head }, Section { tag: SUMMARY, bytes: &sum }];
        sections
            .extend((LOWEST_STORED..).zip(&levels).map(|(k, bytes)| Section { tag: level_tag(k), bytes }));
        Container::encode(KIND, &sections)
    }

    /// Reads a table file, every byte checked.
    pub fn from_bytes(bytes: Vec<u8>, threads: Threads) -> Result<(TableHeader, Self), ContainerError> {
        let container = Container::decode(KIND, bytes)?;
        let head = TableHeader::of_container(&container)?;
        let rules = RuleTables::new(&head.deal, head.declaration);
        let reach = Reachable::new(&rules, threads.count());
        let mut values: [PackedValues; TRICKS + 1] = Default::default();
        let mut level = LevelValues::end();
        for (k, (lanes, values)) in reach.levels.iter().zip(&mut values).enumerate() {
            level = match k {
                0 => level,
                1..LOWEST_STORED => solve_level(&rules, k, lanes, &level, threads.count()),
                _ => decode_level(&rules, k, lanes, container.section(level_tag(k))?).ok_or_else(|| {
                    ContainerError::content(level_tag(k), "it does not hold this deal's values")
                })?,
            };
            *values = PackedValues::gather(lanes, &level);
        }
        let table = Self::from_parts(head.deal, head.declaration, rules, reach, values);
        if TableSummary::of(&table) != head.summary {
            return Err(ContainerError::content(SUMMARY, "it does not agree with the values"));
        }
        Ok((head, table))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tables_come_back_from_their_bytes() {
        for declaration in Declaration::all() {
            let seed = 50 + u64::from(declaration.number());
            let table = Table::solve(&Deal::from_seed(seed), declaration, Threads::Pool);
            let bytes = table.to_bytes(Some(seed));
            let (head, read) = Table::from_bytes(bytes.clone(), Threads::Pool).unwrap();
            assert!(read == table);
            assert_eq!((head.seed, head.deal, head.declaration), (Some(seed), *table.deal(), declaration));
            assert_eq!(TableHeader::read(bytes), Ok(head));
        }
    }

    #[test]
    fn a_flipped_byte_anywhere_is_found() {
        let table = Table::solve(&Deal::from_seed(930), Declaration::new(0).unwrap(), Threads::Pool);
        let good = table.to_bytes(None);
        for at in (0..200).chain((200..good.len()).step_by(997)) {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            assert!(TableHeader::read(bad.clone()).is_err(), "byte {at}");
            assert!(Table::from_bytes(bad, Threads::One).is_err(), "byte {at}");
        }
    }

    #[test]
    fn files_of_another_kind_or_version_say_so() {
        let read = |bytes| TableHeader::read(bytes).unwrap_err().to_string();
        assert_eq!(read(b"PAR1".to_vec()), "not a Texas 42 table file");
        let newer = Container::encode(Kind { version: 2, ..KIND }, &[]);
        assert_eq!(
            read(newer),
            "a Texas 42 table file of version 2, and this program, noregret 0.1.0, reads version 1: a later noregret wrote it and can read it"
        );
        assert_eq!(read(Container::encode(KIND, &[])), "section `deal` is missing");
        let head = |bytes: &[u8]| Container::encode(KIND, &[Section { tag: DEAL, bytes }]);
        assert_eq!(read(head(b"x")), "section `deal` cannot be read: it is too short to hold a deal");
        assert_eq!(read(head(&[0; 9])), "section `deal` cannot be read: it is too short to hold a deal");
        let numbers: Vec<u8> = (0..28).collect();
        let deal = |flag: u8, declaration: u8, dominoes: &[u8]| {
            let mut bytes = vec![flag, 0, 0, 0, 0, 0, 0, 0, 0, declaration];
            bytes.extend(dominoes);
            head(&bytes)
        };
        assert_eq!(
            read(deal(0, 10, &numbers)),
            "section `deal` cannot be read: there is no such declaration"
        );
        assert_eq!(read(deal(0, 9, &[0; 28])), "section `deal` cannot be read: its 28 dominoes are no deal");
        assert_eq!(read(deal(1, 9, &numbers)), "section `deal` cannot be read: its seed deals otherwise");
        assert_eq!(read(deal(0, 9, &numbers)), "section `sum` is missing");
        let mut both = vec![0; 9];
        both.push(9);
        both.extend(&numbers);
        let with_sum = |sum: &[u8]| {
            Container::encode(
                KIND,
                &[Section { tag: DEAL, bytes: &both }, Section { tag: SUMMARY, bytes: sum }],
            )
        };
        assert_eq!(
            read(with_sum(b"")),
            "section `sum` cannot be read: a count and seven values belong there"
        );
        let open = Table::from_bytes(with_sum(&[0; 11]), Threads::One).unwrap_err();
        assert_eq!(open.to_string(), "section `lv4` is missing");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn levels_of_any_bytes_are_refused_or_hold_possible_values(noise in prop::collection::vec(any::<u8>(), 0..400)) {
            let deal = Deal::from_seed(930);
            let rules = RuleTables::new(&deal, Declaration::new(0).unwrap());
            let reach = Reachable::new(&rules, 1);
            for k in 4..=TRICKS {
                if let Some(level) = decode_level(&rules, k, &reach.levels[k], &noise) {
                    let values = PackedValues::gather(&reach.levels[k], &level);
                    prop_assert!(values.points().iter().all(|&points| points <= 42));
                }
            }
        }
    }
}
