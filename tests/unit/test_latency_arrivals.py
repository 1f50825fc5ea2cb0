"""When requests arrive, and the delays around the model."""

from __future__ import annotations

import random
from pathlib import Path
from statistics import fmean, median, stdev

import pytest

from lt_bench.errors import UsageError
from lt_bench.run.latency.arrivals import Arrivals, Size, parse_arrivals, parse_rates
from lt_bench.run.latency.durations import duration
from lt_bench.run.latency.observations import NEVER
from lt_bench.run.latency.path_model import end_to_end, path_model

POISSON = Arrivals("poisson")


def test_poisson_gaps_are_exponential_and_seeded() -> None:
    times = POISSON.schedule(4.0, Size(requests=5000, warmup=0), seed=1).times
    gaps = [after - before for before, after in zip((0.0, *times), times, strict=False)]
    assert fmean(gaps) == pytest.approx(0.25, rel=0.05)
    assert stdev(gaps) == pytest.approx(0.25, rel=0.05)
    assert times == POISSON.schedule(4.0, Size(requests=5000, warmup=0), seed=1).times
    assert times != POISSON.schedule(4.0, Size(requests=5000, warmup=0), seed=2).times


def test_one_seed_has_the_same_gaps_at_every_rate() -> None:
    slow = POISSON.schedule(1.0, Size(requests=50, warmup=0), seed=0).times
    fast = POISSON.schedule(8.0, Size(requests=50, warmup=0), seed=0).times
    assert fast == pytest.approx([at / 8 for at in slow], abs=1e-8)


def test_constant_arrivals_and_windows_by_time() -> None:
    even = Arrivals("constant").schedule(4.0, Size(duration=2.0, warmup=3), seed=0)
    assert even.times == (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5)
    assert even.warmup == 3


def test_a_trace_is_seconds_timestamps_or_objects(tmp_path: Path) -> None:
    texts = {
        "plain": "5.0\n6.5\n\n# a comment\n8\n",
        "unordered": "8\n5\n6.5\n",
        "iso": "2026-03-01T10:00:05Z\n2026-03-01T11:00:06.500+01:00\n2026-03-01T10:00:08\n",
        "jsonl": '{"at": 5}\n{"at": 6.5, "user": 3}\n{"at": 8}\n',
        "quoted": '"2026-03-01T10:00:05Z"\n{"timestamp": "2026-03-01T10:00:06.5Z"}\n'
        '{"time": "2026-03-01T10:00:08Z"}\n',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        found = parse_arrivals(f"trace:{tmp_path / name}")
        assert found.trace == (0.0, 1.5, 3.0), name
        assert parse_rates(None, found) == (pytest.approx(2 / 3),)
        own = found.schedule(parse_rates(None, found)[0], Size(warmup=1), seed=0)
        assert own.times == (0.0, 1.5, 3.0)
        assert found.schedule(4 / 3, Size(warmup=0), seed=0).times == (0.0, 0.75, 1.5)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no time"),
        ("1\nnan\n", "line 2: 'nan' is no time"),
        ("1\n1e999\n", "line 2"),
        ("1\ntrue\n", "line 2"),
        ("1\n2026-01-01T00:00:00\n", "mixes seconds and timestamps"),
        ('{"when": 3}\n', "none of the keys"),
        ("[1, 2]\n", "line 1"),
        ("1" * 70_000, "line 1 is no time: it is too long"),
        ("0\n1e300\n", r"1e\+300 s apart"),
        ("-1e308\n1e308\n", "inf s apart"),
    ],
)
def test_a_trace_that_is_none_names_the_line(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "t").write_text(text)
    with pytest.raises(UsageError, match=says.replace("[", r"\[")):
        parse_arrivals(f"trace:{tmp_path / 't'}")


def test_windows_that_cannot_be_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("1\n2\n3\n")
    trace = parse_arrivals(f"trace:{tmp_path / 't'}")
    with pytest.raises(UsageError, match="3 arrivals, 5 requests"):
        trace.schedule(1.0, Size(requests=5, warmup=0), 0)
    with pytest.raises(UsageError, match="leave none to measure"):
        trace.schedule(1.0, Size(warmup=3), 0)
    with pytest.raises(UsageError, match="more than 1,000,000"):
        POISSON.schedule(1e6, Size(duration=1e5), 0)
    with pytest.raises(UsageError, match="Did you mean 'poisson'"):
        parse_arrivals("poison")
    for rates in ("0", "-1", "x", "1,,2", "nan", "inf", ""):
        with pytest.raises(UsageError):
            parse_rates(rates, POISSON)
    with pytest.raises(UsageError, match="no --rate"):
        parse_rates(None, POISSON)
    assert parse_rates("4, 1,4,2", POISSON) == (1.0, 2.0, 4.0)
    for size in (
        {"requests": 0},
        {"duration": 0.0},
        {"warmup": -1},
        {"requests": 1, "duration": 1},
    ):
        with pytest.raises(UsageError):
            Size(**size)  # type: ignore[arg-type]


