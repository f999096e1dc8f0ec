//! Objects in the memory of the tests.

use super::client::Bucket;
use crate::{Archive, ArchiveWriter, Kind, WholeFile};
use object_store::memory::InMemory;
use std::collections::HashMap;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

static BUCKETS: Mutex<Option<HashMap<String, Arc<InMemory>>>> = Mutex::new(None);

/// A bucket whose name begins like this is in memory.
pub fn memory(name: &str) -> Option<Arc<dyn Bucket>> {
    name.starts_with("memory-").then(|| {
        let mut buckets = BUCKETS.lock().unwrap();
        let bucket = buckets.get_or_insert_default().entry(name.to_owned()).or_default();
        bucket.clone() as Arc<dyn Bucket>
    })
}

fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    std::iter::repeat_with(next).take(length).collect()
}

#[test]
fn an_object_is_written_whole_or_not_at_all() {
    let path = Path::new("s3://memory-whole/deep/a.bin");
    assert!(!crate::exists(path));
    assert_eq!(crate::read(path).unwrap_err().kind(), std::io::ErrorKind::NotFound);
    let mut writer = WholeFile::create(path).unwrap();
    writer.write_all(&noise(100)).unwrap();
    drop(writer);
    assert!(!crate::exists(path));
    // Below, at and above the length of a part, and of several.
    for length in
        [0, 1, super::write::PART - 1, super::write::PART, super::write::PART + 1, 3 * super::write::PART + 5]
    {
        let bytes = noise(length);
        let mut writer = WholeFile::create(path).unwrap();
        bytes.chunks(1_000_003).for_each(|piece| writer.write_all(piece).unwrap());
        writer.finish().unwrap();
        assert!(crate::read(path).unwrap() == bytes, "{length}");
        assert_eq!(crate::length(path).unwrap(), length as u64);
        let mut file = crate::open(path).unwrap();
        let mut through = Vec::new();
        file.read_to_end(&mut through).unwrap();
        assert!(through == bytes, "{length}");
        assert_eq!(file.read_at(length as u64, 10).unwrap(), b"");
        let start = length as u64 / 2;
        assert!(file.read_at(start, 7).unwrap() == bytes[length / 2..(length / 2 + 7).min(length)]);
    }
    // One that is given up after some parts leaves the earlier one.
    let mut writer = WholeFile::create(path).unwrap();
    writer.write_all(&vec![1; 2 * super::write::PART + 1]).unwrap();
    drop(writer);
    assert_eq!(crate::length(path).unwrap(), 3 * super::write::PART as u64 + 5);
}

#[test]
fn the_beginning_can_be_written_last_and_nothing_else() {
    let path = Path::new("s3://memory-seek/a.bin");
    let mut writer = WholeFile::create(path).unwrap();
    writer.seek(SeekFrom::Start(10)).unwrap();
    let rest = noise(2 * super::write::PART);
    writer.write_all(&rest).unwrap();
    writer.seek(SeekFrom::Start(0)).unwrap();
    writer.write_all(b"0123456789").unwrap();
    writer.seek(SeekFrom::Start(super::write::PART as u64 + 1)).unwrap();
    assert!(writer.write(b"x").is_err());
    writer.finish().unwrap();
    assert!(crate::read(path).unwrap() == [b"0123456789", &rest[..]].concat());
}

#[test]
fn an_archive_is_the_same_in_a_bucket_and_on_a_disk() {
    const KIND: Kind = Kind { magic: *b"NR-TEST!", version: 1, name: "test" };
    let home = tempfile::tempdir().unwrap();
    let (local, remote) = (home.path().join("a.bin"), Path::new("gs://memory-archive/a.bin"));
    for path in [local.as_path(), remote] {
        let mut writer = ArchiveWriter::create(path, KIND, 3).unwrap();
        for (tag, length) in [(*b"one ", 5), (*b"two ", 9 << 20), (*b"none", 0)] {
            writer.section(tag, &noise(length)).unwrap();
        }
        writer.finish().unwrap();
    }
    assert!(std::fs::read(&local).unwrap() == crate::read(remote).unwrap());
    let archive = Archive::open(remote, &[KIND]).unwrap();
    assert!(
        archive.section(*b"two ").unwrap() == noise(9 << 20) && archive.section(*b"none").unwrap().is_empty()
    );
    // One that is written over meanwhile is not mixed with what it was.
    crate::write_whole(remote, b"something else").unwrap();
    let error = archive.section(*b"two ").unwrap_err().to_string();
    assert_eq!(error, "it was written anew while it was being read: read it again");
}

