//! Trees from lines of chips, as PioSOLVER's tools give them: one number an action, what the player who acts has put in since the root.
//!
//! Bets and raises are those of the lines and no others. Folds, checks and calls are there wherever they are possible, as in
//! those tools, unless a line is removed or another one forced.

use super::edits::{Edit, TreeEdits};
use super::options::{StreetSizes, TreeOptions};
use super::rules::Rules;
use crate::betting::action::Action;
use crate::betting::chips::Chips;
use crate::betting::line::{Line, Step};
use crate::betting::node::BettingNodeKind;
use crate::betting::walk::is_meant;
use noregret_cards::Street;
use std::collections::HashSet;

/// Lines that make a betting tree.
///
/// ```
/// use noregret_holdem::{BettingTree, ChipLines, cards::Street};
///
/// let mut lines = ChipLines::default();
/// lines.add.push(vec![0, 50, 150]);
/// let options = lines.options(100.into(), 300.into(), Street::River)?;
/// let tree = BettingTree::build(&options, Street::River)?;
/// // Check, bet, raise; the folds, checks and calls come by themselves.
/// assert_eq!(tree.counts().all_decisions(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChipLines {
    /// Lines whose bets and raises are there.
    pub add: Vec<Vec<u32>>,
    /// Lines that are taken out, with all that follows.
    pub remove: Vec<Vec<u32>>,
    /// Lines that have to be played: where one passes, there is no action but those of such lines.
    pub force: Vec<Vec<u32>>,
}

/// A line that cannot be, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line `{}`: {message}", shown(.line))]
pub struct ChipLineError {
    /// The line.
    pub line: Vec<u32>,
    /// What is wrong with it.
    pub message: String,
}

