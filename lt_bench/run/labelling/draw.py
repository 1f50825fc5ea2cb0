"""Which replies are labelled, and in whose order: drawn by hash, the same on every machine."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from typing import Any, Final, Literal

from lt_bench.calibration.consensus import LabelField
from lt_bench.config import digest
from lt_bench.errors import UsageError
from lt_bench.records import AnswersGold, Example, FactsGold, Labelled
from lt_bench.run.labelling.source import Candidate

Draw = Literal["proportional", "balanced"]
"""`proportional`: every kind of row as often as the source has it. `balanced`: as many replies that
the run's judge calls right as others, which distorts every share but the judge's own precision."""

Level = Callable[[Candidate], Hashable]
LEVELS: Final[tuple[Level, ...]] = (
    lambda one: answerability(one.reply.example),
    lambda one: one.reply.example.lang,
    lambda one: one.reply.example.group,
    lambda one: one.reply.example.id,
)
"""What is spread over a draw, the most important first."""


def draw(
    candidates: Sequence[Candidate], rows: int, seed: int, how: Draw, field: LabelField
) -> list[Labelled]:
    """`rows` replies, or all there are. Those of a smaller draw are among those of a larger one.

    Each has the tag `sampling:…`; balanced ones also `stratum:FIELD=yes` (or no), what the judge said
    of it, and `stratum_share:…`, the share of such replies in the source, so that whoever needs
    unbiased figures can weigh them back. `field` is what a balanced draw balances.

    Raises:
        UsageError: a balanced draw without verdicts.
    """
    if how == "proportional":
        ordered = [_tagged(one, "sampling:proportional") for one in spread(candidates, seed)]
    else:
        ordered = _balanced(candidates, seed, field)
    return [one.reply for one in ordered[:rows]]


def spread(
    candidates: Sequence[Candidate], seed: int, levels: Sequence[Level] = LEVELS
) -> list[Candidate]:
    """All of them, so ordered that every beginning holds each kind in proportion.

    The rows of a kind stand at equal distances from a start drawn by hash, and within the kind the
    same holds for the next level: systematic sampling, for every sample size at once.
    """
    if not levels:
        return sorted(candidates, key=lambda one: digest([seed, one.reply.id]))
    kinds: dict[Hashable, list[Candidate]] = defaultdict(list)
    for one in candidates:
        kinds[levels[0](one)].append(one)
    placed: list[tuple[float, str, Candidate]] = []
    for kind, members in kinds.items():
        start = _fraction([seed, len(levels), kind])
        for number, one in enumerate(spread(members, seed, levels[1:])):
            placed.append(((number + start) / len(members), one.reply.id, one))
    return [one for _, _, one in sorted(placed, key=lambda item: item[:2])]


def own_order(replies: Sequence[Labelled], annotator: str, seed: int) -> list[Labelled]:
    """The same replies in an order of this person's own, so that tiredness and what was read just
    before fall on other replies for everybody."""
    return sorted(replies, key=lambda reply: digest([seed, annotator, reply.id]))


def answerability(example: Example) -> str:
    """Whether the evidence holds the answer, where gold or a tag says so."""
    match example.gold:
        case FactsGold(answerability=told):
            return told
        case AnswersGold(answerable=told):
            return "full" if told else "none"
        case _:
            tagged = (tag for tag in example.tags if tag.startswith("answerability:"))
            return next(tagged, "").partition(":")[2]


def _balanced(candidates: Sequence[Candidate], seed: int, field: LabelField) -> list[Candidate]:
    """Right and wrong ones by turns; when one kind is used up, the rest of the other."""
    judged = [one for one in candidates if field in one.verdicts]
    if not judged:
        raise UsageError(
            f"--draw balanced needs a run whose judge said what is {field}",
            "score the run with a judge first, or use --draw proportional",
        )
    shares = Counter(one.verdicts[field] for one in judged)
    lanes = [
        [
            _tagged(one, *_stratum(field, verdict, shares[verdict] / len(judged)))
            for one in spread([one for one in judged if one.verdicts[field] is verdict], seed)
        ]
        for verdict in (True, False)
    ]
    return [one for one in chain(*zip_longest(*lanes)) if one is not None]


def _stratum(field: LabelField, verdict: bool, share: float) -> tuple[str, ...]:
    said = "yes" if verdict else "no"
    return "sampling:balanced", f"stratum:{field}={said}", f"stratum_share:{share:.6g}"


def _tagged(one: Candidate, *tags: str) -> Candidate:
    example = one.reply.example
    tagged = example.model_copy(update={"tags": (*example.tags, *tags)})
    return replace(one, reply=one.reply.model_copy(update={"example": tagged}))


def _fraction(value: Any) -> float:
    """A number in [0, 1) that follows from the value."""
    return int(digest(value)[:13], 16) / 16**13
