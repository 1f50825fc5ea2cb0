"""The answer form `ledger`: a verdict and a span of evidence for every numbered claim of a reply.

    {"claims": [{"n": 1, "verdict": "supported", "document": "d1", "evidence": "Price: $9"}],
     "answers": true, "reason": "the price is right"}

The spans are checked by machine: a judge that quotes what stands nowhere has given no verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args
from unicodedata import east_asian_width

from lt_bench.judge.derivation import label_of
from lt_bench.judge.json_answer import one_object, refuse_others, sentence
from lt_bench.judge.plain import bare, visible
from lt_bench.judge.reading import Reading, Unreadable
from lt_bench.judge.subject import Subject
from lt_bench.records import Claim

Finding = Literal["supported", "contradicted", "not_in_documents", "not_a_claim"]
FINDINGS: Final[tuple[Finding, ...]] = get_args(Finding)
KEYS: Final = ("claims", "answers", "reason")
ENTRY_KEYS: Final = ("n", "verdict", "document", "evidence")
MIN_EVIDENCE: Final = 3
"""Columns of a quotation; one letter stands in every document. A Chinese character, which may be a
word, fills two. A shorter text is quoted whole."""
_PROVEN: Final = ("supported", "contradicted")


def read(text: str, subject: Subject) -> Reading:
    """The claims with their verdicts, and the label that follows from them.

    Raises:
        Unreadable: a claim is missing, doubled or unknown, or a span is not in its document.
    """
    found = one_object(text)
    refuse_others(found, KEYS, "the object")
    answers = found.get("answers")
    if not isinstance(answers, bool):
        raise Unreadable('"answers" must be true or false, without quotes')
    entries = _numbered(found.get("claims"), len(subject.claims))
    claims = tuple(
        _claim(number, claim, entries[number], subject)
        for number, claim in enumerate(subject.claims, 1)
    )
    return Reading(label_of(claims, answers), sentence(found, "reason"), claims)


def _numbered(entries: object, count: int) -> dict[int, Mapping[str, Any]]:
    """Number -> entry, exactly one for each claim."""
    if not isinstance(entries, list) or not all(isinstance(one, dict) for one in entries):
        raise Unreadable('"claims" must be a list with one object for each numbered claim')
    found: dict[int, Mapping[str, Any]] = {}
    for entry in entries:
        number = entry.get("n")
        if type(number) is not int or not 1 <= number <= count:
            raise Unreadable(f'every "n" must be a whole number from 1 to {count}')
        if number in found:
            raise Unreadable(f"claim {number} has two entries; give one")
        found[number] = entry
    missing = [number for number in range(1, count + 1) if number not in found]
    if missing:
        raise Unreadable(f"claim {missing[0]} has no entry; give one for each of {count}")
    return found


def _claim(number: int, text: str, entry: Mapping[str, Any], subject: Subject) -> Claim:
    where = f"claim {number}"
    refuse_others(entry, ENTRY_KEYS, where)
    verdict: Finding | None = next((one for one in FINDINGS if one == entry.get("verdict")), None)
    if verdict is None:
        raise Unreadable(f"{where}: verdict must be one of {', '.join(FINDINGS)}")
    document, evidence = _text(entry, "document", where), _text(entry, "evidence", where)
    if verdict not in _PROVEN:
        if document or evidence:
            raise Unreadable(f"{where}: {verdict} has no evidence; set document and evidence null")
        return Claim(text=text, verdict=verdict)
    if not document or not evidence:
        raise Unreadable(f"{where}: {verdict} needs a document and words quoted from it")
    document = bare(document)
    _check_span(where, document, evidence, subject)
    return Claim(text=text, verdict=verdict, document=document, evidence=evidence)


def _text(entry: Mapping[str, Any], key: str, where: str) -> str:
    value = entry.get(key)
    if value is not None and not isinstance(value, str):
        raise Unreadable(f"{where}: {key} must be a text in quotes, or null")
    return value or ""


def _check_span(where: str, document: str, evidence: str, subject: Subject) -> None:
    """Raises Unreadable unless the words stand, to the letter, in the text or title named."""
    named = [one for one in subject.documents if one.id == document]
    if not named:
        raise Unreadable(f"{where}: there is no such document; name one by its id")
    if not any(character.isalnum() for character in evidence):
        raise Unreadable(f"{where}: the evidence holds no word; quote the words that decide")
    places = [place for one in named for place in (one.text, one.title) if evidence in place]
    if not places:
        raise Unreadable(f"{where}: the evidence is not in that document; copy its exact words")
    seen = _seen(evidence)
    if _columns(seen) < MIN_EVIDENCE and all(_seen(place) != seen for place in places):
        raise Unreadable(
            f"{where}: the evidence is too short to prove anything; "
            f"quote at least {MIN_EVIDENCE} characters"
        )


def _columns(text: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def _seen(text: str) -> str:
    return visible(text).strip()
