"""The work of answering, in floating-point operations: conventions `paper` and `exact`.

A multiplication and an addition are two operations. `exact` lets every token pass every matrix it
uses once, and counts attention as eager attention multiplies it (so does PaLM, arXiv 2204.02311,
appendix B): every query of the prompt meets every key of it, masked or not; each later token meets
every key in the cache, or its window of them. The first output token comes out of the prefill and
the last is never fed back, so T tokens cost T - 1 decode steps. Not counted: embedding lookup,
norms, activations, softmax, rotary angles, biases.

What an engine really does may differ: a kernel that skips masked pairs does about half of the
prefill's attention; latent attention (MLA) is counted with keys and values expanded once a token
and kept, where an engine may expand the whole cache anew at each step, or absorb the expansion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lt_bench.flops.architecture import architecture


@dataclass(frozen=True)
class Flops:
    """FLOPs of one request: `prefill` up to the first output token, `decode` all later ones."""

    prefill: int
    decode: int

    @property
    def total(self) -> int:
        """Prefill and decode together."""
        return self.prefill + self.decode


@dataclass(frozen=True)
class AttentionTerm:
    """`pair_flops` of all layers that share one window, summed."""

    pair_flops: int
    window: int | None

    def prefill(self, prompt: int) -> int:
        """Every query of the prompt meets every key of it."""
        return self.pair_flops * prompt * prompt

    def decode(self, prompt: int, steps: int) -> int:
        """Steps 1 .. `steps` meet prompt + 1 .. prompt + `steps` keys, or the window's."""
        growing = steps
        if self.window is not None:
            growing = min(max(self.window - prompt, 0), steps)
        keys = growing * prompt + growing * (growing + 1) // 2
        return self.pair_flops * (keys + (steps - growing) * (self.window or 0))


@dataclass(frozen=True)
class Work:
    """What one token and one query-key pair cost in a model. `body` and `head` are matrix entries:
    the layers', and the output matrix's, which only tokens that are sampled from pass."""

    body: int
    head: int
    attention: tuple[AttentionTerm, ...]

    def flops(self, prompt: int, output: int) -> Flops:
        """Exact FLOPs of a prompt of `prompt` tokens answered with `output` tokens (EOS included).

        Raises:
            ValueError: a negative count.
        """
        if prompt < 0 or output < 0:
            raise ValueError(f"token counts cannot be negative: {prompt}, {output}")
        steps = max(output - 1, 0)
        prefill = 2 * (self.body * prompt + self.head * min(output, 1))
        decode = 2 * (self.body + self.head) * steps
        return Flops(
            prefill + sum(term.prefill(prompt) for term in self.attention),
            decode + sum(term.decode(prompt, steps) for term in self.attention),
        )


def work(config: Mapping[str, Any]) -> Work:
    """The cost of the (language) model that a config.json describes.

    Raises:
        UsageError: an unknown architecture, or a value is missing or senseless.
    """
    model = architecture(config)
    pairs: Counter[int | None] = Counter()
    for layer in model.layers:
        pairs[layer.window] += layer.attention.pair_flops
    terms = tuple(AttentionTerm(pair_flops, window) for window, pair_flops in pairs.items())
    return Work(body=model.body.matmul, head=model.embedding, attention=terms)


def exact(config: Mapping[str, Any], prompt: int, output: int) -> Flops:
    """Exact FLOPs of one request; see `Work.flops`."""
    return work(config).flops(prompt, output)


def flop_paper(active: float, tokens: float) -> float:
    """TFLOP of decoding `tokens` tokens with `active` parameters a token: 2 N T / 1e12.

    The convention of LiveThinking: 3.0e9 active parameters and 153 tokens are 0.918 TFLOP.
    Attention over the context and the prompt's own pass are left out (Kaplan et al., 2020, 2.1).
    """
    return 2.0 * active * tokens / 1e12
