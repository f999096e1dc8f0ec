//! Rows on a GPU: the shader finds the positions of each beginning of a trick, in order, and values their moves; the
//! CPU encodes them meanwhile.

use std::io::Write;

use super::{Gpu, GpuError, RULES_WORDS, rules_bytes, words};
use crate::position::Layout;
use crate::solver::level::{HANDS, LOW_LANES, MASKS, RANK, TRICKS, rows};
use crate::table::Table;
use crate::table::parquet_rows::{RowProgress, RowSource, WriteRowsError};
use crate::table::row_groups::{PrefixRows, RowColumns};
use crate::table::spread::SpreadTable;
use crate::table::trick_prefix::TrickPrefix;

/// Three hands, over all levels.
const TRIPLES: usize = rows_below(TRICKS + 1) / 4;
/// As in the shader: what seats 3 and 2 can hold, beginnings of a batch, and where their totals are.
const STRIPS: usize = 128 * 35;
const BATCH: usize = 32;
const TOTALS: usize = BATCH * STRIPS;
/// Rows that are read back at once.
const WINDOW: usize = 1 << 18;
/// Words of a row: its state and its values, and in the scored layout its scores.
const WORDS: [usize; 2] = [4, 6];

/// Rows of all levels with fewer tricks left.
const fn rows_below(k: usize) -> usize {
    let (mut total, mut level) = (0, 0);
    while level < k {
        total += rows(level);
        level += 1;
    }
    total
}

/// The shaders that make rows.
pub(super) struct RowPipelines {
    spread_scores: wgpu::ComputePipeline,
    count: wgpu::ComputePipeline,
    scan: wgpu::ComputePipeline,
    expand: wgpu::ComputePipeline,
    emit: wgpu::ComputePipeline,
}

impl RowPipelines {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let shader = device.create_shader_module(wgpu::include_wgsl!("rows.wgsl"));
        let pipeline = |entry_point| super::pipeline(device, &shader, entry_point);
        Self {
            spread_scores: pipeline("spread_scores"),
            count: pipeline("count"),
            scan: pipeline("scan"),
            expand: pipeline("expand"),
            emit: pipeline("emit"),
        }
    }
}

/// One table on the device, and room for some of its rows. Several can be there at once.
pub(crate) struct GpuRows<'a> {
    gpu: &'a Gpu,
    is_scored: bool,
    batch: wgpu::Buffer,
    offsets: wgpu::Buffer,
    out: wgpu::Buffer,
    landing: wgpu::Buffer,
    count: wgpu::BindGroup,
    scan: wgpu::BindGroup,
    expand: wgpu::BindGroup,
    emit: wgpu::BindGroup,
}

/// What a dispatch works on, as the shader's `Batch`.
#[derive(Clone, Copy, Default)]
struct BatchWords {
    first: usize,
    from: usize,
    rows: usize,
    k: usize,
}

