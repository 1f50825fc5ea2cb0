"""What stands beside a trained model: candidate.json, all of it, and README.md, a model card to read."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from lt_bench.config import JudgeSettings
from lt_bench.records import Record
from lt_bench.run.disk import write_whole
from lt_bench.text.paths import portable
from lt_bench.train.identity import without_user_info
from lt_bench.train.parents import HUB_ID
from lt_bench.train.stage import StageResult
from lt_bench.train.workdir import StageFile

FILE, CARD = "candidate.json", "README.md"
WHAT: Final = {
    "pretrain": "A small language model, trained from nothing on generated documents.",
    "sft": "A model fine-tuned on a teacher's trajectories (thought and reply), unfiltered.",
    "rft": "A model fine-tuned on a teacher's trajectories (thought and reply) that a judge admitted: "
    "rejection-sampling fine-tuning.",
    "grpo": "A model trained by reinforcement on groups of its own completions (GRPO); its rewards "
    "are the scores that `lt-bench eval` gives.",
}
METHODS: Final = {
    "pretrain": (),
    "sft": ("sft", "distillation"),
    "rft": ("sft", "rejection-sampling", "distillation"),
    "grpo": ("grpo", "reinforcement-learning"),
}


class Candidate(Record):
    """candidate.json. `settings` is the stage as it was resolved; `sha` is the fingerprint of config,
    tokenizer and weights, `settings_sha` of everything that decided them; `data_sha` of the `rows`
    examples trained on; `parent` is a stage of the recipe, a folder's name or a hub id; `date` is UTC."""

    recipe: str
    stage: str
    kind: str
    task: str
    settings: dict[str, Any]
    settings_sha: str
    sha: str
    data_sha: str
    rows: int
    parent: str | None
    parent_sha: str | None
    judge: JudgeSettings
    metrics: dict[str, float | int | None]
    remarks: tuple[str, ...]
    packages: dict[str, str]
    git_commit: str | None
    date: str


def candidate_of(
    recipe: str, file: StageFile, result: StageResult, sha: str, date: str
) -> Candidate:
    """What is known of a candidate when its stage is done."""
    settings = portable(file.settings)
    judge = settings.get("judge", {})
    return Candidate(
        recipe=recipe,
        stage=file.name,
        kind=file.kind,
        task=str(settings["task"]["name"]),
        settings=settings["stage"],
        settings_sha=file.sha,
        sha=sha,
        data_sha=result.data_sha,
        rows=result.rows,
        parent=portable(file.parent),
        parent_sha=file.parent_sha,
        judge=JudgeSettings.model_validate(judge),
        metrics=plain_numbers(result.metrics),
        remarks=tuple(portable(list(result.remarks))),
        packages=file.packages,
        git_commit=file.git_commit,
        date=date,
    )


def write(folder: Path, candidate: Candidate) -> None:
    """Both files, each whole or not at all.

    Raises:
        RunError: the disk is full.
    """
    write_whole(folder / FILE, without_user_info(candidate.model_dump_json(indent=2)))
    write_whole(folder / CARD, without_user_info(card(candidate)))


def card(candidate: Candidate) -> str:
    """The model card, in the form that the Hugging Face hub reads."""
    name = f"{candidate.recipe}, stage {candidate.stage}"
    parts = (
        _front_matter(candidate),
        f"# {name}",
        f"{WHAT[candidate.kind]} Task: `{candidate.task}`. Made by lt-bench.",
        "## How it was made\n\n" + "\n".join(_making(candidate)),
        "## Measured while training\n\n" + "\n".join(_metrics(candidate)),
        "## Limits\n\n" + "\n".join(f"- {line}" for line in _limits(candidate)),
        *(
            ["## Notes\n\n" + "\n".join(f"- {line}" for line in candidate.remarks)]
            if candidate.remarks
            else []
        ),
        "## Evaluate it\n\n"
        f"```\nlt-bench eval hf/FOLDER --task {candidate.task}\n```\n\n"
        "FOLDER is where this file lies. `vllm/FOLDER` runs it under vLLM.",
        "## Settings\n\n```json\n" + json.dumps(candidate.settings, indent=2) + "\n```",
    )
    return "\n\n".join(parts)


