"""A board in Chromium, opened from its folder: what people click, type and see."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.hostile import HOSTILE
from support.sites import board
from support.warm import lt_bench

from lt_bench import catalog
from lt_bench.board.site import write_site
from lt_bench.plain import printable

pytestmark = pytest.mark.browser

PATIENCE = 120_000
"""Milliseconds: a machine may be busy with other tests."""
SAMPLE = catalog.find("tasks", "commerce_qa") / "sample" / "replies.jsonl"
ROWS = 24
CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const paint = (...layers) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const layer of layers) { canvas.fillStyle = layer; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => rgb.map((c) => c / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
    if (element.closest('svg, noscript, .hidden, .skip, option')) continue;
    const grounds = [];
    for (let one = element; one; one = one.parentElement) {
      grounds.unshift(getComputedStyle(one).backgroundColor);
    }
    const [a, b] = [light(paint(...grounds)), light(paint(...grounds, getComputedStyle(element).color))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${element.tagName}.${element.className} ${walker.currentNode.data.slice(0, 30)}`);
  }
  return found;
}"""
"""Texts that stand out too little from what is behind them (WCAG 2, 1.4.3)."""


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page that complains of nothing and asks for nothing but files."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE)
    complaints: list[str] = []
    asked: list[str] = []
    found = context.new_page()
    found.on("console", lambda message: complaints.append(message.text))
    found.on("pageerror", lambda error: complaints.append(str(error)))
    found.on("request", lambda request: asked.append(request.url))
    yield found
    assert complaints == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    context.close()


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A board of twelve models with all that a board may have."""
    folder = tmp_path_factory.mktemp("site")
    names = [f"model-{letter}" for letter in "abcdefghijkl"]
    made = board(
        names, apart=["elsewhere"], missing=[(3, "tpr"), (5, "correctness"), (7, "truncated")]
    )
    return write_site(made, folder)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A board of three runs of the real command, with the replay of their rows."""
    folder = tmp_path_factory.mktemp("real")
    rows = [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()[:ROWS]]
    for name, every, thought in (("careful", 1, 90), ("quick", 2, 12), ("mute", 5, 4)):
        answers = [
            {
                "id": row["id"],
                "output": row["output"] if at % every == 0 else "It may well be, my friend.",
                "usage": {"output": thought + len(row["output"].split())},
            }
            for at, row in enumerate(rows)
        ]
        file = folder / f"{name}.jsonl"
        file.write_text("\n".join(json.dumps(one) for one in answers))
        call(folder, "eval", f"replay/{file.name}", "--task", "commerce_qa", "--run", name,
             "--limit", str(ROWS), "--active-params", "1e9")  # fmt: skip
        call(folder, "leaderboard", "add", f"runs/{name}", "--board", "board", "--name", name)
    call(folder, "leaderboard", "build", "board", "--out", "site")
    return folder / "site" / "index.html"


def call(folder: Path, *arguments: str) -> None:
    done = lt_bench(*arguments, cwd=folder)
    assert done.returncode in (0, 3), done.stderr


def column(page: Any, name: str) -> list[float | None]:
    """The figures of a column from top to bottom, as the script sorts them."""
    values = page.evaluate(
        """(name) => {
          const table = document.querySelector('#results');
          const heads = [...table.tHead.rows[0].cells];
          const at = heads.findIndex((cell) => cell.dataset.column === name);
          return [...table.tBodies[0].rows].map((row) => row.cells[at].dataset.v ?? null);
        }""",
        name,
    )
    return [None if value is None else float(value) for value in values]


def in_order(values: Sequence[float | None], *, falling: bool) -> bool:
    """Known values in order, and missing ones last."""
    known = [value for value in values if value is not None]
    return known == sorted(known, reverse=falling) and list(values) == known + [None] * (
        len(values) - len(known)
    )


