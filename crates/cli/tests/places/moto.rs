//! A server on this machine that speaks S3, for as long as a test runs.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The bucket of the tests.
pub const BUCKET: &str = "spots";

/// moto's server, with one bucket.
pub struct Moto {
    server: Child,
    pub address: SocketAddr,
}

fn python() -> PathBuf {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/places-venv/bin/python");
    assert!(target.exists(), "scripts/setup-places-tests installs {}", target.display());
    target
}

impl Moto {
    pub fn start() -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let server = Command::new(python())
            .args(["-m", "moto.server", "-H", "127.0.0.1", "-p", &free.port().to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let moto = Self { server, address: free };
        let started = Instant::now();
        while TcpStream::connect(free).is_err() {
            assert!(started.elapsed() < Duration::from_secs(300), "moto does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
        let (status, _) = moto.ask("PUT", &format!("/{BUCKET}"));
        assert_eq!(status, 200);
        moto
    }

    /// Asks for something, past the program.
    fn ask(&self, method: &str, path: &str) -> (u16, Vec<u8>) {
        self.send(method, path, b"")
    }

    fn send(&self, method: &str, path: &str, content: &[u8]) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        // It checks nothing of it, but wants to see it.
        let signed = "AWS4-HMAC-SHA256 Credential=test/20200101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0";
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: {signed}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.address,
            content.len()
        )
        .unwrap();
        stream.write_all(content).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), answer.split_off(end + 4))
    }

    /// The content of an object.
    pub fn object(&self, name: &str) -> Vec<u8> {
        let (status, body) = self.ask("GET", &format!("/{BUCKET}/{name}"));
        assert_eq!(status, 200, "{name}");
        body
    }

    /// Puts an object there.
    pub fn put(&self, name: &str, content: &[u8]) {
        let (status, _) = self.send("PUT", &format!("/{BUCKET}/{name}"), content);
        assert_eq!(status, 200, "{name}");
    }

    /// The names of all objects, of which there are less than a thousand.
    pub fn names(&self) -> Vec<String> {
        self.listed("?list-type=2", "Key")
    }

    /// The uploads that are neither put together nor given up.
    pub fn uploads(&self) -> Vec<String> {
        self.listed("?uploads", "UploadId")
    }

    fn listed(&self, query: &str, tag: &str) -> Vec<String> {
        let (status, body) = self.ask("GET", &format!("/{BUCKET}{query}"));
        assert_eq!(status, 200);
        let text = String::from_utf8(body).unwrap();
        let tag = format!("<{tag}>");
        let pieces = text.split(&tag).skip(1);
        pieces.map(|piece| piece.split('<').next().unwrap().to_owned()).collect()
    }
}

impl Drop for Moto {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
