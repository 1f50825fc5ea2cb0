"""Writes rows as one HTML file that needs no network: open it from disk, send it by mail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import orjson

from lt_bench.errors import UsageError
from lt_bench.plain import on_one_line, printable
from lt_bench.records import ResultCard
from lt_bench.replay import page_data
from lt_bench.replay.diagnosis import AIMS, CODES
from lt_bench.replay.filters import differing_first
from lt_bench.replay.rows import ReplayRow, Side, rows
from lt_bench.replay.source import Source
from lt_bench.replay.words import NAMES, NOTES, VERDICTS
from lt_bench.webpage import STYLE, policy

MOST: Final = 2_000
"""Rows of one page, where nobody asks for more: a browser reads them all before it shows the first."""
TEMPLATE, SCRIPT, LOOK = "page.html.jinja", "page.js", "page.css"


def replay_page(run_dir: str | Path, out_file: str | Path, other: str | Path | None = None) -> Path:
    """Writes the page of a run, or of two runs side by side; `#ROW_ID` at the end of its address (percent-
    encoded) leads to a row. Returns `out_file`.

    Raises:
        UsageError: a folder is not a run, the two have no row in common, or the file cannot be written.
    """
    sources = [Source(run_dir), *([Source(other)] if other else [])]
    return write(rows(*sources), sources, Path(out_file))


def write(
    found: Iterable[ReplayRow], sources: Sequence[Source], out_file: Path, most: int = MOST
) -> Path:
    """Writes these rows, those that differ first, as a page; at most `most` of them.

    Raises:
        UsageError: the file cannot be written.
    """
    text = page(found, sources, most)
    try:
        out_file.parent.mkdir(parents=True, exist_ok=True)
        out_file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"cannot write {out_file}: {error.strerror}", "name another file with --html"
        ) from error
    return out_file


def page(found: Iterable[ReplayRow], sources: Sequence[Source], most: int = MOST) -> str:
    """The whole page. Texts of rows, replies, models and files are data, never markup."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    kept, total = _kept(found, len(sources), most)
    data = _data(kept, sources, total)
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True
    )
    return environment.from_string(_file(TEMPLATE)).render(
        title=_title(sources),
        policy=policy(scripts=True),
        style=Markup(STYLE + _file(LOOK)),  # noqa: S704
        script=Markup(_file(SCRIPT)),  # noqa: S704
        data=Markup(_embedded(data)),  # noqa: S704
    )


def _file(name: str) -> str:
    return files("lt_bench.replay").joinpath(name).read_text(encoding="utf-8")


def _embedded(data: page_data.Json) -> str:
    """JSON that no HTML parser can leave: nothing in it opens or closes a tag or a comment."""
    text = orjson.dumps(data).decode()
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def _kept(found: Iterable[ReplayRow], runs: int, most: int) -> tuple[list[ReplayRow], int]:
    """The rows of the page, and how many there are. Two runs are in memory already."""
    if runs > 1:
        every = differing_first(found)
        return every[:most], len(every)
    kept, total = list[ReplayRow](), 0
    for row in found:
        total += 1
        if total <= most:
            kept.append(row)
    return kept, total


def _title(sources: Sequence[Source]) -> str:
    names = " and ".join(on_one_line(source.name) for source in sources)
    return f"Replay: {names}"


# --- the data of the page --------------------------------------------------------------------


def _data(kept: Sequence[ReplayRow], sources: Sequence[Source], total: int) -> page_data.Json:
    from lt_bench import __version__

    examples: dict[str, int] = {}
    written: list[page_data.Json] = []
    made = list[page_data.Json]()
    for row in kept:
        if row.example and row.example_id not in examples:
            examples[row.example_id] = len(examples)
            made.append(page_data.example(row.example))
        written.append(page_data.row(row, examples.get(row.example_id)))
    config = sources[0].file.config
    return {
        "task": printable(f"{config.task}@{config.version}"),
        "made": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "by": __version__,
        "total": total,
        "runs": [_run(source, number, kept) for number, source in enumerate(sources)],
        "codes": [[code, NAMES[code], AIMS[code]] for code in CODES],
        "verdicts": VERDICTS,
        "notes": NOTES,
        "scores": _scores(kept, sources),
        "ex": made,
        "rows": written,
    }


def _run(source: Source, number: int, kept: Sequence[ReplayRow]) -> page_data.Json:
    sides = [side for row in kept if (side := row.sides[number])]
    return {
        "name": on_one_line(source.name),
        "model": on_one_line(source.model),
        "folder": on_one_line(str(source.folder.path)),
        "judge": _judges(source.card),
        "problems": [printable(problem) for problem in source.problems],
        "counts": Counter(side.code for side in sides),
        "n": len(sides),
        "means": {name: _mean(sides, name) for name in _headline(source)},
    }


def _headline(source: Source) -> list[str]:
    return list((source.card.headline if source.card else ()) or source.headline)[:6]


def _judges(card: ResultCard | None) -> str:
    if card is None or not card.judges:
        return ""
    named = {f"{stamp.name} v{stamp.version}" for stamp in card.judges.values()}
    models = {model for stamp in card.judges.values() for model in stamp.models}
    asked = f", asked of {', '.join(sorted(models))}" if models else ""
    return on_one_line(", ".join(sorted(named)) + asked)


def _mean(sides: Iterable[Side], name: str) -> float | None:
    """Over the rows of the page that have a value; a card has the estimate."""
    known = [value for side in sides if (value := side.value(name)) is not None]
    return round(sum(known) / len(known), 6) if known else None


def _scores(kept: Sequence[ReplayRow], sources: Sequence[Source]) -> list[str]:
    """The scores that some row has, those of the headline first."""
    there: dict[str, Any] = dict.fromkeys(name for source in sources for name in _headline(source))
    have = set(_names(kept))
    ordered = [*(name for name in there if name in have), *sorted(have - set(there))]
    return [printable(name) for name in ordered]


def _names(kept: Iterable[ReplayRow]) -> Iterator[str]:
    for row in kept:
        for side in row.sides:
            yield from (one.name for one in side.scores() if one.value is not None) if side else ()
