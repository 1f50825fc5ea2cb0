"""One way to ask a model, whatever runs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

from pydantic import Field

from lt_bench.config import Sampling
from lt_bench.records import CountedBy, Generation, Prompt, Record


class ModelFacts(Record):
    """What a backend knows of its model before the first answer; saved with the run.

    `fingerprint` changes when the answers may change: for a local model a hash of its config,
    weight index and file sizes; for an endpoint the model's name (or `--fingerprint`).
    `architecture` is the model's `config.json` where there is one. `settings` are the backend's
    options that may change the answers (dtype, adapter, tag family), not those that only change
    the speed. `batch_invariant`: answers do not depend on which rows share a batch.
    """

    name: str
    backend: str
    fingerprint: str
    counted_by: CountedBy | None
    settings: dict[str, Any] = Field(default_factory=dict)
    chat_template_sha: str | None = None
    architecture: dict[str, Any] | None = None
    dtype: str | None = None
    device: str | None = None
    batch_invariant: bool | None = None
    first_prompt_ids: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Request:
    """One question to a model. `sampling.seed` is already this sample's own; the example id, the
    sample index and `turn` (which answer of a dialogue this is, from 0) are for backends that look
    answers up. `answer_schema` (JSON Schema) is the form the answer should have, for servers that can
    hold a model to it; others take no notice."""

    prompt: Prompt
    sampling: Sampling
    example_id: str
    sample_index: int
    answer_schema: Mapping[str, Any] | None = None
    turn: int = 0


class Backend(Protocol):
    """Ask once, get one answer. At most `concurrency` calls are in flight; callers hold to it.

    An API client awaits the network. A local engine that works in batches puts a `Batcher`
    behind this method, so that callers never know which of the two they talk to.
    """

    concurrency: int

    @property
    def facts(self) -> ModelFacts:
        """Known once the backend has been entered."""
        ...

    async def generate(self, request: Request) -> Generation:
        """The model's answer.

        Raises:
            RowError: this request failed for good; others may succeed.
            RunError: no request can succeed (refused connection, bad key, unknown model).
        """
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *exc: object) -> None: ...


class BackendFactory(Protocol):
    """`target` is the part of MODEL after the prefix; `options` are `--set backend.*` and the
    flags of the command; each backend validates its own and refuses unknown keys."""

    def __call__(self, target: str, options: dict[str, Any]) -> Backend: ...