def draw(page: Any, part: str, what: str, state: str = "visible") -> None:
    """Scrolls to a part and waits for what is drawn there when it comes near the screen."""
    page.evaluate(f"document.querySelector('{part}').scrollIntoView({{behavior: 'instant'}})")
    page.wait_for_selector(what, state=state)


def ranges(page: Any) -> list[float]:
    return page.evaluate(
        "(() => { const {xaxis, yaxis} = document.querySelector('.plot').layout;"
        " return [...xaxis.range, ...yaxis.range]; })()"
    )


def test_every_column_sorts_by_click_and_by_key_with_missing_last(page: Any, shown: Path) -> None:
    page.goto(shown.as_uri())
    names = page.evaluate(
        "[...document.querySelectorAll('#results th[data-kind]')].map((c) => c.dataset.column)"
    )
    assert len(names) == 8
    for name in names:
        heading = page.locator(f"#results th[data-column={name}]")
        falling = heading.get_attribute("data-better") == "higher"
        heading.locator("button").click()
        assert heading.get_attribute("aria-sort") == ("descending" if falling else "ascending")
        assert in_order(column(page, name), falling=falling)
        page.keyboard.press("Enter")
        assert heading.get_attribute("aria-sort") == ("ascending" if falling else "descending")
        assert in_order(column(page, name), falling=not falling)
        assert page.locator("#results [aria-sort]:not([aria-sort=none])").count() == 1
        assert name in page.inner_text("#ranked-by")
    for name, first in (("rank", None), ("model", "model-a")):
        page.locator(f"#results th[data-column={name}] button").click()
        if first is None:
            assert in_order(column(page, "rank"), falling=False)
        else:
            assert page.locator("#results tbody th").first.inner_text().startswith(first)


def test_ranks_follow_the_metric_that_a_reader_picks(page: Any, shown: Path) -> None:
    page.goto(shown.as_uri())
    page.select_option("#rank-by", "tpr")
    places = [text.split()[0] for text in page.locator("#results td.rank").all_inner_texts()]
    assert places[0] == "1"
    assert places[-1] == "–"
    assert in_order(column(page, "tpr"), falling=False)


def test_rows_are_found_by_text_and_columns_by_their_kind(page: Any, shown: Path) -> None:
    page.goto(shown.as_uri())
    page.fill("#find", "MODEL-C")
    assert page.locator("#results tbody tr:visible").count() == 1
    assert "1 of 12" in page.inner_text("#found")
    page.fill("#find", "")
    assert page.locator("#results tbody tr:visible").count() == 12
    page.uncheck("input[value=work]")
    assert not page.locator("#results th[data-column=tflop_paper]").is_visible()
    assert page.locator("#results th[data-column=tpr]").is_visible()


def test_a_slice_shows_its_own_figures_and_all_rows_bring_the_others_back(
    page: Any, shown: Path
) -> None:
    page.goto(shown.as_uri())
    before = sorted(page.locator("#results tbody tr").all_inner_texts())
    page.wait_for_selector("#slice option[value='tag:price']", state="attached")
    page.select_option("#slice", "tag:price")
    page.wait_for_selector("#results.sliced")
    assert "n = 60" in page.inner_text("#results tbody")
    page.locator("#results th[data-column=helpfulness] button").click()
    assert in_order(column(page, "helpfulness"), falling=True)
    page.select_option("#slice", "")
    page.wait_for_selector("#results:not(.sliced)")
    page.select_option("#rank-by", "correctness")
    assert sorted(page.locator("#results tbody tr").all_inner_texts()) == before


