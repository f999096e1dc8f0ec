//! The question: a spot and how to solve it.

use crate::amount::AmountNumber;
use crate::board::{PyBoard, board};
use crate::options::{SolveArguments, memory_limit, precision_text};
use crate::place;
use crate::plan::PyPlan;
use crate::player::player;
use crate::range::{PyRange, range};
use crate::{error, html};
use noregret_holdem::cards::{HandKind, Street};
use noregret_holdem::{
    BettingNodeKind, IP, Line, Lock, LockBy, LockError, Merit, MeritTarget, OOP, Player, SolvePlan, Spec,
    Spot, SpotError, Step, TreeOptions,
};
use noregret_store::OutputKind;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyMapping, PyString};
use std::path::PathBuf;
use toml::{Table, Value};

/// What [`PySpot::to_toml`] writes.
const SPEC_OUTPUT: OutputKind =
    OutputKind { name: "a spec", endings: &["toml"], beginnings: &[b"[ranges]\n"] };

/// A spot: two ranges, a board, the pot, the stacks and the betting, with how to solve it.
///
/// `bet`, `raise_` and `donk` are sizes as in a spec file: one text for all, or by street and player:
/// `{"flop": "33%", "turn": {"oop": "75%", "ip": "50%, a"}}`. `unit` is what all amounts are in, `"chips"` or `"bb"`: they may have
/// two decimals, and all answers are in it. `big_blind` is how many chips a big blind is. `add` and `remove` are lines that the betting tree is to have or not
/// to have. `locks` bind hands to a strategy: each is a mapping with `line`, `strategy` and perhaps `hands`.
///
/// >>> import noregret as nr
/// >>> spot = nr.Spot(oop="88+,A5s-A2s:0.5,KQo", ip="AA:0.25,99-22", board="QsJh2h", pot=180, stack=910, bet="52%", raise_="45%")
/// >>> spot.board, spot.pot, spot.stack
/// (Board("QsJh2h"), 180, 910)
/// >>> nr.Spot.from_text(spot.to_toml()) == spot
/// True
/// >>> blinds = nr.Spot(oop="88+,AQs", ip="JJ-22", board="QsJh2h", pot=5.5, stack=97.5, unit="bb", bet="33%")
/// >>> blinds.pot, blinds.unit, blinds.actions("")
/// (5.5, 'bb', ['check', 'bet 1.8'])
#[pyclass(name = "Spot", module = "noregret", frozen)]
pub struct PySpot(pub Spec);

