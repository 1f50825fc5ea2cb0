"""PPI and PPI++ against figures of ppi-python 0.2.3, in groups, and where labels do not vary."""

from __future__ import annotations

import numpy as np
import pytest

from lt_bench.calibration.prediction_powered import (
    JudgedRow,
    corrected_by_labels,
    prediction_powered,
)
from lt_bench.stats import wilson


def rows(
    pairs: list[tuple[float, float]], others: list[float], per_group: int = 1
) -> list[JudgedRow]:
    """(judge, human) of the labelled rows, then the judge alone of the others."""
    seen = [*pairs, *((judge, None) for judge in others)]
    return [JudgedRow(judge, human, f"g{i // per_group}") for i, (judge, human) in enumerate(seen)]


def table(
    both: int, judge: int, human: int, neither: int, yes: int, no: int
) -> tuple[list[tuple[float, float]], list[float]]:
    pairs = [(1.0, 1.0)] * both + [(1.0, 0.0)] * judge + [(0.0, 1.0)] * human
    return pairs + [(0.0, 0.0)] * neither, [1.0] * yes + [0.0] * no


FRACTIONS = (
    [(0, 3), (2, 1), (2, 4), (0, 0), (1, 3), (0, 3), (0, 1), (2, 4), (3, 3), (2, 0), (3, 2), (3, 2),
     (1, 0), (2, 1), (2, 3), (2, 2), (2, 3), (3, 1), (3, 2), (3, 0)],
    [0, 3, 2, 3, 2, 1, 1, 1, 1, 1, 3, 1, 1, 1, 2, 0, 3, 2, 2, 2, 1, 3, 0, 2, 1, 0, 1, 1, 1, 2, 1, 0,
     1, 3, 3, 0, 3, 1, 1, 3, 2, 2, 0, 3, 2, 1, 3, 2, 3, 1, 0, 1, 1, 2, 1, 3, 3, 0, 3, 3],
)  # fmt: skip
"""Votes of three judges against points of four, as shares below."""


@pytest.mark.parametrize(
    ("data", "plain", "tuned"),
    [
        (
            table(22, 2, 6, 10, 116, 44),
            (0.825, 0.6732312705935559, 0.976768729406444),
            (0.7615952380952381, 0.6406716108980416, 0.8825188652924346),
        ),
        (
            table(17, 3, 7, 3, 46, 44),
            (0.6444444444444444, 0.41845350391997926, 0.8704353849689095),
            (0.7844182566404789, 0.6429077940192, 0.9259287192617579),
        ),
        (
            table(1, 13, 10, 1, 22, 28),
            (0.32, -0.07759742628594152, 0.7175974262859415),
            (0.44, 0.24541989275169648, 0.6345801072483035),
        ),
        (
            (
                [(judge / 3, human / 4) for judge, human in FRACTIONS[0]],
                [judge / 3 for judge in FRACTIONS[1]],
            ),
            (0.4083333333333333, 0.18091543634400117, 0.6357512303226655),
            (0.47399234693877534, 0.33158241483875794, 0.6164022790387927),
        ),
    ],
    ids=["good judge", "weak judge", "judge against people", "fractions"],
)
def test_ppi_and_its_tuned_form_are_those_of_ppi_python(data, plain, tuned) -> None:
    """ppi_mean_pointestimate and ppi_mean_ci with alpha = 0.05; lam = 1, and lam = None."""
    for expected, found in (
        (plain, prediction_powered(rows(*data), tuned=False)),
        (tuned, prediction_powered(rows(*data))),
    ):
        assert (found.value, found.low, found.high) == pytest.approx(expected, abs=1e-9)


def test_a_judge_against_people_gets_no_weight() -> None:
    found = prediction_powered(rows(*table(1, 13, 10, 1, 22, 28)))
    assert found.power == 0.0
    assert found.value == pytest.approx(11 / 25)


def test_tuning_is_never_wider_by_much_and_narrower_with_a_good_judge() -> None:
    pairs, others = table(80, 5, 5, 30, 500, 300)
    tuned = prediction_powered(rows(pairs, others))
    labels = prediction_powered(rows(pairs, []))
    assert tuned.error < 0.75 * labels.error
    assert labels.power == 0.0
    assert labels.value == pytest.approx(85 / 120)


