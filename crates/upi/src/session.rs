//! A session: what it knows, and who answers which command.

use crate::arguments::{Arguments, Node, numbers};
use crate::building::{Accuracy, Setup};
use crate::command::{UNSUPPORTED, words};
use crate::hands::number;
use crate::locking::hands_of;
use crate::nodes;
use crate::output::{Answer, Output};
use crate::reading;
use crate::solving::result_lines;
use crate::stopper::Stopper;
use crate::tree::{Goal, Surroundings, Tree, open};
use crate::tree_reader::TreeReader;
use noregret_cards::Hole;
use noregret_holdem::{MachineMemory, Results, SavedStreets, Solver, Spec};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What a session knows.
pub(crate) struct Session {
    output: Output,
    stopper: Stopper,
    setup: Setup,
    tree: Option<Tree>,
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
    pub fn new(output: Output, stopper: Stopper) -> Self {
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
            "show_memory" => args.end().map(|()| memory()),
            "show_hand_order" => {
                args.end()?;
                Ok(Hole::all().map(|hole| hole.to_string()).collect::<Vec<_>>().join(" ").into())
            }
            "set_threads" => self.set_threads(args),
            "set_info_freq" => self.set_info_freq(args),
            "take_a_break" => take_a_break(args),
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
            "load_all_nodes" => {
                args.end()?;
                self.tree()?;
                Ok(Answer::Done)
            }
            "dump_tree" => self.dump_tree(args),
            "solve_partial" => self.solve_partial(args),
            "show_metadata" => show_metadata(args),
            _ if command.starts_with("show_") || command.starts_with("calc_") => self.show(command, args),
            _ => Err(unknown(command)),
        }
    }

    fn tree(&mut self) -> Result<&mut Tree, String> {
        self.tree.as_mut().ok_or_else(|| NO_TREE.to_owned())
    }

    /// Does something with the tree on the session's threads; where a solve has those, on this one.
    fn with_tree<T: Send>(
        &mut self,
        act: impl FnOnce(&mut Tree) -> Result<T, String> + Send,
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

/// The session's own settings.
impl Session {
    fn set_end_string(&mut self, args: &mut Arguments) -> Answered {
        let end = args.word("a text that ends every answer")?;
        args.end()?;
        self.output.set_end(Some(end));
        Ok(Answer::Done)
    }

    fn set_threads(&mut self, args: &mut Arguments) -> Answered {
        let threads: usize = args.number("a number of threads, 0 for one a core,")?;
        args.end()?;
        if threads > 1024 {
            return Err(format!("{threads} threads are too many: at most 1024 are possible"));
        }
        (self.threads, self.pool) = (threads, None);
        Ok(Answer::Done)
    }

    fn set_info_freq(&mut self, args: &mut Arguments) -> Answered {
        let seconds = args.amount("a number of seconds between updates")?.min(MOST_SECONDS);
        args.end()?;
        self.pause = Duration::from_secs_f64(seconds);
        Ok(Answer::Done)
    }

    fn settings(&self) -> Answer {
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

/// Setting up, building, solving.
impl Session {
    fn set_up(&mut self, command: &str, args: &mut Arguments) -> Result<(), String> {
        let setup = &mut self.setup;
        match command {
            "set_range" => {
                let player = args.player()?;
                setup.ranges[player.index()] = Some(args.range()?);
            }
            "set_board" => setup.board = Some(args.board()?),
            "set_pot" => {
                let own = [args.amount("what OOP has put in")?, args.amount("what IP has put in")?];
                let pot = args.chips("a pot of whole chips")?;
                args.end()?;
                if own != [0.0; 2] {
                    return Err(
                        "a tree begins with no bet to answer: the first two numbers must be 0".to_owned()
                    );
                }
                setup.pot = Some(pot);
            }
            "set_eff_stack" => setup.stack = Some(args.chips("a stack of whole chips")?),
            "set_rake" => {
                let rate = args.amount("a rake from 0 to 1")?;
                let cap = args.amount("the most that is taken, in chips,")?;
                let rest = args.rest();
                if rate > 1.0 {
                    return Err(format!("`{rate}` is not a rake from 0 to 1"));
                }
                if rest.iter().any(|word| word.parse() != Ok(0.0)) {
                    return Err("only a fraction and a cap are possible".to_owned());
                }
                setup.rake = noregret_holdem::Rake { rate, cap: Some(cap) };
            }
            "set_isomorphism" => {
                let mut flag = || match args.word("a flag, 0 or 1,")?.as_str() {
                    "0" => Ok(false),
                    "1" => Ok(true),
                    _ => Err("a flag must be 0 or 1".to_owned()),
                };
                setup.isomorphism = [flag()?, flag()?];
            }
            "set_accuracy" => {
                let value = args.amount("an accuracy")?;
                setup.accuracy = Some(match args.optional().as_deref() {
                    None | Some("chips") => Accuracy::Chips(value),
                    Some("fraction") => Accuracy::Fraction(value),
                    Some(_) => return Err("an accuracy is in chips or a fraction".to_owned()),
                });
            }
            "set_recalc_accuracy" => {
                let mut street = || args.amount("an accuracy for each of flop, turn and river");
                self.recalc_accuracy = Some([street()?, street()?, street()?]);
            }
            "set_always_recalc" => {
                let street: u32 = args.number("a street, 0 for none,")?;
                args.amount("a time in milliseconds")?;
                if street != 0 {
                    return Err("what a file holds is not solved again: only 0 is possible".to_owned());
                }
            }
            "clear_lines" => *setup.lines() = noregret_holdem::ChipLines::default(),
            "add_line" => {
                let line = args.line()?;
                setup.lines().add.push(line);
            }
            "remove_line" => {
                let line = args.line()?;
                setup.lines().remove.push(line);
            }
            "force_line" => {
                let line = args.line()?;
                setup.lines().force.push(line);
            }
            _ => {
                let path = args.word("a spec file")?;
                let bytes = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
                setup.load(Spec::from_bytes(&bytes).map_err(|error| format!("{path}: {error}"))?);
            }
        }
        args.end()
    }

    fn estimate_tree(&mut self, args: &mut Arguments) -> Answered {
        args.end()?;
        let spec = self.setup.spec()?;
        let layout =
            noregret_holdem::MemoryLimit::of_machine().lay_out(&spec).map_err(|error| error.to_string())?;
        let size = layout.size(&spec.solver);
        let bytes = size.memory.on_threads(self.threads());
        Ok(Answer::Lines(vec![
            format!("estimated tree size: {} MB", bytes.div_ceil(1 << 20)),
            format!("bytes: {bytes}"),
            format!("nodes: {}", layout.betting().nodes().len()),
            format!("decision nodes on all boards: {}", size.decision_points),
        ]))
    }

    fn build_tree(&mut self, args: &mut Arguments) -> Answered {
        args.end()?;
        self.not_running()?;
        // The memory of the old tree is there for the new one.
        self.tree = None;
        let plan = self.setup.plan(self.threads())?;
        self.tree = Some(self.pool()?.install(|| Tree::build(plan)));
        Ok(Answer::Done)
    }

    fn not_running(&self) -> Result<(), String> {
        match &self.tree {
            Some(tree) if tree.is_running() => {
                Err("the solver is running: stop it, or wait_for_solver".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn free_tree(&mut self, args: &mut Arguments) -> Answered {
        args.end()?;
        self.not_running()?;
        self.tree()?;
        (self.tree, self.info) = (None, Vec::new());
        Ok(Answer::Done)
    }

    fn go(&mut self, args: &mut Arguments) -> Answered {
        let (mut steps, mut limit) = (None, None);
        if args.left() > 0 {
            let count = args.amount("a number of steps or seconds")?;
            match args.optional().as_deref() {
                Some("seconds") => limit = Some(Duration::from_secs_f64(count.min(MOST_SECONDS))),
                None | Some("steps") => steps = Some(count.min(1e9) as u32),
                Some(_) => return Err("a solve runs for so many steps or seconds".to_owned()),
            }
        }
        args.end()?;
        self.tree()?;
        self.not_running()?;
        let pot = self.tree()?.spec.spot.options().starting_pot;
        let target_pct = self.setup.accuracy.map(|accuracy| accuracy.pot_pct(pot));
        let surroundings = Surroundings {
            pool: self.pool()?,
            pause: self.pause,
            output: self.output.clone(),
            stopper: self.stopper.clone(),
        };
        let (goal, threads) = (Goal { target_pct, steps, limit }, self.threads());
        self.tree()?.go(&goal, threads, surroundings)?;
        Ok(Answer::Done)
    }

    fn wait(&mut self, command: &str, args: &mut Arguments) -> Answered {
        args.end()?;
        if let Some(tree) = &mut self.tree {
            if command == "stop" {
                tree.request_stop();
            }
            tree.join();
        }
        Ok(Answer::Done)
    }

    fn solver_time(&mut self, args: &mut Arguments) -> Answered {
        args.end()?;
        let elapsed = self.read(|reader| Ok(reader.elapsed))?;
        Ok(format!("{:.3}", elapsed.as_secs_f64()).into())
    }
}

/// Files.
impl Session {
    fn load_tree(&mut self, args: &mut Arguments) -> Answered {
        let path = PathBuf::from(args.word("a solution file")?);
        let mode = args.optional();
        args.end()?;
        if let Some(mode) = mode.filter(|mode| !["full", "fast", "auto"].contains(&mode.as_str())) {
            return Err(format!("`{mode}` is not a way to load: full, fast or auto"));
        }
        self.not_running()?;
        let tree = Tree::open(path, self.recalc_accuracy)?;
        self.setup.load(tree.spec.clone());
        (self.tree, self.info) = (Some(tree), Vec::new());
        Ok(Answer::Done)
    }

    fn dump_tree(&mut self, args: &mut Arguments) -> Answered {
        let path = PathBuf::from(args.word("a file")?);
        let keep = match args.optional().as_deref() {
            None | Some("full") => SavedStreets::Full,
            Some("no_rivers") => SavedStreets::Turn,
            Some("no_turns") => SavedStreets::Flop,
            Some(_) => return Err("a tree is saved full, with no_rivers or with no_turns".to_owned()),
        };
        args.end()?;
        let threads = self.threads();
        self.with_tree(|tree| tree.save(path, keep, threads))?;
        Ok(Answer::Done)
    }

    fn solve_partial(&mut self, args: &mut Arguments) -> Answered {
        let node = args.node()?;
        args.end()?;
        let tree = self.tree()?;
        let (at, line) = nodes::find(&tree.game, &node)?;
        let street = tree.game.betting()[at].street;
        if tree.file().is_none_or(|file| street <= file.summary().keep.last()) {
            return Err("nothing was left out there: what is in the tree is solved by go".to_owned());
        }
        self.read(move |reader| reader.reach(&line).map(drop))?;
        Ok(Answer::Done)
    }
}

/// Reading.
impl Session {
    fn lock(&mut self, command: &str, args: &mut Arguments) -> Answered {
        let node = args.node()?;
        self.not_running()?;
        let threads = self.threads();
        let tree = self.tree()?;
        let (at, line) = nodes::find(&tree.game, &node)?;
        let actions: Vec<_> = tree.game.betting().actions(at).collect();
        if actions.is_empty() {
            return Err("nobody decides there".to_owned());
        }
        let id = line.colon().unwrap_or_default();
        let mut set = tree.set.clone();
        match command {
            "set_strategy" => {
                let rows = numbers(&args.rest(), actions.len())?;
                let at = line.clone();
                let holes: Vec<Hole> = tree.read(move |reader| {
                    Ok(reading::strategy(reader, &at)?.into_iter().map(|(hole, _)| hole).collect())
                })?;
                set.set(line, actions, hands_of(&rows, holes.into_iter())?);
            }
            "lock_node" => {
                args.end()?;
                if !set.lock(&id) {
                    let at = line.clone();
                    let hands = tree.read(move |reader| reading::strategy(reader, &at))?;
                    set.set(line, actions, hands);
                    set.lock(&id);
                }
            }
            _ => {
                args.end()?;
                if !set.unlock(&id) {
                    return Err(format!("{id} is not locked"));
                }
            }
        }
        self.with_tree(|tree| tree.set_strategies(set, threads))?;
        Ok(Answer::Done)
    }

    fn show(&mut self, command: &str, args: &mut Arguments) -> Answered {
        match command {
            "show_node" | "show_children" => {
                let node = args.node()?;
                args.end()?;
                let game = &self.tree()?.game;
                let lines = if command == "show_node" {
                    nodes::block(game, &node)
                } else {
                    nodes::child_blocks(game, &node)
                };
                lines.map(Answer::Lines)
            }
            "show_all_lines" => {
                args.end()?;
                Ok(Answer::Lines(nodes::all_lines(self.tree()?.game.betting())))
            }
            "show_effective_stack" => {
                args.end()?;
                Ok(self.tree()?.spec.spot.options().effective_stack.to_string().into())
            }
            "show_tree_info" => {
                args.end()?;
                let mut lines = reading::tree_info(&self.tree()?.spec);
                lines.extend(self.info.iter().cloned());
                Ok(Answer::Lines(lines))
            }
            "show_strategy" => self.at_node(args, reading::show_strategy),
            "show_strategy_pp" => self.at_node(args, reading::show_strategy_pp),
            "calc_global_freq" => self.at_node(args, reading::calc_global_freq),
            "calc_line_freq" => self.at_node(args, reading::calc_line_freq),
            "calc_ev" => self.of_player(args, reading::calc_ev),
            "calc_ev_pp" => self.of_player(args, reading::calc_ev_pp),
            "calc_eq_node" => self.of_player(args, reading::calc_eq_node),
            "show_range" => self.show_range(args),
            "calc_eq" => self.calc_eq(args),
            "calc_results" => self.calc_results(args),
            _ => Err(unknown(command)),
        }
    }

    fn at_node(
        &mut self,
        args: &mut Arguments,
        read: fn(&mut TreeReader<'_>, &Node) -> Result<Vec<String>, String>,
    ) -> Answered {
        let node = args.node()?;
        args.end()?;
        self.read(move |reader| read(reader, &node)).map(Answer::Lines)
    }

    fn of_player(
        &mut self,
        args: &mut Arguments,
        read: fn(&mut TreeReader<'_>, noregret_holdem::Player, &Node) -> Result<Vec<String>, String>,
    ) -> Answered {
        let player = args.player()?;
        let node = args.node()?;
        args.end()?;
        self.read(move |reader| read(reader, player, &node)).map(Answer::Lines)
    }

    fn show_range(&mut self, args: &mut Arguments) -> Answered {
        let player = args.player()?;
        if args.left() == 0 {
            let range = self.setup.ranges[player.index()].as_ref();
            return Ok(reading::range(range.ok_or("the range is not set: use set_range")?).into());
        }
        let node = args.node()?;
        args.end()?;
        self.read(move |reader| reading::show_range(reader, player, &node)).map(Answer::Lines)
    }

    fn calc_eq(&mut self, args: &mut Arguments) -> Answered {
        let player = args.player()?;
        args.end()?;
        let layout = self.setup.check_down()?;
        let view = || Solver::new(layout.build()).root();
        // A solve has the session's threads to itself.
        let view = if self.not_running().is_ok() { self.pool()?.install(view) } else { view() };
        Ok(Answer::Lines(reading::equities(&view, player)))
    }

    fn calc_results(&mut self, args: &mut Arguments) -> Answered {
        args.end()?;
        let threads = self.threads();
        let tree = self.tree()?;
        if let Some(file) = tree.file().filter(|file| file.summary().keep != SavedStreets::Full) {
            // Half of the sum of the gains is known, and each of them is not.
            let results = Results { ev: file.summary().ev, best_response: [f64::NAN; 2] };
            let mut lines = result_lines(file.progress().elapsed, &results);
            let pot = tree.spec.spot.options().starting_pot.as_f64();
            let pct = file.progress().history.last().map_or(f64::NAN, |last| last.exploitability_pct);
            lines.pop();
            lines.push(format!("Exploitable for: {}", number(pct / 100.0 * pot)));
            return Ok(Answer::Lines(lines));
        }
        self.with_tree(|tree| {
            tree.load(threads)?;
            tree.read(|reader| Ok(result_lines(reader.elapsed, &reader.results()?)))
        })
        .map(Answer::Lines)
    }
}

fn memory() -> Answer {
    let MachineMemory { total, available } = MachineMemory::now();
    let line = |name, bytes: u64| format!("{name} memory: {} MB", bytes >> 20);
    Answer::Lines(vec![line("Total", total), line("Available", available)])
}

fn take_a_break(args: &mut Arguments) -> Answered {
    let seconds = args.amount("a number of seconds")?;
    args.end()?;
    if seconds > 86_400.0 {
        return Err("a break takes a day at most".to_owned());
    }
    std::thread::sleep(Duration::from_secs_f64(seconds));
    Ok(Answer::Done)
}

/// What the root of a file's tree is, without loading it.
fn show_metadata(args: &mut Arguments) -> Answered {
    let path = PathBuf::from(args.word("a solution file")?);
    args.end()?;
    let file = open(&path)?;
    let root = Node { is_root: true, line: Default::default() };
    let mut lines = nodes::block(file.game(), &root)?;
    for player in [noregret_holdem::OOP, noregret_holdem::IP] {
        lines.push(reading::range(file.spec().spot.range(player)));
    }
    lines.extend(reading::tree_info(file.spec()));
    Ok(Answer::Lines(lines))
}

fn unknown(command: &str) -> String {
    if UNSUPPORTED.contains(&command) {
        "it is not supported".to_owned()
    } else {
        "there is no such command".to_owned()
    }
}
