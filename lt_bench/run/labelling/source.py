"""Where the replies to label come from: a finished run, or a file of replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lt_bench.builders.importers.labelled import LabelledRows
from lt_bench.calibration.consensus import LabelField
from lt_bench.config import digest
from lt_bench.errors import UsageError
from lt_bench.records import Document, Example, Generation, Labelled, Sample, Scored
from lt_bench.run.judging.label_files import BUILT
from lt_bench.run.rundir import RunDir, RunFile, find_run
from lt_bench.task import Task

_FIELD_OF: Final[dict[str, LabelField]] = {"correctness": "correct", "helpfulness": "helpful"}


@dataclass(frozen=True)
class Candidate:
    """A reply that can be labelled, without anybody's labels. `verdicts` is what the judge of its
    run said, which no annotator gets to see."""

    reply: Labelled
    verdicts: Mapping[LabelField, bool]


@dataclass(frozen=True)
class Source:
    """The replies that can be labelled, and why others cannot ("failed": 3)."""

    candidates: tuple[Candidate, ...]
    left_out: Mapping[str, int]


def open_source(path: Path, data: Path | None = None, catalogs: Sequence[Path] = ()) -> Source:
    """The replies of a run (its folder, or its name under runs/), of a file, or of a folder that
    `data build commerce_judge` made.

    `data` is the data file of the run, if that has moved.

    Raises:
        UsageError: it is neither, cannot be read, or holds no reply that can be labelled.
    """
    built, run = path / BUILT, find_run(path)
    if built.is_file() and not run.config_path.exists():
        source = _of_file(built)
    elif path.is_dir() or run.config_path.exists():
        source = _of_run(run, data, catalogs)
    elif data:
        raise UsageError(f"{path} is no run, so --data changes nothing", "leave --data out")
    else:
        source = _of_file(path)
    if not source.candidates:
        why = ", ".join(f"{count} {reason}" for reason, count in source.left_out.items())
        raise UsageError(
            f"{path} holds no reply that can be labelled{f': {why}' if why else ''}",
            "name a run that has answers, or a file of replies",
        )
    return source


def _of_file(path: Path) -> Source:
    """The replies of a file, in its order. Labels in it stay unseen."""
    rows = [
        row.model_copy(update={"labels": ()})
        for row in LabelledRows({"labels": "optional"}).read(path)
    ]
    spoken = tuple(Candidate(row, {}) for row in rows if row.reply.strip())
    empty = len(rows) - len(spoken)
    return Source(spoken, {"without a reply": empty} if empty else {})


def _of_run(run: RunDir, data: Path | None, catalogs: Sequence[Path]) -> Source:
    """The replies of a run, in the order they came. A failed row has none, and an empty reply is
    wrong without anybody's word."""
    file = run.load()
    examples = _examples(run, file, data, catalogs)
    scored = {line.key: line for line in run.scores}
    found: list[Candidate] = []
    left_out: Counter[str] = Counter()
    for sample in run.samples().values():
        example = examples.get(sample.key.example_id)
        if sample.generation is None:
            left_out["failed"] += 1
        elif not sample.generation.reply.strip():
            left_out["without a reply"] += 1
        elif example is None:
            left_out["not in the data file"] += 1
        else:
            reply = _labelled(example, sample, sample.generation, file.config.model)
            found.append(Candidate(reply, dict(_verdicts(scored.get(sample.key)))))
    return Source(tuple(found), left_out)


def _examples(
    run: RunDir, file: RunFile, data: Path | None, catalogs: Sequence[Path]
) -> dict[str, Example]:
    config = file.config
    task = Task.load(
        config.task, catalogs, options=config.task_options, builder=config.builder_options
    )
    path = data or (Path(file.data) if file.data else task.sample)
    if task.data_sha(path) != config.data_sha:
        raise UsageError(f"{path} is not the data of {run.path}", "name the right file with --data")
    return {example.id: example for example in task.examples(path, config.limit)}


def _labelled(example: Example, sample: Sample, generation: Generation, model: str) -> Labelled:
    """The reply with all that a judge may see of it. Its id is its content's: another answer to
    the same question is another reply."""
    reply, key = generation.reply, sample.key
    content = digest([key.sample_index, key.request_sha, reply])[:8]
    changed = {
        "documents": (*example.documents, *_returned(generation)),
        "tags": (*example.tags, f"model:{model}"),
    }
    return Labelled(
        id=f"{example.id}#{content}",
        example=example.model_copy(update=changed),
        reply=reply,
        labels=(),
    )


def _returned(generation: Generation) -> Iterator[Document]:
    """What tools returned is evidence too."""
    results = (result for turn in generation.turns for result in turn.tool_results)
    for number, result in enumerate(results, 1):
        yield Document(id=f"tool{number}", title="tool result", text=result.content)


def _verdicts(scored: Scored | None) -> Iterator[tuple[LabelField, bool]]:
    for score in scored.scores if scored else ():
        if score.name in _FIELD_OF and score.value is not None:
            yield _FIELD_OF[score.name], score.value >= 0.5
