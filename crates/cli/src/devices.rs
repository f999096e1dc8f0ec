//! `noregret devices`: what there is to compute on.

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::forty_two::GPU_INSTALL;
use crate::output;
use noregret_dominoes::Gpu;
use serde_json::json;

/// List the processors and graphics devices that jobs can run on.
#[derive(clap::Args)]
#[command(after_long_help = "\
Example:
  noregret devices --json")]
pub struct Args {
    /// Print JSON on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let devices = Gpu::devices();
    if args.json {
        let gpus: Vec<_> = devices
            .iter()
            .map(|device| json!({"name": device.name, "api": device.api, "kind": device.kind, "auto": device.is_hardware}))
            .collect();
        output::print(json!({"cpu": {"cores": cores}, "gpu": gpus}))?;
        return Ok(ExitCode::SUCCESS);
    }
    output::print(format_args!("cpu  {cores} cores"))?;
    for device in &devices {
        let auto = if device.is_hardware { "" } else { "; not chosen by --backend auto" };
        output::print(format_args!("gpu  {} ({}, {}{auto})", device.name, device.api, device.kind))?;
    }
    if devices.is_empty() {
        match Gpu::IS_BUILT {
            true => output::print("gpu  none: no Vulkan, Metal or DX12 driver was found")?,
            false => {
                output::print(format_args!("gpu  none: built without the feature `gpu`; {GPU_INSTALL}"))?
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
