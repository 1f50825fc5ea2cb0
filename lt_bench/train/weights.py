"""The weights that a stage starts from, loaded to be trained."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
from transformers import AutoConfig, AutoModelForCausalLM

from lt_bench.backends.transformers.folder import ModelFiles, fingerprint
from lt_bench.backends.transformers.loading import load_tokenizer, quiet
from lt_bench.backends.transformers.locate import TransformersOptions, locate
from lt_bench.backends.transformers.memory import is_out_of_memory
from lt_bench.errors import LtBenchError, UsageError, did_you_mean, first_line
from lt_bench.train.recipe import Lora, Precision

EXPERTS: Final = "grouped_mm"
"""How the experts of a mixture are computed: the others are several times slower on a CPU."""


@dataclass(frozen=True)
class Parent:
    """What a stage starts from, on disk."""

    files: ModelFiles

    @classmethod
    def find(cls, place: str | None) -> Parent:
        """The files of a folder or a hub id.

        Raises:
            UsageError: there is none, or none that could be trained.
        """
        if place is None:
            raise UsageError("the stage has no model to start from", "give `from` in the recipe")
        files = locate(place, TransformersOptions())
        if files.gguf_file is not None:
            raise UsageError(
                f"{place} is a GGUF file, whose weights are rounded and cannot be trained",
                "start from the model that it was made of",
            )
        return cls(files)

    @property
    def config(self) -> Any:
        return AutoConfig.from_pretrained(self.files.folder)

    @property
    def sha(self) -> str:
        """sha256 (hex) of what decides its answers, wherever it lies."""
        return fingerprint(self.files)

    def longest(self, asked: int) -> int:
        """Tokens of the longest row: as many as asked for, or as the model has positions."""
        positions = getattr(self.config.get_text_config(), "max_position_embeddings", None)
        return min(asked, positions) if isinstance(positions, int) and positions > 0 else asked

    def tokenizer(self) -> Any:
        """The tokenizer as it is on disk, with its chat template.

        Raises:
            UsageError: it does not load.
        """
        try:
            with quiet():
                return load_tokenizer(self.files, TransformersOptions())
        except Exception as error:
            raise _does_not_load(self.files.tokenizer, error) from error

    def load(self, dtype: torch.dtype) -> Any:
        """The model on the CPU, an adapter merged into it.

        Raises:
            UsageError: it does not load, or lacks weights.
        """
        try:
            with quiet():
                model, report = AutoModelForCausalLM.from_pretrained(
                    self.files.folder, dtype=dtype, use_safetensors=True, output_loading_info=True
                )
                if self.files.adapter is not None:
                    model = merged(model, self.files.adapter)
        except Exception as error:
            raise _does_not_load(self.files.folder, error) from error
        if missing := sorted(report.get("missing_keys", ())):
            raise UsageError(
                f"the weights in {self.files.folder} lack {len(missing)} tensors ({missing[0]})",
                "use weights and config.json of one model",
            )
        fast_experts(model)
        return model


def merged(model: Any, adapter: Path) -> Any:
    """The model with the weights of an adapter in its own."""
    from peft import PeftModel

    return PeftModel.from_pretrained(model, adapter).merge_and_unload(safe_merge=True)


def computes_in_bf16(precision: Precision) -> bool:
    """Whether matrices are multiplied in bfloat16: where a GPU has it, unless the recipe says."""
    if precision.dtype == "auto":
        return bool(torch.cuda.is_available() and torch.cuda.is_bf16_supported(False))
    return precision.dtype == "bfloat16"


def weights_dtype(precision: Precision, lora: Lora | None) -> torch.dtype:
    """float32 for weights that are trained: a step of 1e-6 is below what a bfloat16 weight can tell.
    Beside an adapter they stand still, and half of it is enough."""
    half = lora is not None and computes_in_bf16(precision)
    return torch.bfloat16 if half else torch.float32


def fast_experts(model: Any) -> None:
    """Has a mixture of experts computed in one go, where its class can be told to."""
    can = getattr(model, "_can_set_experts_implementation", None)
    if model.device.type == "cpu" and can is not None and can():
        try:
            model.set_experts_implementation(EXPERTS)
        except (ValueError, ImportError):  # a torch without it
            return


@dataclass(frozen=True)
class Router:
    """What a config says of the load-balancing loss; None for a model without experts. Training changes
    it, and with `output_router_logits` left on no such model can generate."""

    weight: float | None

    @classmethod
    def of(cls, config: Any) -> Router | None:
        text = config.get_text_config()
        if not hasattr(text, "output_router_logits"):
            return None
        return cls(getattr(text, "router_aux_loss_coef", None))

    def reset(self, config: Any) -> None:
        """Has the config say again what it said before training."""
        text = config.get_text_config()
        text.output_router_logits = False
        if self.weight is not None:
            text.router_aux_loss_coef = self.weight


def check_aux_loss(aux_loss: float, config: Any) -> None:
    """Refuses a load-balancing loss for a model that has nothing to balance.

    Raises:
        UsageError: it is a dense model.
    """
    if aux_loss and Router.of(config) is None:
        raise UsageError(
            f"aux_loss {aux_loss:g} is for mixtures of experts, and {config.model_type} is a dense "
            "model",
            "remove aux_loss from the stage",
        )


def stored_dtype(config: Any) -> torch.dtype:
    """The dtype of the weights on disk, as a config tells it."""
    found = config.get_text_config().dtype
    return found if isinstance(found, torch.dtype) else torch.float32


def check_adapter(lora: Lora | None, parent: Parent) -> None:
    """Refuses an adapter over an adapter.

    Raises:
        UsageError: the candidate would be one.
    """
    if lora is not None and not lora.merge and parent.files.adapter is not None:
        raise UsageError(
            "lora.merge is false, and the parent is an adapter already: two cannot be kept apart",
            "set lora.merge: true",
        )


def adapters(lora: Lora | None, model: Any) -> Any:
    """The adapters of a recipe for TRL; None where all weights are trained.

    Raises:
        UsageError: the model has no module of a name that is to be adapted.
    """
    if lora is None:
        return None
    from peft import LoraConfig

    if not isinstance(lora.targets, str):
        _check_targets(lora.targets, model)
    return LoraConfig(
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules=lora.targets if isinstance(lora.targets, str) else list(lora.targets),
        task_type="CAUSAL_LM",
    )


def _check_targets(targets: Iterable[str], model: Any) -> None:
    """peft passes over names that are not there as long as one is."""
    names = [name for name, module in model.named_modules() if hasattr(module, "weight")]
    for target in targets:
        if not any(f".{name}".endswith(f".{target}") for name in names):
            known = list(dict.fromkeys(name.rpartition(".")[2] for name in names))
            raise UsageError(
                f"lora.targets: {model.config.model_type} has no {target!r}."
                f"{did_you_mean(target, known)}",
                f"known: {', '.join(known)}; or all-linear",
            )


def _does_not_load(place: Path, error: Exception) -> LtBenchError:
    if isinstance(error, LtBenchError):
        return error
    if is_out_of_memory(error):
        return UsageError(
            f"{place} does not fit into memory: {first_line(error)}",
            "train an adapter (lora:), a smaller model, or on more devices",
        )
    return UsageError(
        f"{place} does not load: {type(error).__name__}: {first_line(error)}",
        "check its files; models that bring their own code are not trained",
    )
