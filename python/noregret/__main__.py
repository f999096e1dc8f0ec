"""The command line: `noregret`, or `python -m noregret`."""

from __future__ import annotations

import signal
import sys

from ._noregret import run_command_line


def main() -> int:
    """Runs the command of `sys.argv` and returns its exit code."""
    # Python would keep Ctrl-C to itself until the command is done; commands that have something to save listen by themselves.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command_line(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
