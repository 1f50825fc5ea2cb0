"""Faults of real servers and models, through the real command: what each does to row and card.

Each row of `CASES` is one question; the scripted server answers it in its odd way, and the run's
journals must hold what a careful reader would have made of it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from support.server import Reply, Server, by_substring, serve
from support.tiny_models import tiny_tokenizer
from support.warm import lt_bench

EM = "em"


@dataclass(frozen=True)
class Case:
    """What the server says to one question, and what must come of it. None: not looked at."""

    reply: Reply
    answers: tuple[str, ...] = ("99 yuan",)
    status: str = "ok"
    reasoning: str | None = None
    spoken: str | None = None
    notes: tuple[str, ...] = ()
    scores: dict[str, float | None] = field(default_factory=dict)


CASES = {
    "F01": Case(
        Reply("Sheet says 99.</think>\nIt is 99 yuan."),
        reasoning="Sheet says 99.",
        spoken="It is 99 yuan.",
        notes=("open_tag_implied",),
    ),
    "F02": Case(
        Reply("<think>Both heaters list 2000 W, so", finish_reason="length"),
        status="truncated",
        reasoning="Both heaters list 2000 W, so",
        spoken="",
        notes=("unclosed_length",),
        scores={"em": 0.0, "f1": 0.0, "truncated": 1.0},
    ),
    "F04": Case(
        Reply("<think>a</think>Hello.<think>b</think>It is red."),
        reasoning="ab",
        spoken="Hello.It is red.",
        notes=("several_blocks",),
    ),
    "F05": Case(
        Reply('<think>comment contains "</think>" as text, ignore</think>Yes, in stock.'),
        spoken="Yes, in stock.",
        notes=("quoted_tag",),
    ),
    "F07": Case(
        Reply("<think>x</think>The code </think> is printed on the box."),
        reasoning="x",
        spoken="The code </think> is printed on the box.",
    ),
    "F08": Case(
        Reply("<think>\n\n</think>\n\nYes."),
        answers=("Yes",),
        reasoning="",
        spoken="Yes.",
        notes=("empty_thinking",),
        scores={"em": 1.0},
    ),
    "F10": Case(
        Reply(None, reasoning="still checking", finish_reason="length"),
        status="truncated",
        reasoning="still checking",
        spoken="",
        scores={"em": 0.0},
    ),
    "F11": Case(
        Reply("<think>It is 99 yuan, I am sure.", finish_reason="stop"),
        status="truncated",
        reasoning="It is 99 yuan, I am sure.",
        spoken="",
        notes=("unclosed_stop",),
        scores={"em": 0.0, "truncated": 1.0},
    ),
    "F13": Case(
        Reply("analysisViewer asks price.assistantfinal99 yuan"),
        reasoning="Viewer asks price.",
        spoken="99 yuan",
        notes=("leaked_channels",),
        scores={"em": 1.0},
    ),
    "F14a": Case(Reply("[THINK]t[/THINK]99 yuan"), reasoning="t", spoken="99 yuan"),
    "F14b": Case(Reply("◁think▷t◁/think▷99 yuan"), reasoning="t", spoken="99 yuan"),
    "F14c": Case(Reply("<seed:think>t</seed:think>99 yuan"), reasoning="t", spoken="99 yuan"),
    "F14d": Case(Reply("<reasoning>t</reasoning>99 yuan"), reasoning="t", spoken="99 yuan"),
    "F14e": Case(Reply("<思考>t</思考>99 yuan"), reasoning="t", spoken="99 yuan"),
    "F14f": Case(Reply("<ponder>t</ponder>99 yuan"), notes=("unknown_family",)),
    "F16": Case(
        Reply("<think>Answer: Paris? no</think>Answer: Lyon"),
        answers=("Lyon",),
        spoken="Answer: Lyon",
        scores={"em": 1.0},
    ),
    "F17a": Case(Reply("<think>t</ThInk>99 yuan"), reasoning="t", spoken="99 yuan"),
    "F17b": Case(Reply("\u00a0<think>t</think>99 yuan"), reasoning="t", spoken="99 yuan"),
    "F17c": Case(Reply("<think>t</think>99 yuan", piece=3), reasoning="t", spoken="99 yuan"),
    "F20": Case(
        Reply("<think>one\n\ntwo</think>99 yuan\n\nPassage: more"),
        reasoning="one\n\ntwo",
        spoken="99 yuan",
        notes=("stop_cut",),
        scores={"em": 1.0},
    ),
    "F23a": Case(Reply("zebra"), answers=("A",), scores={"em": 0.0, "f1": 0.0}),
    "F23b": Case(Reply("A"), answers=("A",), scores={"em": 1.0, "f1": 1.0}),
    "F24": Case(Reply("Paris"), answers=("Paris", "???"), scores={"em": 1.0, "f1": 1.0}),
    "F26": Case(Reply("天气好"), answers=("天气很好",), scores={"em": 0.0, "f1": 0.0}),
    "F27": Case(Reply("yes"), answers=("无法提供",), scores={"em": 0.0, "f1": 0.0}),
    "F29": Case(Reply("Answer: 10\nPassage"), answers=("10",), scores={"em": 1.0}),
    "F30": Case(Reply("yes."), answers=("yes",), scores={"em": 1.0}),
    "F32": Case(Reply("no, it is not"), answers=("yes",), scores={"em": 0.0, "f1": 0.0}),
    "F33": Case(Reply("New York City"), answers=("NYC", "New York City"), scores={"em": 1.0}),
    "F96": Case(
        Reply("__import__('os').system('touch pwned') {{ 7*7 }} <script>"), scores={"em": 0.0}
    ),
    "empty": Case(Reply(""), spoken="", scores={"em": 0.0, "f1": 0.0}),
    "surrogate": Case(
        Reply(
            body=json.dumps(
                {
                    "choices": [
                        {
                            "index": 0,
                            "finish_reason": "stop",
                            "message": {"role": "assistant", "content": "bad \\ud800 text"},
                        }
                    ]
                }
            )
            .replace("\\\\", "\\")
            .encode(),
            stream=False,
        )
    ),
    "none": Case(Reply(None), status="error", scores={"em": None, "tpr": None}),
    "F63": Case(Reply(status=500), status="error", scores={"em": None}),
    "filter": Case(
        Reply(None, finish_reason="content_filter"), status="refused", scores={"em": None}
    ),
}


def example(name: str, case: Case) -> dict[str, Any]:
    return {
        "id": name,
        "task": "musique",
        "question": f"<<{name}>> What does it cost?",
        "group": name,
        "gold": {"kind": "answers", "answers": case.answers},
        "tags": [name[:3]],
    }


@dataclass(frozen=True)
class Outcome:
    """The run of all cases: exit code, card, and the journals by example id."""

    code: int
    err: str
    card: dict[str, Any]
    samples: dict[str, dict[str, Any]]
    scores: dict[str, dict[str, Any]]
    folder: Path


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    folder = tmp_path_factory.mktemp("faults")
    lines = [json.dumps(example(name, case)) for name, case in CASES.items()]
    (folder / "rows.jsonl").write_text("\n".join(lines), encoding="utf-8")
    table = {f"<<{name}>>": (case.reply,) for name, case in CASES.items()}
    with serve(by_substring(table)) as server:
        done = lt_bench(
            *("eval", "openai/odd", "--base-url", server.url, "--task", "musique", "--json"),
            *("--data", "rows.jsonl", "--run", folder / "run"),
            *("--set", "backend.max_attempts=2", "--set", "backend.backoff=0.01"),
            *("--set", 'sampling.stop=["\\n\\nPassage"]'),
            cwd=folder,
        )
    assert done.stdout, done.stderr
    return Outcome(
        done.returncode,
        done.stderr,
        json.loads(done.stdout),
        {row["key"]["example_id"]: row for row in journal(folder / "run/generations.jsonl")},
        {
            row["key"]["example_id"]: {s["name"]: s.get("value") for s in row["scores"]}
            for row in journal(folder / "run/scores.jsonl")
        },
        folder,
    )


def journal(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


@pytest.mark.parametrize("name", CASES)
def test_fault_has_the_right_fate(name: str, outcome: Outcome) -> None:
    case, sample = CASES[name], outcome.samples[name]
    assert sample["status"] == case.status
    if "generation" in sample:
        (turn,) = sample["generation"]["turns"]
        if case.reasoning is not None:
            assert turn["reasoning"] == case.reasoning
        if case.spoken is not None:
            assert turn["reply"] == case.spoken
        for note in case.notes:
            assert note in turn["notes"]
    if case.status == "error":
        assert name not in outcome.scores
        return
    for metric, value in case.scores.items():
        if value is not None or case.status == "refused":
            assert outcome.scores[name][metric] == value


def test_every_sample_is_accounted_for_in_every_metric(outcome: Outcome) -> None:
    assert sum(outcome.card["samples"].values()) == len(CASES)
    assert outcome.card["samples"] == {"error": 2, "ok": 29, "refused": 1, "truncated": 3}
    for name, metric in outcome.card["metrics"].items():
        assert metric["n"] + sum(metric["unscored"].values()) == len(CASES), name


def test_f63_failed_rows_are_unscored_and_the_exit_code_says_so(outcome: Outcome) -> None:
    assert outcome.code == 3
    assert outcome.card["metrics"]["em"]["unscored"] == {"no_answer": 3}
    assert any("2 of 35 samples have no answer" in text for text in outcome.card["warnings"])


def test_f10_truncated_answers_are_zero_on_all_rows_and_absent_on_completed_ones(
    outcome: Outcome,
) -> None:
    everything, completed = outcome.card["metrics"]["em"], outcome.card["slices"]["status:ok"]["em"]
    assert everything["n"] == completed["n"] + 3
    assert everything["value"] < completed["value"]


def test_f11_an_unclosed_stop_is_counted_apart_from_length(outcome: Outcome) -> None:
    assert outcome.card["note_counts"]["unclosed_stop"] == 1
    assert outcome.card["note_counts"]["unclosed_length"] >= 1


def test_f13_f14_leaks_and_unknown_families_are_loud(outcome: Outcome) -> None:
    warnings = "\n".join(outcome.card["warnings"])
    assert "unknown thinking tag" in warnings
    assert "channel names" in warnings


def test_f96_model_text_is_never_run(outcome: Outcome) -> None:
    assert not list(outcome.folder.rglob("pwned"))


def test_f19_truncation_is_a_headline_with_a_warning(tmp_path: Path) -> None:
    rows = [example(f"r{i:03}", Case(Reply())) for i in range(100)]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    cut = Reply("<think>hm", finish_reason="length")
    table = {f"<<r{i:03}>>": (cut if i < 37 else Reply("Answer: 99 yuan"),) for i in range(100)}
    with serve(by_substring(table)) as server:
        done = lt_bench(
            *("eval", "openai/cut", "--base-url", server.url, "--task", "musique"),
            *("--data", "rows.jsonl", "--json"),
            cwd=tmp_path,
        )
    assert done.returncode == 0, done.stderr
    card = json.loads(done.stdout)
    assert "truncated" in card["headline"]
    assert card["metrics"]["truncated"]["value"] == 0.37
    assert card["metrics"]["em"]["value"] == 0.63
    assert card["slices"]["status:ok"]["em"]["value"] == 1.0
    assert any("37 of 100 answers are truncated" in text for text in card["warnings"])


def test_f26_chinese_f1_counts_characters_and_the_card_names_the_mode(tmp_path: Path) -> None:
    row = example("zh", Case(Reply(), answers=("天气很好",)))
    (tmp_path / "rows.jsonl").write_text(json.dumps(row), encoding="utf-8")
    with serve(by_substring({"<<zh>>": (Reply("天气好"),)})) as server:
        done = lt_bench(
            *("eval", "openai/zh", "--base-url", server.url, "--task", "musique"),
            *("--data", "rows.jsonl", "--set", "task.mode=zh", "--json"),
            cwd=tmp_path,
        )
    card = json.loads(done.stdout)
    assert round(card["metrics"]["f1"]["value"], 3) == 0.857
    assert "mode zh" in card["remarks"]["f1"]


def test_f65_a_rate_limit_waits_as_long_as_the_server_asks(tmp_path: Path) -> None:
    row = example("slow", Case(Reply()))
    (tmp_path / "rows.jsonl").write_text(json.dumps(row), encoding="utf-8")
    wait = Reply(status=429, headers={"Retry-After": "2"})
    with serve(by_substring({"<<slow>>": (wait, wait, Reply("99 yuan"))})) as server:
        done = lt_bench(
            *("eval", "openai/slow", "--base-url", server.url, "--task", "musique"),
            *("--data", "rows.jsonl", "--run", tmp_path / "run"),
            cwd=tmp_path,
        )
        times = [call.at for call in server.calls]
    assert done.returncode == 0, done.stderr
    assert min(later - before for before, later in pairwise(times)) >= 2.0
    (sample,) = journal(tmp_path / "run/generations.jsonl")
    assert sample["generation"]["turns"][0]["attempts"] == 3


def test_f87_a_metric_without_values_is_null_with_a_reason(
    outcome: Outcome, tmp_path: Path
) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps(example("x", CASES["F63"])), encoding="utf-8")
    with serve(by_substring({"<<x>>": (Reply(status=500),)})) as server:
        done = lt_bench(
            *("eval", "openai/x", "--base-url", server.url, "--task", "musique"),
            *("--data", "rows.jsonl", "--json", "--run", tmp_path / "run"),
            *("--set", "backend.max_attempts=1"),
            cwd=tmp_path,
        )
    assert done.returncode == 3
    assert "NaN" not in done.stdout + (tmp_path / "run/card.json").read_text()
    em = json.loads(done.stdout)["metrics"]["em"]
    assert em["value"] is None
    assert em["unscored"] == {"no_answer": 1}
    assert em["method"] == "nothing scored"


# --- F: the model's API ----------------------------------------------------------------------


def one_row(folder: Path, name: str = "x") -> None:
    (folder / "rows.jsonl").write_text(json.dumps(example(name, CASES["F63"])), encoding="utf-8")


def evaluate(server: Server, folder: Path, *more: str) -> CompletedProcess[str]:
    return lt_bench(
        *("eval", "openai/odd", "--base-url", server.url, "--task", "musique", "--json"),
        *("--data", "rows.jsonl", "--run", "run", *more),
        cwd=folder,
    )


def only_sample(folder: Path) -> dict[str, Any]:
    (sample,) = journal(folder / "runs/run/generations.jsonl")
    return sample


def test_f63_one_row_that_always_fails_costs_one_row_of_many(tmp_path: Path) -> None:
    rows = [example(f"r{i:03}", Case(Reply())) for i in range(80)]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    table = {"<<r041>>": (Reply(status=500),), "<<": (Reply("99 yuan"),)}
    with serve(by_substring(table)) as server:
        done = evaluate(
            server, tmp_path, "--set", "backend.max_attempts=3", "--set", "backend.backoff=0.01"
        )
        assert sum("<<r041>>" in call.text for call in server.calls) == 3
    assert done.returncode == 3
    card = json.loads(done.stdout)
    assert card["samples"] == {"error": 1, "ok": 79}
    assert (card["metrics"]["em"]["value"], card["metrics"]["em"]["n"]) == (1.0, 79)
    assert card["metrics"]["em"]["unscored"] == {"no_answer": 1}
    (failed,) = [
        row for row in journal(tmp_path / "runs/run/generations.jsonl") if row["status"] == "error"
    ]
    assert failed["failure"] == {"kind": "server", "message": "HTTP 500: HTTP 500", "attempts": 3}


def test_f66_an_answer_that_comes_after_its_time_out_is_neither_kept_nor_counted_twice(
    tmp_path: Path,
) -> None:
    one_row(tmp_path)
    late = Reply("100 yuan", delay=1.0)
    with serve(by_substring({"<<x>>": (late, Reply("99 yuan", delay=0.7))})) as server:
        done = evaluate(
            server, tmp_path, "--set", "backend.timeout=0.8", "--set", "backend.backoff=0.01"
        )
        assert [call.outcome for call in server.calls] == ["client gone", "answered"]
    assert done.returncode == 0, done.stderr
    (turn,) = only_sample(tmp_path)["generation"]["turns"]
    assert (turn["reply"], turn["attempts"]) == ("99 yuan", 2)
    assert json.loads(done.stdout)["metrics"]["em"]["value"] == 1.0
    (scored,) = journal(tmp_path / "runs/run/scores.jsonl")
    assert scored["key"] == only_sample(tmp_path)["key"]


def test_f68_an_endpoint_that_refuses_the_system_role_is_not_asked_twice_and_says_why(
    tmp_path: Path,
) -> None:
    one_row(tmp_path)
    refusal = Reply(status=400, error={"message": "System role not supported"})
    with serve(by_substring({"<<x>>": (refusal,)})) as server:
        done = evaluate(server, tmp_path)
        assert len(server.calls) == 1
    assert done.returncode == 3, done.stderr
    (warning, *_) = json.loads(done.stdout)["warnings"]
    assert "System role not supported" in warning
    assert only_sample(tmp_path)["failure"]["kind"] == "bad_request"


# --- G: tokens and time ----------------------------------------------------------------------

TRACE = " ".join(["think"] * 400)
UNCOUNTED = {
    "prompt_tokens": 100,
    "completion_tokens": 474,
    "completion_tokens_details": {"reasoning_tokens": 0},
}


def test_f73_no_reasoning_tokens_beside_a_trace_is_no_count(tmp_path: Path) -> None:
    one_row(tmp_path)
    reply = Reply("99 yuan", reasoning=TRACE, usage=UNCOUNTED)
    with serve(by_substring({"<<x>>": (reply,)})) as server:
        done = evaluate(server, tmp_path)
    card = json.loads(done.stdout)
    assert card["metrics"]["tpr"]["value"] == 474
    assert card["metrics"]["tpr_reasoning"]["value"] is None
    assert card["metrics"]["tpr_reasoning"]["unscored"] == {"not_applicable": 1}
    assert card["note_counts"]["reasoning_uncounted"] == 1
    assert any("without a count of their tokens" in text for text in card["warnings"])


@pytest.mark.model
def test_f73_a_tokenizer_counts_the_trace_again_and_says_so(tmp_path: Path) -> None:
    one_row(tmp_path)
    tiny_tokenizer().save_pretrained(tmp_path / "tokenizer")
    trace = len(tiny_tokenizer()(TRACE)["input_ids"])
    usage = UNCOUNTED | {"completion_tokens": trace + 74}
    with serve(
        by_substring({"<<x>>": (Reply("99 yuan", reasoning=TRACE, usage=usage),)})
    ) as server:
        done = evaluate(server, tmp_path, "--set", "backend.tokenizer=tokenizer")
    assert done.returncode == 0, done.stderr
    card = json.loads(done.stdout)
    assert card["metrics"]["tpr"]["value"] == trace + 74
    assert card["metrics"]["tpr_reasoning"]["value"] == trace
    assert card["note_counts"] == {"retokenized": 1}
    usage = UNCOUNTED | {"completion_tokens": trace - 1}
    with serve(
        by_substring({"<<x>>": (Reply("99 yuan", reasoning=TRACE, usage=usage),)})
    ) as server:
        done = evaluate(
            server, tmp_path, "--set", "backend.tokenizer=tokenizer", "--run", "mismatch"
        )
    card = json.loads(done.stdout)
    assert card["metrics"]["tpr"]["value"] == trace - 1
    assert card["metrics"]["tpr_reasoning"]["value"] is None
    assert any("another number of tokens than was reported" in text for text in card["warnings"])


@pytest.mark.model
def test_f74_reported_counts_win_over_a_recount_and_the_drift_is_told(tmp_path: Path) -> None:
    one_row(tmp_path)
    tiny_tokenizer().save_pretrained(tmp_path / "tokenizer")
    text = f"<think>{TRACE[:120]}</think>99 yuan"
    assert len(tiny_tokenizer()(text)["input_ids"]) not in (64, 63)
    row = {"id": "x", "output": text, "usage": {"completion_tokens": 64}}
    (tmp_path / "answers.jsonl").write_text(json.dumps(row), encoding="utf-8")
    done = lt_bench(
        *("eval", "replay/answers.jsonl", "--task", "musique", "--data", "rows.jsonl", "--json"),
        *("--set", "backend.tokenizer=tokenizer"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    card = json.loads(done.stdout)
    assert card["metrics"]["tpr"]["value"] == 64
    assert card["note_counts"]["token_drift"] == 1
    assert any("another number of tokens than was reported" in text for text in card["warnings"])


def test_f76_cached_and_reasoning_tokens_are_counted_once(tmp_path: Path) -> None:
    one_row(tmp_path)
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 50,
        "total_tokens": 150,
        "prompt_tokens_details": {"cached_tokens": 80},
        "completion_tokens_details": {"reasoning_tokens": 40},
    }
    reply = Reply("99 yuan", reasoning="it says 99", usage=usage)
    with serve(by_substring({"<<x>>": (reply,)})) as server:
        done = evaluate(server, tmp_path, "--active-params", "3.0e9")
    (turn,) = only_sample(tmp_path)["generation"]["turns"]
    assert turn["usage"] == {
        "prompt": 100,
        "output": 50,
        "reasoning": 40,
        "counted_by": "provider",
    }
    metrics = json.loads(done.stdout)["metrics"]
    assert (metrics["tpr"]["value"], metrics["tpr_reasoning"]["value"]) == (50, 40)
    assert metrics["tflop_paper"]["value"] == pytest.approx(2 * 3.0e9 * 50 / 1e12)


def test_f76_a_judges_tokens_are_paid_once(tmp_path: Path) -> None:
    one_row(tmp_path)
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 50,
        "prompt_tokens_details": {"cached_tokens": 80},
        "completion_tokens_details": {"reasoning_tokens": 40},
    }
    verdict = Reply('{"correct": true}', usage=usage)
    with (
        serve(by_substring({"<<x>>": (Reply("99 yuan"),)})) as server,
        serve(lambda _: verdict) as judge,
    ):
        done = evaluate(
            *(server, tmp_path, "--judge", "commerce_correctness", "--judge-model", "openai/judge"),
            *("--judge-base-url", judge.url, "--judge-price", "10,20", "--no-judge-cache"),
        )
        asked = len(judge.calls)
    assert done.stdout, done.stderr
    bill = json.loads(done.stdout)["bill"]
    assert asked
    assert (bill["requests"], bill["prompt"], bill["output"]) == (asked, 100 * asked, 50 * asked)
    assert bill["cost"] == pytest.approx(asked * (100 * 10 + 50 * 20) / 1e6)


def test_f80_the_first_token_and_the_first_spoken_token_are_two_times(tmp_path: Path) -> None:
    one_row(tmp_path)
    thought, spoken = " ".join(["hm"] * 50), "99 yuan it costs today"
    for name, reply in (
        ("field", Reply(spoken, reasoning=thought, gap=0.01)),
        ("tags", Reply(f"<think>{thought}</think>{spoken}", gap=0.01)),
    ):
        with serve(by_substring({"<<x>>": (reply,)})) as server:
            assert evaluate(server, tmp_path, "--run", name).returncode == 0
        (sample,) = journal(tmp_path / "runs" / name / "generations.jsonl")
        timings = sample["generation"]["turns"][0]["timings"]
        first, heard = timings["first_token"], timings["first_reply_token"]
        assert heard - first >= 0.4, name
        assert first < heard < timings["total"]


@pytest.mark.parametrize(
    ("name", "active", "matmul"),
    [("qwen3-30b-a3b", 3.35e9, 3.04e9), ("qwen3-1.7b", 1.72e9, 1.72e9)],
)
def test_f77_f79_both_counts_of_a_model_are_named_and_each_is_the_visited_experts(
    name: str, active: float, matmul: float, tmp_path: Path
) -> None:
    config = Path(__file__).parents[1] / "golden" / "configs" / f"{name}.json"
    done = lt_bench("flops", config, "--tokens", "153", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["active_params"] == pytest.approx(active, rel=0.02)
    assert found["active_matmul_params"] == pytest.approx(matmul, rel=0.02)
    told = lt_bench("flops", config, "--tokens", "153", cwd=tmp_path).stdout
    assert "2 N T" in told
