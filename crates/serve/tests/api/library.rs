//! Names, notes and deletions in the library.

use crate::common::http::encoded;
use crate::common::{RIVER, Running};
use serde_json::{Value, json};

fn put(server: &Running, id: &str, annotation: &Value) -> crate::common::http::Answer {
    let path = format!("/api/solutions/{}/annotation", encoded(id));
    server.put(&path, annotation)
}

#[test]
fn tags_notes_and_bookmarks_stay_with_their_solution_wherever_it_goes() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("river", RIVER);
    let written = json!({"tags": ["study", "river", "study"], "note": "look again", "bookmarks": [{"name": "the bet", "line": "bet 50"}]});
    let kept = put(&server, "river", &written).json();
    assert_eq!(kept["tags"], json!(["river", "study"]));
    let listed = |server: &Running| server.get("/api/solutions").json()[0].clone();
    assert_eq!(
        (&listed(&server)["note"], &listed(&server)["bookmarks"]),
        (&json!("look again"), &written["bookmarks"])
    );

    let rename = |id: &str, name: &str| {
        server.post(&format!("/api/solutions/{}/rename", encoded(id)), &json!({"name": name}))
    };
    let renamed = rename("river", "deep/another").json();
    assert_eq!((&renamed["id"], &renamed["tags"]), (&json!("deep/another"), &json!(["river", "study"])));
    assert_eq!((rename("river", "x").status, rename("deep/another", "../x").status), (404, 422));
    // A server that starts again knows them too.
    server.stop();
    let server = Running::start(home.path());
    assert_eq!(listed(&server)["note"], "look again");
    server.solved("river", RIVER);
    let taken = server.post("/api/solutions/river/rename", &json!({"name": "deep/another"})).json();
    assert_eq!((&taken["id"], &taken["note"]), (&json!("deep/another-2"), &json!("")));

    for (bad, message) in [
        (json!({"tags": ["a,b"]}), "tags: `a,b`: a tag has 1 to 60 characters, and no comma"),
        (json!({"tags": [" "]}), "tags: ` `: a tag has 1 to 60 characters, and no comma"),
        (json!({"note": "x".repeat(10_001)}), "note: a note has at most 10000 characters"),
        (
            json!({"bookmarks": [{"name": "", "line": ""}]}),
            "bookmarks: ``: the name of a bookmark has 1 to 60 characters",
        ),
    ] {
        let answer = put(&server, "deep/another", &bad);
        assert_eq!((answer.status, answer.message().as_str()), (422, message));
    }
    assert_eq!(put(&server, "nothing", &json!({})).status, 404);
}

#[test]
fn a_deletion_is_taken_back_with_all_that_was_written() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("deep/river", RIVER);
    put(&server, "deep/river", &json!({"note": "keep me"}));
    let bytes = std::fs::read(home.path().join("deep/river.nrs")).unwrap();
    let path = format!("/api/solutions/{}", encoded("deep/river"));
    assert_eq!((server.delete(&path).status, server.get(&path).status), (204, 404));
    let trash = server.get("/api/trash").json();
    assert_eq!((&trash[0]["id"], trash.as_array().unwrap().len()), (&json!("deep/river"), 1));
    let back = || server.post(&format!("/api/trash/{}/restore", encoded("deep/river")), &json!({}));
    assert_eq!(back().json()["note"], "keep me");
    assert_eq!(std::fs::read(home.path().join("deep/river.nrs")).unwrap(), bytes);
    assert_eq!((back().status, server.get("/api/trash").json()), (404, json!([])));

    // Where the name is taken by now, a number is added.
    server.delete(&path);
    server.solved("deep/river", RIVER);
    assert_eq!(back().json()["id"], "deep/river-2");
    server.delete(&path);
    assert_eq!(server.delete("/api/trash").status, 204);
    assert_eq!((back().status, server.get("/api/trash").json()), (404, json!([])));
    assert_eq!(server.post("/api/trash/..%2Fx/restore", &json!({})).status, 400);
}

#[test]
fn two_solutions_deleted_under_one_name_are_both_kept_each_with_its_note() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    for note in ["first", "second"] {
        server.solved("river", RIVER);
        assert_eq!(server.get("/api/solutions/river").json()["note"], "");
        put(&server, "river", &json!({"note": note}));
        assert_eq!(server.delete("/api/solutions/river").status, 204);
    }
    let ids = |server: &Running| {
        let trash = server.get("/api/trash").json();
        let mut ids: Vec<String> =
            trash.as_array().unwrap().iter().map(|each| each["id"].as_str().unwrap().to_owned()).collect();
        ids.sort();
        ids
    };
    assert_eq!(ids(&server), ["river", "river-2"]);
    let back = |id: &str| server.post(&format!("/api/trash/{id}/restore"), &json!({})).json();
    assert_eq!(back("river")["note"], "second");
    let older = back("river-2");
    assert_eq!((&older["id"], &older["note"]), (&json!("river-2"), &json!("first")));
    // What is gone for good leaves no note behind for the next one of its name.
    server.delete("/api/solutions/river");
    server.delete("/api/trash");
    let notes = std::fs::read_to_string(home.path().join(".notes.json")).unwrap();
    assert!(!notes.contains("second") && notes.contains("first"), "{notes}");
}

#[test]
fn what_was_deleted_long_ago_is_gone_after_the_next_start() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("old", RIVER);
    server.solved("new", RIVER);
    server.delete("/api/solutions/old");
    server.delete("/api/solutions/new");
    server.stop();
    let old = std::fs::File::options().write(true).open(home.path().join(".trash/old.nrs")).unwrap();
    old.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(8 * 24 * 3600)).unwrap();
    let server = Running::start(home.path());
    let trash = server.get("/api/trash").json();
    assert_eq!((&trash[0]["id"], trash.as_array().unwrap().len()), (&json!("new"), 1));
}
