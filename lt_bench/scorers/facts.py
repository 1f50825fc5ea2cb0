"""The scorer `facts`: correctness and helpfulness of a commerce reply without a language model.

What it sees. Numbers with units (converted and rounded as people do), prices, days, availability,
yes and no with negation, the values and wordings of gold facts, names and slot numbers of
products and therefore a value given to the wrong one, words from a list of properties that need
evidence, what follows "comes with" or "made of", promises of the shop, copies of the evidence,
and sentences that abstain.

What it cannot see. It knows words, not meanings: a paraphrase outside `accept` is a missing
fact; an invented property in words that are on no list and follow no known pattern passes; irony,
long-range reference ("the other one"), pictures and arithmetic beyond a sum, difference, multiple
or percentage are beyond it; tone and tact are not scored. It reads English and Chinese, and where
one of them speaks of goods whose sheet is in the other, the numbers, names, codes and common
properties. Its agreement with people is measured like that of any judge and stands in a card only
where it was measured.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Final

from lt_bench.claims.assessment import Assessment, assess, keeps_silent
from lt_bench.claims.cases import Case, case_of
from lt_bench.claims.ledger import examine
from lt_bench.config import NoOptions, digest, validate
from lt_bench.records import (
    Claim,
    Example,
    FactsGold,
    Generation,
    JudgeStamp,
    ReferenceGold,
    Score,
    Verdict,
)
from lt_bench.scorers.base import Metric, ScoringContext, not_applicable

VERSION: Final = 4
"""Version of the rules; raise it when a score or a label may change."""
CACHED_EXAMPLES: Final = 256
_SHA: Final = digest(["facts", VERSION])


class FactsScorer:
    """Claims of a reply against the evidence and the gold facts of its example.

    `correctness` is 1 when every required fact is stated, nothing unsupported or forbidden is,
    and what the evidence lacks is said to be lacking. `helpfulness` is 1 when the reply speaks to
    the question and volunteers one to six further documented facts; it can be 1 for a wrong
    answer. `unsupported_claims` counts clauses that the evidence contradicts or does not hold.
    `needless_refusal` is scored where the evidence holds an answer. On `reference` gold only
    `unsupported_claims` is scored; on any other nothing is.

    The verdict on `correctness` is labelled correct, incorrect or abstained, that on support alone
    supported, unsupported or abstained. A reply abstains that makes no claim about goods and says
    that it cannot tell, declines, or speaks of something else; its value is what gold says of that:
    1 where the evidence lacks the answer and the reply says so, else 0.

    Raises:
        UsageError: `options` holds an unknown key.
    """

    metrics = (
        Metric("correctness", "quality"),
        Metric("helpfulness", "quality"),
        Metric("correct_and_helpful", "quality"),
        Metric("unsupported_claims", "fault", unit="count", higher_is_better=False),
        Metric("needless_refusal", "fault", higher_is_better=False),
    )

    def __init__(self, context: ScoringContext, options: dict[str, Any]) -> None:
        validate(NoOptions, options, "scorer facts")
        self._cases: OrderedDict[str, tuple[Example, Case]] = OrderedDict()

    @property
    def sha(self) -> str:
        """Hash of name and version of the rules."""
        return _SHA

    def applies(self, metric: Metric, example: Example) -> bool:
        """All of them on `facts` gold, support alone on `reference` gold."""
        if isinstance(example.gold, FactsGold):
            return metric.name != "needless_refusal" or example.gold.answerability != "none"
        return isinstance(example.gold, ReferenceGold) and metric.name == "unsupported_claims"

    @property
    def judges(self) -> dict[str, JudgeStamp]:
        """The rules of this file, by their version."""
        stamp = JudgeStamp(name="facts", version=VERSION, judge_sha=self.sha)
        return {metric.name: stamp for metric in self.metrics}

    @property
    def remarks(self) -> dict[str, str]:
        """Where the two numbers come from."""
        return {"correctness": f"facts, version {VERSION}: gold facts, no judge model"}

    async def score(self, example: Example, generation: Generation) -> tuple[Score, ...]:
        """Five scores; the verdict with the claims hangs on `correctness`, or on
        `unsupported_claims` where nothing else is scored."""
        if isinstance(example.gold, FactsGold):
            return self._facts(assess(self.case(example), generation.reply))
        if isinstance(example.gold, ReferenceGold):
            return self._support(self.case(example), generation.reply)
        return tuple(not_applicable(metric.name) for metric in self.metrics)

    def case(self, example: Example) -> Case:
        """The example taken apart, kept while it is one of the last in use."""
        kept = self._cases.get(example.id)
        if kept is None or (kept[0] is not example and kept[0] != example):
            kept = (example, case_of(example))
            self._cases[example.id] = kept
        self._cases.move_to_end(example.id)
        while len(self._cases) > CACHED_EXAMPLES:
            self._cases.popitem(last=False)
        return kept[1]

    def _facts(self, found: Assessment) -> tuple[Score, ...]:
        verdict = self._verdict(found.label, found.claims, "; ".join(found.why))
        both = found.correct and found.helpful
        return (
            Score(name="correctness", value=float(found.correct), verdict=verdict),
            Score(name="helpfulness", value=float(found.helpful)),
            Score(name="correct_and_helpful", value=float(both)),
            Score(name="unsupported_claims", value=float(found.unsupported)),
            Score(name="needless_refusal", value=float(found.refused))
            if found.answerable
            else not_applicable("needless_refusal"),
        )

    def _support(self, case: Case, reply: str) -> tuple[Score, ...]:
        ledger = examine(case, reply)
        claims = ledger.claims(case.evidence)
        found = {claim.verdict for claim in claims}
        count = sum(c.verdict in ("contradicted", "not_in_documents") for c in claims)
        silent = found <= {"not_a_claim"} and keeps_silent(case, ledger)
        label = "unsupported" if count else "abstained" if silent else "supported"
        support = Score(
            name="unsupported_claims",
            value=float(count),
            verdict=self._verdict(label, claims, ""),
        )
        return tuple(
            support if metric.name == support.name else not_applicable(metric.name)
            for metric in self.metrics
        )

    def _verdict(self, label: str, claims: tuple[Claim, ...], rationale: str) -> Verdict:
        return Verdict(
            judge="facts", judge_sha=self.sha, label=label, claims=claims, rationale=rationale
        )
