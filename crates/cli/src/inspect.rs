//! `noregret inspect`: a solution, looked at point by point.

mod cards;
mod classes;
mod exploit;
mod hands;
mod json;
mod matrix;
mod overview;
mod point;

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::{output, place, solution_file, unit};
use cards::CardsTable;
use clap::ValueEnum;
use classes::ClassesTable;
use exploit::ExploitTable;
use hands::{HandDetail, HandsTable};
use matrix::Matrix;
use noregret_holdem::cards::Hole;
use noregret_holdem::{BettingNodeKind, IP, Line, NodeView, OOP, Player, ShownUnit, Solution};
use noregret_report::{Filter, HandLine, NodeSummary, SortKey, hand_lines};
use overview::Overview;
use point::InspectedPoint;
use std::path::PathBuf;

/// Look at a point of a solution: what every hand does and expects there.
///
/// Shows both players' EV and equity, how often each action is taken, the 13×13 matrix of the player who acts, and what its hands
/// make of the board. EVs are in
/// the unit of the spec, from there on, and count the pot: a fold is 0. A digit, F, X, C or A in a cell of the matrix is the action that its
/// hands take most, with its share in percent.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret inspect spot.nrs
  noregret inspect spot.nrs --line \"check, bet 94\"
  noregret inspect spot.nrs --line r:0:c:b94 --hand AhKh
  noregret inspect spot.nrs --hands --sort ev --filter \"flush draw|open-ended, equity<0.5\"
  noregret inspect spot.nrs --line \"bet 94\" --exploit ip
  noregret inspect spot.nrs --line \"bet 94, call, Th\" --json

Filters: conditions with commas between, alternatives with |, ! for not. What a hand makes with its own cards
(nothing, king high, ace high, made, pair, low pair, second pair, underpair, top pair, overpair, two pair, trips,
set, straight, flush, full house, quads, straight flush), draws (flush draw, backdoor flush draw, open-ended, gutshot, straight draw, draw, overcards, one
overcard), numbers (equity>0.5, ev<=20, reach>0.1, bet>50%), hands (ATs+, AhKh).

Exit codes: 0 done; 1 the file cannot be read; 2 the request was wrong.")]
pub struct Args {
    /// The solution file
    #[arg(value_parser = place::argument())]
    file: PathBuf,

    /// Where to look: actions and cards from the root, as in `check, bet 94, call, Th` or `r:0:c:b94:c:Th`
    #[arg(long, default_value = "", hide_default_value = true)]
    line: String,

    /// Whose hands to show [default: who is to act]
    #[arg(long)]
    player: Option<SeatArg>,

    /// One hand in detail
    #[arg(long, value_name = "AhKh", conflicts_with_all = ["hands", "sort", "filter", "reverse"])]
    hand: Option<Hole>,

    /// All hands, one a line, instead of the matrix; --sort, --reverse and --filter list them too
    #[arg(long)]
    hands: bool,

    /// What to list hands by: hand, made, ev, equity, reach or an action like `bet 94`
    #[arg(long, value_name = "KEY")]
    sort: Option<SortKey>,

    /// List them the other way round
    #[arg(long)]
    reverse: bool,

    /// Which hands to list, like `top pair|overpair, equity>0.5`
    #[arg(long, value_name = "FILTER", allow_hyphen_values = true)]
    filter: Option<String>,

    /// The best response of a player to the strategies as they are, locks included: each hand's best action and what it gains
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["player", "hand", "hands", "sort", "filter", "reverse"])]
    exploit: Option<SeatArg>,

    /// What amounts and EVs are in: chips, bb or pot (percent of the pot); lines stay in the unit of the spec [default: that unit]
    #[arg(long, value_name = "UNIT", conflicts_with = "json")]
    unit: Option<ShownUnit>,

    /// Print JSON on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

/// A player, as people write it.
#[derive(Clone, Copy, ValueEnum)]
pub enum SeatArg {
    /// Out of position: acts first
    Oop,
    /// In position: acts last
    Ip,
}

