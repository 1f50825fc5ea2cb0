"""The site of a board as a parser sees it: every name inert, every figure in its place, nothing loaded."""

from __future__ import annotations

import json
import re
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.hostile import HOSTILE
from support.sites import COLUMNS, PRINTED, SOURCE, board, entry

from lt_bench.board.model import Board, JudgeState
from lt_bench.board.site import write_site
from lt_bench.board.site.figures import letter, number, signed
from lt_bench.calibration.agreement import agreement
from lt_bench.calibration.pairs import Pair
from lt_bench.errors import UsageError
from lt_bench.plain import printable
from lt_bench.records import JudgeStamp, MetricCalibration

NAMES = ("alpha", "beta", "gamma", "delta", "epsilon")
OURS = {"a", "article", "b", "bdi", "body", "button", "br", "caption", "code", "dd", "details"}
OURS |= {"div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3"}
OURS |= {"head", "header", "html", "i", "input", "label", "legend", "li", "line", "link", "main"}
OURS |= {"meta", "nav", "noscript", "ol", "option", "output", "p", "path", "pre", "script"}
OURS |= {"section", "select", "span", "strong", "summary", "sup", "svg", "table", "tbody", "td"}
OURS |= {"th", "thead", "title", "tr", "ul", "wbr", "abbr"}


