//! Many hands together: what is solved for them, and what their decisions cost.

use crate::answer::read_answer;
use crate::hand_draft::HandSource;
use crate::hand_spot::{HandSpot, PlayedDecision};
use crate::history_error::HistoryError;
use crate::left_out::LeftOut;
use crate::played_hand::PlayedHand;
use crate::read::{ReadHands, read_bytes};
use crate::spot_options::SpotOptions;
use noregret_holdem::preflop::RangeName;
use noregret_holdem::{BatchJob, Line, MemoryLimit, ReadError, SolutionFile};
use noregret_report::DecisionAnswer;
use noregret_store::list;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::Deref;
use std::path::Path;

/// A hand of a session.
#[derive(Clone, PartialEq, Debug)]
pub struct SessionHand {
    /// The file that it is from.
    pub file: String,
    /// The hand.
    pub hand: PlayedHand,
    /// Whose decisions are looked at: places in [`PlayedHand::seats`].
    pub studied: Vec<usize>,
    /// What is solved for it, or why nothing is.
    pub spot: Result<HandSpot, LeftOut>,
    /// What its solution says, if that has been read.
    pub solved: Option<SolvedHand>,
}

/// What the solution of a hand says about it.
#[derive(Clone, PartialEq, Debug)]
pub struct SolvedHand {
    /// The name of the solution, which is that of its file without the ending.
    pub name: String,
    /// How exploitable it is, in percent of the pot on the flop; none if that was not measured.
    pub exploitability_pct: Option<f64>,
    /// A hash of its strategies.
    pub digest: String,
    /// What was played from the flop on, as its tree has it: an all-in with its amount.
    pub line: Line,
    /// The decisions of those who are looked at, as places in [`HandSpot::decisions`], with what it says.
    pub answers: Vec<(usize, DecisionAnswer)>,
}

/// A solution that may be of a hand and cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnreadSolution {
    /// Its name.
    pub name: String,
    /// What is wrong with it.
    pub message: String,
}

/// A part of a file that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionError {
    /// The file.
    pub file: String,
    /// What is wrong, and where.
    pub error: HistoryError,
}

/// The hands of some files.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HandsSession {
    /// The hands, in the order of the files.
    pub hands: Vec<SessionHand>,
    /// What cannot be read.
    pub errors: Vec<SessionError>,
    /// How many hands were left away because they are there already.
    pub repeated: usize,
    /// Places in `hands` by source and number.
    places: HashMap<(HandSource, String), Vec<usize>>,
}

impl HandsSession {
    /// Whether a hand is there already. Sites number all of their hands; documents of the open format may each begin with 1.
    fn has(&self, hand: &PlayedHand) -> bool {
        let places = self.places.get(&(hand.source(), hand.id().to_owned()));
        let is_same = |&place: &usize| hand.source() != HandSource::Phh || self.hands[place].hand == *hand;
        places.is_some_and(|places| places.iter().any(is_same))
    }

    /// Adds the hands of a file, but for those that are there already. `player` is whose decisions are looked at: by default the hero's, and in texts without a hero
    /// those of everybody whose cards are known.
    pub fn add(&mut self, file: &str, bytes: &[u8], player: Option<&str>, options: &SpotOptions) {
        self.add_read(file, read_bytes(bytes), player, options);
    }

    /// The same with a file that was read before.
    pub fn add_read(&mut self, file: &str, read: ReadHands, player: Option<&str>, options: &SpotOptions) {
        for hand in read.hands {
            if self.has(&hand) {
                self.repeated += 1;
                continue;
            }
            self.places.entry((hand.source(), hand.id().to_owned())).or_default().push(self.hands.len());
            let studied = studied(&hand, player);
            let spot = HandSpot::of(&hand, &studied, options);
            self.hands.push(SessionHand { file: file.to_owned(), hand, studied, spot, solved: None });
        }
        let error = |error| SessionError { file: file.to_owned(), error };
        self.errors.extend(read.errors.into_iter().map(error));
    }

    /// Makes the spots of all hands again, with other options. Returns the places of those that have changed: nothing is read for them
    /// yet.
    pub fn rebuild_spots(&mut self, options: &SpotOptions) -> Vec<usize> {
        let mut changed = Vec::new();
        for (place, hand) in self.hands.iter_mut().enumerate() {
            let spot = HandSpot::of(&hand.hand, &hand.studied, options);
            if spot != hand.spot {
                hand.spot = spot;
                hand.solved = None;
                changed.push(place);
            }
        }
        changed
    }

    /// How many hands have a solution that was read.
    pub fn solved(&self) -> usize {
        self.hands.iter().filter(|hand| hand.solved.is_some()).count()
    }

    /// How many hands have a solution that was read and is more exploitable than what was asked for.
    pub fn missed(&self) -> usize {
        self.hands.iter().filter(|hand| hand.misses_target()).count()
    }

    /// How many hands are no spot.
    pub fn left_out(&self) -> usize {
        self.hands.iter().filter(|hand| hand.spot.is_err()).count()
    }

    /// The ranges of one's own that are taken, each with the number of hands that it is taken for.
    pub fn own_ranges(&self) -> BTreeMap<RangeName, usize> {
        let mut hands = BTreeMap::new();
        let spots = self.hands.iter().filter_map(|hand| hand.spot.as_ref().ok());
        for choice in spots.flat_map(|spot| &spot.ranges).filter(|choice| choice.is_own) {
            *hands.entry(choice.source).or_default() += 1;
        }
        hands
    }

