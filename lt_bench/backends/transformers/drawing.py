"""From logits to tokens, one a row."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from time import perf_counter
from typing import Any

import torch

from lt_bench.backends.transformers.memory import is_out_of_memory
from lt_bench.backends.transformers.rows import Draw, Live, no_form, not_numbers
from lt_bench.errors import RowError, first_line


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
    # of a row that is not numbers any place may come out, even one beyond the last
    place = torch.searchsorted(upto, point, right=True).clamp(max=upto.shape[-1] - 1)
    return (place if index is None else index.gather(-1, place))[:, 0]


def take_next(rows: Sequence[Live], logits: Any, draw: Draw, eos_ids: Collection[int]) -> None:
    """Give every row its next token; one whose logits are not numbers, or whose form allows no
    token, fails alone."""
    barred = {place: _restrict(each, logits[place]) for place, each in enumerate(rows) if each.form}
    if draw.temperature == 0:
        # one pass: the largest of numbers is none where one of them is none
        highest, tokens = logits.max(-1)
    else:
        highest = logits.amax(-1)
        noise = torch.tensor([each.point for each in rows], device=logits.device)
        tokens = next_tokens(logits, draw, noise)
    known = tokens.masked_fill(highest.isnan(), -1).tolist()
    now = perf_counter()
    for place, (each, token) in enumerate(zip(rows, known, strict=True)):
        if failure := barred.get(place):
            each.fail(failure)
        elif token < 0:
            each.fail(not_numbers())
        else:
            each.take(token, now, eos_ids)


def _restrict(row: Live, logits: Any) -> RowError | None:
    """Holds (vocabulary,) logits to the row's form; why that cannot be."""
    # a form rules tokens out with -inf, which would hide logits that are not numbers from the maximum
    if row.form is None or logits.isnan().any():
        return None
    try:
        row.form.restrict(logits[None])
    except (ValueError, RuntimeError) as error:
        if is_out_of_memory(error):
            raise
        return no_form(first_line(error))
    return None if logits.isfinite().any() else no_form("no token may follow")
