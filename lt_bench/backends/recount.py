"""Counts the tokens of texts that come without counts, by encoding them again with a tokenizer.

Encoding again is not what the model did: another split of the same text into tokens is possible,
and an EOS is not in the text. Such counts say so (`counted_by` tokenizer, note `retokenized`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from lt_bench.backends.spans import IdSpans, OffsetSpans, Spans
from lt_bench.errors import UsageError, first_line
from lt_bench.records import Note, ToolCall, Turn, Usage


class Tokenizer(Protocol):
    """What is used of a transformers tokenizer."""

    is_fast: bool

    def __call__(self, text: str, **options: Any) -> Any: ...

    def decode(self, token_ids: Any, **options: Any) -> Any: ...


def load_tokenizer(name: str) -> Tokenizer:
    """The tokenizer of a model folder, or of a model on the hub.

    Raises:
        UsageError: transformers is not installed, or there is no such tokenizer.
    """
    try:
        from transformers import AutoTokenizer
    except ImportError as error:
        raise UsageError(
            "backend.tokenizer needs transformers", "pip install 'lt-bench[hf]'"
        ) from error
    folder = Path(name).expanduser()
    try:
        loaded: Tokenizer = AutoTokenizer.from_pretrained(
            str(folder) if folder.exists() else name, trust_remote_code=False
        )
    except Exception as error:
        raise UsageError(
            f"cannot load the tokenizer {name!r}: {first_line(error)}",
            "name a folder that holds tokenizer.json, with --set backend.tokenizer=FOLDER",
        ) from error
    return loaded


def spans_of(text: str, tokenizer: Tokenizer) -> Spans | None:
    """Where the tokens of `text` stand; None when this tokenizer does not spell it back."""
    if tokenizer.is_fast:
        encoded = tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, verbose=False
        )
        return OffsetSpans([start for start, _ in encoded["offset_mapping"]])
    ids = tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
    spans = IdSpans(
        lambda some: str(tokenizer.decode(some, clean_up_tokenization_spaces=False)), ids
    )
    return spans if spans.text == text else None


def count(text: str, tokenizer: Tokenizer) -> int:
    """Tokens of `text` alone, without any that a template or the tokenizer would add."""
    return len(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])


def count_calls(calls: Sequence[ToolCall], tokenizer: Tokenizer) -> int:
    """Tokens of calls, written as the JSON that most models write."""
    return sum(
        count(
            json.dumps({"name": call.name, "arguments": call.arguments}, ensure_ascii=False)
            if call.malformed is None
            else call.malformed,
            tokenizer,
        )
        for call in calls
    )


def recounted(turn: Turn, tokenizer: Tokenizer) -> Turn:
    """A turn whose server did not count its trace, or nothing at all, with the parts counted from
    their texts. What the server counted as a whole stands; parts that do not fit into it are None,
    and the turn says so (note `token_drift`)."""
    usage = turn.usage
    if usage is not None and "reasoning_uncounted" not in turn.notes:
        return turn
    reasoning, reply = count(turn.reasoning or "", tokenizer), count(turn.reply, tokenizer)
    notes: list[Note] = [note for note in turn.notes if note != "reasoning_uncounted"]
    notes.append("retokenized")
    if usage is None:
        found = Usage(
            prompt=None,
            output=reasoning + reply + count_calls(turn.tool_calls, tokenizer),
            reasoning=reasoning,
            reply=reply,
            counted_by="tokenizer",
        )
    elif reasoning + reply <= usage.output:
        found = usage.model_copy(update={"reasoning": reasoning, "reply": reply})
    else:
        found = usage
        notes += ["reasoning_uncounted", "token_drift"]
    return turn.model_copy(update={"usage": found, "notes": tuple(notes)})
