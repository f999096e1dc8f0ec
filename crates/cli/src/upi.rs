//! `noregret upi`: PioSOLVER's text protocol on standard input and output.

use crate::exit_code::ExitCode;
use crate::failure::{Failure, INTERRUPTED};
use crate::interrupt::Interrupt;
use crate::output;
use noregret_upi::{SessionStopper, run as answer};
use std::io::{self, BufReader};
use std::sync::mpsc;
use std::time::Duration;

/// How often the program looks whether it is to end.
const LOOK: Duration = Duration::from_millis(20);

/// Speak PioSOLVER's text protocol (UPI), so that scripts written for it run.
///
/// Reads commands from standard input, one a line, and answers them in order on standard output. A solve runs in the background. The
/// guide lists the commands and what differs.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret upi
  noregret upi < script.txt
  printf 'load_tree spot.nrs\\nshow_strategy r:0:c\\n' | noregret upi

Exit codes: 0 done, by `exit` or at the end of the input; 1 the answers cannot be written; 130 interrupted.")]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args) -> Result<ExitCode, Failure> {
    let interrupt = Interrupt::listen()?;
    let stopper = SessionStopper::default();
    let (ended, end) = mpsc::channel();
    let of_session = stopper.clone();
    // Reading standard input cannot be interrupted: a thread that waits there is left behind when the program ends.
    std::thread::spawn(move || {
        let mut input = BufReader::with_capacity(1 << 16, io::stdin());
        let _ = ended.send(answer(&mut input, Box::new(io::stdout()), &of_session));
    });
    loop {
        match end.recv_timeout(LOOK) {
            Ok(Ok(())) => return Ok(ExitCode::SUCCESS),
            // Whoever listened is gone, and what it wanted next is not known to be done.
            Ok(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                return Err(output::cut_off("a part of the answers"));
            }
            Ok(Err(error)) => return Err(Failure::job(format!("cannot write answers: {error}"))),
            Err(mpsc::RecvTimeoutError::Disconnected) => return Err(Failure::job("the session has failed")),
            Err(mpsc::RecvTimeoutError::Timeout) if interrupt.requested() => {
                stopper.stop();
                stopper.wait_until_idle();
                return Ok(ExitCode::from(INTERRUPTED));
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
    }
}
