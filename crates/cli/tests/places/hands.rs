//! `noregret hands --solve --out s3://…`: the answers of a folder, and nothing is solved twice.

use crate::moto::Moto;
use crate::proxy::{Fate, Proxy};
use crate::{done, example, refused, run, stderr, url};
use serde_json::Value;
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// The arguments that solve the session of the examples into a place.
fn solve<'a>(session: &'a str, out: &'a str) -> [&'a str; 8] {
    ["hands", session, "--solve", "--out", out, "--target", "30", "--json"]
}

/// The digests of the solutions in a place, by the name of the file.
fn digests(at: SocketAddr, folder: &str, names: &[String]) -> BTreeMap<String, String> {
    let digest = |name: &String| {
        let verified = done(at, &["verify", &format!("{folder}/{name}"), "--json"]);
        let verified: Value = serde_json::from_str(&verified).unwrap();
        (name.clone(), verified["strategy_digest"].as_str().unwrap().to_owned())
    };
    names.iter().map(digest).collect()
}

#[test]
fn hands_are_solved_into_a_bucket_as_into_a_folder_and_once() {
    let home = tempfile::tempdir().unwrap();
    let moto = Moto::start();
    let at = moto.address;
    let (session, folder, bucket) = (example("session.txt"), home.path().join("solved"), url("my/hands"));
    let folder = folder.to_str().unwrap();

    let local = done(at, &solve(&session, folder));
    let there = run(at, &solve(&session, &bucket));
    assert!(stderr(&there).contains("2 solved, 0 were there, 0 failed"), "{}", stderr(&there));
    // Decisions, losses and totals.
    assert_eq!(String::from_utf8_lossy(&there.stdout), local);
    let last: Value = serde_json::from_str(local.lines().last().unwrap()).unwrap();
    assert!(last["totals"]["all"]["ev_loss_bb"].as_f64().unwrap() > 0.0, "{last}");
    let names: Vec<String> = moto
        .names()
        .iter()
        .filter_map(|name| name.strip_prefix("my/hands/"))
        .filter(|name| name.ends_with(".nrs"))
        .map(str::to_owned)
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert_eq!(digests(at, &bucket, &names), digests(at, folder, &names));
    assert_eq!(moto.uploads(), Vec::<String>::new());

    let before: Vec<Vec<u8>> = names.iter().map(|name| moto.object(&format!("my/hands/{name}"))).collect();
    let again = run(at, &solve(&session, &bucket));
    assert!(stderr(&again).contains("0 solved, 2 were there, 0 failed"), "{}", stderr(&again));
    assert_eq!(String::from_utf8_lossy(&again.stdout), local);
    assert!(names.iter().zip(before).all(|(name, file)| moto.object(&format!("my/hands/{name}")) == file));
    // Without --solve what is there answers. Without --target more is asked for, and said to be missed.
    let read = done(at, &["hands", &session, "--out", &bucket, "--target", "30", "--json"]);
    assert_eq!(read, local);
    // The session, and what comes out of it, may be in the bucket, too.
    moto.put("session.txt", &std::fs::read(&session).unwrap());
    let (page, rows) = (url("session.html"), url("rows.parquet"));
    let mut args = vec!["hands", "s3://spots/session.txt", "--out", &bucket, "--html", &page];
    if cfg!(feature = "parquet") {
        args.extend(["--parquet", &rows]);
    }
    done(at, &args);
    assert!(moto.object("session.html").starts_with(b"<!"));
    assert!(cfg!(not(feature = "parquet")) || moto.object("rows.parquet").starts_with(b"PAR1"));
}

#[test]
fn a_bucket_that_takes_nothing_is_told_before_hands_are_solved() {
    let moto = Moto::start();
    let session = example("session.txt");
    let (code, message) = refused(moto.address, &solve(&session, "s3://none/hands"));
    assert!(code == 1 && message.contains("there is no bucket `none`"), "{code} {message}");
    let denied = Proxy::start(moto.address, |_, method, _| match method {
        "PUT" | "POST" => Fate::Answered(403, "AccessDenied"),
        _ => Fate::Passed,
    });
    let (code, message) = refused(denied.address, &solve(&session, &url("hands")));
    assert!(code == 1 && message.contains("no permission: ask for the right to"), "{code} {message}");
    assert_eq!(moto.names(), Vec::<String>::new());
}
