//! Seeds and declarations as users write them: `0..100`, `7`, `1,5,20..=29`; `blanks,9`, `all`.

use noregret_dominoes::{Declaration, SampleShard, Split, TableJob};
use noregret_store::Shard;
use std::fmt;
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
                Some(last) if *range.start() <= last.end().saturating_add(1) => {
                    *last = *last.start()..=*last.end().max(range.end());
                }
                _ => merged.push(range),
            }
        }
        Ok(Self(merged))
    }
}

impl fmt::Display for Seeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, range) in self.0.iter().enumerate() {
            write!(f, "{}{}..={}", if i == 0 { "" } else { "," }, range.start(), range.end())?;
        }
        Ok(())
    }
}

impl Seeds {
    /// How many there are.
    pub fn count(&self) -> u64 {
        let count = |range: &RangeInclusive<u64>| u128::from(range.end() - range.start()) + 1;
        u64::try_from(self.0.iter().map(count).sum::<u128>()).unwrap_or(u64::MAX)
    }

    /// The thousands that have some of them, ascending.
    pub fn shards(&self) -> impl Iterator<Item = SampleShard> {
        let mut last = None;
        self.0
            .iter()
            .flat_map(|range| SampleShard::of_seed(*range.start()).0..=SampleShard::of_seed(*range.end()).0)
            .filter(move |&shard| last.replace(shard) != Some(shard))
            .map(SampleShard)
    }

