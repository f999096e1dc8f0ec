//! Commands that read nodes, strategies and values.

use super::{Answered, Session, unknown};
use crate::arguments::{Arguments, NodeName};
use crate::output::Answer;
use crate::tree_reader::TreeReader;
use crate::{nodes, reading};
use noregret_holdem::Solver;

impl Session {
    pub(super) fn show(&mut self, command: &str, args: &mut Arguments) -> Answered {
        match command {
            "show_node" | "show_children" => {
                let node = args.node()?;
                args.end()?;
                let tree = self.tree()?.shown();
                let lines = if command == "show_node" { tree.block(&node) } else { tree.child_blocks(&node) };
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

    pub(super) fn at_node(
        &mut self,
        args: &mut Arguments,
        read: fn(&mut TreeReader<'_>, &NodeName) -> Result<Vec<String>, String>,
    ) -> Answered {
        let node = args.node()?;
        args.end()?;
        self.read(move |reader| read(reader, &node)).map(Answer::Lines)
    }

    pub(super) fn of_player(
        &mut self,
        args: &mut Arguments,
        read: fn(&mut TreeReader<'_>, noregret_holdem::Player, &NodeName) -> Result<Vec<String>, String>,
    ) -> Answered {
        let player = args.player()?;
        let node = args.node()?;
        args.end()?;
        self.read(move |reader| read(reader, player, &node)).map(Answer::Lines)
    }

    pub(super) fn show_range(&mut self, args: &mut Arguments) -> Answered {
        let player = args.player()?;
        if args.left() == 0 {
            let range = self.setup.ranges[player.index()].as_ref();
            return Ok(reading::range(range.ok_or("the range is not set: use set_range")?).into());
        }
        let node = args.node()?;
        args.end()?;
        self.read(move |reader| reading::show_range(reader, player, &node)).map(Answer::Lines)
    }

    pub(super) fn calc_eq(&mut self, args: &mut Arguments) -> Answered {
        let player = args.player()?;
        args.end()?;
        let layout = self.setup.check_down()?;
        let view = || Solver::new(layout.build()).root();
        // A solve has the session's threads to itself.
        let view = if self.not_running().is_ok() { self.pool()?.install(view) } else { view() };
        Ok(Answer::Lines(reading::equities(&view, player)))
    }

    pub(super) fn calc_results(&mut self, args: &mut Arguments) -> Answered {
        args.end()?;
        let threads = self.threads();
        self.with_tree(|tree| {
            if tree.can_be_loaded() {
                tree.load(threads)?;
            }
            tree.read(|reader| Ok(reader.results()))
        })
        .map(Answer::Lines)
    }
}
