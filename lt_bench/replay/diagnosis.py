"""What is wrong with one answer, and where to work on it: rules in a fixed order.

    unanswered        the journal has no outcome of this sample         run: resume it
    failed            no answer came, or the provider refused it        endpoint
    truncated         the cap of tokens or turns ended it               budget
    leak              thoughts or markup stand in what is spoken        format
    needless_refusal  it declines although the evidence has the answer  answering
    unsupported       it claims what no evidence says                   grounding
    evasive           nothing false, and nothing that helps             helpfulness
    wrong             the quality score is below 1                      correctness
    unscored          no score says whether it is right                 judge
    long              right, and as good an answer is far shorter       budget
    right             none of these

The first that holds is the diagnosis; the others that hold are told beside it. An answer that
was cut or leaks comes first because its scores follow from that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from lt_bench.records import CountedBy, Note, Record, Sample, Score

Code = Literal[
    "unanswered",
    "failed",
    "truncated",
    "leak",
    "needless_refusal",
    "unsupported",
    "evasive",
    "wrong",
    "unscored",
    "long",
    "right",
]
"""In the order of the rules."""
CODES: Final[tuple[Code, ...]] = get_args(Code)

AIMS: Final[Mapping[Code, str]] = {
    "unanswered": "resume the run",
    "failed": "endpoint",
    "truncated": "budget",
    "leak": "format",
    "needless_refusal": "answering",
    "unsupported": "grounding",
    "evasive": "helpfulness",
    "wrong": "correctness",
    "unscored": "judge",
    "long": "budget",
    "right": "",
}
"""What work on such rows goes into. The three of the paper: evasive, unsupported, long."""

SHORTER: Final = 0.8
"""An answer of at most this share of the tokens is far shorter."""
QUALITY: Final = ("correctness", "em", "task_success", "answer_correctness", "bfcl")
"""The score that says whether a row is right: the first of these that it has."""
_LEAKED: Final[frozenset[Note]] = frozenset(("leaked_channels",))
_FALSE: Final = {"contradicted": "is contradicted", "not_in_documents": "is not in the evidence"}


class Finding(Record):
    """One rule that holds, and what in the row it holds for."""

    code: Code
    why: str = ""

    @property
    def aim(self) -> str:
        return AIMS[self.code]


@dataclass(frozen=True)
class Rival:
    """Another answer to the same row: another sample, or that of another run. `quality` and `helpful` as
    in its scores, `output` its tokens; `called` says which one it is."""

    called: str
    output: int
    counted_by: CountedBy
    quality: float
    helpful: float | None = None


@dataclass(frozen=True)
class Case:
    """What the rules look at: the outcome of one sample, its scores by name, the name of its quality
    score ("" for none), and other answers to its row."""

    sample: Sample | None
    scores: Mapping[str, Score] = field(default_factory=dict)
    quality: str = ""
    rivals: Sequence[Rival] = ()

    def value(self, name: str) -> float | None:
        """None where the row lacks the score, or it has no value."""
        return score.value if (score := self.scores.get(name)) else None

    def as_rival(self, called: str) -> Rival | None:
        """This answer, for others to be compared with; None without tokens or quality."""
        usage = self.sample.generation.usage if self.sample and self.sample.generation else None
        value = self.value(self.quality)
        if usage is None or value is None:
            return None
        helpful = self.value("helpfulness")
        return Rival(called, usage.output, usage.counted_by, value, helpful)


def diagnose(case: Case) -> tuple[Finding, ...]:
    """Every rule that holds, in their order; the first is the diagnosis. Never empty."""
    found = [
        Finding(code=code, why=why) for code, rule in _RULES if (why := rule(case)) is not None
    ]
    return tuple(found) or (Finding(code="right"),)


def quality_of(scores: Mapping[str, Score], headline: Sequence[str] = ()) -> str:
    """The name of the score that says whether a row is right: a usual one that applies to it, else the
    first of the task's headline; "" where there is none."""
    for name in (*QUALITY, *headline):
        score = scores.get(name)
        if score is not None and score.reason != "not_applicable":
            return name
    return ""


# --- the rules: why it holds, or None -----------------------------------------------------------


def _unanswered(case: Case) -> str | None:
    return "the journal has no answer yet" if case.sample is None else None


def _failed(case: Case) -> str | None:
    failure = case.sample.failure if case.sample else None
    return f"{failure.kind}: {failure.message}" if failure else None


