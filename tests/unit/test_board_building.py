"""Boards as built: who is compared with whom, who takes a rank, and what is said where nobody can."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from support.boards import LOWER, board, card, judge, run

from lt_bench.board.at_hand import board_of
from lt_bench.board.building import build
from lt_bench.board.margins import non_inferiority, smallest_found
from lt_bench.board.model import Board
from lt_bench.board.store import Store
from lt_bench.errors import UsageError
from lt_bench.records import Agreement, Confusion, Estimate, MetricCalibration

NAN = math.nan


def right(share: float, rows: int = 100) -> list[float]:
    """So many rows are right, spread evenly."""
    return [float(math.floor((i + 1) * share) > math.floor(i * share)) for i in range(rows)]


def built(folder: Path) -> Board:
    found = build(Store(folder))
    assert Board.model_validate_json(found.model_dump_json()) == found
    return found


def agreement(tp: int, fp: int, tn: int, fn: int) -> Agreement:
    def share(part: int, whole: int, low: float | None = None) -> Estimate:
        value = part / whole if whole else None
        return Estimate(value=value, low=low, high=value, n=whole, method="none")

    n = tp + fp + tn + fn
    kappa = Estimate(value=0.7, low=0.6, high=0.8, n=n, method="none", unit="coefficient")
    return Agreement(
        counts=Confusion(true_positive=tp, false_positive=fp, true_negative=tn, false_negative=fn),
        agreement=share(tp + tn, n, 0.8),
        base_rate=share(tp + fn, n),
        sensitivity=share(tp, tp + fn),
        specificity=share(tn, tn + fp),
        kappa=kappa,
        ac1=kappa,
    )


def test_entries_are_ranked_in_the_order_of_the_first_column(tmp_path: Path) -> None:
    board(
        tmp_path,
        run("low", {"correctness": right(0.2), "tpr": [10.0] * 100}),
        run("high", {"correctness": right(0.9), "tpr": [30.0] * 100}),
        run("middle", {"correctness": right(0.5), "tpr": [20.0] * 100}),
    )
    found = built(tmp_path)
    assert [one.model for one in found.entries] == ["high", "middle", "low"]
    assert [found.cell(one.id, "correctness").rank for one in found.entries] == [1, 2, 3]
    assert [found.cell(one.id, "tpr").rank for one in found.entries] == [3, 2, 1]
    assert found.by_name["tpr"].better == "lower"
    assert (found.rows, found.groups) == (100, 100)
    pairs = [pair for pair in found.pairs if pair.metric == "correctness"]
    assert len(pairs) == 3
    assert all(found.by_id[pair.better].model in ("high", "middle") for pair in pairs)
    front = next(one for one in found.paretos if one.cost == "tpr")
    assert [found.by_id[one].model for one in front.front] == ["low", "middle", "high"]
    assert sum(found.lengths[0].counts) == 100


def test_missing_metrics_come_last_without_a_rank(tmp_path: Path) -> None:
    board(
        tmp_path,
        run("lacks", {"f1": [0.5] * 40}),
        run("nothing", {"correctness": [NAN] * 40, "f1": [0.5] * 40}),
        run("has", {"correctness": right(0.5, 40), "f1": [0.5] * 40}),
        run("has too", {"correctness": right(0.5, 40), "f1": [0.7] * 40}),
    )
    (tmp_path / "board.yaml").write_text(
        "task: commerce_qa\ntitle: x\nmetrics: [correctness, f1]\n"
    )
    found = built(tmp_path)
    assert [one.model for one in found.entries][:2] == ["has", "has too"]
    cells = {one.model: found.cell(one.id, "correctness") for one in found.entries}
    assert cells["has"].rank == cells["has too"].rank == 1
    assert cells["lacks"].rank is cells["nothing"].rank is None
    assert cells["lacks"].unranked == "not measured"
    assert cells["nothing"].unranked == "nothing scored"
    assert cells["lacks"].ranks is None


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"data_sha": "e" * 64}, "data sha256 eeeeeeee"),
        ({"version": 2}, "version 2 of the task"),
        ({"prompt_sha": "q" * 64}, "prompt or task options"),
        ({"names": [f"other-{i}" for i in range(100)]}, "100 of the rows"),
    ],
)
def test_entries_that_cannot_be_compared_are_kept_apart_with_the_reason(
    tmp_path: Path, changes: dict[str, object], why: str
) -> None:
    board(
        tmp_path,
        run("a", {"correctness": right(0.5)}),
        run("b", {"correctness": right(0.6)}),
        run("other", {"correctness": right(0.9)}, **changes),
    )
    found = built(tmp_path)
    last = found.entries[-1]
    assert last.model == "other"
    assert why in last.kept_apart
    assert found.cell(last.id, "correctness").rank is None
    assert found.cell(last.id, "correctness").estimate is not None
    assert len(found.pairs) == 1
    assert found.warnings[0].startswith("1 entry is kept apart")


def test_a_pin_of_the_board_decides_and_add_refuses_what_it_does_not_allow(tmp_path: Path) -> None:
    board(tmp_path, run("a", {"correctness": right(0.5)}), run("b", {"correctness": right(0.6)}))
    (tmp_path / "board.yaml").write_text(f"task: commerce_qa\ntitle: x\ndata_sha: {'e' * 64}\n")
    found = built(tmp_path)
    assert all(one.kept_apart for one in found.entries)
    with pytest.raises(UsageError, match="asks for data_sha"):
        board(tmp_path, run("c", {"correctness": right(0.5)}))
    board(tmp_path, run("d", {"correctness": right(0.5)}, data_sha="e" * 64))
    assert [one.model for one in built(tmp_path).entries if not one.kept_apart] == ["d"]
    with pytest.raises(UsageError, match="asks for task"):
        board(tmp_path, run("e", {"em": right(0.5)}, task="musique"))


def test_tokens_of_another_counter_take_no_rank_and_quality_does(tmp_path: Path) -> None:
    values = {"correctness": right(0.5), "tpr": [10.0] * 100, "tflop_paper": [0.1] * 100}
    board(
        tmp_path,
        run("a", values),
        run("b", values),
        run("api", values, counted_by="provider"),
    )
    found = built(tmp_path)
    cells = {one.model: one.id for one in found.entries}
    for metric in ("tpr", "tflop_paper"):
        assert found.cell(cells["api"], metric).rank is None
        assert "counted by provider" in found.cell(cells["api"], metric).unranked
        assert found.cell(cells["a"], metric).rank == 1
    assert found.cell(cells["api"], "correctness").rank == 1


def test_of_two_counters_the_nearer_to_the_model_is_the_tables(tmp_path: Path) -> None:
    board(
        tmp_path,
        run("served", {"tpr": [10.0] * 20}, counted_by="engine"),
        run("recounted", {"tpr": [9.0] * 20}, counted_by="tokenizer", created="2027"),
    )
    found = built(tmp_path)
    ranks = {one.model: found.cell(one.id, "tpr").rank for one in found.entries}
    assert ranks == {"served": 1, "recounted": None}


def test_a_board_says_when_no_two_of_its_entries_can_be_separated() -> None:
    def warned(candidates: int, rows: int) -> str:
        runs = [run(f"m{n}", {"f1": [n / 9] * rows}) for n in range(candidates)]
        return " ".join(board_of(runs).warnings)

    assert "no two can be separated by 5 groups" in warned(2, 5)
    assert "6 groups are needed" in warned(2, 5)
    assert "7 groups are needed for 3 pairs" in warned(3, 6)
    assert "rough below" in warned(2, 6)
    assert "rough below" in warned(101, 16)  # only the best thirty are tested against each other


def test_a_judge_that_nobody_measured_gives_no_rank(tmp_path: Path) -> None:
    values = {"correctness": right(0.5), "f1": right(0.7)}
    labelled = MetricCalibration(
        judge="commerce_correctness", judge_sha="j" * 64, overall=agreement(90, 10, 85, 15)
    )
    nobody = labelled.model_copy(update={"by_construction": True})
    silent = labelled.model_copy(
        update={
            "overall": agreement(0, 0, 0, 0).model_copy(update={"unscored": {"judge_error": 9}})
        }
    )
    models = ("openai/judge",)
    for name, calibration in (
        ("measured", labelled),
        ("construction", nobody),
        ("silent", silent),
        ("never", None),
    ):
        stamp = judge(models=models, calibration=calibration)
        board(tmp_path, run(name, values, judges={"correctness": stamp}))
    found = built(tmp_path)
    cells = {one.model: found.cell(one.id, "correctness") for one in found.entries}
    assert cells["measured"].rank == 1
    for name in ("construction", "silent", "never"):
        assert cells[name].rank is None
        assert cells[name].estimate is not None
        assert cells[name].unranked
    assert "nobody read" in cells["construction"].unranked
    assert "nobody has measured" in cells["never"].unranked
    beliefs = {one.model: one.judges["correctness"].belief for one in found.entries}
    assert beliefs == {
        "measured": "calibrated",
        "construction": "by construction",
        "silent": "uncalibrated",
        "never": "uncalibrated",
    }
    assert {found.cell(one.id, "f1").rank for one in found.entries} == {1}


def test_another_judge_takes_no_rank_beside_that_of_most(tmp_path: Path) -> None:
    values = {"correctness": right(0.5)}
    board(
        tmp_path,
        run("a", values, judges={"correctness": judge("facts")}),
        run("b", values, judges={"correctness": judge("facts")}),
        run("old", values, judges={"correctness": judge("facts", judge_sha="k" * 64)}),
    )
    found = built(tmp_path)
    cells = {one.model: found.cell(one.id, "correctness") for one in found.entries}
    assert cells["a"].rank == cells["b"].rank == 1
    assert "another judge" in cells["old"].unranked


def test_a_card_laid_there_alone_is_shown_without_a_rank(tmp_path: Path) -> None:
    board(tmp_path, run("a", {"correctness": right(0.5)}))
    alone = card("alone", {"correctness": right(0.9)})
    (tmp_path / "cards" / "alone.json").write_text(alone.model_dump_json())
    found = built(tmp_path)
    assert "without its rows" in found.by_id["alone"].kept_apart
    assert found.cell("alone", "correctness").rank is None


def test_text_where_a_number_belongs_is_refused(tmp_path: Path) -> None:
    (entry,) = board(tmp_path, run("a", {"correctness": right(0.5)}))
    path = tmp_path / "cards" / f"{entry}.json"
    told = json.loads(path.read_text())
    told["metrics"]["correctness"]["value"] = "0.85"
    path.write_text(json.dumps(told))
    with pytest.raises(UsageError, match=r"metrics\.correctness\.value"):
        build(Store(tmp_path))
    path.write_text(path.read_text()[:200])
    with pytest.raises(UsageError, match=str(entry)):
        build(Store(tmp_path))


def test_damaged_rows_are_told(tmp_path: Path) -> None:
    first, second = board(
        tmp_path,
        run("a", {"correctness": right(0.5)}),
        run("b", {"correctness": right(0.6)}),
    )
    rows = tmp_path / "rows"
    whole = (rows / f"{second}.arrow").read_bytes()
    (rows / f"{second}.arrow").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UsageError, match="cannot read"):
        build(Store(tmp_path))
    board(tmp_path / "elsewhere", run("b", {"correctness": right(0.6, 99)}))
    (shorter,) = (tmp_path / "elsewhere" / "rows").glob("*.arrow")
    (rows / f"{second}.arrow").write_bytes(shorter.read_bytes())
    with pytest.raises(UsageError, match="not those"):
        build(Store(tmp_path))
    (rows / f"{second}.arrow").unlink()
    with pytest.raises(UsageError, match="add the run again"):
        build(Store(tmp_path))
    assert first


def test_the_same_run_takes_its_own_place(tmp_path: Path) -> None:
    board(tmp_path, run("a", {"correctness": right(0.5)}))
    board(tmp_path, run("a", {"correctness": right(0.7)}), name="renamed")
    found = built(tmp_path)
    assert [one.model for one in found.entries] == ["renamed"]
    assert len(list((tmp_path / "rows").iterdir())) == 1


def test_an_empty_board_is_built_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "board.yaml").write_text("task: commerce_qa\ntitle: nothing yet\n")
    found = built(tmp_path)
    assert found.entries == ()
    assert "no run" in found.warnings[0]
    with pytest.raises(UsageError, match="is no board"):
        Store(tmp_path / "nowhere")
    (tmp_path / "board.yaml").write_text("task: commerce_qa\ntitle: x\nranking: best\n")
    with pytest.raises(UsageError, match="ranking"):
        Store(tmp_path)


def test_two_of_one_model_are_told_apart_by_the_settings_that_differ(tmp_path: Path) -> None:
    for temperature in ("0", "0.7"):
        settings = {
            "sampling.temperature": temperature,
            "sampling.seed": "0",
            "fingerprint": temperature,
        }
        board(
            tmp_path,
            run(
                "m",
                {"correctness": right(0.5)},
                settings=settings,
                config_sha=f"config at {temperature}",
            ),
        )
    assert {one.name for one in built(tmp_path).entries} == {
        "m (temperature 0)",
        "m (temperature 0.7)",
    }


def test_above_a_hundred_the_best_thirty_are_tested(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    runs = [
        run(f"m{i:03d}", {"correctness": (rng.random(40) < 0.3 + i / 250).astype(float)})
        for i in range(101)
    ]
    found = board_of(runs)
    column = found.by_name["correctness"]
    assert column.compared == 30
    assert column.among == "the best 30 of 101 by value"
    assert len(found.pairs) == 30 * 29 / 2
    outside = [cell for cell in found.cells if cell.ranks is None]
    assert len(outside) == 71
    assert all(cell.rank and cell.no_set == "not among those tested" for cell in outside)
    assert len(board_of(runs[:100]).pairs) == 100 * 99 / 2


def test_samples_of_a_row_are_averaged_before_rows_are_paired(tmp_path: Path) -> None:
    from dataclasses import replace

    from lt_bench.board.matrix import RowScores

    def drawn(model: str, values: list[float]) -> object:
        one = run(model, {"correctness": values})
        names = [f"row-{i}" for i in range(len(values) // 2)]
        rows = RowScores(names, names, {"correctness": np.array(values)})
        mean = float(np.nanmean(np.reshape(values, (-1, 2)), axis=1).mean())
        told = one.card.metrics["correctness"].model_copy(update={"value": mean})
        card = one.card.model_copy(update={"metrics": {"correctness": told}})
        return replace(one, card=card, rows=rows, samples=2)

    found = board_of([drawn("a", [1, 0, 1, 1, NAN, 1] * 10), drawn("b", [0, 0, 1, 0, 1, 1] * 10)])
    (pair,) = found.pairs
    assert pair.rows == 30
    assert pair.difference == pytest.approx((0.5 + 0.5 + 0.0) / 3)
    assert "McNemar" not in pair.method.partition(";")[0] or "signs" in pair.method


def test_non_inferiority_asks_for_the_end_of_the_interval_on_the_bad_side() -> None:
    values = right(0.8, 400)
    worse = [0.0 if i in (3, 200) else v for i, v in enumerate(values)]
    found = board_of(
        [
            run("short", {"correctness": worse, "tpr": list(np.linspace(20, 60, 400))}),
            run("long", {"correctness": values, "tpr": list(np.linspace(70, 90, 400) ** 1.01)}),
        ]
    )
    pair = next(one for one in found.pairs if one.metric == "correctness")
    turned = pair if found.by_id[pair.first].model == "short" else None
    column = found.by_name["correctness"]
    if turned is None:
        assert pair.low is not None
        assert pair.high is not None
        turned = pair.model_copy(
            update={"difference": -pair.difference, "low": -pair.high, "high": -pair.low}
        )
    assert non_inferiority(turned, column, 0.05).established
    assert not non_inferiority(turned, column, 0.004).established
    assert turned.low is not None
    assert non_inferiority(turned, column, -turned.low + 1e-9).established
    far = turned.model_copy(update={"low": -0.4, "high": -0.2})
    assert non_inferiority(far, column, 0.1).refuted
    assert not non_inferiority(far, column, 0.3).refuted
    for margin in (0.0, -0.1, 1.0):
        with pytest.raises(UsageError, match="no margin"):
            non_inferiority(turned, column, margin)
    alone, among = smallest_found(pair), smallest_found(pair, 10)
    assert alone is not None
    assert among is not None
    assert 0 < alone < among


def test_lower_is_better_where_the_metric_says_so() -> None:
    assert set(LOWER) == {"tpr", "tflop_paper", "truncated"}
    found = board_of(
        [
            run("a", {"truncated": right(0.1), "correctness": right(0.5)}),
            run("b", {"truncated": right(0.6), "correctness": right(0.5)}),
        ]
    )
    (pair,) = [one for one in found.pairs if one.metric == "truncated"]
    assert found.by_id[pair.better].model == "a"
