"""Exact match and F1 of a short answer against its accepted ones, over tokens.

The `official` tokens are those of MuSiQue's scorer (Trivedi et al., TACL 2022), which took them
from SQuAD v1.1: lower-case, delete ASCII punctuation, drop a/an/the, split at white space, and no
Unicode normalisation. Chinese has no spaces there: a sentence is one token, so that a near miss
scores 0. `zh` and `numeric` are ours, for data that the official rules do not fit.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

Mode = Literal["official", "zh", "numeric"]
Tokenize = Callable[[str], list[str]]

_PUNCTUATION = string.punctuation.encode()
_ARTICLES = frozenset(("a", "an", "the"))
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_ZH_TOKEN = re.compile(
    "[\u2e80-\u2fff\u3005-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]"
    "|[^\\s\u2e80-\u2fff\u3005-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_NUMBER = re.compile(
    r"(?P<minus>(?<![\w.)])-\s?)?(?:[$€£¥]\s?)?"
    r"(?P<number>\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?:\s?(?P<scale>thousand|million|billion|trillion|万|亿)(?![a-z]))?"
)
_SCALE = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12, "万": 4, "亿": 8}


class Match(NamedTuple):
    """`em` is 0 or 1, `f1` in [0, 1]; each is the best over the accepted answers on its own."""

    em: int
    f1: float


def normalize(text: str) -> list[str]:
    """The official tokens of `text`."""
    text = _unpunctuated(text.lower())
    if text.isascii() and text.isprintable():
        # Only letters, digits and spaces are left, so that every word boundary is a space.
        return [token for token in text.split() if token not in _ARTICLES]
    tokens = []
    for token in text.split():
        if token.isalnum():
            if token not in _ARTICLES:
                tokens.append(token)
        else:
            # A curly quote or a combining mark makes a word boundary inside the token.
            tokens.extend(_ARTICLE.sub(" ", token).split())
    return tokens


def _unpunctuated(text: str) -> str:
    """`text` without ASCII punctuation. Those bytes are never part of another character, and
    bytes.translate is three times as fast as str.translate."""
    raw = text.encode("utf-8", "surrogatepass").translate(None, _PUNCTUATION)
    return raw.decode("utf-8", "surrogatepass")


def zh_tokens(text: str) -> list[str]:
    """Characters for Chinese, Japanese and Korean, words elsewhere (the mixed segmentation of
    CMRC 2018): "99元" is "99" and "元". ASCII punctuation is deleted as in the official rule, any
    other parts words; widths are made equal by NFKC."""
    parted = "".join(map(_parted, _unpunctuated(text)))
    return _ZH_TOKEN.findall(unicodedata.normalize("NFKC", parted).lower())


def _parted(char: str) -> str:
    """A space for punctuation, nothing for an invisible character, else the character."""
    category = unicodedata.category(char)
    if category[0] == "P":
        return " "
    return "" if category in ("Cc", "Cf") and not char.isspace() else char


def numeric_tokens(text: str) -> list[str]:
    """The numbers of `text` in one spelling: "$1,500.0", "1500" and "1.5 thousand" are equal.

    Units, currency and percent signs are not compared; words for numbers are not read. A text
    without any number has its official tokens.
    """
    plain = unicodedata.normalize("NFKC", text).lower().replace("\u2212", "-")
    found = [_canonical(match) for match in _NUMBER.finditer(plain)]
    return found or normalize(text)


def _canonical(match: re.Match[str]) -> str:
    """Sign, digits and exponent. Strings, because a hostile answer can hold a million digits."""
    whole, _, part = match["number"].replace(",", "").partition(".")
    digits = (whole + part).lstrip("0")
    exponent = _SCALE.get(match["scale"] or "", 0) - len(part)
    significant = digits.rstrip("0")
    if not significant:
        return "0"
    exponent += len(digits) - len(significant)
    return f"{'-' if match['minus'] else ''}{significant}e{exponent}"


TOKENIZERS: dict[Mode, Tokenize] = {
    "official": normalize,
    "zh": zh_tokens,
    "numeric": numeric_tokens,
}


_OF_GOLD = {mode: lru_cache(maxsize=1 << 16)(tokenize) for mode, tokenize in TOKENIZERS.items()}
"""Tokens of accepted answers, kept because many predictions meet the same ones; never changed."""


def match(prediction: str, golds: Sequence[str], mode: Mode = "official") -> Match:
    """EM and F1 over `golds`, which holds at least one answer.

    Raises:
        ValueError: `golds` is empty.
    """
    if not golds:
        raise ValueError("no accepted answer to compare with")
    predicted, tokens_of = TOKENIZERS[mode](prediction), _OF_GOLD[mode]
    best = 0.0
    for text in golds:
        gold = tokens_of(text)
        if gold == predicted:
            return Match(1, 1.0)
        best = max(best, _f1(predicted, gold))
    return Match(0, best)


def exact_match(prediction: str, golds: Sequence[str]) -> int:
    """1 if the official tokens equal those of one of `golds`, else 0."""
    return match(prediction, golds).em


def f1(prediction: str, golds: Sequence[str]) -> float:
    """The best official token F1 over `golds`; 1 with an empty side only when both are empty."""
    return match(prediction, golds).f1


def _f1(predicted: list[str], gold: list[str]) -> float:
    if not predicted or not gold:
        return float(predicted == gold)
    same = _shared(predicted, gold)
    if not same:
        return 0.0
    precision, recall = same / len(predicted), same / len(gold)
    return (2 * precision * recall) / (precision + recall)


def _shared(predicted: list[str], gold: list[str]) -> int:
    """Tokens in both, each as often as in the side that has fewer of it."""
    if len(gold) == 1:
        return int(gold[0] in predicted)
    if len(predicted) == 1:
        return int(predicted[0] in gold)
    one, other = set(predicted), set(gold)
    if len(one) == len(predicted) or len(other) == len(gold):
        # A token that one side holds once is shared once.
        return len(one & other)
    return (Counter(predicted) & Counter(gold)).total()
