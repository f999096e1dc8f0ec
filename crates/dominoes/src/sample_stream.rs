//! A training source: positions of many table files in an order that depends on a seed alone.

use std::io;
use std::path::{Path, PathBuf};

use crate::deal::Deal;
use crate::declaration::Declaration;
use crate::random::SplitMix64;
use crate::run::{RunError, read_table_file};
use crate::table::rows::Row;
use crate::table::sample::SampleOptions;
use crate::table::{Table, Threads};

/// How positions of many tables follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamOptions {
    /// Which positions are drawn of each table; its seed is that of the whole order.
    pub sample: SampleOptions,
    /// Whether tables come in a random order, another one in each pass, and the positions of several are mixed.
    pub is_shuffled: bool,
    /// How many tables are mixed.
    pub mixed: usize,
    /// How often every table is drawn from.
    pub passes: u64,
    /// Which of the workers this is, from 0 on.
    pub rank: u64,
    /// Among how many workers the tables are divided.
    pub world_size: u64,
}

/// Positions of some tables, in the order in which they are to be trained on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampleGroup {
    /// The tables: what was dealt and declared.
    pub tables: Vec<(Deal, Declaration)>,
    /// The positions and their values, each with the number of its table in `tables`.
    pub rows: Vec<(Row, u32)>,
}

/// The positions of many table files for one worker. They come in groups, each of which depends on its number alone: so groups can be
/// made by several threads, and the order can be taken up anywhere.
///
/// The tables of all passes form one sequence, and each worker has every `world_size`-th of it: no two share a table of a pass.
#[derive(Clone, Debug)]
pub struct SampleStream {
    files: Vec<PathBuf>,
    options: StreamOptions,
}

impl SampleStream {
    /// The stream of these files; none if there are none, no workers, or nothing to mix.
    pub fn new(files: Vec<PathBuf>, options: StreamOptions) -> Option<Self> {
        let is_fine = !files.is_empty() && options.rank < options.world_size && options.mixed > 0;
        is_fine.then_some(Self { files, options })
    }

    /// How many tables this worker draws from, in all passes.
    pub fn tables(&self) -> u64 {
        let all = self.options.passes.saturating_mul(self.files.len() as u64);
        all.saturating_sub(self.options.rank).div_ceil(self.options.world_size)
    }

    /// How many positions there are for this worker.
    pub fn positions(&self) -> u64 {
        self.tables().saturating_mul(self.options.sample.count)
    }

    /// Positions of a whole group; the last one may have fewer.
    pub fn group_size(&self) -> u64 {
        self.group_tables() * self.options.sample.count
    }

    /// How many groups there are.
    pub fn groups(&self) -> u64 {
        self.tables().div_ceil(self.group_tables())
    }

    fn group_tables(&self) -> u64 {
        if self.options.is_shuffled { self.options.mixed as u64 } else { 1 }
    }

    /// Makes a group.
    pub fn group(&self, number: u64) -> Result<SampleGroup, RunError> {
        let first = number.saturating_mul(self.group_tables());
        let last = first.saturating_add(self.group_tables()).min(self.tables());
        let mut group = SampleGroup::default();
        for place in first..last {
            self.draw(place, &mut group)?;
        }
        if self.options.is_shuffled {
            shuffle(
                &mut group.rows,
                SplitMix64::new(self.options.sample.seed ^ GROUP, number ^ self.options.rank << 48),
            );
        }
        Ok(group)
    }

