"""A batch as the server tells it: how far it is, where its files are, and why it failed."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lt_bench.backends.openai.rejection import Rejection, excerpt
from lt_bench.backends.retry import Fault

TAG: Final = "lt_bench"
"""Key of a batch's metadata under which its tag stands."""
ENDED: Final = ("completed", "failed", "expired", "cancelled")


@dataclass(frozen=True)
class BatchError:
    """Why a batch failed; `line` of its file, from 1, where one is to blame."""

    rejection: Rejection
    line: int | None


@dataclass(frozen=True)
class BatchState:
    """A batch as the server tells it. `output` and `errors` are ids of files, "" where there is none."""

    id: str
    status: str
    total: int
    ended: int
    output: str
    errors: str
    faults: tuple[BatchError, ...]
    tag: str
    made: float

    @property
    def at_work(self) -> bool:
        return self.status not in ENDED


def id_of(packet: Mapping[str, Any]) -> str:
    """The id of a file or a batch; a Fault where it has none."""
    found = packet.get("id")
    if not isinstance(found, str) or not found:
        raise Fault("malformed", "the answer names no id")
    return found


def states_of(packet: Mapping[str, Any]) -> list[BatchState]:
    """The batches of a list.

    Raises:
        Fault: it is none.
    """
    data = packet.get("data")
    if not isinstance(data, list):
        raise Fault("malformed", "the list of batches is no list")
    return [state_of(each) for each in data if isinstance(each, Mapping) and each.get("id")]


def state_of(packet: Mapping[str, Any]) -> BatchState:
    """A batch from the server's object; fields that are missing are none."""
    counts, meta = packet.get("request_counts"), packet.get("metadata")
    counts = counts if isinstance(counts, Mapping) else {}
    made = packet.get("created_at")
    return BatchState(
        id=id_of(packet),
        status=_status(packet),
        total=_count(counts.get("total")),
        ended=_count(counts.get("completed")) + _count(counts.get("failed")),
        output=str(packet.get("output_file_id") or ""),
        errors=str(packet.get("error_file_id") or ""),
        faults=_faults(packet.get("errors")),
        tag=str(meta.get(TAG) or "") if isinstance(meta, Mapping) else "",
        made=float(made) if isinstance(made, int | float) else time.time(),
    )


def _status(packet: Mapping[str, Any]) -> str:
    """Some servers shout, or spell as Americans do."""
    said = str(packet.get("status") or "").lower()
    return "cancelled" if said == "canceled" else said


def _count(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _faults(errors: Any) -> tuple[BatchError, ...]:
    data = errors.get("data") if isinstance(errors, Mapping) else None
    found = [each for each in data if isinstance(each, Mapping)] if isinstance(data, list) else []
    return tuple(
        BatchError(
            Rejection(
                400,
                excerpt(str(each.get("message") or "no explanation given")),
                excerpt(str(each.get("code") or "")),
                excerpt(str(each.get("param") or "")),
            ),
            line if isinstance(line := each.get("line"), int) and line > 0 else None,
        )
        for each in found
    )
