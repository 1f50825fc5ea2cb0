"""What typing in a hurry does to a comment: slips, filler, emoji, mentions."""

from __future__ import annotations

from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.commerce_qa.language import Language

_TRIES = 8
_PLACES = (
    (("filler.before", ""), 0.22),
    (("", "filler.tail"), 0.50),
    (("filler.mention", ""), 0.12),
    (("", "filler.mention_after"), 0.05),
    (("filler.before", "filler.tail"), 0.11),
)


def typed(text: str, language: Language, draw: Draw, protected: frozenset[str]) -> str:
    """`text` as typed in a hurry: one to three slips, at least one of them visible.

    Digits and `protected` names stay, and no slip changes what is asked.
    """
    careful = language.question(text)
    # Slips can undo each other (a mark put on, then taken off): drawn anew until one shows.
    for _ in range(_TRIES):
        rough = careful
        for slip in draw.sample(language.slips, draw.between(1, 3)):
            rough = slip(rough, draw, protected)
        if rough != careful:
            return rough
    return language.careless(careful)


def filler(text: str, language: Language, draw: Draw, host: str) -> tuple[str, str]:
    """Filler words, emoji or a mention of the host: what goes before a comment, and what goes
    behind its last mark; at least one of them is there. Nothing goes before a `text` that begins
    with the like itself."""
    before, after = draw.weighted(_PLACES)
    if text.startswith(language.phrases["filler.none"]):
        before, after = "", "filler.tail"
    start = draw.pick(language.phrases[before]).format(host=host) if before else ""
    end = draw.pick(language.phrases[after]).format(host=host) if after else ""
    return start, end
