//! The two players.

use noregret_holdem::{IP, OOP, Player};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// One of the two players: `noregret.OOP` acts first on every street, `noregret.IP` last.
///
/// Wherever a player is asked for, the texts `"oop"` and `"ip"` do as well.
///
/// >>> import noregret as nr
/// >>> nr.OOP == nr.Player.OOP, str(nr.IP)
/// (True, 'ip')
#[pyclass(name = "Player", module = "noregret", frozen, eq, hash, skip_from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum PyPlayer {
    /// Out of position: acts first.
    #[pyo3(name = "OOP")]
    Oop,
    /// In position: acts last.
    #[pyo3(name = "IP")]
    Ip,
}

#[pymethods]
impl PyPlayer {
    fn __str__(&self) -> &'static str {
        match self {
            Self::Oop => "oop",
            Self::Ip => "ip",
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let name = match self {
            Self::Oop => "OOP",
            Self::Ip => "IP",
        };
        Ok((py.import("builtins")?.getattr("getattr")?, (py.get_type::<Self>().into_any(), name)))
    }
}

/// What pickling writes: a function, and what to call it with.
type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, PyAny>, &'static str));

impl From<Player> for PyPlayer {
    fn from(player: Player) -> Self {
        if player == OOP { Self::Oop } else { Self::Ip }
    }
}

impl From<PyPlayer> for Player {
    fn from(player: PyPlayer) -> Self {
        match player {
            PyPlayer::Oop => OOP,
            PyPlayer::Ip => IP,
        }
    }
}

/// The player that an argument names.
pub fn player(value: &Bound<'_, PyAny>) -> PyResult<Player> {
    if let Ok(player) = value.cast::<PyPlayer>() {
        return Ok((*player.get()).into());
    }
    match value.extract::<String>().as_deref() {
        Ok("oop") => Ok(OOP),
        Ok("ip") => Ok(IP),
        _ => {
            let message = format!(
                "{} is not a player: accepted noregret.OOP, noregret.IP, \"oop\", \"ip\"",
                value.repr()?
            );
            Err(PyValueError::new_err(message))
        }
    }
}
