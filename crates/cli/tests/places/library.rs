//! `noregret serve --library s3://…`: solutions in a bucket, and what is the server's own on this machine.

use crate::http::{encoded, request, send, wait_for};
use crate::moto::Moto;
use crate::proxy::{Fate, Proxy};
use crate::served::Served;
use crate::{done, example, noregret, refused, small_turn, url};
use serde_json::{Value, json};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A river that is solved in a moment.
const RIVER: &str = "[ranges]\noop = \"AA,KK,QJs,87s\"\nip = \"TT+,AQs+:0.5,KQs\"\n[cards]\nflop = \"QsJh2h\"\nturn = \"8c\"\n\
                     river = \"3d\"\n[tree]\nstarting_pot = 100\neffective_stack = 300\n[solver]\n\
                     target_exploitability_pct = 0.3\n";

/// A turn, and its solve never ends.
const ENDLESS: &str = "[ranges]\noop = \"AA,KK,QJs,87s\"\nip = \"TT+,AQs,KQs\"\n[cards]\nflop = \"QsJh2h\"\nturn = \"8c\"\n\
                       [tree]\nstarting_pot = 100\neffective_stack = 200\n[solver]\ntarget_exploitability_pct = 0\n\
                       max_iterations = 1000000000\n";

/// The names in the bucket below the library, in order.
fn names(moto: &Moto) -> Vec<String> {
    let mut names: Vec<String> =
        moto.names().iter().filter_map(|name| name.strip_prefix("lib/").map(str::to_owned)).collect();
    names.sort();
    names
}

fn of(id: &str, what: &str) -> String {
    format!("/api/solutions/{}{what}", encoded(id))
}

#[test]
fn what_is_in_a_bucket_is_listed_looked_at_and_reported_on() {
    let home = tempfile::tempdir().unwrap();
    let moto = Moto::start();
    let at = moto.address;
    let spec = small_turn(home.path());
    done(at, &["solve", spec.to_str().unwrap(), "--out", &url("lib/deep/a.nrs")]);
    std::fs::copy(example("short-stack.toml"), home.path().join("spec.toml")).unwrap();
    let plan = home.path().join("plan.toml");
    let text = "[batch]\nspec = 'spec.toml'\nout = 's3://spots/lib/flops'\nflops = ['QsJh2h', 'AsKd2c']\nsave = 'flop'\n";
    std::fs::write(&plan, text).unwrap();
    done(at, &["batch", plan.to_str().unwrap()]);
    done(at, &["solve", spec.to_str().unwrap(), "--out", &url("elsewhere.nrs")]);
    let before = names(&moto);

    let state = home.path().join("state");
    let server = Served::start(noregret(at), &url("lib/"), &state);
    assert!(server.said.starts_with("Library: s3://spots/lib\nSolves and notes: "), "{}", server.said);
    assert_eq!(server.get("/api/health").json()["library"], "s3://spots/lib");
    assert_eq!(server.ids(), ["deep/a", "flops/AsKd2c", "flops/QsJh2h"]);
    assert_eq!(server.get(&of("elsewhere", "")).status, 404);
    let inspected: Value =
        serde_json::from_str(&done(at, &["inspect", &url("lib/deep/a.nrs"), "--line", "check", "--json"]))
            .unwrap();
    let node = server.get(&of("deep/a", "/node?line=check")).json();
    assert_eq!(node["players"]["ip"]["ev"], inspected["players"]["ip"]["ev"]);
    let report = server.get(&of("deep/a", "/report?line=check%2C%20check")).json();
    assert!(report["variants"][0]["rows"].as_array().unwrap().len() > 10, "{report}");

    let batch = server.get("/api/batches").json();
    assert_eq!(
        (&batch[0]["id"], &batch[0]["solved"], &batch[0]["total"]),
        (&json!("flops"), &json!(2), &json!(2))
    );
    let report = server.get("/api/batches/flops/report?line=").json();
    assert_eq!(report["variants"][0]["rows"].as_array().unwrap().len(), 2, "{report}");
    assert_eq!(
        std::fs::read_dir(state.join(".rows/flops")).unwrap().count(),
        1,
        "a report is kept on this machine"
    );

    let file = server.get(&of("deep/a", "/file"));
    assert!(file.body == moto.object("lib/deep/a.nrs"));
    assert_eq!(file.header("content-disposition"), Some("attachment; filename=\"a.nrs\""));
    let started = server.post("/api/drills", &json!({"solution": "flops", "settings": ""}));
    assert_eq!(started.status, 201, "{started:?}");
    assert_eq!(names(&moto), before, "nothing of the server's own is in the bucket");
}

