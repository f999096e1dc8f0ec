//! What a store has said, as one line that a person can act on.

use super::Object;
use crate::provider::Provider;
use crate::store_error::StoreError;
use object_store::Error;
use std::io;

/// Where machines of all providers ask for their own credentials.
const MACHINE_CREDENTIALS: [&str; 3] = ["169.254.169.254", "169.254.170.2", "metadata.google.internal"];
const HALF_CREDENTIALS: [&str; 2] = ["Missing AccessKeyId", "Missing SecretAccessKey"];
const NO_BUCKET: [&str; 3] = ["NoSuchBucket", "ContainerNotFound", "specified bucket does not exist"];
const WRONG_CREDENTIALS: [&str; 5] =
    ["InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "AuthenticationFailed"];

/// An error of a store in words. Only an object that is not there is [`io::ErrorKind::NotFound`]: a bucket that is not there is
/// something else.
pub fn explained(error: &Error, object: &Object) -> io::Error {
    let told = in_words(error, object);
    StoreError::of(told.kind(), told.to_string())
}

fn in_words(error: &Error, object: &Object) -> io::Error {
    let text = chain(error);
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let Settings { credentials, address } = Settings::of(object.provider);
    if says(&NO_BUCKET) {
        let bucket = &object.bucket;
        return io::Error::other(format!(
            "there is no bucket `{bucket}`: make it, or mend the name or {address}"
        ));
    }
    if let Some(code) = WRONG_CREDENTIALS.iter().find(|code| text.contains(**code)) {
        let message = format!("the credentials are not accepted ({code}): mend {credentials}");
        return io::Error::new(io::ErrorKind::PermissionDenied, message);
    }
    match error {
        Error::NotFound { .. } => io::Error::new(io::ErrorKind::NotFound, "there is no such object"),
        Error::PermissionDenied { .. } => no_permission(),
        Error::Unauthenticated { .. } => {
            let message = format!("the credentials are not accepted: mend {credentials}");
            io::Error::new(io::ErrorKind::PermissionDenied, message)
        }
        Error::AlreadyExists { .. } => io::Error::new(io::ErrorKind::AlreadyExists, "it is there already"),
        Error::Precondition { .. } => {
            io::Error::other("it was written anew while it was being read: read it again")
        }
        _ if says(&MACHINE_CREDENTIALS) || says(&HALF_CREDENTIALS) => {
            let message = format!("there are no credentials: set {credentials}");
            io::Error::new(io::ErrorKind::PermissionDenied, message)
        }
        // What a list is refused with has no kind of its own.
        _ if text.contains("status code: 403") => no_permission(),
        _ => other(&text, address),
    }
}

fn no_permission() -> io::Error {
    let message = "no permission: ask for the right to list, read and write there";
    io::Error::new(io::ErrorKind::PermissionDenied, message)
}

/// What is about the network and the server.
fn other(text: &str, address: &str) -> io::Error {
    if let Some((_, status)) = text.split_once("non-2xx status code: ") {
        let status = status.split(':').next().unwrap_or(status).trim();
        let is_busy = status.starts_with('5') || status.starts_with("429");
        let advice = if is_busy { "try again later".to_owned() } else { format!("mend {address}") };
        return io::Error::other(format!("the store answers {status}: {advice}"));
    }
    let unreachable = [
        "error trying to connect",
        "tcp connect error",
        "dns error",
        "Connection refused",
        "client error (Connect)",
    ];
    if unreachable.iter().any(|words| text.contains(words)) {
        let reason = text.rsplit(": ").next().unwrap_or(text);
        return io::Error::new(
            io::ErrorKind::NotConnected,
            format!("cannot reach the store ({reason}): mend {address}, or the network"),
        );
    }
    if text.contains("operation timed out") || text.contains("timed out") {
        return io::Error::new(
            io::ErrorKind::TimedOut,
            "the store takes too long to answer: try again later",
        );
    }
    let broken =
        ["Connection reset", "connection closed", "Broken pipe", "incomplete message", "response body error"];
    if broken.iter().any(|words| text.contains(words)) {
        let reason = text.rsplit(": ").next().unwrap_or(text);
        return io::Error::new(
            io::ErrorKind::ConnectionReset,
            format!("the store broke the connection off ({reason}): try again later"),
        );
    }
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    io::Error::other(line)
}

/// The whole story of an error, from what was tried to what went wrong.
fn chain(error: &Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}

/// What is set where, by provider.
struct Settings {
    credentials: &'static str,
    address: &'static str,
}

impl Settings {
    fn of(provider: Provider) -> Self {
        match provider {
            Provider::S3 => Self {
                credentials: "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
                address: "AWS_ENDPOINT_URL and AWS_REGION",
            },
            Provider::Google => {
                Self { credentials: "GOOGLE_APPLICATION_CREDENTIALS", address: "GOOGLE_BASE_URL" }
            }
            Provider::Azure => Self {
                credentials: "AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
                address: "AZURE_STORAGE_ACCOUNT_NAME",
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_that_was_broken_off_may_be_tried_again() {
        let text = "Generic S3 error: HTTP error: request or response body error: Connection reset by peer (os error 104)";
        let error = other(text, "AWS_ENDPOINT_URL and AWS_REGION");
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
        assert_eq!(
            error.to_string(),
            "the store broke the connection off (Connection reset by peer (os error 104)): try again later"
        );
    }
}
