//! Whether Texas 42 works here.

use super::Finding;
use crate::forty_two::GPU_INSTALL;
use noregret_dominoes::{Deal, Declaration, Gpu, Layout, Table, Threads};
use noregret_store::Hasher;

/// A deal of Texas 42, and the digest of all its rows.
const SEED: u64 = 511;
const DECLARATION: Declaration = Declaration::NO_TRUMP;
const ROWS_DIGEST: &str = "4a0acd349f0f96ed04b9190542f43f76";

/// Devices for Texas 42.
pub fn gpu() -> String {
    let gpus = Gpu::devices();
    match (gpus.as_slice(), Gpu::IS_BUILT) {
        ([], true) => "none: no Vulkan, Metal or DX12 driver was found".to_owned(),
        ([], false) => format!("built without the feature `gpu`; {GPU_INSTALL}"),
        (gpus, _) => {
            let names = gpus.iter().map(|gpu| format!("{} ({}, {})", gpu.name, gpu.api, gpu.kind));
            names.collect::<Vec<_>>().join("; ")
        }
    }
}

/// Whether a deal has the rows that it must have.
pub fn solved() -> Finding {
    Finding::checked("Texas 42", rows())
}

/// Solves the deal, and takes the digest of all its rows.
fn rows() -> Result<String, String> {
    let started = std::time::Instant::now();
    let table = Table::solve(&Deal::from_seed(SEED), DECLARATION, Threads::Pool);
    let solved = started.elapsed().as_secs_f64();
    let mut hasher = Hasher::default();
    let (mut bytes, mut rows) = (Vec::new(), 0);
    for row in table.rows(Layout::ToGo) {
        bytes.extend(row.state.to_le_bytes());
        bytes.extend([row.value].iter().chain(&row.moves).map(|&value| value as u8));
        rows += 1;
        if bytes.len() >= 1 << 20 {
            hasher.update(&bytes);
            bytes.clear();
        }
    }
    hasher.update(&bytes);
    let digest = hasher.digest().to_string();
    let found =
        format!("seed {SEED}, {}, solved in {solved:.2} s, {rows} rows: {digest}", DECLARATION.name());
    if digest == ROWS_DIGEST { Ok(found) } else { Err(format!("{found}, which must be {ROWS_DIGEST}")) }
}
