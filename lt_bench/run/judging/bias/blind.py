"""Blind control: the evidence taken away. A judge that reads can then hardly say yes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lt_bench.records import BiasFigure, BiasProbe, Labelled, Sway
from lt_bench.run.judging.bias import sway
from lt_bench.run.judging.bias.answers import silences, yes
from lt_bench.run.judging.bias.choosing import abstains, answerable, first, label
from lt_bench.run.judging.bias.paired import Pair, moved, rate
from lt_bench.run.judging.bias.trial import (
    NotApplicable,
    Probe,
    Seen,
    Setting,
    Trial,
    with_documents,
)

NAME = "blind"


def blind_probe(setting: Setting) -> Probe:
    """The probe; rules check gold facts and need no documents for them."""
    if setting.rules:
        return NotApplicable(
            NAME, "Rules read the gold facts of a row, with its documents or without."
        )
    return BlindProbe(setting)


@dataclass(frozen=True, eq=False)
class Blinded:
    """One reply that people call right, with all evidence and with none."""

    plain: Trial
    blind: Trial

    @property
    def row(self) -> Labelled:
        """The row as it was."""
        return self.plain.row


class BlindProbe:
    """Of the replies that people and the judge call right, how many it still calls right without
    documents and without the dialogue before the question. Replies that abstain are left out:
    without evidence they would be right."""

    name = NAME

    def __init__(self, setting: Setting) -> None:
        self.metrics = setting.metrics
        rows = first(setting.rows, setting.limit, lambda row: _states(row, setting.metrics))
        self.replies = [Blinded(Trial(row), Trial(_without_evidence(row))) for row in rows]

    @property
    def trials(self) -> Sequence[Trial]:
        """Every reply with evidence and without."""
        return [trial for one in self.replies for trial in (one.plain, one.blind)]

    def read(self, seen: Seen) -> BiasProbe:
        """What is left of the yes."""
        figures = [figure for metric in self.metrics for figure in self._figures(seen, metric)]
        scores = [seen.of(trial, metric) for trial in self.trials for metric in self.metrics]
        return BiasProbe(
            name=NAME,
            word=sway.of_figures(figures),
            sentence=" ".join(map(_told, (f for f in figures if f.word))) or _NONE,
            margin=sway.BLIND,
            rows=len(self.replies),
            judgements=len(scores),
            unscored=silences(scores),
            figures=tuple(figures),
        )

    def _figures(self, seen: Seen, metric: str) -> Iterator[BiasFigure]:
        rows = [one for one in self.replies if label(one.row, metric) is True]
        if not rows:
            return
        found = moved(
            [
                Pair(
                    one.row.id,
                    one.row.example.group,
                    yes(seen.of(one.plain, metric)),
                    yes(seen.of(one.blind, metric)),
                )
                for one in rows
            ]
        )
        yield BiasFigure(
            name="right replies",
            metric=metric,
            share=found.after,
            control=found.before,
            difference=found.difference,
            gained=found.gained,
            lost=found.lost,
            p_value=found.p_value,
        )
        kept = rate(
            [
                (one.row.id, one.row.example.group, yes(seen.of(one.blind, metric)))
                for one in rows
                if yes(seen.of(one.plain, metric)).value == 1.0
            ]
        )
        word = sway.of_share(kept, margin=sway.BLIND, floor=sway.BLIND)
        yield BiasFigure(name="of its own yes", metric=metric, share=kept, word=word)


def _states(row: Labelled, metrics: Sequence[str]) -> bool:
    """Whether a reply that people call right states something that the documents hold."""
    right = any(label(row, metric) is True for metric in metrics)
    evident = bool(row.example.documents) and (row.example.gold is None or answerable(row))
    return right and evident and not abstains(row.reply)


def _without_evidence(row: Labelled) -> Labelled:
    bare = with_documents(row, ())
    return bare.model_copy(update={"example": bare.example.model_copy(update={"history": ()})})


_NONE = "People call no reply right that states something from documents: nothing to take away."


def _told(figure: BiasFigure) -> str:
    if figure.share.value is None:
        return f"The judge gave no yes on {figure.metric} that could outlive the documents."
    meaning: dict[Sway, str] = {
        "sways": "most of its yes needs no evidence",
        "steady": "it reads",
    }
    said = meaning.get(figure.word or "unclear", "too few replies to tell")
    return (
        f"Without any document {sway.percent(figure.share.value)} of its yes on {figure.metric} "
        f"stands{sway.between(figure.share)}: {said}."
    )
