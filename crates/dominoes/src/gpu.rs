//! The solver on a GPU: the same levels as compute shaders, for any Vulkan, Metal or DX12 device.

mod rows;

use std::sync::{Mutex, MutexGuard, TryLockError, mpsc};

use rows::RowPipelines;

use crate::deal::Deal;
use crate::declaration::Declaration;
use crate::device::{DeviceInfo, GpuError};
use crate::solver::backward::LevelValues;
use crate::solver::level::{HANDS, LANES, MASKS, RANK, TRICKS, rows};
use crate::solver::reachable::Reachable;
use crate::solver::rule_tables::RuleTables;
use crate::table::{PackedValues, Table};

const WORKGROUP: u32 = 64;
const RULES_WORDS: u64 = 64 + 8 * 4 * 8;
/// Tables that are solved at once: the device works on one while the other is read back.
const IN_FLIGHT: usize = 2;
/// A set of lanes.
const REACH_BYTES: u64 = 8;

/// A device that can solve.
pub struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    info: DeviceInfo,
    forward: wgpu::ComputePipeline,
    backward: wgpu::ComputePipeline,
    rows: RowPipelines,
    /// One table at a time works in each of them.
    buffers: [Mutex<Buffers>; IN_FLIGHT],
}

struct Buffers {
    rules: wgpu::Buffer,
    /// By tricks left.
    levels: Vec<Level>,
    /// Where the answer is read from.
    landing: wgpu::Buffer,
}

struct Level {
    reach: wgpu::Buffer,
    values: wgpu::Buffer,
    /// What the shaders of this level work with; the last level has none.
    bind_groups: Option<BindGroups>,
}

struct BindGroups {
    forward: wgpu::BindGroup,
    backward: wgpu::BindGroup,
}

impl Gpu {
    /// Whether this build can use a device at all.
    pub const IS_BUILT: bool = true;

    /// The devices there are.
    pub fn devices() -> Vec<DeviceInfo> {
        adapters().iter().map(info).collect()
    }

