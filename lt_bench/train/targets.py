"""From a trajectory to the tokens that a model is trained on: the prompt exactly as `lt-bench eval hf/…`
sends it, and after it thought, reply and end in the form in which this model is asked to think.

    <|im_start|>assistant\\n | <think>\\nSheet says 99.\\n</think>\\n\\nIt is 99 yuan.<|im_end|>
    prompt, no loss          | target, loss on every token

Templates that strip earlier thoughts cannot strip this one: it is never part of the messages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Literal

from lt_bench.backends.transformers.prompting import Rendered, Renderer
from lt_bench.errors import RowError, UsageError
from lt_bench.records import Prompt, ToolCall
from lt_bench.text.segments import BLANK
from lt_bench.text.tool_calls import form_for
from lt_bench.train.forms import asked_not_to_think, form_of, ids_of, reads_back, with_calls

IGNORED: Final = -100
"""Label of a token that has no loss."""
LeftOut = Literal["too_long", "special_token", "unreadable", "refused_by_template"]
"""Why a trajectory has no row: longer than `max_length`; words of it are special tokens of this model,
or unknown to it; written out, it would not be read back as it was; the template refuses the prompt."""


@dataclass(frozen=True)
class Row:
    """Token ids of one trajectory. `read`: which tokens of the target the model does not write but
    reads, since a tool said them; empty where it writes all of them."""

    prompt: tuple[int, ...]
    target: tuple[int, ...]
    read: tuple[bool, ...] = ()

    @property
    def input_ids(self) -> list[int]:
        return [*self.prompt, *self.target]

    @property
    def labels(self) -> list[int]:
        return [IGNORED] * len(self.prompt) + [
            IGNORED if read else token for token, read in zip(self.target, self._read, strict=True)
        ]

    @property
    def learnt(self) -> int:
        """Tokens that have a loss."""
        return len(self.target) - sum(self._read)

    @property
    def _read(self) -> tuple[bool, ...]:
        return self.read or (False,) * len(self.target)

    def followed_by(self, later: Row) -> Row | None:
        """This row and, in the same dialogue, a later one, read only once; None where the later prompt,
        as the model is sent it, does not begin with all of this: templates may drop earlier thoughts."""
        whole = self.prompt + self.target
        if later.prompt[: len(whole)] != whole:
            return None
        between = later.prompt[len(whole) :]
        return Row(
            prompt=self.prompt,
            target=(*self.target, *between, *later.target),
            read=(*self._read, *(True,) * len(between), *later._read),
        )


@dataclass(frozen=True)
class Written:
    """Rows in order, and how many trajectories have none, by reason."""

    rows: tuple[Row, ...]
    left_out: Mapping[LeftOut, int] = field(default_factory=dict)

    @property
    def told(self) -> tuple[str, ...]:
        """What a reader of the model card must know."""
        words = {
            "too_long": "longer than optimizer.max_length, or than the model has positions",
            "special_token": "with special or unknown tokens in their text",
            "unreadable": "whose markup would not be read back",
            "refused_by_template": "whose prompt the chat template refuses",
        }
        return tuple(f"{n} left out: {words[why]}" for why, n in sorted(self.left_out.items()) if n)


@dataclass(frozen=True)
class Spoken:
    """A question and the answer to learn; `thought` is None where there is none. Each turn of a dialogue
    is one, its prompt all that came before."""

    prompt: Prompt
    thought: str | None
    reply: str
    calls: tuple[ToolCall, ...] = ()


class Writer:
    """Writes the rows of one model.

    `sample` is any prompt of the task: the form is found with it.

    Raises:
        UsageError: the template refuses the prompts of the task, or has no end of a turn.
    """

    def __init__(self, tokenizer: Any, sample: Prompt, max_length: int) -> None:
        self.tokenizer, self.max_length = tokenizer, max_length
        self.renderer = Renderer(tokenizer)
        self.form = form_of(self.renderer, sample)
        self._specials = frozenset(tokenizer.all_special_ids)

    def write(self, spoken: Iterable[Spoken]) -> Written:
        """Every row that can be written, none of them cut.

        Raises:
            UsageError: there are thoughts and the prompt asks for none.
        """
        return self.write_dialogues((one,) for one in spoken)

    def write_dialogues(self, dialogues: Iterable[Sequence[Spoken]]) -> Written:
        """The rows of dialogues: one of each, or more where a later prompt does not go on as the turn
        before it ended. A dialogue is left out as soon as one of its turns is.

        Raises:
            UsageError: there are thoughts and the prompt asks for none.
        """
        rows, left_out = list[Row](), Counter[LeftOut]()
        for dialogue in dialogues:
            found = self.rows(dialogue)
            if isinstance(found, tuple):
                rows += found
            else:
                left_out[found] += 1
        return Written(tuple(rows), dict(left_out))

    def rows(self, dialogue: Sequence[Spoken]) -> tuple[Row, ...] | LeftOut:
        """The rows of one dialogue, or why it has none."""
        rows = list[Row]()
        for spoken in dialogue:
            row = self.row(spoken)
            if not isinstance(row, Row):
                return row
            longer = rows[-1].followed_by(row) if rows else None
            if longer is None:
                rows.append(row)
            else:
                rows[-1] = longer
        return tuple(rows)

    def row(self, spoken: Spoken) -> Row | LeftOut:
        """The row of one trajectory, or why it has none."""
        if spoken.thought is not None and self.form.thoughtless:
            raise asked_not_to_think()
        try:
            rendered = self.renderer.render(spoken.prompt)
        except RowError:
            return "refused_by_template"
        said = self._said(spoken, rendered)
        if said is None:
            return "refused_by_template"
        text = self.form.text(spoken.thought, said)
        if not self._reads_back(text, spoken):
            return "unreadable"
        target = self._target(rendered, text)
        if self._marks_of(target) != self._marks_for(spoken, rendered):
            return "special_token"
        if len(rendered.ids) + len(target) > self.max_length:
            return "too_long"
        return Row(rendered.ids, target)

    def continuation(self, prompt: Prompt, text: str) -> Row:
        """The row of a plain text that follows a prompt, whatever it says; of any length.

        Raises:
            UsageError: the template refuses the prompt.
        """
        try:
            rendered = self.renderer.render(prompt)
        except RowError as error:
            raise UsageError(error.cause, "check the task's prompt.md") from error
        return Row(rendered.ids, self._target(rendered, self.form.lead + text))

    def _said(self, spoken: Spoken, rendered: Rendered) -> str | None:
        """The reply with its calls; None where the template refuses them."""
        if not spoken.calls:
            return spoken.reply
        reply = spoken.reply.strip(BLANK)
        text = with_calls(self.renderer, spoken.prompt, rendered, reply, spoken.calls)
        if text is None or "tools_as_text" in rendered.notes:
            return text
        return text.rpartition(self.form.ending.strip(BLANK))[0] if self.form.ending else text

    def _reads_back(self, text: str, spoken: Spoken) -> bool:
        return reads_back(
            text,
            spoken.thought,
            spoken.reply,
            opened=self.form.opened,
            calls=spoken.calls,
            tool_form=form_for(spoken.prompt, "auto"),
        )

    def _marks_for(self, spoken: Spoken, rendered: Rendered) -> Counter[int]:
        """The special tokens that an answer of this shape has: some templates write calls with such."""
        if not spoken.calls:
            return self._marks[spoken.thought is not None]
        word = self._word
        plain = replace(
            spoken,
            thought=None if spoken.thought is None else word,
            reply=word if spoken.reply.strip(BLANK) else "",
            calls=tuple(ToolCall(name=word) for _ in spoken.calls),
        )
        text = self.form.text(plain.thought, self._said(plain, rendered) or "")
        marks = self._marks_of(self._target(Rendered((), ""), text))
        del marks[self.tokenizer.unk_token_id]  # a closed vocabulary has not that word in quotes
        return marks

    def _target(self, rendered: Rendered, text: str) -> tuple[int, ...]:
        ids = continued(self.tokenizer, rendered.text, text + self.form.ending)
        return ids if ids[-1:] == (self.form.end,) else (*ids, self.form.end)

    def _marks_of(self, target: Sequence[int]) -> Counter[int]:
        """The special tokens of a target, which are those of the form and no others."""
        return Counter(token for token in target if token in self._specials)

    @cached_property
    def _marks(self) -> tuple[Counter[int], Counter[int]]:
        """Those of an answer whose words are certain to be words: without a thought, and with."""
        nothing = Rendered((), "")
        word = self._word
        without = self._target(nothing, self.form.text(None, word))
        return self._marks_of(without), self._marks_of(
            self._target(nothing, self.form.text(word, word))
        )

    @property
    def _word(self) -> str:
        """Any token of the vocabulary that is no special one and no white space, as text."""
        for token in range(len(self.tokenizer)):
            text = self.tokenizer.decode([token])
            if token not in self._specials and text.strip(BLANK).isalnum():
                return str(text)
        raise UsageError("the tokenizer knows no words", "check the model's tokenizer")


def continued(tokenizer: Any, before: str, text: str) -> tuple[int, ...]:
    """The ids of `text` as they follow those of `before`. Where tokens would span the two, `text` is
    read by itself: the ids of `before` are what the model is sent."""
    first, whole = ids_of(tokenizer, before), ids_of(tokenizer, before + text)
    if whole[: len(first)] == first:
        return whole[len(first) :]
    return ids_of(tokenizer, text)
