//! Batches and their reports.

use crate::common::{RIVER, Running};
use serde_json::json;

#[test]
fn a_batch_is_found_and_compared() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("flops/QsJh2h", RIVER);
    server.solved("flops/AsKd2c", &RIVER.replace("QsJh2h", "AsKd2c"));
    let list = "file\tweight\tvariant\nQsJh2h.nrs\t12\t\nAsKd2c.nrs\t24\t\nTh9h2c.nrs\t12\t\n../../outside.nrs\t1\t\n";
    std::fs::write(home.path().join("flops/batch.tsv"), list).unwrap();
    let batches = server.get("/api/batches").json();
    assert_eq!(
        batches,
        json!([{"id": "flops", "name": "flops", "solved": 2, "total": 4, "flops": 49, "running": false,
                 "can_continue": false, "failed": 0}])
    );
    let report = server.get("/api/batches/flops/report?line=check").json();
    assert_eq!((&report["line"], report["variants"].as_array().unwrap().len()), (&json!("check"), 1));
    let report = &report["variants"][0];
    assert_eq!(report["name"], "");
    assert_eq!((&report["player"], report["rows"].as_array().unwrap().len()), (&json!("ip"), 2));
    let row = &report["rows"][0];
    assert_eq!(
        (&row["flop"], &row["weight"], &row["solution"]),
        (&json!("QsJh2h"), &json!(12.0), &json!("flops/QsJh2h"))
    );
    assert_eq!(row["frequencies"].as_array().unwrap().len(), report["actions"].as_array().unwrap().len());
    let node = server.get("/api/solutions/flops%2FQsJh2h/node?line=check").json();
    let near = |a: &serde_json::Value, b: &serde_json::Value| {
        (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-9
    };
    assert!(
        near(&row["ev"]["oop"], &node["players"]["oop"]["ev"])
            && near(&row["equity"]["ip"], &node["players"]["ip"]["equity"])
    );
    assert!(
        report["groups"]
            .as_array()
            .unwrap()
            .iter()
            .any(|group| group["kind"] == "two-tone" && group["rows"] == 1)
    );
    let average = report["average"]["ev"]["oop"].as_f64().unwrap();
    let evs: Vec<f64> =
        report["rows"].as_array().unwrap().iter().map(|row| row["ev"]["oop"].as_f64().unwrap()).collect();
    assert!(average >= evs[0].min(evs[1]) && average <= evs[0].max(evs[1]));

    let bad = |path: &str| server.get(&format!("/api/batches/{path}"));
    assert_eq!((bad("nothing/report").status, bad("~/report").status), (404, 404));
    assert_eq!((bad("flops/report?line=jump").status, bad("flops/report?line=bet%2061").status), (422, 422));
    assert!(bad("flops/report?line=*").message().contains("`*` is for the runouts of one solution"));
    std::fs::write(home.path().join("batch.tsv"), "nonsense").unwrap();
    assert_eq!(bad("~/report").status, 409);
}

#[test]
fn different_stacks_are_averaged_apart() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let mut list = "file\tweight\tvariant\n".to_owned();
    for (stack, flop) in [(300, "QsJh2h"), (300, "AsKd2c"), (90, "QsJh2h")] {
        let name = format!("{flop}-{stack}");
        let spec = RIVER.replace("QsJh2h", flop).replace("300", &stack.to_string());
        server.solved(&format!("stacks/{name}"), &spec);
        list += &format!("{name}.nrs\t12\tstack {stack}\n");
    }
    std::fs::write(home.path().join("stacks/batch.tsv"), list).unwrap();
    let report = server.get("/api/batches/stacks/report").json();
    let variants = report["variants"].as_array().unwrap();
    let names: Vec<_> = variants.iter().map(|variant| variant["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["stack 300", "stack 90"]);
    let rows: Vec<_> = variants.iter().map(|variant| variant["rows"].as_array().unwrap().len()).collect();
    assert_eq!(rows, [2, 1]);
    // The mean of one board is that board.
    let [deep, short] = [&variants[0], &variants[1]];
    assert_eq!(short["average"]["ev"], short["rows"][0]["ev"]);
    assert_ne!(deep["average"]["ev"], short["average"]["ev"]);
    assert!(short["groups"].as_array().unwrap().iter().all(|group| group["rows"] == 1));
    for variant in variants {
        let actions = variant["actions"].as_array().unwrap().len();
        assert_eq!(variant["average"]["frequencies"].as_array().unwrap().len(), actions);
        assert!(!variant["average"]["frequencies"].as_array().unwrap().contains(&json!(null)), "{variant}");
    }
}
