//! `noregret serve`: the web app.

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::output::{self, WorkLines};
use crate::place;
use crate::solve::seconds;
use clap::builder::RangedU64ValueParser;
use noregret_holdem::MachineMemory;
use noregret_serve::{Server, Settings};
use noregret_store::{Bytes, Digest, Place};
use std::io::Write;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
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
  noregret serve --library s3://spots/solved
  noregret serve --host 192.168.0.7 --token correct-horse-battery

Exit codes: 0 ended by Ctrl-C; 1 it could not be served; 2 the request was wrong.")]
pub struct Args {
    /// The port [default: 4242, or one of the next if that is taken]
    #[arg(long, value_name = "N")]
    port: Option<u16>,

    /// The folder with solutions and solves, made if it is not there, or the URL of solutions in a bucket [default: in your data
    /// directory]
    #[arg(long, value_name = "PLACE", value_parser = place::argument())]
    library: Option<PathBuf>,

    /// The folder for solves, checkpoints, notes and sessions, if the library is in a bucket [default: one for that place in your
    /// data directory]
    #[arg(long, value_name = "DIR", requires = "library")]
    state: Option<PathBuf>,

    /// Do not open the browser
    #[arg(long)]
    no_open: bool,

    /// Listen on another address than 127.0.0.1, or on that of a name of this machine: whoever can reach it needs the token
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1", hide_default_value = true, value_parser = host)]
    host: Host,

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

    /// Seconds between two checkpoints of a solve, like 10 or 0.5
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    checkpoint_every: Duration,

    /// Print the OpenAPI description of the API, and serve nothing
    #[arg(long)]
    print_openapi: bool,
}

/// Where to listen: an address, with the name that it was given by if it was.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Host {
    address: IpAddr,
    name: Option<String>,
}

impl std::fmt::Display for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name} ({})", self.address),
            None => self.address.fmt(f),
        }
    }
}

fn host(text: &str) -> Result<Host, String> {
    if let Ok(address) = text.trim_start_matches('[').trim_end_matches(']').parse() {
        return Ok(Host { address, name: None });
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    let accepted = "accepted is an IP address of this machine, like `192.168.0.7`, or a name that has one, like `localhost`";
    if text.is_empty() || !text.chars().all(is_name) {
        return Err(accepted.to_owned());
    }
    let found =
        (text, 0).to_socket_addrs().map_err(|_| format!("no address is known for this name: {accepted}"))?;
    let addresses: Vec<IpAddr> = found.map(|found| found.ip()).collect();
    // A name with both kinds of address is most often opened by the older one.
    let address = addresses.iter().find(|address| address.is_ipv4()).or(addresses.first());
    let address = address.ok_or_else(|| format!("this name has no address: {accepted}"))?;
    Ok(Host { address: *address, name: Some(text.to_ascii_lowercase()) })
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
    MachineMemory::check_address_space(Settings::OTHER_THREADS).map_err(Failure::request)?;
    let mut settings = Settings::new(library(args)?);
    settings.state = state(args, &settings.library)?;
    settings.threads = args.threads.unwrap_or(settings.threads);
    settings.memory = args.memory.map_or(settings.memory, |bytes| bytes.0);
    settings.at_once = args.solves;
    settings.checkpoint_every = args.checkpoint_every;
    settings.host = args.host.address;
    settings.name = args.host.name.clone();
    settings.token = match &args.token {
        None if !args.host.address.is_loopback() => Some(random_token()?),
        token => token.clone(),
    };
    let (token, state) = (settings.token.clone(), settings.state.clone());
    let folder = settings.library.display().to_string();
    let server = Server::open(settings, args.port.unwrap_or(PORT), args.port.is_none());
    let server =
        server.map_err(|error| Failure::job(format!("cannot serve {folder} on {}: {error}", args.host)))?;
    let name = args.host.name.as_deref();
    let address = page(name, server.address().map_err(Failure::job)?, token.as_deref());
    let stopper = server.stopper();
    ctrlc::set_handler(move || stopper.stop())
        .map_err(|error| Failure::job(format!("cannot listen for Ctrl-C: {error}")))?;
    for warning in server.warnings() {
        // Nobody has to read it: the server is what was asked for.
        let _ = writeln!(anstream::stderr(), "warning: {warning}");
    }
    let mut lines = WorkLines::default();
    lines.print(format!("Library: {}", server.library().display()));
    if let Some(state) = state {
        lines.print(format!("Solves and notes: {}", state.display()));
    }
    lines.print(format!("Open {address}"));
    if !args.no_open && open::that_detached(&address).is_err() {
        // The address is on the screen already.
        let _ = writeln!(anstream::stderr(), "warning: no browser could be opened");
    }
    server.run();
    Ok(ExitCode::SUCCESS)
}

/// The address of the page, as a browser on this machine opens it.
fn page(name: Option<&str>, address: SocketAddr, token: Option<&str>) -> String {
    let host = match address.ip() {
        _ if name.is_some() => name.unwrap_or_default().to_owned(),
        IpAddr::V4(ip) if ip.is_unspecified() => "127.0.0.1".to_owned(),
        IpAddr::V6(ip) if ip.is_unspecified() => "[::1]".to_owned(),
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    };
    let query = token.map_or_else(String::new, |token| format!("?token={token}"));
    format!("http://{host}:{}/{query}", address.port())
}

fn library(args: &Args) -> Result<PathBuf, Failure> {
    args.library.clone().map_or_else(default_library, Ok)
}

/// Where the server keeps what is its own, if the library does not keep it.
fn state(args: &Args, library: &Path) -> Result<Option<PathBuf>, Failure> {
    match (&args.state, Place::is_remote(library)) {
        (None, false) => Ok(None),
        (Some(_), false) => {
            let message = "--state is for a library in a bucket: a folder keeps solves and notes itself";
            Err(Failure::request(message))
        }
        (Some(folder), true) => Ok(Some(folder.clone())),
        (None, true) => {
            data_folder("--state DIR").map(|data| Some(data.join("places").join(folder_name(library))))
        }
    }
}

/// The name of a folder for a place in a bucket: readable, and another one for every other place.
fn folder_name(library: &Path) -> String {
    let url = library.display().to_string();
    let plain: String =
        url.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).take(60).collect();
    let digest = Digest::of(url.as_bytes()).to_string();
    format!("{}-{}", plain.replace("---", "-").trim_matches('-'), &digest[..8])
}

