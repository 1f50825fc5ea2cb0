"""The rest of the way from a question to a voice: delays around the model that it is not to blame for.

    question -> scheduling -> retrieval -> [model: arrival ... first spoken token ... end] -> speech

Retrieval and scheduling stand before the model, so they move everything. Speech synthesis begins at
the first spoken token and its first sound comes `tts` later; it goes on while the model writes, so
that the reply is finished when its text is whole and speech has begun.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from lt_bench import yaml
from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import Felt, Heard
from lt_bench.run.latency.durations import Duration, duration
from lt_bench.run.latency.observations import Time

STAGES: Final = ("scheduling", "retrieval", "tts")


@dataclass(frozen=True)
class PathModel:
    """The delays by stage, drawn for each request by its number, so that one request has the same
    ones at every rate. `written` is how a user gave them."""

    stages: Mapping[str, Duration] = field(default_factory=dict)
    written: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0

    def draws(self, index: int) -> dict[str, float]:
        """Seconds of each stage for one request."""
        return {
            name: stage.draw(random.Random(f"{name}|{self.seed}|{index}"))
            for name, stage in self.stages.items()
        }


def end_to_end(times: Mapping[Felt, Time], draws: Mapping[str, float]) -> dict[Heard, Time]:
    """Seconds from the question to the first sound of the reply, and to its end."""
    before = draws.get("scheduling", 0.0) + draws.get("retrieval", 0.0)
    voice, spoken, total = draws.get("tts", 0.0), times["first_spoken"], times["total"]
    audio = None if spoken is None else before + spoken + voice
    # Where nobody tells when speech began it is taken to wait for the whole text.
    begun = total if spoken is None else spoken
    finished = None if total is None or begun is None else before + max(total, begun + voice)
    return {"first_audio": audio, "finished": finished}


def path_model(file: Path | None, given: Mapping[str, str | None], seed: int) -> PathModel:
    """The model that a YAML file (stage: delay) or the flags describe.

    Raises:
        UsageError: both say one stage, an unknown stage, or a delay that is none.
    """
    written = {name: text for name, text in given.items() if text is not None}
    stages = {name: duration(text, f"--{name}") for name, text in written.items()}
    if file is None:
        return PathModel(stages, written, seed)
    listed = _listed(file)
    for name, text in listed.items():
        if name in stages:
            raise UsageError(f"--{name} and {file} both say it", "keep one")
        stages[name] = duration(text, f"{file}, {name}", file.parent)
    return PathModel(stages, {**listed, **written}, seed)


def _listed(file: Path) -> dict[str, str]:
    """Stage -> delay as the file writes it."""
    found = yaml.load(file)
    if not found:
        raise UsageError(f"{file} names no stage", f"write one of {', '.join(STAGES)}: DELAY")
    for name, value in found.items():
        if name not in STAGES:
            raise UsageError(
                f"{file}: unknown stage {name!r}.{did_you_mean(str(name), STAGES)}",
                f"known: {', '.join(STAGES)}",
            )
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise UsageError(f"{file}: {name} is no delay: {value!r}", "e.g. lognormal(0.05, 0.4)")
    return {name: str(value) for name, value in found.items()}
