"""Labelled replies for measuring judges: our own records, and flat rows as people have them.

    {"documents": ["…"], "question": "…", "reply": "…", "correct": 1, "helpful": null,
     "annotator": "ann", "source": "shop chat: March"}

In JSON Lines, a JSON array, CSV or Parquet. Rows with one id are one reply, judged by several people.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import ValidationError

from lt_bench import jsonl
from lt_bench.builders.importers.cells import as_text, entry, items, opened
from lt_bench.builders.importers.source_rows import read_rows
from lt_bench.builders.importers.truth import read_truth
from lt_bench.builders.problem import Problem, Row, RowFault, from_validation, strict
from lt_bench.config import Config, digest, validate
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import Example, HumanLabel, Labelled

_NEEDED: Final = ("question", "reply")
_COPIED: Final = ("viewer", "lang", "source", "license")
_KNOWN: Final = frozenset(
    {*_NEEDED, *_COPIED, "documents", "correct", "helpful", "labels", "annotator", "id", "task",
     "group", "tags", "history", "gold", "reply_model"}
)  # fmt: skip


class LabelledOptions(Config):
    """`task`: the task of rows that name none. `labels`: "optional" also takes replies that nobody
    has judged yet."""

    task: str = "commerce_qa"
    labels: Literal["needed", "optional"] = "needed"


@dataclass
class _Reply:
    """A labelled reply, the line it was first on, and whether its id is its own."""

    line: int
    record: Labelled
    named: bool


class LabelledRows:
    """Reads labelled replies. A flat row without id gets one from its content."""

    version = 1

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = validate(LabelledOptions, options, "importer")
        self._labels_needed = self.options.labels == "needed"

    def read(self, path: Path) -> Iterator[Labelled]:
        """Labelled replies in order of first appearance; all are held in memory.

        Raises:
            UsageError: with file, line, field and fix.
        """
        return strict(path, self.inspect(path))

    def inspect(self, path: Path) -> Iterator[Row[Labelled] | Problem]:
        """Every reply with all its labels, or what is wrong with a row."""
        replies: dict[str, _Reply] = {}
        unknown: dict[str, int] = {}
        lines = 0
        for item in read_rows(path):
            lines += 1
            if isinstance(item, Problem):
                yield item
                continue
            try:
                _add(replies, self._reply(item, unknown))
            except RowFault as fault:
                yield fault.at(item.number)
            except ValidationError as error:
                yield from_validation(error, item.number)
        if not lines:
            raise UsageError(f"{path} holds no rows", "check that it is the file you meant")
        if unknown:
            names = ", ".join(list(unknown)[:12])
            first = min(unknown.values())
            yield Problem("warning", first, "row", f"fields that are not used: {names}")
        for reply in replies.values():
            yield Row(reply.line, reply.record)

    def _reply(self, line: jsonl.Line, unknown: dict[str, int]) -> _Reply:
        if "example" in line.data:
            record = Labelled.model_validate(line.data)
            if not record.labels and self._labels_needed:
                raise RowFault("labels", "there is none", "add what people said of the reply")
            return _Reply(line.number, record, named=True)
        row = {key.strip().lower(): value for key, value in line.data.items()}
        for key in row:
            if key not in _KNOWN:
                unknown.setdefault(key, line.number)
        return self._flat(line, row)

    def _flat(self, line: jsonl.Line, row: dict[str, Any]) -> _Reply:
        for key in _NEEDED:
            if key not in row:
                near = did_you_mean(key, row) or f" There are: {', '.join(list(row)[:8])}"
                raise RowFault(key, f"is missing.{near}", "rename the column, or add it")
        question = as_text(row["question"], "question")
        if not question.strip():
            raise RowFault("question", "is empty", "leave such rows out")
        reply = as_text(row["reply"], "reply")
        documents = _documents(row.get("documents"))
        history = items(row.get("history"), "history")
        labels = _labels(row)
        if not labels and self._labels_needed:
            raise RowFault("correct", "nobody judged this reply", "fill in `correct` or `helpful`")
        id_ = as_text(row.get("id"), "id").strip()
        several = bool(as_text(row.get("annotator"), "annotator").strip())
        content = [question, documents, history, reply]
        made = digest(content if several else line.data)[:16]
        example = Example.model_validate(
            {
                "id": id_ or made,
                "task": as_text(row.get("task"), "task") or self.options.task,
                "question": question,
                "documents": documents,
                "history": history,
                "gold": opened(row.get("gold"), "gold") or None,
                "group": as_text(row.get("group"), "group") or digest([question, documents])[:16],
                "tags": _tags(row),
                **{k: text for k in _COPIED if (text := as_text(row.get(k), k))},
            }
        )
        record = Labelled(id=example.id, example=example, reply=reply, labels=labels)
        return _Reply(line.number, record, named=bool(id_) or several)


def _add(replies: dict[str, _Reply], new: _Reply) -> None:
    """Brings the labels of one reply together.

    Raises:
        RowFault: the same row twice, one id for two replies, or one person twice.
    """
    id_ = new.record.id
    old = replies.get(id_)
    if old is None:
        replies[id_] = _Reply(new.line, _numbered(new.record), new.named)
        return
    if not (old.named and new.named):
        raise RowFault("row", f"the same as line {old.line}", "leave it out, or give both an id")
    if (old.record.reply, old.record.example) != (new.record.reply, new.record.example):
        raise RowFault(
            "id", f"{id_!r} is another reply on line {old.line}", "give every reply its own id"
        )
    labels = (*old.record.labels, *new.record.labels)
    names = [label.annotator for label in labels if label.annotator]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise RowFault(
            "annotator", f"{twice!r} judged {id_!r} on line {old.line} already", "keep one of both"
        )
    old.record = _numbered(old.record.model_copy(update={"labels": labels}))


def _numbered(record: Labelled) -> Labelled:
    """Labels of people without a name are numbered."""
    labels = tuple(
        label if label.annotator else label.model_copy(update={"annotator": f"annotator-{i}"})
        for i, label in enumerate(record.labels, 1)
    )
    return record.model_copy(update={"labels": labels})


def _documents(value: Any) -> list[Any]:
    """Texts, or objects with the fields of a Document; ids are given where there are none."""
    found = []
    for i, item in enumerate(items(value, "documents"), 1):
        if isinstance(item, dict):
            found.append({"id": f"d{i}", **item})
        elif text := as_text(item, f"documents.{i - 1}"):
            found.append({"id": f"d{i}", "text": text})
    return found


def _labels(row: dict[str, Any]) -> tuple[HumanLabel, ...]:
    given = items(row.get("labels"), "labels")
    labels = [_label(entry(item, f"labels.{i}"), f"labels.{i}.") for i, item in enumerate(given)]
    if "correct" in row or "helpful" in row:
        labels.append(_label(row, ""))
    told = (label for label in labels if label.correct is not None or label.helpful is not None)
    return tuple(told)


def _label(data: dict[str, Any], at: str) -> HumanLabel:
    return HumanLabel(
        annotator=as_text(data.get("annotator"), f"{at}annotator").strip(),
        correct=read_truth(data.get("correct"), f"{at}correct"),
        helpful=read_truth(data.get("helpful"), f"{at}helpful"),
    )


def _tags(row: dict[str, Any]) -> list[str]:
    """Own tags; the data set that a source names before its first colon; the model that replied."""
    found = [as_text(item, "tags") for item in items(row.get("tags"), "tags")]
    source = as_text(row.get("source"), "source").partition(":")[0].strip()
    model = as_text(row.get("reply_model"), "reply_model").strip()
    found += [f"source:{source}"] if source else []
    found += [f"model:{model}"] if model else []
    return list(dict.fromkeys(tag for tag in found if tag.strip()))
