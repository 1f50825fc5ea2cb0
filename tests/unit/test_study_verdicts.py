"""Claims put to the test on real evaluations of replayed replies: every verdict, and what is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.studies import Canned, can, can_row, finish_stage, study

from lt_bench.stats import holm
from lt_bench.stats.intervals import Interval
from lt_bench.stats.paired import Difference
from lt_bench.study.evaluated import Evaluated
from lt_bench.study.loading import NamedStudy
from lt_bench.study.places import Places
from lt_bench.study.report import Word
from lt_bench.study.spec import Claim
from lt_bench.study.verdicts import form, verdicts


def claim(kind: str, amount: float | None = None, **changes: Any) -> Claim:
    given = {"text": "c", "metric": "correctness", "of": "moe.rl", "against": "moe.rft"}
    return Claim.model_validate({**given, "kind": kind, "amount": amount, **changes})


def found(value: float, low: float | None, high: float | None, p: float = 0.5) -> Difference:
    ends = None if low is None or high is None else Interval(low, high)
    return Difference(value, ends, p, 40, 40, 0, "")


@pytest.mark.parametrize(
    ("one", "difference", "word"),
    [
        (claim("greater"), found(0.1, 0.01, 0.2), "holds, separated"),
        (claim("greater"), found(0.1, -0.01, 0.2), "same direction, not separated"),
        (claim("greater"), found(-0.1, -0.3, 0.01), "opposite direction, not separated"),
        (claim("greater"), found(-0.1, -0.3, -0.01), "contradicted"),
        (claim("greater"), found(0.0, -0.1, 0.1), "no difference"),
        (claim("greater"), found(0.0, None, None, 1.0), "no difference"),
        (claim("greater"), found(0.3, None, None, 1e-9), "holds, separated"),
        (claim("less"), found(0.3, None, None, 1e-9), "contradicted"),
        (claim("greater"), found(0.3, None, None, 0.5), "same direction, not separated"),
        (claim("less"), found(-0.1, -0.2, -0.01), "holds, separated"),
        (claim("less"), found(0.1, 0.01, 0.2), "contradicted"),
        (claim("not_less", 0.02), found(-0.01, -0.019, 0.0), "holds, separated"),
        (claim("not_less", 0.02), found(-0.01, -0.03, 0.01), "same direction, not separated"),
        (claim("not_less", 0.02), found(-0.03, -0.05, -0.021), "contradicted"),
        (claim("falls_by", 0.15), found(-0.2, -0.25, -0.151), "holds, separated"),
        (claim("falls_by", 0.15), found(-0.16, -0.2, -0.1), "same direction, not separated"),
        (claim("falls_by", 0.15), found(-0.1, -0.2, 0.0), "opposite direction, not separated"),
        (claim("falls_by", 0.15), found(-0.1, -0.149, 0.0), "contradicted"),
        (claim("rises_by", 0.15), found(0.2, 0.16, 0.3), "holds, separated"),
        (claim("ratio_at_most", 0.55), found(-3.0, -5.0, -1.0), "holds, separated"),
        (claim("ratio_at_most", 0.55), found(3.0, 1.0, 5.0), "contradicted"),
        (claim("ratio_at_least", 0.75), found(3.0, 1.0, 5.0), "holds, separated"),
        (claim("ratio_at_least", 0.75), found(0.0, -1.0, 1.0), "same direction, not separated"),
    ],
)
def test_the_interval_decides_what_is_said(one: Claim, difference: Difference, word: Word) -> None:
    assert form(one).word(difference) == word


def test_ratios_are_differences_with_a_factor() -> None:
    how = form(claim("ratio_at_most", 0.55, metric="tpr"))
    assert (how.sign, how.factor, how.threshold) == (-1, 0.55, 0.0)


@pytest.fixture(scope="module")
def canned(tmp_path_factory: pytest.TempPathFactory) -> tuple[NamedStudy, Places]:
    """base 50 %, RFT 75 % and RL 75 % of 40 rows right; RL a fourth of the tokens, and bare."""
    folder = tmp_path_factory.mktemp("study")
    named, places = study(folder), Places(folder / "out")
    rows = {"moe.base": Canned(0.5, 80), "moe.rft": Canned(0.75, 80)}
    can(named, places, {**rows, "moe.rl": Canned(0.75, 20, bare=True)})
    return named, places


def test_rows_are_paired_and_pooled_over_seeds(canned: tuple[NamedStudy, Places]) -> None:
    (one,) = verdicts(Evaluated(*canned), [claim("greater", of="moe.rft", against="moe.base")])
    assert one.word == "holds, separated"
    assert one.rows == 80
    assert one.difference == pytest.approx(0.25)
    assert (one.first, one.second) == (pytest.approx(0.75), pytest.approx(0.5))
    assert one.by_seed == {31: pytest.approx(0.25), 32: pytest.approx(0.25)}
    assert one.missing == {}


def test_every_claim_of_a_family_is_adjusted(canned: tuple[NamedStudy, Places]) -> None:
    claims = [
        claim("greater", of="moe.rft", against="moe.base"),
        claim("greater"),
        claim("greater", metric="helpfulness"),
        claim("ratio_at_most", 0.55, metric="tpr"),
        claim("less", of="rewards.full"),
    ]
    told = verdicts(Evaluated(*canned), claims)
    assert [one.word for one in told] == [
        "holds, separated",
        "no difference",
        "contradicted",
        "holds, separated",
        "missing",
    ]
    raw = [one.p_value for one in told if one.p_value is not None]
    assert [one.p_holm for one in told] == [*holm(raw), None]


def test_missing_rows_say_why_and_leave_the_other_seed(
    canned: tuple[NamedStudy, Places], tmp_path: Path
) -> None:
    named = canned[0]
    places = Places(tmp_path)
    can(named, places, {"moe.rft": Canned(0.5)})
    can_row(named, places, 32, "moe.rl", Canned(0.9))
    finish_stage(places, 31, "moe.rl", "ab" * 32)
    one, other = verdicts(
        Evaluated(named, places), [claim("greater"), claim("less", of="rewards.full")]
    )
    assert one.rows == 40
    assert one.by_seed == {32: pytest.approx(0.4)}
    assert one.missing == {31: "moe.rl: not evaluated"}
    assert other.word == "missing"
    assert other.missing == {31: "rewards.full: not trained", 32: "rewards.full: not trained"}


def test_an_evaluation_of_another_candidate_is_no_figure_of_this_one(
    canned: tuple[NamedStudy, Places], tmp_path: Path
) -> None:
    named, places = canned[0], Places(tmp_path)
    can(named, places, {"moe.rft": Canned(0.5), "moe.rl": Canned(0.9)})
    finish_stage(places, 31, "moe.rl", "cd" * 32)
    (one,) = verdicts(Evaluated(named, places), [claim("greater")])
    assert list(one.by_seed) == [32]
    assert "evaluation of something else: candidate" in one.missing[31]