impl SeatArg {
    fn player(self) -> Player {
        match self {
            Self::Oop => OOP,
            Self::Ip => IP,
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let line: Line = args.line.parse().map_err(|error| Failure::request(format!("--line: {error}")))?;
    let saved = solution_file::open(&args.file)?;
    let failed = |error| solution_file::failure(&args.file, &error);
    let view = saved.at(&line).map_err(failed)?;
    let game = saved.game();
    let line = game.betting().exact(game.spot().board(), &line).map_err(|error| failed(error.into()))?;
    let format = unit::format(&saved, args.unit)?;
    let summary = NodeSummary::new(game, &view);
    let pot = summary.pot;
    let summary = summary.shown(format);
    let player = args
        .player
        .or(args.exploit)
        .map(SeatArg::player)
        .or(view.player)
        .unwrap_or_else(|| holder(&view, args.hand));
    let point = InspectedPoint { saved: &saved, line, view, summary, pot, player, format };
    let lines: Vec<HandLine> =
        hand_lines(game, &point.view, player).into_iter().map(|line| line.shown(format, pot)).collect();
    let cards = match game.betting()[point.view.node].kind {
        BettingNodeKind::Chance => Some(CardsTable::new(&point).map_err(failed)?),
        _ => None,
    };
    let lists = args.hands || args.sort.is_some() || args.filter.is_some() || args.reverse;
    let listed = if lists { Some(list(args, &point, lines.clone())?) } else { None };
    let hand = args.hand.map(|hole| HandDetail::new(&point, hole, &lines));
    let exploit = match args.exploit {
        Some(seat) => {
            let solution = Solution::read(&saved).map_err(|error| failed(error.into()))?;
            Some(solution.exploit(point.line.clone(), seat.player()).map_err(failed)?)
        }
        None => None,
    };
    if args.json {
        let hands =
            listed.or(args.hand.map(|hole| lines.iter().filter(|line| line.hole == hole).cloned().collect()));
        let mut value = json::point(&point, hands.as_deref(), cards.as_ref());
        if let Some(exploit) = &exploit {
            value["exploit"] = exploit::json(exploit);
        }
        output::print(value)?;
        return Ok(ExitCode::SUCCESS);
    }
    output::print(Overview { point: &point, with_actions: hand.is_none() })?;
    if let Some(exploit) = &exploit {
        output::print(ExploitTable { point: &point, exploit })?;
        return Ok(ExitCode::SUCCESS);
    }
    match (hand, listed, cards) {
        (Some(hand), ..) => output::print(hand)?,
        (_, Some(hands), _) => output::print(HandsTable { point: &point, lines: &hands, of: lines.len() })?,
        (_, _, Some(cards)) => output::print(cards)?,
        _ => {
            output::print(Matrix::new(&point, &lines))?;
            output::print(format!("\n{}", ClassesTable::new(&point, &lines)))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Whose hand it is, where nobody acts: the first player's unless only the other has it.
fn holder(view: &NodeView, hand: Option<Hole>) -> Player {
    let has = |player: Player| view.hands[player.index()].iter().any(|view| Some(view.hole) == hand);
    if !has(OOP) && has(IP) { IP } else { OOP }
}

/// The hands that are asked for, in the order that is.
fn list(args: &Args, point: &InspectedPoint<'_>, mut lines: Vec<HandLine>) -> Result<Vec<HandLine>, Failure> {
    let actions = &point.view.actions;
    // Actions of another player are nothing to ask for.
    let actions = if point.view.player == Some(point.player) { &actions[..] } else { &[] };
    let filter = Filter::parse(args.filter.as_deref().unwrap_or_default(), actions);
    let filter = filter.map_err(|error| Failure::request(format!("--filter: {error}")))?;
    lines.retain(|line| filter.has(line));
    let sort = args.sort.as_ref().unwrap_or(&SortKey::Hand);
    sort.sort(&mut lines, actions).map_err(|error| Failure::request(format!("--sort: {error}")))?;
    if args.reverse {
        lines.reverse();
    }
    Ok(lines)
}