/// Where solutions are kept if nobody says otherwise.
pub fn default_library() -> Result<PathBuf, Failure> {
    Ok(data_folder("--library DIR")?.join("library"))
}

/// The data directory of whoever runs the program.
fn data_folder(option: &str) -> Result<PathBuf, Failure> {
    let directories = directories::ProjectDirs::from("", "", "noregret");
    let directories = directories.ok_or_else(|| {
        Failure::request(format!("there is no home directory to keep solves and solutions in: give {option}"))
    })?;
    Ok(directories.data_dir().to_owned())
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
        let at = |address: &str, token| page(None, address.parse().unwrap(), token);
        assert_eq!(at("127.0.0.1:4242", None), "http://127.0.0.1:4242/");
        assert_eq!(at("0.0.0.0:80", Some("abc")), "http://127.0.0.1:80/?token=abc");
        assert_eq!(at("[::1]:80", None), "http://[::1]:80/");
        assert_eq!(page(Some("box"), "10.0.0.1:80".parse().unwrap(), None), "http://box:80/");
    }

    #[test]
    fn each_place_in_a_bucket_has_a_folder_of_its_own() {
        let name = |url: &str| folder_name(Path::new(url));
        assert!(name("s3://spots/solved").starts_with("s3-spots-solved-"), "{}", name("s3://spots/solved"));
        assert_ne!(name("s3://spots/solved"), name("s3://spots-solved"));
        assert!(name(&format!("gs://{}", "ü".repeat(500))).len() < 100);
    }

    #[test]
    fn hosts_are_addresses_or_names_that_have_one() {
        let plain = |text: &str| Host { address: text.parse().unwrap(), name: None };
        assert_eq!((host("0.0.0.0"), host("[::1]")), (Ok(plain("0.0.0.0")), Ok(plain("::1"))));
        let local = host("LocalHost").unwrap();
        assert!(local.address.is_loopback() && local.name.as_deref() == Some("localhost"));
        let unknown = host("nowhere.invalid").unwrap_err();
        assert!(
            unknown.starts_with("no address is known for this name: accepted is an IP address"),
            "{unknown}"
        );
        for bad in ["", "a b", "127.0.0.1:80", "http://localhost", "café"] {
            assert!(host(bad).unwrap_err().starts_with("accepted is an IP address of this machine"), "{bad}");
        }
    }

    #[test]
    fn tokens_are_plain_and_long_enough() {
        assert!(token("correct-horse").is_ok() && token(&random_token().unwrap()).is_ok());
        for bad in ["", "short", "with blank inside", "semi;colon;", "ünïcödé-token"] {
            assert_eq!(token(bad).unwrap_err(), "must be 8 to 200 letters, digits, `-` and `_`");
        }
    }
}
