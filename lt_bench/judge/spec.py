"""judge.yaml: what a judge is asked for, and what each of its answers is worth."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, StrictBool, StrictStr, field_validator, model_validator

from lt_bench.config import Config
from lt_bench.judge.plain import bare, folded

METRIC: Final = re.compile(r"[a-z][a-z0-9_]*")
"""What a metric may be called."""


class Label(Config):
    """One answer that the judge may give. `says` is how it writes it; `value` is the score, None
    for an answer that leaves the row out of this metric (counted as `not_applicable`)."""

    says: StrictBool | StrictStr
    value: float | None = Field(ge=0.0, le=1.0)


class JsonAnswer(Config):
    """Exactly one JSON object: `field` holds the label, the optional `reason` a sentence."""

    form: Literal["json"]
    field: str
    reason: str = "reason"

    @model_validator(mode="after")
    def _keys_differ(self) -> Self:
        if not folded(self.field):
            raise ValueError("field is empty; name the key that holds the label")
        if self.field == self.reason:
            raise ValueError(f"field and reason are both {self.field!r}; name them differently")
        return self


class LineAnswer(Config):
    """Plain text that ends in a label: after `key` and a colon, or, without a key, alone."""

    form: Literal["line"]
    key: str = ""

    @model_validator(mode="after")
    def _key_is_a_word(self) -> Self:
        if self.key and (bare(self.key) != self.key or not folded(self.key)):
            raise ValueError("key has spaces around it, or nothing else; write the word alone")
        if self.key.endswith((":", "：")):
            raise ValueError(f"key ends in a colon; write {self.key[:-1]!r}")
        return self


class LedgerAnswer(Config):
    """Exactly one JSON object with a verdict and an evidence span for every numbered claim of the
    reply, and `answers`: whether the reply speaks to the question. The label follows from them."""

    form: Literal["ledger"]


Answer = Annotated[JsonAnswer | LineAnswer | LedgerAnswer, Field(discriminator="form")]

LEDGER_LABELS = ("correct", "incorrect", "abstained")
"""What a ledger can come to."""


class JudgeSpec(Config):
    """`metric` is the score that the judge gives; `version` is the rubric's, to be raised whenever
    its meaning changes; `sampling` is how it is asked, changed by `--set judge.KEY=VALUE`."""

    name: str
    version: int = Field(ge=1)
    summary: str
    metric: str
    labels: dict[str, Label]
    answer: Answer
    sampling: dict[str, Any] = Field(default_factory=dict)

    @field_validator("metric")
    @classmethod
    def _metric_is_a_name(cls, metric: str) -> str:
        if not METRIC.fullmatch(metric):
            raise ValueError(f"{metric!r} is no name: small letters, digits and _, a letter first")
        return metric

    @model_validator(mode="after")
    def _labels_fit(self) -> Self:
        said = [_compared(label.says) for label in self.labels.values()]
        if "" in said:
            raise ValueError("labels: a `says` is empty; write the word that the judge says")
        if len(self.labels) < 2 or len(set(said)) != len(said):
            raise ValueError(
                "labels: give at least two, each with its own `says` "
                "(case and hidden characters make no difference)"
            )
        if all(label.value is None for label in self.labels.values()):
            raise ValueError("labels: no value is a number; give at least one label a score")
        if self.answer.form == "ledger" and tuple(sorted(self.labels)) != tuple(
            sorted(LEDGER_LABELS)
        ):
            raise ValueError(f"labels: a ledger gives {', '.join(LEDGER_LABELS)}")
        if self.answer.form == "line" and any(isinstance(one, bool) for one in said):
            raise ValueError("labels: on a line a label is a word, quote it")
        return self


def _compared(says: bool | str) -> bool | str:
    """A `says` as the readers compare it."""
    return folded(says) if isinstance(says, str) else says
