"""Length at equal facts: the same reply padded, or said again, up to three times as long."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lt_bench.records import BiasFigure, BiasProbe, Estimate, Labelled, Sway
from lt_bench.run.judging.bias import sway
from lt_bench.run.judging.bias.answers import mean, silences, yes
from lt_bench.run.judging.bias.choosing import first, label
from lt_bench.run.judging.bias.padding import FACTORS, KINDS, Kind, padded
from lt_bench.run.judging.bias.paired import Moved, Pair, moved, rate
from lt_bench.run.judging.bias.trial import Seen, Setting, Trial, with_reply
from lt_bench.run.judging.bias.worth import Earned, Priced, price_of_length, worth_of_a_point
from lt_bench.stats import Observation, estimate

NAME = "length"
LONGEST = max(FACTORS)
PRICE, WORTH = "price_of_length", "worth_of_a_point"


@dataclass(frozen=True, eq=False)
class Padded:
    """One reply as it was, and each way of making it longer."""

    plain: Trial
    longer: dict[tuple[Kind, int], Trial]

    @property
    def row(self) -> Labelled:
        """The row as it was."""
        return self.plain.row

    def doublings(self, kind: Kind, factor: int) -> float:
        """How often its length was doubled, in characters."""
        longer = len(self.longer[kind, factor].row.reply)
        return math.log2(longer / len(self.row.reply.strip()))


class LengthProbe:
    """Whether the same facts at greater length are called right more or less often."""

    name = NAME

    def __init__(self, setting: Setting) -> None:
        rows = first(setting.rows, setting.limit, lambda row: _pads(row.reply))
        self.metrics = setting.metrics
        self.replies = [_padded(row) for row in rows]

    @property
    def trials(self) -> Sequence[Trial]:
        """Every reply as it was and in each longer form."""
        return [trial for one in self.replies for trial in (one.plain, *one.longer.values())]

    def read(self, seen: Seen) -> BiasProbe:
        """The length table of every metric, the price of length, and the worth of a point."""
        also: dict[str, Estimate] = {}
        figures: list[BiasFigure] = []
        for metric in self.metrics:
            also[f"{PRICE}:{metric}"] = price = self._price(seen, metric)
            also[f"{WORTH}:{metric}"] = self._worth(seen, metric)
            figures += self._figures(seen, metric, price)
        scores = [seen.of(trial, metric) for trial in self.trials for metric in self.metrics]
        return BiasProbe(
            name=NAME,
            word=sway.of_figures(figures),
            sentence=_sentence(figures, also),
            margin=sway.MARGIN,
            rows=len(self.replies),
            judgements=len(scores),
            unscored=silences(scores),
            figures=tuple(figures),
            also=also,
        )

    def _figures(self, seen: Seen, metric: str, price: Estimate) -> Iterator[BiasFigure]:
        """As it was; each way at each factor; and both ways together at the longest, which decides."""
        yield BiasFigure(
            name="as it was",
            metric=metric,
            share=rate(
                [(p.row.id, p.row.example.group, yes(seen.of(p.plain, metric)))
                 for p in self.replies]
            ),
            also={"characters": _characters([p.row for p in self.replies])},
        )  # fmt: skip
        for kind in KINDS:
            for factor in FACTORS:
                found = moved(
                    [self._pair(seen, metric, p, ((kind, factor),)) for p in self.replies]
                )
                rows = [p.longer[kind, factor].row for p in self.replies]
                yield _figure(f"{kind} x{factor}", metric, found, None).model_copy(
                    update={"also": {
                        "characters": _characters(rows),
                        "adjusted": self._adjusted(found, price, kind, factor),
                    }}
                )  # fmt: skip
        both = tuple((kind, LONGEST) for kind in KINDS)
        found = moved([self._pair(seen, metric, p, both) for p in self.replies])
        word = sway.of_difference(found.difference)
        yield _figure(f"both x{LONGEST}", metric, found, word)

    def _pair(
        self, seen: Seen, metric: str, one: Padded, forms: Sequence[tuple[Kind, int]]
    ) -> Pair:
        after = [yes(seen.of(one.longer[form], metric)) for form in forms]
        silent = next((answer for answer in after if answer.value is None), None)
        return Pair(
            one.row.id,
            one.row.example.group,
            yes(seen.of(one.plain, metric)),
            silent or mean(after),
        )

    def _adjusted(self, found: Moved, price: Estimate, kind: Kind, factor: int) -> Estimate:
        """The share with what length buys at its price taken off."""
        share = found.after
        if share.value is None or price.value is None:
            return share
        doublings = [one.doublings(kind, factor) for one in self.replies]
        value = share.value - price.value * math.fsum(doublings) / len(doublings)
        return Estimate(
            value=value, low=None, high=None, n=share.n, unscored=share.unscored,
            method="less the price of its length",
        )  # fmt: skip

    def _price(self, seen: Seen, metric: str) -> Estimate:
        found = []
        for one in self.replies:
            before = yes(seen.of(one.plain, metric)).value
            for (kind, factor), trial in one.longer.items():
                after = yes(seen.of(trial, metric)).value
                if before is not None and after is not None:
                    doublings = one.doublings(kind, factor)
                    found.append(Priced(one.row.example.group, doublings, after - before))
        return price_of_length(found)

    def _worth(self, seen: Seen, metric: str) -> Estimate:
        found = []
        for one in self.replies:
            deserved, before = label(one.row, metric), yes(seen.of(one.plain, metric)).value
            after = mean(yes(seen.of(one.longer[kind, LONGEST], metric)) for kind in KINDS).value
            if deserved is not None and before is not None and after is not None:
                found.append(Earned(one.row.example.group, deserved, before, after))
        return worth_of_a_point(found)


def _pads(reply: str) -> bool:
    return padded(reply, "filler", LONGEST) is not None


def _padded(row: Labelled) -> Padded:
    forms = {
        (kind, factor): padded(row.reply, kind, factor) for kind in KINDS for factor in FACTORS
    }
    longer = {form: Trial(with_reply(row, text)) for form, text in forms.items() if text}
    return Padded(Trial(row), longer)


def _figure(name: str, metric: str, found: Moved, word: Sway | None) -> BiasFigure:
    return BiasFigure(
        name=name,
        metric=metric,
        share=found.after,
        control=found.before,
        difference=found.difference,
        gained=found.gained,
        lost=found.lost,
        p_value=found.p_value,
        word=word,
    )


def _characters(rows: Sequence[Labelled]) -> Estimate:
    lengths = [
        Observation(row.id, row.example.group, float(len(row.reply.strip()))) for row in rows
    ]
    return estimate(lengths, unit="characters")


def _sentence(figures: Sequence[BiasFigure], also: dict[str, Estimate]) -> str:
    told = [_told(figure, also) for figure in figures if figure.word]
    return " ".join(told) if told else "No reply could be padded: none is in English or Chinese."


def _told(figure: BiasFigure, also: dict[str, Estimate]) -> str:
    """What three times the length does to one metric, and what is left of a point of it."""
    difference = figure.difference
    if difference is None or difference.value is None:
        return f"{figure.metric}: the judge gave no verdict to compare."
    interval = sway.between(difference)
    said = f"The same facts at {LONGEST} times the length"
    if figure.word == "sways":
        more = "more" if difference.value > 0 else "less"
        said += f" get {sway.points(difference.value)} of {figure.metric} {more}{interval}"
    elif figure.word == "steady":
        said += f" move {figure.metric} by no more than the margin{interval}"
    else:
        said += f" may or may not move {figure.metric}{interval}: too few replies to tell"
    worth = also[f"{WORTH}:{figure.metric}"].value
    left = "" if worth is None else f"; a point of it is worth {worth:.2f} beyond its length"
    if figure.control is not None and figure.control.value in (0.0, 1.0):
        same = "right" if figure.control.value else "wrong"
        left += f"; it calls all of these replies {same} to begin with"
    return f"{said}{left}."
