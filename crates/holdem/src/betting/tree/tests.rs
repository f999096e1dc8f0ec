//! Whole trees, by counts and amounts that are known from elsewhere.

use super::*;
use crate::betting::size::{SizeKind, SizeList};
use crate::{Chips, IP, OOP};
use proptest::prelude::*;

fn sizes(bet: &str, raise: &str) -> StreetSizes {
    StreetSizes {
        bet: SizeList::parse(bet, SizeKind::Bet).unwrap(),
        raise: SizeList::parse(raise, SizeKind::Raise).unwrap(),
    }
}

fn options(pot: u16, stack: u16, streets: [(&str, &str); 3]) -> TreeOptions {
    let mut options = TreeOptions::new(pot.into(), stack.into());
    for (street, (bet, raise)) in Street::ALL.into_iter().zip(streets) {
        options.set_street(street, sizes(bet, raise));
    }
    options
}

fn without_thresholds(options: TreeOptions) -> TreeOptions {
    TreeOptions { add_allin_threshold: 0.0, force_allin_threshold: 0.0, merging_threshold: 0.0, ..options }
}

fn three_bet_pot() -> TreeOptions {
    without_thresholds(options(180, 910, [("52%", "45%"), ("55%", "45%"), ("70%", "45%")]))
}

fn turn_spot() -> TreeOptions {
    options(200, 900, [("60%, e, a", "2.5x"); 3])
}

/// The node after some actions; cards go by without mention.
fn node(tree: &BettingTree, line: &str) -> NodeId {
    let past_cards = |mut node: NodeId| {
        while tree[node].kind == BettingNodeKind::Chance {
            node = tree[node].first_child;
        }
        node
    };
    line.split(", ").filter(|step| !step.is_empty()).fold(BettingTree::ROOT, |at, step| {
        let child = tree.children(at).find(|&child| tree[child].action.unwrap().to_string() == step);
        past_cards(child.unwrap_or_else(|| panic!("no `{step}` of `{line}` among {}", actions_at(tree, at))))
    })
}

fn actions_at(tree: &BettingTree, at: NodeId) -> String {
    tree.actions(at).map(|action| action.to_string()).collect::<Vec<_>>().join(", ")
}

fn actions(tree: &BettingTree, line: &str) -> String {
    actions_at(tree, node(tree, line))
}

fn root_actions(options: &TreeOptions) -> String {
    actions(&BettingTree::build(options, Street::River).unwrap(), "")
}

#[test]
fn the_three_bet_pot_has_the_known_counts_and_amounts() {
    let tree = BettingTree::build(&three_bet_pot(), Street::Flop).unwrap();
    assert_eq!((tree.counts().all_decisions(), tree.counts().all_terminals()), (194, 257));
    assert_eq!(actions(&tree, ""), "check, bet 94");
    assert_eq!(actions(&tree, "bet 94"), "fold, call, raise 260");
    assert_eq!(actions(&tree, "bet 94, raise 260"), "fold, call, raise 575");
    assert_eq!(actions(&tree, "bet 94, raise 260, raise 575"), "fold, call, all-in 910");
    assert_eq!(actions(&tree, "bet 94, raise 260, raise 575, all-in 910"), "fold, call");
    assert_eq!(actions(&tree, "bet 94, call"), "check, bet 202");
    assert_eq!(actions(&tree, "bet 94, call, bet 202"), "fold, call, raise 549");
    assert_eq!(actions(&tree, "check, check"), "check, bet 99");
}

#[test]
fn the_turn_spot_has_the_known_counts_and_amounts() {
    let tree = BettingTree::build(&turn_spot(), Street::Turn).unwrap();
    assert_eq!((tree.counts().all_decisions(), tree.counts().all_terminals()), (76, 113));
    assert_eq!(actions(&tree, ""), "check, bet 120, bet 216, all-in 900");
    assert_eq!(actions(&tree, "check, check"), "check, bet 120, all-in 900");
    assert_eq!(actions(&tree, "bet 120"), "fold, call, raise 300");
    assert_eq!(actions(&tree, "bet 216"), "fold, call, raise 540, all-in 900");
    assert_eq!(actions(&tree, "bet 120, call"), "check, bet 264, all-in 780");
    assert_eq!(actions(&tree, "bet 120, raise 300, call"), "check, all-in 600");
}

