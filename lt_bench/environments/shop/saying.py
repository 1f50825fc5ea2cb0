"""How a shop answers mistakes: short, with what was wrong and what is known instead."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from lt_bench.environments.shop.policy import rule
from lt_bench.environments.shop.records import ShopLang
from lt_bench.environments.shop.words import TEXTS, Rule
from lt_bench.environments.shop.words.texts import Saying

_SHOWN: Final = 60
"""Characters of a wrong value that are said back."""
_COMMA: Final[dict[ShopLang, str]] = {"en": ", ", "zh": "、"}
_SPACE: Final[dict[ShopLang, str]] = {"en": " ", "zh": ""}


class Refused(Exception):
    """A tool does nothing, and says why."""


@dataclass(frozen=True)
class Voice:
    """The sayings of one language."""

    lang: ShopLang

    def say(self, saying: Saying, /, **values: object) -> str:
        return TEXTS[self.lang].sayings[saying].format(**values)

    def refuse(self, saying: Saying, broken: Rule | None = None, /, **values: object) -> Refused:
        """What is wrong, and the rule that forbids it, for the caller to raise."""
        said = self.say(saying, **values)
        if broken is not None:
            said += _SPACE[self.lang] + rule(self.lang, broken)
        return Refused(said)

    def join(self, words: Iterable[object]) -> str:
        return _COMMA[self.lang].join(map(str, words))

    def type_name(self, name: str) -> str:
        return TEXTS[self.lang].types.get(name, name)

    def nearest(self, value: object, known: Iterable[str]) -> str:
        """ " Did you mean blue?" for the nearest known word, or nothing."""
        if not isinstance(value, str):
            return ""
        folded = {word.casefold(): word for word in known}
        close = difflib.get_close_matches(value[:_SHOWN].casefold(), list(folded), n=1)
        return self.say("nearest", value=folded[close[0]]) if close else ""


def shown(value: Any) -> str:
    """A value as it is said back: short, and never more than its outside."""
    if isinstance(value, dict):
        return "{...}"
    if isinstance(value, list | tuple):
        return "[...]"
    if isinstance(value, str):
        cut = value if len(value) <= _SHOWN else value[:_SHOWN] + "..."
        return json.dumps(cut, ensure_ascii=False)
    return json.dumps(value) if isinstance(value, int | float | None) else type(value).__name__


def plain(text: str) -> str:
    """The text with lone surrogates escaped: it goes into files and requests as UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode()
