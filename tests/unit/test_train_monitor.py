"""Figures of a step: what is counted, what stands in log.jsonl and in the table."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

from lt_bench.errors import RunError
from lt_bench.records import Generation, Score, Turn, Usage
from lt_bench.train.monitor import Draw, Monitor, bars, histogram, log_of
from lt_bench.train.rollouts import Rollout, cut_after

WEIGHTS = {"correctness": 0.7, "length": 0.3}


def rollout(
    length: int, reward: float | None, *, thought: int = 0, cut: bool = False, step: int = 1
) -> Rollout:
    usage = Usage(
        prompt=9,
        output=length,
        reasoning=thought,
        reply=length - thought - 1,
        markup=1,
        counted_by="engine",
    )
    turn = Turn(
        reasoning="x" * thought,
        reply="y",
        finish_reason="length" if cut else "stop",
        usage=usage,
        raw="y",
    )
    silent = Score(name="correctness", value=None, reason="judge_error")
    return Rollout(
        step=step,
        example_id="a",
        length=length,
        generation=Generation(turns=(turn,)),
        scores=() if reward is not None else (silent,),
        rewards={"correctness": reward, "length": 1.0} if reward is not None else {},
        reward=reward,
    )


def two_groups() -> list[Rollout]:
    return [
        rollout(10, 1.0, thought=8),
        rollout(20, 0.0, thought=7),
        rollout(31, 0.5, thought=20),
        rollout(40, None, thought=20, cut=True),
    ]


def test_the_figures_of_a_draw() -> None:
    found = Draw.of(two_groups(), group=2, longest=40)
    assert (found.completions, found.dropped, found.groups) == (4, 1, 2)
    assert found.reward == pytest.approx(0.5)
    assert found.rewards == pytest.approx({"correctness": 0.5, "length": 1.0})
    assert found.equal_groups == 1  # one score is left in the second
    assert found.equal_share == 0.5
    assert found.length == pytest.approx(25.25)
    assert found.histogram == (0, 0, 1, 0, 1, 0, 1, 1)
    assert found.clipped == 0.25
    assert found.short_thoughts == 0.25
    assert found.silence == "correctness: judge_error"


def test_a_draw_that_nobody_scored_has_no_reward() -> None:
    found = Draw.of([rollout(3, None)] * 4, group=2, longest=8)
    assert found.reward is None
    assert found.rewards == {}
    assert found.dropped == found.completions == 4


def test_a_histogram_shows_every_bar_that_is_not_empty() -> None:
    counts = histogram([0, 1, 100, 127, 128, 500], longest=128)
    assert counts == (2, 0, 0, 0, 0, 0, 1, 3)
    assert bars(counts) == "▆     ▃█"
    assert bars([1000, 1]) == "█▁"
    assert bars([0, 0]) == "  "


def monitor(folder: Path, every: int = 2) -> tuple[Monitor, io.StringIO]:
    out = io.StringIO()
    console = Console(file=out, width=160, highlight=False)
    return Monitor(log_of(folder / "log.jsonl"), WEIGHTS, every, console), out


def logged(one: Monitor, step: int, **logs: float) -> None:
    state = SimpleNamespace(global_step=step, max_steps=4)
    one.on_log(None, state, None, logs)


def test_a_line_a_step_and_a_table_every_few(tmp_path: Path) -> None:
    one, out = monitor(tmp_path)
    with one.journal:
        for step in (1, 2, 3, 4):
            if step != 3:
                one.drew(Draw.of(two_groups(), group=2, longest=40))
            logged(one, step, loss=0.5, kl=0.01 * step, entropy=2.0, epoch=1.0)
        logged(one, 4, train_runtime=3.0)
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text("utf-8").splitlines()]
    assert [line["step"] for line in lines] == [1, 2, 3, 4]
    assert lines[0]["figures"] == {"loss": 0.5, "kl": 0.01, "entropy": 2.0}
    assert "draw" not in lines[2]  # its completions are those of step 2
    table = out.getvalue().splitlines()
    assert len(table) == 4
    assert table[0].split()[:5] == ["step", "reward", "correctness", "length", "tokens"]
    assert table[1].startswith("1-2 ")
    assert table[3].startswith("3-4 ")
    row = table[1]
    assert "0.500" in row
    assert "25.2" in row
    assert "25%" in row
    assert "2/4" in row
    assert "2/8" in row
    assert "0.0150" in row


def test_a_loss_that_is_no_number_stops(tmp_path: Path) -> None:
    one, _ = monitor(tmp_path)
    with one.journal, pytest.raises(RunError, match="come apart") as caught:
        logged(one, 3, loss=float("nan"))
    assert "learning_rate" in caught.value.fix


def test_lines_of_steps_to_be_done_again_are_cut(tmp_path: Path) -> None:
    path = tmp_path / "rollouts.jsonl"
    lines = [rollout(5, 1.0, step=step).model_dump_json() for step in (1, 1, 2, 3)]
    path.write_text("\n".join(lines) + '\n{"step": 4, "torn')
    cut_after(path, 2)
    assert path.read_text().splitlines() == lines[:3]
    cut_after(path, 0)
    assert path.read_bytes() == b""
    cut_after(tmp_path / "none.jsonl", 0)


def test_a_line_that_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"step": 1}\nnot JSON\n{"step": 2}\n')
    with pytest.raises(RunError, match="line 2"):
        cut_after(path, 5)
