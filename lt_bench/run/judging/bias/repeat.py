"""Repeat stability: the same request again, under other seeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lt_bench.records import BiasFigure, BiasProbe, Labelled
from lt_bench.run.judging.bias import sway
from lt_bench.run.judging.bias.answers import Answer, flipped, silences
from lt_bench.run.judging.bias.paired import rate
from lt_bench.run.judging.bias.trial import NotApplicable, Probe, Seen, Setting, Trial

NAME = "repeat"
REPEATS = 3
"""How often each reply is judged again."""


def again(row: Labelled, times: int) -> tuple[Trial, ...]:
    """The same question under `times` other seeds."""
    return tuple(Trial(row, draw) for draw in range(1, times + 1))


def repeat_probe(setting: Setting) -> Probe:
    """The probe; rules have no seed."""
    if setting.rules:
        return NotApplicable(NAME, "Rules draw nothing: asked again they say the same.")
    return RepeatProbe(setting)


class RepeatProbe:
    """How many verdicts flip when nothing changes but the seed."""

    name = NAME

    def __init__(self, setting: Setting) -> None:
        self.metrics = setting.metrics
        self.asked = {
            row.id: (Trial(row), *again(row, REPEATS)) for row in setting.rows[: setting.limit]
        }

    @property
    def trials(self) -> Sequence[Trial]:
        """Every reply, once and again."""
        return [trial for trials in self.asked.values() for trial in trials]

    def read(self, seen: Seen) -> BiasProbe:
        """Share of flips, and of replies on which all verdicts agree."""
        figures = [self._figure(seen, metric) for metric in self.metrics]
        scores = [seen.of(trial, metric) for trial in self.trials for metric in self.metrics]
        return BiasProbe(
            name=NAME,
            word=sway.of_figures(figures),
            sentence=" ".join(map(_told, figures)),
            margin=sway.MARGIN,
            rows=len(self.asked),
            judgements=len(scores),
            unscored=silences(scores),
            figures=tuple(figures),
        )

    def _figure(self, seen: Seen, metric: str) -> BiasFigure:
        flips = rate(list(self._flips(seen, metric)))
        unanimous = rate(
            [
                (trials[0].row.id, trials[0].row.example.group, _agree(seen, metric, trials))
                for trials in self.asked.values()
            ]
        )
        return BiasFigure(
            name="asked again",
            metric=metric,
            share=flips,
            also={"unanimous": unanimous},
            word=sway.of_share(flips),
        )

    def _flips(self, seen: Seen, metric: str) -> Iterator[tuple[str, str, Answer]]:
        for plain, *others in self.asked.values():
            for other in others:
                flip = flipped(seen.of(plain, metric), seen.of(other, metric))
                yield plain.row.id, plain.row.example.group, flip


def _agree(seen: Seen, metric: str, trials: Sequence[Trial]) -> Answer:
    """Whether all verdicts on a reply are the same; silent where one of them is."""
    plain = seen.of(trials[0], metric)
    flips = [flipped(plain, seen.of(other, metric)) for other in trials[1:]]
    silent = next((flip for flip in flips if flip.value is None), None)
    return silent or Answer(float(not any(flip.value for flip in flips)))


def _told(figure: BiasFigure) -> str:
    unanimous = figure.also["unanimous"]
    if figure.share.value is None:
        return f"{figure.metric}: the judge gave no verdict to compare."
    meaning = {
        "sways": "a single verdict is a draw, take votes",
        "steady": "once is enough",
        "unclear": "too few replies to tell",
    }[figure.word or "unclear"]
    agreed = "" if unanimous.value is None else f"; {sway.percent(unanimous.value)} are unanimous"
    return (
        f"Asked {REPEATS} times more under other seeds, {sway.percent(figure.share.value)} of the "
        f"verdicts on {figure.metric} flip{agreed}: {meaning}."
    )
