"""From logits to tokens, one a row."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from time import perf_counter
from typing import Any

import torch

from lt_bench.backends.transformers.rows import Draw, Live, not_numbers


def next_tokens(logits: Any, draw: Draw, noise: Any) -> Any:
    """One token a row. `logits`: (batch, vocabulary); `noise`: (batch,) uniform in [0, 1).

    Inverse transform sampling, so that one number a row decides. Temperature, then top-k, then
    top-p (Holtzman et al. 2020: the smallest set of tokens whose probability reaches p).
    """
    if draw.temperature == 0:
        return logits.argmax(-1)
    scores, index = logits.float() / draw.temperature, None
    if 0 < draw.top_k < scores.shape[-1]:
        scores, index = scores.topk(draw.top_k)
    elif draw.top_p < 1:
        scores, index = scores.sort(descending=True)
    chances = scores.softmax(-1)
    if draw.top_p < 1:
        if index is None:
            chances, index = chances.sort(descending=True)
        chances = chances * (chances.cumsum(-1) - chances < draw.top_p)
    upto = chances.cumsum(-1)
    total = upto[:, -1:]
    # below the total even after rounding, so that a token without probability is never hit
    point = torch.minimum(noise[:, None].to(total) * total, torch.nextafter(total, total * 0))
    place = torch.searchsorted(upto, point, right=True)
    return (place if index is None else index.gather(-1, place))[:, 0]


def take_next(rows: Sequence[Live], logits: Any, draw: Draw, eos_ids: Collection[int]) -> None:
    """Give every row its next token; one whose logits are not numbers fails alone."""
    # a form rules tokens out with -inf, which would hide logits that are not numbers from the maximum
    for place, each in enumerate(rows):
        if each.form is not None and not logits[place].isnan().any():
            each.form.restrict(logits[place : place + 1])
    if draw.temperature == 0:
        # one pass: the largest of numbers is none where one of them is none
        highest, tokens = logits.max(-1)
    else:
        highest = logits.amax(-1)
        noise = torch.tensor([each.draws.random() for each in rows], device=logits.device)
        tokens = next_tokens(logits, draw, noise)
    known = tokens.masked_fill(highest.isnan(), -1).tolist()
    now = perf_counter()
    for each, token in zip(rows, known, strict=True):
        if token < 0:
            each.fail(not_numbers())
        else:
            each.take(token, now, eos_ids)