    /// Draws from a table of this worker, by its place in the sequence.
    fn draw(&self, place: u64, group: &mut SampleGroup) -> Result<(), RunError> {
        let StreamOptions { sample, rank, world_size, .. } = self.options;
        let (of_all, count) = (rank + place * world_size, self.files.len() as u64);
        let (pass, number) = (of_all / count, of_all % count);
        let path = &self.files[self.file_at(pass, number)];
        let failed = |error| RunError::Table { path: path.clone(), error };
        let (head, table) = Table::from_bytes(read_table_file(path)?, Threads::One).map_err(failed)?;
        // By what the table is and not by its name: the same tables under other names give the same positions.
        let own = u64::from_le_bytes(*head.digest.0.first_chunk().unwrap_or(&[0; 8]));
        let seed = SplitMix64::new(SplitMix64::new(sample.seed, own).next(), pass).next();
        let table_number = group.tables.len() as u32;
        group.tables.push((head.deal, head.declaration));
        let drawn = table.sample_by_look_ups(&SampleOptions { seed, ..sample });
        group.rows.extend(drawn.into_iter().map(|row| (row, table_number)));
        Ok(())
    }

    /// Which file has a place in a pass.
    fn file_at(&self, pass: u64, number: u64) -> usize {
        if !self.options.is_shuffled {
            return number as usize;
        }
        permuted(self.files.len() as u64, number, self.options.sample.seed ^ PASS, pass) as usize
    }
}

/// What keeps the random numbers of two purposes apart.
const GROUP: u64 = 0x6772_6f75_7073;
const PASS: u64 = 0x7061_7373_6573;

/// Fisher and Yates' shuffle.
fn shuffle<T>(items: &mut [T], mut random: SplitMix64) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last as u64 + 1) as usize);
    }
}

/// Where a number below `count` goes in a random permutation of all of them, without making the permutation: a Feistel network on the
/// next power of four, walked until it is below `count` (Black and Rogaway, *Ciphers with arbitrary finite domains*, 2002).
fn permuted(count: u64, number: u64, seed: u64, pass: u64) -> u64 {
    let half = (u64::BITS - count.saturating_sub(1).leading_zeros()).div_ceil(2).max(1);
    let mask = (1_u64 << half) - 1;
    let mut at = number;
    loop {
        let (mut left, mut right) = (at >> half, at & mask);
        for round in 0..4 {
            let mixed = SplitMix64::new(seed ^ pass << 8 ^ round, right).next() & mask;
            (left, right) = (right, left ^ mixed);
        }
        at = left << half | right;
        if at < count {
            return at;
        }
    }
}

