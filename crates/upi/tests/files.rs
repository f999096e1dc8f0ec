//! Solution files: read, continued, changed, and what a script does with those that leave streets out.

mod common;

use common::{Live, RIVER, TURN, answers, last, numbers, reasons, result, solved};
use noregret_holdem::{Measurement, SaveOptions, SolutionFile, Spec, save};
use std::path::Path;
use std::time::Duration;

/// How many iterations are in a file.
fn iterations(path: &str) -> u32 {
    SolutionFile::open(path.as_ref()).unwrap().progress().iterations
}

/// A spec, solved for so many iterations and saved without regrets, as `noregret solve` does.
fn saved(spec: &str, iterations: u32, path: &Path) {
    let mut spec: Spec = spec.parse().unwrap();
    spec.solver.max_iterations = iterations;
    spec.solver.target_exploitability_pct = 1e-6;
    let solver = solved(&spec);
    assert_eq!(solver.iteration(), iterations);
    let exploitability_pct = solver.exploitability_pct();
    let history =
        [Measurement { iteration: iterations, elapsed: Duration::from_secs(1), exploitability_pct }];
    save(path, &spec, &solver, &history, SaveOptions::default()).unwrap();
}

#[test]
fn files_are_read_and_continued_and_small_ones_are_solved_where_they_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("spec.toml"), TURN).unwrap();
    let (spec, full, small) = (path("spec.toml"), path("full.nrs"), path("small.nrs"));
    let nodes = "show_strategy r:0:c\ncalc_ev IP r:0:c\nshow_range OOP r:0:b90\nshow_strategy r:0:c:c:Th\n";
    let script = format!(
        "load_spec {spec}\nset_accuracy 0.02 fraction\nbuild_tree\ngo\nwait_for_solver\ndump_tree {full}\ndump_tree {small} no_rivers\n{nodes}calc_results\n"
    );
    let live = answers(&script);
    let loaded =
        answers(&format!("load_tree {full} fast\n{nodes}calc_results\nis_tree_present\nshow_range IP\n"));
    assert_eq!(loaded[0], "load_tree ok!");
    assert_eq!(loaded[1..5], live[live.len() - 5..live.len() - 1]);
    let values = |results: &str| results.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(values(&loaded[5]), values(live.last().unwrap()));
    assert_eq!(numbers(&loaded[7]).iter().filter(|weight| **weight > 0.0).count(), 76);
    let metadata = last(&format!("show_metadata {full}\n"));
    let block = "r\nROOT\nQs Jh 2h 8c \n0 0 180 \n1 children\nflags: ISOMORPHISM_ON PIO_ALG \n";
    assert!(metadata.starts_with(block), "{metadata}");
    assert_eq!(metadata.lines().count(), 6 + 2 + 6);

    // What a small file leaves out is solved again; what it has is the same.
    let script = format!(
        "set_recalc_accuracy 0.01 0.01 0.01\nload_tree {small}\nsolve_partial r:0:c:c:Th\nsolve_partial r:0:c\n{nodes}calc_results\nset_strategy r:0 1\nlock_node r:0:c\n\
         calc_line_freq r:0:c:c:Th\ndump_tree {full}\n"
    );
    let left_out = answers(&script);
    assert_eq!(left_out[2], "solve_partial ok!");
    assert_eq!(left_out[3], "solve_partial ok!");
    assert_eq!(left_out[4..7], live[live.len() - 5..live.len() - 2]);
    assert_eq!(left_out[7].lines().count(), live[live.len() - 2].lines().count());
    assert!(
        left_out[8].contains("OOP's MES: nan") && !left_out[8].contains("Exploitable for: nan"),
        "{}",
        left_out[8]
    );
    assert!(left_out[10].starts_with("ERROR: lock_node: the file leaves streets out"), "{}", left_out[10]);
    assert!(left_out[11].starts_with("ERROR: calc_line_freq: the line goes through streets"));
    assert!(left_out[12].starts_with("ERROR: dump_tree: the file leaves streets out"));

    // The accuracy of what is solved again is the script's.
    let re_solved = |accuracy: &str| {
        let read = "show_strategy r:0:c:c:Th\ncalc_ev OOP r:0:c:c:Th\n";
        let answers = answers(&format!("set_recalc_accuracy {accuracy}\nload_tree {small}\n{read}"));
        assert_eq!(answers[1], "load_tree ok!");
        answers[2..].to_vec()
    };
    let (coarse, fine) = (re_solved("0.01 0.01 0.01"), re_solved("0.01 0.01 0.00001"));
    assert_ne!(coarse, fine);
    assert_eq!(fine, re_solved("0 0 0.00001"), "the river's accuracy alone counts on the river");
    // It may come before the file, after it, or after something was solved again.
    let read = "show_strategy r:0:c:c:Th\ncalc_ev OOP r:0:c:c:Th\n";
    let script = format!(
        "set_recalc_accuracy 0.01 0.01 0.01\nload_tree {small}\n{read}set_recalc_accuracy 0 0 0.00001\n{read}"
    );
    let both = answers(&script);
    assert_eq!((&both[2..4], &both[5..]), (&coarse[..], &fine[..]));

    // A small file says so, and where.
    let flags = answers(&format!("load_tree {small}\nshow_node r\nshow_node r:0:c:c\nshow_node r:0\n"));
    assert!(flags[1].ends_with("flags: INCOMPLETE_TREE ISOMORPHISM_ON PIO_ALG FAST_LOAD \n"), "{}", flags[1]);
    assert!(flags[2].ends_with("flags: UNSOLVED \n") && flags[3].ends_with("flags: PIO_ALG \n"));

    // A file is continued where it left off, and locks are made on it.
    let script = format!(
        "load_tree {full}\nset_accuracy 0.01 fraction\ngo\nwait_for_solver\ncalc_results\nload_tree {full}\nlock_node r:0\nshow_node r:0\ndump_tree {}\n",
        path("locked.nrs")
    );
    let continued = answers(&script);
    let exploitable = |results: &str| -> f64 {
        results.lines().last().unwrap().split(": ").nth(1).unwrap().parse().unwrap()
    };
    // So is one that was brought into memory.
    let far = path("far.nrs");
    for memory in ["load_all_nodes", "calc_results", "is_ready"] {
        let script = format!(
            "load_tree {full} full\n{memory}\nset_accuracy 0\ngo 2 steps\nwait_for_solver\ndump_tree {far}\n{nodes}load_tree {full}\n{memory}\n{nodes}"
        );
        let answers = answers(&script);
        assert_eq!(answers[5], "dump_tree ok!");
        assert_eq!(iterations(&far), iterations(&full) + 2, "{memory}");
        assert_eq!(answers[answers.len() - 4..], live[live.len() - 5..live.len() - 1], "{memory}");
    }
    assert!(exploitable(&continued[4]) <= 1.8 && exploitable(live.last().unwrap()) > 1.8, "{}", continued[4]);
    assert!(continued[7].ends_with("LOCKED \n") && continued[8] == "dump_tree ok!", "{continued:?}");
    let locked = last(&format!("load_tree {}\nshow_node r:0\n", path("locked.nrs")));
    assert!(locked.ends_with("LOCKED \n"), "{locked}");
}

