//! Specs before they are solved.

use crate::api::common::{ActionName, Both, No, Yes};
use crate::api::specs::{
    InvalidSpec, MemoryPart, PrecisionOption, SpecCheck, SpecPreset, SpecText, SpotSummary, StreetSize,
    TreePoint, TreeQuestion, TreeSize, ValidSpec,
};
use crate::app::App;
use crate::extract::Body;
use crate::failure::ApiFailure;
use crate::{names, presets, problems};
use axum::Json;
use axum::extract::State;
use noregret_cards::Street;
use noregret_holdem::{BettingNodeKind, Line, Player, Precision, Preview, Spec};
use noregret_report::Amount;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(presets)).routes(routes!(check)).routes(routes!(tree))
}

/// Spots that are ready to be solved.
#[utoipa::path(
    get, path = "/api/presets", tag = "specs", operation_id = "specs_presets",
    responses((status = 200, body = Vec<SpecPreset>))
)]
async fn presets() -> Json<Vec<SpecPreset>> {
    Json(presets::presets())
}

/// Whether a text is a spec, where it is wrong, and how large the spot is.
#[utoipa::path(
    post, path = "/api/specs/check", tag = "specs", operation_id = "specs_check",
    request_body = SpecText, responses((status = 200, body = SpecCheck))
)]
async fn check(State(app): State<App>, Body(text): Body<SpecText>) -> Result<Json<SpecCheck>, ApiFailure> {
    app.clone().workers.run(move || Ok(checked(&app, &text.toml))).await.map(Json)
}

/// Precisions to choose from, finest first: strategy, regrets.
const PRECISIONS: [(Precision, Precision); 5] = [
    (Precision::Bits32, Precision::Bits32),
    (Precision::Bits16, Precision::Bits16),
    (Precision::Bits8, Precision::Bits16),
    (Precision::Bits8, Precision::Bits8),
    (Precision::Bits4, Precision::Bits4),
];

fn checked(app: &App, text: &str) -> SpecCheck {
    let invalid = |problem| SpecCheck::Invalid(InvalidSpec { valid: No, errors: vec![problem] });
    let spec: Spec = match text.parse() {
        Ok(spec) => spec,
        Err(error) => return invalid(problems::of_spec(&error, text)),
    };
    let layout = match app.jobs.layout(&spec) {
        Ok(layout) => layout,
        Err(error) => {
            return invalid(crate::api::common::RequestProblem {
                message: error.to_string(),
                ..Default::default()
            });
        }
    };
    let (limit, threads) = app.jobs.limit();
    let bytes =
        |options: &noregret_holdem::SolverOptions| layout.size(options).memory.on_threads(threads) as u64;
    // What does not fit in any precision is shown as it was asked for.
    let solver = limit.fit(&layout, &spec.solver, threads).unwrap_or_else(|_| spec.solver.clone());
    let size = layout.size(&solver);
    let counts = layout.betting().counts();
    let first = spec.spot.board().street();
    let by_street = Street::ALL[first.index()..].iter().map(|street| StreetSize {
        street: names::street(*street),
        decisions: counts.decisions[street.index()],
        terminals: counts.terminals[street.index()],
        boards: size.boards[street.index()],
    });
    let parts = [
        ("tree", size.memory.tree),
        ("tables", size.memory.tables),
        ("regrets", size.memory.regrets),
        ("strategy", size.memory.strategy),
        ("warm_start", size.memory.warm_start),
        ("buffers", size.memory.working.saturating_mul(threads)),
    ];
    let precision = |(strategy, regrets): (Precision, Precision)| PrecisionOption {
        strategy_bits: strategy.bits(),
        regret_bits: regrets.bits(),
        memory_bytes: bytes(&solver.clone().stored_in(strategy, regrets)),
    };
    let memory_bytes = bytes(&solver);
    SpecCheck::Valid(ValidSpec {
        valid: Yes,
        summary: summary(&spec),
        tree: TreeSize {
            decisions: counts.all_decisions(),
            terminals: counts.terminals.iter().sum(),
            by_street: by_street.collect(),
        },
        memory: parts.map(|(part, bytes)| MemoryPart { part: part.to_owned(), bytes: bytes as u64 }).into(),
        memory_bytes,
        precisions: PRECISIONS.map(precision).into(),
        fits: memory_bytes <= app.jobs.budget(),
        budget: app.jobs.budget(),
    })
}

fn summary(spec: &Spec) -> SpotSummary {
    let names::Cards { flop, turn, river } = names::cards(spec.spot.board());
    let options = spec.spot.options();
    SpotSummary {
        flop,
        turn,
        river,
        unit: names::unit(options.unit),
        pot: options.starting_pot.as_f64(),
        stack: options.effective_stack.as_f64(),
        hands: Player::BOTH.map(|player| spec.spot.holes(player).count()),
    }
}

/// What can be done at a line of a tree that is not solved.
#[utoipa::path(
    post, path = "/api/specs/tree", tag = "specs", operation_id = "specs_tree",
    request_body = TreeQuestion, responses((status = 200, body = TreePoint))
)]
async fn tree(
    State(app): State<App>,
    Body(question): Body<TreeQuestion>,
) -> Result<Json<TreePoint>, ApiFailure> {
    app.workers.run(move || point(&question)).await.map(Json)
}

fn point(question: &TreeQuestion) -> Result<TreePoint, ApiFailure> {
    let spec: Spec = question
        .toml
        .parse()
        .map_err(|error| ApiFailure::problem(problems::of_spec(&error, &question.toml)))?;
    let line: Line = question.line.parse().map_err(|error| problems::of_line(&error, &question.line))?;
    let Preview { line, board, street, kind, committed, actions } =
        spec.spot.preview(&line).map_err(|error| ApiFailure::field("line", error))?;
    let options = spec.spot.options();
    let chips = names::chips(options, committed);
    let named = |action: &noregret_holdem::Action| ActionName {
        action: action.name().to_owned(),
        amount: Amount::of(*action),
        label: action.to_string(),
    };
    Ok(TreePoint {
        line: line.to_string(),
        board: names::board(&board),
        street: names::street(street),
        unit: names::unit(options.unit),
        pot: chips.pot,
        stacks: Both::new(chips.stacks),
        player: match kind {
            BettingNodeKind::Decision(player) => Some(names::player(player)),
            _ => None,
        },
        actions: actions.iter().map(named).collect(),
        deals_card: kind == BettingNodeKind::Chance,
    })
}
