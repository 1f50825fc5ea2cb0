"""Checkpoints that a killed stage goes on from: whole ones of the very same training, and no others.

A checkpoint is whole once lt-bench has sealed it: written into it, last of all, what it holds. One that
was being written when the process died has no seal, or lacks something of it, and is passed over.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError
from transformers import TrainerCallback

from lt_bench.records import Record
from lt_bench.run.disk import write_whole

log = logging.getLogger(__name__)

SEAL: Final = "lt_bench.json"
NAME: Final = re.compile(r"checkpoint-(\d+)")


class Seal(Record):
    """Of what training a checkpoint is, after how many steps, and the bytes of each of its files."""

    training: str
    step: int
    files: dict[str, int]


def latest(folder: Path, training: str) -> Path | None:
    """The last whole checkpoint of a training (a hash of all that decides its weights)."""
    for step, checkpoint in sorted(_checkpoints(folder), reverse=True):
        if _is_whole(checkpoint, training):
            return checkpoint
        log.warning("checkpoint of step %d is torn or of another training: passed over", step)
    return None


def step_of(checkpoint: Path | None) -> int:
    """The steps that were made when it was written; 0 where there is none."""
    found = NAME.fullmatch(checkpoint.name) if checkpoint else None
    return int(found[1]) if found else 0


def _checkpoints(folder: Path) -> Iterator[tuple[int, Path]]:
    for path in folder.iterdir() if folder.is_dir() else ():
        if (found := NAME.fullmatch(path.name)) and path.is_dir():
            yield int(found[1]), path


def _is_whole(checkpoint: Path, training: str) -> bool:
    try:
        seal = Seal.model_validate_json((checkpoint / SEAL).read_bytes())
    except (OSError, ValidationError):
        return False
    there = _sizes(checkpoint)
    same = seal.training == training and seal.step == step_of(checkpoint)
    return same and all(there.get(name) == size for name, size in seal.files.items())


def _sizes(checkpoint: Path) -> dict[str, int]:
    return {
        path.relative_to(checkpoint).as_posix(): path.stat().st_size
        for path in sorted(checkpoint.rglob("*"))
        if path.is_file() and path.name != SEAL
    }


class Sealing(TrainerCallback):  # type: ignore[misc]
    """Seals each checkpoint once every process has written its part."""

    def __init__(self, training: str) -> None:
        self.training = training

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Called by the trainer in every process after a checkpoint."""
        del control
        args.distributed_state.wait_for_everyone()
        if not state.is_world_process_zero:
            return
        checkpoint = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        seal = Seal(training=self.training, step=state.global_step, files=_sizes(checkpoint))
        write_whole(checkpoint / SEAL, seal.model_dump_json())


def load_weights(model: Any, checkpoint: Path) -> None:
    """Loads the weights of a checkpoint into a model of the same kind. The trainer's own way leaves the
    experts of a mixture as they are: on disk they have other names than in memory, and it does not ask
    for those it misses."""
    saved = type(model).from_pretrained(checkpoint, dtype=model.dtype, use_safetensors=True)
    model.load_state_dict(saved.state_dict())


def trim_log(path: Path, step: int) -> None:
    """Takes out of a log what was logged after `step`: it is done, and told, again."""
    if not path.exists():
        return
    kept = [line for line in path.read_text("utf-8").splitlines() if _step_in(line) <= step]
    if kept:
        write_whole(path, "\n".join(kept))
    else:
        path.unlink()


def _step_in(line: str) -> float:
    """The step that a line tells of; one that was torn is of none that is kept."""
    try:
        step = json.loads(line)["step"]
    except (ValueError, KeyError, TypeError):
        return float("inf")
    return float(step)
