"""Order of the documents: reversed and shuffled, against the judge's own unrest."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lt_bench.records import BiasFigure, BiasProbe, Document, Labelled
from lt_bench.run.judging.bias import sway
from lt_bench.run.judging.bias.answers import Answer, flipped, mean, silences
from lt_bench.run.judging.bias.choosing import first
from lt_bench.run.judging.bias.paired import Pair, moved, rate
from lt_bench.run.judging.bias.repeat import REPEATS, again
from lt_bench.run.judging.bias.trial import Seen, Setting, Trial, with_documents

NAME = "order"
REVERSED, SHUFFLED = "reversed", "shuffled"


@dataclass(frozen=True, eq=False)
class Reordered:
    """One reply with its documents in several orders, and asked again in the first one."""

    plain: Trial
    orders: dict[str, Trial]
    again: tuple[Trial, ...]

    @property
    def row(self) -> Labelled:
        """The row as it was."""
        return self.plain.row

    @property
    def trials(self) -> Iterator[Trial]:
        """All of them."""
        yield self.plain
        yield from self.orders.values()
        yield from self.again


class OrderProbe:
    """Whether verdicts hang on which document comes first. A judge that also changes its mind when
    asked the same again is not swayed by order: what counts is how many more verdicts flip."""

    name = NAME

    def __init__(self, setting: Setting) -> None:
        rows = first(setting.rows, setting.limit, lambda row: len(row.example.documents) > 1)
        self.metrics, self.rules = setting.metrics, setting.rules
        self.replies = [_reordered(row, setting.rules) for row in rows]

    @property
    def trials(self) -> Sequence[Trial]:
        """Every reply in every order, and again."""
        return [trial for one in self.replies for trial in one.trials]

    def read(self, seen: Seen) -> BiasProbe:
        """The flips of every order, and what they exceed those of asking again by."""
        figures = [figure for metric in self.metrics for figure in self._figures(seen, metric)]
        scores = [seen.of(trial, metric) for trial in self.trials for metric in self.metrics]
        return BiasProbe(
            name=NAME,
            word=sway.of_figures(figures),
            sentence=self._sentence(figures),
            margin=sway.MARGIN,
            rows=len(self.replies),
            judgements=len(scores),
            unscored=silences(scores),
            figures=tuple(figures),
        )

    def _figures(self, seen: Seen, metric: str) -> Iterator[BiasFigure]:
        for order in (REVERSED, SHUFFLED):
            flips = [
                (one.row.id, one.row.example.group, _flip(seen, metric, one, one.orders[order]))
                for one in self.replies
                if order in one.orders
            ]
            if flips:
                yield BiasFigure(name=order, metric=metric, share=rate(flips))
        pairs = [
            Pair(
                one.row.id,
                one.row.example.group,
                _flips(seen, metric, one, one.again) if one.again else Answer(0.0),
                _flips(seen, metric, one, tuple(one.orders.values())),
            )
            for one in self.replies
        ]
        found = moved(pairs)
        yield BiasFigure(
            name="beyond asking again",
            metric=metric,
            share=found.after,
            control=found.before,
            difference=found.difference,
            word=sway.of_difference(found.difference, upwards=True),
        )

    def _sentence(self, figures: Sequence[BiasFigure]) -> str:
        if not self.replies:
            return "No reply has two documents."
        return " ".join(self._told(figure) for figure in figures if figure.word)

    def _told(self, figure: BiasFigure) -> str:
        if figure.share.value is None or figure.difference is None:
            return f"{figure.metric}: the judge gave no verdict to compare."
        flips = f"{sway.percent(figure.share.value)} of the verdicts on {figure.metric} flip"
        noise = (
            ""
            if self.rules or figure.control is None or figure.control.value is None
            else f", against {sway.percent(figure.control.value)} when it is only asked again"
        )
        meaning = {
            "sways": "what stands first counts",
            "steady": "the order does not matter",
            "unclear": "too few replies to tell",
        }[figure.word or "unclear"]
        return f"In another order of the documents {flips}{noise}: {meaning}."


def _reordered(row: Labelled, rules: bool) -> Reordered:
    documents = row.example.documents
    orders = {REVERSED: documents[::-1]}
    if len(documents) > 2:
        orders[SHUFFLED] = _shuffled(documents, row.id)
    trials = {name: Trial(with_documents(row, order)) for name, order in orders.items()}
    return Reordered(Trial(row), trials, () if rules else again(row, REPEATS))


def _shuffled(documents: tuple[Document, ...], seed: str) -> tuple[Document, ...]:
    """An order that is neither the first nor its reverse, the same every time."""
    places = list(range(len(documents)))
    draw = random.Random(seed)
    order = places[1:] + places[:1]
    for _ in range(20):
        draw.shuffle(places)
        if places not in (sorted(places), sorted(places, reverse=True)):
            order = list(places)
            break
    return tuple(documents[place] for place in order)


def _flip(seen: Seen, metric: str, one: Reordered, other: Trial) -> Answer:
    return flipped(seen.of(one.plain, metric), seen.of(other, metric))


def _flips(seen: Seen, metric: str, one: Reordered, others: Sequence[Trial]) -> Answer:
    return mean(_flip(seen, metric, one, other) for other in others)
