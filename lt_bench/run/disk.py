"""What a run asks of its disk beyond appending: files replaced in one step, and what a refusal means."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from lt_bench.errors import RunError

_FULL: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))


def write_whole(path: Path, text: str) -> None:
    """Replaces a file in one step: a reader sees the old text or the new one, never half.

    Raises:
        RunError: the disk refuses; the old text stands.
    """
    replace_lines(path, [text.encode(), b"\n"])


def replace_lines(path: Path, lines: Iterable[bytes]) -> None:
    """The same for what is long; every piece brings its own line end.

    Raises:
        RunError: the disk refuses; the old text stands.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        sync_folder(path.parent)
    except BaseException as error:
        with suppress(OSError):
            part.unlink()
        if isinstance(error, OSError):
            raise cannot_write(path, error) from error
        raise


def sync_folder(folder: Path) -> None:
    """Brings the names in a folder to the disk, where the system can."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def cannot_write(path: Path, error: OSError | None) -> RunError:
    """What a disk that takes no more means for the run; None: it took a part of a row."""
    full = error is None or error.errno in _FULL
    reason = "no space left on the device" if error is None else error.strerror
    cure = "free some space" if full else "see to the disk and to the rights on that file"
    return RunError(
        f"cannot write {path}: {reason}",
        f"{cure}, then run the same command again: finished rows are kept",
    )
