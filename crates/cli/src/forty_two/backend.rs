//! Where tables are solved and rows are made.

use crate::failure::Failure;
use clap::ValueEnum;
use noregret_dominoes::{Deal, Declaration, Gpu, GpuError, SolveTimes, Table, Threads};
use std::time::Instant;

/// How to get a program that can use a GPU.
pub const GPU_INSTALL: &str = "`pip install noregret` and `cargo install noregret --features gpu` have it";

/// What was asked for.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Backend {
    Cpu,
    Gpu,
    Auto,
}

/// What there is.
pub enum Engine {
    Cpu,
    Gpu(Box<Gpu>),
}

impl Backend {
    /// Opens the device that was asked for. Automatically only hardware is chosen.
    pub fn engine(self) -> Result<Engine, Failure> {
        match self {
            Self::Cpu => Ok(Engine::Cpu),
            Self::Gpu => {
                let gpu = Gpu::open().map_err(|error| match error {
                    GpuError::None => Failure::job(format!("{error}; use --backend cpu or auto")),
                    GpuError::NotBuilt => {
                        Failure::job(format!("{error}; {GPU_INSTALL}, or use --backend cpu or auto"))
                    }
                    _ => Failure::job(error),
                })?;
                let devices = Gpu::devices();
                if let Some(device) =
                    devices.first().filter(|_| !devices.iter().any(|device| device.is_hardware))
                {
                    anstream::eprintln!(
                        "note: there is no hardware GPU; {} is a software driver, which is slower than --backend cpu",
                        device.name
                    );
                }
                Ok(Engine::Gpu(Box::new(gpu)))
            }
            Self::Auto => {
                let has_hardware = Gpu::devices().iter().any(|device| device.is_hardware);
                let gpu = has_hardware.then(|| Gpu::open().ok()).flatten();
                Ok(gpu.map_or(Engine::Cpu, |gpu| Engine::Gpu(Box::new(gpu))))
            }
        }
    }
}

impl Engine {
    /// The device, if it is one.
    pub fn gpu(&self) -> Option<&Gpu> {
        match self {
            Self::Cpu => None,
            Self::Gpu(gpu) => Some(gpu),
        }
    }

    /// Solves a deal. A device does so as a whole, so that only one time is known.
    pub fn solve(
        &self,
        deal: &Deal,
        declaration: Declaration,
        threads: Threads,
    ) -> Result<(Table, SolveTimes), GpuError> {
        match self {
            Self::Cpu => Ok(Table::solve_timed(deal, declaration, threads)),
            Self::Gpu(gpu) => {
                let started = Instant::now();
                let table = gpu.solve(deal, declaration)?;
                Ok((table, SolveTimes { solve: started.elapsed(), ..Default::default() }))
            }
        }
    }
}
