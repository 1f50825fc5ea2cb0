"""`lt-bench latency` through the real command: exact in virtual time, and true to a server's own log."""

from __future__ import annotations

import json
import math
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.server import Call, Reply, Responder, serve
from support.warm import lt_bench, start

from lt_bench import catalog
from lt_bench.records import LatencyReport, TimedRequest

SAMPLE = catalog.find("tasks", "commerce_qa") / "sample"
THOUGHT = "the sheet says so"
WORDS = "It is in stock and costs 99 yuan."


def replies() -> list[dict[str, Any]]:
    """The reference replies: correct and helpful, all of them."""
    return [json.loads(line) for line in (SAMPLE / "replies.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A script for all 100 rows: of each twenty, ten good and fast, five good and late, three that
    fail, two fast and wrong."""
    folder = tmp_path_factory.mktemp("mixed")
    rules: list[dict[str, Any]] = []
    for number, row in enumerate(replies()):
        place, answer = number % 20, {"text": row["output"], "delay": 0.9}
        answer |= {"first_token": 0.1, "first_spoken": 0.4, "usage": {"output": 9}}
        if 10 <= place < 15:
            answer |= {"delay": 4.0, "first_spoken": 1.4}
        if 15 <= place < 18:
            answer = {"fault": "server", "delay": 0.2}
        if place >= 18:
            answer |= {"text": "I have no idea, my friend."}
        rules.append({"when": {"example": row["id"]}, "answer": answer})
    (folder / "mixed.yaml").write_text(json.dumps({"rules": rules}))
    return folder


def measure(folder: Path, *arguments: str) -> LatencyReport:
    done = lt_bench("latency", *arguments, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return LatencyReport.model_validate_json(done.stdout)


def virtual(folder: Path, *arguments: str) -> LatencyReport:
    return measure(
        folder, "scripted/mixed.yaml", "--virtual-clock", "--warmup", "0", "--rate", "5", *arguments
    )


def test_every_figure_is_exact_on_the_virtual_clock(mixed: Path) -> None:
    (one,) = virtual(mixed, "--deadline", "1", "--arrivals", "constant").rates
    assert one.outcomes == {"ok": 85, "error": 15}
    assert one.failures == {"server": 15}
    assert (one.goodput.good, one.goodput.n, one.goodput.value) == (50, 100, 0.5)
    assert (one.in_time.good, one.in_time.n) == (60, 100)
    assert one.quality.value == pytest.approx(75 / 85)
    total, spoken = one.measured["total"], one.measured["first_spoken"]
    assert (total.n, total.never) == (85, 15)
    assert total.quantiles["p50"].value == 0.9
    assert total.quantiles["p95"].value is None
    assert total.answered["p95"].value == 4.0
    assert total.mean == pytest.approx((60 * 0.9 + 25 * 4.0) / 85)
    assert one.measured["first_token"].quantiles["p50"].value == 0.1
    assert spoken.quantiles["p50"].value == 0.4
    assert spoken.answered["p95"].value == 1.4
    assert one.measured["per_token"].quantiles["p50"].value == pytest.approx(0.1)
    assert one.window == pytest.approx(99 / 5)
    assert one.offered == pytest.approx(5.0)


def test_beginning_to_speak_is_another_deadline_than_the_end(mixed: Path) -> None:
    begun = virtual(mixed, "--deadline", "1.5", "--start-by").rates[0]
    assert (begun.goodput.good, begun.in_time.good) == (75, 85)
    ended = virtual(mixed, "--deadline", "1.5").rates[0]
    assert (ended.goodput.good, ended.in_time.good) == (50, 60)


def test_the_way_to_the_model_and_back_counts_in_goodput_and_not_in_the_times(mixed: Path) -> None:
    (mixed / "path.yaml").write_text("retrieval: 0.05\nscheduling: 0.1\n")
    found = virtual(mixed, "--deadline", "1", "--path", "path.yaml", "--tts", "0.3")
    one = found.rates[0]
    assert found.path == {"retrieval": "0.05", "scheduling": "0.1", "tts": "0.3"}
    assert one.measured["total"].quantiles["p50"].value == 0.9
    assert one.end_to_end["finished"].quantiles["p50"].value == pytest.approx(1.05)
    assert one.end_to_end["first_audio"].quantiles["p50"].value == pytest.approx(0.85)
    assert one.goodput.good == 0
    again = virtual(mixed, "--deadline", "1", "--retrieval", "lognormal(0.05, 0.8)")
    assert (
        again.rates
        == virtual(mixed, "--deadline", "1", "--retrieval", "lognormal(0.05, 0.8)").rates
    )
    assert 0 < again.rates[0].goodput.good < 50


def test_everything_is_written_down_with_a_row_for_each_request(mixed: Path) -> None:
    arguments = ("--deadline", "1", "--requests", "30", "--warmup", "7", "--out", "out")
    report = measure(mixed, "scripted/mixed.yaml", "--virtual-clock", "--rate", "2,4", *arguments)
    written = LatencyReport.model_validate_json((mixed / "out/latency.json").read_text())
    assert written == report
    lines = (mixed / "out/requests.jsonl").read_text().splitlines()
    rows = [TimedRequest.model_validate_json(line) for line in lines]
    assert len(rows) == 2 * 37
    assert sum(row.warmup for row in rows) == 14
    for rate in report.rates:
        mine = [row for row in rows if row.rate == rate.rate and not row.warmup]
        assert sum(row.good is True for row in mine) == rate.goodput.good
        assert sum(row.in_time is True for row in mine) == rate.in_time.good
    answered = next(row for row in rows if row.generation and not row.warmup)
    assert {score.name for score in answered.scores} >= {"correct_and_helpful", "tpr"}
    done = lt_bench(
        *("latency", "scripted/mixed.yaml", "--virtual-clock", "--rate", "2", *arguments), cwd=mixed
    )
    assert done.returncode == 2
    assert "holds a measurement already" in done.stderr


def test_a_person_reads_tables_bars_and_reasons(mixed: Path) -> None:
    done = lt_bench(
        *("latency", "scripted/mixed.yaml", "--virtual-clock", "--rate", "2,8", "--deadline", "1"),
        *("--html", "plots.html", "--warmup", "0"),
        cwd=mixed,
    )
    assert done.returncode == 0, done.stderr
    assert "correct_and_helpful is 1 and the reply was finished within 1 s" in done.stdout
    assert "50.0 % [40.4 – 59.6]" in done.stdout
    assert "2/s |#########################-----" in done.stdout
    assert "never (answered: 4.00 s" in done.stdout
    assert "15 of 100 requests failed" not in done.stdout
    assert "30 of 200 requests failed, 30 by server" in done.stdout
    assert "kept up with 8/s" in done.stderr
    page = (mixed / "plots.html").read_text()
    assert "Plotly.newPlot" in page
    assert "cdn.plot.ly/plotly" not in page.split("</script>")[-1]
    assert '<script src="http' not in page.replace("'", '"')
    assert "default-src 'none'" in page
    assert "50.0 % [40.4 – 59.6]" in page
    assert "never (answered: 4.00 s" in page


@pytest.fixture(scope="module")
def hostile(mixed: Path) -> Path:
    """A page about a script whose name and path model are markup."""
    name = '<img src=x onerror="document.title=1"><script>document.title=1<!--.yaml'
    (mixed / name).write_bytes((mixed / "mixed.yaml").read_bytes())
    (mixed / "<svg onload=alert(1)>\u202e").write_text("0.1\n0.2\n")
    done = lt_bench(
        *("latency", f"scripted/{name}", "--virtual-clock", "--rate", "1,2,3", "--deadline", "1"),
        *("--tts", "trace:<svg onload=alert(1)>\u202e", "--html", "hostile.html"),
        cwd=mixed,
    )
    assert done.returncode == 0, done.stderr
    return mixed / "hostile.html"


def test_names_are_text_in_the_page_and_nothing_else(hostile: Path) -> None:
    page = hostile.read_text()
    assert "&lt;img src=x onerror=" in page
    assert "<img" not in page.partition("</head>")[0] + page.rpartition("</script>")[2]
    assert "<svg onload" not in page
    assert "\u202e" not in page


@pytest.mark.browser
def test_the_page_draws_its_plots_and_runs_no_name(hostile: Path, browser: Any) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(hostile.as_uri(), timeout=120_000)
    assert page.title().startswith("scripted/<img")
    # plotly draws three of these for each plot
    assert page.locator(".main-svg").count() >= 4
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    page.close()


def test_musique_counts_exact_answers(tmp_path: Path) -> None:
    rows = (catalog.find("tasks", "musique") / "sample" / "replies.jsonl").read_text().splitlines()
    rules = [
        {"when": {"example": row["id"]}, "answer": {"text": row["output"], "delay": 0.2}}
        for row in map(json.loads, rows)
    ]
    (tmp_path / "m.yaml").write_text(json.dumps({"rules": rules}))
    asked = ("scripted/m.yaml", "--virtual-clock", "--task", "musique", "--rate", "3")
    found = measure(tmp_path, *asked, "--deadline", "1", "--requests", "40")
    assert found.asked_for == "em"
    assert found.rates[0].goodput.value == 1.0
    assert measure(tmp_path, *asked, "--deadline", "1", "--quality", "f1").asked_for == "f1"


def test_a_trace_sets_its_own_pace(mixed: Path) -> None:
    (mixed / "trace.jsonl").write_text(
        "\n".join(f'{{"at": "2026-05-01T10:00:{k / 4:06.3f}Z"}}' for k in range(60))
    )
    asked = ("scripted/mixed.yaml", "--virtual-clock", "--arrivals", "trace:trace.jsonl")
    found = measure(mixed, *asked, "--deadline", "1")
    assert found.rates[0].rate == pytest.approx(4.0)
    assert found.rates[0].requests == 50
    assert measure(mixed, *asked, "--deadline", "1", "--rate", "8").rates[0].window == (
        pytest.approx(49 / 8)
    )


def test_a_full_disk_does_not_take_what_was_measured_from_the_screen(mixed: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    done = lt_bench(
        *("latency", "scripted/mixed.yaml", "--virtual-clock", "--rate", "5", "--deadline", "1"),
        *("--requests", "20", "--html", "/dev/full", "--json"),
        cwd=mixed,
    )
    assert done.returncode == 4
    assert "No space left" in done.stderr
    assert LatencyReport.model_validate_json(done.stdout).rates[0].requests == 20


def test_a_page_may_lie_in_the_folder_that_is_made_for_the_rest(mixed: Path) -> None:
    virtual(mixed, "--deadline", "1", "--requests", "5", "--out", "a/b", "--html", "a/b/page.html")
    names = sorted(path.name for path in (mixed / "a" / "b").iterdir())
    assert names == ["latency.json", "page.html", "requests.jsonl"]


def test_answers_without_a_word_are_told(tmp_path: Path) -> None:
    (tmp_path / "mute.yaml").write_text('rules: [{answer: {text: " ", delay: 0.1}}]')
    report = measure(
        tmp_path,
        *("scripted/mute.yaml", "--virtual-clock", "--rate", "5", "--deadline", "1"),
        *("--requests", "20"),
    )
    assert report.rates[0].goodput.value == 0.0
    assert any("20 of 20 answers say nothing" in warning for warning in report.warnings)


def test_a_silent_judge_leaves_goodput_untold_and_ends_with_3(mixed: Path) -> None:
    (mixed / "judge.yaml").write_text("rules:\n  - answer: {garbage: true}\n")
    done = lt_bench(
        *("latency", "scripted/mixed.yaml", "--virtual-clock", "--rate", "5", "--deadline", "1"),
        *("--warmup", "0", "--judge", "llm", "--judge-model", "scripted/judge.yaml", "--json"),
        "--no-judge-cache",
        cwd=mixed,
    )
    assert done.returncode == 3, done.stderr
    one = LatencyReport.model_validate_json(done.stdout).rates[0]
    assert (one.goodput.good, one.goodput.n, one.goodput.unmeasured) == (0, 40, 60)
    assert one.in_time.good == 60


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--rate", "0"], "a rate is above 0"),
        ([], "no --rate"),
        (["--rate", "1", "--requests", "5", "--duration", "3"], "both say how long"),
        (["--rate", "1", "--arrivals", "trace:nowhere"], "no such file"),
        (["--rate", "1", "--tts", "normal(1)"], "takes 2 figures"),
        (["--rate", "1", "--quality", "correctnes"], "Did you mean 'correctness'"),
        (["--rate", "1", "--set", "backend.nonsense=1"], "unknown key 'nonsense'"),
        (["--rate", "1", "--set", "backend.concurrency=8"], "knows no concurrency"),
        (["--rate", "1", "--timeout", "0"], "is no time"),
        (["--rate", "1", "--virtual-clock"], "takes real time"),
        (["--rate", "1", "--html", "/nowhere/x.html"], "no such folder"),
        (["--rate", "1", "--out", "/dev/null/x"], "cannot write"),
        (["--rate", "1e-300"], "arrive over"),
    ],
)
def test_mistakes_are_found_before_anything_is_sent(
    arguments: Sequence[str], says: str, tmp_path: Path
) -> None:
    address = ("--base-url", "http://127.0.0.1:9/v1", "--deadline", "1")
    done = lt_bench("latency", "openai/x", *address, *arguments, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr
    assert not done.stdout


def test_a_file_of_answers_has_no_clock(tmp_path: Path) -> None:
    done = lt_bench(
        "latency", f"replay/{SAMPLE}/replies.jsonl", "--rate", "1", "--deadline", "1", cwd=tmp_path
    )
    assert done.returncode == 2
    assert "has no clock" in done.stderr


def test_a_server_that_is_not_there_ends_it(tmp_path: Path) -> None:
    done = lt_bench(
        *("latency", "openai/x", "--base-url", "http://127.0.0.1:9/v1"),
        *("--rate", "50", "--deadline", "1", "--requests", "5"),
        cwd=tmp_path,
    )
    assert done.returncode == 4
    assert "127.0.0.1:9" in done.stderr


# --- Against a server ------------------------------------------------------------------------


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[math.ceil(share * len(ordered) - 1e-9) - 1]


def close(found: float | None, logged: float) -> bool:
    return found is not None and abs(found - logged) <= max(0.01, 0.05 * logged)


def asked(url: str, *arguments: str) -> tuple[str, ...]:
    return ("openai/scripted", "--base-url", url, "--warmup", "0", *arguments)


def test_wall_clock_times_are_those_of_the_servers_own_log(tmp_path: Path) -> None:
    def respond(call: Call) -> Reply:
        slow = 0.8 + (call.number * 37 % 80) / 100
        return Reply(WORDS, reasoning=THOUGHT, delay=slow, gap=0.03)

    with serve(respond) as server:
        report = measure(
            tmp_path,
            *asked(server.url, "--rate", "20", "--deadline", "2", "--requests", "80"),
        )
    (one,) = report.rates
    assert len(server.calls) == 80
    # Part 0 opens the stream, part 1 is the first thought, then come the words of the reply.
    first_word = 1 + len(THOUGHT.split())
    logged = {
        "first_token": [call.sent[1] - call.at for call in server.calls],
        "first_spoken": [call.sent[first_word] - call.at for call in server.calls],
        "total": [call.ended - call.at for call in server.calls],
    }
    for name, values in logged.items():
        for share, key in ((0.5, "p50"), (0.95, "p95")):
            found = one.measured[name].quantiles[key]  # type: ignore[index]
            assert close(found.value, percentile(values, share)), (name, key, found)
    spoken, thought = one.measured["first_spoken"], one.measured["first_token"]
    assert spoken.quantiles["p50"].value > thought.quantiles["p50"].value + 0.1  # type: ignore[operator]
    assert report.counted_by == "provider"
    assert one.measured["lag"].quantiles["p95"].value < 0.2  # type: ignore[operator]


def test_a_stalled_server_shows_in_the_percentiles(tmp_path: Path) -> None:
    """Twenty a second, and from 1.5 s to 3.5 s nothing is answered: who arrived then waited for the
    end of it. Had each waited for the one before, one request alone would have met the stall."""
    calls: list[float] = []

    def respond(call: Call) -> Reply:
        calls.append(call.at)
        since = call.at - calls[0]
        return Reply(WORDS, delay=3.5 - since if 1.5 <= since < 3.5 else 0.01)

    with serve(respond) as server:
        (one,) = measure(
            tmp_path,
            *asked(server.url, "--rate", "20", "--deadline", "1", "--requests", "100"),
            *("--arrivals", "constant"),
        ).rates
    found = one.measured["total"].quantiles
    assert found["p95"].value == pytest.approx(1.75, abs=0.2)
    assert found["p50"].value < 0.2  # type: ignore[operator]
    assert one.most_outstanding >= 30
    assert one.in_time.good == pytest.approx(80, abs=4)


def one_by_one(seconds: float) -> Responder:
    """A server that works on one request at a time."""
    free = 0.0

    def respond(call: Call) -> Reply:
        nonlocal free
        free = max(free, call.at) + seconds
        return Reply(WORDS, delay=free - call.at)

    return respond


def test_a_sweep_finds_where_a_server_saturates_and_stops(tmp_path: Path) -> None:
    with serve(one_by_one(0.1)) as server:
        done = lt_bench(
            *("latency", *asked(server.url, "--rate", "5,25,35,50", "--deadline", "1")),
            *("--requests", "40", "--json"),
            cwd=tmp_path,
        )
    assert done.returncode == 0, done.stderr
    report = LatencyReport.model_validate_json(done.stdout)
    assert [one.saturation.saturated for one in report.rates] == [False, True, True]
    assert report.stopped == "2 rates in a row are saturated: 50/s not measured"
    assert "saturated at 25/s" in done.stderr
    assert report.rates[1].achieved == pytest.approx(10.0, rel=0.1)
    assert len(server.calls) == 120


def test_a_failure_is_sent_once_and_is_a_miss(tmp_path: Path) -> None:
    def respond(call: Call) -> Reply:
        if call.number % 4 == 0:
            return Reply(status=500, error={"message": "broken"})
        return Reply(fault="hang") if call.number % 4 == 1 else Reply(WORDS)

    with serve(respond) as server:
        (one,) = measure(
            tmp_path,
            *asked(server.url, "--rate", "20", "--deadline", "1", "--requests", "40"),
            *("--timeout", "1.5"),
        ).rates
    assert len(server.calls) == 40
    assert one.failures == {"server": 10, "timeout": 10}
    assert (one.in_time.good, one.in_time.n) == (20, 40)
    assert one.measured["total"].never == 20


def test_more_than_the_bound_is_dropped_and_said(tmp_path: Path) -> None:
    with serve(lambda call: Reply(WORDS, delay=2.0)) as server:
        done = lt_bench(
            *("latency", *asked(server.url, "--rate", "40", "--deadline", "3")),
            *("--requests", "40", "--max-outstanding", "10"),
            cwd=tmp_path,
        )
    assert done.returncode == 0, done.stderr
    assert len(server.calls) == 10
    assert "30 requests were dropped, too many were outstanding" in done.stdout


def test_ctrl_c_shows_what_was_measured(tmp_path: Path) -> None:
    def respond(call: Call) -> Reply:
        return Reply(WORDS) if call.number <= 25 else Reply(WORDS, delay=60.0)

    with serve(respond) as server:
        process = start(
            *("latency", *asked(server.url, "--rate", "40", "--deadline", "1")),
            *("--requests", "2000", "--json", "--out", "half"),
            cwd=tmp_path,
        )
        until = time.monotonic() + 60
        while len(server.calls) < 35 and time.monotonic() < until:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    report = LatencyReport.model_validate_json(out)
    (one,) = report.rates
    assert report.interrupted
    assert one.outcomes["ok"] == 25
    assert one.outcomes["cancelled"] >= 10
    assert (one.in_time.good, one.in_time.n) == (25, 25)
    assert "interrupted" in err
    assert (tmp_path / "half" / "latency.json").exists()