def test_the_pareto_plot_zooms_by_drag_and_by_button(page: Any, shown: Path) -> None:
    page.goto(shown.as_uri())
    draw(page, "#cost-part", ".plot .main-svg")
    whole = ranges(page)
    box = page.locator(".plot .nsewdrag").first.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.2, box["y"] + box["height"] * 0.2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.7, steps=6)
    page.mouse.up()
    page.wait_for_function(
        f"() => document.querySelector('.plot').layout.xaxis.range[1] < {whole[1]}"
    )
    near = ranges(page)
    assert whole[0] < near[0] < near[1] < whole[1]
    assert whole[2] < near[2] < near[3] < whole[3]
    page.locator("[data-zoom=all]").first.click()
    page.wait_for_function(
        f"() => Math.abs(document.querySelector('.plot').layout.xaxis.range[1] - {whole[1]}) < 1e-6"
    )
    page.locator("[data-zoom=in]").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(
        f"() => document.querySelector('.plot').layout.xaxis.range[1] < {whole[1]}"
    )
    page.select_option("#pareto-quality", "helpfulness")
    assert page.inner_text("figcaption >> nth=0") == "helpfulness against tpr"
    page.check("#pareto-log")
    page.wait_for_function("() => document.querySelector('.plot').layout.xaxis.type === 'log'")


def test_differences_turn_with_the_reference(page: Any, shown: Path) -> None:
    page.goto(shown.as_uri())
    draw(page, "#differences-part", "#differences tbody tr")
    page.select_option("#reference", "m11")
    first = page.locator("#differences tbody tr").first.locator("td").first.inner_text()
    assert first.startswith("+")
    assert "better" in first
    page.select_option("#reference", "m0")
    last = page.locator("#differences tbody tr").last.locator("td").first.inner_text()
    assert last.startswith("−")
    assert first.split()[0][1:] == last.split()[0][1:]


def test_ablations_show_values_or_differences(page: Any, shown: Path) -> None:
    page.goto(shown.as_uri())
    reported, own = page.locator("[data-ablation]").nth(0), page.locator("[data-ablation]").nth(1)
    reported.locator("select").select_option(label="difference to paper-full")
    reported.locator("i.drift").first.wait_for()
    assert reported.locator("tbody tr").nth(1).locator("td").first.inner_text().strip() == "−0.8"
    own.locator("select").select_option("m0")
    own.locator("i.drift").first.wait_for()
    assert " to " in own.locator("tbody tr").nth(2).locator("td").first.inner_text()
    own.locator("select").select_option("")
    own.locator("i.column").first.wait_for()
    assert own.locator("i.column").count() == 6


def test_slices_are_coloured_by_their_distance(page: Any, shown: Path) -> None:
    page.goto(shown.as_uri())
    draw(page, "#slices-part", "#slices tbody tr")
    assert page.locator("#slices tbody td.down").count() > 20
    page.select_option("#slice-metric", "tpr")
    assert page.locator("#slices tbody td.up").count() > 20
    assert "tokens" in page.inner_text("#slices caption")


