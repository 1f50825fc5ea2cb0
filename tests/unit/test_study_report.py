"""The report of a study: figures beside the paper's, what is missing, and that nothing in it is alive."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.studies import Canned, can, study, write_log

from lt_bench.cli.reproduce_figures import of_paper, spread
from lt_bench.cli.reproduce_html import page
from lt_bench.cli.reproduce_plots import figures
from lt_bench.cli.reproduce_tables import markdown
from lt_bench.study.evaluated import Evaluated
from lt_bench.study.places import Places
from lt_bench.study.plots import Axis, Point, front, point_plot
from lt_bench.study.report import StudyReport
from lt_bench.study.reporting import report
from lt_bench.study.running import Outcome
from lt_bench.study.times import JobTime, times

HOSTILE = "<script>alert(1)</script> \"x' & | `b` [l](javascript:alert(1)) \u202eevil\x1b[31m"
CLAIMS = [
    {
        "text": "RFT raises correctness",
        "metric": "correctness",
        "kind": "greater",
        "of": "moe.rft",
        "against": "moe.base",
        "paper": "81.3 against 67.3",
    },
    {
        "text": "RL keeps helpfulness",
        "metric": "helpfulness",
        "kind": "not_less",
        "amount": 0.02,
        "of": "moe.rl",
        "against": "moe.rft",
    },
    {"text": "gone", "metric": "tpr", "kind": "less", "of": "rewards.full", "against": "moe.rft"},
]
ROWS = {
    "moe.base": Canned(0.5, 80),
    "moe.rft": Canned(0.75, 80),
    "moe.rl": Canned(0.9, 20, bare=True),
}


def took(job: str, began: str, cpu: float, wall: float, ended: int = 0) -> JobTime:
    return JobTime(job=job, began=f"2026-01-01T00:{began}+00:00", cpu=cpu, wall=wall, exit=ended)


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    folder = tmp_path_factory.mktemp("study")
    places = Places(folder / "out")
    can(study(folder), places, ROWS)
    write_log(places, 31, "moe.rl")
    lines = [
        took("31/moe.base", "00:00", 60, 100, 4),
        took("31/moe.base", "02:00", 120, 120),
        took("31/moe.rft", "04:00", 60, 60),
        took("31/rows", "04:00", 6, 10),
        took("31/moe.base eval", "04:30", 30, 60),
        took("31/moe.rft eval", "05:30", 30, 30),
    ]
    with times(places.times) as journal:
        for line in lines:
            journal.append(line)
    return places


def reported(folder: Path, places: Places, **changes: object) -> StudyReport:
    plots = {"steps": ["moe.rl"], "sweep": {"moe.rft": 1.0, "moe.rl": 0.5}, "turned": "budget"}
    named = study(folder, **{"claims": CLAIMS, "plots": plots, **changes})
    failed = {"31/rewards.full": Outcome("failed", "exit code 4\nerror: the judge is silent")}
    return report(named, places, failed)


class Tags(HTMLParser):
    """The elements of a page, their attributes, and whether all are closed in order."""

    VOID = frozenset(("meta", "br", "circle", "path"))

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def tags(text: str) -> Tags:
    found = Tags()
    found.feed(text)
    assert found.open == []
    return found


def test_figures_are_means_with_intervals_and_seeds_beside_the_papers(
    tmp_path: Path, places: Places
) -> None:
    (table,) = reported(tmp_path, places).tables
    base, paper = table.rows[0], table.rows[-1]
    cell = base.cells["correctness"]
    assert cell.value == pytest.approx(0.5)
    assert cell.low is not None
    assert cell.high is not None
    assert cell.low < 0.5 < cell.high
    assert cell.by_seed == {31: pytest.approx(0.5), 32: pytest.approx(0.5)}
    assert cell.paper == pytest.approx(0.673)
    assert (of_paper(cell), of_paper(base.cells["tpr"])) == ("67.3", "396")
    assert base.cells["tpr"].value == pytest.approx(82.0)
    assert (paper.row, paper.cells["helpfulness"].value) == (None, None)
    assert spread(cell) == "50.0 to 50.0"
    assert spread(cell.model_copy(update={"by_seed": {31: 0.5}})) == ""


def test_tables_and_plots_have_the_metrics_that_the_study_names(
    tmp_path: Path, places: Places
) -> None:
    one = reported(tmp_path, places, metrics=["tpr", "correct_and_helpful"])
    row = one.by_row["moe.rft"]
    assert list(row.cells) == ["tpr", "correct_and_helpful"]
    assert row.cells["correct_and_helpful"].value is not None
    told, html = markdown(one), page(one)
    assert "| tokens | tokens of seeds" in told
    assert "correct and helpful of seeds" in told
    assert "Correct and helpful against output tokens" in html
    assert "H is helpfulness" not in told
    assert one.verdicts[0].first is not None  # a claim about a metric of no table
    assert not list(_plots(reported(tmp_path, places, metrics=["helpfulness"]), "against"))


def _plots(one: StudyReport, word: str) -> list[str]:
    return [figure.title for figure in figures(one) if word in figure.title]


def test_what_is_missing_is_said_and_invented_nowhere(tmp_path: Path, places: Places) -> None:
    found = reported(tmp_path, places)
    row = found.tables[0].rows[3]
    assert row.missing == {31: "not trained", 32: "not trained"}
    assert [cell.value for cell in row.cells.values()] == [None] * 3
    assert [one.word for one in found.verdicts] == ["holds, separated", "contradicted", "missing"]
    for text in (page(found), markdown(found)):
        assert "not trained" in text
        assert "the judge is silent" in text
        assert "contradicted" in text
        assert "1 ○ missing" in text


def test_seeds_of_tuning_are_named_and_in_no_figure(tmp_path: Path, places: Places) -> None:
    found = reported(tmp_path, places)
    assert found.tuning_training == (1,)
    assert found.tuning_rows == (900,)
    assert "in no figure" in markdown(found)
    assert {seed for one in found.verdicts for seed in one.by_seed} == {31, 32}
    assert found.test_seeds == (319, 329)


def test_costs_are_what_was_recorded(tmp_path: Path, places: Places) -> None:
    """By hand: 306 s of processor time; busy from 0:00 to 1:40 and from 2:00 to 6:00, so 340 s. The
    main rows of seed 31 are all but `rows`: base 220 s, then RFT 60, then its evaluation 30."""
    costs = reported(tmp_path, places).costs
    assert costs.cpu == pytest.approx(306 / 60)
    assert costs.by_kind == {
        "eval": pytest.approx(1.0),
        "rows": pytest.approx(0.1),
        "stage": pytest.approx(4.0),
    }
    assert costs.wall == pytest.approx(340 / 60)
    assert (costs.commands, costs.failed) == (6, 1)
    (main,) = costs.main
    assert (main.seed, main.cpu, main.chain) == (31, pytest.approx(5.0), pytest.approx(310 / 60))
    assert "31/moe.rl" in costs.unknown
    assert "32/moe.base eval" in costs.unknown
    assert "31/moe.base" not in costs.unknown


def test_a_page_loads_nothing_and_runs_nothing(tmp_path: Path, places: Places) -> None:
    text = page(reported(tmp_path, places))
    seen = tags(text).seen
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in seen}
    for _, attributes in seen:
        assert not {"src", "href", "onload", "onclick", "onerror"} & attributes.keys()
    policy = next(a["content"] for tag, a in seen if tag == "meta" and "http-equiv" in a)
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert "script-src" not in policy
    assert ("meta", {"name": "viewport", "content": "width=device-width,initial-scale=1"}) in seen
    assert "prefers-color-scheme:dark" in text
    titles = [a["aria-label"] for tag, a in seen if tag == "svg" and "aria-label" in a]
    assert titles == [
        "Output tokens over RL steps",
        "Reward over RL steps",
        "Correctness against output tokens",
        "Helpfulness against output tokens",
        "Tokens over the length budget",
        "Quality over the length budget",
    ]


def test_every_verdict_has_a_sign_and_not_only_a_colour(tmp_path: Path, places: Places) -> None:
    text = page(reported(tmp_path, places))
    for sign, word in (("▲", "holds, separated"), ("▼", "contradicted"), ("○", "missing")):
        assert re.search(rf"<td[^>]*>{sign} {word}", text)


def test_hostile_text_is_inert(tmp_path: Path, places: Places) -> None:
    rows = [{"label": HOSTILE, "row": "moe.rft"}]
    found = reported(
        tmp_path,
        places,
        summary=HOSTILE,
        paper={"title": HOSTILE, "url": HOSTILE},
        tables=[{"title": HOSTILE, "note": HOSTILE, "rows": rows}],
        claims=[{**CLAIMS[0], "text": HOSTILE, "paper": HOSTILE}],
        plots={"steps": ["moe.rl"], "sweep": {"moe.rft": 1.0}, "turned": HOSTILE},
    )
    text, plain = page(found), markdown(found)
    assert "script" not in {tag for tag, _ in tags(text).seen}
    assert "alert(1)" in text
    assert "<script" not in text + plain
    assert not re.search(r"(?<!\\)\]\(", plain)
    for control in ("\u202e", "\x1b"):
        assert control not in text + plain
    rows_of_table = [line for line in plain.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in rows_of_table} == {9, 11}


def test_an_empty_folder_reports_that_all_is_missing(tmp_path: Path) -> None:
    places = Places(tmp_path / "none")
    found = reported(tmp_path, places)
    assert {one.word for one in found.verdicts} == {"missing"}
    assert found.costs.cpu == 0
    assert tags(page(found)).seen
    assert markdown(found)


def test_a_log_that_is_being_written_is_drawn_as_far_as_it_goes(
    tmp_path: Path, places: Places
) -> None:
    named = study(tmp_path, plots={"steps": ["moe.rl"]})
    there = Places(tmp_path / "out")
    write_log(there, 31, "moe.rl", steps=3)
    log = there.training(31, "moe") / "rl" / "log.jsonl"
    log.write_text(log.read_text() + '{"step": 4, "draw": {"rew')
    (curve,) = report(named, there).curves
    assert curve.steps == (1, 2, 3)


def test_rows_of_two_seeds_are_told_apart(tmp_path: Path, places: Places) -> None:
    evaluated = Evaluated(study(tmp_path), places)
    scores = evaluated.scores("moe.rft", "correctness", [31, 32])
    assert len({one.example_id for one in scores}) == 80
    assert len({one.group for one in scores}) == 80


def test_the_front_is_what_nothing_beats() -> None:
    points = [
        Point("a", 10, 50),
        Point("b", 20, 80),
        Point("c", 20, 70),
        Point("d", 30, 80),
        Point("e", 40, 90),
        Point("f", 5, 40),
    ]
    assert [one.label for one in front(points)] == ["f", "a", "b", "e"]


def test_labels_of_points_in_one_place_do_not_lie_on_each_other() -> None:
    x, y = Axis(0, 10, "x"), Axis(0, 10, "y")
    drawn = point_plot([Point(f"row{n}", 5, 5) for n in range(5)], x, y, "t")
    places = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="\w+">row', drawn)
    assert len(set(places)) == 5


@pytest.mark.parametrize(
    ("values", "zero", "ticks"),
    [
        ([3, 97], True, [0, 20, 40, 60, 80, 100]),
        ([60.5, 92], False, [60, 70, 80, 90, 100]),
        ([0.35, 0.9], False, [0.2, 0.4, 0.6, 0.8, 1.0]),
        ([5, 5], False, [5, 6]),
        ([0, 0], True, [0, 0.2]),
        ([-3, 4], True, [-4, -2, 0, 2, 4]),
    ],
)
def test_axes_end_at_round_numbers(values: list[float], zero: bool, ticks: list[float]) -> None:
    found = Axis.over(values, "x", zero=zero).ticks
    assert found[0] == pytest.approx(ticks[0])
    assert found[0] <= min(values)
    assert found[-1] >= max(values)
    if len(ticks) > 2:
        assert found == pytest.approx(ticks)
