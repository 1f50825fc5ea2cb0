"""A reply as the statements that a ledger gives verdicts for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from lt_bench.claims.clauses import clause_of
from lt_bench.claims.dates import scan_dates
from lt_bench.claims.language import FUNCTION, Language
from lt_bench.claims.languages import language_of
from lt_bench.claims.numbers import scan
from lt_bench.claims.sentences import joints, sentences, speaker_of
from lt_bench.claims.stock import stock_state
from lt_bench.claims.wording import fold

_LEADING: Final = " \t\r\n,;:.!?)]，；：、。！？）】…~—–"
_TRAILING: Final = " \t\r\n,;:([，；：、（【—–-"
"""What parts statements and belongs to neither; the mark at the end of a sentence stays."""


def split(reply: str) -> tuple[str, ...]:
    """The statements of a reply in order, each an exact piece of it.

    Sentences fall apart where they go on to another fact. Together the statements hold every
    letter and digit of the reply, and no amount or day is cut in two. A reply without letters and
    digits states nothing.
    """
    folded = fold(reply)
    cuts = [0, *_cuts(folded), len(reply)]
    pieces = (
        reply[a:b].strip().lstrip(_LEADING).rstrip(_TRAILING).strip() for a, b in pairwise(cuts)
    )
    return tuple(piece for piece in pieces if any(char.isalnum() for char in piece))


def _cuts(folded: str) -> Iterator[int]:
    """Where one statement ends and the next begins."""
    speaker = language_of(folded)
    spans = sentences(folded, speaker)
    for number, (start, end, _) in enumerate(spans):
        if number and not _inside_an_amount(folded, start):
            yield start
        sentence = folded[start:end]
        for cut in _turns(sentence, speaker_of(sentence, speaker)):
            if not _inside_an_amount(folded, start + cut):
                yield start + cut


def _turns(sentence: str, speaker: Language) -> Iterator[int]:
    """The joints of a sentence behind which another fact is told."""
    begun = False
    for start, end in pairwise(sorted({*joints(sentence, speaker)})):
        piece = sentence[start:end]
        told = _tells(piece, speaker)
        if begun and told and sentence[:start].rstrip()[-1:] != ":":
            yield start
            begun = False
        begun = begun or (told and _is_whole(piece))


def _tells(piece: str, speaker: Language) -> bool:
    """Whether a piece has something of its own to tell: an amount, a day, what is to be had, that
    it cannot tell, or a word that is no mere talk."""
    clause = clause_of(piece, asked=False, speaker=speaker)
    if clause.quantities or clause.dates or clause.kind in ("abstention", "refusal"):
        return True
    if stock_state(clause) or speaker.promises.search(clause.text):
        return True
    return not clause.heard - FUNCTION <= speaker.common


_SAYS: Final = re.compile(
    r"\b(?:is|are|was|were|am|has|have|had|does|do|did|can|could|will|would|may|must|comes?|costs?|weighs?|"
    r"runs?|ships?|works?|takes?|lasts?|measures?|holds?|fits?|includes?|gets?|got|goes|uses?|needs?|says?|"
    r"lists?|gives?|sold|made|rated|[a-z]+n't|cannot)\b|'(?:s|re|ve|ll|d|m)\b|\d|"
    r"[是有能会可不没无支带包送的了卖要到得适防好为配用含]"
)
"""What makes words a statement rather than the name of what it is about."""


def _is_whole(piece: str) -> bool:
    """Whether a piece can stand alone at the head of a statement: "the lamp," cannot."""
    return _SAYS.search(piece) is not None


_REACH: Final = 48
"""No amount is longer, in characters."""
_OPEN: Final = re.compile(r"(?:(?:no|nr|num|approx|ca|vs)\.|\d,)\s*$")
"""What a number belongs to that stands behind it: "No. 9", "June 30, 2026"."""


def _inside_an_amount(folded: str, cut: int) -> bool:
    start = max(0, cut - _REACH)
    if folded[cut : cut + _REACH].lstrip()[:1].isdigit() and _OPEN.search(folded[start:cut]):
        return True
    near = folded[start : cut + _REACH]
    spans = [*((q.start, q.end) for q in scan(near)), *((d.start, d.end) for d in scan_dates(near))]
    return any(start + a < cut < start + b for a, b in spans)
