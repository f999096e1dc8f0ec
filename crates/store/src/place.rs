//! Where something is kept: on this machine, or in a bucket of an object store.

#[cfg(feature = "cloud")]
use crate::cloud::Object;
#[cfg(not(feature = "cloud"))]
use crate::no_cloud::Object;
use crate::provider::{PlaceError, Provider};
use std::path::{Path, PathBuf};

/// Where something is kept.
///
/// ```
/// use noregret_store::Place;
/// use std::path::Path;
///
/// assert_eq!(Place::of(Path::new("file:///spots/a.nrs"))?, Place::Local("/spots/a.nrs".into()));
/// assert!(Place::of(Path::new("ftp://spots/a.nrs")).is_err());
/// # Ok::<(), noregret_store::PlaceError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// A file or a directory of this machine.
    Local(PathBuf),
    /// An object, or the beginning that the names of some objects share.
    Object(Object),
}

impl Place {
    /// The place that a path, or a URL in its stead, names. `s3:/bucket/name` is taken for `s3://bucket/name`: that is what a
    /// program leaves of a URL that takes it for a path.
    pub fn of(path: &Path) -> Result<Self, PlaceError> {
        let Some((scheme, rest)) = path.to_str().and_then(split_scheme) else {
            return Ok(Self::Local(path.to_owned()));
        };
        if scheme == "file" {
            return local_file(rest).map(Self::Local);
        }
        let Some(provider) = Provider::ALL.into_iter().find(|provider| provider.scheme() == scheme) else {
            // A colon may be in the name of a directory.
            return match rest.starts_with("//") {
                true => Err(PlaceError::Scheme(scheme)),
                false => Ok(Self::Local(path.to_owned())),
            };
        };
        // Where paths have another separator, names were joined with it.
        let rest = rest.replace('\\', "/");
        let mut parts = rest.split('/').filter(|part| !part.is_empty());
        let bucket = parts.next().ok_or(PlaceError::Bucket(provider))?;
        let key = parts.collect::<Vec<_>>().join("/");
        Object::new(provider, bucket, &key).map(Self::Object)
    }

    /// A path as it is meant in a document of a directory: a URL is one from anywhere.
    pub fn beside(directory: &Path, path: &str) -> PathBuf {
        match split_scheme(path) {
            Some((scheme, rest)) if rest.starts_with("//") || scheme == "file" => PathBuf::from(path),
            _ => directory.join(path),
        }
    }

    /// Whether a path is a URL of object storage, rightly or wrongly written.
    pub fn is_remote(path: &Path) -> bool {
        match Self::of(path) {
            Ok(Self::Local(_)) | Err(PlaceError::Host) => false,
            Ok(Self::Object(_)) | Err(_) => true,
        }
    }
}

/// The scheme in small letters, and what follows its colon, of a text that begins like a URL.
fn split_scheme(text: &str) -> Option<(String, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    // One letter is a drive.
    let is_scheme = scheme.len() > 1
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    (is_scheme && rest.starts_with(['/', '\\'])).then(|| (scheme.to_ascii_lowercase(), rest))
}

/// The path of `file:///folder/name`, and of `file:/folder/name`.
fn local_file(rest: &str) -> Result<PathBuf, PlaceError> {
    let path = match rest.strip_prefix("//") {
        Some(after) => after.strip_prefix("localhost").unwrap_or(after),
        None => rest,
    };
    if !path.starts_with('/') {
        return Err(PlaceError::Host);
    }
    let path = decoded(path);
    // A drive follows the slash.
    Ok(PathBuf::from(if cfg!(windows) { path.trim_start_matches('/') } else { &path }))
}

/// A text with `%20` and the like as what they stand for.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> Result<Place, String> {
        Place::of(Path::new(text)).map_err(|error| error.to_string())
    }

    #[test]
    fn paths_and_file_urls_are_local() {
        for path in ["a.nrs", "/a/b", "./s3/x", "C:\\spots\\a.nrs", "C:/a", "a:b", "dir:/x", "", "1:/x"] {
            assert_eq!(place(path), Ok(Place::Local(path.into())), "{path}");
            assert!(!Place::is_remote(Path::new(path)));
        }
        if cfg!(unix) {
            for (url, path) in [
                ("file:///a/b.nrs", "/a/b.nrs"),
                ("file:/a/b.nrs", "/a/b.nrs"),
                ("FILE://localhost/a%20b", "/a b"),
                ("file:///100%", "/100%"),
            ] {
                assert_eq!(place(url), Ok(Place::Local(path.into())), "{url}");
            }
        }
    }

    #[test]
    fn a_document_names_paths_beside_it_and_urls_from_anywhere() {
        let beside = |path| Place::beside(Path::new("plans"), path);
        assert_eq!(beside("solved"), Path::new("plans").join("solved"));
        for url in ["s3://spots/solved", "file:///solved", "http://no/place"] {
            assert_eq!(beside(url), Path::new(url));
        }
    }

    #[test]
    fn what_is_no_place_says_what_is() {
        assert_eq!(
            place("http://host/a.nrs").unwrap_err(),
            "`http://` is not read or written: give a path, or a URL with `s3://`, `gs://`, `az://` or `file://`"
        );
        assert_eq!(place("s3://").unwrap_err(), "the bucket is missing: write `s3://BUCKET/NAME`");
        assert_eq!(place("az:///").unwrap_err(), "the bucket is missing: write `az://BUCKET/NAME`");
        assert_eq!(
            place("file://host/a").unwrap_err(),
            "`file://` is for files of this machine: write `file:///FOLDER/NAME`"
        );
        assert!(Place::is_remote(Path::new("http://host/a.nrs")) && Place::is_remote(Path::new("s3://")));
    }

    #[test]
    #[cfg(feature = "cloud")]
    fn objects_have_a_bucket_and_a_name() {
        for url in [
            "s3://spots/deep/a.nrs",
            "s3:/spots/deep/a.nrs",
            "S3://spots//deep/a.nrs/",
            "s3://spots\\deep\\a.nrs",
        ] {
            let Ok(Place::Object(object)) = place(url) else { panic!("{url}") };
            assert_eq!(object.to_string(), "s3://spots/deep/a.nrs", "{url}");
        }
        let Ok(Place::Object(object)) = place("gs://spots") else { panic!() };
        assert_eq!(object.to_string(), "gs://spots");
        assert!(place("s3://spots/../a").unwrap_err().starts_with("`../a` is not the name of an object: "));
    }

    #[test]
    #[cfg(not(feature = "cloud"))]
    fn a_program_without_object_storage_says_so() {
        let error = place("s3://spots/a.nrs").unwrap_err();
        assert!(error.starts_with("this noregret was built without object storage: "), "{error}");
        assert!(Place::is_remote(Path::new("s3://spots/a.nrs")));
    }
}
