"""Who the rows are: id, split and group of each, by number, and what two splits share."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import groupby

from lt_bench.records import Example


@dataclass(frozen=True)
class SharedGroup:
    """A group that recurs in another split: its first row of all, and its first row there."""

    name: str
    first: int
    second: int


class Roster:
    """Fed row by row. A row whose group is its own id stands alone: such groups are numbered
    anew, so that two files that both count their rows from 1 share none."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.splits: list[str] = []
        self.sizes: list[int] = []
        self.split_of, self.group_of = array("i"), array("i")
        self._split_numbers: dict[str, int] = {}
        self._group_numbers: dict[str, int] = {}
        self._groups = 0

    def open(self, split: str) -> int:
        """The number of a split, which need not have rows."""
        number = self._split_numbers.setdefault(split, len(self.splits))
        if number == len(self.splits):
            self.splits.append(split)
            self.sizes.append(0)
        return number

    def add(self, split: str, example: Example) -> int:
        """The number of the row."""
        number = self.open(split)
        self.sizes[number] += 1
        self.ids.append(example.id)
        self.split_of.append(number)
        self.group_of.append(self._group(example))
        return len(self.ids) - 1

    def _group(self, example: Example) -> int:
        number = self._groups
        if example.group != example.id:
            number = self._group_numbers.setdefault(example.group, number)
        self._groups += number == self._groups
        return number

    def shared_ids(self) -> int:
        """How many ids occur in two splits."""
        home: dict[str, int] = {}
        pairs = zip(self.ids, self.split_of, strict=True)
        return len({name for name, split in pairs if home.setdefault(name, split) != split})

    def shared_groups(self) -> list[SharedGroup]:
        """Each named group for each further split it occurs in, in the order of the rows."""
        first: dict[tuple[int, int], int] = {}
        if len(self.splits) > 1:
            for row, place in enumerate(zip(self.group_of, self.split_of, strict=True)):
                first.setdefault(place, row)
        names = {number: name for name, number in self._group_numbers.items()}
        places = sorted((group, row) for (group, _), row in first.items())
        found = []
        for group, rows in groupby(places, key=lambda place: place[0]):
            (_, home), *others = rows
            found += [SharedGroup(names[group], home, row) for _, row in others]
        return sorted(found, key=lambda shared: shared.second)
