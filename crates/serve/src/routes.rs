//! The handlers, a module for each part of the API.

mod batches;
mod domino_drills;
mod drills;
mod examples;
mod forty_two;
mod general;
mod hands;
mod ranges;
mod solutions;
mod solves;
mod specs;
mod spots;

use crate::app::App;
use utoipa_axum::router::OpenApiRouter;

/// All of them.
pub fn all() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(general::routes())
        .merge(examples::routes())
        .merge(ranges::routes())
        .merge(specs::routes())
        .merge(spots::routes())
        .merge(solves::routes())
        .merge(solutions::routes())
        .merge(batches::routes())
        .merge(hands::routes())
        .merge(drills::routes())
        .merge(domino_drills::routes())
        .merge(forty_two::routes())
}
