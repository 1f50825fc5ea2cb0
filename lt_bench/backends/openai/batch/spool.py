"""Requests as files that the server takes: so many requests and bytes in each, and no more in memory."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from lt_bench.backends.openai.batch.asked import Asked


@dataclass(frozen=True)
class Spool:
    """One file and the requests in it. It has no name on the disk: it goes with the process."""

    file: IO[bytes]
    size: int
    asked: list[Asked]


def spools(
    asked: Iterable[Asked],
    line: Callable[[Asked], bytes],
    *,
    folder: Path,
    requests: int,
    size: int,
) -> Iterator[Spool]:
    """Cuts `asked` into files of at most so many requests and bytes; a line that is larger alone has a
    file of its own. The caller closes each."""
    file, taken, written = _file(folder), list[Asked](), 0
    for one in asked:
        data = line(one)
        if taken and (len(taken) == requests or written + len(data) > size):
            file.flush()
            yield Spool(file, written, taken)
            file, taken, written = _file(folder), [], 0
        file.write(data)
        taken.append(one)
        written += len(data)
    file.flush()
    if taken:
        yield Spool(file, written, taken)
    else:
        file.close()


def _file(folder: Path) -> IO[bytes]:
    return tempfile.TemporaryFile(dir=folder)