def test_twins_in_groups_count_once() -> None:
    pairs, others = table(22, 2, 6, 10, 116, 44)
    twins = rows([p for p in pairs for _ in (0, 1)], [o for o in others for _ in (0, 1)], 2)
    one, other = prediction_powered(rows(pairs, others)), prediction_powered(twins)
    assert other.value == pytest.approx(one.value, abs=1e-3)  # λ has N - 1 in it
    assert other.error == pytest.approx(one.error, rel=1e-3)
    assert other.groups == 200


def test_few_groups_widen_by_student() -> None:
    pairs, others = table(22, 2, 6, 10, 116, 44)
    found = prediction_powered(rows(pairs, others, per_group=20))
    assert found.groups == 10
    assert (found.high - found.low) / 2 / found.error == pytest.approx(
        2.262157 * (10 / 9) ** 0.5, rel=1e-6
    )
    assert prediction_powered(rows(pairs, others, per_group=1000)).high == float("inf")
    shown = corrected_by_labels(rows(pairs, others, per_group=1000))
    assert shown.high - shown.low > 0.8
    assert shown.method.startswith("labels alone, Wilson")


@pytest.mark.parametrize("labels", [0, 1])
def test_an_interval_needs_two_labels(labels: int) -> None:
    with pytest.raises(ValueError, match="rows with labels"):
        prediction_powered(rows([(1.0, 1.0)] * labels, [1.0, 0.0]))


def test_the_interval_covers_whatever_the_judge_does() -> None:
    rng, runs = np.random.default_rng(6), 120
    for sensitivity, specificity in ((0.9, 0.9), (0.5, 0.5), (0.2, 0.3)):
        hits, values = 0, []
        for _ in range(runs):
            true = rng.random(300) < 0.7
            said = np.where(true, rng.random(300) < sensitivity, rng.random(300) > specificity)
            data = list(zip(said[:100].astype(float), true[:100].astype(float), strict=True))
            found = prediction_powered(rows(data, list(said[100:].astype(float))))
            hits += found.low <= 0.7 <= found.high
            values.append(found.value)
        assert 0.9 <= hits / runs <= 0.99, (sensitivity, specificity)
        assert abs(np.mean(values) - 0.7) < 0.015


def test_a_card_shows_the_estimate_by_labels() -> None:
    found = corrected_by_labels(rows(*table(22, 2, 6, 10, 116, 44)))
    assert found.method == "PPI++, weight of the judge 0.49"
    assert (found.n, found.labels, found.raw) == (200, 40, 0.7)
    assert found.value == pytest.approx(0.7615952380952381, abs=1e-9)
    assert (found.low, found.high) == pytest.approx((0.64067161, 0.88251887), abs=1e-8)
    assert found.sentence.startswith("people would call 76.2 % right [64.1, 88.3], not 70.0 %")
    assert "rough under 100 labels" in found.sentence


def test_labels_that_do_not_vary_are_not_certainty() -> None:
    for pairs in ([(1.0, 1.0)] * 12, [(1.0, 1.0)] * 9 + [(0.0, 0.0)] * 3, [(0.0, 1.0)] * 12):
        found = corrected_by_labels(rows(pairs, [1.0] * 50 + [0.0] * 10))
        yes = sum(human for _, human in pairs)
        expected = wilson(yes, 12)
        assert (found.low, found.high) == (pytest.approx(expected.low), expected.high)
        assert found.method.startswith("labels alone, Wilson")
        assert found.value == pytest.approx(yes / 12)


def test_a_constant_judge_adds_nothing() -> None:
    found = prediction_powered(rows([(1.0, 1.0)] * 12 + [(1.0, 0.0)] * 8, [1.0] * 50))
    assert found.power == 0.0
    assert found.value == pytest.approx(0.6)


def test_an_estimate_outside_is_infeasible_here_too() -> None:
    """Labels say almost all are right, the judge is unsure there and sure elsewhere."""
    pairs = [(0.0, 1.0)] * 10 + [(1.0, 1.0)] * 29 + [(0.0, 0.0)]
    found = corrected_by_labels(rows(pairs, [1.0] * 300))
    assert found.unclipped is not None
    assert found.unclipped > 1
    assert (found.feasible, found.value, found.high) == (False, None, 1.0)
    assert 0.8 < found.low < 1
    assert found.sentence.startswith("infeasible: the estimate from 40 labels among these 340 rows")
