"""What can go wrong. Texts are those of the command line."""

from __future__ import annotations


class NoregretError(Exception):
    """Any complaint of noregret.

    >>> import noregret as nr
    >>> issubclass(nr.SpecError, nr.NoregretError) and issubclass(nr.FileError, nr.NoregretError)
    True
    """

    __module__ = "noregret"


class SpecError(NoregretError, ValueError):
    """A spot, or a value of a solve, that makes no sense.

    >>> import noregret as nr
    >>> try:
    ...     nr.Spot("AA", "KK", "QsJh2h", pot=0, stack=300)
    ... except nr.SpecError as error:
    ...     print(error.field, "|", error)
    tree.starting_pot | tree.starting_pot: must be an amount above 0 and up to 1000000000, with at most two decimals, as in `starting_pot = 5.5`
    """

    __module__ = "noregret"

    line: int | None
    """The line of the spec file where the trouble begins, from 1, where that is known."""
    field: str | None
    """The field by its path, like ``ranges.oop``; None if the text as a whole is wrong."""
    help: str | None
    """What to do about it."""

    def __init__(
        self, message: str, line: int | None = None, field: str | None = None, help: str | None = None
    ) -> None:
        super().__init__(message)
        self.line = line
        self.field = field
        self.help = help


class LineError(NoregretError, LookupError):
    """A line that is none, or that leaves the betting tree.

    >>> import noregret as nr
    >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
    >>> nr.solve(spot, target=5, progress=False)["bet 7"]
    Traceback (most recent call last):
    noregret.LineError: there is no `bet 7` at the root: there is `check`, `bet 50`
    """

    __module__ = "noregret"


class FileError(NoregretError, OSError):
    """A file that is not there, damaged, or cannot be written.

    >>> import noregret as nr
    >>> nr.open("none.nrs")
    Traceback (most recent call last):
    noregret.FileError: there is no solution file none.nrs
    """

    __module__ = "noregret"


class DoesNotFit(NoregretError, MemoryError):
    """A spot that takes more memory than allowed; the text says what would fit.

    >>> import noregret as nr
    >>> spot = nr.Spot("22+,A2+,K2s+", "22+,A2+,K2s+", "QsJh2h", pot=100, stack=900)
    >>> try:
    ...     nr.solve(spot, memory="1MB")
    ... except nr.DoesNotFit as error:
    ...     print("needs" in str(error), isinstance(error, MemoryError))
    True True
    """

    __module__ = "noregret"


class StateError(NoregretError, ValueError):
    """A packed state of Texas 42 that is none, or that the table cannot reach.

    >>> from noregret import forty_two
    >>> forty_two.solve(seed=0, decl="blanks").q([-1])
    Traceback (most recent call last):
    noregret.StateError: state number 0 of the list: state -1 has bits outside the to-go layout
    """

    __module__ = "noregret"