#[test]
fn solves_and_batches_of_a_server_are_written_to_the_bucket() {
    let home = tempfile::tempdir().unwrap();
    let moto = Moto::start();
    let state = home.path().join("state");
    let server = Served::start(noregret(moto.address), &url("lib"), &state);
    assert_eq!(server.ids(), Vec::<String>::new());
    let solve = server.solve("new/river", RIVER);
    assert_eq!(wait_for(server.address, &solve, &["done", "failed"])["solution"], "new/river");
    assert_eq!(server.ids(), ["new/river"]);
    done(moto.address, &["verify", &url("lib/new/river.nrs")]);
    let again = server.solve("new/river", RIVER);
    assert_eq!(wait_for(server.address, &again, &["done", "failed"])["solution"], "new/river-2");

    // One that is under way is looked at, and saved when it is stopped.
    let endless = server.solve("turn", ENDLESS);
    wait_for(server.address, &endless, &["running"]);
    server.post(&format!("/api/solves/{endless}/look"), &json!({}));
    let path = format!("/api/solves/{endless}");
    server.until(&path, |job| job["solution"] == "turn");
    assert_eq!(server.get(&of("turn", "/node?line=")).status, 200);
    let looked = moto.object("lib/turn.nrs");
    server.post(&format!("{path}/stop"), &json!({}));
    wait_for(server.address, &endless, &["stopped"]);
    assert!(moto.object("lib/turn.nrs") != looked);
    let detail = server.get(&of("turn", "")).json();
    assert_eq!(detail["iterations"], server.get(&path).json()["iteration"], "the newer one is shown at once");

    let toml = std::fs::read_to_string(example("short-stack.toml")).unwrap();
    let begun = server.post("/api/batches", &json!({"name": "flops", "toml": toml, "flops": 1}));
    assert_eq!((begun.status, &begun.json()["total"]), (201, &json!(1)), "{begun:?}");
    let ended = server.until("/api/batches/flops", |batch| batch["running"] == false);
    assert_eq!((&ended["solved"], &ended["failed"]), (&json!(1), &json!(0)), "{ended}");
    let there = names(&moto);
    let flops: Vec<&str> = there.iter().filter_map(|name| name.strip_prefix("flops/")).collect();
    assert!(
        flops.len() == 4 && ["batch.tsv", "plan.toml", "spec.toml"].iter().all(|name| flops.contains(name)),
        "{there:?}"
    );
    // The same name makes another folder.
    let second = server.post("/api/batches", &json!({"name": "flops", "toml": RIVER, "flops": 1}));
    assert!(second.status == 422 || second.json()["id"] == "flops-2", "{second:?}");
    assert_eq!(moto.uploads(), Vec::<String>::new());

    // What the next server knows is on this machine and in the bucket.
    drop(server);
    let server = Served::start(noregret(moto.address), &url("lib"), &state);
    assert_eq!(server.get("/api/solves").json().as_array().unwrap().len(), 3);
    assert!(server.ids().contains(&"turn".to_owned()));
    assert!(state.join(".jobs/1/state.json").exists() && state.join(".lock").exists());
}

fn upload(server: &Served, name: &str, bytes: &[u8]) -> crate::http::Answer {
    let head = format!(
        "POST /api/solutions?name={} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
         Content-Type: application/octet-stream\r\nContent-Length: {}\r\n\r\n",
        encoded(name),
        server.address,
        bytes.len()
    );
    send(server.address, &head, bytes)
}