#[test]
fn a_called_all_in_runs_out_to_a_showdown_without_decisions() {
    let tree = BettingTree::build(&three_bet_pot(), Street::Flop).unwrap();
    let call =
        tree.child_by_action(node(&tree, "bet 94, raise 260, raise 575, all-in 910"), Action::Call).unwrap();
    let turn = tree[call].first_child;
    let river = tree[turn].first_child;
    let kinds = [call, turn, river].map(|id| (tree[id].street, tree[id].kind));
    assert_eq!(kinds[0], (Street::Flop, BettingNodeKind::Chance));
    assert_eq!(kinds[1], (Street::Turn, BettingNodeKind::Chance));
    assert_eq!(kinds[2], (Street::River, BettingNodeKind::Showdown));
    assert_eq!(tree[river].committed, [910.into(), 910.into()]);
    assert_eq!((tree[turn].action, tree[river].child_count), (None, 0));
    assert!(tree.street_roots(Street::River).contains(&river));
}

#[test]
fn amounts_round_to_the_nearest_chip_and_stay_between_the_minimum_raise_and_all_in() {
    let plain = |bet, raise, pot, stack| without_thresholds(options(pot, stack, [(bet, raise); 3]));
    let river = |options| BettingTree::build(&options, Street::River).unwrap();
    assert_eq!(root_actions(&plain("1%", "a", 10, 50)), "check, bet 1");
    assert_eq!(root_actions(&plain("45%, 44%", "a", 10, 50)), "check, bet 4, bet 5");
    assert_eq!(root_actions(&plain("1000%", "a", 10, 50)), "check, all-in 50");
    assert_eq!(root_actions(&plain("50c", "a", 10, 50)), "check, all-in 50");
    // At least twice the bet; to 20 + 20 after a raise from 10 to 20 would be 30.
    let tree = river(plain("10c", "1c", 10, 100));
    assert_eq!(actions(&tree, "bet 10"), "fold, call, raise 20");
    assert_eq!(actions(&tree, "bet 10, raise 20"), "fold, call, raise 30");
    // A minimum raise above the stack is all-in, and nobody raises an all-in.
    let tree = river(plain("30c", "1c", 10, 50));
    assert_eq!(actions(&tree, "bet 30"), "fold, call, all-in 50");
    assert_eq!(actions(&tree, "bet 30, all-in 50"), "fold, call");
}

#[test]
fn all_in_is_forced_when_little_would_be_left_behind() {
    let at = |threshold| {
        let options = without_thresholds(options(100, 300, [("100%", "a"); 3]));
        root_actions(&TreeOptions { force_allin_threshold: threshold, ..options })
    };
    // After a call the pot is 300 and 200 are left: two thirds.
    assert_eq!(at(0.66), "check, bet 100");
    assert_eq!(at(0.67), "check, all-in 300");
    let exact = without_thresholds(options(100, 140, [("50c", "a"); 3]));
    assert_eq!(root_actions(&TreeOptions { force_allin_threshold: 0.45, ..exact }), "check, all-in 140");
}

#[test]
fn all_in_is_added_when_it_is_at_most_so_many_pots() {
    let at = |threshold, stack| {
        let options = without_thresholds(options(100, stack, [("50%", "50%"); 3]));
        TreeOptions { add_allin_threshold: threshold, ..options }
    };
    assert_eq!(root_actions(&at(1.5, 150)), "check, bet 50, all-in 150");
    assert_eq!(root_actions(&at(1.5, 151)), "check, bet 50");
    assert_eq!(root_actions(&at(0.29, 29)), "check, all-in 29");
    // Above the bet of 50, of the pot of 200 after calling it: up to 350.
    let raises = |stack| actions(&BettingTree::build(&at(1.5, stack), Street::River).unwrap(), "bet 50");
    assert_eq!(raises(350), "fold, call, raise 150, all-in 350");
    assert_eq!(raises(351), "fold, call, raise 150");
}

