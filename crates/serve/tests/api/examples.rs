//! Solutions and reports that the program carries.

use crate::common::Running;
use crate::common::http::encoded;

#[test]
fn examples_are_browsed_without_anything_in_the_library() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let examples = server.get("/api/examples").json();
    assert!((4..=6).contains(&examples["solutions"].as_array().unwrap().len()));
    for example in examples["solutions"].as_array().unwrap() {
        let path = format!("/api/solutions/{}", encoded(example["id"].as_str().unwrap()));
        let node = server.get(&format!("{path}/node"));
        assert_eq!(node.status, 200, "{example}: {node:?}");
        assert_eq!(
            node.json()["board"].as_array().unwrap().concat_cards(),
            example["board"].as_str().unwrap()
        );
        let exploitability = node.json()["exploitability_pct"].as_f64().unwrap();
        assert!(exploitability <= 0.5, "{example}: {exploitability}");
        // They stay what they are, and are no part of the library.
        assert_eq!((server.delete(&path).status, server.get(&path).status), (409, 200));
    }
    assert_eq!(server.get("/api/solutions").json().as_array().unwrap().len(), 0);
    assert_eq!(server.get("/api/solutions/example%3Anothing/node").status, 404);
}

#[test]
fn an_example_that_was_damaged_on_disk_is_written_anew() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let id = server.get("/api/examples").json()["solutions"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/solutions/{}", encoded(&id));
    assert_eq!(server.get(&path).status, 200);
    for entry in std::fs::read_dir(home.path().join(".examples")).unwrap() {
        std::fs::write(entry.unwrap().path(), "half").unwrap();
    }
    assert_eq!(server.get(&path).status, 200);
}

#[test]
fn the_rows_of_the_report_are_there_at_once() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let report = &server.get("/api/examples").json()["reports"][0];
    let path = format!("/api/batches/{}/report", encoded(report["id"].as_str().unwrap()));
    for line in report["lines"].as_array().unwrap() {
        let answer = server.get(&format!("{path}?line={}", encoded(line.as_str().unwrap()))).json();
        assert_eq!(answer["line"], *line);
        assert_eq!(answer["variants"][0]["rows"].as_array().unwrap().len(), 25);
    }
    let other = server.get(&format!("{path}?line=fold"));
    assert_eq!(other.status, 422, "{other:?}");
}

trait Cards {
    fn concat_cards(&self) -> String;
}

impl Cards for Vec<serde_json::Value> {
    fn concat_cards(&self) -> String {
        self.iter().filter_map(serde_json::Value::as_str).collect()
    }
}