#[test]
fn solutions_come_into_a_bucket_get_other_names_and_can_be_taken_back() {
    let home = tempfile::tempdir().unwrap();
    let moto = Moto::start();
    let local = home.path().join("a.nrs");
    done(
        moto.address,
        &["solve", small_turn(home.path()).to_str().unwrap(), "--out", local.to_str().unwrap()],
    );
    let bytes = std::fs::read(&local).unwrap();
    let server = Served::start(noregret(moto.address), &url("lib"), &home.path().join("state"));
    let added = upload(&server, "in/copy", &bytes);
    assert_eq!((added.status, &added.json()["id"]), (201, &json!("in/copy")), "{added:?}");
    assert!(moto.object("lib/in/copy.nrs") == bytes);
    assert_eq!(upload(&server, "in/copy", &bytes).json()["id"], "in/copy-2");
    let mut damaged = bytes.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    let refused = upload(&server, "bad", &damaged);
    assert!(refused.status == 422 && refused.message().contains("cannot be added"), "{refused:?}");
    assert_eq!(names(&moto), ["in/copy-2.nrs", "in/copy.nrs"]);
    let uploads = home.path().join("state/.uploads");
    assert_eq!(std::fs::read_dir(uploads).unwrap().count(), 0, "nothing stays on this machine");

    let note = json!({"note": "look again"});
    let noted = request(server.address, "PUT", &of("in/copy", "/annotation"), Some(&note));
    assert_eq!(noted.status, 200, "{noted:?}");
    let renamed = server.post(&of("in/copy", "/rename"), &json!({"name": "deep/er/other"}));
    assert_eq!((renamed.status, &renamed.json()["note"]), (200, &json!("look again")), "{renamed:?}");
    assert_eq!(server.ids(), ["deep/er/other", "in/copy-2"]);
    assert_eq!(server.get(&of("in/copy", "")).status, 404);

    let deleted = request(server.address, "DELETE", &of("deep/er/other", ""), None);
    assert_eq!(deleted.status, 204, "{deleted:?}");
    assert_eq!(
        (server.ids(), server.get(&of("deep/er/other", "")).status),
        (vec!["in/copy-2".to_owned()], 404)
    );
    assert_eq!(server.get("/api/trash").json()[0]["id"], "deep/er/other");
    let restored = server.post("/api/trash/deep%2Fer%2Fother/restore", &json!({}));
    assert_eq!((restored.status, &restored.json()["note"]), (200, &json!("look again")), "{restored:?}");
    assert!(moto.object("lib/deep/er/other.nrs") == bytes);
    assert_eq!(names(&moto), ["deep/er/other.nrs", "in/copy-2.nrs"]);
    request(server.address, "DELETE", &of("in/copy-2", ""), None);
    assert_eq!(request(server.address, "DELETE", "/api/trash", None).status, 204);
    assert_eq!(names(&moto), ["deep/er/other.nrs"]);
}

