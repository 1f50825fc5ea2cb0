"""The memory that a stage takes on each device, estimated part by part, each with its formula.

Weights, gradients and optimizer states are cut into equal parts over the devices, as ZeRO-3 and FSDP
do. What is not counted: fragments, communication buffers, the CUDA context, score matrices of an
attention that keeps them (a fused kernel keeps none).

Sources: states by ZeRO (Rajbhandari et al. 2020, section 3.1); activations in the manner of
Korthikanti et al. 2022, section 4.1, counted for gated blocks and grouped heads.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lt_bench.flops.blocks import Experts, GroupedAttention, Layer
from lt_bench.train.hardware import SMALL, Hardware
from lt_bench.train.recipe import GrpoStage, PretrainStage, Stage
from lt_bench.train.sizes import Size
from lt_bench.train.soundness import rows_a_step

GIB: Final = float(1 << 30)
TRAINED: Final = 4
"""Bytes of a trained weight, of its gradient, and of a weight of the frozen reference, which is loaded
as the policy is: float32, also where matrices are multiplied in bfloat16."""
LOGIT_BYTES: Final = 8
"""A logit and its gradient, both in float32."""
ROOM: Final = 0.9
"""Share of a device that can be filled before fragments and buffers overflow it."""


@dataclass(frozen=True)
class MemoryPart:
    """`bytes` on each device, None where they are unknown. `phase`: held all the time, or only while
    weights change (`training`) or completions are drawn (`rollouts`)."""

    name: str
    bytes: float | None
    formula: str
    phase: str = "always"


@dataclass(frozen=True)
class Memory:
    """The parts, and what they come to when most of them are held at once."""

    parts: tuple[MemoryPart, ...]

    @property
    def peak(self) -> float:
        """Bytes on each device; parts that are unknown count nothing."""

        def of(phase: str) -> float:
            return math.fsum(part.bytes or 0.0 for part in self.parts if part.phase == phase)

        return of("always") + max(of("training"), of("rollouts"))

    @property
    def whole(self) -> bool:
        """Whether every part is known."""
        return all(part.bytes is not None for part in self.parts)

    def fits(self, hardware: Hardware) -> bool:
        return self.peak <= ROOM * hardware.memory * GIB


def memory(stage: Stage, size: Size, prompt: float, completion: int, hardware: Hardware) -> Memory:
    """`prompt` and `completion` are tokens of the longest sequence."""
    width = _bytes(stage, size)
    sequence = min(prompt + completion, stage.optimizer.max_length)
    if isinstance(stage, GrpoStage):
        sequence = prompt + completion
    parts = [
        *_states(stage, size, width, hardware),
        *_activations(stage, size, width, sequence, completion, hardware),
    ]
    if isinstance(stage, GrpoStage):
        parts += _rollouts(stage, size, width, prompt + completion, hardware)
    return Memory(tuple(parts))


def _bytes(stage: Stage, size: Size) -> int:
    """Of one weight while it multiplies."""
    on_cpu = stage.precision.dtype == "auto" and size.total < SMALL
    return 4 if stage.precision.dtype == "float32" or on_cpu else 2


def _states(stage: Stage, size: Size, width: int, hardware: Hardware) -> Iterator[MemoryPart]:
    devices, total = hardware.devices, size.total
    lora = None if isinstance(stage, PretrainStage) else stage.lora
    trained = float(total) if lora is None else size.adapted(lora)
    cut = f" / {devices} devices" if devices > 1 else ""
    held = width if lora is not None else TRAINED
    yield MemoryPart("weights", total * held / devices, f"{held} B x {short(total)}{cut}")
    of = short(trained) if trained is not None else "unknown: needs a config.json"
    for name, each, why in (
        *([("adapters", TRAINED, "")] if lora is not None else []),
        ("gradients", TRAINED, ""),
        ("optimizer", 2 * TRAINED, " (two moments)"),
    ):
        each_device = None if trained is None else trained * each / devices
        yield MemoryPart(name, each_device, f"{each} B x {of} trained{cut}{why}")
    if lora is None and width < TRAINED and devices == 1:
        yield MemoryPart(
            "halved weights", total * width, f"{width} B x {short(total)}, to multiply", "training"
        )
    if isinstance(stage, GrpoStage) and freezes_a_reference(stage):
        yield MemoryPart(
            "reference",
            total * TRAINED / devices,
            f"{TRAINED} B x {short(total)}{cut}, for the KL term",
        )
    if devices > 1 and size.architecture is not None:
        largest = max(layer.weights.total for layer in size.architecture.layers)
        yield MemoryPart(
            "gathered layers", 2.0 * largest * width, f"2 layers x {width} B x {short(largest)}"
        )


def _activations(
    stage: Stage, size: Size, width: int, sequence: float, completion: int, hardware: Hardware
) -> Iterator[MemoryPart]:
    model = size.architecture
    if model is None:
        yield MemoryPart("activations", None, "unknown: needs a config.json", "training")
        return
    rows = rows_of_a_pass(stage, hardware.devices)
    tokens = rows * sequence
    if stage.precision.gradient_checkpointing:
        layers = len(model.layers) * model.hidden + max(map(_kept, model.layers))
        how = "one input a layer and one layer anew"
    else:
        layers = sum(map(_kept, model.layers))
        how = "all layers"
    yield MemoryPart(
        "activations",
        tokens * layers * width,
        f"{width} B x {short(layers)} ({how}) x {rows} rows x {sequence:,.0f} tokens",
        "training",
    )
    predicted = rows * (completion if isinstance(stage, GrpoStage) else sequence)
    yield MemoryPart(
        "logits",
        predicted * model.vocab * LOGIT_BYTES,
        f"{LOGIT_BYTES} B x {model.vocab:,} words x {short(predicted)} tokens predicted",
        "training",
    )


def _kept(layer: Layer) -> int:
    """Numbers kept of one token for the way back, as transformers' layers keep them: around the two
    norms, of queries, keys and values (before and after rotation, and normed), and of the block gate,
    its activation, up and product. Within a tenth of what torch saves for tiny Llama, Qwen3 and
    Qwen3-MoE models in float32."""
    attention, block = layer.attention, layer.feed_forward
    if isinstance(attention, GroupedAttention):
        wide, narrow = (
            attention.heads * attention.head_dim,
            attention.kv_heads * attention.head_dim,
        )
        heads = 3 * wide + 4 * narrow + (2 * (wide + narrow) if attention.qk_norm != "none" else 0)
    else:
        key = attention.nope_dim + attention.rope_dim
        heads = attention.heads * (4 * key + 2 * attention.v_dim)
    if isinstance(block, Experts):
        inner = block.per_token * (4 * block.inner + 2 * block.hidden) + 4 * block.shared
    else:
        inner = block.inner * (4 if block.gated else 2)
    return 5 * block.hidden + heads + inner


def _rollouts(
    stage: GrpoStage, size: Size, width: int, sequence: float, hardware: Hardware
) -> Iterator[MemoryPart]:
    rollouts, devices = stage.rollouts, hardware.devices
    if rollouts.engine == "vllm":
        if rollouts.mode == "server":
            yield MemoryPart("rollouts", 0.0, "on the devices of the vLLM server", "rollouts")
            return
        share = rollouts.memory * hardware.memory * GIB
        yield MemoryPart(
            "vLLM", share, f"{rollouts.memory:g} of {hardware.memory:g} GiB, as the recipe gives it"
        )
        return
    if devices > 1:
        yield MemoryPart(
            "gathered weights",
            size.total * width,
            f"{width} B x {short(size.total)}, whole while completions are drawn",
            "rollouts",
        )
    drawn = math.ceil(rows_a_step(stage) / devices)
    cached = size.cache_width
    held = None if cached is None else float(cached) * width * drawn * sequence
    what = "unknown: needs a config.json" if cached is None else f"{width} B x {short(cached)}"
    yield MemoryPart(
        "key-value cache",
        held,
        f"{what} x {drawn} completions x {sequence:,.0f} tokens",
        "rollouts",
    )


def freezes_a_reference(stage: GrpoStage) -> bool:
    """Whether the parent is held beside the policy: an adapter is taken off instead, and the KL of the
    seed's form is to the policy that drew the replies."""
    objective = stage.objective
    return objective.kl > 0 and objective.form == "trl" and stage.lora is None


def too_small_for_vllm(stage: Stage, size: Size, hardware: Hardware) -> str | None:
    """A remark where vLLM's share of a device does not hold the weights, which it needs whole."""
    if not isinstance(stage, GrpoStage) or stage.rollouts.engine != "vllm":
        return None
    share = stage.rollouts.memory * hardware.memory * GIB
    needed = size.total * 2.0
    if stage.rollouts.mode == "server" or needed <= share:
        return None
    return (
        f"vLLM's share of a device ({share / GIB:.1f} GiB) is less than the weights it holds whole "
        f"({needed / GIB:.1f} GiB): raise rollouts.memory, or use mode server"
    )


def rows_of_a_pass(stage: Stage, devices: int) -> int:
    """Sequences of one pass on one device: as the recipe says, else a step's whole share."""
    return stage.optimizer.micro_batch or math.ceil(rows_a_step(stage) / devices)


def short(value: float) -> str:
    """Counts as vendors print them: 3.04 B, 134.5 M."""
    for size, letter, digits in ((1e12, "T", 2), (1e9, "B", 2), (1e6, "M", 1), (1e3, "K", 1)):
        if value >= size:
            return f"{value / size:.{digits}f} {letter}"
    return f"{value:g}"
