//! Commands that read and write solution files.

use super::{Answered, Session};
use crate::arguments::{Arguments, NodeName};
use crate::output::Answer;
use crate::session_tree::{SessionTree, open};
use crate::{nodes, reading};
use noregret_holdem::SavedStreets;
use std::path::PathBuf;

impl Session {
    pub(super) fn load_tree(&mut self, args: &mut Arguments) -> Answered {
        let path = PathBuf::from(args.word("a solution file")?);
        let mode = args.optional();
        args.end()?;
        let all = match mode.as_deref() {
            None | Some("fast" | "auto") => false,
            Some("full") => true,
            Some(mode) => return Err(format!("`{mode}` is not a way to load: full, fast or auto")),
        };
        self.not_running()?;
        let tree = SessionTree::open(path, self.recalc_accuracy)?;
        self.setup.load(tree.spec.clone());
        (self.tree, self.info) = (Some(tree), Vec::new());
        if all { self.bring_into_memory() } else { Ok(Answer::Done) }
    }

    pub(super) fn load_all_nodes(&mut self, args: &mut Arguments) -> Answered {
        args.end()?;
        self.bring_into_memory()
    }

    /// Brings a file into memory; one that leaves streets out stays on disk, where all that it has can be read.
    fn bring_into_memory(&mut self) -> Answered {
        let threads = self.threads();
        let is_whole =
            |tree: &SessionTree| tree.file().is_some_and(|file| file.summary().keep == SavedStreets::Full);
        self.with_tree(|tree| if is_whole(tree) { tree.load(threads) } else { Ok(()) })?;
        Ok(Answer::Done)
    }

    pub(super) fn dump_tree(&mut self, args: &mut Arguments) -> Answered {
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

    pub(super) fn solve_partial(&mut self, args: &mut Arguments) -> Answered {
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

/// What the root of a file's tree is, without loading it.
pub(super) fn show_metadata(args: &mut Arguments) -> Answered {
    let path = PathBuf::from(args.word("a solution file")?);
    args.end()?;
    let file = open(&path)?;
    let root = NodeName { is_root: true, line: Default::default() };
    let mut lines = nodes::block(file.game(), &root)?;
    for player in [noregret_holdem::OOP, noregret_holdem::IP] {
        lines.push(reading::range(file.spec().spot.range(player)));
    }
    lines.extend(reading::tree_info(file.spec()));
    Ok(Answer::Lines(lines))
}
