//! The OpenAPI description.

use crate::api::common::ErrorBody;
use crate::api::node::Hands;
use crate::routes;
use utoipa::openapi::path::Operation;
use utoipa::openapi::{ContentBuilder, OpenApi as Description, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{Modify, OpenApi, ToSchema};

#[derive(OpenApi)]
#[openapi(
    info(title = "noregret", description = "Solve hold'em spots and Texas 42 deals, and look at the answers."),
    components(schemas(ErrorBody, Hands)),
    modifiers(&EveryFailure)
)]
struct Base;

/// Says of every operation what its failures look like.
struct EveryFailure;

impl Modify for EveryFailure {
    fn modify(&self, description: &mut Description) {
        for item in description.paths.paths.values_mut() {
            let operations =
                [&mut item.get, &mut item.put, &mut item.post, &mut item.delete].into_iter().flatten();
            for operation in operations {
                add_failures(operation);
            }
        }
    }
}

fn add_failures(operation: &mut Operation) {
    for response in operation.responses.responses.values_mut() {
        if let RefOr::T(response) = response
            && response.description.is_empty()
        {
            response.description = "The answer".to_owned();
        }
    }
    let mut add = |status: &str, description: &str| {
        let error = Ref::from_schema_name(ErrorBody::name());
        let content = ContentBuilder::new().schema(Some(error)).build();
        let response: Response =
            ResponseBuilder::new().description(description).content("application/json", content).build();
        operation.responses.responses.insert(status.to_owned(), RefOr::T(response));
    };
    add("default", "What is wrong with the request");
}

/// The whole description.
pub fn description() -> Description {
    let mut description = Base::openapi();
    description.merge(routes::all().into_openapi());
    EveryFailure.modify(&mut description);
    description
}

/// The description as the file `openapi.json` has it.
pub fn text() -> String {
    let mut text = description().to_pretty_json().unwrap_or_default();
    text.push('\n');
    text
}