#[test]
fn a_full_save_has_the_regrets_and_is_continued_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (full, small, far) = (path("full.nrs"), path("small.nrs"), path("far.nrs"));
    std::fs::write(path("spec.toml"), TURN).unwrap();
    let build = format!("load_spec {}\nset_accuracy 0\nbuild_tree\n", path("spec.toml"));
    let script = format!(
        "{build}go 30\nwait_for_solver\ndump_tree {full} full\ndump_tree {small} no_rivers\ngo 7\nwait_for_solver\ndump_tree {far}\n"
    );
    assert!(answers(&script).iter().all(|answer| answer.ends_with(" ok!")));
    let summary = |path: &str| SolutionFile::open(path.as_ref()).unwrap().summary().clone();
    assert!(summary(&full).has_regrets && !summary(&small).has_regrets);
    for mode in ["fast", "full"] {
        let again = path("again.nrs");
        let script = format!(
            "load_tree {full} {mode}\nset_accuracy 0\ngo 7 steps\nwait_for_solver\ndump_tree {again}\n"
        );
        assert!(answers(&script).iter().all(|answer| answer.ends_with(" ok!")));
        // The bits are those of a solve that was never saved.
        assert_eq!((iterations(&again), summary(&again).digest), (37, summary(&far).digest), "{mode}");
    }
    // A file that is loaded and saved is the same file.
    let copy = path("copy.nrs");
    assert_eq!(last(&format!("load_tree {full}\ndump_tree {copy}\n")), "dump_tree ok!");
    assert_eq!((iterations(&copy), summary(&copy)), (30, summary(&full)));
    let history = |path: &str| SolutionFile::open(path.as_ref()).unwrap().progress().history.clone();
    assert_eq!(history(&copy), history(&full));
}