#[pymethods]
impl PySpot {
    #[new]
    #[pyo3(signature = (oop, ip, board, pot, stack, *, unit=None, big_blind=None, bet=None, raise_=None, donk=None, rake_rate=None, rake_cap=None,
                        add_allin_threshold=None, force_allin_threshold=None, merging_threshold=None, add=None, remove=None,
                        locks=None))]
    #[expect(clippy::too_many_arguments)]
    fn new(
        oop: &Bound<'_, PyAny>,
        ip: &Bound<'_, PyAny>,
        board: &Bound<'_, PyAny>,
        pot: &Bound<'_, PyAny>,
        stack: &Bound<'_, PyAny>,
        unit: Option<String>,
        big_blind: Option<&Bound<'_, PyAny>>,
        bet: Option<&Bound<'_, PyAny>>,
        raise_: Option<&Bound<'_, PyAny>>,
        donk: Option<&Bound<'_, PyAny>>,
        rake_rate: Option<&Bound<'_, PyAny>>,
        rake_cap: Option<&Bound<'_, PyAny>>,
        add_allin_threshold: Option<&Bound<'_, PyAny>>,
        force_allin_threshold: Option<&Bound<'_, PyAny>>,
        merging_threshold: Option<&Bound<'_, PyAny>>,
        add: Option<Vec<String>>,
        remove: Option<Vec<String>>,
        locks: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut document = Table::new();
        let ranges = [("oop", oop), ("ip", ip)].into_iter().map(|(key, value)| {
            let text = match value.extract::<String>() {
                // As it was written: messages point at it.
                Ok(text) => text,
                Err(_) => range(value, &format!("ranges.{key}"))?.to_string(),
            };
            Ok((key.to_owned(), Value::String(text)))
        });
        document.insert("ranges".to_owned(), Value::Table(ranges.collect::<PyResult<Table>>()?));
        document.insert("cards".to_owned(), Value::Table(cards(board)?));
        let mut tree = Table::new();
        let numbers = [
            ("starting_pot", Some(pot)),
            ("effective_stack", Some(stack)),
            ("big_blind", big_blind),
            ("rake_rate", rake_rate),
            ("rake_cap", rake_cap),
            ("add_allin_threshold", add_allin_threshold),
            ("force_allin_threshold", force_allin_threshold),
            ("merging_threshold", merging_threshold),
        ];
        for (key, value) in numbers {
            if let Some(value) = value {
                tree.insert(key.to_owned(), number(value, key)?);
            }
        }
        if let Some(unit) = unit {
            tree.insert("unit".to_owned(), Value::String(unit));
        }
        for (key, lines) in [("add", add), ("remove", remove)] {
            let line =
                |line: String| Value::Table(Table::from_iter([("line".to_owned(), Value::String(line))]));
            if let Some(lines) = lines.filter(|lines| !lines.is_empty()) {
                tree.insert(key.to_owned(), Value::Array(lines.into_iter().map(line).collect()));
            }
        }
        document.insert("tree".to_owned(), Value::Table(tree));
        document.insert("bet_sizes".to_owned(), Value::Table(bet_sizes(bet, raise_, donk)?));
        let spec: Spec = document.to_string().parse().map_err(|error: noregret_holdem::SpecError| {
            // The text was made here: its lines say nothing to whoever gave the values.
            error::spec(&noregret_holdem::SpecError { line: None, ..error })
        })?;
        let spot = Self(spec);
        match locks {
            None => Ok(spot),
            Some(locks) => spot.with_locks(locks),
        }
    }

    /// Reads a spec file, the same that the command line takes.
    ///
    /// >>> import noregret as nr, tempfile, pathlib
    /// >>> path = pathlib.Path(tempfile.mkdtemp()) / "spot.toml"
    /// >>> text = nr.Spot("AA", "KK", "QsJh2h", pot=100, stack=300).to_toml(path)
    /// >>> nr.Spot.from_toml(path).pot
    /// 100
    #[staticmethod]
    fn from_toml(path: PathBuf) -> PyResult<Self> {
        let bytes = std::fs::read(&path).map_err(|error| error::cannot_read("the spec ", &path, &error))?;
        Spec::from_bytes(&bytes).map(Self).map_err(|error| {
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(Spec::MAX_BYTES)]);
            error::spec_in_text(&error, &path.display().to_string(), &text)
        })
    }

    /// Reads the text of a spec file.
    #[staticmethod]
    fn from_text(text: &str) -> PyResult<Self> {
        let whole = text.get(..Spec::MAX_BYTES).unwrap_or(text);
        text.parse().map(Self).map_err(|error| error::spec_in_text(&error, "the text", whole))
    }

    /// The spot as a spec file: every key with its value. It is written to `path` too, if there is one: not over what is no spec,
    /// nor under a name that does not end in `.toml`, unless `force` says so.
    #[pyo3(signature = (path=None, *, force=false))]
    fn to_toml(&self, py: Python<'_>, path: Option<PathBuf>, force: bool) -> PyResult<String> {
        let text = self.0.to_string();
        if let Some(path) = path {
            place::check(py, &path, SPEC_OUTPUT, &[], force)?;
            let written = py.detach(|| noregret_store::write_whole(&path, text.as_bytes()));
            written.map_err(|error| error::cannot_write(&path, error))?;
        }
        Ok(text)
    }

    /// How large the spot is and what solving it takes, before anything large is allocated.
    ///
    /// >>> import noregret as nr
    /// >>> spot = nr.Spot("88+,AJs+,KQo", "99-22,ATs+", "QsJh2h", pot=180, stack=910)
    /// >>> plan = spot.plan(precision="16bit")
    /// >>> plan.boards
    /// (1, 36, 1429)
    #[pyo3(signature = (*, precision=None, threads=None, memory=None, warm_start=None))]
    fn plan(
        &self,
        py: Python<'_>,
        precision: Option<String>,
        threads: Option<i64>,
        memory: Option<&Bound<'_, PyAny>>,
        warm_start: Option<bool>,
    ) -> PyResult<PyPlan> {
        let mut spec = self.0.clone();
        SolveArguments { precision, warm_start, ..Default::default() }.apply(&mut spec)?;
        let (limit, threads) = (memory_limit(memory)?, crate::options::threads(threads)?);
        let plan =
            py.detach(|| SolvePlan::new(spec, &limit, threads)).map_err(|error| error::job(&error, None))?;
        let counts = plan.layout.betting().counts();
        let decisions = [counts.all_decisions(), counts.all_terminals()];
        let fits = plan.check_memory(&limit, threads).is_ok();
        Ok(PyPlan {
            size: plan.size(),
            decisions,
            threads,
            precision: precision_text(&plan.spec.solver),
            fits,
        })
    }

    /// The same spot with one more lock: hands that play a strategy at the end of a line, whatever comes of it.
    ///
    /// `strategy` is an action, or a mapping from actions to frequencies. Without `hands` all hands of the player are locked.
    ///
    /// >>> import noregret as nr
    /// >>> spot = nr.Spot("AA,KK,87s", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
    /// >>> spot.lock("bet 50", "fold").locks
    /// [{'line': 'bet 50', 'strategy': {'fold': 1.0}}]
    #[pyo3(signature = (line, strategy, hands=None))]
    fn lock(
        &self,
        line: &str,
        strategy: &Bound<'_, PyAny>,
        hands: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut locks = self.0.spot.locks().to_vec();
        locks.push(lock(locks.len(), line, strategy, hands)?);
        self.locked(locks)
    }

    /// The same spot with these locks and no others.
    fn with_locks(&self, locks: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut new = Vec::new();
        for (index, item) in locks.try_iter()?.enumerate() {
            let item = item?;
            let item = item.cast::<PyMapping>().map_err(|_| {
                PyTypeError::new_err(format!(
                    "locks[{index}]: must be a mapping with `line`, `strategy` and perhaps `hands`"
                ))
            })?;
            let (mut line, mut strategy, mut hands) = (None, None, None);
            let (mut change, mut kind, mut by) = (None, None, None);
            for pair in item.items()? {
                let (key, value): (String, Bound<'_, PyAny>) = pair.extract()?;
                match key.as_str() {
                    "line" => line = Some(value.extract::<String>()?),
                    "strategy" => strategy = Some(value),
                    "hands" => hands = (!value.is_none()).then_some(value),
                    "change" => change = Some(value),
                    "kind" => kind = Some(value.extract::<String>()?),
                    "by" => by = Some(value.extract::<String>()?),
                    _ => {
                        return Err(error::request(format!(
                            "unknown key `locks.{key}`: accepted `line`, `strategy`, `hands`, `kind`, `by`, `change`"
                        )));
                    }
                }
            }
            let missing = |key: &str| error::field(&format!("locks[{index}].{key}"), "is missing");
            let line = line.ok_or_else(|| missing("line"))?;
            if strategy.is_some() && change.is_some() {
                return Err(error::field(
                    &format!("locks[{index}].change"),
                    "give `strategy` or `change`, not both",
                ));
            }
            let rule = rule(index, by.as_deref(), change.is_some())?;
            let strategy = change.or(strategy).ok_or_else(|| missing("strategy"))?;
            let new_lock = lock(index, &line, &strategy, hands.as_ref())?;
            new.push(Lock { kinds: kinds(index, kind.as_deref())?, by: rule, ..new_lock });
        }
        self.locked(new)
    }

    /// The same spot with one more line in its betting tree.
    ///
    /// >>> import noregret as nr
    /// >>> spot = nr.Spot("AA,KK", "QQ,JTs", "QsJh2h3c", pot=100, stack=300)
    /// >>> spot.add_line("bet 20").actions("")
    /// ['check', 'bet 20', 'bet 50']
    fn add_line(&self, line: &str) -> PyResult<Self> {
        let line = parsed(line)?;
        self.edited(|options| options.edits.add.push(line))
    }

    /// The same spot without a line of its betting tree, and without all that follows.
    fn remove_line(&self, line: &str) -> PyResult<Self> {
        let line = parsed(line)?;
        self.edited(|options| options.edits.remove.push(line))
    }

    /// The same spot on another board, with its ranges, betting and locks.
    ///
    /// >>> import noregret as nr
    /// >>> spot = nr.Spot("AA,KK", "QQ,JTs", "QsJh2h", pot=100, stack=300)
    /// >>> spot.on("AhKd2c").board
    /// Board("AhKd2c")
    fn on(&self, board: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.changed(crate::board::board(board)?, self.0.spot.options().clone())
    }

    /// What can be done at the end of a line, by the rules of betting alone: nothing is solved.
    fn actions(&self, line: &str) -> PyResult<Vec<String>> {
        let preview = self
            .0
            .spot
            .preview(&parsed(line)?)
            .map_err(|error| error::LineError::new_err(error.to_string()))?;
        match preview.kind {
            BettingNodeKind::Decision(_) => Ok(preview.actions.iter().map(ToString::to_string).collect()),
            _ => Ok(Vec::new()),
        }
    }

    /// What the player out of position may hold.
    #[getter]
    fn oop(&self) -> PyRange {
        PyRange(self.0.spot.range(OOP).clone())
    }

    /// What the player in position may hold.
    #[getter]
    fn ip(&self) -> PyRange {
        PyRange(self.0.spot.range(IP).clone())
    }

    /// What a player may hold.
    fn range(&self, of: &Bound<'_, PyAny>) -> PyResult<PyRange> {
        let player: Player = player(of)?;
        Ok(PyRange(self.0.spot.range(player).clone()))
    }

    /// The public cards.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard(*self.0.spot.board())
    }

    /// The starting pot: an int, or a float where it has decimals.
    #[getter]
    fn pot(&self) -> AmountNumber {
        self.0.spot.options().starting_pot.into()
    }

    /// What each player has left: an int, or a float where it has decimals.
    #[getter]
    fn stack(&self) -> AmountNumber {
        self.0.spot.options().effective_stack.into()
    }

    /// What all amounts and all EVs are in: `"chips"` or `"bb"`.
    #[getter]
    fn unit(&self) -> &'static str {
        self.0.spot.options().unit.name()
    }

    /// How many chips a big blind is; None if that was not said.
    #[getter]
    fn big_blind(&self) -> Option<f64> {
        self.0.spot.options().big_blind
    }

    /// The locks, each with `line`, `strategy` and `hands` where they are not the whole range.
    #[getter]
    fn locks<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let lock = |lock: &Lock| {
            let entry = PyDict::new(py);
            entry.set_item("line", lock.line.to_string())?;
            let strategy = PyDict::new(py);
            lock.strategy.iter().try_for_each(|(step, share)| strategy.set_item(step.to_string(), share))?;
            let merit = match &lock.by {
                LockBy::Merit(merit) => Some(merit),
                LockBy::Uniform => None,
            };
            let is_change = merit.is_some_and(|merit| merit.target == MeritTarget::Change);
            entry.set_item(if is_change { "change" } else { "strategy" }, strategy)?;
            if merit.is_some() {
                entry.set_item("by", "merit")?;
            }
            if !lock.kinds.is_empty() {
                let kinds: Vec<String> = lock.kinds.iter().map(ToString::to_string).collect();
                entry.set_item("kind", kinds.join(" | "))?;
            }
            if let Some(hands) = &lock.hands {
                entry.set_item("hands", hands.to_string())?;
            }
            Ok(entry)
        };
        self.0.spot.locks().iter().map(lock).collect()
    }

    /// A hash of the normalised spec: equal digests mean equal specs, however they were written.
    #[getter]
    fn digest(&self) -> String {
        self.0.digest().to_string()
    }

    /// The target and the last iteration, for a progress bar.
    #[getter]
    fn _goal(&self) -> (f64, u32) {
        (self.0.solver.target_exploitability_pct, self.0.solver.max_iterations)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        let digest = self.0.digest().0;
        u64::from_le_bytes([
            digest[0], digest[1], digest[2], digest[3], digest[4], digest[5], digest[6], digest[7],
        ])
    }

    fn __repr__(&self) -> String {
        let spot = &self.0.spot;
        let hands = |player| spot.holes(player).count();
        format!(
            "<Spot {}, pot {}, stack {}: oop has {} hands, ip {}>",
            spot.board(),
            html::amount(&self.0, spot.options().starting_pot),
            html::amount(&self.0, spot.options().effective_stack),
            hands(OOP),
            hands(IP)
        )
    }

    fn _repr_html_(&self) -> String {
        html::spot(&self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("from_text")?, (self.0.to_string(),)))
    }
}

