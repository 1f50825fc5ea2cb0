"""Whether a reply says what it must, in words of its own, and nothing that it must not.

What it cannot see: words count, not sense. "It is not delivered" says "delivered", unless
`must_not_include` lists "not delivered"; a paraphrase outside `accept` is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final

from lt_bench.claims.wording import fold
from lt_bench.records import GoldAnswer
from lt_bench.scorers.tools.asking import stated
from lt_bench.scorers.tools.sentences import own_sentences
from lt_bench.scorers.tools.tokens import Token, places, tokens

PHRASE: Final = 4
"""An entry of so many tokens is a statement by itself."""
_ENGLISH: Final = (
    "a an the this that these those it its it's i i'm i've we we've you your yours my our they their "
    "he she his her is are was were be been being has have had do does did will would can could may "
    "might shall should must not no yes to of in on at by for from with within until after before "
    "and or but so because if as than then there here which who what when where how very also"
)
_CHINESE: Final = (
    "的了是在为有到共已您你我他她们将会可请需要不也都和与及就从把被给让但如这那该其没无于后前内"
)
_JOINING: Final = frozenset(_ENGLISH.split()) | frozenset(_CHINESE)
"""Words that make sentences of others, in English and Chinese."""


def answers_right(
    reply: str, gold: GoldAnswer, asked: Sequence[str] = (), *, asks: bool = False
) -> bool:
    """Whether a reply includes every entry of `must_include`, or a wording that `accept` lists for it,
    and none of `must_not_include`.

    Numbers, currencies, dates, case and width are compared as `tokens` reads them. Sentences that only
    repeat one of `asked`, JSON, calls and, unless the row wants a question (`asks`), questions state
    nothing. Nor does a list: other figures must not outnumber the words, and two entries or more need
    words that join them, labels, or more other words than all else. What must not be said must not
    stand anywhere in the reply.
    """
    if gold.must_not_include:
        whole = tokens(reply)
        if any(_found(entry, reply, whole) is not None for entry in gold.must_not_include):
            return False
    kept = [one.text if asks else stated(one) for one in own_sentences(reply, asked)]
    text = "\n".join(filter(None, kept))
    if not text:
        return False
    heard = tuple(chain.from_iterable(tokens(one) for one in kept))
    covered: set[int] = set()
    phrased = False
    for entry in gold.must_include:
        forms = (entry, *gold.accept.get(entry, ()))
        found = [(form, at) for form in forms if (at := _found(form, text, heard)) is not None]
        if not found:
            return False
        covered.update(*(at for _, at in found))
        phrased = phrased or any(len(tokens(form)) >= PHRASE for form, _ in found)
    labels = text.count(":") + text.count("：")
    return phrased or _is_speech(heard, covered, len(gold.must_include), labels)


def _found(entry: str, text: str, heard: Sequence[Token]) -> set[int] | None:
    """The tokens of a text with which it includes an entry; None where it does not. An entry without
    words and figures is looked for as it is written, and has no tokens."""
    sought = tokens(entry)
    if not sought:
        return set() if entry.strip() and fold(entry.strip()) in fold(text) else None
    starts = places(sought, heard)
    return {at for start in starts for at in range(start, start + len(sought))} or None


def _is_speech(heard: Sequence[Token], covered: set[int], entries: int, labels: int) -> bool:
    """Whether there is more than a list of entries, and of figures to choose from."""
    besides = [one for place, one in enumerate(heard) if place not in covered]
    own = [one for one in besides if isinstance(one, str)]
    if len(besides) > 2 * len(own):
        return False
    joined = labels >= entries or not _JOINING.isdisjoint(own)
    return entries < 2 or joined or 2 * len(own) > len(heard)
