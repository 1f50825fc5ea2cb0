"""`lt-bench list KIND`: what there is to name on the command line."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Kind(StrEnum):
    """What can be listed."""

    tasks = "tasks"
    judges = "judges"
    backends = "backends"
    recipes = "recipes"


def show(
    kind: Annotated[Kind, typer.Argument(help="tasks, judges, backends or recipes.")],
    catalog: Annotated[
        list[Path] | None, typer.Option(help="Folder with declarations of your own.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """List tasks, judges, backends or recipes."""
    import json as jsonlib

    from lt_bench.plain import printable

    found = entries(kind, tuple(catalog or ()))
    if json:
        typer.echo(jsonlib.dumps(found, ensure_ascii=False))
        return
    width = max((len(name) for name in found), default=0)
    for name, text in found.items():
        typer.echo(printable(f"{name:<{width}}  {text}".rstrip()))
    if not found:
        typer.echo(f"no {kind.value} here yet; a catalog folder can add some", err=True)


def entries(kind: Kind, catalogs: tuple[Path, ...]) -> dict[str, str]:
    """Name -> one line of explanation."""
    from lt_bench import catalog
    from lt_bench.task import Task

    if kind is Kind.backends:
        return _backends()
    if kind is Kind.recipes:
        return _recipes(catalogs)
    if kind is Kind.tasks:
        return {
            name: Task(folder).spec.summary
            for name, folder in catalog.entries("tasks", catalogs).items()
        }
    return _judges(catalogs)


def _judges(catalogs: tuple[Path, ...]) -> dict[str, str]:
    """As `lt-bench judge list` has them, which says more."""
    from lt_bench.cli.judge.list_ import judges

    return {judge.name: judge.summary for judge in judges(catalogs)}


def _recipes(catalogs: tuple[Path, ...]) -> dict[str, str]:
    """FOLDER/FILE, as `lt-bench train` takes it. A recipe that cannot be read stops the list."""
    from lt_bench.train.loading import read, recipes

    return {name: read(path).summary for name, path in recipes(catalogs)}


BACKENDS = {
    "builtin": "builtin/smollm2-135m: a small real model from a package, no hub needed",
    "hf": "hf/FOLDER_OR_ID: transformers; LoRA adapter folders and .gguf files too",
    "openai": "openai/NAME --base-url URL: any OpenAI-compatible server",
    "replay": "replay/FILE: answers from a predictions JSONL file (id, output)",
    "scripted": "scripted/FILE.yaml: answers and failures by rules, for tests and demos",
    "vllm": "vllm/FOLDER_OR_ID: vLLM in this process; its engine arguments by --set backend.KEY",
}


def _backends() -> dict[str, str]:
    from lt_bench.backends import BACKENDS as REGISTRY

    return {
        name: BACKENDS.get(name, f"{name}/…: plug-in {target}")
        for name, target in sorted(REGISTRY.targets.items())
    }
