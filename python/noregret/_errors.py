"""What can go wrong. Texts are those of the command line."""

from __future__ import annotations

from os import PathLike, fspath

class NoregretError(Exception):
    """Any complaint of noregret.

    >>> import noregret as nr
    >>> issubclass(nr.SpecError, nr.NoregretError) and issubclass(nr.FileError, nr.NoregretError)
    True
    """

    __module__ = "noregret"


class SpecError(NoregretError, ValueError):
    """A spot, or a value of a solve, that makes no sense. The text of an error in a file shows the line, and what to do about it.

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
    """A file that is not there, damaged, or cannot be written. `errno` and `filename` are set where the system has said no.

    >>> import noregret as nr
    >>> nr.Spot("AA", "KK", "QsJh2h", pot=100, stack=300).to_toml("no/such/folder.toml")
    Traceback (most recent call last):
    noregret.MissingFile: cannot write no/such/folder.toml: No such file or directory (os error 2)
    """

    __module__ = "noregret"

    def __init__(self, message: str, errno: int | None = None, filename: str | PathLike[str] | None = None) -> None:
        super().__init__(message)
        self.errno = errno
        self.filename = None if filename is None else fspath(filename)

    # That of the system's errors would make a text of its own out of the number and the name.
    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[type[FileError], tuple[object, ...]]:
        return type(self), (self.args[0], self.errno, self.filename)


class MissingFile(FileError, FileNotFoundError):
    """A file that is not there: a `FileNotFoundError`, too.

    >>> import noregret as nr
    >>> try:
    ...     nr.open("none.nrs")
    ... except FileNotFoundError as error:
    ...     print(error.filename, "|", error)
    none.nrs | there is no solution file none.nrs: `noregret solve SPEC --out FILE.nrs` makes one
    """

    __module__ = "noregret"


class ContentError(FileError):
    """A file that can be read and is not what it should be: damaged, of another kind, or of another spot.

    >>> import noregret as nr
    >>> try:
    ...     nr.open(nr.__file__)
    ... except nr.ContentError as error:
    ...     print("not a solution" in str(error))
    True
    """

    __module__ = "noregret"


class HandError(NoregretError, KeyError):
    """A hand that a player cannot hold at a point.

    >>> import noregret as nr
    >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
    >>> nr.solve(spot, target=5, progress=False).root.hand("7c2d")
    Traceback (most recent call last):
    noregret.HandError: 7c2d is not in the range, or a card of the board blocks it
    """

    __module__ = "noregret"

    # That of a `KeyError` puts quotes around the text.
    def __str__(self) -> str:
        return str(self.args[0])


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