#[test]
fn a_file_without_regrets_is_read_until_its_iterations_are_made_again_and_stays_if_they_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plain.nrs");
    saved(TURN, 400, &path);
    let path = path.display().to_string();
    let read = "show_strategy r:0\ncalc_ev OOP r:0:c\n";
    let plain = answers(&format!("load_tree {path}\n{read}calc_results\n"));
    for mode in ["fast", "full"] {
        let live = Live::new();
        live.say(&format!(
            "set_end_string END\nset_info_freq 0\nset_threads 1\nload_tree {path} {mode}\nset_accuracy 0\ngo"
        ));
        live.until("SOLVER: started");
        // It is stopped on its way back to where the file ended.
        live.say(&format!("echo now\n{read}stop\necho then\n{read}calc_results\necho end"));
        live.until("end\n");
        let text = live.end();
        let parts: Vec<&str> = text.split("now\nEND\n").nth(1).unwrap().split("then\nEND\n").collect();
        let strategies = |part: &str| part.split("END\n").take(2).map(str::to_owned).collect::<Vec<_>>();
        let expected: Vec<String> = plain[1..3].iter().map(|answer| format!("{answer}\n")).collect();
        assert_eq!(strategies(parts[0]), expected, "{mode}");
        assert!(
            parts[0].contains("SOLVER: stopped (requested)\n") && !text.contains("SOLVER:\n"),
            "{}",
            parts[0]
        );
        assert_eq!(strategies(parts[1]), expected, "{mode}");
        assert!((result(parts[1], "EV OOP") - result(&plain[3], "EV OOP")).abs() < 1e-3);
    }
    // The time begins when the iterations are made.
    let far = folder.path().join("far.nrs").display().to_string();
    let script =
        format!("load_tree {path}\nset_accuracy 0\ngo 0.05 seconds\nwait_for_solver\ndump_tree {far}\n");
    assert_eq!(reasons(&script), ["(time limit)"]);
    assert!(iterations(&far) > 400, "{}", iterations(&far));
}

/// A river spot that is solved in milliseconds.
const RIVER_SPEC: &str = "[ranges]\noop = 'AA,QQ,T9s,87s'\nip = 'KK,JJ,AQs'\n[cards]\nflop = 'QsJh2h'\nturn = '8c'\nriver = '3d'\n\
                          [tree]\nstarting_pot = 180\neffective_stack = 910\n";

#[test]
fn only_steps_seconds_and_accuracy_end_a_solve_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("short.nrs");
    // The spec in the file asks for 20 iterations, and they are made.
    saved(RIVER_SPEC, 20, &path);
    let path = path.display().to_string();
    let script = format!("load_tree {path}\nset_accuracy 0.5\ngo\nwait_for_solver\ncalc_results\n");
    assert_eq!(reasons(&script), ["(required accuracy reached)"]);
    assert!(result(&last(&script), "Exploitable for") <= 0.5);
    // The accuracy of a script counts, whenever it was set.
    let script =
        format!("set_accuracy 0.3\nload_tree {path}\nshow_settings\ngo\nwait_for_solver\ncalc_results\n");
    let answers = answers(&script);
    assert!(answers[2].contains("accuracy: 0.3\naccuracy mode: chips"), "{}", answers[2]);
    assert!(result(&answers[5], "Exploitable for") <= 0.3, "{}", answers[5]);
}

