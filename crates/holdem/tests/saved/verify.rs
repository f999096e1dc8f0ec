//! Files read through: what is whole is found whole, and no damage anywhere is missed.

use crate::common::{options, solved, tiny};
use noregret_holdem::cards::Street;
use noregret_holdem::{
    CHECKPOINT_KIND, GameLayout, MemoryLimit, Precision, ResumeFile, SOLUTION_KIND, SaveOptions,
    SavedStreets, SolutionFile, Solver, save, save_checkpoint, verify, verify_solution,
};
use noregret_store::{Archive, ArchiveWriter, Bytes};
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
        let found =
            verify(&path, MemoryLimit::ANY).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(found.sections >= 5 && found.iterations == 20);
        assert_eq!(verify_solution(&path, MemoryLimit::ANY).is_ok(), path.extension().unwrap() == "nrs");
        let good = std::fs::read(&path).unwrap();
        for step in 0..100 {
            let mut bad = good.clone();
            let at = good.len() * step / 100;
            bad[at] ^= 1 << (step % 8);
            std::fs::write(home.path().join("bad"), &bad).unwrap();
            assert!(
                verify(&home.path().join("bad"), MemoryLimit::ANY).is_err(),
                "{}: byte {at}",
                path.display()
            );
        }
        for cut in [0, 9, good.len() / 2, good.len() - 1] {
            std::fs::write(home.path().join("bad"), &good[..cut]).unwrap();
            assert!(
                verify(&home.path().join("bad"), MemoryLimit::ANY).is_err(),
                "{}: cut {cut}",
                path.display()
            );
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
        verify(&bad, MemoryLimit::ANY).unwrap();
        rewritten(&path, &bad, |_, bytes| Some(bytes), &[*b"more"]);
        let error = verify(&bad, MemoryLimit::ANY).unwrap_err().to_string();
        assert_eq!(error, "section `more` cannot be read: it does not belong in this file");
        let archive = Archive::open(&path, &[SOLUTION_KIND, CHECKPOINT_KIND]).unwrap();
        let mut tags: Vec<[u8; 4]> = archive.tags().collect();
        tags.sort_unstable();
        // Some of each kind: a flop has hundreds.
        let step = tags.len() / 12 + 1;
        for tag in tags.into_iter().step_by(step) {
            rewritten(&path, &bad, |other, bytes| (other != tag).then_some(bytes), &[]);
            assert!(verify(&bad, MemoryLimit::ANY).is_err(), "{}: without {tag:?}", path.display());
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
    let error = verify(&bad, MemoryLimit::ANY).unwrap_err().to_string();
    assert_eq!(error, "section `sum` cannot be read: its digest is not that of the strategies");
}

/// Numbers that look random and are the same in every run; how many mutations are tried can be set for a longer run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % end.max(1) as u64) as usize
    }
}

/// Changes some bytes: one, a run of them, their number.
fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len());
    match random.below(6) {
        0 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
        1 if !bytes.is_empty() => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
        2 => bytes.truncate(at),
        3 => bytes.extend(vec![random.below(256) as u8; random.below(40)]),
        4 => {
            let end = (at + random.below(16)).min(bytes.len());
            bytes.drain(at..end);
        }
        _ => {
            let end = (at + 4).min(bytes.len());
            bytes[at..end].fill(0xff);
        }
    }
}

/// Whatever a section holds, under a checksum that is right, readers answer or refuse: none panics, and none takes memory without
/// end. `NOREGRET_FUZZ=100000 cargo test -p noregret-holdem --test saved mutated` tries more.
#[test]
fn mutated_sections_with_right_checksums_are_answered_or_refused() {
    let home = tempfile::tempdir().unwrap();
    let files = files(home.path());
    let bad = home.path().join("bad");
    let tries = std::env::var("NOREGRET_FUZZ").ok().and_then(|count| count.parse().ok()).unwrap_or(400);
    let mut random = Random(1);
    let mut refused = 0;
    for _ in 0..tries {
        let path = &files[random.below(files.len())];
        let archive = Archive::open(path, &[SOLUTION_KIND, CHECKPOINT_KIND]).unwrap();
        let mut tags: Vec<[u8; 4]> = archive.tags().collect();
        tags.sort_unstable();
        let victim = tags[random.below(tags.len())];
        let packed = archive.section(victim).unwrap();
        // Inside of what is packed, or the packing itself.
        let mut bytes = noregret_store::unpack(&packed).unwrap();
        let mutated = if random.below(4) == 0 {
            let mut packed = packed;
            mutate(&mut packed, &mut random);
            packed
        } else {
            mutate(&mut bytes, &mut random);
            noregret_store::pack(&bytes, 1).unwrap()
        };
        rewritten(path, &bad, |tag, bytes| Some(if tag == victim { mutated.clone() } else { bytes }), &[]);
        const MEMORY: u64 = 256 << 20;
        let limit = MemoryLimit::new(Bytes(MEMORY), "the test allows");
        refused += usize::from(verify(&bad, limit).is_err());
        if let Ok(file) = SolutionFile::open_within(&bad, limit) {
            for line in ["", "check", "check, check", "bet 36", "all-in, call"] {
                let _ = file.at(&line.parse().unwrap());
            }
        }
        if let Ok(resume) = ResumeFile::open(&bad) {
            let spec = resume.spec().clone();
            if let Ok(layout) = GameLayout::within(&spec.spot, MEMORY) {
                let mut solver = Solver::with_options(layout.build(), &spec.solver);
                // Its iterations made again would take as long as it says that there are.
                if resume.has_state() {
                    let _ = resume.restore(&mut solver);
                }
            }
        }
    }
    println!("{tries} files, {refused} refused");
    assert!(refused * 10 > tries * 5, "{refused} of {tries}");
}
