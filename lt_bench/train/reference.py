"""L_ref: how long the parent's own answers are, from an ordinary lt-bench run of it.

The run lies in STAGE/reference and its card says how good the parent is before the stage begins; the
lengths are kept in STAGE/reference.json, so that a finished one is not measured again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from lt_bench.backends.choose import open_model
from lt_bench.errors import RunError, UsageError
from lt_bench.records import Example, Number, Record
from lt_bench.run.disk import write_whole
from lt_bench.run.evaluation import Evaluation, evaluate
from lt_bench.run.loop import run
from lt_bench.run.rundir import RunDir
from lt_bench.train.lengths import LengthBudget
from lt_bench.train.parents import place_of
from lt_bench.train.recipe import GrpoStage
from lt_bench.train.stage import StageContext

FOLDER: Final = "reference"


class Reference(Record):
    """Output tokens of the parent's answers, thinking, markup and end token included. `mean` over all
    answers, `by_input` over those of each example; `truncated` of `answers` were cut by the cap and
    count as they are, `failed` more have no answer and do not count."""

    model: str
    temperature: float
    answers: int
    truncated: int
    failed: int
    mean: Number
    by_input: dict[str, Number]

    @property
    def told(self) -> str:
        """One line for a person."""
        cut = f", {self.truncated} cut by the cap" if self.truncated else ""
        lost = f", {self.failed} failed" if self.failed else ""
        return (
            f"L_ref {self.mean:.1f} tokens: {self.answers} answers of {self.model} at temperature "
            f"{self.temperature:g}{cut}{lost}"
        )


def measured_model(context: StageContext, budget: LengthBudget) -> str:
    """Whose lengths count: the model named in `of`, or the parent of this stage.

    Raises:
        UsageError: there is neither.
    """
    if budget.of is not None:
        return place_of(budget.of, context.candidates)
    if context.parent is None:
        raise UsageError(f"stage {context.name} has no parent", "give `from`")
    return context.parent


def reference_of(
    context: StageContext, budget: LengthBudget, examples: Sequence[Example]
) -> Reference:
    """The lengths for a stage that trains on `examples`, measured or as measured before.

    Raises:
        UsageError: the parent cannot be asked, or `reference: input` lacks rows.
        RunError: no answer was had, or an input has none.
    """
    kept = context.folder / f"{FOLDER}.json"
    found = _kept(kept)
    if found is None:
        found = _measured(context, budget, examples)
        write_whole(kept, found.model_dump_json(indent=2))
    _check(found, budget, examples)
    return found


def check_rows(budget: LengthBudget, examples: Sequence[Example]) -> None:
    """Refuses lengths by input that the reference run would not have.

    Raises:
        UsageError: it has fewer rows than the stage trains on.
    """
    if budget.reference == "input" and budget.rows < len(examples):
        raise UsageError(
            f"rewards.length.reference: input needs a reference answer to each of {len(examples)} "
            f"training rows, and rewards.length.rows is {budget.rows}",
            f"set rewards.length.rows to {len(examples)}, or reference: mean",
        )


def _kept(path: Path) -> Reference | None:
    try:
        return Reference.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except ValidationError as error:
        raise UsageError(f"{path} is damaged", "delete it; it is measured again") from error


def _measured(
    context: StageContext, budget: LengthBudget, examples: Sequence[Example]
) -> Reference:
    check_rows(budget, examples)
    assert isinstance(context.stage, GrpoStage)
    rows = examples[: budget.rows]
    data = context.folder / f"{FOLDER}.rows.jsonl"
    context.folder.mkdir(parents=True, exist_ok=True)
    write_whole(data, "\n".join(row.model_dump_json() for row in rows))
    model = f"hf/{measured_model(context, budget)}"
    changes = {"temperature": budget.temperature, "seed": context.stage.seed}
    evaluation = Evaluation(
        model=model,
        task=context.task,
        examples=rows,
        data=data,
        run=context.folder / FOLDER,
        sampling=context.task.sampling(changes),
        samples=budget.samples,
        judge=replace(context.judge),
    )

    async def ask() -> None:
        async with open_model(model, {}) as backend:
            await evaluate(evaluation, backend, context.progress)

    run(ask())
    return lengths_in(RunDir(evaluation.run), model, budget.temperature)


def lengths_in(folder: RunDir, model: str, temperature: float) -> Reference:
    """The lengths of the answers in a finished run."""
    lengths: dict[str, list[int]] = {}
    truncated = failed = 0
    for key, sample in folder.samples().items():
        usage = sample.generation.usage if sample.generation else None
        if usage is None:
            failed += 1
            continue
        truncated += sample.status == "truncated"
        lengths.setdefault(key.example_id, []).append(usage.output)
    answers = sum(len(each) for each in lengths.values())
    if not answers:
        raise RunError(
            f"{model} gave no answer to measure L_ref from", f"see {folder.path / 'log.txt'}"
        )
    return Reference(
        model=model,
        temperature=temperature,
        answers=answers,
        truncated=truncated,
        failed=failed,
        mean=math.fsum(sum(each) for each in lengths.values()) / answers,
        by_input={row: math.fsum(each) / len(each) for row, each in lengths.items()},
    )


def _check(found: Reference, budget: LengthBudget, examples: Sequence[Example]) -> None:
    if budget.reference != "input":
        return
    missing = [example.id for example in examples if example.id not in found.by_input]
    if missing:
        raise RunError(
            f"{len(missing)} training rows have no reference length, {missing[0]} among them",
            "set reference: mean, or see the failures in the log of the reference run",
        )
