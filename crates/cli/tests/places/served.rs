//! A server of the test: the program, with a library in a bucket.

use crate::http::{Answer, request};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// `noregret serve`, for as long as a test runs.
pub struct Served {
    child: Child,
    pub address: SocketAddr,
    /// What it has printed before the address.
    pub said: String,
}

impl Served {
    /// Starts it on a library, with its own files in a folder.
    pub fn start(mut command: Command, library: &str, state: &Path) -> Self {
        command.args([
            "serve",
            "--no-open",
            "--port",
            "0",
            "--threads",
            "2",
            "--library",
            library,
            "--state",
        ]);
        let mut child = command.arg(state).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut said = String::new();
        let address = loop {
            let line = lines.next().unwrap().unwrap();
            if let Some(address) = line.strip_prefix("Open http://") {
                break address.split('/').next().unwrap().parse().unwrap();
            }
            said += &format!("{line}\n");
        };
        Self { child, address, said }
    }

    pub fn get(&self, path: &str) -> Answer {
        request(self.address, "GET", path, None)
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        request(self.address, "POST", path, Some(body))
    }

    /// Queues a solve and gives its id.
    #[track_caller]
    pub fn solve(&self, name: &str, toml: &str) -> String {
        let job = self.post("/api/solves", &json!({"name": name, "toml": toml}));
        assert_eq!(job.status, 201, "{job:?}");
        job.json()["id"].as_str().unwrap().to_owned()
    }

    /// The ids of the solutions, in order.
    #[track_caller]
    pub fn ids(&self) -> Vec<String> {
        let listed = self.get("/api/solutions");
        assert_eq!(listed.status, 200, "{listed:?}");
        let mut ids: Vec<String> = listed
            .json()
            .as_array()
            .unwrap()
            .iter()
            .map(|info| info["id"].as_str().unwrap().to_owned())
            .collect();
        ids.sort();
        ids
    }

    /// Asks again and again until the answer is as it should be.
    #[track_caller]
    pub fn until(&self, path: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let started = Instant::now();
        loop {
            let answer = self.get(path).json();
            if is_so(&answer) {
                return answer;
            }
            assert!(started.elapsed() < Duration::from_secs(300), "{path}: {answer}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
