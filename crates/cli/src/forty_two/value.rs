//! `noregret forty-two value`: one position.

use super::draw::Drawing;
use super::source::TableSource;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::output;
use noregret_dominoes::{EvaluateError, Game, Layout, Plays, Position};
use serde_json::json;

/// One position: whose turn it is, each legal move with its value and its regret, the line of best play.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret forty-two value --seed 0 --decl blanks
  noregret forty-two value --seed 0 --decl blanks --layout to-go --state 2194996723711 --json
  noregret forty-two value --seed 0 --decl blanks --plays \"5-2 5-3\"
  noregret forty-two value --table tables/seed_00000000_decl_0.n42
  noregret forty-two value --decl sixes --deal \"6-6 6-5 6-4 5-5 4-4 1-0 2-0 | 0-0 1-1 2-1 2-2 3-0 3-1 3-2 | \
3-3 4-0 4-1 4-2 4-3 5-0 5-1 | 5-2 5-3 5-4 6-0 6-1 6-2 6-3\"

In the scored layout values are the final difference; in the to-go layout the difference still to be won.")]
pub struct Args {
    #[command(flatten)]
    source: TableSource,

    /// The packed position [default: the start of the deal]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    state: Option<i64>,

    /// The dominoes played so far, in order from the first lead on, instead of a packed position
    #[arg(long, value_name = "DOMINOES", conflicts_with = "state")]
    plays: Option<Plays>,

    /// How the position is packed, and what its values mean: scored or to-go
    #[arg(long, default_value = "scored")]
    layout: Layout,

    /// Print JSON on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if let Some(state) = args.state {
        // A number that is no state in any deal is known before the deal is solved.
        Position::unpack(state, args.layout).map_err(Failure::request)?;
    }
    let (seed, table) = args.source.table()?;
    let state = match (&args.plays, args.state) {
        (Some(plays), _) => {
            let game = Game::after(table.deal(), table.declaration(), &plays.0).map_err(Failure::request)?;
            game.position(table.deal()).pack(args.layout, game.score())
        }
        (None, state) => state.unwrap_or_else(|| Position::START.pack(args.layout, 0)),
    };
    let (position, score, evaluation) =
        table.evaluate_state(state, args.layout).map_err(|error: EvaluateError| Failure::request(error))?;
    let drawing =
        Drawing { table: &table, position: &position, evaluation: &evaluation, layout: args.layout, score };
    if !args.json {
        return output::print(drawing.text()).map(|()| ExitCode::SUCCESS);
    }
    let hand = table.deal().hand(evaluation.turn);
    let moves: Vec<_> = (0..)
        .zip(evaluation.moves)
        .filter_map(|(local, points)| {
            let regret = evaluation.regret(local)?;
            Some(json!({"move": local, "domino": hand[local].to_string(), "value": drawing.value(points?), "regret": regret}))
        })
        .collect();
    let line: Vec<_> = table
        .best_line(&position)
        .into_iter()
        .map(|(seat, domino)| json!({"seat": seat.index(), "domino": domino.to_string()}))
        .collect();
    let turn = (!position.is_over()).then(|| evaluation.turn.index());
    output::print(json!({
        "seed": seed, "decl": table.declaration().number(), "deal": table.deal().to_string(),
        "layout": args.layout.name(), "state": state, "turn": turn, "points_left": evaluation.points_left,
        "value": drawing.value(evaluation.best), "moves": moves, "line": line,
    }))?;
    Ok(ExitCode::SUCCESS)
}