    /// Opens the best device: hardware before software.
    pub fn open() -> Result<Self, GpuError> {
        let mut adapters = adapters();
        adapters.sort_by_key(|adapter| !info(adapter).is_hardware);
        let adapter = adapters.into_iter().next().ok_or(GpuError::None)?;
        let descriptor = wgpu::DeviceDescriptor { label: Some("noregret"), ..Default::default() };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| GpuError::Device(info(&adapter).name, error.to_string()))?;
        Ok(Self::new(device, queue, info(&adapter)))
    }

    fn new(device: wgpu::Device, queue: wgpu::Queue, info: DeviceInfo) -> Self {
        let shader = device.create_shader_module(wgpu::include_wgsl!("gpu/levels.wgsl"));
        let pipeline = |entry_point| pipeline(&device, &shader, entry_point);
        let (forward, backward) = (pipeline("forward"), pipeline("backward"));
        let buffers =
            [(); IN_FLIGHT].map(|()| Mutex::new(Buffers::new(&device, &queue, &forward, &backward)));
        let rows = RowPipelines::new(&device);
        Self { device, queue, info, forward, backward, rows, buffers }
    }

    /// What it is.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// How many tables it solves at once; more wait.
    pub fn in_flight(&self) -> usize {
        IN_FLIGHT
    }

    /// Buffers that no other thread works in.
    fn free_buffers(&self) -> Result<MutexGuard<'_, Buffers>, GpuError> {
        let lost = || GpuError::Lost("another thread failed on it".to_owned());
        for buffers in &self.buffers {
            match buffers.try_lock() {
                Ok(free) => return Ok(free),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Poisoned(_)) => return Err(lost()),
            }
        }
        self.buffers[0].lock().map_err(|_| lost())
    }

    /// Solves a deal: the same table as on the CPU.
    pub fn solve(&self, deal: &Deal, declaration: Declaration) -> Result<Table, GpuError> {
        let rules = RuleTables::new(deal, declaration);
        let buffers = self.free_buffers()?;
        self.queue.write_buffer(&buffers.rules, 0, &rules_bytes(&rules));
        // Every hand is whole at the start: the last lane of the one row with seat 0 to lead.
        self.queue.write_buffer(&buffers.levels[TRICKS].reach, 0, &(1_u64 << 63).to_le_bytes());
        let mut encoder = self.device.create_command_encoder(&Default::default());
        for level in &buffers.levels[..TRICKS] {
            encoder.clear_buffer(&level.reach, 0, None);
        }
        for k in (1..=TRICKS).rev() {
            let groups = (rows(k) as u32).div_ceil(WORKGROUP);
            self.dispatch(
                &mut encoder,
                &self.forward,
                buffers.levels[k].bind_groups.as_ref().map(|bind_groups| &bind_groups.forward),
                groups,
            );
        }
        for k in 1..=TRICKS {
            let words = (rows(k) * LANES / 4) as u32;
            let bind_groups = buffers.levels[k].bind_groups.as_ref().map(|bind_groups| &bind_groups.backward);
            self.dispatch(&mut encoder, &self.backward, bind_groups, words.div_ceil(WORKGROUP));
        }
        let mut at = 0;
        for level in &buffers.levels {
            for buffer in [&level.reach, &level.values] {
                encoder.copy_buffer_to_buffer(buffer, 0, &buffers.landing, at, buffer.size());
                at += buffer.size();
            }
        }
        self.queue.submit([encoder.finish()]);
        let bytes = self.read_part(&buffers.landing, buffers.landing.size())?;
        Ok(assemble(deal, declaration, rules, &bytes))
    }

    fn dispatch(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipeline: &wgpu::ComputePipeline,
        bind_groups: Option<&wgpu::BindGroup>,
        groups: u32,
    ) {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, bind_groups, &[]);
        pass.dispatch_workgroups(groups, 1, 1);
    }

    /// The beginning of a buffer that the host can map, once the work submitted before is done.
    fn read_part(&self, landing: &wgpu::Buffer, bytes: u64) -> Result<Vec<u8>, GpuError> {
        let lost = |error: &dyn std::fmt::Display| GpuError::Lost(error.to_string());
        let (sender, receiver) = mpsc::channel();
        landing.map_async(wgpu::MapMode::Read, ..bytes, move |result| {
            let _ = sender.send(result);
        });
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| lost(&error))?;
        receiver.recv().map_err(|error| lost(&error))?.map_err(|error| lost(&error))?;
        let bytes = landing.get_mapped_range(..bytes).map_err(|error| lost(&error))?.to_vec();
        landing.unmap();
        Ok(bytes)
    }
}

fn pipeline(
    device: &wgpu::Device,
    shader: &wgpu::ShaderModule,
    entry_point: &'static str,
) -> wgpu::ComputePipeline {
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(entry_point),
        layout: None,
        module: shader,
        entry_point: Some(entry_point),
        compilation_options: Default::default(),
        cache: None,
    })
}

fn adapters() -> Vec<wgpu::Adapter> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    let instance = wgpu::Instance::new(descriptor);
    pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()))
}

fn info(adapter: &wgpu::Adapter) -> DeviceInfo {
    let info = adapter.get_info();
    let kind = match info.device_type {
        wgpu::DeviceType::DiscreteGpu => "discrete",
        wgpu::DeviceType::IntegratedGpu => "integrated",
        wgpu::DeviceType::VirtualGpu => "virtual",
        wgpu::DeviceType::Cpu => "software",
        wgpu::DeviceType::Other => "other",
    };
    DeviceInfo { name: info.name, api: info.backend.to_string(), kind, is_hardware: kind != "software" }
}

