"""When two questions are the same one although their words differ a little.

Questions of one template differ by a name and are different questions, however similar: "Who is
the spouse of the Green performer?" and "... of the Blue performer?". So are those that differ by
one letter ("county", "country"). What may differ is only what cannot change the answer: an
article, a plural, a doubled letter, two letters swapped; and nothing in a name.
"""

from __future__ import annotations

from itertools import groupby

from lt_bench.builders.audit.normal import tokens

SMALL = frozenset(("a", "an", "the", "please", "的", "请", "吗", "呢", "啊", "呀"))
OPENING = "请问"
"""Two characters, each of which counts where it stands alone."""
SLIP = 5
"""Letters of a word that may have two of them swapped."""


def content(text: str) -> list[str]:
    """The words that count, names as they are and others without plural and doubled letters."""
    words = tokens(text.removeprefix(OPENING), fold=False)
    words = [word for word in words if word.casefold() not in SMALL]
    return [_folded(word, at) for at, word in enumerate(words)]


def _folded(word: str, at: int) -> str:
    """Marks a name by its capital, which stays; the first word has one anyhow."""
    if not word.isalpha() or (at and word != word.lower()):
        return word.casefold().upper()
    word = word.casefold()
    if len(word) < SLIP:
        return word
    return "".join(char for char, _ in groupby(word.removesuffix("s")))


def key(words: list[str]) -> str:
    """Equal for lists of `content` that are the same, and for a few that are not."""
    return " ".join(
        word[0] + "".join(sorted(word[1:])) if _may_slip(word) else word.casefold()
        for word in words
    )


def same(first: list[str], second: list[str]) -> bool:
    """Whether two lists of `content` differ by swapped letters at most, names by nothing."""
    return len(first) == len(second) and all(
        one.casefold() == other.casefold() or _swapped(one, other)
        for one, other in zip(first, second, strict=True)
    )


def _swapped(one: str, other: str) -> bool:
    if len(one) != len(other) or not (_may_slip(one) and _may_slip(other)):
        return False
    differing = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if len(differing) != 2 or differing[1] != differing[0] + 1 or differing[0] == 0:
        return False
    at = differing[0]
    return one[at] == other[at + 1] and one[at + 1] == other[at]


def _may_slip(word: str) -> bool:
    """No name, no number, and long enough."""
    return len(word) >= SLIP and word.isalpha() and word.islower()
