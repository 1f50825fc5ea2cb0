"""What a reader must know before believing the numbers of a card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from lt_bench.records import Failure, JudgeStamp, Note
from lt_bench.run.row import Row
from lt_bench.run.score import SILENT

TRUNCATED_WARNING = 0.02
"""Share of truncated answers above which the card warns."""


def answer_cautions(table: Sequence[Row], notes: Mapping[Note, int]) -> Iterator[str]:
    """Of the answers, loudest first."""
    total = len(table)
    statuses = Counter(row.sample.status for row in table)
    cut = statuses["truncated"]
    if cut > TRUNCATED_WARNING * total:
        yield (
            f"{cut} of {total} answers are truncated: raise --set sampling.max_tokens, "
            "or read the values on completed answers"
        )
    if failed := statuses["error"]:
        common = _commonest_failure(table)
        yield f"{failed} of {total} samples have no answer, mostly: {common.message}"
        if common.kind != "missing":
            yield "the same command asks for them again"
    answered = [row.sample.generation for row in table if row.sample.generation]
    if answered and not any(generation.usage for generation in answered):
        yield (
            "nobody counted tokens: the server sent no usage, or the predictions file has none "
            "(--set backend.tokenizer=FOLDER counts a file)"
        )
    if refused := statuses["refused"]:
        yield f"{refused} of {total} requests were refused by the provider's filter"
    if unknown := notes.get("unknown_family", 0):
        yield (
            f"{unknown} replies begin with an unknown thinking tag, counted as reply: "
            "name the family with --set backend.family=…"
        )
    if leaked := notes.get("leaked_channels", 0):
        yield f"{leaked} replies hold channel names without their markers: check the server"


def judge_cautions(
    model: str, judges: Mapping[str, JudgeStamp], table: Sequence[Row]
) -> Iterator[str]:
    """Of those who judged the answers of `model`."""
    for metric in judges:
        reasons = (row.scores[metric].reason for row in table)
        silent = Counter(reason for reason in reasons if reason in SILENT)
        if silent:
            said = ", ".join(f"{count} {reason}" for reason, count in sorted(silent.items()))
            yield (
                f"{metric}: no verdict on {silent.total()} of {len(table)} rows ({said}); "
                "the same command asks for them again"
            )
    if any(model in stamp.models for stamp in judges.values()):
        yield f"{model} judges itself: name a judge of another family"
    asked = [metric for metric, stamp in judges.items() if stamp.models and not stamp.calibration]
    if asked:
        yield (
            f"{', '.join(asked)}: nobody has measured this judge against people, so these values "
            "take no rank (lt-bench judge calibrate)"
        )


def _commonest_failure(table: Sequence[Row]) -> Failure:
    """The first failure of the most frequent kind."""
    failures = [row.sample.failure for row in table if row.sample.failure]
    kind, _ = Counter(failure.kind for failure in failures).most_common(1)[0]
    return next(failure for failure in failures if failure.kind == kind)
