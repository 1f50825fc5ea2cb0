"""How many parameters a model has, and how many of them one token uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lt_bench.flops.architecture import architecture


@dataclass(frozen=True)
class Parameters:
    """Three counts of one model, in parameters.

    total: every weight once (tied embeddings once, no multi-token-prediction layers).
    active: the published convention: total without the experts a token does not visit; the
        embedding table and the output matrix both count in full.
    active_matmul: the matrix entries that one token multiplies: the output matrix is in it (also
        when tied), the embedding lookup, norms and biases are not. The N of 2 N T.
    """

    family: str
    total: int
    active: int
    active_matmul: int


def parameters(config: Mapping[str, Any]) -> Parameters:
    """The counts of the (language) model that a config.json describes.

    Raises:
        UsageError: an unknown architecture, or a value is missing or senseless.
    """
    model = architecture(config)
    tables = model.embedding * (1 if model.tied else 2) + model.positions
    return Parameters(
        family=model.family,
        total=model.body.total + tables,
        active=model.body.active + tables,
        active_matmul=model.body.matmul + model.embedding,
    )