    /// What is to be solved: each spot once, by name.
    pub fn spots(&self) -> Vec<(String, &HandSpot)> {
        let mut spots = BTreeMap::new();
        let mut names = Vec::new();
        for hand in &self.hands {
            if let Ok(spot) = &hand.spot {
                let name = spot.name();
                if spots.insert(name.clone(), spot).is_none() {
                    names.push(name);
                }
            }
        }
        names.into_iter().filter_map(|name| Some((name.clone(), *spots.get(&name)?))).collect()
    }

    /// What is to be solved, as the jobs of a batch: each spot once.
    pub fn jobs(&self) -> Vec<BatchJob> {
        let job = |(name, spot): (String, &HandSpot)| BatchJob {
            name,
            variant: spot.pot_type.to_string(),
            flop: *spot.spec.spot.board(),
            weight: 1,
            spec: Ok(spot.spec.clone()),
        };
        self.spots().into_iter().map(job).collect()
    }

    /// Reads what the solutions in a folder say: the one of a hand's own spec, or else the best of the same spot, which was solved
    /// to another target. Returns those that cannot be read, each once: they are skipped.
    pub fn read_folder(&mut self, path: &Path) -> io::Result<Vec<UnreadSolution>> {
        let listed: Vec<String> = list(path)?.into_iter().map(|entry| entry.name).collect();
        let names: Vec<&str> = listed.iter().filter_map(|name| name.strip_suffix(".nrs")).collect();
        let mut unread: Vec<UnreadSolution> = Vec::new();
        for hand in &mut self.hands {
            let open = |name: &str| {
                let opened =
                    SolutionFile::open_within(&path.join(format!("{name}.nrs")), MemoryLimit::of_machine());
                opened.map(Box::new).map_err(|error| error.to_string())
            };
            for found in hand.read_best(&names, open) {
                if unread.iter().all(|known| known.name != found.name) {
                    unread.push(found);
                }
            }
        }
        Ok(unread)
    }
}

/// Whose decisions are looked at.
fn studied(hand: &PlayedHand, player: Option<&str>) -> Vec<usize> {
    match (player, hand.hero()) {
        (Some(name), _) => (0..hand.seats().len()).filter(|&seat| hand.seats()[seat].name == name).collect(),
        (None, Some(hero)) => vec![hero],
        (None, None) => (0..hand.seats().len()).filter(|&seat| hand.seats()[seat].hole.is_some()).collect(),
    }
}

impl SessionHand {
    /// Reads the solution of its own spec among some, or else the best of the same spot, which was solved to another target.
    /// Names may have folders before them. What cannot be opened or read is skipped and told.
    pub fn read_best<S: Deref<Target = SolutionFile>>(
        &mut self,
        names: impl IntoIterator<Item = impl AsRef<str>>,
        mut open: impl FnMut(&str) -> Result<S, String>,
    ) -> Vec<UnreadSolution> {
        self.solved = None;
        let Ok((own, spot)) = self.spot.as_ref().map(|spot| (spot.name(), spot.spec.spot.clone())) else {
            return Vec::new();
        };
        let stem = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
        let flop = format!("{}-", spot.board());
        let mut names: Vec<String> = names.into_iter().map(|name| name.as_ref().to_owned()).collect();
        names.retain(|name| stem(name).starts_with(&flop));
        names.sort_by_key(|name| (stem(name) != own, name.clone()));
        let mut unread = Vec::new();
        let mut best = f64::INFINITY;
        for name in names {
            let is_own = stem(&name) == own;
            let read = open(&name).and_then(|saved| {
                let last = saved.progress().history.last();
                let rank = last.map_or(f64::MAX, |check| check.exploitability_pct);
                if saved.spec().spot == spot && rank < best {
                    self.read(&name, &saved).map_err(|error| error.to_string())?;
                    best = rank;
                }
                Ok(())
            });
            unread.extend(read.err().map(|message| UnreadSolution { name, message }));
            if is_own && self.solved.is_some() {
                break;
            }
        }
        unread
    }

    /// Whether the solution that was read is more exploitable than what was asked for, or nobody measured it.
    pub fn misses_target(&self) -> bool {
        let (Some(solved), Ok(spot)) = (&self.solved, &self.spot) else { return false };
        let target = spot.spec.solver.target_exploitability_pct;
        solved.exploitability_pct.is_none_or(|reached| reached > target)
    }

    /// Reads what the solution of its spot says.
    pub fn read(&mut self, name: &str, saved: &SolutionFile) -> Result<(), ReadError> {
        let Ok(spot) = &self.spot else { return Ok(()) };
        let mut answers = Vec::new();
        for (place, decision) in spot.decisions.iter().enumerate() {
            if self.studied.contains(&decision.seat) {
                answers.push((place, read_answer(saved, decision)?));
            }
        }
        self.solved = Some(SolvedHand {
            name: name.to_owned(),
            exploitability_pct: saved.progress().history.last().map(|check| check.exploitability_pct),
            digest: saved.summary().digest.clone(),
            line: saved.game().betting().exact(saved.spec().spot.board(), &spot.line)?,
            answers,
        });
        Ok(())
    }

    /// The decisions of those who are looked at, with what the solution says where it has been read.
    pub fn decisions(&self) -> impl Iterator<Item = (&PlayedDecision, Option<&DecisionAnswer>)> {
        let decisions = self.spot.as_ref().map_or(&[][..], |spot| &spot.decisions[..]);
        decisions.iter().enumerate().filter(|(_, decision)| self.studied.contains(&decision.seat)).map(
            |(place, decision)| {
                let answers = self.solved.iter().flat_map(|solved| &solved.answers);
                let answer = answers.filter(|(other, _)| *other == place).map(|(_, answer)| answer).next();
                (decision, answer)
            },
        )
    }
}
