"""What a reader must know before believing the numbers of a card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from lt_bench.records import JudgeStamp, Reason
from lt_bench.run.score import SILENT
from lt_bench.run.tally import Tally

TRUNCATED_WARNING = 0.02
"""Share of truncated answers above which the card warns."""


def answer_cautions(tally: Tally) -> Iterator[str]:
    """Of the answers, loudest first."""
    total, statuses, notes = tally.total, tally.statuses, tally.notes
    cut = statuses["truncated"]
    if cut > TRUNCATED_WARNING * total:
        yield (
            f"{cut} of {total} answers are truncated: raise --set sampling.max_tokens, "
            "or read the values on completed answers"
        )
    if failed := statuses["error"]:
        common = tally.commonest_failure
        yield f"{failed} of {total} samples have no answer, mostly: {common.message}"
        if common.kind != "missing":
            yield "the same command asks for them again"
    if tally.answered and not tally.counted:
        yield (
            "nobody counted tokens: the server sent no usage, or the predictions file has none "
            "(--set backend.tokenizer=FOLDER counts a file)"
        )
    if uncounted := notes.get("reasoning_uncounted", 0):
        yield (
            f"{uncounted} traces came without a count of their tokens, so tpr_reasoning lacks them "
            "(--set backend.tokenizer=FOLDER counts them again)"
        )
    if drifted := notes.get("token_drift", 0):
        yield (
            f"{drifted} answers encode to another number of tokens than was reported: the reported "
            "one counts; check that backend.tokenizer is the model's own"
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
    model: str,
    judges: Mapping[str, JudgeStamp],
    unscored: Mapping[str, Mapping[Reason, int]],
    total: int,
) -> Iterator[str]:
    """Of those who judged the `total` answers of `model`.

    unscored: judged metric -> how many rows have no value, by reason.
    """
    for metric in judges:
        found = unscored[metric].items()
        silent = Counter({reason: count for reason, count in found if reason in SILENT})
        if silent:
            said = ", ".join(f"{count} {reason}" for reason, count in sorted(silent.items()))
            yield (
                f"{metric}: no verdict on {silent.total()} of {total} rows ({said}); "
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
