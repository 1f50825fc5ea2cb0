"""Exact McNemar and Holm against scipy, statsmodels and a published example."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

from lt_bench.stats import holm, mcnemar

COUNTS = st.integers(0, 400)


@given(COUNTS, COUNTS)
def test_mcnemar_is_the_binomial_test_on_the_rows_that_differ(first: int, second: int) -> None:
    found = mcnemar(first, second)
    if first + second == 0:
        assert found == 1
        return
    assert found == pytest.approx(binomtest(first, first + second).pvalue, abs=1e-9)
    table = np.array([[7, first], [second, 3]])
    assert found == pytest.approx(statsmodels_mcnemar(table, exact=True).pvalue, abs=1e-9)


@given(COUNTS, COUNTS)
def test_mcnemar_does_not_depend_on_which_model_comes_first(first: int, second: int) -> None:
    assert mcnemar(first, second) == mcnemar(second, first)


def test_mcnemar_of_small_tables_by_hand() -> None:
    assert mcnemar(9, 1) == 2 * (1 + 10) / 2**10
    assert mcnemar(0, 5) == 2 / 2**5
    assert mcnemar(4, 4) == 1


def test_mcnemar_keeps_its_digits_far_out() -> None:
    assert mcnemar(0, 1000) == pytest.approx(2 * 0.5**1000, rel=1e-12)
    assert mcnemar(5000, 5300) == pytest.approx(binomtest(5000, 10300).pvalue, rel=1e-9)


@pytest.mark.parametrize(("first", "second"), [(-1, 3), (3, -1)])
def test_mcnemar_refuses_negative_counts(first: int, second: int) -> None:
    with pytest.raises(ValueError, match="rows"):
        mcnemar(first, second)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
@settings(max_examples=20)
def test_holm_is_that_of_statsmodels(p_values: list[float]) -> None:
    expected = multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(list(expected), abs=1e-9)


def test_holm_on_a_textbook_family() -> None:
    """Four tests at 0.01, 0.04, 0.03, 0.005 (Wikipedia, "Holm-Bonferroni method", its example)."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02], abs=1e-12)


def test_holm_of_nothing_is_nothing() -> None:
    assert holm([]) == []


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan"), float("inf")])
def test_holm_refuses_what_is_no_p_value(wrong: float) -> None:
    with pytest.raises(ValueError, match="no p-value"):
        holm([0.5, wrong])
