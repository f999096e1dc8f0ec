//! Texas 42.

use crate::api::forty_two::{
    BidAnswer, BidQuestion, DealAnswer, DealQuestion, DeclarationName, ExpectationAnswer,
    ExpectationQuestion, PositionAnswer, PositionQuestion,
};
use crate::app::App;
use crate::extract::Body;
use crate::failure::ApiFailure;
use crate::hidden_hands;
use crate::tables;
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use noregret_dominoes::Declaration;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(declarations))
        .routes(routes!(deal))
        .routes(routes!(position))
        .routes(routes!(bid))
        .routes(routes!(bid_lines))
        .routes(routes!(expectation))
}

/// The declarations.
#[utoipa::path(
    get, path = "/api/forty-two/declarations", tag = "forty-two", operation_id = "forty_two_declarations",
    responses((status = 200, body = Vec<DeclarationName>))
)]
async fn declarations() -> Json<Vec<DeclarationName>> {
    let named = |declaration: Declaration| DeclarationName {
        id: declaration.number(),
        name: declaration.name().to_owned(),
    };
    Json(Declaration::all().map(named).collect())
}

/// Deals from a seed, at random, or the given hands.
#[utoipa::path(
    post, path = "/api/forty-two/deals", tag = "forty-two", operation_id = "forty_two_deal",
    request_body = DealQuestion, responses((status = 200, body = DealAnswer))
)]
async fn deal(Body(question): Body<DealQuestion>) -> Result<Json<DealAnswer>, ApiFailure> {
    tables::deal(&question).map(Json)
}

/// What a position is worth, and each legal move.
#[utoipa::path(
    post, path = "/api/forty-two/positions", tag = "forty-two", operation_id = "forty_two_position",
    request_body = PositionQuestion, responses((status = 200, body = PositionAnswer))
)]
async fn position(
    State(app): State<App>,
    Body(question): Body<PositionQuestion>,
) -> Result<Json<PositionAnswer>, ApiFailure> {
    app.tables.position(question).await.map(Json)
}

/// The chance to make each bid with a hand.
#[utoipa::path(
    post, path = "/api/forty-two/bids", tag = "forty-two", operation_id = "forty_two_bid",
    request_body = BidQuestion, responses((status = 200, body = BidAnswer))
)]
async fn bid(
    State(app): State<App>,
    Body(question): Body<BidQuestion>,
) -> Result<Json<BidAnswer>, ApiFailure> {
    hidden_hands::bid(&app.patient, &question).await.map(Json)
}

/// The same as it becomes known: a line of JSON after every few deals.
#[utoipa::path(
    post, path = "/api/forty-two/bids/lines", tag = "forty-two", operation_id = "forty_two_bid_lines",
    request_body = BidQuestion,
    responses((status = 200, description = "Lines of JSON", body = BidAnswer, content_type = "application/x-ndjson"))
)]
async fn bid_lines(
    State(app): State<App>,
    Body(question): Body<BidQuestion>,
) -> Result<Response, ApiFailure> {
    hidden_hands::bid_lines(&app.patient, &question)
}

/// What each move is worth to a player who sees one hand, as it becomes known: a line of JSON after every hundred deals.
#[utoipa::path(
    post, path = "/api/forty-two/expectations", tag = "forty-two", operation_id = "forty_two_expectation",
    request_body = ExpectationQuestion,
    responses((status = 200, description = "Lines of JSON", body = ExpectationAnswer, content_type = "application/x-ndjson"))
)]
async fn expectation(
    State(app): State<App>,
    Body(question): Body<ExpectationQuestion>,
) -> Result<Response, ApiFailure> {
    hidden_hands::expectation_lines(&app.patient, &question)
}