impl<'a> GpuRows<'a> {
    fn new(gpu: &'a Gpu, table: &Table, layout: Layout) -> Self {
        use wgpu::BufferUsages as Use;
        let is_scored = layout == Layout::Scored;
        let buffer = |bytes: usize, usage: Use| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: bytes.next_multiple_of(4) as u64,
                usage,
                mapped_at_creation: false,
            })
        };
        let filled = |bytes: &[u8]| {
            let buffer = buffer(bytes.len(), Use::STORAGE | Use::COPY_DST);
            gpu.queue.write_buffer(&buffer, 0, bytes);
            buffer
        };
        let spread = table.spread();
        let (places, values) = spread_bytes(spread);
        let (starts, positions) = starts(table);
        let tables = filled(&tables_bytes(table, spread));
        let reach: Vec<u8> =
            table.reach().levels.iter().flatten().flat_map(|lanes| lanes.to_le_bytes()).collect();
        let reach = filled(&reach);
        let index = filled(&words(places.into_iter().chain(starts)));
        let values = filled(&values);
        let scores = buffer(8 * if is_scored { positions } else { 1 }, Use::STORAGE | Use::COPY_DST);
        let batch = buffer(32, Use::UNIFORM | Use::COPY_DST);
        let offsets = buffer(4 * (TOTALS + BATCH), Use::STORAGE | Use::COPY_DST | Use::COPY_SRC);
        let bytes = 4 * WORDS[usize::from(is_scored)] * WINDOW;
        // Before the rows, a word for each says which position it is.
        let out = buffer(4 * WINDOW + bytes, Use::STORAGE | Use::COPY_SRC);
        let landing = buffer(bytes, Use::MAP_READ | Use::COPY_DST);
        // Buffers are handles, so that a copy of one is the same memory.
        let all = [tables, batch.clone(), reach, index, values, scores.clone(), offsets.clone(), out.clone()];
        let bind = |pipeline: &wgpu::ComputePipeline, used: &[u32]| {
            let entries: Vec<_> = used
                .iter()
                .map(|&binding| wgpu::BindGroupEntry {
                    binding,
                    resource: all[binding as usize].as_entire_binding(),
                })
                .collect();
            gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &pipeline.get_bind_group_layout(0),
                entries: &entries,
            })
        };
        let pipelines = &gpu.rows;
        let made = Self {
            gpu,
            is_scored,
            count: bind(&pipelines.count, &[0, 1, 2, 6]),
            scan: bind(&pipelines.scan, &[6]),
            expand: bind(&pipelines.expand, &[0, 1, 2, 6, 7]),
            emit: bind(&pipelines.emit, &[0, 1, 2, 3, 4, 5, 7]),
            batch,
            offsets,
            out,
            landing,
        };
        if is_scored {
            // Before the first trick Team 0 has no points: the last position has the set of the score 0.
            gpu.queue.write_buffer(&scores, 8 * (positions as u64 - 1), &1_u64.to_le_bytes());
            let spread_scores = bind(&pipelines.spread_scores, &[0, 1, 2, 3, 5]);
            for k in (1..=TRICKS).rev() {
                made.set_batch(BatchWords { k, ..Default::default() });
                let groups = (rows(k) as u32).div_ceil(super::WORKGROUP);
                made.submit(&pipelines.spread_scores, &spread_scores, (groups, 1));
            }
        }
        made
    }

    fn set_batch(&self, batch: BatchWords) {
        let BatchWords { first, from, rows, k } = batch;
        let numbers = [first, usize::from(self.is_scored), from, rows, k, 0, 0, 0];
        self.gpu.queue.write_buffer(&self.batch, 0, &words(numbers.map(|number| number as u32)));
    }

    fn submit(&self, pipeline: &wgpu::ComputePipeline, bind_group: &wgpu::BindGroup, groups: (u32, u32)) {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, bind_group, &[]);
            pass.dispatch_workgroups(groups.0, groups.1, 1);
        }
        self.gpu.queue.submit([encoder.finish()]);
    }

    /// Reads a part of a buffer.
    fn read(&self, buffer: &wgpu::Buffer, from: usize, bytes: usize) -> Result<Vec<u8>, GpuError> {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(buffer, from as u64, &self.landing, 0, bytes as u64);
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.read_part(&self.landing, bytes as u64)
    }

    /// The rows of some beginnings of tricks, of which the first has this number among all.
    fn make(&self, first: usize, prefixes: usize) -> Result<Vec<PrefixRows>, GpuError> {
        let pipelines = &self.gpu.rows;
        let strips = ((STRIPS as u32).div_ceil(super::WORKGROUP), prefixes as u32);
        self.set_batch(BatchWords { first, ..Default::default() });
        self.submit(&pipelines.count, &self.count, strips);
        self.submit(&pipelines.scan, &self.scan, (prefixes as u32, 1));
        let totals = self.read(&self.offsets, 4 * TOTALS, 4 * prefixes)?;
        let totals: Vec<usize> =
            totals.as_chunks().0.iter().map(|total| u32::from_le_bytes(*total) as usize).collect();
        let mut all = 0;
        let starts = totals.iter().map(|&total| {
            let start = all as u32;
            all += total;
            start
        });
        let starts = words(starts.collect::<Vec<_>>());
        self.gpu.queue.write_buffer(&self.offsets, 4 * TOTALS as u64, &starts);
        let mut made: Vec<Vec<u8>> = Vec::new();
        let row_bytes = 4 * WORDS[usize::from(self.is_scored)];
        for from in (0..all).step_by(WINDOW) {
            let rows = WINDOW.min(all - from);
            self.set_batch(BatchWords { first, from, rows, k: 0 });
            self.submit(&pipelines.expand, &self.expand, strips);
            self.submit(&pipelines.emit, &self.emit, ((rows as u32).div_ceil(super::WORKGROUP), 1));
            made.push(self.read(&self.out, 4 * WINDOW, row_bytes * rows)?);
        }
        let mut rows = made.iter().flat_map(|window| window.chunks_exact(row_bytes));
        Ok(totals.iter().map(|&total| to_columns(rows.by_ref().take(total), total, self.is_scored)).collect())
    }
}

