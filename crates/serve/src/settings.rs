//! How the server is to run.

use noregret_holdem::MachineMemory;
use noregret_store::Place;
use std::io;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// How the server is to run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The library: a folder, made if it is not there, or the URL of a place in a bucket.
    pub library: PathBuf,
    /// Where the server keeps what is its own if the library is in a bucket: solves with checkpoints, notes, sessions. A folder
    /// keeps that itself.
    pub state: Option<PathBuf>,
    /// Threads of a solve.
    pub threads: usize,
    /// What solves may take together, in bytes.
    pub memory: u64,
    /// How many solves run at once.
    pub at_once: usize,
    /// How often a solve writes its checkpoint.
    pub checkpoint_every: Duration,
    /// The largest solution file that may be uploaded, in bytes.
    pub upload_bytes: u64,
    /// The address to listen on.
    pub host: IpAddr,
    /// A name of that address which requests may use too; `localhost` always is one.
    pub name: Option<String>,
    /// What requests have to show, if anything.
    pub token: Option<String>,
    /// How long a request may take to come in, its headers and then each piece of its body, and an answer to be read further.
    pub patience: Duration,
    /// How many may be connected at once; others wait, and connections without a request give way to them.
    pub connections: usize,
    /// How many may watch solves at once, each on a connection of its own; others are refused.
    pub streams: usize,
}

impl Settings {
    /// Threads beside those that solve: they answer, read, and wait for the disk. More may be started, and share what these map.
    pub const OTHER_THREADS: usize = 8;

    /// The folder of this machine for what is the server's own.
    pub(crate) fn own_folder(&self) -> io::Result<PathBuf> {
        match Place::of(&self.library)? {
            Place::Local(folder) => Ok(folder),
            Place::Object(_) => self.state.clone().ok_or_else(|| {
                let message =
                    "a library in a bucket needs a folder of this machine for what is the server's own";
                io::Error::new(io::ErrorKind::InvalidInput, message)
            }),
        }
    }

    /// A library, served on loopback without a token, with all threads and all memory that is free now.
    pub fn new(library: PathBuf) -> Self {
        Self {
            library,
            state: None,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            memory: MachineMemory::before_threads(Self::OTHER_THREADS).available,
            at_once: 1,
            checkpoint_every: Duration::from_secs(10),
            upload_bytes: 4 << 30,
            host: IpAddr::from([127, 0, 0, 1]),
            name: None,
            token: None,
            patience: Duration::from_secs(20),
            // A page has six at most. Each may hold an answer of some hundred kilobytes, and two file handles, of which a process
            // often has 1024: the socket, and the file that goes down or comes up. A quarter is left for all else.
            connections: 384,
            streams: 64,
        }
    }
}
