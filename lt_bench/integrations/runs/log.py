"""What every log comes to: answers, and what is known of how they were made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lt_bench.backends.replay.predictions import Prediction
from lt_bench.records import Failure


@dataclass(frozen=True, slots=True)
class Logged:
    """One answer of a log.

    `ids` are the names under which it may be a row of ours, likeliest first; `texts` may be its question;
    `asked` is all that the model was sent, "" where the log has none. `sample_index` None: the next
    one of its row. `turns` has several answers for a dialogue with tools, and none where the harness
    failed, which `failure` then explains.
    """

    where: str
    ids: tuple[str, ...]
    turns: tuple[Prediction, ...]
    texts: tuple[str, ...] = ()
    asked: str = ""
    sample_index: int | None = None
    failure: Failure | None = None

    @property
    def outcome(self) -> tuple[tuple[Prediction, ...], Failure | None]:
        """What two entries must agree in to be one answer told twice."""
        return self.turns, self.failure


@dataclass(frozen=True)
class Log:
    """A log that was opened. `answers` are read one by one.

    `model` "": the log does not name it. `sampling` has the keys of `Sampling` that the log tells.
    `tells_end`: it says which answers were cut. `wording` is the same for all models that one harness
    asked in one way, whatever their chat templates made of it; "" where the prompts themselves tell.
    `remarks` are for whoever imports it.
    """

    path: Path
    format: str
    answers: Iterator[Logged]
    model: str = ""
    harness: str = ""
    sampling: Mapping[str, Any] = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)
    tells_end: bool = True
    wording: str = ""
    remarks: tuple[str, ...] = ()


def sampling_of(found: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that a log may tell, as far as `Sampling` can hold them."""
    kept = dict[str, Any]()
    for key in ("temperature", "top_p"):
        value = found.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
            kept[key] = float(value)
    for key in ("top_k", "max_tokens", "seed"):
        value = found.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            kept[key] = value
    if kept.get("max_tokens") == 0:
        del kept["max_tokens"]
    if not 0 < kept.get("top_p", 1.0) <= 1:
        del kept["top_p"]
    stop = found.get("stop")
    words = [stop] if isinstance(stop, str) else stop
    if isinstance(words, list | tuple) and words and all(isinstance(one, str) for one in words):
        kept["stop"] = tuple(word for word in words if word)
    return kept
