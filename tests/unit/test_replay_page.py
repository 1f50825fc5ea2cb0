"""The page of a replay: self-contained, and nothing that it shows is read as markup."""

from __future__ import annotations

import html
import html.parser
import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.replays import answered, example, scored, turn, write_run

from lt_bench.errors import UsageError
from lt_bench.records import Claim, ToolCall, ToolResult
from lt_bench.replay import anchor, replay_page
from lt_bench.replay.rows import rows
from lt_bench.replay.source import Source
from lt_bench.replay.texts import LONGEST
from lt_bench.replay.writing import page, write

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "<img src=x onerror=alert(1)>",
    "]]><svg/onload=alert(1)>",
    "[a](javascript:alert(1)) | cell | `code`",
    "\x1b[31mred\x1b[0m\x07\x9b2J",
    "\u202egnp.exe\u2066 \u200f",
    "line\u2028separator\x00nul",
    "&lt;b&gt; &amp; \"quoted\" 'too' {{ 7*7 }} {% raw %}",
    "half a pair \ud83d",
    "=cmd|'/c calc'!A1",
    "漢字かな交じり文 👩‍👩‍👧 العربية",
)


def data_of(text: str) -> dict[str, Any]:
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert match
    found: dict[str, Any] = json.loads(match[1])
    return found


def test_a_page_holds_rows_marks_and_costs(tmp_path: Path) -> None:
    claim = Claim(text="99 yuan", verdict="supported", document="lamp", evidence="99 CNY")
    run = write_run(
        tmp_path / "run", [example("a")], [answered("a", turn("It is 99 yuan."))],
        [scored("a", 1.0, claims=[claim])],
    )  # fmt: skip
    out = replay_page(run, tmp_path / "site" / "run.html")
    data = data_of(out.read_text("utf-8"))
    (row,), (of,) = data["rows"], data["ex"]
    side = row["r"][0]
    assert (row["a"], row["x"], side["dx"]) == ("a", 0, [["right", ""]])
    # the lamp before the text is two UTF-16 units, as a browser counts
    text = of["d"][0]["text"].encode("utf-16-le")
    (start, end, kind, number), *_ = side["m"]["0"]
    assert text[2 * start : 2 * end].decode("utf-16-le") == "99 CNY"
    assert (kind, number) == ("supported", 1)
    start, end, kind, _ = of["d"][0]["m"][0]
    assert (text[2 * start : 2 * end].decode("utf-16-le"), kind) == ("Price: 99 CNY", "required")
    assert side["t"][0]["m"] == [[6, 13, "supported", 1]]
    assert side["t"][0]["u"] == [50, 20, 14, 1, 5, "engine"]
    assert side["t"][0]["s"] == [0.1, 0.2, 0.5, 0.9]


def test_no_remote_asset_and_no_inline_markup_of_data(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [example("a")], [answered("a", turn("99"))])
    text = page(rows(Source(run)), [Source(run)])
    assert "default-src 'none'" in html.unescape(text)
    for asked in ("http://", "https://", "src=", "@import", "url(", "innerHTML", "eval("):
        assert asked not in text.replace("img-src", "").replace("script-src", ""), asked


class _Tags(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.found.append(tag)


def tags(text: str) -> list[str]:
    parser = _Tags()
    parser.feed(text)
    return parser.found


def test_hostile_text_everywhere_changes_no_tag_of_the_page(tmp_path: Path) -> None:
    def made(name: str, texts: tuple[str, ...]) -> str:
        safe = [text.encode("utf-8", "replace").decode() for text in texts]
        examples = [
            example(f"{number} {text}", text, viewer=text, tags=(text,))
            for number, text in enumerate(safe)
        ]
        said = [
            answered(
                one.id,
                turn("", text, tool_calls=(ToolCall(name=text, arguments={text: text}),),
                     tool_results=(ToolResult(call_id="1", content=text),)),
                turn(text, text),
            )
            for one, text in zip(examples, safe, strict=True)
        ]  # fmt: skip
        claims = [
            [Claim(text=text, verdict="contradicted", document=text, evidence=text)]
            for text in safe
        ]
        scores = [
            scored(one.id, 0.0, claims=own) for one, own in zip(examples, claims, strict=True)
        ]
        run = write_run(tmp_path / name, examples, said, scores)
        return page(rows(Source(run)), [Source(run)])

    plain, hostile = made("plain", ("harmless",) * len(HOSTILE)), made("hostile", HOSTILE)
    assert tags(hostile) == tags(plain)
    for char in "\x1b\x07\x9b\u202e\u2066\u200f\u2028\x00":
        assert char not in hostile, hostile[
            max(0, hostile.find(char) - 200) : hostile.find(char) + 20
        ]
    kept = data_of(hostile)
    assert kept["ex"][0]["q"] == HOSTILE[0]
    assert kept["ex"][5]["q"] == "\\x1b[31mred\\x1b[0m\\x07\\x9b2J"
    assert kept["ex"][11]["q"] == HOSTILE[11]


def test_half_characters_in_records_do_not_break_the_page(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [example("a")], [answered("a", turn("99"))])
    source = Source(run)
    (row,) = rows(source)
    assert row.example is not None
    broken = row.example.model_copy(update={"question": "half \ud83d", "tags": ("\udc00",)})
    text = page([type(row)(row.example_id, 0, broken, row.sides)], [source])
    assert data_of(text)["ex"][0]["q"] == "half \\ud83d"
    text.encode()


def test_very_long_texts_lose_their_middle_and_many_rows_are_counted(tmp_path: Path) -> None:
    long = "start " + "x" * (2 * LONGEST) + " end"
    examples = [example(str(number)) for number in range(5)]
    run = write_run(tmp_path / "run", examples, [answered("0", turn("99", long))])
    out = write(rows(Source(run)), [Source(run)], tmp_path / "run.html", most=3)
    data = data_of(out.read_text("utf-8"))
    thought = data["rows"][0]["r"][0]["t"][0]["think"]
    assert len(thought) < LONGEST + 100
    assert thought.startswith("start ")
    assert thought.endswith(" end")
    assert "characters are left out here" in thought
    assert (len(data["rows"]), data["total"]) == (3, 5)
    assert data["runs"][0]["counts"] == {"unscored": 1, "unanswered": 2}


def test_samples_share_their_example_and_have_links_of_their_own(tmp_path: Path) -> None:
    said = [answered("a", turn(text), index=index) for index, text in enumerate(("99", "88"))]
    run = write_run(tmp_path / "run", [example("a")], said, count=2)
    data = data_of(page(rows(Source(run)), [Source(run)]))
    assert len(data["ex"]) == 1
    assert [row["a"] for row in data["rows"]] == ["a", "a@1"] == [anchor("a"), anchor("a", 1)]


def test_a_file_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [example("a")], [])
    with pytest.raises(UsageError, match="cannot write"):
        replay_page(run, tmp_path)
    with pytest.raises(UsageError, match="is not a run"):
        replay_page(tmp_path / "nothing", tmp_path / "x.html")
