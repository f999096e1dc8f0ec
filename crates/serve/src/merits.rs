//! Locks tried out on a solution, before anything is solved again.

use crate::api::locks::{LockPreview, LockRule, LocksQuestion};
use crate::failure::ApiFailure;
use crate::names;
use crate::point::exact;
use crate::problems::{self, of_reading};
use noregret_holdem::{Lock, LockBy, LockEffect, Merit, SolutionFile, Spec, Spot};

/// What the locks of a spec do to the hands of a solution.
pub fn previews(saved: &SolutionFile, question: &LocksQuestion) -> Result<Vec<LockPreview>, ApiFailure> {
    let spec: Spec = question
        .toml
        .parse()
        .map_err(|error| ApiFailure::problem(problems::of_spec(&error, &question.toml)))?;
    let line = question.line.as_ref().map(|text| exact(saved, text)).transpose()?;
    let opened: Vec<Lock> = spec.spot.locks().iter().cloned().map(Lock::opened).collect();
    let spot = on_spot_of(saved, opened.clone())?;
    let by_merit = on_spot_of(saved, opened.into_iter().map(merited).collect())?;
    let asked = |lock: &(usize, &Lock)| line.as_ref().is_none_or(|line| lock.1.line == *line);
    let mut previews = Vec::new();
    for (lock, there) in spot.locks().iter().enumerate().filter(asked) {
        let view = saved.at(&there.line).map_err(|error| of_reading(&error))?;
        let effects = LockEffect::of(&spot, lock, &view).zip(LockEffect::of(&by_merit, lock, &view));
        let Some((effect, merit)) = effects else { continue };
        let (hands, strategy) =
            effect.hands.into_iter().map(|(hole, plays)| (hole.to_string(), plays)).unzip();
        previews.push(LockPreview {
            lock,
            line: effect.line.to_string(),
            player: names::player(effect.player),
            by: if matches!(there.by, LockBy::Uniform) { LockRule::Uniform } else { LockRule::Merit },
            actions: effect.actions.iter().map(ToString::to_string).collect(),
            hands,
            strategy,
            before: effect.before,
            after: effect.after,
            given_up: effect.given_up,
            given_up_by_merit: merit.given_up,
        });
    }
    Ok(previews)
}

/// A spot whose locks by merit have the hands that a solution gives them.
pub fn resolved(saved: &SolutionFile, spot: &Spot) -> Result<Spot, ApiFailure> {
    let mut locks = spot.locks().to_vec();
    for (lock, there) in locks.iter_mut().enumerate().filter(|(_, lock)| lock.is_open()) {
        let view = saved.at(&there.line).map_err(|error| of_reading(&error))?;
        if let Some(effect) = LockEffect::of(spot, lock, &view) {
            *there = effect.resolve(there.clone());
        }
    }
    spot.clone().with_locks(locks).map_err(|error| ApiFailure::field("toml", error))
}

/// The same frequencies by merit.
fn merited(lock: Lock) -> Lock {
    match lock.by {
        LockBy::Uniform => Lock { by: LockBy::Merit(Merit::default()), ..lock },
        LockBy::Merit(_) => lock,
    }
}

fn on_spot_of(saved: &SolutionFile, locks: Vec<Lock>) -> Result<Spot, ApiFailure> {
    let spot = saved.game().spot().clone().with_locks(locks);
    spot.map_err(|error| ApiFailure::field("toml", error))
}
