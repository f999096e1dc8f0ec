//! Where a single table comes from: a seed, a deal in words, or a file.

use crate::failure::Failure;
use crate::place;
use noregret_dominoes::{Deal, Declaration, Table, Threads, read_table_file};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct TableSource {
    /// The seed that deals
    #[arg(long, value_name = "S", required_unless_present_any = ["deal", "table"])]
    seed: Option<u64>,

    /// The deal itself: four hands of seven dominoes with `|` between them, from seat 0 on
    #[arg(long, value_name = "HANDS", conflicts_with = "seed")]
    deal: Option<Deal>,

    /// The declaration, by name or number
    #[arg(long, value_name = "D", required_unless_present = "table")]
    decl: Option<Declaration>,

    /// A table file, instead of solving the deal
    #[arg(long, value_name = "FILE", value_parser = place::argument(), conflicts_with_all = ["seed", "deal", "decl"])]
    table: Option<PathBuf>,
}

impl TableSource {
    /// Solves or reads the table, and says which seed dealt it.
    pub fn table(&self) -> Result<(Option<u64>, Table), Failure> {
        if let Some(path) = &self.table {
            return read_table(path);
        }
        let deal = self.deal.unwrap_or_else(|| Deal::from_seed(self.seed.unwrap_or_default()));
        let declaration = self.decl.ok_or_else(|| Failure::request("--decl is missing"))?;
        Ok((self.seed, Table::solve(&deal, declaration, Threads::Pool)))
    }
}

/// Reads a table file.
pub fn read_table(path: &std::path::Path) -> Result<(Option<u64>, Table), Failure> {
    let shown = path.display();
    let bytes = read_table_file(path).map_err(Failure::job)?;
    let (head, table) =
        Table::from_bytes(bytes, Threads::Pool).map_err(|error| Failure::job(format!("{shown}: {error}")))?;
    Ok((head.seed, table))
}