impl PySpot {
    fn locked(&self, locks: Vec<Lock>) -> PyResult<Self> {
        let spot = self.0.spot.clone().with_locks(locks).map_err(|error| lock_error(&error))?;
        Ok(Self(Spec { spot, ..self.0.clone() }))
    }

    fn edited(&self, edit: impl FnOnce(&mut TreeOptions)) -> PyResult<Self> {
        let mut options = self.0.spot.options().clone();
        edit(&mut options);
        self.changed(*self.0.spot.board(), options)
    }

    fn changed(&self, board: noregret_holdem::cards::Board, options: TreeOptions) -> PyResult<Self> {
        let spot = &self.0.spot;
        let ranges = [OOP, IP].map(|player| spot.range(player).clone());
        let changed = Spot::new(ranges, board, options).map_err(|error| match &error {
            SpotError::Options(options) => error::field(&options.field.path(), &options.message),
            SpotError::Edit(edit) => error::SpecError::new_err(edit.to_string()),
            _ => error::request(&error),
        })?;
        let changed = changed.with_locks(spot.locks().to_vec()).map_err(|error| lock_error(&error))?;
        Ok(Self(Spec { spot: changed, ..self.0.clone() }))
    }
}

fn lock_error(error: &LockError) -> PyErr {
    let field = format!("locks[{}].{}", error.lock, error.field);
    error::SpecError::new_err((error.to_string(), None::<u32>, field))
}

