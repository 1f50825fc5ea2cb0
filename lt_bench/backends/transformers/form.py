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
        """Rules out, in place, every token that may not come next. `logits`: (1, vocabulary)."""
        ...

    def take(self, token: int) -> bool:
        """Goes on with a token; whether the answer is complete with it."""
        ...


class SchemaForms:
    """The forms of one tokenizer. `vocabulary` is the width of the model's logits."""

    def __init__(self, tokenizer: Any, vocabulary: int) -> None:
        import llguidance.hf

        self._vocabulary = vocabulary
        self._tokens = llguidance.hf.from_tokenizer(tokenizer, n_vocab=vocabulary)

    def of(self, schema: Mapping[str, Any]) -> Callable[[], Form]:
        """What makes a fresh form for each answer to this schema.

        Raises:
            ValueError: the schema asks for something that cannot be held to.
        """
        from llguidance import LLMatcher

        text = json.dumps(bounded(schema))
        grammar = LLMatcher.grammar_from_json_schema(text, overrides={"whitespace_flexible": False})
        error = LLMatcher(self._tokens, grammar).get_error()
        if error:
            raise ValueError(error)
        return lambda: _SchemaForm(LLMatcher(self._tokens, grammar), self._vocabulary)


class _SchemaForm:
    def __init__(self, matcher: Any, vocabulary: int) -> None:
        import llguidance.torch

        self._matcher = matcher
        self._mask = llguidance.torch.allocate_token_bitmask(1, vocabulary)

    def restrict(self, logits: Any) -> None:
        import llguidance.torch

        llguidance.torch.fill_next_token_bitmask(self._matcher, self._mask, 0)
        llguidance.torch.apply_token_bitmask_inplace(logits, self._mask.to(logits.device))

    def take(self, token: int) -> bool:
        self._matcher.consume_token(token)
        return bool(self._matcher.is_stopped())


def bounded(schema: Any) -> Any:
    """The schema with a limit on every string that has none and is not one of a few words."""
    if isinstance(schema, Mapping):
        found = {key: bounded(value) for key, value in schema.items()}
        free = found.get("type") == "string" and not {"enum", "const", "maxLength"} & found.keys()
        return {**found, "maxLength": LONGEST} if free else found
    return [bounded(each) for each in schema] if isinstance(schema, list) else schema
