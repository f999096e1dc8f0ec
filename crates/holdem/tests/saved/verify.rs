//! Files read through: what is whole is found whole, and no damage anywhere is missed.

use crate::common::{options, solved, tiny};
use noregret_holdem::cards::Street;
use noregret_holdem::{
    CHECKPOINT_KIND, Precision, SOLUTION_KIND, SaveOptions, SavedStreets, save, save_checkpoint, verify,
    verify_solution,
};
use noregret_store::{Archive, ArchiveWriter};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Every kind of file of some spots.
fn files(home: &Path) -> Vec<PathBuf> {
    let spots = [
        (Street::Turn, Precision::Bits32),
        (Street::Flop, Precision::Bits8),
        (Street::River, Precision::Bits16),
    ];
    let mut files = Vec::new();
    for (street, bits) in spots {
        solved(tiny(street), options(bits, 20), |spec, solver, history| {
            for (name, keep, regrets) in [
                ("full", SavedStreets::Full, false),
                ("regrets", SavedStreets::Full, true),
                ("turn", SavedStreets::Turn, false),
                ("flop", SavedStreets::Flop, false),
            ] {
                if keep.last() < street {
                    continue;
                }
                let path = home.join(format!("{street}-{name}.nrs"));
                save(&path, spec, solver, history, SaveOptions { keep, regrets }).unwrap();
                files.push(path);
            }
            let path = home.join(format!("{street}.nrc"));
            save_checkpoint(&path, spec, solver, history, Duration::from_secs(1)).unwrap();
            files.push(path);
        });
    }
    files
}

#[test]
fn whole_files_are_whole_and_no_flipped_bit_is_missed() {
    let home = tempfile::tempdir().unwrap();
    for path in files(home.path()) {
        let found = verify(&path, u64::MAX).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(found.sections > 5 && found.iterations == 20);
        assert_eq!(verify_solution(&path, u64::MAX).is_ok(), path.extension().unwrap() == "nrs");
        let good = std::fs::read(&path).unwrap();
        for step in 0..100 {
            let mut bad = good.clone();
            let at = good.len() * step / 100;
            bad[at] ^= 1 << (step % 8);
            std::fs::write(home.path().join("bad"), &bad).unwrap();
            assert!(verify(&home.path().join("bad"), u64::MAX).is_err(), "{}: byte {at}", path.display());
        }
        for cut in [0, 9, good.len() / 2, good.len() - 1] {
            std::fs::write(home.path().join("bad"), &good[..cut]).unwrap();
            assert!(verify(&home.path().join("bad"), u64::MAX).is_err(), "{}: cut {cut}", path.display());
        }
    }
}

/// Writes an archive again with other sections, whose checksums are right.
fn rewritten(from: &Path, to: &Path, change: impl Fn([u8; 4], Vec<u8>) -> Option<Vec<u8>>, more: &[[u8; 4]]) {
    let archive = Archive::open(from, &[SOLUTION_KIND, CHECKPOINT_KIND]).unwrap();
    let mut tags: Vec<[u8; 4]> = archive.tags().collect();
    tags.sort_unstable();
    let sections = tags.iter().filter_map(|&tag| Some((tag, change(tag, archive.section(tag).unwrap())?)));
    let mut sections: Vec<([u8; 4], Vec<u8>)> = sections.collect();
    sections.extend(more.iter().map(|&tag| (tag, b"more".to_vec())));
    let mut writer = ArchiveWriter::create(to, archive.kind(), sections.len() as u32).unwrap();
    for (tag, bytes) in sections {
        writer.section(tag, &bytes).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn sections_that_are_missing_too_many_or_another_s_are_found_though_their_checksums_are_right() {
    let home = tempfile::tempdir().unwrap();
    let bad = home.path().join("bad");
    for path in files(home.path()) {
        rewritten(&path, &bad, |_, bytes| Some(bytes), &[]);
        verify(&bad, u64::MAX).unwrap();
        rewritten(&path, &bad, |_, bytes| Some(bytes), &[*b"more"]);
        let error = verify(&bad, u64::MAX).unwrap_err().to_string();
        assert_eq!(error, "section `more` cannot be read: it does not belong in this file");
        let archive = Archive::open(&path, &[SOLUTION_KIND, CHECKPOINT_KIND]).unwrap();
        for tag in archive.tags() {
            rewritten(&path, &bad, |other, bytes| (other != tag).then_some(bytes), &[]);
            assert!(verify(&bad, u64::MAX).is_err(), "{}: without {tag:?}", path.display());
        }
    }
}

#[test]
fn other_strategies_than_the_digest_says_are_found() {
    let home = tempfile::tempdir().unwrap();
    let files = files(home.path());
    let other = home.path().join("other.nrs");
    solved(tiny(Street::Turn), options(Precision::Bits32, 25), |spec, solver, history| {
        save(&other, spec, solver, history, SaveOptions::default()).unwrap();
    });
    let archive = Archive::open(&other, &[SOLUTION_KIND]).unwrap();
    // The strategies of the turn are those of a later iteration: all numbers can be, and they are not those that were saved.
    let bad = home.path().join("bad.nrs");
    rewritten(
        &files[0],
        &bad,
        |tag, bytes| Some(if tag == *b"t000" { archive.section(tag).unwrap() } else { bytes }),
        &[],
    );
    let error = verify(&bad, u64::MAX).unwrap_err().to_string();
    assert_eq!(error, "section `sum` cannot be read: its digest is not that of the strategies");
}
