//! A server in this process, on a library of its own.

#![allow(dead_code, unreachable_pub, missing_docs)]

pub mod http;

use http::{Answer, request, wait_for};
use noregret_serve::{Server, Settings, Stopper};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

/// A river that is solved in a moment.
pub const RIVER: &str = "[ranges]\noop = \"AA,KK,QJs,87s\"\nip = \"TT+,AQs+:0.5,KQs\"\n[cards]\nflop = \"QsJh2h\"\nturn = \"8c\"\n\
                         river = \"3d\"\n[tree]\nstarting_pot = 100\neffective_stack = 300\n[solver]\n\
                         target_exploitability_pct = 0.3\n";

/// A small turn, solved in less than a second.
pub const TURN: &str = "[ranges]\noop = \"AA,KK,QJs,87s\"\nip = \"TT+,AQs,KQs\"\n[cards]\nflop = \"QsJh2h\"\nturn = \"8c\"\n\
                        [tree]\nstarting_pot = 100\neffective_stack = 200\n[solver]\ntarget_exploitability_pct = 0.5\n";

/// The same, and it never ends.
pub fn endless() -> String {
    TURN.replace(
        "target_exploitability_pct = 0.5",
        "target_exploitability_pct = 0\nmax_iterations = 1000000000",
    )
}

/// A running server; it ends when this is dropped.
pub struct Running {
    pub address: SocketAddr,
    stopper: Stopper,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub fn start(library: &Path) -> Self {
        Self::with(library, |_| ())
    }

    pub fn with(library: &Path, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Settings::new(PathBuf::from(library));
        settings.threads = 2;
        change(&mut settings);
        let server = Server::open(settings, 0, false).unwrap();
        let (address, stopper) = (server.address().unwrap(), server.stopper());
        let thread = Some(std::thread::spawn(move || server.run()));
        Self { address, stopper, thread }
    }

    pub fn get(&self, path: &str) -> Answer {
        request(self.address, "GET", path, None)
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        request(self.address, "POST", path, Some(body))
    }

    pub fn put(&self, path: &str, body: &Value) -> Answer {
        request(self.address, "PUT", path, Some(body))
    }

    pub fn delete(&self, path: &str) -> Answer {
        request(self.address, "DELETE", path, None)
    }

    /// Queues a solve and gives its id.
    #[track_caller]
    pub fn solve(&self, name: &str, toml: &str) -> String {
        let job = self.post("/api/solves", &json!({"name": name, "toml": toml}));
        assert_eq!(job.status, 201, "{job:?}");
        job.json()["id"].as_str().unwrap().to_owned()
    }

    /// Solves to the end.
    #[track_caller]
    pub fn solved(&self, name: &str, toml: &str) -> Value {
        let job = wait_for(self.address, &self.solve(name, toml), &["done", "failed"]);
        assert_eq!(job["state"], "done", "{job}");
        job
    }

    /// Ends the server as Ctrl-C does.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}
