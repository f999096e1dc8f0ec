//! Commands that set up a tree, build it and solve it.

use super::{Answered, MOST_SECONDS, Session};
use crate::arguments::Arguments;
use crate::building::Accuracy;
use crate::output::Answer;
use crate::session_tree::{Goal, SessionTree, Surroundings};
use noregret_holdem::Spec;
use std::time::Duration;

impl Session {
    pub(super) fn set_up(&mut self, command: &str, args: &mut Arguments) -> Result<(), String> {
        // Everything is read before anything is changed: a command that is answered by an error has no effect.
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
            "set_eff_stack" => {
                let stack = args.chips("a stack of whole chips")?;
                args.end()?;
                setup.stack = Some(stack);
            }
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
                let isomorphism = [flag()?, flag()?];
                args.end()?;
                setup.isomorphism = isomorphism;
            }
            "set_accuracy" => {
                let value = args.amount("an accuracy")?;
                let accuracy = match args.optional().as_deref() {
                    None | Some("chips") => Accuracy::Chips(value),
                    Some("fraction") => Accuracy::Fraction(value),
                    Some(_) => return Err("an accuracy is in chips or a fraction".to_owned()),
                };
                args.end()?;
                setup.accuracy = Some(accuracy);
            }
            "set_recalc_accuracy" => {
                let mut street = || args.amount("an accuracy for each of flop, turn and river");
                let accuracy = [street()?, street()?, street()?];
                args.end()?;
                self.recalc_accuracy = Some(accuracy);
                if let Some(tree) = &mut self.tree {
                    tree.resolve_to(accuracy);
                }
            }
            "set_always_recalc" => {
                let street: u32 = args.number("a street, 0 for none,")?;
                args.amount("a time in milliseconds")?;
                args.end()?;
                if street != 0 {
                    return Err("what a file holds is not solved again: only 0 is possible".to_owned());
                }
            }
            "clear_lines" => {
                args.end()?;
                *setup.lines() = noregret_holdem::ChipLines::default();
            }
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
                args.end()?;
                let bytes = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
                setup.load(Spec::from_bytes(&bytes).map_err(|error| format!("{path}: {error}"))?);
            }
        }
        Ok(())
    }

    pub(super) fn estimate_tree(&mut self, args: &mut Arguments) -> Answered {
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

    pub(super) fn build_tree(&mut self, args: &mut Arguments) -> Answered {
        args.end()?;
        self.not_running()?;
        let freed = self.tree.as_ref().map_or(0, SessionTree::bytes);
        let (plan, pool) = (self.setup.plan(self.threads(), freed)?, self.pool()?);
        // Nothing can go wrong any more, and the memory of the old tree is there for the new one.
        self.tree = None;
        self.tree = Some(pool.install(|| SessionTree::build(plan)));
        Ok(Answer::Done)
    }

    pub(super) fn not_running(&self) -> Result<(), String> {
        match &self.tree {
            Some(tree) if tree.is_running() => {
                Err("the solver is running: stop it, or wait_for_solver".to_owned())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn free_tree(&mut self, args: &mut Arguments) -> Answered {
        args.end()?;
        self.not_running()?;
        (self.tree, self.info) = (None, Vec::new());
        Ok(Answer::Done)
    }

    pub(super) fn go(&mut self, args: &mut Arguments) -> Answered {
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

    pub(super) fn wait(&mut self, command: &str, args: &mut Arguments) -> Answered {
        args.end()?;
        if let Some(tree) = &mut self.tree {
            if command == "stop" {
                tree.request_stop();
            }
            tree.join();
        }
        Ok(Answer::Done)
    }

    pub(super) fn solver_time(&mut self, args: &mut Arguments) -> Answered {
        args.end()?;
        let elapsed = self.read(|reader| Ok(reader.elapsed))?;
        Ok(format!("{:.3}", elapsed.as_secs_f64()).into())
    }
}
