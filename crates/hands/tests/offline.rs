//! Nothing leaves the machine: what reads hands, asks about them and keeps them cannot open a connection.

use std::path::{Path, PathBuf};
use std::process::Command;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The names of everything that a crate of the workspace is built of without object storage, which is for those who name a place
/// there.
fn dependencies(crate_name: &str) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p}"])
        .args(["--package", crate_name])
        .current_dir(workspace())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let names: Vec<String> =
        text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
    assert!(names.iter().any(|name| name == crate_name), "{names:?}");
    names
}

fn assert_without(crate_name: &str, refused: &[&str]) {
    let names = dependencies(crate_name);
    let found: Vec<&String> = names.iter().filter(|name| refused.contains(&name.as_str())).collect();
    assert!(found.is_empty(), "{crate_name} depends on {found:?}");
}

/// The sources of a crate with a piece of text that would open a connection.
fn sources_with(crate_folder: &str, pieces: &[&str]) -> Vec<PathBuf> {
    let mut folders = vec![workspace().join("crates").join(crate_folder).join("src")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if pieces.iter().any(|piece| std::fs::read_to_string(&path).unwrap().contains(piece)) {
                found.push(path);
            }
        }
    }
    found
}

/// Clients of HTTP and what they encrypt with.
const CLIENTS: [&str; 11] = [
    "object_store",
    "reqwest",
    "ureq",
    "curl",
    "isahc",
    "attohttpc",
    "tungstenite",
    "hyper-tls",
    "hyper-rustls",
    "rustls",
    "native-tls",
];

#[test]
fn hands_and_drills_have_no_network_among_their_dependencies() {
    for name in ["noregret-hands", "noregret-drill"] {
        assert_without(name, &[&CLIENTS[..], &["hyper", "h2", "tokio", "mio", "socket2"]].concat());
    }
    for folder in ["hands", "drill"] {
        assert_eq!(sources_with(folder, &["std::net", "UnixStream"]), Vec::<PathBuf>::new());
    }
}

#[test]
fn the_server_of_sessions_answers_and_asks_nobody() {
    assert_without("noregret-serve", &CLIENTS);
    let pieces = ["TcpStream::connect", "UdpSocket", "hyper::client", "hyper_util::client", ".connect("];
    assert_eq!(sources_with("serve", &pieces), Vec::<PathBuf>::new());
}
