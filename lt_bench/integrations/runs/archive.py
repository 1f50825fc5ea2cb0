"""Members of a zip archive of JSON, read one at a time and never unpacked to disk.

Inspect compresses them with Zstandard (method 93 of the zip format), which `zipfile` reads from
Python 3.14 on only. So the bytes are taken from the archive as they are and decompressed here, under bounds
that hold before memory does: a few kilobytes may claim to be anything.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

import orjson

from lt_bench.errors import UsageError

MAX_MEMBER: Final = 256 * 2**20
"""Bytes that one member may unpack to."""
MAX_TOTAL: Final = 8 * 2**30
"""Bytes that all members that are read may unpack to."""
MAX_MEMBERS: Final = 1_000_000

STORED, DEFLATED, ZSTANDARD = 0, 8, 93
_LOCAL: Final = struct.Struct("<4s5H3I2H")
"""The head of a member (APPNOTE.TXT, 4.3.7): signature, …, length of its name, length of its extra."""
_ENCRYPTED: Final = 0x1
_DAMAGED = "export the log again, or copy it again"


class Archive:
    """An open archive. `names` are its members; of two with one name the later counts, as `zipfile`
    has it.

    Raises:
        UsageError: it is no zip archive, or a damaged one.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._taken = path, 0
        try:
            with zipfile.ZipFile(path) as archive:
                members = archive.infolist()
        except (
            OSError,
            zipfile.BadZipFile,
            struct.error,
            ValueError,
            NotImplementedError,
        ) as error:
            raise UsageError(f"{path} is no whole zip archive: {error}", _DAMAGED) from error
        if len(members) > MAX_MEMBERS:
            raise UsageError(
                f"{path} has more than {MAX_MEMBERS:,} members", "import a log of fewer samples"
            )
        self._members = {member.filename: member for member in members}
        self._file: IO[bytes] | None = None

    @property
    def names(self) -> list[str]:
        return list(self._members)

    def json(self, name: str) -> Any:
        """What a member holds.

        Raises:
            UsageError: it is none, too large, encrypted, damaged, or no JSON.
        """
        try:
            return orjson.loads(self._bytes(self._members[name]))
        except orjson.JSONDecodeError as error:
            raise self._fault(name, f"is no JSON: {error}") from error

    def _bytes(self, member: zipfile.ZipInfo) -> bytes:
        name = member.filename
        if member.flag_bits & _ENCRYPTED:
            raise self._fault(name, "is encrypted")
        found = b"".join(self._unpacked(member, self._packed(member)))
        if len(found) != member.file_size or zlib.crc32(found) != member.CRC:
            raise self._fault(name, "is damaged: its bytes are not those that were written")
        return found

    def _packed(self, member: zipfile.ZipInfo) -> bytes:
        """The bytes of a member as they lie in the archive."""
        assert self._file is not None, "members are read inside a with block"
        if member.compress_size > MAX_MEMBER:
            raise self._fault(member.filename, f"is larger than {MAX_MEMBER:,} bytes")
        try:
            self._file.seek(member.header_offset)
            head = _LOCAL.unpack(self._file.read(_LOCAL.size))
            if head[0] != b"PK\x03\x04":
                raise self._fault(member.filename, "does not stand where the archive says")
            self._file.seek(head[-2] + head[-1], 1)
            return self._file.read(member.compress_size)
        except (OSError, struct.error, ValueError) as error:
            raise self._fault(member.filename, f"cannot be read: {error}") from error

    def _unpacked(self, member: zipfile.ZipInfo, packed: bytes) -> Iterator[bytes]:
        """The member in pieces, stopped where it grows beyond a bound."""
        size = 0
        for piece in self._pieces(member, packed):
            size += len(piece)
            self._taken += len(piece)
            if size > MAX_MEMBER or self._taken > MAX_TOTAL:
                raise self._fault(member.filename, "unpacks to more than any sample of a log is")
            yield piece

    def _pieces(self, member: zipfile.ZipInfo, packed: bytes) -> Iterator[bytes]:
        name, method = member.filename, member.compress_type
        if method == STORED:
            yield packed
        elif method == DEFLATED:
            try:
                yield from _inflated(packed)
            except zlib.error as error:
                raise self._fault(name, f"is damaged: {error}") from error
        elif method == ZSTANDARD:
            try:
                yield from _zstandard(packed)
            except OSError as error:
                raise self._fault(name, f"is damaged: {error}") from error
        else:
            raise self._fault(name, f"is compressed by method {method}, which nobody here reads")

    def _fault(self, name: str, what: str) -> UsageError:
        return UsageError(f"{self.path}: {name[:120]!r} {what}", _DAMAGED)

    def __enter__(self) -> Self:
        try:
            self._file = self.path.open("rb")
        except OSError as error:
            raise UsageError(
                f"cannot read {self.path}: {error.strerror}", "check the path and its rights"
            ) from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


_PIECE: Final = 2**20


def _inflated(packed: bytes) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    rest = packed
    while rest and not unpacker.eof:
        yield unpacker.decompress(rest, _PIECE)
        rest = unpacker.unconsumed_tail
    yield unpacker.flush()


def _zstandard(packed: bytes) -> Iterator[bytes]:
    import pyarrow

    with pyarrow.CompressedInputStream(pyarrow.BufferReader(packed), "zstd") as stream:
        while piece := stream.read(_PIECE):
            yield bytes(piece)
