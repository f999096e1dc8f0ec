//! A proxy between the program and the store, which counts what passes and does harm where a test wants it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What becomes of a request.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fate {
    /// It is passed on.
    Passed,
    /// It is answered with an error, and goes no further.
    Answered(u16, &'static str),
    /// It is passed on after a while.
    Late(Duration),
    /// The connection closes in the middle of what is sent.
    Cut,
    /// It is passed on, and the answer is lost.
    AnswerLost,
}

/// Decides by the number of a request, its method and its path with the query.
type Decide = Box<dyn FnMut(usize, &str, &str) -> Fate + Send>;

/// The proxy.
pub struct Proxy {
    pub address: SocketAddr,
    /// How many requests there were.
    pub requests: Arc<AtomicUsize>,
    /// How many bytes the store has sent.
    pub received: Arc<AtomicU64>,
}

impl Proxy {
    pub fn start(to: SocketAddr, decide: impl FnMut(usize, &str, &str) -> Fate + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (requests, received) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicU64::new(0)));
        let decide: Arc<Mutex<Decide>> = Arc::new(Mutex::new(Box::new(decide)));
        let counters = (requests.clone(), received.clone());
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (decide, (requests, received)) = (decide.clone(), counters.clone());
                std::thread::spawn(move || {
                    // Whoever hangs up is heard of no more.
                    let _ = serve(client, to, &decide, &requests, &received);
                });
            }
        });
        Self { address, requests, received }
    }
}

/// Passes one request on; the connection is closed after it.
fn serve(
    mut client: TcpStream,
    to: SocketAddr,
    decide: &Mutex<Decide>,
    requests: &AtomicUsize,
    received: &AtomicU64,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(client.try_clone()?);
    let (mut head, mut length) = (String::new(), 0);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    if first.is_empty() {
        return Ok(());
    }
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        let small = line.to_ascii_lowercase();
        if let Some(bytes) = small.strip_prefix("content-length:") {
            length = bytes.trim().parse().unwrap_or(0);
        }
        if !small.starts_with("connection:") && !small.starts_with("expect:") {
            head.push_str(&line);
        }
    }
    let number = requests.fetch_add(1, Ordering::SeqCst);
    let mut words = first.split(' ');
    let (method, path) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let fate = decide.lock().unwrap()(number, method, path);
    let mut body = vec![0; length];
    match fate {
        Fate::Cut => {
            reader.read_exact(&mut body[..length / 2])?;
            return client.shutdown(Shutdown::Both);
        }
        Fate::Answered(status, code) => {
            reader.read_exact(&mut body)?;
            let text = format!("<Error><Code>{code}</Code><Message>no</Message></Error>");
            return write!(
                client,
                "HTTP/1.1 {status} No\r\nContent-Type: application/xml\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
                text.len()
            );
        }
        Fate::Late(wait) => std::thread::sleep(wait),
        Fate::Passed | Fate::AnswerLost => {}
    }
    reader.read_exact(&mut body)?;
    let mut store = TcpStream::connect(to)?;
    write!(store, "{first}{head}Connection: close\r\n\r\n")?;
    store.write_all(&body)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = store.read(&mut buffer)?;
        if count == 0 {
            return client.shutdown(Shutdown::Both);
        }
        if fate != Fate::AnswerLost {
            received.fetch_add(count as u64, Ordering::SeqCst);
            client.write_all(&buffer[..count])?;
        }
    }
}