fn shown(line: &[u32]) -> String {
    line.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

impl ChipLines {
    /// The options of exactly this betting: no sizes, no thresholds, and the lines as edits.
    pub fn options(
        &self,
        starting_pot: Chips,
        effective_stack: Chips,
        street: Street,
    ) -> Result<TreeOptions, ChipLineError> {
        let steps = |line: &Vec<u32>| {
            steps(line, effective_stack, street)
                .map_err(|message| ChipLineError { line: line.clone(), message })
        };
        let mut options = TreeOptions::new(starting_pot, effective_stack);
        options.sizes = Default::default();
        debug_assert_eq!(options.sizes[0][0], StreetSizes::default());
        options.add_allin_threshold = 0.0;
        options.force_allin_threshold = 0.0;
        options.merging_threshold = 0.0;
        let forced: Vec<Vec<Step>> = self.force.iter().map(steps).collect::<Result<_, _>>()?;
        let added: Vec<Vec<Step>> = self.add.iter().map(steps).collect::<Result<_, _>>()?;
        let given: Vec<&Vec<u32>> = self.add.iter().chain(&self.force).collect();
        let (add, sources) = longest_bets(added.iter().chain(&forced));
        options.edits.add = add;
        let fail = |error: super::EditError, sources: &[usize]| {
            let line = match error.edit {
                Edit::Add(index) => sources.get(index).map(|&source| given[source].clone()),
                Edit::Remove(index) => self.remove.get(index).cloned(),
            };
            ChipLineError { line: line.unwrap_or_default(), message: error.message }
        };
        let rules = Rules::new(&options, street).map_err(|error| fail(error, &sources))?;
        let mut removed: Vec<Line> = Vec::new();
        for line in &self.remove {
            let line = Line { steps: steps(line)? };
            if !removed.contains(&line) {
                removed.push(line);
            }
        }
        let with_removed = TreeEdits { add: options.edits.add.clone(), remove: removed.clone() };
        let checked = TreeOptions { edits: with_removed, ..options.clone() };
        Rules::new(&checked, street).map_err(|error| fail(error, &sources))?;
        removed.extend(others(&rules, &forced).into_iter().filter(|line| !is_below(line, &self.remove)));
        options.edits.remove = removed;
        options.edits.remove.dedup();
        Rules::new(&options, street).map_err(|error| {
            let line = self.force.first().cloned().unwrap_or_default();
            ChipLineError { line, message: format!("it cannot be forced: {}", error.message) }
        })?;
        Ok(options)
    }
}

/// Whether a line is one of those that are removed anyway; compared in chips of the whole hand.
fn is_below(line: &Line, removed: &[Vec<u32>]) -> bool {
    let chips = chips(line);
    removed.iter().any(|removed| chips.as_ref().is_some_and(|chips| chips.starts_with(removed)))
}

/// A line in chips of the whole hand; none if somebody folds.
fn chips(line: &Line) -> Option<Vec<u32>> {
    let (mut before, mut most, mut checked) = (0, 0, false);
    let mut chips = Vec::new();
    for step in &line.steps {
        let Step::Action(action) = step else { return None };
        if let Some(amount) = action.amount() {
            most = before + amount.count();
        }
        chips.push(most);
        match action {
            Action::Fold => return None,
            Action::Check if !checked => checked = true,
            Action::Check | Action::Call => (before, checked) = (most, false),
            Action::Bet(_) | Action::Raise(_) | Action::AllIn(_) => {}
        }
    }
    Some(chips)
}

/// The lines up to their last bet or raise, without those that another one continues; each with the place of what it came from.
fn longest_bets<'l>(lines: impl Iterator<Item = &'l Vec<Step>>) -> (Vec<Line>, Vec<usize>) {
    let is_bet = |step: &Step| matches!(step, Step::Action(action) if action.amount().is_some());
    let cut: Vec<&[Step]> =
        lines.map(|steps| &steps[..steps.iter().rposition(is_bet).map_or(0, |last| last + 1)]).collect();
    let mut continued: HashSet<&[Step]> = HashSet::from([&[][..]]);
    for line in &cut {
        continued.extend((0..line.len()).map(|end| &line[..end]));
    }
    let mut seen = HashSet::new();
    let kept = cut.iter().enumerate().filter(|(_, line)| !continued.contains(*line) && seen.insert(**line));
    kept.map(|(source, line)| (Line { steps: line.to_vec() }, source)).unzip()
}

/// What forced lines leave no room for: at each decision of theirs, the actions that none of them takes.
fn others(rules: &Rules<'_>, forced: &[Vec<Step>]) -> Vec<Line> {
    let mut removed: Vec<Line> = Vec::new();
    let mut seen = HashSet::new();
    for line in forced {
        let mut state = rules.root();
        for (i, step) in line.iter().enumerate() {
            while state.kind == BettingNodeKind::Chance {
                state = rules.successors(&state)[0].1;
            }
            let successors = rules.successors(&state);
            let is_forced = |action: Action| {
                forced.iter().any(|other| {
                    other.starts_with(&line[..i]) && other.get(i).is_some_and(|&step| is_meant(action, step))
                })
            };
            for action in
                successors.iter().filter_map(|(action, _)| *action).filter(|&action| !is_forced(action))
            {
                let mut steps = line[..i].to_vec();
                steps.push(Step::Action(action));
                let line = Line { steps };
                if seen.insert(line.clone()) {
                    removed.push(line);
                }
            }
            let next = successors
                .into_iter()
                .find(|(action, _)| action.is_some_and(|action| is_meant(action, *step)));
            let Some((_, next)) = next else { break };
            state = next;
        }
    }
    removed
}