/// The table files (`.n42`) in a folder and in the folders within, by their paths.
pub fn find_table_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in noregret_store::list(&folder)? {
            let path = folder.join(&entry.name);
            if entry.is_directory {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "n42") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Layout;
    use crate::table::sample::Levels;
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;

    fn options() -> StreamOptions {
        let sample = SampleOptions {
            count: 50,
            levels: Levels::ALL,
            is_balanced: false,
            layout: Layout::ToGo,
            seed: 3,
        };
        StreamOptions { sample, is_shuffled: true, mixed: 3, passes: 1, rank: 0, world_size: 1 }
    }

    fn folder(tables: u64) -> (tempfile::TempDir, Vec<PathBuf>) {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("more")).unwrap();
        for seed in 0..tables {
            let declaration = Declaration::new((seed % 10) as u8).unwrap();
            let table = Table::solve(&Deal::from_seed(seed), declaration, Threads::Pool);
            let place = if seed % 2 == 0 { "" } else { "more/" };
            fs::write(folder.path().join(format!("{place}{seed}.n42")), table.to_bytes(Some(seed))).unwrap();
        }
        fs::write(folder.path().join("notes.txt"), "x").unwrap();
        let files = find_table_files(folder.path()).unwrap();
        (folder, files)
    }

    /// The rows of a group, each with what it is a position of.
    fn with_tables(group: &SampleGroup) -> Vec<(Row, Deal, Declaration)> {
        let of_table = |&(row, table): &(Row, u32)| {
            let (deal, declaration) = group.tables[table as usize];
            (row, deal, declaration)
        };
        group.rows.iter().map(of_table).collect()
    }

    fn all(stream: &SampleStream) -> Vec<(Row, Deal, Declaration)> {
        (0..stream.groups()).flat_map(|group| with_tables(&stream.group(group).unwrap())).collect()
    }

    #[test]
    fn every_table_gives_as_many_positions_in_each_pass_and_workers_share_none() {
        let (_folder, files) = folder(7);
        assert_eq!(files.len(), 7);
        for is_shuffled in [false, true] {
            let whole =
                SampleStream::new(files.clone(), StreamOptions { is_shuffled, passes: 2, ..options() })
                    .unwrap();
            let rows = all(&whole);
            assert_eq!((rows.len() as u64, whole.positions()), (7 * 50 * 2, 7 * 50 * 2));
            let mut counts = BTreeMap::new();
            rows.iter().for_each(|(_, deal, _)| *counts.entry(deal.to_string()).or_insert(0) += 1);
            assert!(counts.len() == 7 && counts.values().all(|&count| count == 100));
            let mut of_workers = Vec::new();
            for rank in 0..3 {
                let options = StreamOptions { is_shuffled, passes: 2, rank, world_size: 3, ..options() };
                let part = SampleStream::new(files.clone(), options).unwrap();
                let part_rows = all(&part);
                assert_eq!(part_rows.len() as u64, part.positions());
                of_workers.extend(part_rows);
            }
            let sorted = |rows: &[(Row, Deal, Declaration)]| {
                let mut keys: Vec<_> =
                    rows.iter().map(|(row, deal, _)| (deal.to_string(), row.state, row.moves)).collect();
                keys.sort();
                keys
            };
            assert_eq!(sorted(&of_workers), sorted(&rows));
        }
    }

    #[test]
    fn positions_are_those_of_the_tables_and_mixed() {
        let (_folder, files) = folder(6);
        let stream = SampleStream::new(files, options()).unwrap();
        let group = with_tables(&stream.group(1).unwrap());
        assert_eq!(group, with_tables(&stream.group(1).unwrap()));
        let deals: BTreeSet<String> = group.iter().map(|(_, deal, _)| deal.to_string()).collect();
        assert_eq!((deals.len(), group.len()), (3, 150));
        // A table's positions do not come in one piece.
        let changes = group.windows(2).filter(|pair| pair[0].1 != pair[1].1).count();
        assert!(changes > 50, "{changes}");
        for (row, deal, declaration) in group.iter().take(20) {
            let table = Table::solve(deal, *declaration, Threads::One);
            assert_eq!(table.look_up(row.state, Layout::ToGo).unwrap(), *row);
        }
        let other = StreamOptions { sample: SampleOptions { seed: 4, ..options().sample }, ..options() };
        let other = SampleStream::new(stream.files.clone(), other).unwrap().group(1).unwrap();
        assert_ne!(with_tables(&other), group);
    }

    #[test]
    fn a_permutation_has_every_number_once() {
        for count in [1, 2, 3, 7, 64, 1000, 1025] {
            for pass in 0..3 {
                let places: BTreeSet<u64> =
                    (0..count).map(|number| permuted(count, number, 9, pass)).collect();
                assert_eq!((places.len() as u64, places.last().copied()), (count, Some(count - 1)));
            }
        }
        let order = |pass| (0..100).map(|number| permuted(100, number, 9, pass)).collect::<Vec<_>>();
        assert_ne!(order(0), order(1));
    }

    #[test]
    fn what_is_no_stream_is_none_and_a_damaged_table_is_named() {
        let (_folder, files) = folder(1);
        assert!(SampleStream::new(Vec::new(), options()).is_none());
        assert!(SampleStream::new(files.clone(), StreamOptions { rank: 1, ..options() }).is_none());
        fs::write(&files[0], b"nonsense").unwrap();
        let error = SampleStream::new(files, options()).unwrap().group(0).unwrap_err().to_string();
        assert!(error.contains("0.n42"), "{error}");
    }
}
