"""Gold against its row: every document named is there, every fact stands in it, every tool is offered.

Whoever has no facts among his gold does not load what reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from lt_bench.builders.problem import RowFault
from lt_bench.errors import did_you_mean
from lt_bench.records import (
    AnswersGold,
    CallsGold,
    Document,
    Example,
    Fact,
    FactsGold,
    GoldAnswer,
    ReferenceGold,
)


def gold_faults(example: Example) -> Iterator[RowFault]:
    """What the gold of a row claims and the row does not bear out, each with its field.

    A forbidden fact may be of a property that no document holds; only its document must exist.
    """
    documents = {document.id: document for document in example.documents}
    match example.gold:
        case FactsGold() as gold:
            for role in ("required", "helpful", "forbidden"):
                for i, fact in enumerate(getattr(gold, role)):
                    yield from _of_fact(f"gold.{role}.{i}", fact, documents, role != "forbidden")
        case AnswersGold() as gold:
            named = ((f"gold.supporting.{i}", name) for i, name in enumerate(gold.supporting))
            yield from _unknown(named, documents)
        case ReferenceGold() as gold:
            yield from _unknown(((f"gold.relevance.{n}", n) for n in gold.relevance), documents)
        case CallsGold() as gold:
            yield from _of_calls(gold, example)
            if gold.answer:
                yield from _of_answer(gold.answer)


def _of_calls(gold: CallsGold, example: Example) -> Iterator[RowFault]:
    """Calls of tools that the row offers, and none where nothing is to be called."""
    functions = (tool.get("function", tool) for tool in example.tools)
    known = {one.get("name") for one in functions if isinstance(one, dict)}
    if gold.calls and gold.type != "call":
        message = f"{gold.type!r} says that nothing is called, and calls has {len(gold.calls)}"
        yield RowFault("gold.type", message, 'write "call", or take the calls out')
    for i, call in enumerate(gold.calls):
        if call.name not in known:
            there = ", ".join(sorted(map(str, known))[:12]) or "none"
            near = did_you_mean(call.name, map(str, known))
            yield RowFault(
                f"gold.calls.{i}.name",
                f"the row has no tool {call.name!r}.{near}",
                f"its tools: {there}",
            )


def _of_answer(answer: GoldAnswer) -> Iterator[RowFault]:
    """What no reply at all could meet."""
    for i, entry in enumerate(answer.must_include):
        field = f"gold.answer.must_include.{i}"
        if not entry.strip():
            yield RowFault(field, "is empty, and no reply holds it", "take it out")
        elif entry in answer.must_not_include:
            yield RowFault(field, f"{entry!r} is in must_not_include too", "take one of them out")


def _unknown(
    named: Iterable[tuple[str, str]], documents: dict[str, Document]
) -> Iterator[RowFault]:
    for field, name in named:
        if name not in documents:
            known = ", ".join(list(documents)[:12]) or "none"
            near = did_you_mean(name, documents)
            fix = f"name a document of this row ({known}), or add it to documents"
            yield RowFault(field, f"the row has no document {name!r}.{near}", fix)


def _of_fact(
    field: str, fact: Fact, documents: dict[str, Document], documented: bool
) -> Iterator[RowFault]:
    from lt_bench.claims.paths import MISSING, value_at

    if fact.document not in documents:
        yield from _unknown([(f"{field}.document", fact.document)], documents)
    elif documented:
        found = value_at(documents[fact.document], fact.path)
        if found is MISSING:
            yield _no_such_path(f"{field}.path", fact, documents[fact.document])
        elif isinstance(found, dict | list):
            yield _not_one_value(f"{field}.path", fact, found)
        elif not _stands(fact, found):
            yield _other_value(f"{field}.value", fact, found)


def _stands(fact: Fact, found: Any) -> bool:
    """Whether the value is the one found, or within the text for path "text". A yes or no about
    a text is a person's reading of it, so that it always may."""
    value = fact.value
    if fact.path == "text":
        return isinstance(value, bool) or _in_text(value, found)
    if isinstance(value, bool) or isinstance(found, bool):
        return value is found
    if isinstance(value, str):
        return isinstance(found, str) and (value == found or _plain(value) == _plain(found))
    return value in (found, _number(found))


def _in_text(value: str | float, text: str) -> bool:
    from lt_bench.claims.numbers import scan
    from lt_bench.claims.wording import fold

    if isinstance(value, str):
        return value in text or _plain(value) in _plain(text)
    return any(quantity.value == value for quantity in scan(fold(text)))


def _plain(text: str) -> str:
    from lt_bench.claims.wording import fold

    return " ".join(fold(text).split())


def _number(found: Any) -> float | None:
    """schema.org allows a price or a value to be written as text: "129.00"."""
    try:
        return float(found)
    except (TypeError, ValueError, OverflowError):
        return None


def _no_such_path(field: str, fact: Fact, document: Document) -> RowFault:
    paths = [*_leaves(document.product, ""), "text"]
    message = f"{fact.path!r} leads nowhere in document {document.id!r}."
    near = did_you_mean(fact.path, paths)
    return RowFault(field, message + near, f"its paths: {_few(paths)}")


def _not_one_value(field: str, fact: Fact, found: Any) -> RowFault:
    message = f"{fact.path!r} of document {fact.document!r} is not one value but a group of them"
    return RowFault(field, message, f"go on to one of {_few(list(_leaves(found, fact.path)))}")


def _other_value(field: str, fact: Fact, found: Any) -> RowFault:
    where = f"{fact.path!r} of document {fact.document!r}"
    if fact.path == "text":
        message = f"{fact.value!r} does not stand in {where}"
        return RowFault(field, message, "copy the words as the text has them; others go to accept")
    message = f"{fact.value!r} is not what stands at {where}: {_short(found)}"
    return RowFault(field, message, "write the value that stands there; wordings go to accept")


def _short(found: Any) -> str:
    shown = repr(found)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _few(paths: list[str]) -> str:
    return ", ".join(paths[:8]) + (", ..." if len(paths) > 8 else "")


_NO_FACTS: Final = frozenset({"@type", "@context", "unitText", "unitCode", "priceCurrency"})


def _leaves(node: Any, path: str, depth: int = 0) -> Iterator[str]:
    """The paths of the single values below a node, as a fact would name them."""
    if isinstance(node, dict) and depth < 8:
        for key, value in node.items():
            if key not in _NO_FACTS:
                yield from _leaves(value, f"{path}.{key}" if path else str(key), depth + 1)
    elif isinstance(node, list) and depth < 8:
        for i, value in enumerate(node[:50]):
            name = value.get("name") if isinstance(value, dict) else None
            step = f"[name={name}]" if isinstance(name, str) and "]" not in name else f"[{i}]"
            yield from _leaves(value, path + step, depth + 1)
    elif path and node is not None:
        yield path
