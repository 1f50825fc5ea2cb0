"""README.md of a data set, written from its manifest: what it is, how it is made, what is in it."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

from lt_bench import yaml
from lt_bench.builders import saved
from lt_bench.builders.audit import Audit
from lt_bench.builders.manifest import Manifest, Origin, SplitSummary
from lt_bench.builders.survey import MEASURED, RecordName, Stats

_WHAT: Final[Mapping[RecordName, str]] = {
    "Example": "questions with the dialogue before them, the evidence to answer from, and gold",
    "Labelled": "replies to questions, and whether each is correct and helpful",
    "Document": "documents of a catalogue",
}
_EXAMPLE: Final[Mapping[str, str]] = {
    "id": "unique in its split",
    "task": "the task whose prompt and scorers it is for",
    "question": "what is asked, as it was typed",
    "viewer": "the name under which the one who asks speaks in `history`",
    "history": "the dialogue before: `role`, `name`, `content`",
    "documents": "the evidence: `id`, `kind`, `title`, `text`, `product` (schema.org fields), `slot` "
    "(the number viewers call it by), `supporting` (known in multi-hop data)",
    "tools": "tool schemas, where the task has tools",
    "world": "the world the tools act in",
    "gold": "what a right answer is; `kind` tells the form",
    "group": "rows of one group (room, product, dialogue) are not independent",
    "tags": "what the row is an example of",
    "lang": "en, zh or mix",
    "source": "where the row comes from",
    "license": "its licence",
}
_FIELDS: Final[Mapping[RecordName, Mapping[str, str]]] = {
    "Example": _EXAMPLE,
    "Labelled": {
        "id": "unique in its split",
        "example": "the question with its evidence: " + ", ".join(f"`{name}`" for name in _EXAMPLE),
        "reply": "the reply that is judged",
        "labels": "of each annotator: `annotator`, `correct`, `helpful`",
    },
    "Document": {
        "id": "unique in its split",
        "kind": "product, faq, review, policy, paragraph or evidence",
        "title": "its title",
        "text": "its text",
        "product": "schema.org Product fields",
    },
}
_MARKUP: Final = re.compile(r"[\\|\[\]!*]")
_TAGS: Final = 400
_LANGUAGES: Final = {"en": ["en"], "zh": ["zh"], "mix": ["en", "zh"]}
_LICENCES: Final = frozenset(
    ("apache-2.0", "mit", "cc-by-4.0", "cc-by-sa-4.0", "cc0-1.0", "cdla-sharing-1.0", "unknown")
)
_SIZES: Final = ((1000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))


def data_card(manifest: Manifest) -> str:
    """The card as Markdown, with the header that data hubs read; equal manifests give equal cards."""
    parts = [
        *_header(manifest),
        *_what(manifest),
        *_splits(manifest),
        *_lengths(manifest),
        *_tags(manifest),
        *_audit(manifest.audit),
        *_fields(manifest),
    ]
    return "\n".join(parts) + "\n"


def command(manifest: Manifest) -> str:
    """The command that makes these rows again."""
    origin = manifest.origin
    words = ["lt-bench", "data", "build", origin.name, "--out", "FOLDER"]
    if origin.maker == "labeller":
        words += ["--rows", *(str(split.asked) for split in manifest.splits.values())]
    else:
        asked = {name: split.asked or 0 for name, split in manifest.splits.items()}
        words += ["--train", str(asked.get("train", 0)), "--test", str(asked.get("test", 0))]
    words += ["--seed", str(origin.seed)]
    for key, value in sorted(origin.options.items()):
        words += ["--set", f"builder.{key}={_setting(value)}"]
    return shlex.join(words)


def _setting(value: Any) -> str:
    """A value as `--set` reads it back: bare where that is the same."""
    bare = isinstance(value, str) and yaml.scalar(value) == value
    return str(value) if bare else json.dumps(value, ensure_ascii=False)


def _header(manifest: Manifest) -> Iterator[str]:
    stats = [split.stats for split in manifest.splits.values()]
    names = {name.lower() for one in stats for name in one.licenses}
    licences = sorted(name if name in _LICENCES else "other" for name in names) or ["unknown"]
    languages = sorted({code for one in stats for lang in one.langs for code in _LANGUAGES[lang]})
    yield "---"
    yield f"pretty_name: {manifest.origin.name}"
    yield f"license: {json.dumps(licences if len(licences) > 1 else licences[0])}"
    yield f"language: {json.dumps(languages)}"
    yield f"size_categories: {json.dumps([_size(sum(one.rows for one in stats))])}"
    tables = [name for name, split in manifest.splits.items() if _has_table(name, split)]
    if tables:
        yield "configs:"
        yield "- config_name: default"
        yield "  data_files:"
        for name in tables:
            yield f"  - split: {name}"
            yield f"    path: {name}/{saved.ARROW}"
    yield "---"


def _has_table(name: str, split: SplitSummary) -> bool:
    return f"{name}/{saved.ARROW}" in split.files


def _size(rows: int) -> str:
    return next((name for limit, name in _SIZES if rows < limit), "n>100K")


def _what(manifest: Manifest) -> Iterator[str]:
    origin = manifest.origin
    kinds = dict.fromkeys(split.stats.records for split in manifest.splits.values())
    yield from ("", f"# {origin.name}", "")
    yield f"{', '.join(_WHAT[kind] for kind in kinds).capitalize()}."
    yield from (f"Made by the {origin.maker} `{origin.name}`, version {origin.version}:", "")
    yield from ("```sh", command(manifest), "```", "")
    yield "The same command gives the same bytes. `manifest.json` has the sha256 of every file."
    yield from _sources(origin)


def _sources(origin: Origin) -> Iterator[str]:
    if not origin.sources:
        yield "Nothing was read: all rows are made from the seed."
        return
    yield from ("", "Read from:", "", "| source | sha256 |", "| --- | --- |")
    for name, sha in sorted(origin.sources.items()):
        yield f"| {_cell(name)} | `{sha}` |"


def _splits(manifest: Manifest) -> Iterator[str]:
    yield from (
        "",
        "## Splits",
        "",
        "| split | rows | groups | languages | answerability | licence |",
    )
    yield "| --- | ---: | ---: | --- | --- | --- |"
    for name, split in manifest.splits.items():
        stats = split.stats
        rows = f"{stats.rows:,}"
        if split.asked is not None and split.asked != stats.rows:
            rows += f" (of {split.asked:,} asked)"
        counts = (stats.langs, stats.answerability, stats.licenses)
        cells = (name, rows, f"{stats.groups:,}", *(_counts(one, stats.rows) for one in counts))
        yield f"| {' | '.join(cells)} |"
    labels = {name: split.stats.labels for name, split in manifest.splits.items()}
    if any(labels.values()):
        yield ""
        for name, verdicts in labels.items():
            told = ", ".join(f"{n:,} {verdict}" for verdict, n in verdicts.items())
            yield f"Labels of {name}: {told}."


def _counts(counts: Mapping[str, int], rows: int) -> str:
    if len(counts) == 1:
        return _cell(next(iter(counts)))
    return ", ".join(f"{_cell(name)} {_share(n, rows)}" for name, n in counts.items())


def _lengths(manifest: Manifest) -> Iterator[str]:
    yield from ("", "## Lengths", "", "Characters; `documents` is a count.", "")
    yield "| split | of | smallest | median | mean | 95th percentile | largest |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for name, split in manifest.splits.items():
        for what in MEASURED:
            found = split.stats.lengths.get(what)
            if found:
                cells = (found.low, f"{found.median:g}", f"{found.mean:.1f}", found.p95, found.high)
                yield f"| {name} | {what} | {' | '.join(map(str, cells))} |"


def _tags(manifest: Manifest) -> Iterator[str]:
    stats = {name: split.stats for name, split in manifest.splits.items()}
    tags = sorted({tag for one in stats.values() for tag in one.tags})
    if not tags:
        return
    yield from ("", "## Tags", "", "Share of the rows that have each.", "")
    yield f"| tag | {' | '.join(stats)} |"
    yield f"| --- |{' ---: |' * len(stats)}"
    for tag in tags[:_TAGS]:
        yield f"| {_cell(tag)} | {' | '.join(_of_tag(one, tag) for one in stats.values())} |"
    if len(tags) > _TAGS:
        yield from ("", f"{len(tags) - _TAGS:,} more are in `manifest.json`.")


def _of_tag(stats: Stats, tag: str) -> str:
    return _share(stats.tags.get(tag, 0), stats.rows)


def _share(count: int, rows: int) -> str:
    return f"{100 * count / rows:.1f} %" if rows else "–"


def _audit(audit: Audit | None) -> Iterator[str]:
    yield from ("", "## Leak audit", "")
    if audit is None:
        yield "Not audited: there is one split, whose rows share their questions on purpose."
        return
    unit = "the question" if audit.unit == "question" else "question, history and evidence"
    yield f"Compared {unit} of {sum(audit.rows.values()):,} rows: exact copies, copies that differ in"
    yield "case, punctuation, space or Unicode form, and near copies."
    between = sum(audit.between_counts.values())
    yield f"Rows of one split that stand in another: {between}."
    within = ", ".join(f"{n:,} {kind}" for kind, n in audit.within_counts.items()) or "none"
    yield f"Rows that repeat another of their own split: {within}."


def _fields(manifest: Manifest) -> Iterator[str]:
    for kind in dict.fromkeys(split.stats.records for split in manifest.splits.values()):
        yield from ("", "## Fields", "", "| field | what it holds |", "| --- | --- |")
        for name, text in _FIELDS[kind].items():
            yield f"| `{name}` | {text} |"
    yield from (
        "",
        "`datasets.load_from_disk` reads the folders of the splits. There, what has other",
    )
    yield "keys in every row (`product`, `gold`, `tools`, `world`) is JSON as text; in the `.jsonl`"
    yield "files it is plain JSON."


def _cell(text: str) -> str:
    """Text of a user's data, on one line of a table and nothing but text."""
    shown = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(escape(_MARKUP.sub(r"\\\g<0>", shown.replace("`", "'")), quote=False).split())