#[test]
fn of_several_writers_one_is_first_and_none_loses_what_it_adds() {
    let path = Path::new("s3://memory-many/list");
    let threads = 8;
    let first: usize = std::thread::scope(|scope| {
        let write = |number: usize| usize::from(crate::write_new(path, &[number as u8, b'\n']).unwrap());
        let running: Vec<_> = (0..threads).map(|number| scope.spawn(move || write(number))).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(first, 1);
    crate::remove(path).unwrap();
    std::thread::scope(|scope| {
        for number in 0..threads {
            scope.spawn(move || {
                let add = |there: Option<&[u8]>| Ok([there.unwrap_or_default(), &[number as u8]].concat());
                crate::update_whole(path, add).unwrap();
            });
        }
    });
    let mut added = crate::read(path).unwrap();
    added.sort();
    assert_eq!(added, (0..threads as u8).collect::<Vec<_>>());
}

#[test]
fn an_object_is_renamed_within_its_bucket() {
    let at = |name: &str| format!("s3://memory-rename/{name}");
    let (from, to) = (at("a.nrs"), at("deep/b.nrs"));
    let (from, to) = (Path::new(&from), Path::new(&to));
    crate::write_whole(from, b"solved").unwrap();
    let version = crate::entry(from).unwrap().version;
    assert!(version.is_some());
    crate::rename(from, to).unwrap();
    assert!(!crate::exists(from) && crate::read(to).unwrap() == b"solved");
    crate::write_whole(from, b"again!").unwrap();
    assert_ne!(crate::entry(from).unwrap().version, version);
    let error = crate::rename(Path::new("s3://memory-rename/none"), to).unwrap_err();
    assert!(error.kind() == std::io::ErrorKind::NotFound && crate::StoreError::is_in(&error), "{error}");
    for elsewhere in ["s3://memory-other/a.nrs", "gs://memory-rename/a.nrs", "/tmp/a.nrs"] {
        assert!(crate::rename(from, Path::new(elsewhere)).is_err(), "{elsewhere}");
    }
    assert!(crate::exists(from));
}

#[test]
fn folders_are_what_names_share() {
    let at = |name: &str| format!("az://memory-list/{name}");
    for name in ["a.nrs", "deep/b.nrs", "deep/er/c.nrs"] {
        crate::write_whole(Path::new(&at(name)), b"x").unwrap();
    }
    let names = |folder: &str| -> Vec<(String, bool, u64)> {
        let files = crate::list(Path::new(&at(folder))).unwrap().into_iter();
        files.map(|file| (file.name, file.is_directory, file.bytes)).collect()
    };
    assert_eq!(names(""), [("a.nrs".to_owned(), false, 1), ("deep".to_owned(), true, 0)]);
    assert_eq!(names("deep"), [("b.nrs".to_owned(), false, 1), ("er".to_owned(), true, 0)]);
    let is_folder = |name: &str| crate::is_directory(Path::new(&at(name))).unwrap();
    assert!(is_folder("") && is_folder("deep") && !is_folder("a.nrs") && !is_folder("none"));
    assert!(crate::check_writable(Path::new(&at("deep/d.nrs"))).is_ok());
    let error = crate::check_writable(Path::new("az://memory-list")).unwrap_err().to_string();
    assert_eq!(error, "this is a bucket: write `az://memory-list/NAME`");
    let deep = |folder: &str, most: usize| -> Vec<String> {
        crate::list_deep(Path::new(&at(folder)), most).unwrap().into_iter().map(|file| file.name).collect()
    };
    assert_eq!(deep("", 9), ["a.nrs", "deep/b.nrs", "deep/er/c.nrs"]);
    assert_eq!(
        (deep("deep", 9), deep("", 2).len(), deep("none", 9).len()),
        (vec!["b.nrs".to_owned(), "er/c.nrs".to_owned()], 2, 0)
    );
    crate::make_directories(Path::new(&at("new"))).unwrap();
    crate::remove(Path::new(&at("a.nrs"))).unwrap();
    assert_eq!(names("").len(), 1);
}
