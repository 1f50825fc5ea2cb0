"""The devices that a plan reckons with. Nothing is measured: every figure is said with the estimate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SMALL: Final = 5e7
"""Parameters below which a model is trained on a CPU as a rule, and would not fill a GPU."""
GPU_TFLOPS, GPU_GIB = 989.0, 80.0
"""NVIDIA H100 SXM: dense bfloat16 and memory, by its data sheet."""
CORE_TFLOPS, CORE_GIB = 0.09, 8.0
"""One CPU core with AVX-512 in float32, as measured on an AMD EPYC; memory as laptops have it."""
GPU_MFU: Final = 0.35
"""Model FLOPs utilisation in training, assumed; PaLM reached 0.46 (arXiv 2204.02311, section 4.1)."""
SPARSE_MFU: Final = 0.1
"""The same for a mixture of experts, assumed: small products for each expert, all weights gathered."""
CORE_MFU: Final = 0.3
"""As measured with a model of under a million parameters, one thread."""
ROLLOUT_SHARE: Final = 0.25
"""Decoding waits for memory, not for arithmetic: the share of the training's utilisation it keeps."""


@dataclass(frozen=True)
class Hardware:
    """`devices` of `memory` GiB and `peak` TFLOP/s each. `mfu` is the share of the peak that training
    reaches, `rollout_mfu` that of drawing completions."""

    devices: int
    memory: float
    peak: float
    mfu: float
    rollout_mfu: float
    name: str

    @property
    def training_rate(self) -> float:
        """FLOPs a second of all devices together."""
        return self.devices * self.peak * 1e12 * self.mfu

    @property
    def rollout_rate(self) -> float:
        """The same while completions are drawn."""
        return self.devices * self.peak * 1e12 * self.rollout_mfu

    @property
    def in_words(self) -> str:
        """What an estimate was reckoned with."""
        return (
            f"{self.devices} x {self.name}: {self.peak:g} TFLOP/s peak, {self.memory:g} GiB; "
            f"utilisation {self.mfu:.3g} in training, {self.rollout_mfu:.3g} in rollouts"
        )


@dataclass(frozen=True)
class HardwareAsk:
    """What a user says of the devices; None for what is left to us."""

    devices: int = 1
    memory: float | None = None
    peak: float | None = None
    mfu: float | None = None
    rollout_mfu: float | None = None

    def resolved(self, largest: float | None, sparse: bool = False) -> Hardware:
        """The devices, for a recipe whose largest model has so many parameters, or uses few of them
        for a token (`sparse`)."""
        core = largest is not None and largest < SMALL and self.peak is None and not self.memory
        mfu = self.mfu or (CORE_MFU if core else SPARSE_MFU if sparse else GPU_MFU)
        given = self.peak is not None or self.memory is not None
        return Hardware(
            devices=self.devices,
            memory=self.memory or (CORE_GIB if core else GPU_GIB),
            peak=self.peak or (CORE_TFLOPS if core else GPU_TFLOPS),
            mfu=mfu,
            rollout_mfu=self.rollout_mfu or (mfu if core else mfu * ROLLOUT_SHARE),
            name="device" if given else "CPU core" if core else "H100 of 80 GB",
        )
