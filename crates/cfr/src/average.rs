//! Reading a solution: strategies, reaches and values at the nodes of one deal.

use crate::kernels::blocks;
use crate::simd::{Row, WIDTH, flat};
use crate::solver::root_reaches;
use crate::traverse::{Aim, Reaches, load_roots};
use crate::{Deal, Game, Kind, NodeId, Player, Solver};

/// A deal, and how both players' average strategies reach its roots.
pub struct Reached {
    deal: Deal,
    reaches: Reaches,
}

impl Reached {
    /// Which deal.
    pub fn deal(&self) -> Deal {
        self.deal
    }
}

/// What a player answers the opponent's average strategy with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Response {
    /// Its own average strategy.
    Average,
    /// The best that there is for each hand.
    Best,
}

/// What a player's hands are worth at every node of one deal, weighed by the opponent's reach.
pub struct DealValues {
    first: u32,
    hands: usize,
    blocks: usize,
    rows: Vec<Row>,
}

impl DealValues {
    /// The value of each hand at a node of the deal's round.
    pub fn at(&self, node: NodeId) -> &[f32] {
        let start = (node.0 - self.first) as usize * self.blocks;
        &flat(&self.rows[start..start + self.blocks])[..self.hands]
    }
}

impl<G: Game> Solver<'_, G> {
    /// The first deal, reached by everything.
    pub fn start(&self) -> Reached {
        Reached { deal: Deal::ROOT, reaches: root_reaches(self.game, None) }
    }

    /// A deal that follows another one, through the first of its origins.
    pub fn follow(&self, from: &Reached, index: usize) -> Reached {
        let next = Deal { round: from.deal.round + 1, index };
        let tile = &self.game.tree().round(from.deal.round).tiles[0];
        let players = Player::BOTH.map(|player| {
            let slots = self.slots(from, tile, player);
            let hands = self.game.hand_count(from.deal, player);
            let next_blocks = blocks(self.game.hand_count(next, player));
            let origin = &self.game.origins(next, player)[0];
            let roots = tile.exits.len();
            let mut rows = vec![Row::ZERO; roots * next_blocks];
            let exits =
                tile.exit_places[player.index()].iter().flat_map(|places| &places.slots[..places.count]);
            for (root, &slot) in exits.enumerate() {
                let reach = &slots[slot as usize];
                debug_assert!(reach.len() >= hands);
                for (to, &from) in origin.iter().enumerate() {
                    rows[to / WIDTH * roots + root][to % WIDTH] = reach[from as usize];
                }
            }
            rows
        });
        Reached { deal: next, reaches: Reaches { players, average: Vec::new() } }
    }

    /// How a player's average strategy reaches a node: one number for each hand, its weight included.
    pub fn reach(&self, at: &Reached, node: NodeId, player: Player) -> Vec<f32> {
        let tile = self.game.tree().tile_of(node);
        let mut slots = self.slots(at, tile, player);
        let mut reach = slots.swap_remove(self.game.tree().slot(node, player));
        reach.truncate(self.game.hand_count(at.deal, player));
        reach
    }

    /// The average strategy at a decision: for each action, one number for each hand. `None` where the average does not bring
    /// the hand there, and everywhere if the node is not a decision.
    pub fn strategy(&self, at: &Reached, node: NodeId) -> Vec<Vec<Option<f32>>> {
        let Kind::Decision(player) = self.game.tree().node(node).kind else {
            return Vec::new();
        };
        let reach = self.reach(at, node, player);
        let tile = self.game.tree().tile_of(node);
        let locked = self.game.locks().tile(player, at.deal, tile).locked(node, reach.len());
        let share_of =
            |((&share, &reach), &locked): ((&f32, &f32), &bool)| (locked || reach > 0.0).then_some(share);
        let of_action = |shares: &Vec<f32>| shares.iter().zip(&reach).zip(&locked).map(share_of).collect();
        self.shares(at.deal, node, player).iter().map(of_action).collect()
    }

    /// What is stored of the average strategy at a decision of `player`: for each action, one number for each hand.
    fn shares(&self, deal: Deal, node: NodeId, player: Player) -> Vec<Vec<f32>> {
        let tile = self.game.tree().tile_of(node);
        let plan = &tile.plans[player.index()];
        let Some(place) = plan.decision_at(node) else { return Vec::new() };
        let decision = &plan.decisions[place];
        let hands = self.game.hand_count(deal, player);
        let average = self.memories[player.index()].average(deal, player, tile, blocks(hands));
        let locks = self.game.locks().tile(player, deal, tile);
        let mut shares = vec![Vec::with_capacity(blocks(hands) * WIDTH); decision.actions as usize];
        let mut strategy = vec![Row::ZERO; plan.rows];
        for block in 0..blocks(hands) {
            locks.strategy(average, block, &mut strategy);
            for (shares, row) in shares.iter_mut().zip(&strategy[decision.row as usize..]) {
                shares.extend_from_slice(&row.0);
            }
        }
        shares.iter_mut().for_each(|shares| shares.truncate(hands));
        shares
    }

    /// What a player's hands are worth at every node of a deal when both follow their average strategies.
    pub fn values(&self, at: &Reached, player: Player) -> DealValues {
        let tree = self.game.tree();
        let deal = at.deal;
        let round = tree.round(deal.round);
        let hands = self.game.hand_count(deal, player);
        let blocks = blocks(hands);
        let memory = &self.memories[player.index()];
        let traversal = self.averaged(player, Aim::Follow(memory));
        let first = round.nodes.start;
        let mut rows = vec![Row::ZERO; round.nodes.len() * blocks];
        let row = |node: NodeId| (node.0 - first) as usize * blocks;
        traversal.leaf_values(deal, &at.reaches, |leaf, block, values| rows[row(leaf) + block] = values);
        for node in round.nodes.clone().rev().map(NodeId) {
            let Kind::Decision(actor) = tree.node(node).kind else { continue };
            let strategy = if actor == player { self.shares(deal, node, player) } else { Vec::new() };
            for (action, child) in tree.node(node).children().enumerate() {
                for hand in 0..hands {
                    let at = |node| row(node) + hand / WIDTH;
                    let share = strategy.get(action).map_or(1.0, |shares| shares[hand]);
                    let value = rows[at(child)][hand % WIDTH];
                    rows[at(node)][hand % WIDTH] += share * value;
                }
            }
        }
        DealValues { first, hands, blocks, rows }
    }

    /// What a player's hands are worth at every chance node of a deal, in the order of the nodes, against the opponent's
    /// average strategy.
    pub fn exit_values(&self, at: &Reached, player: Player, response: Response) -> Vec<Vec<f32>> {
        let blocks = blocks(self.game.hand_count(at.deal, player));
        let exits: Vec<NodeId> = self.game.tree().exits(at.deal.round).collect();
        let mut rows = vec![vec![Row::ZERO; blocks]; exits.len()];
        self.averaged(player, self.aim(player, response)).leaf_values(
            at.deal,
            &at.reaches,
            |node, block, row| {
                if let Ok(exit) = exits.binary_search(&node) {
                    rows[exit][block] = row;
                }
            },
        );
        self.cropped(at.deal, player, rows.iter().map(Vec::as_slice))
    }

    /// What a player's hands are worth at every root of a deal, against the opponent's average strategy.
    pub fn root_values(&self, at: &Reached, player: Player, response: Response) -> Vec<Vec<f32>> {
        let blocks = blocks(self.game.hand_count(at.deal, player));
        let roots = self.game.tree().roots(at.deal.round).len();
        let mut rows = vec![Row::ZERO; roots * blocks];
        self.averaged(player, self.aim(player, response)).visit(at.deal, &at.reaches, None, &mut rows);
        let of_root = |root: usize| (0..blocks).map(|block| rows[block * roots + root]).collect();
        let by_root: Vec<Vec<Row>> = (0..roots).map(of_root).collect();
        self.cropped(at.deal, player, by_root.iter().map(Vec::as_slice))
    }

    fn aim(&self, player: Player, response: Response) -> Aim<'_> {
        match response {
            Response::Average => Aim::Follow(&self.memories[player.index()]),
            Response::Best => Aim::BestRespond,
        }
    }

    /// Rows without what pads them.
    fn cropped<'r>(
        &self,
        deal: Deal,
        player: Player,
        rows: impl Iterator<Item = &'r [Row]>,
    ) -> Vec<Vec<f32>> {
        let hands = self.game.hand_count(deal, player);
        rows.map(|rows| flat(rows)[..hands].to_vec()).collect()
    }

    /// A player's reach in every slot of a tile, one number for each hand.
    fn slots(&self, at: &Reached, tile: &crate::tree::Tile, player: Player) -> Vec<Vec<f32>> {
        let memory = &self.memories[player.index()];
        let plan = &tile.plans[player.index()];
        let blocks = blocks(self.game.hand_count(at.deal, player));
        let roots = self.game.tree().round(at.deal.round).root_count();
        let average = memory.average(at.deal, player, tile, blocks);
        let locks = self.game.locks().tile(player, at.deal, tile);
        let mut slots = vec![Vec::with_capacity(blocks * WIDTH); plan.slots()];
        let mut rows = vec![Row::ZERO; plan.slots()];
        for block in 0..blocks {
            load_roots(&at.reaches.players[player.index()], tile, block, roots, &mut rows);
            locks.realize(average, block, &mut rows);
            for (slot, row) in slots.iter_mut().zip(&rows) {
                slot.extend_from_slice(&row.0);
            }
        }
        slots
    }
}
