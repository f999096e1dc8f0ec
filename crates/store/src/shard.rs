//! A run of many jobs on many machines.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// One machine's part of a run: the `i`th of `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    part: u64,
    parts: u64,
}

impl Shard {
    /// The whole run.
    pub const WHOLE: Self = Self { part: 1, parts: 1 };

    /// Whether the job with this number is in it.
    pub fn has(&self, number: u64) -> bool {
        number % self.parts == self.part - 1
    }

    /// How many of so many jobs are in it.
    pub fn share_of(&self, jobs: u64) -> u64 {
        jobs / self.parts + u64::from(jobs % self.parts >= self.part)
    }

    /// The name of a file of its own: `manifest.tsv`, or `manifest-2-of-8.tsv`.
    pub fn named(&self, stem: &str, extension: &str) -> String {
        match self.parts {
            1 => format!("{stem}.{extension}"),
            _ => format!("{stem}-{}-of-{}.{extension}", self.part, self.parts),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.parts)
    }
}

/// A text that is no shard.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a shard: write i/n with i from 1 to n, like 2/8")]
pub struct ParseShardError(String);

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (part, parts) = text.split_once('/')?;
            Some(Self { part: part.parse().ok()?, parts: parts.parse().ok()? })
        };
        parse()
            .filter(|shard| (1..=shard.parts).contains(&shard.part))
            .ok_or_else(|| ParseShardError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_out_every_job_once() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].iter().map(|shard| shard.parse().unwrap()).collect();
        for job in 0..20 {
            assert_eq!(shards.iter().filter(|shard| shard.has(job)).count(), 1);
        }
        assert_eq!(shards.iter().map(|shard| shard.share_of(20)).collect::<Vec<_>>(), [7, 7, 6]);
        assert_eq!(Shard::WHOLE.named("journal", "jsonl"), "journal.jsonl");
        assert_eq!(shards[1].named("journal", "jsonl"), "journal-2-of-3.jsonl");
    }

    #[test]
    fn what_is_no_shard_is_refused() {
        for bad in ["0/3", "4/3", "1/0", "1", "a/b", "1/2/3", ""] {
            let error = bad.parse::<Shard>().unwrap_err().to_string();
            assert_eq!(error, format!("`{bad}` is not a shard: write i/n with i from 1 to n, like 2/8"));
        }
    }
}