/// Turns rows as the shader writes them into columns.
fn to_columns<'b>(rows: impl Iterator<Item = &'b [u8]>, count: usize, is_scored: bool) -> PrefixRows {
    let mut columns = RowColumns::with_capacity(count);
    let mut scores = Vec::with_capacity(if is_scored { count } else { 0 });
    for row in rows {
        let numbers: &[[u8; 8]] = row.as_chunks().0;
        let [state, values, ..] = *numbers else { continue };
        columns.push(i64::from_le_bytes(state), values.map(|value| value as i8));
        scores.extend(numbers.get(2).map(|scores| u64::from_le_bytes(*scores)));
    }
    PrefixRows::new(columns, scores)
}

impl RowSource for GpuRows<'_> {
    fn batch(&self) -> usize {
        BATCH
    }

    fn rows(&self, first: usize, prefixes: &[TrickPrefix]) -> Result<Vec<PrefixRows>, WriteRowsError> {
        self.make(first, prefixes.len()).map_err(|error| WriteRowsError::Source(Box::new(error)))
    }
}

impl Gpu {
    /// Writes every row of a table as [`Table::write_rows`] does, byte for byte, with the rows made on the device.
    pub fn write_rows<W: Write + Send>(
        &self,
        table: &Table,
        seed: Option<u64>,
        layout: Layout,
        out: W,
        progress: impl FnMut(RowProgress) -> bool,
    ) -> Result<u64, WriteRowsError> {
        table.write_rows_of(&GpuRows::new(self, table, layout), seed, layout, out, progress)
    }
}

/// The rules, the ranks of hands and the lanes, as the shader reads them.
fn tables_bytes(table: &Table, spread: &SpreadTable) -> Vec<u8> {
    let mut bytes = rules_bytes(table.rules());
    debug_assert_eq!(bytes.len(), 4 * RULES_WORDS as usize);
    let mut add = |numbers: &mut dyn Iterator<Item = u32>| bytes.extend(words(numbers));
    add(&mut RANK.iter().chain(MASKS.iter().flatten()).map(|&byte| u32::from(byte)));
    add(&mut HANDS.iter().map(|&hands| hands as u32));
    add(&mut (0..=TRICKS).map(|k| (rows_below(k) / 4) as u32));
    add(&mut spread.hand_counts.iter().flatten().map(|&count| u32::from(count)));
    add(&mut LOW_LANES.iter().flat_map(|&lanes| halves(lanes)));
    let playable = spread.playable.iter();
    let lanes = playable.flat_map(|level| level.lead.iter().chain(level.follow.iter().flatten()));
    add(&mut lanes.flat_map(|&lanes| halves(lanes)));
    add(&mut TrickPrefix::all().into_iter().flat_map(|prefix| prefix_words(&prefix)));
    bytes
}

/// A leader and the number of plays; then the plays, a byte each.
fn prefix_words(prefix: &TrickPrefix) -> [u32; 2] {
    const NO_PLAY: u32 = 7;
    let mut plays = [NO_PLAY; 3];
    let mut played = 0;
    for (place, local) in plays.iter_mut().zip(prefix.plays()) {
        *place = u32::from(local);
        played += 1;
    }
    [prefix.leader().index() as u32 | played << 8, plays[0] | plays[1] << 8 | plays[2] << 16]
}

