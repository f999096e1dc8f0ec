//! What a run was to make, as its manifest says it:
//! `seeds=0..=99 decls=0,9 opponents=none shard=1/1 split=none format=table`.

use super::seeds::TablePlan;
use noregret_dominoes::{FileName, Split, TableJob};
use std::fmt;
use std::str::FromStr;

/// What a run was to put into one folder.
#[derive(Clone, Debug)]
pub struct PlannedRun {
    pub plan: TablePlan,
    /// The part of a data set that the folder is for.
    pub split: Option<Split>,
    /// Whether rows were to be made, and not tables.
    pub is_rows: bool,
}

impl PlannedRun {
    /// The files that were to be made, in order.
    pub fn files(&self) -> impl Iterator<Item = FileName> {
        let is_here = |job: &TableJob| self.split.is_none_or(|split| job.split() == split);
        self.plan.jobs().filter(is_here).map(|job| FileName { job, is_rows: self.is_rows })
    }

    /// How many there are, where that takes no counting.
    pub fn count(&self) -> Option<u64> {
        self.split.is_none().then(|| self.plan.count())
    }

    /// Whether a file is one of them.
    pub fn has(&self, file: &FileName) -> bool {
        let is_here = self.split.is_none_or(|split| file.job.split() == split);
        is_here && file.is_rows == self.is_rows && self.plan.covers(&file.job)
    }
}

impl fmt::Display for PlannedRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { plan, split, is_rows } = self;
        let decls: Vec<String> = plan.declarations.0.iter().map(|decl| decl.number().to_string()).collect();
        write!(f, "seeds={} decls={}", plan.seeds, decls.join(","))?;
        match plan.opponents {
            Some(count) => write!(f, " opponents={count}")?,
            None => write!(f, " opponents=none")?,
        }
        write!(f, " shard={} split={}", plan.shard, split.map_or("none", Split::name))?;
        write!(f, " format={}", if *is_rows { "rows" } else { "table" })
    }
}

impl FromStr for PlannedRun {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let mut words = text.split(' ');
            let mut value = |key: &str| words.next()?.strip_prefix(key)?.strip_prefix('=');
            let plan = TablePlan {
                seeds: value("seeds")?.parse().ok()?,
                declarations: value("decls")?.parse().ok()?,
                opponents: match value("opponents")? {
                    "none" => None,
                    count => Some(count.parse().ok()?),
                },
                shard: value("shard")?.parse().ok()?,
            };
            let split = match value("split")? {
                "none" => None,
                name => Some(Split::ALL.into_iter().find(|split| split.name() == name)?),
            };
            let is_rows = match value("format")? {
                "rows" => true,
                "table" => false,
                _ => return None,
            };
            words.next().is_none().then_some(Self { plan, split, is_rows })
        };
        parse().ok_or_else(|| format!("`{text}` is not what a run was to make"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_reads_back_and_knows_its_files() {
        for text in [
            "seeds=0..=2 decls=0,9 opponents=none shard=1/1 split=none format=table",
            "seeds=899..=900,949..=950 decls=3 opponents=2 shard=2/3 split=val format=rows",
        ] {
            let run: PlannedRun = text.parse().unwrap();
            assert_eq!(run.to_string(), text);
            assert!(run.files().count() > 0 && run.files().all(|file| run.has(&file)));
            let other = FileName { is_rows: !run.is_rows, ..run.files().next().unwrap() };
            assert!(!run.has(&other));
        }
    }

    #[test]
    fn nonsense_is_refused() {
        let good = "seeds=0..=2 decls=0,9 opponents=none shard=1/1 split=none format=table";
        for bad in [
            "",
            "seeds=0..=2",
            "x",
            &good[..good.len() - 1],
            &format!("{good} more"),
            &good.replace("0,9", "99"),
        ] {
            let error = bad.parse::<PlannedRun>().unwrap_err();
            assert_eq!(error, format!("`{bad}` is not what a run was to make"));
        }
    }
}
