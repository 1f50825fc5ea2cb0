"""From the token ids of a rollout to a Generation, as `lt-bench eval hf/…` makes one of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lt_bench.backends.spans import IdSpans
from lt_bench.backends.transformers.answering import Speller
from lt_bench.backends.transformers.prompting import Rendered
from lt_bench.backends.turn import turn_from_text
from lt_bench.records import Example, Generation, Prompt


@dataclass(frozen=True)
class Asked:
    """One example and how the policy is asked it: the ids that are sent, and the prompt that they are."""

    example: Example
    rendered: Rendered
    prompt: Prompt | None = None


@dataclass(frozen=True)
class CompletionReader:
    """`eos_ids`: every token that ends a completion. `stop` strings end the reply, as they do in an
    evaluation; `family` is the tags around the thinking."""

    spell: Speller
    eos_ids: frozenset[int]
    stop: tuple[str, ...] = ()
    family: str = "auto"

    def ended(self, ids: Sequence[int]) -> bool:
        """Whether the policy ended it itself; else the cap did."""
        return bool(ids) and ids[-1] in self.eos_ids

    def read(self, ids: Sequence[int], rendered: Rendered, tool_form: str = "none") -> Generation:
        """The completion `ids` of a prompt, the end token included, without padding. All of its
        tokens count; nothing is timed. `tool_form`: how it may write calls."""
        ended = self.ended(ids)
        spans = IdSpans(self.spell, ids[:-1] if ended else ids, unseen=int(ended))
        turn = turn_from_text(
            spans.text,
            finish_reason="stop" if ended else "length",
            prompt_tokens=len(rendered.ids),
            spans=spans,
            counted_by="engine",
            family=self.family,
            opened=rendered.opened,
            stop=self.stop,
            tool_form=tool_form,
            notes=rendered.notes,
        )
        return Generation(turns=(turn,))