def _truncated(case: Case) -> str | None:
    generation = case.sample.generation if case.sample else None
    if generation is None or generation.status == "ok":
        return None
    notes = {note for turn in generation.turns for note in turn.notes}
    if "turns_exhausted" in notes:
        return "the dialogue reached its cap of turns"
    cut = "the token cap was reached"
    if "unclosed_stop" in notes:
        cut = "its thinking never closed"
    return cut if generation.reply.strip() else f"{cut}, and nothing was said"


def _leak(case: Case) -> str | None:
    generation = case.sample.generation if case.sample else None
    notes = {note for turn in generation.turns for note in turn.notes} if generation else set()
    if case.value("trace_leak") or notes & _LEAKED:
        return "thoughts or markup are in the reply"
    return None


def _needless_refusal(case: Case) -> str | None:
    refused = case.value("needless_refusal")
    return "it declines, and the evidence has the answer" if refused else None


def _unsupported(case: Case) -> str | None:
    false = _false_claims(case)
    if not false and not case.value("unsupported_claims"):
        return None
    return "; ".join(false[:3]) or "a claim that no evidence supports"


def _evasive(case: Case) -> str | None:
    if case.value("helpfulness") != 0.0 or _silent(case):
        return None
    if case.value("correctness") == 1.0:
        return "correct, but it adds nothing that helps"
    claims = _claims(case)
    says = any(verdict != "not_a_claim" for _, verdict in claims)
    return "it says nothing that could be checked" if claims and not says else None


def _wrong(case: Case) -> str | None:
    value = case.value(case.quality)
    if value is None or value >= 1.0:
        return None
    if _silent(case):
        return "it says nothing"
    parts = [f"{case.quality} {value:.3g}", *_besides(case)]
    why = "; ".join(said for said in _said(case) if said)
    return f"{', '.join(parts)}: {why}" if why else ", ".join(parts)


def _unscored(case: Case) -> str | None:
    if (
        case.sample is None
        or case.sample.generation is None
        or case.value(case.quality) is not None
    ):
        return None
    if not case.scores:
        return "its scores are not written yet"
    score = case.scores.get(case.quality)
    return f"{case.quality}: {score.reason}" if score else "no score says whether it is right"


def _long(case: Case) -> str | None:
    own = case.as_rival("")
    if own is None or own.quality < 1.0:
        return None
    as_good = [
        other
        for other in case.rivals
        if other.counted_by == own.counted_by
        and other.quality >= own.quality
        and (other.helpful or 0.0) >= (own.helpful or 0.0)
        and other.output <= SHORTER * own.output
    ]
    best = min(as_good, key=lambda other: other.output, default=None)
    return f"{own.output} tokens; {best.called} needs {best.output}" if best else None


_RULES: Final[tuple[tuple[Code, Callable[[Case], str | None]], ...]] = (
    ("unanswered", _unanswered),
    ("failed", _failed),
    ("truncated", _truncated),
    ("leak", _leak),
    ("needless_refusal", _needless_refusal),
    ("unsupported", _unsupported),
    ("evasive", _evasive),
    ("wrong", _wrong),
    ("unscored", _unscored),
    ("long", _long),
)


# --- what they look at ----------------------------------------------------------------------------


def _silent(case: Case) -> bool:
    generation = case.sample.generation if case.sample else None
    return generation is None or not generation.reply.strip()


def _claims(case: Case) -> list[tuple[str, str]]:
    """The claims of all verdicts, each once."""
    return list(
        dict.fromkeys(
            (claim.text, claim.verdict)
            for score in case.scores.values()
            if score.verdict
            for claim in score.verdict.claims
        )
    )


def _false_claims(case: Case) -> list[str]:
    return [f"“{text}” {_FALSE[verdict]}" for text, verdict in _claims(case) if verdict in _FALSE]


def _besides(case: Case) -> list[str]:
    """What other scores say of a wrong answer."""
    found = [
        words
        for name, words in (
            ("under_calling", "a call that was needed is not made"),
            ("over_calling", "a call that was not needed is made"),
        )
        if case.value(name)
    ]
    f1 = case.value("f1")
    return [*found, *([f"f1 {f1:.2f}"] if case.quality == "em" and f1 else [])]


def _said(case: Case) -> list[str]:
    score = case.scores.get(case.quality)
    return [score.verdict.rationale.strip()] if score and score.verdict else []
