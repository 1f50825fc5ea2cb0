"""RAGTruth (Niu et al., 2024, MIT): replies of six models with their hallucinated spans marked.

`response.jsonl` {id, source_id, model, labels[{start, end, text, label_type, implicit_true,
due_to_null}], split, quality, response} beside `source_info.jsonl` {source_id, task_type (QA,
Data2txt, Summary), source, source_info, prompt}. A reply is correct when no span is marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from lt_bench import jsonl
from lt_bench.builders.problem import Problem, Row, RowFault, from_validation, strict, unique
from lt_bench.config import Config, validate
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import Document, Example, HumanLabel, Labelled

TaskType = Literal["QA", "Data2txt", "Summary"]

_RESPONSES: Final = ("response.jsonl", "response.jsonl.gz")
_SOURCES: Final = ("source_info.jsonl", "source_info.jsonl.gz")
_PASSAGE: Final = re.compile(r"(?:^|\n)\s*passage (\d+):", re.IGNORECASE)
_OVERVIEW: Final = re.compile(r"(?:Instruction:)?\s*(.*?)\s*Structured data:", re.DOTALL)
_DEEPEST: Final = 6

Id = Annotated[str, BeforeValidator(lambda given: str(given) if isinstance(given, int) else given)]


class RagTruthOptions(Config):
    """`task_type`, `split` and `quality` choose rows (`quality: any` takes truncated replies and
    wrong refusals too). `implicit_true: right` lets a reply pass whose only spans are true but not in
    the evidence. `task` is the task that the examples belong to."""

    task_type: TaskType | None = None
    split: Literal["train", "test"] | None = None
    quality: Literal["good", "truncated", "incorrect_refusal", "any"] = "good"
    implicit_true: Literal["wrong", "right"] = "wrong"
    task: str = "commerce_qa"


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Span(_Row):
    """A piece of a reply that the evidence does not bear out."""

    start: int
    end: int
    text: str
    label_type: str
    implicit_true: bool = False


class Response(_Row):
    """One reply."""

    id: Id
    source_id: Id
    model: str
    labels: tuple[Span, ...]
    split: str
    quality: str
    response: str


class Source(_Row):
    """What six models were asked, and from what."""

    source_id: Id
    task_type: TaskType
    source: str = ""
    source_info: str | dict[str, Any]
    prompt: str = ""


class RagTruth:
    """Reads `response.jsonl`, or the folder that holds it, as labelled replies."""

    version = 1

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = validate(RagTruthOptions, options, "importer")

    def files(self, path: Path) -> tuple[Path, ...]:
        """The replies, and the sources beside them.

        Raises:
            UsageError: one of them is missing.
        """
        responses = _responses(path)
        return responses, _source_file(responses.parent)

    def read(self, path: Path) -> Iterator[Labelled]:
        """Labelled replies, in file order.

        Raises:
            UsageError: with file, line, field and fix.
        """
        return strict(_responses(path), self.inspect(path))

    def inspect(self, path: Path) -> Iterator[Row[Labelled] | Problem]:
        """Every chosen reply, or what is wrong with it."""
        responses = _responses(path)
        return unique(self._inspect(responses, _sources(_source_file(responses.parent))))

    def _inspect(self, path: Path, sources: dict[str, Source]) -> Iterator[Row[Labelled] | Problem]:
        rows = 0
        for line in jsonl.scan(path):
            if isinstance(line, jsonl.Broken):
                yield Problem("error", line.number, "", line.message, line.fix)
                continue
            rows += 1
            try:
                response = Response.model_validate(line.data)
                source = _source_of(response, sources)
                if self._chosen(response, source):
                    yield Row(line.number, self._labelled(response, source))
            except RowFault as fault:
                yield fault.at(line.number)
            except ValidationError as error:
                yield from_validation(error, line.number)
        if not rows:
            raise UsageError(f"{path} holds no rows", "fetch it again")

    def _chosen(self, response: Response, source: Source) -> bool:
        options = self.options
        return (
            options.task_type in (None, source.task_type)
            and options.split in (None, response.split)
            and options.quality in ("any", response.quality)
        )

    def _labelled(self, response: Response, source: Source) -> Labelled:
        id_ = f"ragtruth-{response.id}"
        lenient = self.options.implicit_true == "right"
        spans = [span for span in response.labels if not (lenient and span.implicit_true)]
        kinds = sorted({span.label_type.strip().lower().replace(" ", "_") for span in spans})
        example = Example(
            id=id_,
            task=self.options.task,
            question=_question(source),
            documents=tuple(_documents(source)),
            group=f"ragtruth-{source.source_id}",
            tags=(
                "ragtruth",
                f"type:{source.task_type}",
                f"model:{response.model}",
                *(f"span:{kind}" for kind in kinds),
            ),
            source=f"ParticleMedia/RAGTruth:{source.source}",
            license="MIT",
        )
        label = HumanLabel(annotator="ragtruth", correct=not spans)
        return Labelled(id=id_, example=example, reply=response.response, labels=(label,))


def _responses(path: Path) -> Path:
    """The file of replies in a folder, or the file itself."""
    if not path.is_dir():
        jsonl.check_file(path)
        if path.name in _SOURCES:
            raise UsageError(f"{path} holds the sources", f"name {_RESPONSES[0]} or the folder")
        return path
    for folder in (path, path / "dataset"):
        for name in _RESPONSES:
            if (folder / name).is_file():
                return folder / name
    raise UsageError(f"{path} has no {_RESPONSES[0]}", "name the folder that holds it")


def _source_file(folder: Path) -> Path:
    path = next((folder / name for name in _SOURCES if (folder / name).is_file()), None)
    if path is None:
        raise UsageError(
            f"{folder} has no {_SOURCES[0]}", f"keep {_RESPONSES[0]} and {_SOURCES[0]} together"
        )
    return path


def _sources(path: Path) -> dict[str, Source]:
    found: dict[str, Source] = {}
    for line in jsonl.read(path):
        try:
            source = Source.model_validate(line.data)
        except ValidationError as error:
            problem = from_validation(error, line.number)
            raise UsageError(f"{path}, {problem}", problem.fix) from error
        if source.source_id in found:
            raise UsageError(
                f"{path}, line {line.number}, source_id: {source.source_id!r} is there twice",
                "fetch the file again",
            )
        found[source.source_id] = source
    return found


def _source_of(response: Response, sources: dict[str, Source]) -> Source:
    if response.source_id not in sources:
        near = did_you_mean(response.source_id, sources)
        raise RowFault(
            "source_id",
            f"{_SOURCES[0]} has no {response.source_id!r}.{near}",
            "fetch both files of one release",
        )
    return sources[response.source_id]


def _question(source: Source) -> str:
    """The question, or the task that the models were given, without the evidence in it."""
    info = source.source_info
    if source.task_type == "QA":
        question = info.get("question") if isinstance(info, dict) else None
        if not isinstance(question, str) or not question.strip():
            raise RowFault("source_info.question", "the source has none", "fetch the file again")
        return question.strip()
    if source.task_type == "Summary":
        before = source.prompt.partition(str(info))[0] if str(info) in source.prompt else ""
        return before.strip().rstrip(":") or "Summarize this text."
    match = _OVERVIEW.match(source.prompt)
    return match[1] if match and match[1] else "Write an objective overview of this business."


def _documents(source: Source) -> Iterator[Document]:
    info = source.source_info
    if source.task_type == "QA":
        passages = info.get("passages") if isinstance(info, dict) else None
        if not isinstance(passages, str):
            raise RowFault("source_info.passages", "the source has none", "fetch the file again")
        yield from _passages(passages)
    elif isinstance(info, str):
        yield Document(id="source", kind="paragraph", text=info.strip())
    else:
        yield from _business(info)


def _passages(text: str) -> Iterator[Document]:
    parts = _PASSAGE.split(text)
    if len(parts) < 3:
        yield Document(id="passage-1", kind="paragraph", text=text.strip())
    for number, words in zip(parts[1::2], parts[2::2], strict=True):
        yield Document(id=f"passage-{number}", kind="paragraph", text=words.strip())


def _business(info: dict[str, Any]) -> Iterator[Document]:
    """The structured record of a business as lines, its reviews as documents of their own."""
    name = str(info.get("name", ""))
    reviews = info.get("review_info")
    fields = {key: value for key, value in info.items() if key != "review_info"}
    yield Document(id="business", title=name, text="\n".join(_lines(fields, "", 0)))
    for i, review in enumerate(reviews if isinstance(reviews, list) else (), 1):
        if isinstance(review, dict):
            text = "\n".join(_lines(review, "", 0))
            yield Document(id=f"review-{i}", kind="review", title=f"Review of {name}", text=text)


def _lines(value: Any, label: str, depth: int) -> Iterator[str]:
    """ "BusinessParking garage: no"; what is null was not known, which a reply may not fill in."""
    if isinstance(value, dict) and depth < _DEEPEST:
        for key, inner in value.items():
            yield from _lines(inner, f"{label} {key}".strip(), depth + 1)
        return
    shown = "not known" if value is None else value
    if isinstance(value, bool):
        shown = "yes" if value else "no"
    yield f"{label}: {shown}" if label else str(shown)
