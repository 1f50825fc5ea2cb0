"""judge.yaml: what a judge is asked for, and what each of its answers is worth."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, StrictBool, StrictStr, model_validator

from lt_bench.config import Config


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


class LineAnswer(Config):
    """Plain text that ends in a label: after `key` and a colon, or, without a key, alone."""

    form: Literal["line"]
    key: str = ""


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
    version: int
    summary: str
    metric: str
    labels: dict[str, Label]
    answer: Answer
    sampling: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _labels_fit(self) -> Self:
        said = [
            label.says.casefold() if isinstance(label.says, str) else label.says
            for label in self.labels.values()
        ]
        if len(self.labels) < 2 or len(set(said)) != len(said):
            raise ValueError("labels: give at least two, each with its own `says`")
        if self.answer.form == "ledger" and tuple(sorted(self.labels)) != tuple(
            sorted(LEDGER_LABELS)
        ):
            raise ValueError(f"labels: a ledger gives {', '.join(LEDGER_LABELS)}")
        if self.answer.form == "line" and any(isinstance(one, bool) for one in said):
            raise ValueError("labels: on a line a label is a word, quote it")
        return self