/// Which hands take which action.
fn rule(index: usize, by: Option<&str>, changes: bool) -> PyResult<LockBy> {
    let target = if changes { MeritTarget::Change } else { MeritTarget::Frequency };
    match by.unwrap_or("uniform") {
        "merit" => Ok(LockBy::Merit(Merit { target, resolved: None })),
        "uniform" if !changes => Ok(LockBy::Uniform),
        "uniform" => Err(error::field(&format!("locks[{index}].change"), "`change` needs `by`: \"merit\"")),
        other => {
            let message = format!("`{other}` is not known: write \"merit\" or \"uniform\"");
            Err(error::field(&format!("locks[{index}].by"), message))
        }
    }
}

/// Kinds of hands with `|` between.
fn kinds(index: usize, text: Option<&str>) -> PyResult<Vec<HandKind>> {
    let kind = |text: &str| {
        let path = format!("locks[{index}].kind");
        text.parse().map_err(|error| error::field(&path, format!("`{}`: {error}", text.trim())))
    };
    text.map_or(Ok(Vec::new()), |text| text.split('|').map(kind).collect())
}

fn lock(
    index: usize,
    line: &str,
    strategy: &Bound<'_, PyAny>,
    hands: Option<&Bound<'_, PyAny>>,
) -> PyResult<Lock> {
    let path = |key: &str| format!("locks[{index}].{key}");
    let line = line.parse().map_err(|error| error::field(&path("line"), error))?;
    let step = |text: &str| text.parse::<Line>().ok().and_then(|line| <[Step; 1]>::try_from(line.steps).ok());
    let action = |text: &str| {
        let wrong = || error::field(&path("strategy"), format!("`{text}` is not an action, like `bet 94`"));
        step(text).map(|[step]| step).ok_or_else(wrong)
    };
    let strategy = if let Ok(text) = strategy.cast::<PyString>() {
        vec![(action(&text.to_cow()?)?, 1.0)]
    } else {
        let mapping = strategy.cast::<PyMapping>().map_err(|_| {
            PyTypeError::new_err(format!(
                "{}: must be an action, or a mapping from actions to frequencies",
                path("strategy")
            ))
        })?;
        let entry = |pair: Bound<'_, PyAny>| {
            let (name, share): (String, f64) = pair.extract()?;
            Ok((action(&name)?, share))
        };
        mapping.items()?.iter().map(entry).collect::<PyResult<Vec<_>>>()?
    };
    let hands = hands.map(|hands| range(hands, &path("hands"))).transpose()?;
    if hands.as_ref().is_some_and(|hands| hands.iter().any(|(_, weight)| weight != 1.0)) {
        return Err(error::field(&path("hands"), "a lock takes hands as a whole: leave the weights out"));
    }
    Ok(Lock { line, hands, strategy, ..Lock::default() })
}

