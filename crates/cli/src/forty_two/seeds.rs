//! Seeds and declarations as users write them: `0..100`, `7`, `1,5,20..=29`; `blanks,9`, `all`.

use noregret_dominoes::{Declaration, Job};
use noregret_store::Shard;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Ranges of seeds, ascending, each seed once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeds(Vec<RangeInclusive<u64>>);

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut ranges: Vec<RangeInclusive<u64>> =
            text.split(',').map(|part| parse_range(part.trim())).collect::<Result<_, _>>()?;
        ranges.sort_by_key(|range| *range.start());
        let mut merged: Vec<RangeInclusive<u64>> = Vec::new();
        for range in ranges {
            match merged.last_mut() {
                Some(last) if range.start() <= last.end() => {
                    *last = *last.start()..=*last.end().max(range.end());
                }
                _ => merged.push(range),
            }
        }
        Ok(Self(merged))
    }
}

fn parse_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    let number = |part: &str| {
        part.parse::<u64>().map_err(|_| {
            format!("`{text}` is not a seed or a range: write 7, 0..100 (without 100) or 0..=99")
        })
    };
    let Some((from, to)) = text.split_once("..") else {
        return number(text).map(|seed| seed..=seed);
    };
    let from = number(from)?;
    let (last, is_empty) = match to.strip_prefix('=') {
        Some(to) => (number(to)?, false),
        None => {
            let end = number(to)?;
            (end.saturating_sub(1), end == from)
        }
    };
    if is_empty {
        Err(format!("seed range `{text}` is empty: it ends before {from}"))
    } else if last < from {
        Err(format!("seed range `{text}` runs backwards"))
    } else {
        Ok(from..=last)
    }
}

/// A list of declarations, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declarations(pub Vec<Declaration>);

impl FromStr for Declarations {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut list = Vec::new();
        for name in text.split(',').map(str::trim) {
            let named = match name {
                "all" => Declaration::all().collect(),
                _ => vec![name.parse().map_err(|error| format!("{error}, or all"))?],
            };
            list.extend(named.into_iter().filter(|new| !list.contains(new)).collect::<Vec<_>>());
        }
        Ok(Self(list))
    }
}

/// What a run makes: every seed under every declaration, of which a shard takes its part.
#[derive(Clone, Debug)]
pub struct Plan {
    pub seeds: Seeds,
    pub declarations: Declarations,
    pub shard: Shard,
}

impl Plan {
    /// The jobs in order.
    pub fn jobs(&self) -> impl Iterator<Item = Job> {
        let shard = self.shard;
        self.seeds
            .0
            .iter()
            .cloned()
            .flatten()
            .flat_map(|seed| self.declarations.0.iter().map(move |&declaration| Job { seed, declaration }))
            .zip(0..)
            .filter_map(move |(job, number)| shard.has(number).then_some(job))
    }

    /// How many jobs there are.
    pub fn count(&self) -> u64 {
        let seeds: u128 = self.seeds.0.iter().map(|range| u128::from(range.end() - range.start()) + 1).sum();
        let all = u64::try_from(seeds * self.declarations.0.len() as u128).unwrap_or(u64::MAX);
        self.shard.share_of(all)
    }

    /// Whether the job is one of this run's own, and not another shard's.
    pub fn covers(&self, job: &Job) -> bool {
        let Some(place) = self.declarations.0.iter().position(|known| *known == job.declaration) else {
            return false;
        };
        let declarations = self.declarations.0.len() as u128;
        let mut seeds_before = 0_u128;
        self.seeds.0.iter().any(|range| {
            let seeds = seeds_before;
            seeds_before += u128::from(range.end() - range.start()) + 1;
            range.contains(&job.seed) && {
                let seed = seeds + u128::from(job.seed - range.start());
                u64::try_from(seed * declarations + place as u128).is_ok_and(|number| self.shard.has(number))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_lists_parse() {
        let seeds =
            |text: &str| text.parse::<Seeds>().map(|seeds| seeds.0.into_iter().flatten().collect::<Vec<_>>());
        assert_eq!(seeds("7"), Ok(vec![7]));
        assert_eq!(seeds("0..3, 9,20..=21"), Ok(vec![0, 1, 2, 9, 20, 21]));
        assert_eq!(seeds("5..2").unwrap_err(), "seed range `5..2` runs backwards");
        assert_eq!(seeds("5..=4").unwrap_err(), "seed range `5..=4` runs backwards");
        assert_eq!(seeds("5..5").unwrap_err(), "seed range `5..5` is empty: it ends before 5");
        for bad in ["", "x", "1..", "..4", "-1", "1...4", "1,,2"] {
            assert!(seeds(bad).unwrap_err().contains("is not a seed or a range"), "{bad}");
        }
    }

    #[test]
    fn shards_split_the_jobs_without_a_gap() {
        let plan = |shard: &str| Plan {
            seeds: "0..7".parse().unwrap(),
            declarations: "all,3".parse().unwrap(),
            shard: shard.parse().unwrap(),
        };
        let mut all = Vec::new();
        for shard in ["1/3", "2/3", "3/3"] {
            let jobs: Vec<_> = plan(shard).jobs().collect();
            assert_eq!(jobs.len() as u64, plan(shard).count());
            all.extend(jobs);
        }
        all.sort();
        assert_eq!(all, plan("1/1").jobs().collect::<Vec<_>>());
        assert_eq!(all.len(), 70);
        for bad in ["0/3", "4/3", "1/0", "1", "a/b"] {
            let error = bad.parse::<Shard>().unwrap_err().to_string();
            assert_eq!(error, format!("`{bad}` is not a shard: write i/n with i from 1 to n, like 2/8"));
        }
    }

    #[test]
    fn an_unknown_declaration_is_told_the_names() {
        let error = "blanks,sevens".parse::<Declarations>().unwrap_err();
        assert!(
            error.starts_with("unknown declaration `sevens`") && error.ends_with("no-trump, or all"),
            "{error}"
        );
    }
}
