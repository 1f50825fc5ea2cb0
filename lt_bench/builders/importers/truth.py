"""Yes and no in the many spellings of people's tables; what could be either is refused."""

from __future__ import annotations

from typing import Any, Final

from lt_bench.builders.problem import RowFault

_YES: Final = frozenset(
    "true t yes y 1 1.0 correct right pass passed supported helpful ok 是 对 正确 有用 有帮助 √ ✓ ✔".split()  # noqa: SIM905
)
_NO: Final = frozenset(
    [
        "false",
        "f",
        "no",
        "n",
        "0",
        "0.0",
        "incorrect",
        "wrong",
        "fail",
        "failed",
        "unsupported",
        "unhelpful",
        "not-correct",
        "not-helpful",
        "否",
        "不是",
        "不对",
        "错",
        "错误",
        "不正确",
        "没用",
        "没帮助",
        "×",
        "✗",
        "✘",
    ]
)
_OWN: Final = {
    "helpful": "helpful", "unhelpful": "helpful", "not-helpful": "helpful",
    "有用": "helpful", "有帮助": "helpful", "没用": "helpful", "没帮助": "helpful",
    "correct": "correct", "incorrect": "correct", "not-correct": "correct", "right": "correct",
    "wrong": "correct", "supported": "correct", "unsupported": "correct", "正确": "correct",
    "对": "correct", "不对": "correct", "错": "correct", "错误": "correct", "不正确": "correct",
}  # fmt: skip
"""Words that answer one question only: "helpful" says nothing about correctness."""


def read_truth(value: Any, field: str) -> bool | None:
    """True, False, or None where nothing is written.

    Raises:
        RowFault: it is neither a yes nor a no ("partly", 0.5), or answers another question.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float) and value in (0, 1):
        return bool(value)
    word = " ".join(str(value).split()).casefold().replace("not ", "not-")
    if isinstance(value, str) and not word:
        return None
    asked = field.rpartition(".")[2]
    other = _OWN.get(word, asked) != asked and asked in ("correct", "helpful")
    if isinstance(value, str) and not other:
        if word in _YES:
            return True
        if word in _NO:
            return False
    raise RowFault(
        field,
        f"{str(value)[:40]!r} is neither yes nor no",
        "write true or false, or leave it empty where nobody judged",
    )
