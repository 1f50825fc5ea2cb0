"""The parts a decoder is built of, and how many weights each holds and uses for one token."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Weights:
    """total: all of them; active: those one token passes; matmul: the matrix entries among the
    active ones, each of which costs one multiplication and one addition a token."""

    total: int = 0
    active: int = 0
    matmul: int = 0

    def __add__(self, other: Weights) -> Weights:
        return Weights(
            self.total + other.total, self.active + other.active, self.matmul + other.matmul
        )


def linear(inputs: int, outputs: int, bias: bool = False) -> Weights:
    """A matrix that every token multiplies, with or without a bias."""
    matrix = inputs * outputs
    size = matrix + outputs * bias
    return Weights(size, size, matrix)


def vector(size: int) -> Weights:
    """Norm scales, sinks: weights that are no matrix."""
    return Weights(size, size, 0)


@dataclass(frozen=True)
class GroupedAttention:
    """Multi-head, grouped-query and multi-query attention (Ainslie et al. 2023, GQA).

    `qk_norm` "head" scales each head's query and key, "full" all heads at once; `sinks` is one
    learned logit a head.
    """

    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    qkv_bias: bool = False
    output_bias: bool = False
    qk_norm: str = "none"
    sinks: bool = False

    @property
    def weights(self) -> Weights:
        """Query, key, value and output matrices, and what goes with them."""
        wide, narrow = self.heads * self.head_dim, self.kv_heads * self.head_dim
        norms = {"none": 0, "head": 2 * self.head_dim, "full": wide + narrow}[self.qk_norm]
        return (
            linear(self.hidden, wide + 2 * narrow, self.qkv_bias)
            + linear(wide, self.hidden, self.output_bias)
            + vector(norms + self.heads * self.sinks)
        )

    @property
    def pair_flops(self) -> int:
        """FLOPs for one query meeting one key: its score, and its share of the weighted sum."""
        return 4 * self.heads * self.head_dim


@dataclass(frozen=True)
class LatentAttention:
    """Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434), counted with keys and values
    expanded from the latent once a token and kept. `q_rank` None: queries are not compressed."""

    hidden: int
    heads: int
    q_rank: int | None
    kv_rank: int
    nope_dim: int
    rope_dim: int
    v_dim: int
    bias: bool = False

    @property
    def weights(self) -> Weights:
        """Down and up projections of queries and of the shared latent, and the output matrix."""
        queries = self.heads * (self.nope_dim + self.rope_dim)
        if self.q_rank is None:
            query = linear(self.hidden, queries)
        else:
            down = linear(self.hidden, self.q_rank, self.bias)
            query = down + vector(self.q_rank) + linear(self.q_rank, queries)
        return (
            query
            + linear(self.hidden, self.kv_rank + self.rope_dim, self.bias)
            + vector(self.kv_rank)
            + linear(self.kv_rank, self.heads * (self.nope_dim + self.v_dim))
            + linear(self.heads * self.v_dim, self.hidden, self.bias)
        )

    @property
    def pair_flops(self) -> int:
        """FLOPs for one query meeting one key; scores and values have different widths."""
        return 2 * self.heads * (self.nope_dim + self.rope_dim + self.v_dim)


@dataclass(frozen=True)
class FeedForward:
    """A dense block: gate, up and down (`gated`), or up and down."""

    hidden: int
    inner: int
    gated: bool = True
    bias: bool = False

    @property
    def weights(self) -> Weights:
        """Two matrices, or three with the gate."""
        up = linear(self.hidden, self.inner * (2 if self.gated else 1), self.bias)
        return up + linear(self.inner, self.hidden, self.bias)


@dataclass(frozen=True)
class Experts:
    """A sparse block: a router sends each token to `per_token` of `count` experts; a shared
    expert, where there is one, sees every token, and `shared_gate` weighs what it says."""

    hidden: int
    inner: int
    count: int
    per_token: int
    shared: int = 0
    shared_gate: bool = False
    bias: bool = False
    shared_bias: bool = False

    @property
    def weights(self) -> Weights:
        """All experts in total; of them `per_token` active, besides router and shared expert."""
        one = FeedForward(self.hidden, self.inner, bias=self.bias).weights
        routed = Weights(
            self.count * one.total, self.per_token * one.active, self.per_token * one.matmul
        )
        weights = linear(self.hidden, self.count, self.bias) + routed
        if self.shared:
            weights += FeedForward(self.hidden, self.shared, bias=self.shared_bias).weights
        return weights + linear(self.hidden, 1) if self.shared_gate else weights


@dataclass(frozen=True)
class Layer:
    """One decoder layer. `norms` counts all weights of its norms; `window` is how many keys a
    decoded token can meet at most, None for all."""

    attention: GroupedAttention | LatentAttention
    feed_forward: FeedForward | Experts
    norms: int
    window: int | None = None

    @cached_property
    def weights(self) -> Weights:
        """Attention, feed-forward block and norms."""
        return self.attention.weights + self.feed_forward.weights + vector(self.norms)


@dataclass(frozen=True)
class Architecture:
    """A decoder-only language model. `norms` are those after the last layer; `positions` are
    learned position vectors; a `tied` model uses its embedding as its output matrix."""

    family: str
    vocab: int
    hidden: int
    layers: tuple[Layer, ...]
    tied: bool
    norms: int
    positions: int = 0

    @property
    def embedding(self) -> int:
        """Entries of the embedding table, and of the output matrix."""
        return self.vocab * self.hidden

    @cached_property
    def body(self) -> Weights:
        """Everything between the embedding and the output matrix."""
        return sum((layer.weights for layer in self.layers), vector(self.norms))
