"""Whether a way of decoding gives the model's own answers: tried, not guessed from its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from lt_bench.backends.transformers.rows import Live, Row, start

EXACT, LOOSE = 1e-3, 0.05
"""Mean difference of logits over their mean size that is rounding, in float32 and below."""

Way = Callable[[Sequence[Live], Sequence[int]], tuple[Any, Any]]
"""Reads rows, gives each the token named for it, and returns the logits, (rows, vocabulary),
before and after it."""


def trial(model: Any, way: Way) -> bool:
    """Two short rows of other lengths, decoded by `way` side by side, get the logits that the model
    gives each of them alone."""
    words = model.get_input_embeddings().weight.shape[0]
    rows = [
        start(Row(tuple(place * 7 % words for place in range(1, length)), 2)) for length in (9, 6)
    ]
    with torch.inference_mode():
        before, after = way(rows, (2 % words, 3 % words))
        return all(
            _close(torch.stack((before[place], after[place])), _alone(model, row))
            for place, row in enumerate(rows)
        )


def _alone(model: Any, row: Live) -> Any:
    """(2, vocabulary) logits before and after the row's newest token."""
    ids = torch.tensor([[*row.row.ids, *row.ids]], device=model.device)
    return model(input_ids=ids, use_cache=False).logits[0, -2:]


def _close(ours: Any, theirs: Any) -> bool:
    most = EXACT if ours.dtype == torch.float32 else LOOSE
    ours, theirs = ours.float(), theirs.float()
    size = theirs.nan_to_num().abs().mean()
    return bool(((ours - theirs).nan_to_num().abs().mean() <= most * size).item())
