"""Answers of judge models, kept by the exact request."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from lt_bench.backends import ModelFacts, Request
from lt_bench.backends.cache_folder import cache_folder
from lt_bench.config import digest
from lt_bench.errors import first_line
from lt_bench.records import FinishReason, Record, Usage

log = logging.getLogger(__name__)

TABLE = "answers_1"
"""Named anew when what it holds changes its form; the old one is then left alone."""

PATIENCE = 10.0
"""Seconds to wait for another process that writes."""

Found = TypeVar("Found")


class Kept(Record):
    """An answer that held a verdict. `usage` is what the vote cost, answers before it included."""

    text: str
    finish_reason: FinishReason
    usage: Usage | None = None


class AnswerCache:
    """One SQLite file of the user's, for several processes of one machine at once; each answer is
    there whole or not at all, whenever a process is killed.

    Only answers that were read as a verdict belong here, so that silence and garbage are asked
    again. A file that cannot be read or written is warned of once, and the run goes on without.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._broken = False

    async def get(self, key: str) -> Kept | None:
        """The answer under `key`; None where there is none that can be read."""
        query = f"SELECT value FROM {TABLE} WHERE key = ?"  # noqa: S608
        row = await asyncio.to_thread(
            self._try, lambda file: file.execute(query, (key,)).fetchone()
        )
        try:
            return None if row is None else Kept.model_validate_json(row[0])
        except ValidationError:
            return None

    async def put(self, key: str, answer: Kept) -> None:
        """Keep an answer, in the place of an older one."""
        command = f"INSERT OR REPLACE INTO {TABLE} (key, value) VALUES (?, ?)"  # noqa: S608
        row = (key, answer.model_dump_json())
        await asyncio.to_thread(self._try, lambda file: file.execute(command, row))

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        with self._lock:
            self._let_go()

    def _try(self, use: Callable[[sqlite3.Connection], Found]) -> Found | None:
        """What `use` gives; None, now and from now on, where the file is of no use."""
        with self._lock:
            if self._broken:
                return None
            try:
                self._connection = self._connection or _opened(self.path)
                return use(self._connection)
            except (sqlite3.Error, OSError) as error:
                self._broken = True
                self._let_go()
                log.warning(
                    "judge answers are not cached: %s: %s; a broken file may be deleted",
                    self.path,
                    first_line(error),
                )
                return None

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def default_cache() -> Path:
    """The cache file of this user."""
    return cache_folder() / "judge.sqlite"


def request_key(request: Request, facts: ModelFacts, protocol: int) -> str:
    """sha256 (hex) of everything that decides the answer to a vote: model, messages, sampling with
    its seed and cap, schema, row and number of the vote, and how lt-bench asks again."""
    return digest(
        {
            "protocol": protocol,
            "model": identity(facts),
            "prompt": request.prompt.model_dump(mode="json"),
            "sampling": request.sampling.model_dump(mode="json"),
            # As text: models are held to the order of its fields too.
            "schema": request.answer_schema and json.dumps(dict(request.answer_schema)),
            "row": request.example_id,
            "vote": request.sample_index,
        }
    )


def identity(facts: ModelFacts) -> list[object]:
    """What makes one model answer differently from another."""
    return [facts.name, facts.fingerprint, facts.settings, facts.chat_template_sha]


def _opened(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(
        path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    try:
        _patiently(lambda: connection.execute("PRAGMA journal_mode = WAL"))
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(
            f"CREATE TABLE IF NOT EXISTS {TABLE} (key TEXT PRIMARY KEY, value TEXT NOT NULL)"
        )
    except BaseException:
        connection.close()
        raise
    return connection


def _patiently(step: Callable[[], object]) -> None:
    """Take a step that SQLite refuses, without waiting, while others have the file open."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            step()
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.02)
        else:
            return