#[test]
fn a_tree_whose_file_is_gone_or_another_one_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gone.nrs");
    let read = "show_strategy r:0\ncalc_ev OOP r:0\n";
    for mode in ["fast", "full"] {
        for is_replaced in [false, true] {
            saved(RIVER_SPEC, 20, &path);
            let live = Live::new();
            live.say(&format!("load_tree {} {mode}\n{read}echo loaded", path.display()));
            live.until("loaded\n");
            std::fs::remove_file(&path).unwrap();
            if is_replaced {
                saved(RIVER_SPEC, 30, &path);
            }
            live.say(&format!("go\nwait_for_solver\necho again\n{read}go\nstop\necho end"));
            live.until("end\n");
            let text = live.end();
            let before = text.split_once("load_tree ok!\n").unwrap().1.split_once("loaded\n").unwrap().0;
            let (solve, after) = text.split_once("go ok!\n").unwrap().1.split_once("again\n").unwrap();
            let reason = match (is_replaced, mode) {
                (false, "full") => format!("there is no file {}", path.display()),
                (false, _) => format!("{} cannot be continued: ", path.display()),
                (true, _) => format!("{} cannot be continued: it is another file now", path.display()),
            };
            assert!(solve.starts_with(&format!("SOLVER: started\nSOLVER: stopped ({reason}")), "{solve}");
            assert!(!solve.contains("SOLVER:\n"), "{solve}");
            assert!(after.starts_with(before), "{mode} {is_replaced}");
        }
    }
}

#[test]
fn a_raked_tree_says_so_at_its_root_and_its_ends() {
    let script =
        format!("{RIVER}set_rake 0.05 30\nbuild_tree\nshow_node r\nshow_node r:0:b90:f\nshow_node r:0\n");
    let answers = answers(&script);
    let flags: Vec<&str> =
        answers[answers.len() - 3..].iter().filter_map(|node| node.lines().nth(5)).collect();
    assert_eq!(flags, ["flags: ISOMORPHISM_ON RAKE_ON PIO_ALG ", "flags: RAKE_ON ", "flags: PIO_ALG "]);
}

#[test]
fn a_tree_is_not_written_over_what_is_no_solution_nor_over_what_it_is_from() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (notes, spec, from) = (at("notes.cfr"), at("spec.toml"), at("from.nrs"));
    std::fs::write(&notes, "what a person wrote\n").unwrap();
    std::fs::write(&spec, RIVER_SPEC).unwrap();
    saved(TURN, 20, &from);
    let before = std::fs::read(&from).unwrap();
    for victim in [&notes, &spec] {
        let kept = std::fs::read(victim).unwrap();
        let said =
            last(&format!("load_spec {}\nbuild_tree\ndump_tree {}\n", spec.display(), victim.display()));
        let path = victim.display();
        assert_eq!(
            said,
            format!(
                "ERROR: dump_tree: {path}: there is a file that is not a solution, and it would be lost: choose another name"
            )
        );
        assert_eq!(std::fs::read(victim).unwrap(), kept);
    }
    // Streets of what is being read would be lost.
    let around = folder.path().join(".").join("from.nrs");
    let said = last(&format!("load_tree {}\ndump_tree {} no_rivers\n", from.display(), around.display()));
    assert!(
        said.ends_with("this is the file that is being read, and it would be lost: choose another name"),
        "{said}"
    );
    assert_eq!(std::fs::read(&from).unwrap(), before);
    // The same strategies again, or another solution: any ending does, as scripts have their own.
    let other = at("other.cfr");
    let script = format!(
        "load_tree {}\ndump_tree {}\ndump_tree {}\ndump_tree {}\n",
        from.display(),
        from.display(),
        other.display(),
        other.display()
    );
    assert_eq!(answers(&script)[1..], ["dump_tree ok!"; 3]);
    let digest = |path: &Path| SolutionFile::open(path).unwrap().summary().digest.clone();
    assert_eq!(digest(&from), digest(&other));
}
