"""What one must know to believe a card: data, prompts, model, settings, scorers, machine."""

from __future__ import annotations

from datetime import UTC, datetime

from lt_bench.config import digest
from lt_bench.records import CountedBy, Stamp
from lt_bench.run.rundir import RunFile


def stamp(file: RunFile, scorers_sha: str, counted_by: CountedBy | None) -> Stamp:
    """The stamp of a run; the machine is the one that generated, wherever it is scored."""
    return Stamp(
        data=file.data,
        data_sha=file.config.data_sha,
        prompt_sha=file.config.prompt_sha,
        config_sha=digest(file.config),
        scorers_sha=scorers_sha,
        model_fingerprint=file.model.fingerprint,
        chat_template_sha=file.model.chat_template_sha,
        counted_by=counted_by,
        seed=file.config.sampling.seed,
        environment=file.environment,
        batch_invariant=file.model.batch_invariant,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )
