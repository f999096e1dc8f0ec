//! Files and objects by their paths: every function takes a path or a URL.

use crate::listed_file::ListedFile;
use crate::place::Place;
use crate::stored_file::StoredFile;
use crate::{atomic, disk};
use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

/// Opens a file or an object to read it. A directory, a pipe or a device is an error: a pipe that nobody writes to would be waited
/// for.
pub fn open(path: &Path) -> io::Result<StoredFile> {
    match Place::of(path)? {
        Place::Local(path) => disk::open(&path).map(StoredFile::from),
        Place::Object(object) => object.open().map(StoredFile::from),
    }
}

/// The whole content of a file or an object; what is not one is an error, as in [`open`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_start(path, u64::MAX)
}

/// The first bytes of a file or an object, so many at most.
pub fn read_start(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    match Place::of(path)? {
        Place::Local(path) => {
            let mut bytes = Vec::new();
            disk::open(&path)?.take(most).read_to_end(&mut bytes)?;
            Ok(bytes)
        }
        Place::Object(object) => object.start(most),
    }
}

/// How long a file or an object is, in bytes.
pub fn length(path: &Path) -> io::Result<u64> {
    match Place::of(path)? {
        Place::Local(path) => std::fs::metadata(path).map(|metadata| metadata.len()),
        Place::Object(object) => object.entry().map(|entry| entry.bytes),
    }
}

/// What a file or an object is: its name, length and age.
pub fn entry(path: &Path) -> io::Result<ListedFile> {
    match Place::of(path)? {
        Place::Local(path) => {
            let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            std::fs::metadata(&path).map(|metadata| listed(name, &metadata))
        }
        Place::Object(object) => object.entry(),
    }
}

/// Whether there is anything at a path. What cannot be asked is taken to be there: whoever reads or writes it says why.
pub fn exists(path: &Path) -> bool {
    match Place::of(path) {
        Ok(Place::Local(path)) => path.exists(),
        Ok(Place::Object(object)) => {
            !matches!(object.entry(), Err(error) if error.kind() == io::ErrorKind::NotFound)
        }
        Err(_) => true,
    }
}

/// Whether a path is a directory, or the beginning of the names of some objects.
pub fn is_directory(path: &Path) -> io::Result<bool> {
    match Place::of(path)? {
        Place::Local(path) => Ok(path.is_dir()),
        Place::Object(object) => object.is_folder(),
    }
}

/// What a directory has in it, by name. Names that are no text are left out.
pub fn list(directory: &Path) -> io::Result<Vec<ListedFile>> {
    let mut files = match Place::of(directory)? {
        Place::Local(path) => {
            let mut files = Vec::new();
            for entry in std::fs::read_dir(path)? {
                let entry = entry?;
                if let Some(name) = entry.file_name().to_str() {
                    // Links to directories are not followed: they may lead in a circle.
                    let is_directory = entry.file_type()?.is_dir();
                    let metadata = std::fs::metadata(entry.path()).or_else(|_| entry.metadata())?;
                    files.push(ListedFile { is_directory, ..listed(name.to_owned(), &metadata) });
                }
            }
            files
        }
        Place::Object(object) => object.list()?,
    };
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

/// The files in a directory and in those that are in it, so many at most, by name; names have slashes. Of a bucket these are pages of a
/// thousand objects, whatever folders there are.
pub fn list_deep(directory: &Path, most: usize) -> io::Result<Vec<ListedFile>> {
    let mut files = match Place::of(directory)? {
        Place::Local(path) => {
            let (mut files, mut folders) = (Vec::new(), vec![String::new()]);
            while let Some(folder) = folders.pop() {
                for file in list(&path.join(&folder))? {
                    let name = format!("{folder}{}", file.name);
                    if file.is_directory {
                        folders.push(format!("{name}/"));
                    } else if files.len() < most {
                        files.push(ListedFile { name, ..file });
                    }
                }
            }
            files
        }
        Place::Object(object) => object.list_deep(most)?,
    };
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

fn listed(name: String, metadata: &std::fs::Metadata) -> ListedFile {
    let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    let is_directory = metadata.is_dir();
    let bytes = if is_directory { 0 } else { metadata.len() };
    ListedFile { name, is_directory, bytes, modified, version: None }
}

/// Writes a whole file or object, or none.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match Place::of(path)? {
        Place::Local(path) => atomic::write_whole(&path, bytes),
        Place::Object(object) => object.put(bytes),
    }
}

/// Writes a whole object unless there is one, and says whether it did: of several who write at once, one does. A file of this
/// machine is written in any case.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    match Place::of(path)? {
        Place::Local(path) => atomic::write_whole(&path, bytes).map(|()| true),
        Place::Object(object) => object.put_new(bytes),
    }
}

/// Writes a whole file or object unless there is one, and says whether it did: of several who write at once, one does. An object
/// whose store lost the answer is said to have been there; who has to know reads it.
pub fn create_whole(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    match Place::of(path)? {
        Place::Local(path) => atomic::create_whole(&path, bytes),
        Place::Object(object) => object.put_new(bytes),
    }
}

