//! Texas 42.

use crate::api::forty_two::{
    BidAnswer, BidQuestion, DealAnswer, DealQuestion, DeclarationName, PositionAnswer, PositionQuestion,
};
use crate::app::App;
use crate::extract::Body;
use crate::failure::ApiFailure;
use crate::tables;
use axum::Json;
use axum::extract::State;
use noregret_dominoes::Declaration;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(declarations))
        .routes(routes!(deal))
        .routes(routes!(position))
        .routes(routes!(bid))
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
    tables::bid(&app.patient, question).await.map(Json)
}
