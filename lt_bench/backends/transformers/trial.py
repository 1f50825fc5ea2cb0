"""Whether a way of decoding gives the model's own answers: tried, not guessed from its name."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import torch

from lt_bench.backends.transformers.rows import Draw, Live, Row, start

log = logging.getLogger(__name__)

EXACT, LOOSE = 1e-3, 0.05
"""Mean difference of logits over their mean size that is rounding, in float32 and below."""
ROWS: Final = ((25, 2, 0), (24, 3, 1), (27, 2, 1))
"""Tokens of prompt and answer of rows, and how they begin: near enough in length to stand side by side, the
second goes on after the first has left, and the third begins as the second does."""

Way = Callable[[Sequence[Live], Draw], None]
"""Decodes rows to their ends, without end tokens."""


@dataclass
class _Dictated:
    """A form that lets one token through at each place, and keeps the logits it was shown."""

    tokens: Sequence[int]
    seen: list[Any] = field(default_factory=list)

    def restrict(self, logits: Any) -> None:
        token = self.tokens[len(self.seen)]
        self.seen.append(logits[0].clone())
        logits.fill_(float("-inf"))
        logits[0, token] = 0.0

    def take(self, _: int) -> bool:
        return False


def trial(model: Any, way: Way) -> bool:
    """Whether rows that are decoded by `way` get, at every place, the logits that the model gives
    the whole text alone."""
    most = EXACT if model.dtype == torch.float32 else LOOSE
    words = model.get_input_embeddings().weight.shape[0]
    forms, rows = list[_Dictated](), list[Live]()
    for length, answer, beginning in ROWS:
        ids = tuple((place * 7 + beginning) % words for place in range(length))
        forms.append(_Dictated([(place * 11 + length) % words for place in range(answer)]))
        rows.append(start(Row(ids, answer, form=lambda form=forms[-1]: form)))  # type: ignore[misc]
    try:
        with torch.inference_mode():
            way(rows, Draw())
            return all(
                _agrees(form.seen, _alone(model, row.row.ids, form.tokens), most)
                for row, form in zip(rows, forms, strict=True)
            )
    except Exception:  # whatever a model's code makes of it
        log.debug("the model cannot be run so", exc_info=True)
        return False


def _alone(model: Any, prompt: Sequence[int], answer: Sequence[int]) -> Any:
    """(answer, vocabulary) logits before each token of an answer."""
    ids = torch.tensor([[*prompt, *answer[:-1]]], device=model.device)
    return model(input_ids=ids, use_cache=False).logits[0, -len(answer) :]


def _agrees(ours: Sequence[Any], theirs: Any, most: float) -> bool:
    """Numbers are compared up to the first place where the model's own are none: there a row ends."""
    broken = theirs.isnan().any(-1).tolist()
    sound = broken.index(True) if True in broken else len(broken)
    if len(ours) < sound:
        return False
    return not sound or _close(torch.stack(list(ours[:sound])), theirs[:sound], most)


def _close(ours: Any, theirs: Any, most: float) -> bool:
    ours, theirs = ours.float(), theirs.float()
    size = theirs.nan_to_num().abs().mean()
    return bool(((ours - theirs).nan_to_num().abs().mean() <= most * size).item())
