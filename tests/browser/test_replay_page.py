"""The page of a replay in Chromium, opened from its file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from support.replays import NAMES, hostile_runs

from lt_bench.replay import anchor, replay_page

pytestmark = pytest.mark.browser


@pytest.fixture
def seen(browser: Any, tmp_path: Path) -> Iterator[tuple[Any, Path]]:
    """The hostile page, what it complained of and what it asked for."""
    one, two = hostile_runs(tmp_path)
    out = replay_page(one, tmp_path / "page.html", two)
    page = browser.new_page(viewport={"width": 360, "height": 740})
    complaints: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    yield page, out
    assert complaints == []
    assert all(url.startswith("file:") for url in asked), asked
    page.close()


def test_deep_links_lead_to_rows_whatever_their_ids_hold(seen: tuple[Any, Path]) -> None:
    page, out = seen
    for name in NAMES:
        page.goto(f"{out.as_uri()}#{quote(anchor(name), safe='')}")
        page.reload()
        assert page.inner_text("#row h2") == name
        assert page.locator("#row mark.claim").count() >= 2
    page.goto(f"{out.as_uri()}#%E0%A4%A")
    page.reload()
    assert "No row of this page" in page.inner_text("#row")
    assert page.locator("img").count() == 0
    assert page.title() != "1"


def test_keys_filters_and_narrow_pages_work(seen: tuple[Any, Path]) -> None:
    page, out = seen
    page.goto(out.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("#list li").count() == 3
    page.keyboard.press("j")
    first = page.inner_text("#row h2")
    page.keyboard.press("j")
    assert page.inner_text("#row h2") != first
    page.keyboard.press("k")
    assert page.inner_text("#row h2") == first
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.set_viewport_size({"width": 1280, "height": 800})
    page.fill("#find", "no such words")
    assert page.locator("#list li").count() == 0
    page.fill("#find", "")
    page.locator("button[data-code=right]").click()
    assert page.inner_text("#count") == "3 rows"
    page.click("#filters summary")
    page.select_option("select[aria-label=Score]", "correctness")
    page.fill("input[aria-label='Limit of the score']", "0")
    assert page.inner_text("#count") == "0 of 3 rows"


def test_the_reader_chooses_light_or_dark(seen: tuple[Any, Path]) -> None:
    page, out = seen
    grounds = set()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(out.as_uri())
        grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == 2
    page.keyboard.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
