//! A session: what it knows, and who answers which command.

mod files;
mod locks;
mod read;
mod settings;
mod solve;

use crate::arguments::Arguments;
use crate::building::Setup;
use crate::command::{UNSUPPORTED, words};
use crate::output::{Answer, Output};
use crate::session_tree::SessionTree;
use crate::stopper::SessionStopper;
use crate::tree_reader::TreeReader;
use noregret_cards::Hole;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// What a session knows.
pub(crate) struct Session {
    output: Output,
    stopper: SessionStopper,
    setup: Setup,
    tree: Option<SessionTree>,
    /// Lines that a script adds to what is said of the tree.
    info: Vec<String>,
    /// 0 for one a core.
    threads: usize,
    pool: Option<Arc<rayon::ThreadPool>>,
    /// The least time between updates of a solve.
    pause: Duration,
    recalc_accuracy: Option<[f64; 3]>,
}

type Answered = Result<Answer, String>;

const NO_TREE: &str = "there is no tree: use build_tree or load_tree";

/// The longest time that a script can ask for.
const MOST_SECONDS: f64 = 1e9;

impl Session {
    pub fn new(output: Output, stopper: SessionStopper) -> Self {
        let mut setup = Setup::default();
        setup.isomorphism = [true; 2];
        Self {
            output,
            stopper,
            setup,
            tree: None,
            info: Vec::new(),
            threads: 0,
            pool: None,
            pause: Duration::from_secs(2),
            recalc_accuracy: None,
        }
    }

    /// Answers a command; whether more may come.
    pub fn execute(&mut self, line: &str) -> io::Result<bool> {
        if let Some(tree) = &mut self.tree {
            tree.settle();
        }
        let mut words = match words(line) {
            Ok(words) => words,
            Err(message) => return self.output.error(&message).map(|()| true),
        };
        if words.is_empty() {
            return self.output.error("there is no command").map(|()| true);
        }
        let command = words.remove(0);
        if command == "exit" && words.is_empty() {
            return Ok(false);
        }
        let answer = self.answer(&command, Arguments::new(words));
        // A name that is not one may be of any length.
        let shown: String = command.chars().take(40).collect();
        self.output.answer(&shown, &answer)?;
        if let Some(tree) = &mut self.tree {
            tree.begin();
        }
        Ok(true)
    }

    /// Stops what runs.
    pub fn end(mut self) {
        if let Some(tree) = &mut self.tree {
            tree.request_stop();
            tree.join();
        }
    }

    fn answer(&mut self, command: &str, mut args: Arguments) -> Answered {
        let args = &mut args;
        match command {
            "exit" => args.end().map(|()| Answer::Done),
            "is_ready" => args.end().map(|()| Answer::Done),
            "set_end_string" => self.set_end_string(args),
            "reset_end_string" => {
                args.end()?;
                self.output.set_end(None);
                Ok(Answer::Done)
            }
            "echo" => Ok(args.rest().join(" ").into()),
            "show_version" => args.end().map(|()| env!("CARGO_PKG_VERSION").to_owned().into()),
            "show_settings" => args.end().map(|()| self.settings()),
            "show_memory" => args.end().map(|()| settings::memory()),
            "show_hand_order" => {
                args.end()?;
                Ok(Hole::all().map(|hole| format!("{hole} ")).collect::<String>().into())
            }
            "set_threads" => self.set_threads(args),
            "set_info_freq" => self.set_info_freq(args),
            "take_a_break" => settings::take_a_break(args),
            "set_range"
            | "set_board"
            | "set_pot"
            | "set_eff_stack"
            | "set_rake"
            | "set_isomorphism"
            | "set_accuracy"
            | "set_recalc_accuracy"
            | "set_always_recalc"
            | "clear_lines"
            | "add_line"
            | "remove_line"
            | "force_line"
            | "load_spec" => self.set_up(command, args).map(|()| Answer::Done),
            "add_info_line" => {
                self.info.push(args.rest().join(" "));
                Ok(Answer::Done)
            }
            "reset_tree_info" => {
                args.end()?;
                self.info.clear();
                Ok(Answer::Done)
            }
            "estimate_tree" => self.estimate_tree(args),
            "build_tree" => self.build_tree(args),
            "free_tree" => self.free_tree(args),
            "is_tree_present" => args.end().map(|()| self.tree.is_some().to_string().into()),
            "go" => self.go(args),
            "stop" | "wait_for_solver" => self.wait(command, args),
            "solver_time" => self.solver_time(args),
            "set_strategy" | "lock_node" | "unlock_node" => self.lock(command, args),
            "load_tree" => self.load_tree(args),
            "load_all_nodes" => self.load_all_nodes(args),
            "dump_tree" => self.dump_tree(args),
            "solve_partial" => self.solve_partial(args),
            "show_metadata" => files::show_metadata(args),
            _ if command.starts_with("show_") || command.starts_with("calc_") => self.show(command, args),
            _ => Err(unknown(command)),
        }
    }

    fn tree(&mut self) -> Result<&mut SessionTree, String> {
        self.tree.as_mut().ok_or_else(|| NO_TREE.to_owned())
    }

    /// Does something with the tree on the session's threads; where a solve has those, on this one.
    fn with_tree<T: Send>(
        &mut self,
        act: impl FnOnce(&mut SessionTree) -> Result<T, String> + Send,
    ) -> Result<T, String> {
        let pool = self.pool()?;
        let tree = self.tree()?;
        if tree.is_running() { act(tree) } else { pool.install(|| act(tree)) }
    }

    /// Reads something of the tree.
    fn read<T: Send + 'static>(
        &mut self,
        read: impl FnOnce(&mut TreeReader<'_>) -> Result<T, String> + Send + 'static,
    ) -> Result<T, String> {
        self.with_tree(|tree| tree.read(read))
    }

    /// How many threads solve.
    fn threads(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        if self.threads == 0 { cores } else { self.threads }
    }

    fn pool(&mut self) -> Result<Arc<rayon::ThreadPool>, String> {
        if let Some(pool) = &self.pool {
            return Ok(pool.clone());
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads()).build();
        let pool = Arc::new(pool.map_err(|error| error.to_string())?);
        self.pool = Some(pool.clone());
        Ok(pool)
    }
}

fn unknown(command: &str) -> String {
    if UNSUPPORTED.contains(&command) {
        "it is not supported".to_owned()
    } else {
        "there is no such command".to_owned()
    }
}