    /// Those within a range.
    pub fn within(&self, bounds: &RangeInclusive<u64>) -> Self {
        let common =
            |range: &RangeInclusive<u64>| *range.start().max(bounds.start())..=*range.end().min(bounds.end());
        Self(self.0.iter().map(common).filter(|range| !range.is_empty()).collect())
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
pub struct TablePlan {
    pub seeds: Seeds,
    pub declarations: Declarations,
    /// How many deals of the other three hands there are for each seed's first hand, if the seed does not deal them.
    pub opponents: Option<u32>,
    pub shard: Shard,
}

impl TablePlan {
    /// The jobs in order.
    pub fn jobs(&self) -> impl Iterator<Item = TableJob> {
        let shard = self.shard;
        let all = self.jobs_of(&self.seeds).zip(0..);
        all.filter_map(move |(job, number)| shard.has(number).then_some(job))
    }

    /// The jobs of some seeds, whichever shard they belong to.
    pub fn jobs_of(&self, seeds: &Seeds) -> impl Iterator<Item = TableJob> {
        seeds.0.iter().cloned().flatten().flat_map(|seed| self.jobs_of_seed(seed))
    }

    /// How many jobs some seeds have.
    pub fn count_of(&self, seeds: &Seeds) -> u64 {
        let jobs = self.deals().saturating_mul(self.declarations.0.len() as u64);
        seeds.count().saturating_mul(jobs)
    }

    /// The jobs of a seed, whichever shard they belong to.
    fn jobs_of_seed(&self, seed: u64) -> impl Iterator<Item = TableJob> {
        (0..self.deals()).flat_map(move |number| {
            let opponents = self.opponents.map(|_| number);
            self.declarations.0.iter().map(move |&declaration| TableJob { seed, opponents, declaration })
        })
    }

    /// Whether some seed belongs to this part of a data set.
    pub fn has_split(&self, split: Split) -> bool {
        // The parts repeat every thousand seeds, so that two thousands show all.
        let of = |range: &RangeInclusive<u64>| {
            let shards = Seeds(vec![range.clone()]).shards().take(2).collect::<Vec<_>>();
            shards.into_iter().any(|shard| {
                let part = shard.seeds_of(split);
                range.start() <= part.end() && part.start() <= range.end()
            })
        };
        self.seeds.0.iter().any(of)
    }

    /// How many deals each seed has.
    fn deals(&self) -> u64 {
        self.opponents.map_or(1, u64::from)
    }

    /// How many jobs there are.
    pub fn count(&self) -> u64 {
        self.shard.share_of(self.count_of(&self.seeds))
    }

    /// Whether the job is one of this run's own, and not another shard's.
    pub fn covers(&self, job: &TableJob) -> bool {
        let Some(place) = self.declarations.0.iter().position(|known| *known == job.declaration) else {
            return false;
        };
        let declarations = self.declarations.0.len() as u128;
        let deal = match (self.opponents, job.opponents) {
            (None, None) => 0,
            (Some(count), Some(number)) if number < u64::from(count) => u128::from(number),
            _ => return false,
        };
        let mut seeds_before = 0_u128;
        self.seeds.0.iter().any(|range| {
            let seeds = seeds_before;
            seeds_before += u128::from(range.end() - range.start()) + 1;
            range.contains(&job.seed) && {
                let seed = seeds + u128::from(job.seed - range.start());
                let number = (seed * u128::from(self.deals()) + deal) * declarations + place as u128;
                u64::try_from(number).is_ok_and(|number| self.shard.has(number))
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
        // The same seeds print the same, however they were written.
        assert_eq!("3..5,0..3,2,4".parse::<Seeds>().unwrap().to_string(), "0..=4");
        assert_eq!(seeds("5..2").unwrap_err(), "seed range `5..2` runs backwards");
        assert_eq!(seeds("5..=4").unwrap_err(), "seed range `5..=4` runs backwards");
        assert_eq!(seeds("5..5").unwrap_err(), "seed range `5..5` is empty: it ends before 5");
        for bad in ["", "x", "1..", "..4", "-1", "1...4", "1,,2"] {
            assert!(seeds(bad).unwrap_err().contains("is not a seed or a range"), "{bad}");
        }
    }

    #[test]
    fn seeds_by_thousands_and_parts_of_a_data_set_are_each_there_once() {
        let seeds: Seeds = "5..=7,898..=903,2949..=2950,2999".parse().unwrap();
        let shards: Vec<u64> = seeds.shards().map(|shard| shard.0).collect();
        assert_eq!(shards, [0, 2]);
        assert_eq!(seeds.within(&SampleShard(0).seeds_of(Split::Train)).to_string(), "5..=7,898..=899");
        assert_eq!(seeds.within(&SampleShard(2).seeds_of(Split::Val)).to_string(), "2949..=2949");
        assert_eq!(seeds.within(&SampleShard(1).seeds()).count(), 0);
        for text in
            ["5", "0..900", "899..=900", "1949..=1950", "950..1900", "1899..=2900", "0..18446744073709551615"]
        {
            let plan = TablePlan {
                seeds: text.parse().unwrap(),
                declarations: "0".parse().unwrap(),
                opponents: None,
                shard: Shard::WHOLE,
            };
            for split in Split::ALL {
                let found = plan.jobs().take(2000).any(|job| job.split() == split);
                assert_eq!(plan.has_split(split), found, "{text} {}", split.name());
            }
        }
    }

    #[test]
    fn shards_split_the_jobs_without_a_gap() {
        let plan = |shard: &str| TablePlan {
            seeds: "0..7".parse().unwrap(),
            declarations: "all,3".parse().unwrap(),
            opponents: None,
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
    fn opponents_multiply_the_jobs_and_are_covered() {
        let plan = |shard: &str| TablePlan {
            seeds: "3..5".parse().unwrap(),
            declarations: "1,9".parse().unwrap(),
            opponents: Some(3),
            shard: shard.parse().unwrap(),
        };
        let jobs: Vec<_> = plan("1/1").jobs().collect();
        assert_eq!((jobs.len(), plan("1/1").count()), (12, 12));
        assert_eq!((jobs[2].seed, jobs[2].opponents), (3, Some(1)));
        for job in &jobs {
            let shards = ["1/2", "2/2"].map(|shard| plan(shard).covers(job));
            assert_eq!(shards.iter().filter(|covers| **covers).count(), 1);
        }
        assert!(!plan("1/1").covers(&TableJob { opponents: Some(3), ..jobs[0] }));
        assert!(!plan("1/1").covers(&TableJob { opponents: None, ..jobs[0] }));
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
