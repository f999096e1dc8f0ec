"""Ctrl-C, noted to be acted on where that is clean."""

from __future__ import annotations

import signal
import threading
from typing import Any


class Interrupts:
    """Notes the first Ctrl-C, so that what is under way is finished; the second one ends the program as ever."""

    is_requested = False
    """Whether the program is to stop."""
    _before: Any = None

    def __enter__(self) -> Interrupts:
        # Other threads get none.
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, *_: object) -> None:
        self.is_requested = True
        signal.signal(signal.SIGINT, self._before)

    def check(self) -> None:
        """Raises `KeyboardInterrupt` if the program is to stop: for waits during which nothing is lost."""
        if self.is_requested:
            raise KeyboardInterrupt

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