def plain_numbers(metrics: Mapping[str, float | int | None]) -> dict[str, float | int | None]:
    """What is no number (a mean of nothing, an overflow) as None, which JSON can hold."""
    return {
        name: None if value is None or not math.isfinite(value) else value
        for name, value in metrics.items()
    }


def _front_matter(candidate: Candidate) -> str:
    """YAML; JSON strings are YAML strings."""
    adapter = _is_adapter(candidate)
    lines = [
        f"library_name: {'peft' if adapter else 'transformers'}",
        "pipeline_tag: text-generation",
        "tags:",
        *(f"- {tag}" for tag in ("lt-bench", "reasoning", *METHODS[candidate.kind])),
    ]
    if candidate.parent is not None and HUB_ID.fullmatch(candidate.parent.removeprefix("hf/")):
        lines += [
            f"base_model: {json.dumps(candidate.parent.removeprefix('hf/'))}",
            f"base_model_relation: {'adapter' if adapter else 'finetune'}",
        ]
    return "\n".join(("---", *lines, "---"))


def _is_adapter(candidate: Candidate) -> bool:
    lora = candidate.settings.get("lora")
    return isinstance(lora, dict) and not lora.get("merge", True)


def _making(candidate: Candidate) -> Iterator[str]:
    yield f"- Recipe `{candidate.recipe}`, stage `{candidate.stage}` ({candidate.kind})"
    if candidate.parent is not None:
        yield f"- Started from {candidate.parent} ({_short(candidate.parent_sha)})"
    yield f"- Trained on {candidate.rows:,} rows ({_short(candidate.data_sha)})"
    teacher = candidate.settings.get("teacher")
    if isinstance(teacher, dict):
        yield (
            f"- Teacher `{teacher['model']}`: {teacher['samples']} samples a row at temperature "
            f"{teacher['temperature']:g}"
        )
    if admit := candidate.settings.get("admit"):
        yield "- Admitted by " + ", ".join(f"{name} of at least {v:g}" for name, v in admit.items())
    rewards = candidate.settings.get("rewards")
    if isinstance(rewards, dict):
        yield "- Rewards: " + ", ".join(f"{v:g} {name}" for name, v in rewards["weights"].items())
    if candidate.judge.name:
        models = f" ({', '.join(candidate.judge.models)})" if candidate.judge.models else ""
        yield f"- Judge `{candidate.judge.name}`{models}"
    versions = (f"{name} {version}" for name, version in candidate.packages.items())
    yield f"- {candidate.date[:10]}, " + ", ".join(versions)
    commit = f", commit {candidate.git_commit[:12]}" if candidate.git_commit else ""
    yield f"- Weights {_short(candidate.sha)}, settings {_short(candidate.settings_sha)}{commit}"


def _metrics(candidate: Candidate) -> Iterator[str]:
    if not candidate.metrics:
        yield "Nothing was."
        return
    yield "| metric | value |"
    yield "| --- | ---: |"
    for name, value in candidate.metrics.items():
        yield f"| {name} | {figure(value)} |"


def _limits(candidate: Candidate) -> Iterator[str]:
    yield "The figures above were measured on rows of the training, not on a test set."
    if candidate.kind in ("rft", "grpo") and candidate.judge.name:
        yield (
            f"It was shaped by the judge `{candidate.judge.name}`: what that judge overlooks, this "
            "model may have learnt to do."
        )
    if candidate.kind == "pretrain":
        yield "It knows the words of one generated world, and no other."
    yield "Licence and use are bounded by those of its parent, its teacher and its data."


def figure(value: float | None) -> str:
    """A metric as people read it: counts whole, the rest to four digits."""
    if value is None:
        return "not known"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"


def _short(sha: str | None) -> str:
    return "of unknown files" if sha is None else f"sha256 {sha[:12]}"
