"""Which call answers which gold call: at most one each, as many as can be.

A call answers a gold call when it has its name and its arguments, values compared as the Berkeley
checker does. Gold calls in strict order are answered in that order; other calls may stand between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from lt_bench.records import CallsGold, GoldCall, ToolCall
from lt_bench.scorers.tools.assignment import assign
from lt_bench.scorers.tools.bfcl import Parameters, argument_fault, arguments_of, call_fault
from lt_bench.scorers.tools.values import plain


class Share(NamedTuple):
    """`right` of `of`."""

    right: int
    of: int


class Matching:
    """The calls of a whole dialogue beside the gold calls of its row."""

    def __init__(
        self, calls: Sequence[ToolCall], gold: CallsGold, tools: Mapping[str, Parameters]
    ) -> None:
        self.calls, self.gold, self._tools = calls, gold, tools

    @cached_property
    def matched(self) -> int:
        """How many gold calls are answered."""
        fits = [
            [place for place, call in enumerate(self.calls) if self._fits(call, gold)]
            for gold in self.gold.calls
        ]
        return _in_order(fits) if self.gold.order == "strict" else _most(fits)

    def _fits(self, call: ToolCall, gold: GoldCall) -> bool:
        return call_fault(call, gold, self._tools) is None

    @property
    def precision(self) -> float:
        """Share of the calls that answer a gold call; 0 without calls."""
        return self.matched / len(self.calls) if self.calls else 0.0

    @property
    def recall(self) -> float:
        """Share of the gold calls that are answered; 0 without any."""
        return self.matched / len(self.gold.calls) if self.gold.calls else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of both; 1 where nothing is wanted and nothing called."""
        total = len(self.calls) + len(self.gold.calls)
        return 2 * self.matched / total if total else 1.0

    @property
    def over(self) -> bool:
        """Whether some tool is called more often than gold calls it."""
        wanted = Counter(gold.name for gold in self.gold.calls)
        return bool(Counter(call.name for call in self.calls) - wanted)

    @property
    def under(self) -> bool:
        """Whether some tool is called less often than gold calls it."""
        called = Counter(call.name for call in self.calls)
        return bool(Counter(gold.name for gold in self.gold.calls) - called)

    @property
    def arguments(self) -> Share:
        """Gold arguments that are right, of those of all gold calls with a call of their name. Each has
        one call; several of one name are laid side by side so that most is right."""
        right = of = 0
        for name in dict.fromkeys(gold.name for gold in self.gold.calls):
            wanted = [gold for gold in self.gold.calls if gold.name == name]
            called = [call for call in self.calls if call.name == name]
            if not called:
                continue
            shares = [[self._share(call, gold) for call in called] for gold in wanted]
            for row, column in assign([[share.right for share in row] for row in shares]):
                right += shares[row][column].right
                of += shares[row][column].of
        return Share(right, of)

    def _share(self, call: ToolCall, gold: GoldCall) -> Share:
        """An optional argument that is left out does not count."""
        schema, given = self._tools.get(gold.name, {}), call.arguments
        counted = [
            name for name in arguments_of(gold) if name in given or name not in gold.optional
        ]
        right = (
            name in given and argument_fault(name, given[name], gold, schema) is None
            for name in counted
        )
        return Share(sum(right), len(counted))


def relates(call: ToolCall, gold: CallsGold) -> bool:
    """Whether a call has to do with what gold calls: it is to one of its tools, or has a text (an id, a
    code, a name) among its arguments that gold has too."""
    if any(call.name == one.name for one in gold.calls):
        return True
    wanted = {text for one in gold.calls for text in _texts([one.arguments, one.accept])}
    return not wanted.isdisjoint(_texts(call.arguments))


def _texts(value: Any) -> Iterator[str]:
    """The texts in a value, as they are compared; one of marks alone is none."""
    if isinstance(value, str):
        yield from filter(None, (plain(value),))
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)


def _in_order(fits: Sequence[Sequence[int]]) -> int:
    """The longest run of gold calls that calls answer in their order. `ends` holds the earliest call
    at which so many can have been answered."""
    ends: list[int] = []
    for places in fits:
        kept = list(ends)
        for length in range(len(kept), -1, -1):
            after = kept[length - 1] if length else -1
            first = next((place for place in places if place > after), None)
            if first is None:
                continue
            if length == len(ends):
                ends.append(first)
            else:
                ends[length] = min(ends[length], first)
    return len(ends)


def _most(fits: Sequence[Sequence[int]]) -> int:
    """The size of a largest matching (augmenting paths, Kuhn 1955)."""
    taken: dict[int, int] = {}

    def place(gold: int, seen: set[int]) -> bool:
        for call in fits[gold]:
            if call not in seen:
                seen.add(call)
                if call not in taken or place(taken[call], seen):
                    taken[call] = gold
                    return True
        return False

    return sum(place(gold, set()) for gold in range(len(fits)))
