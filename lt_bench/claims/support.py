"""The check of one clause against the evidence: what in it is documented, and what is not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from math import ceil
from typing import Final

from lt_bench.claims.amounts import Scope, Verdict, about, quantity_verdict, quotable
from lt_bench.claims.clauses import Clause
from lt_bench.claims.comparisons import wrong_comparison
from lt_bench.claims.entries import Entry, availability_of
from lt_bench.claims.evidence import SHARED, Evidence
from lt_bench.claims.language import stem_set
from lt_bench.claims.quantities import Quantity, same
from lt_bench.claims.stock import stock_state
from lt_bench.claims.subjects import Subject, slots_counted, slots_named

WORST: Final[tuple[Verdict, ...]] = ("contradicted", "not_in_documents", "supported", "not_a_claim")


@dataclass
class Checks:
    """What was found in one clause: a verdict for each checkable item, and the entries that the
    clause repeats. `derived` are the units of numbers that were worked out from documented ones."""

    verdicts: list[tuple[Verdict, Entry | None]] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    derived: set[str] = field(default_factory=set)

    def add(self, verdict: Verdict, entry: Entry | None = None) -> None:
        """One item more; a supporting entry is remembered."""
        self.verdicts.append((verdict, entry))
        if verdict == "supported" and entry is not None:
            self.entries.append(entry)

    @property
    def worst(self) -> tuple[Verdict, Entry | None]:
        """The verdict on the whole clause."""
        return min(self.verdicts, key=lambda v: WORST.index(v[0]), default=("not_a_claim", None))


def check(clause: Clause, subject: Subject, scope: Scope) -> Checks:
    """Verdicts on every quantity, day, availability, promise and property that it asserts."""
    checks = Checks()
    if not clause.asserts:
        return checks
    products = (subject.products | subject.beside) or scope.asked
    called = {start for _, start in slots_counted(clause, scope.evidence)}
    for quantity in clause.quantities:
        if quantity.start not in called and not clause.denied(quantity.start):
            _quantity(quantity, clause, products, scope, checks)
    _days(clause, products, scope, checks)
    _stock(clause, products, scope, checks)
    _compared(clause, subject, scope, checks)
    _flags(clause, products, scope, checks)
    _properties(clause, products, scope, checks)
    _return_postage(clause, products, scope, checks)
    _model_names(clause, scope, checks)
    checks.entries.extend(_repeated(clause, products, scope.evidence))
    if checks.entries and not any(v == "supported" for v, _ in checks.verdicts):
        checks.add("supported", checks.entries[0])
    return checks


def _quantity(
    said: Quantity, clause: Clause, products: frozenset[int], scope: Scope, checks: Checks
) -> None:
    sizes = frozenset().union(
        *(names for p in products for names, _ in scope.evidence.variants.get(p, ()))
    )
    if said.unit is None and f"{said.value:g}" in sizes:
        return  # "blue 42" names a variant
    answers = any(said.value == q.value for q in scope.required)
    if said.unit is None and not answers and (counts := _remaining(said, clause, products, scope)):
        known = [e for e in counts if any(same(said, q) for q in e.quantities)]
        checks.add("supported" if known else "contradicted", (known or counts)[0])
        return
    verdict, entry = quantity_verdict(said, clause, products, scope)
    told = entry is not None and verdict == "supported" and bool(entry.about & clause.heard)
    if said.loose and not told and not _counts(said, entry, clause):
        return  # "one", "two": talk more often than data
    checks.add(verdict, entry)
    if verdict == "supported" and entry is None:
        checks.derived.add(said.unit.dimension if said.unit else "")


def _counts(said: Quantity, entry: Entry | None, clause: Clause) -> bool:
    """Whether a small number stands right before the name of a property that counts: "four ports"."""
    after = next((s for s, p in _spoken(clause) if p >= said.end), "")
    plain = entry is not None and len(entry.quantities) == 1 and entry.quantities[0].unit is None
    return plain and entry is not None and after in entry.about - clause.language.common


def _remaining(
    said: Quantity, clause: Clause, products: frozenset[int], scope: Scope
) -> list[Entry]:
    """The entries that count what is left, where that is what a number of the clause does."""
    match = clause.language.availability["in"].search(clause.text)
    if match is None or not match.start() <= said.start < match.end():
        return []
    return [
        entry
        for entry in scope.evidence.measured(products)
        if entry.about & _COUNTED and any(q.unit is None for q in entry.quantities)
    ]


_COUNTED: Final = frozenset(["stock", "inventory", "left"])

# --- days, availability, yes and no ----------------------------------------------------------


def _days(clause: Clause, products: frozenset[int], scope: Scope, checks: Checks) -> None:
    for day in clause.dates:
        if clause.denied(day.start):
            continue
        entries = [e for e in scope.evidence.of(products) if any(d.agrees(day) for d in e.dates)]
        if entries:
            checks.add("supported", quotable(entries))
        elif not any(d.agrees(day) for d in scope.evidence.dates_said):
            checks.add("not_in_documents")


def _stock(clause: Clause, products: frozenset[int], scope: Scope, checks: Checks) -> None:
    state = stock_state(clause)
    if state is None:
        return
    wanted = products or frozenset(scope.evidence.availability)
    states = _states_of_variants(clause, wanted, scope) or frozenset().union(
        *(scope.evidence.availability.get(p, frozenset()) for p in (*wanted, SHARED))
    )
    if state in states:
        checks.add("supported", _stock_line(state, clause, wanted, scope))
    else:
        checks.add("contradicted" if states else "not_in_documents")


def _stock_line(state: str, clause: Clause, products: frozenset[int], scope: Scope) -> Entry | None:
    """The line behind the state of the colours and sizes that the clause names, or of all."""
    named = frozenset().union(
        *(n for p in products for n, _ in scope.evidence.variants.get(p, ())), ()
    )
    lines = (
        entry
        for entry in scope.evidence.of(products)
        if entry.start is not None
        and (entry.label & named & clause.heard if named & clause.heard else entry.label & _COUNTED)
    )
    return next((e for e in lines if availability_of(" ".join(e.value)) == state), None)


def _states_of_variants(clause: Clause, products: frozenset[int], scope: Scope) -> frozenset[str]:
    """The states of the variants whose colours and sizes the clause names; none where it names none."""
    variants = [v for p in products for v in scope.evidence.variants.get(p, ())]
    heard = clause.heard - {str(number) for number, _ in slots_named(clause)}
    told = [(len(names & heard), state) for names, state in variants]
    most = max((n for n, _ in told), default=0)
    return frozenset(state for n, state in told if n == most) if most else frozenset()


def _compared(clause: Clause, subject: Subject, scope: Scope, checks: Checks) -> None:
    if len(subject.products) != 1:
        return
    rivals = subject.beside or (
        scope.asked if len(scope.asked) > 1 else frozenset(scope.evidence.entries) - {SHARED}
    )
    wrong = wrong_comparison(
        clause, next(iter(subject.products)), rivals, scope.evidence, scope.labels
    )
    if wrong is not None:
        checks.add("contradicted", wrong)


def _flags(clause: Clause, products: frozenset[int], scope: Scope, checks: Checks) -> None:
    """Documented yes-or-no properties whose name the clause repeats."""
    if len(products) > 1:
        return
    heard = dict(zip(clause.stems, clause.places, strict=True))
    for entry, keys in scope.evidence.keyed(products):
        whole = entry.about <= heard.keys()
        named = entry.about if whole else keys & heard.keys()
        denied = named and (_rejects(clause) or any(clause.denied(heard[s]) for s in named))
        if named and (whole or denied or _grants(clause)):
            checks.add("supported" if bool(denied) != entry.flag else "contradicted", entry)


def _rejects(clause: Clause) -> bool:
    return clause.language.rejects.search(clause.text) is not None


def _grants(clause: Clause) -> bool:
    """Whether it says that something is there or can be done."""
    speaker = clause.language
    return bool(speaker.approves.search(clause.text) or speaker.having.search(clause.text))


# --- properties in words ---------------------------------------------------------------------


def _properties(clause: Clause, products: frozenset[int], scope: Scope, checks: Checks) -> None:
    """Words that need evidence: properties, promises, and what follows "comes with"."""
    measured = any(verdict == "supported" for verdict, _ in checks.verdicts)
    documented = scope.evidence.words_of(products) | scope.granted
    elsewhere = scope.evidence.words_of(frozenset())
    for stem in dict.fromkeys(
        _asserted_words(clause, products, scope, documented, measured=measured)
    ):
        if stem not in documented:
            checks.add("contradicted" if stem in elsewhere else "not_in_documents")
    for match in clause.language.promises.finditer(clause.text):
        if not clause.denied(match.start()):
            _promise(match, clause, products, scope, checks)
    _time_of_day(clause, products, scope, checks)
    giving = clause.language.giving.search(clause.text)
    if giving and not clause.denied(giving.start()):
        _gift(giving, clause, products, scope, checks)


def _return_postage(clause: Clause, products: frozenset[int], scope: Scope, checks: Checks) -> None:
    """Returns called free where the evidence lets the buyer pay for them."""
    heard = dict(zip(clause.stems, clause.places, strict=True))
    if not {"return", "free"} <= heard.keys() or clause.heard & {"buyer", "gift"}:
        return
    if clause.denied(heard["free"]):
        return
    told = [e for e in scope.evidence.of(products) if "return" in (e.about | frozenset(e.value))]
    paid = [e for e in told if "buyer" in e.value]
    if paid and not any(_FREE & frozenset(e.value) for e in told):
        checks.add("contradicted", quotable(paid))


_PARTS: Final = frozenset(["morn", "even", "morning", "evening"])


def _time_of_day(clause: Clause, products: frozenset[int], scope: Scope, checks: Checks) -> None:
    """When something is to be used, where the evidence of the product says when."""
    match = clause.language.daily.search(clause.text)
    if match is None or clause.denied(match.start()):
        return
    part = (match.lastgroup or "").rstrip("s")
    wanted = ("morn", "even") if part == "both" else (part[:4],)
    known = [e for e in scope.evidence.of(products) if e.content & _PARTS and len(e.value) <= 4]
    fitting = [e for e in known if all(any(s[:4] == w for s in e.content) for w in wanted)]
    if known:
        checks.add("supported" if fitting else "contradicted", (fitting or known)[0])


def _spoken(clause: Clause) -> Iterator[tuple[str, int]]:
    """The stems that stand in a clause as words, and where."""
    return islice(zip(clause.stems, clause.places, strict=True), clause.spoken)


def _asserted_words(
    clause: Clause,
    products: frozenset[int],
    scope: Scope,
    documented: frozenset[str],
    *,
    measured: bool,
) -> list[str]:
    if takes_up(clause, scope.evidence):
        return []
    speaker = clause.language
    each = [scope.evidence.foreign.get(p, frozenset()) for p in products]
    foreign = frozenset.intersection(*each) if each else frozenset()
    found: list[str] = []
    for stem, place in _spoken(clause):
        needs = stem in speaker.checkable or (stem in foreign and stem not in speaker.common)
        if needs and not clause.denied(place):
            found.append(stem)
    for match in speaker.suffixed.finditer(clause.text):
        word = next(filter(None, match.groups()))
        if word not in speaker.common and not clause.denied(match.start()):
            found += [s for s, p in _spoken(clause) if p == match.start()]
    for match in speaker.feature.finditer(clause.text):
        if not clause.denied(match.start()) and not clause.denied(match.end()):
            found += _unknown_after(match.end(), clause, documented, measured)
    return found


def takes_up(clause: Clause, evidence: Evidence) -> bool:
    """Whether a clause only names what was asked about, as "a glass floor" does."""
    named = clause.language.taken_up.search(clause.text)
    return named is not None and all(s in evidence.question for s in clause.stems[1:])


def _unknown_after(
    start: int, clause: Clause, documented: frozenset[str], measured: bool
) -> list[str]:
    """The content words that a feature pattern introduces; none where they only name a
    documented number ("it has 10 % of the active ingredient")."""
    stop = clause.language.window.search(clause.text, start + 1)
    end = stop.start() if stop else len(clause.text)
    if measured and any(start <= q.start < end for q in clause.quantities):
        return []
    inside = [(s, p) for s, p in _spoken(clause) if start <= p < end]
    return [
        s
        for i, (s, p) in enumerate(inside[:7])
        if s.isalpha()
        and len(s) > 2 - (s >= "\u3400")
        and s not in clause.language.common
        and not _shared(p, inside[max(0, i - 1) : i + 2], documented)
    ]


def _shared(place: int, near: list[tuple[str, int]], documented: frozenset[str]) -> bool:
    """Whether a pair of Chinese characters overlaps one that is documented: they are pieces of
    one word, which the sheet may write with another ending."""
    return any(
        s in documented and s >= "\u3400" and len(s) == 2 and abs(p - place) == 1 for s, p in near
    )


_PROMISE_KIN: Final = (
    frozenset(["discount", "coupon", "off", "sale", "promo", "promotion", "code"]),
    frozenset(["customiz", "customis", "custom"]),
    frozenset(["refund", "return", "money"]),
    frozenset(["gift", "free"]),
)


def _promise(
    match: re.Match[str], clause: Clause, products: frozenset[int], scope: Scope, checks: Checks
) -> None:
    stems = {s for s, p in _spoken(clause) if match.start() <= p < match.end()}
    if not stems:
        return
    for entry in scope.evidence.of(products):
        known = entry.label.union(entry.value)
        if all(s in known or any(s in kin and kin & known for kin in _PROMISE_KIN) for s in stems):
            checks.verdicts.append(("supported", entry))
            return
    if not stems <= scope.granted | scope.evidence.history:
        checks.add("not_in_documents")


def _gift(
    match: re.Match[str], clause: Clause, products: frozenset[int], scope: Scope, checks: Checks
) -> None:
    """What is given away must be something that the evidence gives away."""
    said = {s for s, p in _spoken(clause) if not match.start() <= p < match.end()}
    given = {s for s in said if not s.isdigit()} - clause.language.common - scope.evidence.called
    if _CODE_BEHIND.match(clause.text, match.end()) or (
        given and all(s in _CODES or _is_code(s, scope) for s in given)
    ):
        return  # "pop in VIP10" enters a code and gives nothing
    free = [e for e in scope.evidence.of(products) if _FREE & (e.label | set(e.value))]
    known = [e for e in free if said & (e.content | e.about - _FREE)]
    if known:
        checks.add("supported", quotable(known))
    elif given:
        checks.add("not_in_documents")


_FREE: Final = frozenset(["free", "gift"])
_CODES: Final = stem_set("code coupon voucher promo checkout basket discount till")


_CODE_BEHIND: Final = re.compile(
    r"\s*(?:the |that |your |this )?(?:code|coupon|voucher|promo|[a-z]{2,8}\d{1,3}\b)"
)


def _is_code(stem: str, scope: Scope) -> bool:
    return any(c.isdigit() for c in stem) and stem in scope.evidence.everything


_MODEL: Final = re.compile(
    r"(?<![a-z0-9$€£.])(?:[a-z]{1,8}-?\d{1,5}[a-z]{0,3}|\d{1,4}[a-z]{1,2}\d{0,4})(?![a-z0-9%])"
)


def _model_names(clause: Clause, scope: Scope, checks: Checks) -> None:
    """Slots that nothing stands in, and tokens of letters and digits that no document, no line
    of history and no question holds."""
    slots = {names.slot for names in scope.evidence.names} - {None}
    for slot, _ in slots_named(clause) if slots else ():
        if slot not in slots and str(slot) not in scope.evidence.heard:
            checks.add("not_in_documents")
    spans = [(q.start, q.end) for q in clause.quantities]
    for match in _MODEL.finditer(clause.text):
        inside = any(a < match.end() and match.start() < b for a, b in spans)
        ordinal = re.fullmatch(r"\d+(?:st|nd|rd|th|x|pm|am|s|号)|no\d+", match.group())
        if inside or ordinal or match.group() in scope.evidence.everything:
            continue
        if match.group().replace("-", "") not in scope.evidence.everything.replace("-", ""):
            checks.add("not_in_documents")


# --- what a clause repeats -------------------------------------------------------------------


def _repeated(clause: Clause, products: frozenset[int], evidence: Evidence) -> list[Entry]:
    """Entries in words, most of whose content the clause states."""
    heard = dict(zip(clause.stems, clause.places, strict=True))
    found: list[Entry] = []
    for entry in evidence.worded(products):
        content = entry.content
        if content.isdisjoint(heard):
            continue
        said = content & heard.keys()
        if clause.denied(min(heard[s] for s in said)):
            continue
        if _enough(entry, content, said, heard, clause):
            found.append(entry)
    return found


def _terms_told(
    entry: Entry, content: frozenset[str], said: frozenset[str], clause: Clause
) -> bool:
    """Whether the words of an entry are told without its numbers: "return postage is on us"."""
    if content & _FREE:
        return bool(_FREE & said and entry.about & clause.heard)
    terms = {s for s in content - clause.language.common if not s.isdigit()} - entry.label
    return bool(entry.label) and terms <= said and len(terms) > 1


def _enough(
    entry: Entry,
    content: frozenset[str],
    said: frozenset[str],
    heard: dict[str, int],
    clause: Clause,
) -> bool:
    if entry.quantities:
        told = all(any(same(q, known) for q in clause.quantities) for known in entry.quantities)
        return (told and about(entry, set(heard))) or _terms_told(entry, content, said, clause)
    if content & _FREE and entry.label:
        rest = content - _FREE - clause.language.common
        return bool(rest) and rest <= said
    if len(content) <= 2:
        telling = bool(entry.label & heard.keys()) or not said <= clause.language.common
        return said == content and bool(entry.label) and telling
    return len(said) >= max(2, ceil(0.6 * len(content)))