/// The actions that the numbers of a line stand for.
fn steps(line: &[u32], stack: Chips, first: Street) -> Result<Vec<Step>, String> {
    let (stack, granularity) = (stack.count(), stack.granularity());
    let mut steps = Vec::with_capacity(line.len());
    let mut street = Some(first);
    let (mut committed, mut before, mut actor, mut acted) = ([0u32; 2], 0, 0, false);
    for &chips in line {
        let (own, other) = (committed[actor], committed[1 - actor]);
        if street.is_none() || (own == stack && other == stack) {
            return Err(format!("the hand is over before {chips}"));
        }
        if chips > stack {
            return Err(format!("{chips} is more than the effective stack of {stack}"));
        }
        if chips < other {
            return Err(format!(
                "{chips} is less than the {other} that the other player has put in: chips count from the root"
            ));
        }
        let amount = Chips::saturating(chips - before, granularity);
        let faces_bet = other > own;
        let action = match (chips == other, faces_bet) {
            (true, true) => Action::Call,
            (true, false) => Action::Check,
            (false, true) => Action::Raise(amount),
            (false, false) => Action::Bet(amount),
        };
        steps.push(Step::Action(action));
        committed[actor] = chips;
        if action == Action::Call || (action == Action::Check && acted) {
            (before, actor, acted) = (chips, 0, false);
            street = street.and_then(Street::next);
        } else {
            (actor, acted) = (1 - actor, true);
        }
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BettingTree, NodeId, SizeKind, SizeList, TreeCounts};
    use proptest::prelude::*;

    fn tree(lines: &ChipLines, street: Street) -> Result<BettingTree, String> {
        let options = lines.options(100.into(), 300.into(), street).map_err(|error| error.to_string())?;
        BettingTree::build(&options, street).map_err(|error| error.to_string())
    }

    fn add(lines: &[&[u32]]) -> ChipLines {
        ChipLines { add: lines.iter().map(|line| line.to_vec()).collect(), ..Default::default() }
    }

    fn actions(tree: &BettingTree, line: &str) -> Vec<String> {
        let cards = ["QsJh2h", "QsJh2h3c", "QsJh2h3c4d"][tree.first_street().index()];
        let (node, _) = tree.walk(&cards.parse().unwrap(), &line.parse().unwrap()).unwrap();
        tree.actions(node).map(|action| action.to_string()).collect()
    }

    /// Every line of a tree to a showdown, in chips of the whole hand: the plain way to write a tree down.
    fn showdowns(tree: &BettingTree) -> Vec<Vec<u32>> {
        let mut lines = HashSet::new();
        for (id, _) in
            tree.nodes().iter().enumerate().filter(|(_, node)| node.kind == BettingNodeKind::Showdown)
        {
            let mut chips = Vec::new();
            let mut at = NodeId(id as u32);
            while let Some(parent) = tree[at].parent {
                if let BettingNodeKind::Decision(player) = tree[parent].kind {
                    chips.push(tree[at].committed[player.index()].count());
                }
                at = parent;
            }
            chips.reverse();
            lines.insert(chips);
        }
        lines.into_iter().collect()
    }

    #[test]
    fn bets_are_those_of_the_lines_and_the_rest_comes_by_itself() {
        let tree = tree(&add(&[&[0, 50, 150], &[0, 0, 75, 75], &[20, 20, 20, 20]]), Street::Turn).unwrap();
        assert_eq!(actions(&tree, ""), ["check", "bet 20"]);
        assert_eq!(actions(&tree, "check"), ["check", "bet 50"]);
        assert_eq!(actions(&tree, "check, bet 50"), ["fold", "call", "raise 150"]);
        assert_eq!(actions(&tree, "check, bet 50, raise 150"), ["fold", "call"]);
        assert_eq!(actions(&tree, "check, check, Th"), ["check", "bet 75"]);
        assert_eq!(actions(&tree, "bet 20, call, Th"), ["check"]);
    }

    #[test]
    fn removed_lines_are_gone_and_forced_ones_are_all_there_is() {
        let mut lines = add(&[&[50], &[0, 50], &[0, 75], &[0, 50, 150]]);
        lines.remove = vec![vec![0, 75], vec![0, 75]];
        let removed = tree(&lines, Street::River).unwrap();
        assert_eq!(actions(&removed, "check"), ["check", "bet 50"]);
        lines.remove = vec![vec![0]];
        assert_eq!(actions(&tree(&lines, Street::River).unwrap(), ""), ["bet 50"]);

        lines.remove.clear();
        lines.force = vec![vec![0, 50]];
        let forced = tree(&lines, Street::River).unwrap();
        assert_eq!(
            (actions(&forced, ""), actions(&forced, "check")),
            (vec!["check".to_owned()], vec!["bet 50".to_owned()])
        );
        assert_eq!(actions(&forced, "check, bet 50"), ["fold", "call", "raise 150"]);
        // Of two forced lines both stay, and a forced bet need not be added.
        lines.force = vec![vec![0, 50], vec![0, 100]];
        assert_eq!(actions(&tree(&lines, Street::River).unwrap(), "check"), ["bet 50", "bet 100"]);
    }

    #[test]
    fn lines_that_cannot_be_say_why() {
        let error = |lines: ChipLines| tree(&lines, Street::River).unwrap_err();
        let one = |line: &[u32]| error(add(&[line]));
        assert_eq!(one(&[301]), "line `301`: 301 is more than the effective stack of 300");
        assert_eq!(
            one(&[50, 20]),
            "line `50 20`: 20 is less than the 50 that the other player has put in: chips count from the root"
        );
        assert_eq!(one(&[0, 0, 50]), "line `0 0 50`: the hand is over before 50");
        assert_eq!(one(&[300, 300, 300]), "line `300 300 300`: the hand is over before 300");
        assert_eq!(
            one(&[50, 60]),
            "line `50 60`: `raise 60` is not possible after `bet 50`: amounts from 100 to 300 are"
        );
        let remove = ChipLines { remove: vec![vec![0, 50]], ..add(&[&[50]]) };
        assert_eq!(error(remove), "line `0 50`: there is no `bet 50` after `check`: there is `check`");
        let nothing = ChipLines { remove: vec![vec![0]], ..Default::default() };
        assert_eq!(error(nothing), "line `0`: `check` is all that is left at the root: it has to stay");
    }

    proptest! {
        #[test]
        fn a_tree_written_down_line_by_line_is_the_same_tree(
            bets in prop::sample::select(vec!["50%", "33%, 75%", "52%, a", "e", ""]),
            raises in prop::sample::select(vec!["2.5x", "45%", "", "a"]),
            street in prop::sample::select(vec![Street::Turn, Street::River]),
        ) {
            let mut options = TreeOptions::new(100.into(), 300.into());
            for street in Street::ALL {
                options.set_street(street, StreetSizes {
                    bet: SizeList::parse(bets, SizeKind::Bet).unwrap(),
                    raise: SizeList::parse(raises, SizeKind::Raise).unwrap(),
                });
            }
            let built = BettingTree::build(&options, street).unwrap();
            let lines = ChipLines { add: showdowns(&built), ..Default::default() };
            prop_assert_eq!(tree(&lines, street).unwrap(), built);
        }

        #[test]
        fn any_lines_make_a_tree_or_a_message(
            add in prop::collection::vec(prop::collection::vec(prop::sample::select(vec![0u32, 20, 50, 75, 150, 300, 301, u32::MAX]), 0..7), 0..5),
            remove in prop::collection::vec(prop::collection::vec(prop::sample::select(vec![0u32, 50, 300]), 0..3), 0..2),
            force in prop::collection::vec(prop::collection::vec(prop::sample::select(vec![0u32, 50, 150]), 0..4), 0..3),
        ) {
            match tree(&ChipLines { add, remove, force }, Street::Turn) {
                Ok(tree) => prop_assert_ne!(tree.counts(), &TreeCounts::default()),
                Err(message) => prop_assert!(message.starts_with("line `"), "{}", message),
            }
        }
    }
}