def test_dark_follows_the_system_or_the_switch_on_every_page(page: Any, shown: Path) -> None:
    def ground() -> str:
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    page.emulate_media(color_scheme="light")
    page.goto(shown.as_uri())
    light = ground()
    page.emulate_media(color_scheme="dark")
    dark = ground()
    assert light != dark
    page.click("#theme")
    assert ground() == light
    page.locator("#results tbody th a").first.click()
    page.wait_for_url("**/models/*.html")
    assert ground() == light
    assert page.inner_text("#theme") == "Dark"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out(page: Any, shown: Path, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(shown.as_uri())
    for part, what in (("#cost-part", ".main-svg"), ("#differences-part", "#differences tbody tr"),
                       ("#slices-part", "#slices tbody tr")):  # fmt: skip
        draw(page, part, what)
    assert page.evaluate(CONTRAST) == []
    page.goto((shown.parent / "models" / "m0.html").as_uri())
    assert page.evaluate(CONTRAST) == []


def test_a_narrow_page_scrolls_only_its_tables(page: Any, shown: Path) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    for path in (shown, shown.parent / "models/m0.html", shown.parent / "models/x0.html"):
        page.goto(path.as_uri())
        for part in page.locator("main section").all():
            part.evaluate("(one) => one.scrollIntoView({behavior: 'instant'})")
        if path == shown:
            page.wait_for_selector("#slices tbody tr")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path


def test_a_row_of_a_run_is_a_few_clicks_away(page: Any, real: Path) -> None:
    page.goto(real.as_uri())
    assert page.locator("#results tbody tr").count() == 3
    page.get_by_label("replay of the rows of careful").click()
    page.wait_for_url("**/replay/*.html")
    first = page.locator("#list a").first
    wanted = first.get_attribute("href")
    first.click()
    assert wanted
    assert page.url.endswith(wanted)
    assert re.search("commerce-en-test", page.inner_text("#row"))
    page.go_back()
    page.goto(real.as_uri())
    page.locator("#results tbody th a").first.click()
    page.get_by_text("Replay of its rows").click()
    page.wait_for_url("**/replay/*.html")


def test_the_board_of_real_runs_draws_all_its_parts(page: Any, real: Path) -> None:
    page.goto(real.as_uri())
    draw(page, "#cost-part", ".plot .main-svg")
    draw(page, "#differences-part", "#differences tbody tr")
    draw(page, "#slices-part", "#slices tbody tr")
    assert page.locator("#lengths svg").count() == 3
    assert page.locator(".plot .scatterlayer .points path").count() >= 3


def test_names_do_nothing_but_stand_there(page: Any, tmp_path: Path) -> None:
    made = board(HOSTILE, compared=12, reason=HOSTILE[0])
    slices = [
        one.model_copy(update={"slice": f"tag:{HOSTILE[at % 50]}"})
        for at, one in enumerate(made.slices)
    ]
    index = write_site(
        made.model_copy(update={"slices": tuple(slices), "title": HOSTILE[0]}), tmp_path
    )
    page.goto(index.as_uri())
    draw(page, "#cost-part", ".plot .main-svg")
    draw(page, "#differences-part", "#differences tbody tr")
    draw(page, "#slices-part", "#slices tbody tr")
    for quality in ("correctness", "helpfulness"):
        page.select_option("#pareto-quality", quality)
    page.select_option("#reference", "m3")
    draw(page, "#controls", "#slice option:nth-child(4)", "attached")
    page.select_option("#slice", index=3)
    page.wait_for_selector("#results.sliced")
    page.locator("#results th.model button").click()
    for at in range(len(HOSTILE)):
        row = page.locator(f"#results tr[data-entry=m{at}] th bdi")
        assert row.text_content() == printable(HOSTILE[at]).replace("\r\n", "\n")
    assert page.evaluate("window.hit") is None
    assert (
        page.locator(
            "main img, main iframe, main script, main form:not(#controls), main style"
        ).count()
        == 0
    )
    assert page.locator(".plot a, #results a[href^='http'], #slices a[href^='http']").count() == 0
    for at in range(0, len(HOSTILE), 7):
        page.goto((tmp_path / "models" / f"m{at}.html").as_uri())
        assert page.evaluate("window.hit") is None


def test_five_hundred_models_sort_at_once(page: Any, tmp_path: Path) -> None:
    index = write_site(board([f"model-{number}" for number in range(500)]), tmp_path)
    page.goto(index.as_uri())
    assert page.locator("#results tbody tr:visible").count() == 100
    clock = page.context.new_cdp_session(page)
    clock.send("Performance.enable", {"timeDomain": "threadTicks"})
    buttons = page.locator("#results th[data-kind] button")
    begun = busy(clock)
    for button in buttons.all():
        button.click()
        page.evaluate("document.body.getBoundingClientRect()")
    taken = (busy(clock) - begun) / buttons.count()
    assert in_order(column(page, "truncated"), falling=False)
    # on a machine with nothing else to do it is a fifth of this
    assert taken < 1.0, taken
    page.fill("#find", "model-4")
    assert page.locator("#results tbody tr:visible").count() == 100
    page.click("#show-all")
    assert page.locator("#results tbody tr:visible").count() == 111


def busy(clock: Any) -> float:
    """Seconds of CPU that the page has taken, layout included."""
    found = clock.send("Performance.getMetrics")["metrics"]
    return next(one["value"] for one in found if one["name"] == "TaskDuration")
