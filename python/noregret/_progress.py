"""How far a solve is: a line in terminals, a bar in notebooks, nothing elsewhere."""

from __future__ import annotations

import html
import math
import shutil
import sys
from importlib import import_module
from types import TracebackType
from typing import Any

from ._noregret import Spot


class Progress:
    """Shows how far a solve is. This one shows nothing; subclasses do as they like.

    >>> import noregret as nr
    >>> class Count(nr.Progress):
    ...     is_shown, calls = True, 0
    ...     def show(self, share, text):
    ...         self.calls += 1
    >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
    >>> solution = nr.solve(spot, target=1, progress=Count())
    """

    is_shown = False
    """Whether anybody looks: if not, `update` is not called."""

    target = 0.0
    max_iterations = 0
    _first: float | None = None

    def begin(self, target: float, max_iterations: int) -> None:
        """Called before the first iteration."""
        self.target, self.max_iterations, self._first = target, max_iterations, None

    def update(
        self,
        iteration: int,
        seconds: float,
        coarse: tuple[int, int] | None,
        exploitability: float | None,
        seconds_left: float | None,
    ) -> None:
        """Called now and then, a few times a second at most."""
        if coarse is not None:
            self.show(0.0, f"coarse tree: iteration {coarse[0]} of {coarse[1]}")
            return
        text = f"iteration {iteration}"
        share = iteration / max(self.max_iterations, 1)
        if exploitability is not None:
            self._first = self._first if self._first is not None else exploitability
            text += f" · exploitability {exploitability:.3f}% → {self.target:g}%"
            share = max(share, _share_of_the_way(self._first, exploitability, self.target))
        if seconds_left is not None:
            text += f" · {_short(seconds_left)} left"
        self.show(min(max(share, 0.0), 1.0), text)

    def show(self, share: float, text: str) -> None:
        """Shows a share of the way, from 0 to 1, and what to say about it."""

    def end(self) -> None:
        """Called at the end, whatever it is."""

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()


def _share_of_the_way(first: float, now: float, target: float) -> float:
    """How far the exploitability has fallen from where it was first seen to the target, on a logarithmic scale."""
    if not (target > 0 and first > target and now > 0):
        return 0.0
    return math.log(first / now) / math.log(first / target)


def _short(seconds: float) -> str:
    whole = math.ceil(seconds)
    if whole <= 1:
        return "under 1 s"
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole // 60 % 60:02} min"


class _TerminalProgress(Progress):
    """One line on standard error, written over."""

    is_shown = True
    _width = 0

    def show(self, share: float, text: str) -> None:
        columns = shutil.get_terminal_size().columns
        room = max(columns - len(text) - 2, 0)
        bar = "━" * round(share * room)
        line = f"{bar:─<{room}} {text}"[: columns - 1]
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def end(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()


class _NotebookProgress(Progress):
    """A bar below the cell."""

    is_shown = True

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, share: float, text: str) -> None:
        notebook: Any = import_module("IPython.display")
        shown = notebook.HTML(
            '<div style="font:13px system-ui,sans-serif;max-width:640px">'
            '<div style="height:6px;border-radius:3px;background:#8884;overflow:hidden">'
            f'<div style="height:6px;width:{100 * share:.1f}%;background:#2e7f4d"></div></div>'
            f"{html.escape(text)}</div>"
        )
        if self._handle is None:
            self._handle = notebook.display(shown, display_id=True)
        else:
            self._handle.update(shown)

    def end(self) -> None:
        if self._handle is not None:
            notebook: Any = import_module("IPython.display")
            self._handle.update(notebook.HTML(""))


def _is_notebook() -> bool:
    shell = sys.modules.get("IPython")
    if shell is None:
        return False
    running = shell.get_ipython()
    return running is not None and hasattr(running, "kernel")


def progress_of(asked: bool | Progress | None, spot: Spot) -> Progress:
    """What shows the progress of a solve of a spot."""
    bar = plain_progress(asked)
    bar.begin(*spot._goal)
    return bar


def plain_progress(asked: bool | Progress | None) -> Progress:
    """What shows the progress of something else than a solve: its `show` is called."""
    if isinstance(asked, Progress):
        return asked
    if asked is False:
        return Progress()
    if _is_notebook():
        return _NotebookProgress()
    if sys.stderr is not None and (asked or sys.stderr.isatty()):
        return _TerminalProgress()
    return Progress()
