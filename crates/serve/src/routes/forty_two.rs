//! Texas 42.

use crate::api::forty_two::{
    BidAnswer, BidQuestion, DealAnswer, DealQuestion, DeclarationName, PositionAnswer, PositionQuestion,
};
use crate::app::App;
use crate::extract::Body;
use crate::failure::Failure;
use axum::Json;
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
#[utoipa::path(get, path = "/api/forty-two/declarations", tag = "forty-two", operation_id = "forty_two_declarations", responses((status = 200, body = Vec<DeclarationName>)))]
async fn declarations() -> Result<Json<Vec<DeclarationName>>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// Deals from a seed, at random, or the given hands.
#[utoipa::path(post, path = "/api/forty-two/deals", tag = "forty-two", operation_id = "forty_two_deal", request_body = DealQuestion, responses((status = 200, body = DealAnswer)))]
async fn deal(Body(_question): Body<DealQuestion>) -> Result<Json<DealAnswer>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// What a position is worth, and each legal move.
#[utoipa::path(post, path = "/api/forty-two/positions", tag = "forty-two", operation_id = "forty_two_position", request_body = PositionQuestion, responses((status = 200, body = PositionAnswer)))]
async fn position(Body(_question): Body<PositionQuestion>) -> Result<Json<PositionAnswer>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// The chance to make each bid with a hand.
#[utoipa::path(post, path = "/api/forty-two/bids", tag = "forty-two", operation_id = "forty_two_bid", request_body = BidQuestion, responses((status = 200, body = BidAnswer)))]
async fn bid(Body(_question): Body<BidQuestion>) -> Result<Json<BidAnswer>, Failure> {
    Err(Failure::missing("not served yet"))
}
