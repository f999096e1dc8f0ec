//! Many clients at once on a solution, while a solve runs.

mod common;

use common::http::{encoded, request};
use common::{Running, TURN, endless};
use std::time::{Duration, Instant};

/// Asks with so many clients at once, each so often, and gives the times that it took. Every answer must be the one that a
/// single client got: comparing bytes leaves the processors to the server, which reading JSON two hundred times over would not.
fn ask(server: &Running, clients: usize, times: usize) -> Vec<Duration> {
    let lines = ["", "check", "check, bet 50", "bet 50", "bet 50, call, Th", "check, check, 2s"];
    let asked = lines.map(|line| {
        let path = format!("/api/solutions/spot/node?line={}", encoded(line));
        let answer = server.get(&path);
        assert!(answer.json()["hands"]["oop"]["hand"].is_array(), "{answer:?}");
        (path, answer.body)
    });
    let client = |number: usize| {
        let once = |time: usize| {
            let (path, right) = &asked[(number + time) % asked.len()];
            let start = Instant::now();
            let answer = request(server.address, "GET", path, None);
            let took = start.elapsed();
            assert_eq!(answer.status, 200, "{answer:?}");
            assert!(answer.body == *right, "{answer:?}");
            took
        };
        (0..times).map(once).collect::<Vec<_>>()
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..clients)
            .map(|number| {
                scope.spawn({
                    let client = &client;
                    move || client(number)
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

fn p99(clients: usize, times: usize) -> Duration {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("spot", TURN);
    let running = server.solve("endless", &endless());
    let mut took = ask(&server, clients, times);
    let job = server.get(&format!("/api/solves/{running}")).json();
    assert_eq!(job["state"], "running", "{job}");
    took.sort();
    took[took.len() * 99 / 100]
}

#[test]
fn two_hundred_clients_at_once_get_their_answers_while_a_solve_runs() {
    println!("p99 {:?}", p99(200, 5));
}

#[test]
#[ignore = "measures: run it alone, with --release"]
fn two_hundred_clients_wait_less_than_100_ms() {
    let p99 = p99(200, 50);
    println!("p99 {p99:?}");
    assert!(p99 < Duration::from_millis(100), "{p99:?}");
}
