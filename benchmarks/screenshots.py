"""Pictures of a board and of a replay for the README, taken of pages as people see them.

    python benchmarks/screenshots.py runs/board/site

`make board` builds that site. Needs Chromium and `pip install -e '.[browser]'`; `make screenshots` does all.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PATIENCE = 120_000
"""Milliseconds to wait for a page, also on a busy machine."""


@dataclass(frozen=True)
class Shot:
    """One picture: of a page, at a part of it and once `drawn` is there, in the size of a window."""

    name: str
    page: Path
    part: str = ""
    drawn: str = ""
    scheme: str = "light"
    width: int = 1280
    height: int = 860


def shots(site: Path) -> Iterator[Shot]:
    """What there is to see of this site."""
    index = site / "index.html"
    yield Shot("board", index)
    yield Shot("board-dark", index, scheme="dark")
    yield Shot("board-phone", index, "#results", width=390, height=800)
    yield Shot("board-cost", index, "#cost-part", ".plot .main-svg", height=640)
    yield Shot("board-lengths", index, "#lengths-part", height=560)
    for page in sorted((site / "models").glob("*.html"))[:1]:
        yield Shot("model", page)
    for page in sorted((site / "replay").glob("*.html"))[:1]:
        yield Shot("replay", page, drawn="#list a")
        yield Shot("replay-dark", page, drawn="#list a", scheme="dark")


def take(browser: Any, shot: Shot, folder: Path) -> None:
    """Writes one picture, unless the page has no such part."""
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height},
        color_scheme=shot.scheme,
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(shot.page.resolve().as_uri())
    if not shot.part or page.locator(shot.part).count():
        if shot.part:
            page.evaluate(f"document.querySelector('{shot.part}').scrollIntoView()")
        if shot.drawn:
            page.wait_for_selector(shot.drawn)
        if shot.name.startswith("replay"):
            page.locator(shot.drawn).first.click()
        page.wait_for_timeout(500)
        page.screenshot(path=folder / f"{shot.name}.png")
        print(folder / f"{shot.name}.png")
    context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("site", type=Path, help="folder that `lt-bench leaderboard build` wrote")
    parser.add_argument("--out", type=Path, default=Path("docs/images"))
    asked = parser.parse_args()
    if not (asked.site / "index.html").is_file():
        sys.exit(f"error: no site in {asked.site}\nfix: make board")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("error: Chromium is not installed\nfix: apt-get install chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sys.exit("error: Playwright is not installed\nfix: pip install -e '.[browser]'")
    asked.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"], timeout=PATIENCE
        )
        for shot in shots(asked.site):
            take(browser, shot, asked.out)
        browser.close()


if __name__ == "__main__":
    main()
