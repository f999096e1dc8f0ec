//! Lines of PioSOLVER's protocol.

use noregret_upi::{Printed, SessionStopper, run};
use std::io::BufRead;

/// A tree for the lines to be about.
const SETUP: &str = "set_threads 1\nset_board QsJh2h8c3d\nset_range OOP AA,QQ,T9s\nset_range IP KK,JJ,AQs\nset_pot 0 0 180\nset_eff_stack 910\n\
                     add_line 0 90 225 910\nadd_line 90 225\nbuild_tree\ngo 2 steps\nwait_for_solver\n";

/// How many lines of an input are sent.
const MOST: usize = 40;

pub fn upi(bytes: &[u8]) {
    let mut script = SETUP.as_bytes().to_vec();
    for line in bytes.split(|&byte| byte == b'\n').map(String::from_utf8_lossy).take(MOST) {
        if may_be_sent(&line) {
            script.extend(line.as_bytes());
            script.push(b'\n');
        }
    }
    script.extend(b"stop\n");
    let _ = run(
        &mut script.as_slice() as &mut dyn BufRead,
        Printed::default().writer(),
        &SessionStopper::default(),
    );
}

/// Whether a line can be sent: not if it waits, takes all threads, names a file, or may build a tree of several streets.
fn may_be_sent(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let says = |word: &str| line.contains(word);
    let waits = ["take_a_break", "wait_for_solver", "set_threads"].into_iter().any(says);
    let names_a_file = ["load_", "dump_", "show_metadata"].into_iter().any(says);
    let is_early = says("set_board") && words.iter().skip(1).map(|word| word.len()).sum::<usize>() != 10;
    !waits && !names_a_file && !is_early
}
