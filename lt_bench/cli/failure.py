"""What a person sees when a command fails: at most six lines, cause and fix, no traceback."""

from __future__ import annotations

import sys
from contextlib import suppress

from lt_bench.errors import LtBenchError
from lt_bench.plain import printable

LINES, WIDTH = 6, 400


def report(error: Exception) -> int:
    """Prints the error to stderr and returns the exit code."""
    if isinstance(error, LtBenchError):
        text, code = str(error), error.exit_code
    elif isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        text = (
            f"{place}{error.strerror or type(error).__name__}\n"
            "fix: check the path, its rights and the free space; finished rows are kept"
        )
        code = 4
    else:
        text = (
            f"{type(error).__name__}: {error}\n"
            "fix: this is a fault of lt-bench; repeat with --debug and report what it shows"
        )
        code = 4
    lines = [printable(line)[:WIDTH] for line in f"error: {text}".splitlines() if line.strip()]
    if len(lines) > LINES:
        lines = [*lines[: LINES - 2], "…", lines[-1]]
    with suppress(OSError):
        print("\n".join(lines), file=sys.stderr)
    return code
