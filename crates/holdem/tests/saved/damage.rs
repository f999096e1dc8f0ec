//! Files that are not what they should be: an error that says where, and never more.

use crate::common::{Home, options, solved, tiny};
use noregret_holdem::cards::Street;
use noregret_holdem::{
    GameLayout, Line, MemoryLimit, Precision, ResumeFile, SaveOptions, SavedStreets, SolutionFile, Solver,
    save,
};
use noregret_store::{Archive, ArchiveWriter, Bytes, Kind, pack, unpack};
use proptest::prelude::*;
use std::path::Path;
use std::sync::LazyLock;

const SOLUTION: Kind = Kind { magic: *b"NOREGNRS", version: 1, name: "solution" };

/// A file's bytes for each way to save a spot.
static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let home = Home::new();
    let mut files = Vec::new();
    let ways = [(SavedStreets::Full, true), (SavedStreets::Full, false), (SavedStreets::Turn, false)];
    for (keep, regrets) in ways {
        solved(tiny(Street::Turn), options(Precision::Bits16, 10), |spec, solution, history| {
            save(&home.path(), spec, solution, history, SaveOptions { keep, regrets }).unwrap();
        });
        files.push(std::fs::read(home.path()).unwrap());
    }
    files
});

/// Opens a file and does all that can be done with it; the first thing that is wrong.
fn use_it(path: &Path) -> Result<(), String> {
    let saved = SolutionFile::open(path).map_err(|error| error.to_string())?;
    for line in ["", "check, check, 2c", "check, bet 36, call, Ah, check"] {
        let line: Line = line.parse().unwrap();
        saved.at(&line).map_err(|error| error.to_string())?;
    }
    let resume = ResumeFile::open(path).map_err(|error| error.to_string())?;
    if resume.has_state() {
        let game = GameLayout::new(&resume.spec().spot).unwrap().build();
        let mut solution = Solver::with_options(game.clone(), &resume.spec().solver);
        resume.restore(&mut solution).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn complaint(bytes: &[u8]) -> Result<(), String> {
    let home = Home::new();
    std::fs::write(home.path(), bytes).unwrap();
    use_it(&home.path())
}

/// The names of a file's sections, in order.
fn tags(bytes: &[u8]) -> Vec<[u8; 4]> {
    let count = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    (0..count).map(|i| bytes[16 + 28 * i..][..4].try_into().unwrap()).collect()
}

/// The file with one section's content changed, and every checksum right.
fn forged(bytes: &[u8], which: usize, change: impl FnOnce(&mut Vec<u8>)) -> (String, Vec<u8>) {
    let home = Home::new();
    std::fs::write(home.path(), bytes).unwrap();
    let archive = Archive::open(&home.path(), &[SOLUTION]).unwrap();
    let tags = tags(bytes);
    let which = which % tags.len();
    let mut change = Some(change);
    let out = home.other("forged.nrs");
    let mut writer = ArchiveWriter::create(&out, SOLUTION, tags.len() as u32).unwrap();
    for (i, &tag) in tags.iter().enumerate() {
        let mut content = unpack(&archive.section(tag).unwrap()).unwrap();
        if i == which {
            change.take().unwrap()(&mut content);
        }
        writer.section(tag, &pack(&content, 3).unwrap()).unwrap();
    }
    writer.finish().unwrap();
    let name = String::from_utf8(tags[which].to_vec()).unwrap().trim().to_owned();
    (name, std::fs::read(out).unwrap())
}

#[test]
fn whole_files_are_fine() {
    for file in FILES.iter() {
        assert_eq!(complaint(file), Ok(()));
    }
}

#[test]
fn every_kind_of_wrong_file_is_told_apart() {
    let good = &FILES[0];
    assert_eq!(complaint(b""), Err("an empty file, and not a solution file".to_owned()));
    assert_eq!(complaint(b"\x89PNG\r\n\x1a\n 1234567890"), Err("not a solution file".to_owned()));
    assert_eq!(complaint(&good[..10]), Err("torn: 10 bytes where 16 belong".to_owned()));
    let (name, length) = (tags(good).len() * 28 + 32, good.len());
    assert_eq!(
        complaint(&good[..100]),
        Err(format!("torn: 100 bytes where {name} belong, and section `header` is cut off"))
    );
    let last = String::from_utf8(tags(good).last().unwrap().to_vec()).unwrap();
    assert_eq!(
        complaint(&good[..length - 1]),
        Err(format!("torn: {} bytes where {length} belong, and section `{last}` is cut off", length - 1))
    );
    let longer = [&good[..], b"x"].concat();
    assert_eq!(complaint(&longer), Err(format!("torn: {} bytes where {length} belong", length + 1)));
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    assert_eq!(complaint(&flipped), Err(format!("corrupt: section `{last}` does not match its checksum")));
    let mut flipped = good.clone();
    flipped[30] ^= 1;
    assert_eq!(complaint(&flipped), Err("corrupt: the header does not match its checksum".to_owned()));
    let home = Home::new();
    let future = Kind { version: 2, ..SOLUTION };
    ArchiveWriter::create(&home.path(), future, 0).unwrap().finish().unwrap();
    assert_eq!(
        use_it(&home.path()),
        Err("a solution file of version 2, and this program, noregret 0.1.0, reads version 1: a later noregret wrote it and can read it".to_owned())
    );
    // Checkpoints of builds that would go on to another digest.
    for version in [1, 2, 3, 4] {
        let path = home.other("old.nrc");
        let old = Kind { magic: *b"NOREGNRC", version, name: "checkpoint" };
        ArchiveWriter::create(&path, old, 0).unwrap().finish().unwrap();
        let complaint = ResumeFile::open(&path).map(drop).map_err(|error| error.to_string());
        let expected = format!(
            "a checkpoint file of version {version}, and this program, noregret 0.1.0, reads version 5: an earlier noregret wrote it \
             and can read it; or write it again with this one"
        );
        assert_eq!(complaint, Err(expected));
    }
    let missing = home.other("missing.nrs");
    assert!(use_it(&missing).unwrap_err().contains("No such file"));
}

#[test]
fn a_spec_that_leads_to_a_larger_tree_than_the_file_has_is_not_built() {
    let change = |content: &mut Vec<u8>| {
        let text = String::from_utf8(content.clone()).unwrap();
        let sizes = "\"25%,50%,75%,100%,150%,200%\"";
        *content = text
            .replace("\"60%\"", sizes)
            .replace("effective_stack = 150", "effective_stack = 9000")
            .into_bytes();
    };
    let (name, bytes) = forged(&FILES[1], 0, change);
    assert_eq!(name, "spec");
    assert_eq!(
        complaint(&bytes),
        Err("section `tree` cannot be read: the spec leads to another betting tree: another version of the program \
             wrote it"
            .to_owned())
    );
}

#[test]
fn sections_that_are_whole_and_make_no_sense_are_named() {
    // The first one, the spec, is text, and has errors of its own.
    for which in 1..tags(&FILES[0]).len() {
        let (name, longer) = forged(&FILES[0], which, |content| content.push(0x55));
        let error = complaint(&longer).err();
        // Not every river is looked at.
        if let Some(error) = &error {
            assert!(error.contains(&format!("section `{name}`")), "{name}: {error}");
        }
        let (name, shorter) = forged(&FILES[0], which, |content| {
            content.pop();
        });
        let error = complaint(&shorter).unwrap_err();
        assert!(error.contains(&format!("section `{name}`")), "{name}: {error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn changed_bytes_are_found(
        file in 0_usize..3, at in any::<prop::sample::Index>(), bit in 0_u8..8, cut in any::<bool>(),
    ) {
        let mut bytes = FILES[file].clone();
        let at = at.index(bytes.len());
        if cut {
            bytes.truncate(at);
            prop_assert!(complaint(&bytes).is_err());
        } else {
            bytes[at] ^= 1 << bit;
            // Boards that nobody looks at are not read.
            if let Err(error) = complaint(&bytes) {
                prop_assert!(error.contains("checksum") || error.contains("not a solution") || error.contains("torn"), "{}", error);
            }
        }
    }

    #[test]
    fn forged_sections_are_errors_or_numbers(
        file in 0_usize..3,
        which in any::<usize>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        length in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let (_, bytes) = forged(&FILES[file], which, |content| {
            for (at, byte) in &changes {
                if !content.is_empty() {
                    let at = at.index(content.len());
                    content[at] = *byte;
                }
            }
            if let Some(length) = length {
                content.truncate(length.index(content.len() + 1));
            }
        });
        let _ = complaint(&bytes);
    }

    #[test]
    fn anything_after_the_magic_is_an_error(tail in prop::collection::vec(any::<u8>(), 0..300)) {
        let bytes = [&SOLUTION.magic[..], &1_u32.to_le_bytes(), &tail].concat();
        prop_assert!(complaint(&bytes).is_err());
    }
}

#[test]
fn what_does_not_fit_into_memory_is_refused_before_it_is_allocated() {
    let home = Home::new();
    std::fs::write(home.path(), &FILES[2]).unwrap();
    let open = |bytes: u64| {
        SolutionFile::open_within(&home.path(), MemoryLimit::new(Bytes(bytes), "ulimit -v leaves"))
    };
    let error = open(1000).err().unwrap().to_string();
    assert!(
        error.starts_with("its betting tree of") && error.ends_with("and ulimit -v leaves 1.0 kB of memory"),
        "{error}"
    );
    // Enough for the turn that is there, and not for solving its rivers again.
    let (turn, river) = ("check".parse().unwrap(), "check, check, 2c".parse().unwrap());
    let little = open(100_000).unwrap();
    assert!(little.at(&turn).is_ok());
    let error = little.at(&river).unwrap_err().to_string();
    assert_eq!(error, "this street takes 211 kB, and ulimit -v leaves 100 kB of memory");
    let enough = open(100_000_000).unwrap();
    assert_eq!(enough.at(&river).unwrap(), SolutionFile::open(&home.path()).unwrap().at(&river).unwrap());
}
