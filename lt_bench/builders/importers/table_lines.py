"""The lines of a text file that holds a table: opened, unpacked, decoded, in bounded pieces."""

from __future__ import annotations

import gzip
import io
import itertools
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, cast

from lt_bench.errors import UsageError
from lt_bench.jsonl import MAX_LINE, MAX_UNPACKED, check_file

BOM: Final = "\ufeff"
_GZIP: Final = b"\x1f\x8b"
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_FOREIGN: Final = {
    b"PK\x03\x04": ("a spreadsheet or a zip archive", "save the sheet as CSV UTF-8"),
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook", "save the sheet as CSV UTF-8"),
    b"\x28\xb5\x2f\xfd": ("Zstandard-compressed", "unpack it with `zstd -d`"),
    b"BZh": ("bzip2-compressed", "unpack it with `bunzip2`"),
    b"\xfd7zXZ": ("xz-compressed", "unpack it with `unxz`"),
    b"PAR1": ("a Parquet file", "convert it to CSV"),
}
SAVE: Final = "save it as CSV UTF-8"


def is_json(path: Path) -> bool:
    """Whether the file's first character begins a JSON object or array.

    Raises:
        UsageError: the file cannot be read.
    """
    with _bytes(path) as file:
        head = file.read(4096)
    encoding = "utf-16" if head[:2] in _UTF16 else "utf-8"
    return head.decode(encoding, "replace").lstrip(BOM).lstrip()[:1] in ("{", "[")


@contextmanager
def text_lines(path: Path) -> Iterator[Iterator[str]]:
    """The lines of the file with their ends; bytes that are not UTF-8 are lone surrogates in them,
    so that the row and the column can be named.

    Raises:
        UsageError: the file cannot be read, or is of another kind.
    """
    with _bytes(path) as file:
        head = file.read(4096)
        file.seek(0)
        _check_head(path, head)
        wide = head[:2] in _UTF16
        text = io.TextIOWrapper(
            file,
            encoding="utf-16" if wide else "utf-8-sig",
            errors="strict" if wide else "surrogateescape",
            newline="",
        )
        yield _bounded(path, text)


@contextmanager
def _bytes(path: Path) -> Iterator[IO[bytes]]:
    """The file's bytes, unpacked if gzip, at its beginning."""
    check_file(path)
    try:
        file = path.open("rb")
    except OSError as error:
        raise UsageError(
            f"cannot read {path}: {error.strerror}", "check the path and its rights"
        ) from error
    with file:
        packed = file.read(2) == _GZIP
        file.seek(0)
        try:
            yield cast("IO[bytes]", gzip.GzipFile(fileobj=file)) if packed else file
        except UnicodeDecodeError as error:
            raise UsageError(f"{path} is broken {error.encoding} text", SAVE) from error
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise UsageError(f"{path} is a damaged gzip file: {error}", "fetch it again") from error


def _check_head(path: Path, head: bytes) -> None:
    for magic, (kind, fix) in _FOREIGN.items():
        if head.startswith(magic):
            raise UsageError(f"{path} is {kind}, not a table", fix)
    if head[:2] not in _UTF16 and head.count(b"\0") * 4 > len(head) > 0:
        raise UsageError(f"{path} is UTF-16 text without a byte-order mark, or no text", SAVE)


def _bounded(path: Path, text: io.TextIOWrapper) -> Iterator[str]:
    total = 0
    for number in itertools.count(1):
        line = text.readline(MAX_LINE + 1)
        if not line:
            return
        total += len(line)
        if len(line) > MAX_LINE:
            raise UsageError(
                f"{path}, line {number}: longer than {MAX_LINE:,} characters",
                "no row is that long: look for the right file",
            )
        if total > MAX_UNPACKED:
            raise UsageError(f"{path} is over {MAX_UNPACKED:,} characters", "split the file")
        yield line