fn parsed(line: &str) -> PyResult<Line> {
    line.parse()
        .map_err(|error: noregret_holdem::ParseLineError| error::LineError::new_err(error.to_string()))
}

/// `[cards]` of a spec.
fn cards(value: &Bound<'_, PyAny>) -> PyResult<Table> {
    let cards = board(value)?.cards().iter().map(ToString::to_string).collect::<Vec<_>>();
    let (flop, rest) = cards.split_at(3);
    let dealt =
        ["turn", "river"].into_iter().zip(rest).map(|(street, card)| (street.to_owned(), card.clone()));
    let all = [("flop".to_owned(), flop.concat())].into_iter().chain(dealt);
    Ok(all.map(|(street, cards)| (street, Value::String(cards))).collect())
}

/// A number of a spec.
fn number(value: &Bound<'_, PyAny>, key: &str) -> PyResult<Value> {
    if !value.is_instance_of::<PyBool>() {
        if let Ok(whole) = value.extract::<i64>() {
            return Ok(Value::Integer(whole));
        }
        if let Ok(number) = value.extract::<f64>() {
            return Ok(Value::Float(number));
        }
    }
    let kind = value.get_type().name()?;
    Err(PyTypeError::new_err(format!("tree.{key}: must be a number, not {kind}")))
}

