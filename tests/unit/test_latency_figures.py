"""Percentiles, goodput, times of one request, and when nothing can be said."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom
from support.loads import generation, planned, seen

from lt_bench.records import Score, Timings, Turn, Usage
from lt_bench.run.latency.goodput import good, goodput, in_time
from lt_bench.run.latency.observations import NEVER, Observation
from lt_bench.run.latency.percentiles import figures
from lt_bench.stats.quantiles import fewest, quantile_rank, quantile_ranks


def test_ranks_are_those_of_the_binomial_table() -> None:
    # Conover, Practical Nonparametric Statistics: n = 10, median, 97.9 %: 2nd and 9th.
    ranks = quantile_ranks(10, 0.5)
    assert ranks
    assert (ranks.low, ranks.high) == (2, 9)
    assert (fewest(0.5), fewest(0.95), fewest(0.99)) == (6, 72, 368)
    assert quantile_ranks(71, 0.95) is None
    assert quantile_ranks(72, 0.95)


def test_the_rank_of_a_quantile_is_not_moved_by_floats() -> None:
    for n in range(1, 2000):
        assert quantile_rank(n, 0.95) == max(1, -(-95 * n // 100))
        assert quantile_rank(n, 0.99) == max(1, -(-99 * n // 100))


@settings(deadline=None)
@given(st.integers(1, 3000), st.sampled_from([0.05, 0.5, 0.9, 0.95, 0.99]))
def test_an_interval_holds_its_quantile_and_covers_enough(n: int, share: float) -> None:
    ranks = quantile_ranks(n, share)
    if ranks is None:
        assert n < fewest(share)
        return
    assert 1 <= ranks.low <= quantile_rank(n, share) <= ranks.high <= n
    assert binom.cdf(ranks.high - 1, n, share) - binom.cdf(ranks.low - 1, n, share) >= 0.95
    # As narrow as both tails allow.
    assert binom.cdf(ranks.low, n, share) > 0.025
    assert ranks.high == 1 or binom.cdf(ranks.high - 2, n, share) < 0.975


def test_intervals_cover_the_truth_of_a_skewed_distribution() -> None:
    rng, truth, covered = random.Random(3), -math.log(0.05), 0
    for _ in range(400):
        found = figures(rng.expovariate(1.0) for _ in range(150)).quantiles["p95"]
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= truth <= found.high
    assert covered / 400 > 0.93


def test_too_few_requests_have_no_percentile_and_the_reason() -> None:
    few = figures([0.1] * 19)
    assert few.quantiles["p50"].value == 0.1
    assert few.quantiles["p95"].value is None
    assert few.quantiles["p95"].reason == "p95 takes 20 requests, these are 19"
    some = figures([0.1] * 100).quantiles["p99"]
    assert (some.value, some.low) == (0.1, None)
    assert some.reason == "an interval of p99 takes 368 requests, these are 100"
    assert figures([]).quantiles["p50"].reason == "no request"
    assert figures([None, None]).quantiles["p50"].reason == "nobody tells this time"
    assert figures([]).mean is None


def test_requests_that_never_came_are_slower_than_all_others() -> None:
    found = figures([0.1] * 90 + [NEVER] * 10)
    assert (found.n, found.never) == (90, 10)
    assert found.quantiles["p50"].value == 0.1
    assert found.quantiles["p95"].value is None
    assert found.quantiles["p95"].reason == "never: 10 of 100 did not come"
    assert found.answered["p95"].value == 0.1
    assert found.mean == pytest.approx(0.1)
    edge = figures([0.1] * 97 + [NEVER] * 3).quantiles["p95"]
    assert (edge.value, edge.high) == (0.1, None)
    assert "no upper end" in edge.reason


def test_goodput_of_ten_in_time_five_late_three_failed_two_cancelled() -> None:
    """F82."""
    requests = [
        *[seen(0.5) for _ in range(10)],
        *[seen(9.0) for _ in range(5)],
        *[seen(0.1, kind="server") for _ in range(3)],
        *[seen(0.0, kind="cancelled") for _ in range(2)],
    ]
    early = [in_time(one, one.times["total"], 1.0) for one in requests]
    share = goodput(early, requests)
    assert (share.good, share.n, share.cancelled, share.unmeasured) == (10, 18, 2, 0)
    assert share.value == 10 / 18
    assert share.low is not None
    assert share.low == pytest.approx(0.3372, abs=1e-4)
    right, wrong = Score(name="q", value=1.0), Score(name="q", value=0.0)
    verdicts = [good(one, right if k % 2 else wrong) for k, one in enumerate(early)]
    assert goodput(verdicts, requests).value == 5 / 18


def test_what_cannot_be_told_is_counted_apart() -> None:
    unscored = Score(name="q", value=None, reason="judge_unparsed")
    requests = [seen(0.5), seen(0.5), seen(9.0), seen(0.1, kind="timeout"), seen(0, kind="dropped")]
    early = [in_time(one, one.times["total"], 1.0) for one in requests]
    assert early == [True, True, False, False, False]
    verdicts = [good(early[0], unscored), *(good(one, None) for one in early[1:])]
    share = goodput(verdicts, requests)
    # A late reply is a miss although nobody scored it.
    assert (share.good, share.n, share.unmeasured) == (0, 3, 2)
    nothing = goodput([None], [seen(0, kind="cancelled")])
    assert (nothing.value, nothing.cancelled) == (None, 1)


def test_an_answer_that_says_nothing_is_never_in_time() -> None:
    assert in_time(seen(0.1, reply=" \n"), 0.1, 1.0) is False
    assert in_time(seen(0.1), None, 1.0) is None
    assert in_time(seen(0.1), 1.0, 1.0) is True


def observation(turn: Turn) -> Observation:
    made = generation().model_copy(update={"turns": (turn,)})
    return Observation(planned(0, 1.0), made.status, 1.25, 9.0, made)


def turn(**changes: object) -> Turn:
    values: dict[str, object] = {
        "reasoning": "three words here", "reply": "one two three", "finish_reason": "stop",
        "usage": Usage(prompt=5, output=64, counted_by="provider"),
        "timings": Timings(first_token=0.5, first_reply_token=1.5, total=6.8),
    }  # fmt: skip
    return Turn(**{**values, **changes})


def test_thinking_and_speaking_have_times_of_their_own() -> None:
    """F80."""
    times = observation(turn()).times
    assert (times["lag"], times["first_token"], times["first_spoken"]) == (0.25, 0.75, 1.75)
    assert times["total"] == pytest.approx(7.05)


def test_time_per_token_believes_the_count_and_not_the_text() -> None:
    """F74: the ids say 64, whatever the text would be cut into; F73: reasoning that the provider did
    not count does not touch the whole."""
    assert observation(turn()).times["per_token"] == pytest.approx((6.8 - 0.5) / 63)
    uncounted = turn(notes=("reasoning_uncounted",))
    assert observation(uncounted).times["per_token"] == pytest.approx((6.8 - 0.5) / 63)
    assert observation(turn(usage=None)).times["per_token"] is None
    one = turn(usage=Usage(prompt=5, output=1, counted_by="provider"))
    assert observation(one).times["per_token"] is None


def test_a_trace_without_a_reply_thinks_but_never_speaks() -> None:
    cut = turn(
        reply="", finish_reason="length", timings=Timings(first_token=0.5, total=2.0), reasoning="x"
    )
    times = observation(cut).times
    assert times["first_token"] == 0.75
    assert times["first_spoken"] == NEVER
    assert times["total"] == 2.25


def test_untold_times_are_unknown_and_not_zero() -> None:
    times = observation(turn(timings=Timings(total=2.0))).times
    assert times["first_token"] is None
    assert times["first_spoken"] is None
    assert times["per_token"] is None
    failed = seen(0.2, kind="server").times
    assert failed["lag"] == 0.0
    assert failed["total"] == NEVER
    assert failed["queueing"] is None