/// Replaces what is at a path by what `change` makes of it. Of several who do so with an object at once, each gets what the others
/// have made: nothing that one has added is lost.
pub fn update_whole(
    path: &Path,
    mut change: impl FnMut(Option<&[u8]>) -> io::Result<Vec<u8>>,
) -> io::Result<()> {
    match Place::of(path)? {
        Place::Local(path) => {
            let there = match disk::read(&path) {
                Ok(there) => Some(there),
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => return Err(error),
            };
            atomic::write_whole(&path, &change(there.as_deref())?)
        }
        Place::Object(object) => object.update(change),
    }
}

/// Makes sure that something could be written at a path. Nothing stays of the trial.
pub fn check_writable(path: &Path) -> io::Result<()> {
    match Place::of(path)? {
        Place::Local(path) => {
            drop(atomic::PartFile::create(&path)?);
            // Even if it could not be removed at once.
            atomic::remove_parts(&path)
        }
        Place::Object(object) => object.check_writable(),
    }
}

/// Takes a file or an object away.
pub fn remove(path: &Path) -> io::Result<()> {
    match Place::of(path)? {
        Place::Local(path) => disk::remove(&path),
        Place::Object(object) => object.remove(),
    }
}

/// Gives a file another name, perhaps in another directory. An object is copied by its store, and the first one taken away when the copy
/// is there: whoever looks meanwhile may see both.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    match (Place::of(from)?, Place::of(to)?) {
        (Place::Local(from), Place::Local(to)) => disk::rename(&from, &to),
        (Place::Object(from), Place::Object(to)) => from.rename(&to),
        _ => Err(io::Error::new(io::ErrorKind::CrossesDevices, "one is on a disk and the other in a bucket")),
    }
}

/// Makes a directory and those that it is in, where they are missing, and returns once disk has them. Buckets have none, and need
/// none.
pub fn make_directories(path: &Path) -> io::Result<()> {
    match Place::of(path)? {
        Place::Local(path) => disk::make_directories(&path),
        Place::Object(_) => Ok(()),
    }
}

/// Removes what killed runs have left of a file that was to be at `path`. What somebody is writing now stays. Of objects nothing is
/// left that can be seen.
pub fn remove_parts(path: &Path) -> io::Result<()> {
    match Place::of(path)? {
        Place::Local(path) => atomic::remove_parts(&path),
        Place::Object(_) => Ok(()),
    }
}

/// Removes what killed runs left behind of the files whose names are ours. What somebody is writing now stays. Of objects nothing is
/// left that can be seen.
pub fn remove_left_overs(directory: &Path, is_ours: impl Fn(&str) -> bool) -> io::Result<()> {
    match Place::of(directory)? {
        Place::Local(directory) => atomic::remove_left_overs(&directory, is_ours),
        Place::Object(_) => Ok(()),
    }
}

/// Whether a file may be replaced by one that has one of these beginnings: it is not there, has nothing in it, or begins
/// in the same way.
pub fn is_replaceable(path: &Path, beginnings: &[&[u8]]) -> io::Result<bool> {
    let longest = beginnings.iter().map(|beginning| beginning.len()).max().unwrap_or(0);
    let start = match read_start(path, longest.max(1) as u64) {
        Ok(start) => start,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    };
    Ok(start.is_empty() || beginnings.iter().any(|beginning| start.starts_with(beginning)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_begins_alike_or_is_empty_may_be_replaced() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("a");
        let may = |beginnings: &[&[u8]]| is_replaceable(&path, beginnings).unwrap();
        assert!(may(&[b"PAR1"]));
        std::fs::write(&path, b"").unwrap();
        assert!(may(&[b"PAR1"]));
        std::fs::write(&path, b"PA").unwrap();
        assert!(!may(&[b"PAR1"]));
        std::fs::write(&path, b"PAR1 and more").unwrap();
        assert!(may(&[b"x", b"PAR1"]) && !may(&[b"NOREGNRS"]) && !may(&[]));
        assert!(is_replaceable(home.path(), &[b"x"]).is_err());
    }

    #[test]
    #[cfg(unix)]
    fn a_file_url_is_the_file() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("deep/a.txt");
        let url = format!("file://{}", path.display());
        let url = Path::new(&url);
        assert!(!exists(url));
        make_directories(url.parent().unwrap()).unwrap();
        check_writable(url).unwrap();
        write_whole(url, b"one").unwrap();
        assert_eq!((std::fs::read(&path).unwrap(), read(url).unwrap()), (b"one".to_vec(), b"one".to_vec()));
        assert!(exists(url) && is_directory(url.parent().unwrap()).unwrap() && !is_directory(url).unwrap());
        assert_eq!((length(url).unwrap(), read_start(url, 2).unwrap()), (3, b"on".to_vec()));
        let names: Vec<ListedFile> = list(url.parent().unwrap()).unwrap();
        assert_eq!((names.len(), &*names[0].name, names[0].bytes), (1, "a.txt", 3));
        let deep = list_deep(Path::new(&format!("file://{}", home.path().display())), 10).unwrap();
        assert_eq!((deep.len(), &*deep[0].name), (1, "deep/a.txt"));
        let other = url.with_file_name("b.txt");
        rename(url, &other).and_then(|()| rename(&other, url)).unwrap();
        assert!(exists(url) && !exists(&other));
        let add = |there: Option<&[u8]>| Ok([there.unwrap_or_default(), b"+"].concat());
        update_whole(url, add).unwrap();
        assert_eq!(read(url).unwrap(), b"one+");
        remove(url).unwrap();
        update_whole(url, add).unwrap();
        assert_eq!(read(url).unwrap(), b"+");
    }
}
