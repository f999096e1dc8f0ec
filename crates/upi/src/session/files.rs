//! Commands that read and write solution files.

use super::{Answered, Session};
use crate::arguments::{Arguments, NodeName};
use crate::output::Answer;
use crate::resting_tree::open;
use crate::session_tree::SessionTree;
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
        let mut tree = SessionTree::open(path, self.recalc_accuracy)?;
        if all && tree.can_be_loaded() {
            let threads = self.threads();
            self.pool()?.install(|| tree.load(threads))?;
        }
        self.setup.load(tree.spec.clone());
        (self.tree, self.info) = (Some(tree), Vec::new());
        Ok(Answer::Done)
    }

    /// Brings a file into memory; one that leaves streets out stays on disk, where all that it has can be read.
    pub(super) fn load_all_nodes(&mut self, args: &mut Arguments) -> Answered {
        args.end()?;
        let threads = self.threads();
        self.with_tree(|tree| if tree.can_be_loaded() { tree.load(threads) } else { Ok(()) })?;
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
        // Elsewhere nothing was left out, and nothing is to be done.
        if tree.game.betting()[at].street > tree.shown().keep.last() {
            self.read(move |reader| reader.reach(&line).map(drop))?;
        }
        Ok(Answer::Done)
    }
}

/// What the root of a file's tree is, without loading it.
pub(super) fn show_metadata(args: &mut Arguments) -> Answered {
    let path = PathBuf::from(args.word("a solution file")?);
    args.end()?;
    let file = open(&path)?;
    let root = NodeName { is_root: true, line: Default::default() };
    let shown = nodes::ShownTree { game: file.game(), keep: file.summary().keep, is_on_disk: false };
    let mut lines = shown.block(&root)?;
    // The ranges follow at once.
    lines.pop();
    for player in [noregret_holdem::OOP, noregret_holdem::IP] {
        lines.push(reading::range(file.spec().spot.range(player)));
    }
    lines.extend(reading::tree_info(file.spec()));
    Ok(Answer::Lines(lines))
}
