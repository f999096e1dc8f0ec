//! A client as small as it can be: one request, one connection.

use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The message of an error.
    pub fn message(&self) -> String {
        self.json()["error"]["message"].as_str().unwrap_or_default().to_owned()
    }

    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value)
        })
    }
}

/// Sends a request with these headers and nothing else, and reads the answer to its end.
pub fn send(address: SocketAddr, head: &str, body: &[u8]) -> Answer {
    let mut stream = connect(address);
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)).unwrap();
    let mut bytes = Vec::new();
    // A server that refuses a body may close before it has read all of it.
    let _ = stream.read_to_end(&mut bytes);
    parse(&bytes)
}

/// Connects, and does not wait for ever.
pub fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    stream
}

fn parse(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or_else(|| {
        panic!("no answer: {:?}", String::from_utf8_lossy(bytes));
    });
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap();
    Answer { status, head, body: bytes[end + 4..].to_vec() }
}

/// A request as the page sends it.
pub fn request(address: SocketAddr, method: &str, path: &str, body: Option<&Value>) -> Answer {
    let body = body.map(Value::to_string).unwrap_or_default();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    send(address, &head, body.as_bytes())
}

/// Waits until a solve is in one of these states.
#[track_caller]
pub fn wait_for(address: SocketAddr, id: &str, states: &[&str]) -> Value {
    let start = Instant::now();
    loop {
        let job = request(address, "GET", &format!("/api/solves/{id}"), None).json();
        if job["state"].as_str().is_some_and(|state| states.contains(&state)) {
            return job;
        }
        assert!(start.elapsed() < Duration::from_secs(300), "{job}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A text as one segment of a path, or a value of a query.
pub fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}
