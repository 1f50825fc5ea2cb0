"""Answers held to a JSON Schema: before each token, those that would break it are ruled out.

The grammar is llguidance's, the engine that vLLM and llama.cpp use too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol

LONGEST = 300
"""Characters of a string whose schema gives no limit: a small model would never close it."""


class Form(Protocol):
    """What one answer may still become."""

    def restrict(self, logits: Any) -> None:
        """Rules out, in place, every token that may not come next. `logits`: (1, vocabulary).

        Raises:
            ValueError: it cannot be told which may.
        """
        ...

    def take(self, token: int) -> bool:
        """Goes on with a token; whether the answer is complete with it."""
        ...


class SchemaForms:
    """The forms of one tokenizer. `vocabulary` is the width of the model's logits."""

    def __init__(self, tokenizer: Any, vocabulary: int) -> None:
        import llguidance.hf

        self._tokens = llguidance.hf.from_tokenizer(tokenizer, n_vocab=vocabulary)

    def of(self, schema: Mapping[str, Any]) -> Callable[[], Form]:
        """What makes a fresh form for each answer to this schema.

        Raises:
            ValueError: the schema asks for something that cannot be held to.
        """
        from llguidance import LLMatcher

        text = json.dumps(bounded(schema))
        grammar = LLMatcher.grammar_from_json_schema(text, overrides={"whitespace_flexible": False})
        error = LLMatcher(self._tokens, grammar, log_level=0).get_error()
        if error:
            raise ValueError(error)
        return lambda: _SchemaForm(LLMatcher(self._tokens, grammar, log_level=0))


class _SchemaForm:
    def __init__(self, matcher: Any) -> None:
        self._matcher = matcher

    def restrict(self, logits: Any) -> None:
        import torch

        # llguidance's own way to a mask compiles it, for seconds, and only beside a C++ compiler
        mask = self._matcher.compute_bitmask()
        if self._matcher.is_error():
            raise ValueError(self._matcher.get_error())
        packed = torch.frombuffer(bytearray(mask), dtype=torch.uint8)
        bits = packed[:, None].bitwise_right_shift(torch.arange(8, dtype=torch.uint8)) & 1
        allowed = bits.flatten()[: logits.shape[-1]].bool().to(logits.device)
        logits[:, allowed.numel() :] = float("-inf")
        logits[:, : allowed.numel()].masked_fill_(~allowed, float("-inf"))

    def take(self, token: int) -> bool:
        self._matcher.consume_token(token)
        return bool(self._matcher.is_stopped()) and not self._matcher.is_error()


def bounded(schema: Any) -> Any:
    """The schema with a limit on every string that has none and is not one of a few words."""
    if isinstance(schema, Mapping):
        found = {key: bounded(value) for key, value in schema.items()}
        free = found.get("type") == "string" and not {"enum", "const", "maxLength"} & found.keys()
        return {**found, "maxLength": LONGEST} if free else found
    return [bounded(each) for each in schema] if isinstance(schema, list) else schema