fn halves(lanes: u64) -> [u32; 2] {
    [lanes as u32, (lanes >> 32) as u32]
}

/// Where the values of each three hands start, over all levels, and the values.
fn spread_bytes(spread: &SpreadTable) -> (Vec<u32>, Vec<u8>) {
    let (mut places, mut values) = (Vec::with_capacity(TRIPLES), Vec::new());
    for level in &spread.levels {
        let start = values.len() as u32;
        places.extend(level.places().iter().map(|place| start + place));
        values.extend_from_slice(level.values());
    }
    (places, values)
}

/// Where the positions of each row start, over all levels, and how many there are.
fn starts(table: &Table) -> (Vec<u32>, usize) {
    let mut position = 0;
    let starts = table.reach().levels.iter().flatten().map(|lanes| {
        let start = position;
        position += lanes.count_ones();
        start
    });
    (starts.collect(), position as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::Deal;
    use crate::table::Threads;

    #[test]
    fn the_parts_of_the_tables_are_where_the_shader_reads_them() {
        let shader = include_str!("rows.wgsl");
        let table = Table::solve(&Deal::from_seed(511), "sixes".parse().unwrap(), Threads::Pool);
        let prefixes = 2 * TrickPrefix::all().len();
        let words = tables_bytes(&table, table.spread()).len() / 4;
        let masks = RULES_WORDS as usize + 128;
        let constants = [
            ("RANK", RULES_WORDS as usize),
            ("MASKS", masks),
            ("HANDS", masks + 8 * 35),
            ("PREFIXES", words - prefixes),
            ("STARTS", TRIPLES),
            ("STRIPS", STRIPS),
            ("STRIPS_OF_THREAD", STRIPS / 64),
            ("BATCH", BATCH),
            ("TOTALS", TOTALS),
            ("WINDOW", WINDOW),
        ];
        for (name, value) in constants {
            let line = format!("const {name}: u32 = {value}u;");
            assert!(shader.contains(&line), "{line}");
        }
    }

    #[test]
    fn rows_of_six_declarations_are_byte_for_byte_those_of_the_cpu() {
        let gpu = Gpu::open().expect("a Vulkan driver: scripts/setup-dominoes-tests installs a software one");
        // The smallest of some deals, as a software driver takes seconds for a million rows.
        let deals = [
            (511, "sixes"),
            (511, "no-trump"),
            (484, "blanks"),
            (1150, "doubles-suit"),
            (511, "ones"),
            (2000, "fives"),
        ];
        for (seed, declaration) in deals {
            let table = Table::solve(&Deal::from_seed(seed), declaration.parse().unwrap(), Threads::Pool);
            for layout in [Layout::ToGo, Layout::Scored] {
                let (mut one, mut other) = (Vec::new(), Vec::new());
                let rows = gpu.write_rows(&table, Some(seed), layout, &mut one, |_| true).unwrap();
                let expected = table.write_rows(Some(seed), layout, &mut other, |_| true).unwrap();
                assert_eq!(rows, expected, "seed {seed} {declaration}");
                assert!(one == other, "seed {seed} {declaration} {}", layout.name());
            }
        }
    }

    #[test]
    fn two_tables_in_flight_do_not_disturb_each_other() {
        let gpu = Gpu::open().expect("a Vulkan driver: scripts/setup-dominoes-tests installs a software one");
        let write = |declaration: &str| {
            let table = gpu.solve(&Deal::from_seed(511), declaration.parse().unwrap()).unwrap();
            let mut bytes = Vec::new();
            gpu.write_rows(&table, Some(511), Layout::ToGo, &mut bytes, |_| true).unwrap();
            (table, bytes)
        };
        let made = std::thread::scope(|scope| {
            let (one, other) = (scope.spawn(|| write("sixes")), scope.spawn(|| write("no-trump")));
            [one.join().unwrap(), other.join().unwrap()]
        });
        for (table, bytes) in made {
            let mut expected = Vec::new();
            table.write_rows(Some(511), Layout::ToGo, &mut expected, |_| true).unwrap();
            assert!(bytes == expected, "{}", table.declaration());
        }
    }
}
