"""A candidate on disk: saved whole or not at all.

Safetensors with config, tokenizer, chat template and a generation config whose end tokens hold the one
that the model was taught to end its turns with.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from lt_bench.backends.transformers.loading import quiet
from lt_bench.train.full_disk import disk_trouble
from lt_bench.train.recipe import Lora
from lt_bench.train.weights import Parent, Router, merged


@dataclass(frozen=True)
class Finish:
    """What a candidate is saved with: the tokenizer, the `end` token of its turns, the dtype in which
    the weights are stored, and what its config said of its router."""

    tokenizer: Any
    end: int
    dtype: torch.dtype
    router: Router | None


def save_whole(trainer: Any, finish: Finish, folder: Path) -> None:
    """Saves a model that was trained whole. Every process of a launch calls this: the weights may be
    spread over them.

    Raises:
        RunError: the disk is full.
    """
    state = trainer.accelerator.get_state_dict(trainer.model)
    if not trainer.accelerator.is_main_process:
        return
    model = trainer.accelerator.unwrap_model(trainer.model)
    cast = {
        name: weight.to(finish.dtype) if weight.is_floating_point() else weight
        for name, weight in state.items()
    }
    replace_folder(folder, lambda part: _save(model, cast, finish, part))


def save_adapter(trainer: Any, parent: Parent, lora: Lora, finish: Finish, folder: Path) -> None:
    """Saves a model of which an adapter was trained: merged into its base, or the adapter alone.

    Raises:
        RunError: the disk is full.
        UsageError: the adapter is to stay apart, and its base is an adapter itself.
    """
    adapter = folder.with_name("adapter")
    trainer.save_model(str(adapter))
    if not trainer.accelerator.is_main_process:
        return
    if not lora.merge:
        replace_folder(folder, lambda part: _save_apart(adapter, finish, part))
        return
    # From the files: what stands in memory may be half of a model, or rounded.
    model = merged(parent.load(torch.float32), adapter).to(finish.dtype)
    replace_folder(folder, lambda part: _save(model, model.state_dict(), finish, part))


def _save(model: Any, state: dict[str, Any], finish: Finish, part: Path) -> None:
    if finish.router is not None:
        finish.router.reset(model.config)
    model.config.use_cache = True  # a trainer turns it off, and answers would be slow
    generation = model.generation_config
    generation.eos_token_id = _ends(generation.eos_token_id, finish)
    generation._from_model_config = False  # or its end tokens are not believed
    with quiet():
        model.save_pretrained(part, state_dict=state)
        model.config.dtype = finish.dtype
        model.config.save_pretrained(part)
        finish.tokenizer.save_pretrained(part)


def _save_apart(adapter: Path, finish: Finish, part: Path) -> None:
    for name in ("adapter_config.json", "adapter_model.safetensors"):
        shutil.copy2(adapter / name, part / name)
    # The end tokens of the base are not ours to change: the tokenizer beside the adapter tells ours.
    tokenizer = finish.tokenizer
    tokenizer.eos_token = tokenizer.convert_ids_to_tokens(finish.end)
    tokenizer.save_pretrained(part)


def _ends(known: int | Iterable[int] | None, finish: Finish) -> list[int]:
    """Every token at which generation stops, the one that was taught first."""
    before = [] if known is None else [known] if isinstance(known, int) else list(known)
    return list(dict.fromkeys((finish.end, *before)))


def replace_folder(folder: Path, write: Callable[[Path], None]) -> None:
    """Has `write` fill a folder, which then takes the place of `folder` in one step.

    Raises:
        RunError: the disk is full.
    """
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        part.mkdir(parents=True)
        write(part)
    except Exception as error:
        shutil.rmtree(part, ignore_errors=True)
        raise disk_trouble(folder, error) or error from error
    shutil.rmtree(folder, ignore_errors=True)
    part.replace(folder)
