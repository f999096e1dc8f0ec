//! Spots by name, and the ranges that they are made of.

use crate::api::spots::{
    ChartQuery, ChartRange, NamedSpotSpec, RakeChoice, SpotCatalogue, SpotName, SpotQuery,
};
use crate::app::App;
use crate::extract::{Query, Segment};
use crate::failure::ApiFailure;
use axum::Json;
use noregret_cards::Board;
use noregret_holdem::preflop::{GameFormat, NamedSpot, PreflopChart, RakePreset, StackDepth};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(catalogue)).routes(routes!(spot)).routes(routes!(charts))
}

/// Every spot that has a name.
#[utoipa::path(
    get, path = "/api/spots", tag = "spots", operation_id = "spots_list",
    responses((status = 200, body = SpotCatalogue))
)]
async fn catalogue() -> Json<SpotCatalogue> {
    let rake = |rake: RakePreset| RakeChoice {
        id: rake.id().to_owned(),
        name: rake.to_string(),
        rate: rake.rate(),
        cap: rake.cap(),
    };
    let spot = |spot: NamedSpot| SpotName {
        name: spot.to_string(),
        format: spot.format().to_string(),
        depth: spot.depth().big_blinds(),
        opener: spot.opener().to_string(),
        other: spot.other().to_string(),
        pot_type: spot.pot_type().to_string(),
        pot: spot.pot(),
        stack: spot.stack(),
    };
    Json(SpotCatalogue {
        rakes: RakePreset::ALL.map(rake).into(),
        spots: NamedSpot::all().map(spot).collect(),
    })
}

/// A spot by its name, as a spec to edit: ranges, pot, stack, rake and common bets.
#[utoipa::path(
    get, path = "/api/spots/{name}", tag = "spots", operation_id = "spots_show",
    params(("name" = String, Path, description = "Like `BTN vs BB, single-raised, 100 bb`", max_length = 100), SpotQuery),
    responses((status = 200, body = NamedSpotSpec))
)]
async fn spot(
    Segment(name): Segment<String>,
    Query(SpotQuery { rake, board }): Query<SpotQuery>,
) -> Result<Json<NamedSpotSpec>, ApiFailure> {
    let spot: NamedSpot = name.parse().map_err(ApiFailure::missing)?;
    let rake = if rake.is_empty() { Some(RakePreset::None) } else { RakePreset::of_id(&rake) };
    let rake = rake.ok_or_else(|| {
        let known = RakePreset::ALL.map(RakePreset::id).join(", ");
        ApiFailure::field("rake", format!("it is one of {known}"))
    })?;
    let board = match board.trim() {
        "" => String::new(),
        board => {
            let board: Board = board.parse().map_err(|error| ApiFailure::field("board", error))?;
            board.cards().iter().map(ToString::to_string).collect()
        }
    };
    let [oop, ip] = spot.players().map(|position| position.to_string());
    Ok(Json(NamedSpotSpec { name: spot.to_string(), oop, ip, toml: spot.toml(&board, rake) }))
}

/// The ranges of a game at one depth: who opens, calls and raises what. A starting point.
#[utoipa::path(
    get, path = "/api/charts", tag = "spots", operation_id = "spots_charts", params(ChartQuery),
    responses((status = 200, body = Vec<ChartRange>))
)]
async fn charts(
    Query(ChartQuery { format, depth }): Query<ChartQuery>,
) -> Result<Json<Vec<ChartRange>>, ApiFailure> {
    let format: GameFormat = format.parse().map_err(|error| ApiFailure::field("format", error))?;
    let depth: StackDepth = depth.to_string().parse().map_err(|error| ApiFailure::field("depth", error))?;
    let chart = PreflopChart::of(format, depth);
    let ranges = chart.into_iter().flat_map(|chart| &chart.entries).map(|entry| ChartRange {
        name: entry.to_string(),
        text: entry.range.to_string(),
        combos: entry.range.iter().map(|(_, weight)| f64::from(weight)).sum(),
    });
    Ok(Json(ranges.collect()))
}
