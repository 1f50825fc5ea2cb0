"""From a row's tokens to a Turn: text, stops, exact counts, and when the reply began."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lt_bench.backends.spans import IdSpans
from lt_bench.backends.transformers.prompting import Rendered
from lt_bench.backends.turn import turn_from_text
from lt_bench.records import FinishReason, Timings, Turn
from lt_bench.text import split_reasoning
from lt_bench.text.tool_calls import take_calls


class Tokens(Protocol):
    """The tokens of one answer, its end token included, and the clock (`time.perf_counter`) at
    which each was known; whatever engine made them."""

    @property
    def ids(self) -> Sequence[int]: ...
    @property
    def times(self) -> Sequence[float]: ...
    @property
    def finish_reason(self) -> FinishReason: ...


class Answered(Protocol):
    """`begun`: the clock when the engine turned to the row."""

    @property
    def decoded(self) -> Tokens: ...
    @property
    def begun(self) -> float: ...


@dataclass(frozen=True)
class Speller:
    """Token ids as text. Special tokens stay, since think tags may be among them; `hidden` ones
    (end, begin, padding) are no words of the model."""

    tokenizer: Any
    hidden: frozenset[int]

    def __call__(self, ids: Sequence[int]) -> str:
        shown = [token for token in ids if token not in self.hidden]
        text: str = self.tokenizer.decode(
            shown, skip_special_tokens=False, clean_up_tokenization_spaces=False
        )
        return text


def stop_check(
    spell: Speller, stop: Sequence[str], *, family: str, opened: bool, tool_form: str = "none"
) -> Callable[[Sequence[int]], bool] | None:
    """Tells after each token whether the reply just came to hold a stop string (a stop
    string in the thinking, or in a call, does not count). None where there is nothing to look for."""
    words = tuple(word for word in stop if word)
    if not words:
        return None
    # every token that shows spells at least one byte, but for a few pieces around the word
    window = max(len(word.encode()) for word in words) + 8

    def done(ids: Sequence[int]) -> bool:
        if not _any(spell(ids[-window:]), words):
            return False
        split = split_reasoning(spell(ids), family=family, opened=opened)
        return _any(take_calls(split, tool_form).split.reply, words)

    return done


def turn_of(
    answer: Answered,
    rendered: Rendered,
    spell: Speller,
    *,
    eos_ids: Collection[int],
    stop: Sequence[str],
    family: str,
    asked: float,
    tool_form: str = "none",
) -> Turn:
    """One turn, counted from the very ids. `asked`: the clock when the request came."""
    ids, times = answer.decoded.ids, answer.decoded.times
    ended = ids[-1] in eos_ids
    spans = IdSpans(spell, ids[:-1] if ended else ids, unseen=int(ended))
    split = split_reasoning(spans.text, family=family, opened=rendered.opened)
    spoken = take_calls(split, tool_form).split.first_spoken
    first_reply = None if spoken is None else times[spans.before(spoken + 1) - 1] - asked
    return turn_from_text(
        spans.text,
        finish_reason=answer.decoded.finish_reason,
        prompt_tokens=len(rendered.ids),
        spans=spans,
        counted_by="engine",
        family=family,
        opened=rendered.opened,
        stop=stop,
        tool_form=tool_form,
        notes=rendered.notes,
        timings=Timings(
            queued=answer.begun - asked,
            first_token=times[0] - asked,
            first_reply_token=first_reply,
            total=times[-1] - asked,
        ),
    )


def _any(text: str, words: Sequence[str]) -> bool:
    return any(word in text for word in words)
