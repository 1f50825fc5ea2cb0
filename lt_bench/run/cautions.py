"""What a reader must know before believing the numbers of a card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from lt_bench.records import JudgeStamp, Note, Reason
from lt_bench.run.score import SILENT
from lt_bench.run.tally import Tally

TRUNCATED_WARNING = 0.02
"""Share of truncated answers above which the card warns."""


def answer_cautions(tally: Tally) -> Iterator[str]:
    """Of the answers, loudest first."""
    yield from _cut(tally)
    total, statuses, notes = tally.total, tally.statuses, tally.notes
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
    yield from _forms(notes)


def _cut(tally: Tally) -> Iterator[str]:
    """Answers and dialogues that a cap ended."""
    total, cut = tally.total, tally.statuses["truncated"]
    exhausted = tally.notes.get("turns_exhausted", 0)
    if cut > TRUNCATED_WARNING * total:
        fix = "raise --set sampling.max_tokens, or " if cut > exhausted else ""
        yield f"{cut} of {total} answers are truncated: {fix}read the values on completed answers"
    if exhausted > TRUNCATED_WARNING * total:
        yield (
            f"{exhausted} of {total} dialogues still called tools in their last turn "
            "(--set task.max_turns=N allows more)"
        )
    if full := tally.notes.get("context_full", 0):
        yield f"{full} of {total} dialogues filled the model's context before they ended"


def _forms(notes: Mapping[Note, int]) -> Iterator[str]:
    """How the answers, or the tools, were written."""
    if unknown := notes.get("unknown_family", 0):
        yield (
            f"{unknown} replies begin with an unknown thinking tag, counted as reply: "
            "name the family with --set backend.family=…"
        )
    if leaked := notes.get("leaked_channels", 0):
        yield f"{leaked} replies hold channel names without their markers: check the server"
    if untold := notes.get("end_unknown", 0):
        yield (
            f"{untold} answers come from a log that does not say which of them the cap cut: "
            "`truncated` counts only those whose thinking never ended"
        )
    if told := notes.get("tools_as_text", 0):
        yield (
            f"{told} rows: the model's chat template has no place for tools, so the system message "
            "told of them"
        )


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
