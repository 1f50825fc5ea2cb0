"""The policy that is reinforced: what it may start from, how its completions are read, and how it
is saved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lt_bench.backends.transformers.answering import Speller
from lt_bench.backends.transformers.prompting import Renderer
from lt_bench.errors import UsageError
from lt_bench.train.completions import CompletionReader
from lt_bench.train.recipe import GrpoStage
from lt_bench.train.saving import Finish
from lt_bench.train.weights import (
    Parent,
    Router,
    check_adapter,
    check_aux_loss,
    stored_dtype,
)


def check_start(parent: Parent, tokenizer: Any, stage: GrpoStage) -> None:
    """Refuses what cannot be reinforced as the stage says.

    Raises:
        UsageError: no chat template or end token; a load-balancing loss without experts; or a KL to a policy that is
            not in the files.
    """
    place = parent.files.adapter or parent.files.folder
    if Renderer(tokenizer).plain:
        raise UsageError(
            f"{place} has no chat template: its replies would not end where they should",
            "start from a model that has one, or from an rft or sft stage",
        )
    if tokenizer.eos_token_id is None:
        raise UsageError(
            f"the tokenizer of {place} has no token that ends a turn",
            "give it an eos_token, or start from an rft or sft stage of another model",
        )
    check_aux_loss(stage.aux_loss, parent.config)
    check_adapter(stage.lora, parent)
    # TRL loads the frozen policy from the folder of the model, which is the base without its adapter.
    frozen = stage.objective.form == "trl" and stage.objective.kl > 0.0 and stage.lora is None
    if parent.files.adapter is not None and frozen:
        raise UsageError(
            f"{place} is an adapter, and the KL to it needs its weights whole",
            "set lora.merge: true in the stage that made it, objective.kl: 0, or lora: in this one",
        )


def reader_of(model: Any, tokenizer: Any, stop: tuple[str, ...]) -> CompletionReader:
    """Reads completions as an evaluation of the model does."""
    ends = frozenset(_ends(model, tokenizer))
    unspoken = {tokenizer.bos_token_id, tokenizer.pad_token_id, *ends} - {None}
    return CompletionReader(Speller(tokenizer, frozenset(unspoken)), ends, stop)


def finish_of(parent: Parent, model: Any) -> Finish:
    """How the candidate is saved: with the parent's tokenizer, dtype and end tokens."""
    tokenizer = parent.tokenizer()
    return Finish(
        tokenizer=tokenizer,
        end=next(iter(_ends(model, tokenizer))),
        dtype=stored_dtype(parent.config),
        router=Router.of(parent.config),
    )


def positions_of(parent: Parent) -> int | None:
    """Positions that the model has; None where it has no such bound."""
    found = getattr(parent.config.get_text_config(), "max_position_embeddings", None)
    return found if isinstance(found, int) and found > 0 else None


def _ends(model: Any, tokenizer: Any) -> Iterable[int]:
    """Every token that ends a completion, those of the generation config first."""
    named = model.generation_config.eos_token_id
    ids = named if isinstance(named, list | tuple) else [named]
    return [token for token in (*ids, tokenizer.eos_token_id) if token is not None]