#[test]
fn close_sizes_merge_into_the_larger() {
    let at = |threshold, bets| {
        let options = without_thresholds(options(100, 1000, [(bets, "a"); 3]));
        root_actions(&TreeOptions { merging_threshold: threshold, ..options })
    };
    assert_eq!(at(0.1, "100%, 95%, 90%, 85%, 80%, 75%"), "check, bet 80, bet 100");
    // 220 / 200 is not below 1.1.
    assert_eq!(at(0.1, "120%, 100%"), "check, bet 100, bet 120");
    assert_eq!(at(0.1, "120%, 101%"), "check, bet 120");
    assert_eq!(at(0.0, "100%, 99%"), "check, bet 99, bet 100");
    assert_eq!(at(0.0, "100%, 100c"), "check, bet 100");
    // All-in is a size like any other.
    assert_eq!(at(0.1, "a, 990%"), "check, all-in 1000");
}

#[test]
fn close_raises_merge_by_their_share_of_the_pot_after_calling() {
    // To 100 + 240 and 100 + 210 of a pot of 300: 540 / 510 is below 1.1.
    let options = without_thresholds(options(100, 1000, [("100%", "80%, 70%"); 3]));
    let tree = |merging_threshold| TreeOptions { merging_threshold, ..options.clone() };
    let raises =
        |threshold| actions(&BettingTree::build(&tree(threshold), Street::River).unwrap(), "bet 100");
    assert_eq!(raises(0.1), "fold, call, raise 340");
    assert_eq!(raises(0.05), "fold, call, raise 310, raise 340");
}

#[test]
fn fixed_limit_stops_after_its_raises() {
    let limit = without_thresholds(options(40, 1000, [("20c", "20c3r"); 3]));
    let tree = BettingTree::build(&limit, Street::River).unwrap();
    assert_eq!(actions(&tree, "bet 20"), "fold, call, raise 40");
    assert_eq!(actions(&tree, "bet 20, raise 40, raise 60"), "fold, call, raise 80");
    assert_eq!(actions(&tree, "bet 20, raise 40, raise 60, raise 80"), "fold, call");
    // Every street counts afresh.
    let tree = BettingTree::build(&limit, Street::Turn).unwrap();
    assert_eq!(actions(&tree, "bet 20, raise 40, raise 60, raise 80, call, bet 20"), "fold, call, raise 40");
}

#[test]
fn geometric_sizes_put_the_last_chip_in_on_the_last_street() {
    // 1 + 2·1300/100 = 27 = 3³: a pot on each street.
    let geometric = without_thresholds(options(100, 1300, [("e", ""); 3]));
    let tree = BettingTree::build(&geometric, Street::Flop).unwrap();
    assert_eq!(actions(&tree, "bet 100, call, bet 300, call"), "check, all-in 900");
    assert_eq!(actions(&tree, "check, check"), "check, bet 210");
}

#[test]
fn a_donk_list_is_for_leading_into_the_bettor_and_nothing_else() {
    let mut options = without_thresholds(options(100, 1000, [("50%", "50%"); 3]));
    options.donk[1] = SizeList::parse("20%", SizeKind::Bet).ok();
    options.donk[2] = Some(SizeList::default());
    let tree = BettingTree::build(&options, Street::Flop).unwrap();
    assert_eq!(actions(&tree, "check, bet 50, call"), "check, bet 40");
    assert_eq!(actions(&tree, "bet 50, raise 150, call"), "check, bet 80");
    assert_eq!(actions(&tree, "check, check"), "check, bet 50");
    assert_eq!(actions(&tree, "bet 50, call"), "check, bet 100");
    // The second player's own bet is not a donk bet.
    assert_eq!(actions(&tree, "check, bet 50, call, check"), "check, bet 100");
    assert_eq!(actions(&tree, "check, bet 50, call, check, bet 100, call"), "check");
    // A call two streets ago does not count.
    assert_eq!(actions(&tree, "check, bet 50, call, check, check"), "check, bet 100");
}

