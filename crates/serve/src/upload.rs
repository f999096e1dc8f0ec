//! Solution files from outside.

use crate::api::common::RequestProblem;
use crate::api::solutions::SolutionInfo;
use crate::app::App;
use crate::blocking::look_off;
use crate::failure::ApiFailure;
use crate::library::{ENDING, Id, Library, Reserved, flat};
use axum::body::Body;
use axum::http::StatusCode;
use futures_util::StreamExt;
use noregret_holdem::{MemoryLimit, verify_solution};
use noregret_store::{PartFile, Place, StoreError, WholeFile};
use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

/// A folder of this machine for what is to go into a bucket, once it is known to be whole.
const FOLDER: &str = ".uploads";

/// Takes a file piece by piece, and puts it into the library if it is a whole solution.
pub async fn receive(app: &App, name: &str, body: Body) -> Result<SolutionInfo, ApiFailure> {
    let id = Id::new(name).map_err(|error| ApiFailure::field("name", error))?;
    let most = app.settings.upload_bytes;
    let library = Arc::clone(&app.library);
    use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    let begun = look_off(move || {
        let place = library.reserve(&id).map_err(|error| match error.kind() {
            StorageFull | QuotaExceeded | FileTooLarge | ReadOnlyFilesystem => {
                ApiFailure::cannot_write(error)
            }
            _ if StoreError::is_in(&error) => ApiFailure::cannot_write(error),
            // The name itself is at fault: a link or a file is on its way, or too many have it.
            _ => ApiFailure::field("name", error),
        })?;
        let part = part_of(&library, &place).map_err(ApiFailure::cannot_write)?;
        Ok((place, part))
    });
    let (place, mut part) = begun.await?;
    let mut pieces = body.into_data_stream();
    let mut bytes = 0;
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| ApiFailure::request(format!("the upload broke off: {error}")))?;
        bytes += piece.len() as u64;
        if bytes > most {
            let message = format!("a solution file may have {most} bytes here, and this one has more");
            return Err(ApiFailure::new(StatusCode::PAYLOAD_TOO_LARGE, message));
        }
        part = app
            .workers
            .run(move || part.write_all(&piece).map(|()| part).map_err(ApiFailure::cannot_write))
            .await?;
    }
    let checked = app.patient.run(move || {
        // All of it: what is damaged anywhere would be found by whoever looks there, and not by who sent it.
        let read = verify_solution(part.beside(), MemoryLimit::of_machine());
        read.map_err(|error| {
            ApiFailure::problem(RequestProblem {
                message: format!("the file cannot be added: {error}"),
                field: Some("body".to_owned()),
                ..RequestProblem::default()
            })
        })?;
        put(part, &place).map_err(ApiFailure::cannot_write).map(|()| place)
    });
    let place = checked.await?;
    app.work(move |app| {
        app.library.changed(&place.id);
        app.solutions.info(&app.library.solution(place.id.as_str())?)
    })
    .await
}

/// A file on this machine for what comes in: where it will be, if that is a folder.
fn part_of(library: &Library, place: &Reserved) -> io::Result<PartFile> {
    if !library.is_remote() {
        return PartFile::create(&place.path);
    }
    let folder = library.own(FOLDER);
    noregret_store::make_directories(&folder)?;
    PartFile::create(&folder.join(format!("{}{ENDING}", flat(place.id.as_str()))))
}

/// Puts a file that is whole into its place.
fn put(part: PartFile, place: &Reserved) -> io::Result<()> {
    if !Place::is_remote(&place.path) {
        return part.finish();
    }
    let mut object = WholeFile::create(&place.path)?;
    io::copy(&mut File::open(part.beside())?, &mut object)?;
    object.finish()
}
