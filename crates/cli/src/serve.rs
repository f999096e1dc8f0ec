//! `noregret serve`: the web app.

use crate::failure::Failure;
use crate::output;
use clap::builder::RangedU64ValueParser;
use noregret_serve::{Server, Settings};
use noregret_store::Bytes;
use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// The port unless another is asked for.
const PORT: u16 = 4242;

/// Open the web app: set up spots, solve them and look at the answers in the browser.
///
/// Serves a page on this machine and opens it. Solves run one after the other; each is kept in the library folder with a
/// checkpoint, so that one that was cut short can go on. Ctrl-C ends the server after the checkpoints are written.
///
/// Only this machine can reach it, unless --host says otherwise; then everybody needs the token.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret serve
  noregret serve --library ~/poker --port 8080 --no-open
  noregret serve --host 192.168.0.7 --token correct-horse-battery

Exit codes: 0 ended by Ctrl-C; 1 it could not be served; 2 the request was wrong.")]
pub struct Args {
    /// The port [default: 4242, or one of the next if that is taken]
    #[arg(long, value_name = "N")]
    port: Option<u16>,

    /// The folder with solutions and solves, made if it is not there [default: in your data directory]
    #[arg(long, value_name = "DIR")]
    library: Option<PathBuf>,

    /// Do not open the browser
    #[arg(long)]
    no_open: bool,

    /// Listen on another address than 127.0.0.1: whoever can reach it needs the token
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1", hide_default_value = true)]
    host: IpAddr,

    /// What requests have to show, 8 characters or more: letters, digits, `-` and `_` [default: none on this machine, a random
    /// one with --host]
    #[arg(long, value_name = "T", value_parser = token)]
    token: Option<String>,

    /// Threads of a solve [default: one per core]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    threads: Option<usize>,

    /// What solves may take together, e.g. `4GiB` [default: what is available now]
    #[arg(long, value_name = "BYTES")]
    memory: Option<Bytes>,

    /// How many solves run at once, if memory allows
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = RangedU64ValueParser::<usize>::new().range(1..=64))]
    solves: usize,

    /// Seconds between two checkpoints of a solve
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = RangedU64ValueParser::<u64>::new().range(0..=1_000_000_000))]
    checkpoint_every: u64,

    /// Print the OpenAPI description of the API, and serve nothing
    #[arg(long)]
    print_openapi: bool,
}

fn token(text: &str) -> Result<String, String> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if is_plain && (8..=200).contains(&text.len()) {
        Ok(text.to_owned())
    } else {
        Err("must be 8 to 200 letters, digits, `-` and `_`".to_owned())
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.print_openapi {
        return output::print(noregret_serve::openapi().trim_end()).map(|()| ExitCode::SUCCESS);
    }
    let mut settings = Settings::new(library(args)?);
    settings.threads = args.threads.unwrap_or(settings.threads);
    settings.memory = args.memory.map_or(settings.memory, |bytes| bytes.0);
    settings.at_once = args.solves;
    settings.checkpoint_every = Duration::from_secs(args.checkpoint_every);
    settings.host = args.host;
    settings.token = match &args.token {
        None if !args.host.is_loopback() => Some(random_token()?),
        token => token.clone(),
    };
    let token = settings.token.clone();
    let folder = settings.library.display().to_string();
    let server = Server::open(settings, args.port.unwrap_or(PORT), args.port.is_none());
    let server =
        server.map_err(|error| Failure::job(format!("cannot serve {folder} on {}: {error}", args.host)))?;
    let address = page(server.address().map_err(Failure::job)?, token.as_deref());
    let stopper = server.stopper();
    ctrlc::set_handler(move || stopper.stop())
        .map_err(|error| Failure::job(format!("cannot listen for Ctrl-C: {error}")))?;
    output::print(format!("Library: {}\nOpen {address}", server.library().display()))?;
    if !args.no_open && open::that_detached(&address).is_err() {
        // The address is on the screen already.
        let _ = writeln!(anstream::stderr(), "warning: no browser could be opened");
    }
    server.run().map_err(|error| Failure::job(format!("cannot serve: {error}")))?;
    Ok(ExitCode::SUCCESS)
}

/// The address of the page, as a browser on this machine opens it.
fn page(address: SocketAddr, token: Option<&str>) -> String {
    let host = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => "127.0.0.1".to_owned(),
        IpAddr::V6(ip) if ip.is_unspecified() => "[::1]".to_owned(),
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    };
    let query = token.map_or_else(String::new, |token| format!("?token={token}"));
    format!("http://{host}:{}/{query}", address.port())
}

fn library(args: &Args) -> Result<PathBuf, Failure> {
    if let Some(folder) = &args.library {
        return Ok(folder.clone());
    }
    let directories = directories::ProjectDirs::from("", "", "noregret");
    let directories = directories.ok_or_else(|| {
        Failure::request("there is no home directory to keep the library in: give --library DIR")
    })?;
    Ok(directories.data_dir().join("library"))
}

/// 128 bits that nobody can guess, in hexadecimal digits.
fn random_token() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::job(format!("no random token can be made: {error}")))?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_open_in_a_browser() {
        let at = |address: &str, token| page(address.parse().unwrap(), token);
        assert_eq!(at("127.0.0.1:4242", None), "http://127.0.0.1:4242/");
        assert_eq!(at("0.0.0.0:80", Some("abc")), "http://127.0.0.1:80/?token=abc");
        assert_eq!(at("[::1]:80", None), "http://[::1]:80/");
    }

    #[test]
    fn tokens_are_plain_and_long_enough() {
        assert!(token("correct-horse").is_ok() && token(&random_token().unwrap()).is_ok());
        for bad in ["", "short", "with blank inside", "semi;colon;", "ünïcödé-token"] {
            assert_eq!(token(bad).unwrap_err(), "must be 8 to 200 letters, digits, `-` and `_`");
        }
    }
}
