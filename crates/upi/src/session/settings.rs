//! Commands about the session itself: how it answers, how many threads it has.

use super::{Answered, MOST_SECONDS, Session};
use crate::arguments::Arguments;
use crate::building::Accuracy;
use crate::output::Answer;
use noregret_holdem::MachineMemory;
use std::time::Duration;

impl Session {
    pub(super) fn set_end_string(&mut self, args: &mut Arguments) -> Answered {
        let end = args.word("a text that ends every answer")?;
        args.end()?;
        self.output.set_end(Some(end));
        Ok(Answer::Done)
    }

    pub(super) fn set_threads(&mut self, args: &mut Arguments) -> Answered {
        let threads: usize = args.number("a number of threads, 0 for one a core,")?;
        args.end()?;
        if threads > 1024 {
            return Err(format!("{threads} threads are too many: at most 1024 are possible"));
        }
        (self.threads, self.pool) = (threads, None);
        Ok(Answer::Done)
    }

    pub(super) fn set_info_freq(&mut self, args: &mut Arguments) -> Answered {
        let seconds = args.amount("a number of seconds between updates")?.min(MOST_SECONDS);
        args.end()?;
        self.pause = Duration::from_secs_f64(seconds);
        Ok(Answer::Done)
    }

    pub(super) fn settings(&self) -> Answer {
        let [flop, turn] = self.setup.isomorphism.map(u8::from);
        let (mode, accuracy) = match self.setup.accuracy {
            Some(Accuracy::Fraction(fraction)) => ("fraction", fraction),
            Some(Accuracy::Chips(chips)) => ("chips", chips),
            None => ("chips", 0.0),
        };
        let mut lines = vec![
            format!("thread_no: {}", self.threads),
            format!("info_freq: {}", self.pause.as_secs_f64()),
            format!("accuracy: {accuracy}"),
            format!("accuracy mode: {mode}"),
            format!("isomorphism: {flop} {turn}"),
        ];
        if let Some([flop, turn, river]) = self.recalc_accuracy {
            lines.push(format!("recalc_accuracy: {flop} {turn} {river}"));
        }
        Answer::Lines(lines)
    }
}

pub(super) fn memory() -> Answer {
    let MachineMemory { total, available, .. } = MachineMemory::now();
    let line = |name, bytes: u64| format!("{name} Memory: {} MB", bytes >> 20);
    Answer::Lines(vec![line("Total Physical", total), line("Available Phys", available)])
}

pub(super) fn take_a_break(args: &mut Arguments) -> Answered {
    let seconds = args.amount("a number of seconds")?;
    args.end()?;
    if seconds > 86_400.0 {
        return Err("a break takes a day at most".to_owned());
    }
    std::thread::sleep(Duration::from_secs_f64(seconds));
    Ok(Answer::Done)
}