#[test]
fn what_is_wrong_with_a_library_is_said_at_the_start() {
    let home = tempfile::tempdir().unwrap();
    let moto = Moto::start();
    let at = moto.address;
    let state = home.path().join("state");
    let serve = |address, library: &str| {
        let args =
            ["serve", "--no-open", "--port", "0", "--library", library, "--state", state.to_str().unwrap()];
        refused(address, &args)
    };
    assert_eq!(
        serve(at, "s3://none/lib"),
        (1, "error: cannot serve s3://none/lib on 127.0.0.1: there is no bucket `none`: make it, or mend the name or AWS_ENDPOINT_URL and AWS_REGION".to_owned())
    );
    let denied = Proxy::start(at, |_, _, _| Fate::Answered(403, "AccessDenied"));
    assert_eq!(
        serve(denied.address, &url("lib")),
        (1, "error: cannot serve s3://spots/lib on 127.0.0.1: no permission: ask for the right to list, read and write there".to_owned())
    );
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (code, message) = serve(nobody, &url("lib"));
    assert!(code == 1 && message.contains("cannot reach the store ("), "{code} {message}");
    for (library, reason) in [
        ("s3://", "the bucket is missing: write `s3://BUCKET/NAME`"),
        ("ftp://host/lib", "`ftp://` is not read or written"),
        (home.path().to_str().unwrap(), "--state is for a library in a bucket"),
    ] {
        let (code, message) = serve(at, library);
        assert!(code == 2 && message.contains(reason), "{library}: {code} {message}");
    }
    // One server at a time has what is on this machine.
    let _server = Served::start(noregret(at), &url("lib"), &state);
    let (code, message) = serve(at, &url("lib"));
    assert!(code == 1 && message.contains("another server has this library open"), "{message}");
    // A URL of a folder is the folder, which keeps everything itself.
    let folder = home.path().join("folder");
    let mut child = noregret(at)
        .args(["serve", "--no-open", "--port", "0", "--library", &format!("file://{}", folder.display())])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let started = std::time::Instant::now();
    while !folder.join(".lock").exists() {
        assert!(started.elapsed().as_secs() < 60);
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_store_that_refuses_is_told_from_a_solution_that_is_gone_and_nothing_is_lost() {
    let home = tempfile::tempdir().unwrap();
    let moto = Moto::start();
    let closed = Arc::new(AtomicBool::new(false));
    let is_closed = Arc::clone(&closed);
    let proxy = Proxy::start(moto.address, move |_, _, _| match is_closed.load(Ordering::SeqCst) {
        true => Fate::Answered(403, "AccessDenied"),
        false => Fate::Passed,
    });
    let server = Served::start(noregret(proxy.address), &url("lib"), &home.path().join("state"));
    assert_eq!(server.get(&of("none", "")).status, 404);
    closed.store(true, Ordering::SeqCst);
    let shown = server.get(&of("another", ""));
    assert_eq!(
        (shown.status, shown.message().as_str()),
        (502, "cannot read the library: no permission: ask for the right to list, read and write there")
    );
    let batch = server.post("/api/batches", &json!({"name": "flops", "toml": RIVER, "flops": 1}));
    assert!(batch.status == 502 || batch.status == 422, "{batch:?}");
    let solve = server.solve("river", RIVER);
    let failed = wait_for(server.address, &solve, &["done", "failed"]);
    assert_eq!(failed["state"], "failed", "{failed}");
    assert!(failed["error"].as_str().unwrap().contains("no permission: ask for the right"), "{failed}");
    assert_eq!(names(&moto), Vec::<String>::new());
    closed.store(false, Ordering::SeqCst);
    server.post(&format!("/api/solves/{solve}/resume"), &json!({}));
    assert_eq!(wait_for(server.address, &solve, &["done", "failed"])["state"], "done");
    assert_eq!(names(&moto), ["river.nrs"]);
}

#[test]
fn a_library_of_more_than_a_thousand_objects_is_listed_once_and_read_once() {
    let home = tempfile::tempdir().unwrap();
    let moto = Moto::start();
    let spec = home.path().join("river.toml");
    std::fs::write(&spec, RIVER).unwrap();
    done(moto.address, &["solve", spec.to_str().unwrap(), "--out", &url("lib/a.nrs")]);
    let bytes = moto.object("lib/a.nrs");
    let count = 1_050;
    (1..count).for_each(|number| moto.put(&format!("lib/many/{number}.nrs"), &bytes));
    moto.put("lib/notes.txt", b"somebody else's");
    let proxy = Proxy::start(moto.address, |_, _, _| Fate::Passed);
    let requests = || proxy.requests.load(Ordering::SeqCst);
    let state = home.path().join("state");
    let server = Served::start(noregret(proxy.address), &url("lib"), &state);
    assert_eq!(server.ids().len(), count);
    let read = requests();
    assert!(read > count && read < count + 20, "{read} requests");
    assert_eq!(server.ids().len(), count);
    assert!(requests() - read < 5, "{} requests for a list that is known", requests() - read);
    drop(server);
    let read = requests();
    let server = Served::start(noregret(proxy.address), &url("lib"), &state);
    assert_eq!(server.ids().len(), count);
    assert!(requests() - read < 10, "{} requests of the next server", requests() - read);
    drop(server);
}
