"""The answer form `line`."""

from __future__ import annotations

from lt_bench.judge.reading import Reading, Unreadable
from lt_bench.judge.spec import JudgeSpec
from lt_bench.judge.subject import Subject


def read(spec: JudgeSpec, text: str, subject: Subject) -> Reading:
    """The verdict.

    Raises:
        Unreadable: there is none.
    """
    raise Unreadable("not read yet")
