"""Scores of one text that a model put out: by the scorers of the task, as `lt-bench eval` has them."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Sequence
from typing import Any, Final, TypeVar

from lt_bench.backends.recount import Tokenizer, count
from lt_bench.backends.turn import turn_from_text
from lt_bench.records import Example, Generation, Sample, SampleKey, Score, Turn
from lt_bench.scorers import Metric, Scorer, score_sample
from lt_bench.scorers.decisions import decision_of

RECOUNTED: Final = Metric("tpr_recounted", "cost", "tokens", higher_is_better=False)
"""Tokens of the text, encoded again. lm-eval shows no ids, so an end token is not among them."""

FIRST_TURN: Final = (
    Metric("first_decision", "action"),
    Metric("first_over_calling", "action", higher_is_better=False),
    Metric("first_under_calling", "action", higher_is_better=False),
    Metric("first_tool_precision", "action"),
)
"""Of a dialogue's first turn: was the decision to call, or not to, right; called where no call is
needed; not called where one is; and the share of its calls that gold has."""

Result = TypeVar("Result")


def turn_of(text: str, example: Example, *, opened: bool = False) -> Turn:
    """The turn behind a text. lm-eval does not tell whether the cap cut it."""
    return turn_from_text(
        text,
        finish_reason="stop",
        prompt_tokens=None,
        spans=None,
        counted_by=None,
        opened=opened,
        tool_form="auto" if example.tools else "none",
    )


def quality(scorers: Sequence[Scorer]) -> list[Metric]:
    """The metrics of scorers that are about the answer, not about what it cost."""
    return [
        metric
        for scorer in scorers
        for metric in scorer.metrics
        if metric.kind != "cost" and metric.name != "trace_leak"
    ]


def scores_of(scorers: Sequence[Scorer], example: Example, turn: Turn) -> dict[str, float]:
    """Metric -> value of all that the row can have."""
    generation = Generation(turns=(turn,))
    key = SampleKey(example_id=example.id, sample_index=0, request_sha="")
    sample = Sample(key=key, status=generation.status, generation=generation)
    wanted = {metric.name for metric in quality(scorers)}
    found = dict[str, float]()
    for scorer in scorers:
        if any(metric.name in wanted for metric in scorer.metrics):
            found |= _values(finished(score_sample(scorer, example, sample)))
    return {name: value for name, value in found.items() if name in wanted}


def first_turn(scorers: Sequence[Scorer], example: Example, turn: Turn) -> dict[str, float]:
    """`FIRST_TURN` of a dialogue, as far as its row can have it."""
    return dict(_first_turn(scorers, example, turn))


def _first_turn(
    scorers: Sequence[Scorer], example: Example, turn: Turn
) -> Iterator[tuple[str, float]]:
    decision = decision_of(example, Generation(turns=(turn,)))
    if decision is None:
        return
    # silence is no decision
    said = bool(turn.tool_calls or turn.reply.strip())
    yield "first_decision", float(said and decision.called == decision.needed)
    if not decision.needed:
        yield "first_over_calling", float(decision.called)
        return
    yield "first_under_calling", float(not decision.called)
    precision = scores_of(scorers, example, turn).get("tool_precision")
    if decision.called and precision is not None:
        yield "first_tool_precision", precision


def recounted(turn: Turn, tokenizer: Tokenizer) -> float:
    """Tokens of all that was put out."""
    return float(count(turn.raw, tokenizer))


def finished(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of scoring that waits for nobody, also where a loop runs already (a notebook).

    Raises:
        RuntimeError: it waits, as a judge model would.
    """
    try:
        work.send(None)
    except StopIteration as end:
        result: Result = end.value
        return result
    work.close()
    raise RuntimeError("this scorer asks a model, which lm-eval has no place for")


def _values(scores: Sequence[Score]) -> dict[str, float]:
    return {score.name: score.value for score in scores if score.value is not None}
