//! PioSOLVER's text protocol (UPI): commands in, one a line; answers out, in order.
//!
//! Scripts that were written for that program set up a tree, solve it and read strategies with it. A solve runs in the background,
//! and everything can be read meanwhile.
//!
//! ```
//! use noregret_upi::{Printed, SessionStopper, run};
//!
//! let script = "set_end_string END\nset_board QsJh2h8c3d\nset_range OOP AA,QQ,T9s\nset_range IP KK,JJ,AQs\n\
//!               set_pot 0 0 100\nset_eff_stack 300\nadd_line 0 50 150\nadd_line 50 150\nbuild_tree\n\
//!               set_accuracy 0.5\ngo\nwait_for_solver\nshow_node r:0:c\n";
//! let printed = Printed::default();
//! run(&mut script.as_bytes(), printed.writer(), &SessionStopper::default())?;
//! assert!(printed.text().contains("r:0:c\nIP_DEC\nQs Jh 2h 8c 3d \n0 0 100 \n2 children\nflags: PIO_ALG \n\nEND\n"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod arguments;
mod building;
mod command;
mod hands;
mod input;
mod locking;
mod nodes;
mod output;
mod reading;
mod resting_tree;
mod session;
mod session_tree;
mod solving;
mod starting;
mod stopper;
mod tree_reader;

pub use command::{SUPPORTED, UNSUPPORTED};
pub use output::Printed;
pub use stopper::SessionStopper;

use input::{CommandReader, InputLine};
use output::Output;
use session::Session;
use std::io::{self, BufRead, Write};

/// Answers every command of `input` until it ends, or until `exit`; an error if an answer cannot be written. A solve that is under way
/// then is stopped within an iteration.
pub fn run(
    input: &mut dyn BufRead,
    output: Box<dyn Write + Send>,
    stopper: &SessionStopper,
) -> io::Result<()> {
    let output = Output::new(output);
    output.banner()?;
    let mut session = Session::new(output.clone(), stopper.clone());
    let mut input = CommandReader::new(input);
    let ended = loop {
        match input.next() {
            InputLine::End => break Ok(()),
            InputLine::Skipped => {}
            InputLine::TooLong => {
                if let Err(error) =
                    output.error(&format!("a command is longer than {} bytes", CommandReader::MOST))
                {
                    break Err(error);
                }
            }
            InputLine::Command(line) => match session.execute(&line) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(error) => break Err(error),
            },
        }
    };
    session.end();
    ended
}