/// `[bet_sizes]` of a spec.
fn bet_sizes(
    bet: Option<&Bound<'_, PyAny>>,
    raise: Option<&Bound<'_, PyAny>>,
    donk: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let mut streets = [Table::new(), Table::new(), Table::new()];
    for (kind, value) in [("bet", bet), ("raise", raise), ("donk", donk)] {
        let Some(value) = value else { continue };
        for (street, table) in Street::ALL.into_iter().zip(&mut streets) {
            let Some(value) = part(value, &street.to_string(), kind, &["flop", "turn", "river"])? else {
                continue;
            };
            for player in ["oop", "ip"] {
                if kind == "donk" && player == "ip" {
                    continue;
                }
                let Some(sizes) = part(&value, player, kind, &["oop", "ip"])? else { continue };
                let text: String = sizes.extract().map_err(|_| wrong_sizes(kind))?;
                table.insert(format!("{player}_{kind}"), Value::String(text));
            }
        }
    }
    let names = Street::ALL.map(|street| street.to_string());
    Ok(names.into_iter().zip(streets).map(|(name, table)| (name, Value::Table(table))).collect())
}

/// What a mapping by street or by player has for one of them; all of it, if it is of the other kind or a text.
fn part<'py>(
    value: &Bound<'py, PyAny>,
    key: &str,
    kind: &str,
    keys: &[&str],
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Ok(mapping) = value.cast::<PyMapping>() else { return Ok(Some(value.clone())) };
    let known = ["flop", "turn", "river", "oop", "ip"];
    let names = mapping.keys()?.iter().map(|name| name.extract::<String>()).collect::<PyResult<Vec<_>>>();
    let names = names.map_err(|_| wrong_sizes(kind))?;
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        let message = format!("{kind}: unknown key `{name}`: accepted `flop`, `turn`, `river`, `oop`, `ip`");
        return Err(PyValueError::new_err(message));
    }
    let own = names.iter().filter(|name| keys.contains(&name.as_str())).count();
    match own {
        0 => Ok(Some(value.clone())),
        own if own < names.len() => Err(PyValueError::new_err(format!(
            "{kind}: give streets, and players within a street, not both side by side"
        ))),
        _ if mapping.contains(key)? => Ok(Some(mapping.get_item(key)?)),
        _ => Ok(None),
    }
}

fn wrong_sizes(kind: &str) -> PyErr {
    PyTypeError::new_err(format!("{kind}: must be sizes like \"52%\", or a mapping by street or player"))
}