def test_a_window_that_nobody_lives_to_see_is_refused(tmp_path: Path) -> None:
    for rate in (1e-6, 1e-308, 5e-324):
        with pytest.raises(UsageError, match="arrive over"):
            POISSON.schedule(rate, Size(), 0)
    (tmp_path / "t").write_text("0\n1e-320\n")
    moment = parse_arrivals(f"trace:{tmp_path / 't'}")
    with pytest.raises(UsageError, match="no --rate"):
        parse_rates(None, moment)
    assert moment.schedule(2.0, Size(warmup=0), 0).times == (0.0, 0.0)


def test_a_long_delay_is_quoted_in_short() -> None:
    with pytest.raises(UsageError) as raised:
        duration("normal(" * 5000, "--tts")
    assert len(str(raised.value)) < 300


def draws(text: str) -> list[float]:
    rng, delay = random.Random(7), duration(text, "test")
    return [delay.draw(rng) for _ in range(4000)]


def test_delays_have_the_distribution_that_was_asked_for() -> None:
    assert set(draws("0.25")) == {0.25}
    assert fmean(draws("normal(0.5, 0.1)")) == pytest.approx(0.5, rel=0.02)
    assert stdev(draws("normal(0.5, 0.1)")) == pytest.approx(0.1, rel=0.05)
    assert median(draws("lognormal(0.05, 0.4)")) == pytest.approx(0.05, rel=0.05)
    assert fmean(draws("uniform(0.1, 0.3)")) == pytest.approx(0.2, rel=0.03)
    assert fmean(draws(" exponential( 0.2 ) ")) == pytest.approx(0.2, rel=0.06)
    assert min(draws("normal(0.01, 1)")) == 0.0
    assert set(draws("exponential(0)")) == {0.0}
    assert max(draws("lognormal(1, 800)")) <= 86_400


def test_a_delay_may_be_what_was_measured_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text('0.1\n0.2\n{"seconds": 0.4}\n')
    assert set(draws(f"trace:{tmp_path / 'd.txt'}")) == {0.1, 0.2, 0.4}
    (tmp_path / "d.txt").write_text("0.1\n-1\n")
    with pytest.raises(UsageError, match="-1 is no delay"):
        duration(f"trace:{tmp_path / 'd.txt'}", "test")


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", "-1", "nan", "inf", "normal(1)", "normal(a, b)", "gamma(1, 2)", "uniform(2, 1)"),
        *("normal(1, -1)", "lognormal(0.05, 0.4) s", "trace:/nowhere", "__import__('os')", "1e9"),
    ],
)
def test_a_delay_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        duration(text, "--tts")


def test_the_path_is_drawn_by_request_and_alike_at_every_rate(tmp_path: Path) -> None:
    (tmp_path / "delays").mkdir()
    (tmp_path / "delays" / "tts.txt").write_text("0.3\n")
    file = tmp_path / "delays" / "path.yaml"
    file.write_text("retrieval: lognormal(0.05, 0.4)\ntts: trace:tts.txt\n")
    model = path_model(file, {"scheduling": "0.01", "retrieval": None, "tts": None}, seed=3)
    assert model.draws(5) == model.draws(5)
    assert model.draws(5)["retrieval"] != model.draws(6)["retrieval"]
    assert model.draws(5)["tts"] == 0.3
    assert model.written["scheduling"] == "0.01"
    other = path_model(file, {}, seed=4)
    assert other.draws(5)["retrieval"] != model.draws(5)["retrieval"]
    with pytest.raises(UsageError, match="both say it"):
        path_model(file, {"tts": "1"}, 0)
    for text in ("retrival: 1\n", "tts: [1]\n", "tts: true\n", "{}\n", "- 1\n"):
        file.write_text(text)
        with pytest.raises(UsageError):
            path_model(file, {}, 0)


def test_delays_stand_before_the_model_and_behind_the_first_word() -> None:
    times = dict.fromkeys(("lag", "queueing", "first_token", "per_token"), 0.0)
    path = {"scheduling": 0.1, "retrieval": 0.2, "tts": 0.4}

    def heard(spoken: float | None, total: float) -> tuple[float | None, float | None]:
        found = end_to_end({**times, "first_spoken": spoken, "total": total}, path)  # type: ignore[dict-item]
        return found["first_audio"], found["finished"]

    assert heard(1.0, 3.0) == (pytest.approx(1.7), pytest.approx(3.3))
    # A short reply is spoken after it is written.
    assert heard(1.0, 1.1) == (pytest.approx(1.7), pytest.approx(1.7))
    assert heard(None, 2.0) == (None, pytest.approx(2.7))
    assert heard(NEVER, 2.0) == (NEVER, NEVER)