#[test]
fn donk_bets_are_ordinary_bets_without_a_list_of_their_own() {
    let options = without_thresholds(options(100, 1000, [("50%", "50%"); 3]));
    let tree = BettingTree::build(&options, Street::Flop).unwrap();
    assert_eq!(actions(&tree, "check, bet 50, call"), "check, bet 100");
}

#[test]
fn without_sizes_the_hand_is_checked_down() {
    let options = without_thresholds(options(100, 1000, [("", ""); 3]));
    let tree = BettingTree::build(&options, Street::Flop).unwrap();
    assert_eq!((tree.counts().all_decisions(), tree.counts().all_terminals()), (6, 1));
}

#[test]
fn each_player_has_sizes_of_their_own() {
    let mut options = without_thresholds(options(100, 1000, [("", ""); 3]));
    options.sizes[2][IP.index()] = sizes("50%", "");
    options.sizes[2][OOP.index()] = sizes("", "3x");
    let tree = BettingTree::build(&options, Street::River).unwrap();
    assert_eq!(actions(&tree, ""), "check");
    assert_eq!(actions(&tree, "check"), "check, bet 50");
    assert_eq!(actions(&tree, "check, bet 50"), "fold, call, raise 150");
    assert_eq!(actions(&tree, "check, bet 50, raise 150"), "fold, call");
}

#[test]
fn a_tree_without_end_is_refused_before_it_is_built() {
    // A raise war of one chip at a time, a billion deep.
    let mut options = TreeOptions::new(Chips::MAX, Chips::MAX);
    for street in Street::ALL {
        options.set_street(street, sizes("1c", "1c"));
    }
    options.add_allin_threshold = 0.0;
    options.force_allin_threshold = 0.0;
    assert_eq!(
        BettingTree::build_within(&options, Street::River, 1_000_000),
        Err(BettingTreeError::TooLarge(1_000_000))
    );
    // And one with the widest choice.
    for street in Street::ALL {
        options.set_street(street, sizes("full", "full"));
    }
    options.starting_pot = 2.into();
    options.merging_threshold = 0.0;
    let error = BettingTree::build_within(&options, Street::Flop, 1_000_000).unwrap_err();
    assert!(error.to_string().starts_with("the betting tree has more than 1000000 nodes"));
}

#[test]
fn a_deep_raise_war_is_laid_out_without_recursion() {
    let mut options = without_thresholds(TreeOptions::new(1.into(), Chips::new(100_000).unwrap()));
    options.set_street(Street::River, sizes("1c", "1c"));
    let tree = BettingTree::build(&options, Street::River).unwrap();
    assert_eq!(tree.counts().all_decisions(), 1 + 2 * 100_000 + 1);
}

fn any_sizes() -> impl Strategy<Value = StreetSizes> {
    let bets = ["", "50%", "33%, 75%", "e", "a", "20c, 2e150%", "medium", "minimal"];
    let raises = ["", "45%", "2.5x", "30c1r", "e", "60%, a", "medium"];
    (prop::sample::select(bets.to_vec()), prop::sample::select(raises.to_vec()))
        .prop_map(|(bet, raise)| sizes(bet, raise))
}