class Page(HTMLParser):
    """What a parser finds: tags with their attributes, tables as texts, and all text."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.text = ""
        self._table: list[list[str]] | None = None
        self._cell = False
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.append((tag, found))
        if tag == "table":
            self._table = self.tables.setdefault(found.get("id", f"table{len(self.tables)}"), [])
        if tag == "tr" and self._table is not None:
            self._table.append([])
        if tag in ("td", "th") and self._table:
            self._table[-1].append("")
            self._cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._cell = False
        if tag == "table":
            self._table = None

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._cell and self._table:
            self._table[-1][-1] += data

    def having(self, tag: str, **wanted: str) -> list[dict[str, str]]:
        return [
            found
            for name, found in self.tags
            if name == tag and all(found.get(key) == value for key, value in wanted.items())
        ]


def site(made: Board, folder: Path) -> Page:
    return Page(write_site(made, folder))


def test_the_table_has_a_row_a_run_in_the_order_of_the_board(tmp_path: Path) -> None:
    page = site(board(NAMES, apart=["elsewhere"]), tmp_path)
    head, *rows = page.tables["results"]
    assert [row[1].split()[0] for row in rows] == list(NAMES)
    assert [cell.split()[0] for cell in head[2:]] == [one.name for one in COLUMNS if one.shown]
    assert all(len(row) == len(head) for row in rows)


def test_values_stand_with_their_intervals_and_ranks_with_their_sets(tmp_path: Path) -> None:
    made = board(NAMES)
    page = site(made, tmp_path)
    for one, row in zip(made.entries, page.tables["results"][1:], strict=False):
        cell = made.cell(one.id, "correctness")
        assert cell.estimate is not None
        assert cell.estimate.value is not None
        assert f"{cell.estimate.value * 100:.1f}" in row[2]
        assert re.search(r"\d+\.\d – \d+\.\d", row[2])
        assert row[0].startswith(str(cell.rank))
        assert cell.ranks is not None
        assert f"{cell.ranks.low} – {cell.ranks.high}" in row[0]


def test_equal_values_share_a_rank_and_ties_are_seen(tmp_path: Path) -> None:
    rows = site(board(NAMES), tmp_path).tables["results"][1:]
    assert rows[0][0].startswith("1=")
    assert rows[1][0].startswith("1=")
    assert "tie A" in rows[0][0]
    assert "tie A" in rows[1][0]
    assert rows[2][0].startswith("3")
    assert "tie" not in rows[2][0]


def test_a_missing_figure_has_no_rank_and_its_reason_in_a_note(tmp_path: Path) -> None:
    page = site(board(NAMES, missing=[(3, "tpr"), (2, "correctness")]), tmp_path)
    rows = page.tables["results"][1:]
    assert rows[2][0] == "–"
    assert rows[2][2].startswith("–")
    notes = [found["href"] for found in page.having("a") if "#note-" in found.get("href", "")]
    assert len(notes) == 2
    assert {found["id"] for found in page.having("li") if "id" in found} == {"note-1", "note-2"}
    assert "delta has no tpr" in page.text
    assert "gamma has no correctness" in page.text


def test_runs_kept_apart_have_a_table_of_their_own_with_the_reason(tmp_path: Path) -> None:
    page = site(board(NAMES, apart=["elsewhere"], reason="other data: 12ab…"), tmp_path)
    assert "elsewhere" not in str(page.tables["results"])
    head, row = page.tables["apart"]
    assert "rank" not in head[0]
    assert row[0] == "elsewhere"
    assert row[-1] == "other data: 12ab…"
    assert "Kept apart, without a rank: other data" in Page(tmp_path / "models/x0.html").text


def test_rows_of_papers_are_marked_printed_as_they_were_and_never_ranked(tmp_path: Path) -> None:
    page = site(board(NAMES), tmp_path)
    assert "paper-full" not in str(page.tables["results"])
    assert "Not run here" in page.text
    for name, printed in PRINTED.items():
        assert page.having("tr", id=f"entry-{name}")
        assert all(text in page.text for text in printed.values())
    assert "not explained by k of n" in page.text
    assert "91.5: an audit in words" in page.text
    assert not (tmp_path / "models/paper-full.html").exists()


def test_a_board_with_no_run_says_how_to_add_one(tmp_path: Path) -> None:
    page = site(board(()), tmp_path)
    assert "lt-bench leaderboard add RUN" in page.text
    assert "results" not in page.tables
    assert list((tmp_path / "models").iterdir()) == []


def test_the_page_of_a_model_has_stamp_settings_judges_and_command(tmp_path: Path) -> None:
    site(board(NAMES, replay="replay/m0.html"), tmp_path)
    page = Page(tmp_path / "models/m0.html")
    for text in (
        "cd" * 32,
        "sampling.max_tokens",
        "lt-bench eval 'hf/alpha' --task commerce_qa",
        "Rules judge it; no model is asked.",
        "5 of 400 answers of alpha are truncated",
        "2 CPU cores",
        "output_chars",
        "tag:comparison",
    ):
        assert text in page.text, text
    assert page.having("a", href="../replay/m0.html")
    assert page.having("a", href="../index.html")
    assert page.having("a", href="m1.html")


def test_a_calibration_is_shown_with_its_intervals(tmp_path: Path) -> None:
    labels = (
        [(True, True)] * 90 + [(False, True)] * 10 + [(False, False)] * 85 + [(True, False)] * 15
    )
    found = agreement([Pair(judge, human, str(at)) for at, (judge, human) in enumerate(labels)])
    stamp = JudgeStamp(
        name="asked",
        version=1,
        judge_sha="ab" * 32,
        models=("openai/one", "openai/two"),
        votes=3,
        calibration=MetricCalibration(judge="asked", judge_sha="ab" * 32, overall=found),
    )
    state = JudgeState(stamp=stamp, belief="calibrated", sentence="Measured on people's labels.")
    made = board(NAMES)
    first = made.entries[0].model_copy(update={"judges": {"correctness": state}})
    site(made.model_copy(update={"entries": (first, *made.entries[1:])}), tmp_path)
    page = Page(tmp_path / "models/m0.html")
    (row,) = [row for table in page.tables.values() for row in table if row[0] == "all replies"]
    assert row[1] == "200"
    assert [cell[:4] for cell in row[2:5]] == ["87.5", "90.0", "85.0"]
    assert all(" – " in cell for cell in row[2:])
    assert "asked@1, openai/one, openai/two, 3 votes" in page.text


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    made = board(
        HOSTILE[:-1], apart=HOSTILE[-1:], labels=HOSTILE[::-1][:-1], reason=HOSTILE[0], compared=8
    )
    entries = [
        one.model_copy(
            update={
                "backend": one.model,
                "settings": {one.model: one.model},
                "run": one.model,
                "remarks": {"tpr": one.model},
            }
        )
        for one in made.entries
        if one.reported is None
    ]
    papers = [
        one.model_copy(
            update={
                "model": HOSTILE[at],
                "reported": SOURCE.model_copy(
                    update={"paper": HOSTILE[0], "url": "javascript:window.hit=1"}
                ),
            }
        )
        for at, one in enumerate(made.entries[len(entries) :])
    ]
    slices = [
        one.model_copy(update={"slice": f"tag:{HOSTILE[at % 50]}"})
        for at, one in enumerate(made.slices)
    ]
    write_site(
        made.model_copy(
            update={
                "title": HOSTILE[0],
                "summary": HOSTILE[1],
                "command": HOSTILE[2],
                "warnings": HOSTILE[:5],
                "entries": (*entries, *papers),
                "slices": tuple(slices),
            }
        ),
        folder,
    )
    return folder


def pages(folder: Path) -> list[Path]:
    return [folder / "index.html", *sorted((folder / "models").glob("*.html"))]


def test_names_are_text_wherever_they_stand(hostile: Path) -> None:
    for path in pages(hostile):
        page = Page(path)
        assert {tag for tag, _ in page.tags} <= OURS, path
        for tag, found in page.tags:
            assert not [name for name in found if name.startswith("on")], (path, tag)
        assert page.having("script") == [{"src": page.having("script")[0]["src"]}]
    text = " ".join(Page(hostile / "index.html").text.split())
    for name in HOSTILE:
        assert " ".join(printable(name).split()) in text


def test_control_and_direction_characters_are_shown_and_not_written(hostile: Path) -> None:
    for path in (*pages(hostile), hostile / "data.js", hostile / "slices.js"):
        written = path.read_text("utf-8")
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\ufeff]", written)


def test_scripts_beside_the_page_hold_data_and_nothing_else(hostile: Path) -> None:
    for name in ("data.js", "slices.js"):
        text = (hostile / name).read_text("utf-8")
        begun = re.fullmatch(
            r'"use strict";window\.ltBench=window\.ltBench\|\|\{\};ltBench\.(board|slices)=(.*);\n',
            text,
            re.DOTALL,
        )
        assert begun, name
        json.loads(begun[2])


def test_nothing_is_loaded_from_elsewhere(hostile: Path) -> None:
    for path in pages(hostile):
        page = Page(path)
        root = "" if path.name == "index.html" else "../"
        loaded = [
            (tag, found[name])
            for tag, found in page.tags
            for name in ("src", "href")
            if name in found and tag != "a"
        ]
        assert set(loaded) == {
            ("link", "data:,"),
            ("link", f"{root}style.css"),
            ("script", f"{root}board.js"),
        }
        (rule,) = page.having("meta", **{"http-equiv": "Content-Security-Policy"})
        assert rule["content"].startswith("default-src 'none'; script-src 'self';")
        for found in page.having("a"):
            assert re.match(r"#|\.\.?/|models/|m\d|x\d|https?://", found["href"]), found


def test_only_addresses_of_the_web_become_links(hostile: Path) -> None:
    page = Page(hostile / "index.html")
    assert "javascript:window.hit=1" in page.text
    assert not [found for found in page.having("a") if "javascript" in found["href"]]


def test_tables_name_their_headings_for_who_hears_the_page(tmp_path: Path) -> None:
    write_site(board(NAMES, apart=["elsewhere"], replay="replay/m0.html"), tmp_path)
    for path in pages(tmp_path):
        page = Page(path)
        tables = len(page.having("table"))
        assert len(page.having("caption")) == tables
        assert all("scope" in found for found in page.having("th"))
        ids = [found["id"] for _, found in page.tags if "id" in found]
        assert len(ids) == len(set(ids))
        for _, found in page.tags:
            for named in ("aria-labelledby",):
                assert found.get(named, ids[0]) in ids
        regions = page.having("div", role="region")
        assert all(found["tabindex"] == "0" for found in regions)
        assert page.having("a", href="#main")
        assert page.having("html", lang="en")
        assert len(page.having("h1")) == 1
    sorted_by = [
        found for found in Page(tmp_path / "index.html").having("th") if "aria-sort" in found
    ]
    assert len(sorted_by) > 20
    assert {found["aria-sort"] for found in sorted_by} == {"none"}


def test_pages_of_models_that_left_are_taken_away_and_nothing_else(tmp_path: Path) -> None:
    write_site(board(NAMES), tmp_path)
    (tmp_path / "models/own.html").write_text("<p>mine</p>")
    (tmp_path / "notes.txt").write_text("mine")
    write_site(board(NAMES[:2]), tmp_path)
    left = sorted(path.name for path in (tmp_path / "models").iterdir())
    assert left == ["m0.html", "m1.html", "own.html"]
    assert (tmp_path / "notes.txt").exists()


def test_the_same_board_gives_the_same_bytes(tmp_path: Path) -> None:
    made = board(NAMES)
    write_site(made, tmp_path / "a")
    write_site(made, tmp_path / "b")
    for one in (tmp_path / "a").rglob("*.*"):
        if one.is_file():
            assert (
                one.read_bytes() == (tmp_path / "b" / one.relative_to(tmp_path / "a")).read_bytes()
            )


def test_an_id_that_is_no_file_name_is_refused(tmp_path: Path) -> None:
    made = board(NAMES)
    out = entry("../../evil", "evil")
    with pytest.raises(ValueError, match="no id"):
        write_site(made.model_copy(update={"entries": (*made.entries, out)}), tmp_path)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot write the site"):
        write_site(board(NAMES), tmp_path / "file")


def test_figures_have_the_digits_that_tell_them_apart() -> None:
    assert number(0.923, "share") == "92.3"
    assert number(0.000123456, "TFLOP") == "0.000123"
    assert number(0.918, "TFLOP") == "0.918"
    assert number(0.0, "TFLOP") == "0"
    assert number(153.0, "tokens") == "153.0"
    assert signed(-0.012, "share") == "−1.2"
    assert signed(0.012, "share") == "+1.2"
    assert [letter(tie) for tie in (1, 26, 27, 53)] == ["A", "Z", "AA", "BA"]


def test_five_hundred_models_are_written_in_a_part_of_five_seconds(tmp_path: Path) -> None:
    made = board([f"model-{number}" for number in range(500)])
    begun = time.process_time()
    write_site(made, tmp_path)
    assert time.process_time() - begun < 4.0
    assert len(list((tmp_path / "models").iterdir())) == 500