impl Buffers {
    fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        forward: &wgpu::ComputePipeline,
        backward: &wgpu::ComputePipeline,
    ) -> Self {
        use wgpu::BufferUsages as Use;
        let buffer = |size: u64, usage: Use| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let rules = buffer(4 * RULES_WORDS, Use::STORAGE | Use::COPY_DST);
        let ranks_words = words(RANK.iter().chain(MASKS.iter().flatten()).map(|&byte| u32::from(byte)));
        let ranks = buffer(ranks_words.len() as u64, Use::STORAGE | Use::COPY_DST);
        queue.write_buffer(&ranks, 0, &ranks_words);
        let mut levels: Vec<Level> = Vec::new();
        for k in 0..=TRICKS {
            let usage = Use::STORAGE | Use::COPY_SRC | Use::COPY_DST;
            let reach = buffer(REACH_BYTES * rows(k) as u64, usage);
            let values = buffer((LANES * rows(k)) as u64, usage);
            let bind_groups = levels.last().map(|below| {
                let shape = words([k, HANDS[k], HANDS[k - 1], rows(k)].map(|number| number as u32));
                let level = buffer(shape.len() as u64, Use::UNIFORM | Use::COPY_DST);
                queue.write_buffer(&level, 0, &shape);
                let common = [(0, &rules), (1, &ranks), (2, &level), (3, &reach)];
                let bind = |pipeline: &wgpu::ComputePipeline, own: &[(u32, &wgpu::Buffer)]| {
                    let entries: Vec<_> = common
                        .iter()
                        .chain(own)
                        .map(|&(binding, buffer)| wgpu::BindGroupEntry {
                            binding,
                            resource: buffer.as_entire_binding(),
                        })
                        .collect();
                    device.create_bind_group(&wgpu::BindGroupDescriptor {
                        label: None,
                        layout: &pipeline.get_bind_group_layout(0),
                        entries: &entries,
                    })
                };
                BindGroups {
                    forward: bind(forward, &[(4, &below.reach)]),
                    backward: bind(backward, &[(5, &below.values), (6, &values)]),
                }
            });
            levels.push(Level { reach, values, bind_groups });
        }
        let all = levels.iter().map(|level| level.reach.size() + level.values.size()).sum();
        Self { rules, levels, landing: buffer(all, Use::COPY_DST | Use::MAP_READ) }
    }
}

/// The rules as the shader reads them.
fn rules_bytes(rules: &RuleTables) -> Vec<u8> {
    let led = rules.suit_led.iter().flatten().map(|&suit| u32::from(suit));
    let follow = rules.follow.iter().flatten().map(|&mask| u32::from(mask));
    let effects = rules.effect.iter().flatten().flatten();
    let effects = effects.map(|effect| u32::from(effect.claim) | u32::from(effect.count) << 8);
    words(led.chain(follow).chain(effects))
}

fn words(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Makes a table of the levels' reach and values, one after the other.
fn assemble(deal: &Deal, declaration: Declaration, rules: RuleTables, mut bytes: &[u8]) -> Table {
    let mut reach = Reachable { levels: Default::default() };
    let mut values: [PackedValues; TRICKS + 1] = Default::default();
    for (k, (lanes, values)) in reach.levels.iter_mut().zip(&mut values).enumerate() {
        let (sets, rest) = bytes.split_at(8 * rows(k));
        let (dense, rest) = rest.split_at(LANES * rows(k));
        bytes = rest;
        *lanes = sets.as_chunks().0.iter().map(|set| u64::from_le_bytes(*set)).collect();
        *values = PackedValues::gather(lanes, &LevelValues::of_dense(lanes, dense));
    }
    Table::from_parts(*deal, declaration, rules, reach, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Threads;

    #[test]
    fn gpu_and_cpu_make_the_same_bytes() {
        let gpu = Gpu::open().expect("a Vulkan driver: scripts/setup-dominoes-tests installs a software one");
        for (seed, declaration) in [(511, "sixes"), (1150, "doubles-suit")] {
            let (deal, declaration) = (Deal::from_seed(seed), declaration.parse().unwrap());
            let one = gpu.solve(&deal, declaration).unwrap();
            let other = Table::solve(&deal, declaration, Threads::Pool);
            assert!(one == other, "seed {seed}");
            assert_eq!(one.to_bytes(Some(seed)), other.to_bytes(Some(seed)), "seed {seed}");
        }
    }

    #[test]
    fn errors_say_what_to_do() {
        let none = GpuError::None.to_string();
        assert_eq!(none, "no GPU: no Vulkan, Metal or DX12 driver was found");
        let device = GpuError::Device("X".to_owned(), "too small".to_owned()).to_string();
        assert_eq!(device, "the GPU X cannot be used: too small");
        assert_eq!(GpuError::Lost("reset".to_owned()).to_string(), "the GPU stopped: reset");
    }
}