fn any_options() -> impl Strategy<Value = TreeOptions> {
    let thresholds = (0.0f64..3.0, 0.0f64..0.5, 0.0f64..0.5, any::<bool>());
    let sizes = prop::array::uniform3(prop::array::uniform2(any_sizes()));
    let donks = prop::option::of(any_sizes());
    (1u16..300, 1u16..1000, thresholds, sizes, donks).prop_map(
        |(pot, stack, (add, force, merge, off), sizes, donk)| {
            let options = TreeOptions {
                add_allin_threshold: add,
                force_allin_threshold: force,
                merging_threshold: merge,
                sizes,
                donk: [None, donk.clone().map(|sizes| sizes.bet), donk.map(|sizes| sizes.bet)],
                ..TreeOptions::new(pot.into(), stack.into())
            };
            if off { without_thresholds(options) } else { options }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn every_tree_is_laid_out_as_promised(options in any_options(), street in prop::sample::select(Street::ALL.to_vec())) {
        let Ok(tree) = BettingTree::build_within(&options, street, 100_000) else { return Ok(()) };
        let nodes = tree.nodes();
        prop_assert_eq!(nodes.len(), tree.counts().nodes());
        prop_assert_eq!(tree.street_nodes(Street::River).end.index(), nodes.len());
        let mut next_child = 1;
        for street in Street::ALL {
            let range = tree.street_nodes(street);
            let roots: Vec<NodeId> = tree.street_roots(street).to_vec();
            prop_assert!(nodes[range.start.index()..range.end.index()].iter().all(|node| node.street == street));
            // Roots come in the order of the chance nodes before them.
            let chances: Vec<Option<NodeId>> = roots.iter().map(|&root| tree[root].parent).collect();
            prop_assert!(chances.is_sorted());
            prop_assert!(chances.iter().flatten().all(|&chance| tree[chance].kind == BettingNodeKind::Chance));
            for (i, &root) in roots.iter().enumerate() {
                let end = roots.get(i + 1).map_or(range.end, |&next| next);
                prop_assert_eq!(root.index() + 1, next_child);
                let group = nodes.iter().enumerate().take(end.index()).skip(root.index());
                for (index, node) in group {
                    if node.kind == BettingNodeKind::Chance {
                        prop_assert_eq!(node.child_count, 1);
                        prop_assert_eq!(tree[node.first_child].parent.map(NodeId::index), Some(index));
                    } else if node.child_count > 0 {
                        // Breadth first without gaps.
                        prop_assert_eq!(node.first_child.index(), next_child);
                        next_child += node.child_count as usize;
                        prop_assert!(tree.children(NodeId(index as u32)).all(|child| tree[child].parent.unwrap().index() == index));
                    }
                }
                prop_assert_eq!(next_child, end.index());
                next_child += 1;
            }
        }
    }

    #[test]
    fn every_line_is_poker(options in any_options()) {
        let Ok(tree) = BettingTree::build_within(&options, Street::Flop, 20_000) else { return Ok(()) };
        let stack = options.effective_stack;
        for (index, node) in tree.nodes().iter().enumerate() {
            prop_assert!(node.committed.iter().all(|&chips| chips <= stack));
            let level = node.committed[0] == node.committed[1];
            match node.kind {
                BettingNodeKind::Chance | BettingNodeKind::Showdown => prop_assert!(level),
                BettingNodeKind::Fold(player) => {
                    prop_assert!(node.committed[player.index()] < node.committed[player.opponent().index()]);
                }
                BettingNodeKind::Decision(player) => {
                    let actions: Vec<Action> = tree.actions(NodeId(index as u32)).collect();
                    let expected = if level { &[Action::Check][..] } else { &[Action::Fold, Action::Call] };
                    prop_assert!(actions.starts_with(expected));
                    prop_assert!(node.committed[player.index()] < stack);
                    let amounts: Vec<Chips> = actions.iter().filter_map(|action| action.amount()).collect();
                    prop_assert!(amounts.windows(2).all(|pair| pair[0] < pair[1]));
                    for child in tree.children(NodeId(index as u32)) {
                        let child = &tree[child];
                        let all_in = child.committed[player.index()] == stack;
                        prop_assert_eq!(matches!(child.action, Some(Action::AllIn(_))), all_in && child.action != Some(Action::Call));
                        if let Some(Action::Bet(_)) = child.action { prop_assert!(level) }
                        if let Some(Action::Raise(_)) = child.action { prop_assert!(!level) }
                    }
                }
            }
        }
    }
}
