"""New files of a folder, written under a hidden name until all of them are whole.

The hidden folder is locked by the process that fills it. One that nobody locks was left by a
command that was killed: if it says what is to be removed, its files are whole and were on their way
to their places, and the next command for the same target ends that; else it clears them.
"""

from __future__ import annotations

import io
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import IO, TYPE_CHECKING, Final, Self

from lt_bench.errors import RunError, UsageError

if TYPE_CHECKING:
    from typing_extensions import Buffer


_GONE: Final = ".gone.json"
"""Written when all else is whole: the names of the files that the new ones leave no place for."""


class Staging:
    """Files for `folder`, which appear there together by `commit`, or not at all.

    `target` names what is written, so that others may write something else to the same folder;
    `last` is the file that vouches for the others and is written and moved after them.

    Raises:
        UsageError: another process is writing the same target.
        RunError: the folder cannot be written; every method may raise it.
    """

    def __init__(self, folder: Path, target: str, last: str) -> None:
        self.folder, self.hidden, self.last = folder, folder / f".{target}.part", last
        self.hashes: dict[str, str] = {}
        """sha256 (hex) of each file that is whole."""

    def __enter__(self) -> Self:
        self._made = [part for part in (self.folder, *self.folder.parents) if not part.exists()]
        try:
            with writing(self.folder):
                self.folder.mkdir(parents=True, exist_ok=True)
                self._lock = _locked_folder(self.hidden)
                self._clear()
        except BaseException:
            _remove_empty(self._made)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        shutil.rmtree(self.hidden, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)
        _remove_empty(self._made)

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """A new file of this name (with / for folders in between), on disk when closed."""
        path = self.hidden / name
        with writing(self.folder / name):
            path.parent.mkdir(parents=True, exist_ok=True)
            sink = _Sink(path, self.folder / name)
        with io.BufferedWriter(sink, 2**18) as file:
            yield file
            file.flush()
            with writing(self.folder / name):
                os.fsync(sink.fileno())
        self.hashes[name] = sink.running.hexdigest()

    def write(self, name: str, text: str) -> None:
        """A small file at once."""
        with self.open(name) as file:
            file.write(text.encode())

    def commit(self, gone: Iterable[str] = ()) -> None:
        """Moves all files to their places, and removes those that `gone` names."""
        self.write(_GONE, json.dumps(list(gone)))
        with writing(self.folder):
            self._settle()

    def _settle(self) -> None:
        """An older `last` goes first, so that none ever stands beside files that it does not
        describe."""
        (self.folder / self.last).unlink(missing_ok=True)
        told = self.hidden / _GONE
        for name in json.loads(told.read_bytes()):
            _remove(self.folder, name)
        files = (path for path in self.hidden.rglob("*") if path.is_file() and path != told)
        for path in sorted(files, key=lambda path: path == self.hidden / self.last):
            place = self.folder / path.relative_to(self.hidden)
            place.parent.mkdir(parents=True, exist_ok=True)
            path.replace(place)
        _sync(self.folder)

    def _clear(self) -> None:
        if all((self.hidden / name).is_file() for name in (_GONE, self.last)):
            self._settle()
        for left in self.hidden.iterdir():
            shutil.rmtree(left) if left.is_dir() else left.unlink()


class _Sink(io.FileIO):
    """A file that says where it was to be, when the disk takes no more."""

    def __init__(self, path: Path, place: Path) -> None:
        super().__init__(path, "wb")
        self.place, self.running = place, sha256()

    def write(self, data: Buffer, /) -> int:
        with writing(self.place):
            written = super().write(data)
        self.running.update(memoryview(data)[:written])
        return written


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turns what the disk refuses into a `RunError` that names the path."""
    try:
        yield
    except OSError as error:
        raise RunError(
            f"cannot write {path}: {error.strerror or error}", "check the folder and the free space"
        ) from error


def _locked_folder(hidden: Path) -> int | None:
    """Makes the folder and locks it: the open descriptor, or None where nothing can be locked.
    The lock goes with the process, however it dies."""
    try:
        import fcntl
    except ImportError:  # Windows has no flock; there two builds into one folder are on their own.
        hidden.mkdir(exist_ok=True)
        return None
    while True:
        hidden.mkdir(exist_ok=True)
        descriptor = os.open(hidden, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(descriptor)
            raise UsageError(
                f"another command is writing {hidden.parent}", "wait for it, or write elsewhere"
            ) from error
        # The one who held it may have removed the folder in between.
        if hidden.exists() and os.fstat(descriptor).st_ino == hidden.stat().st_ino:
            return descriptor
        os.close(descriptor)


def _remove(folder: Path, name: str) -> None:
    """Removes a file, and the folders between it and `folder` that are empty then."""
    (folder / name).unlink(missing_ok=True)
    _remove_empty(folder / parent for parent in PurePosixPath(name).parents[:-1])


def _remove_empty(folders: Iterable[Path]) -> None:
    """Removes those that are empty, innermost first."""
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def _sync(folder: Path) -> None:
    """Has the new names survive a power cut, where the system can do so."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
