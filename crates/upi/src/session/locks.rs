//! Commands that set and lock strategies.

use super::{Answered, Session};
use crate::arguments::{Arguments, numbers};
use crate::locking::{hands_of, holes_at};
use crate::output::Answer;
use crate::{nodes, reading};

impl Session {
    pub(super) fn lock(&mut self, command: &str, args: &mut Arguments) -> Answered {
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
                // From the order of the protocol to that of the tree.
                let mut ordered = vec![Vec::new(); actions.len()];
                for (row, (action, _)) in rows.into_iter().zip(nodes::actions(tree.game.betting(), at)) {
                    ordered[action] = row;
                }
                let holes = holes_at(&tree.game, &line);
                set.set(line, actions, hands_of(&ordered, holes.into_iter())?);
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
                    // It is free already, and scripts free nodes to be sure.
                    return Ok(Answer::Done);
                }
            }
        }
        self.with_tree(|tree| tree.set_strategies(set, threads))?;
        Ok(Answer::Done)
    }
}
