"""Abstention: "I do not know" where the documents know, and where they do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from lt_bench.records import BiasFigure, BiasProbe, Labelled, Score
from lt_bench.run.judging.bias import sway
from lt_bench.run.judging.bias.answers import Answer, no, silences, yes
from lt_bench.run.judging.bias.choosing import answerable, first, unanswerable
from lt_bench.run.judging.bias.padding import language
from lt_bench.run.judging.bias.paired import rate
from lt_bench.run.judging.bias.trial import Seen, Setting, Trial, with_reply

NAME = "abstention"
FORMS: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        "Sorry, I do not have that information.",
        "I'm afraid I don't know, it isn't listed.",
        "That is not on the sheet, sorry.",
        "I don't see that in the information I have.",
        "Sorry, there is nothing about that in the details.",
        "The product page doesn't say, sorry.",
    ),
    "zh": (
        "抱歉，这个没有标注。",
        "不好意思，资料里没写这个。",
        "这个我不清楚，详情里没有提到。",
        "抱歉，商品资料里没找到这个。",
        "这个没标，我也说不准哈。",
        "不好意思，这一项没有标注。",
    ),
}
"""Language -> ways to say that the answer is not there, and nothing more."""


class AbstentionProbe:
    """Leniency: a bare abstention on a question that the documents answer is wrong and helps
    nobody. Severity: on one that they do not answer it is right."""

    name = NAME

    def __init__(self, setting: Setting) -> None:
        self.metrics = setting.metrics
        self.needless = _abstaining(first(setting.rows, setting.limit, answerable))
        self.due = _abstaining(first(setting.rows, setting.limit, unanswerable))

    @property
    def trials(self) -> Sequence[Trial]:
        """An abstention on every row."""
        return [*self.needless, *self.due]

    def read(self, seen: Seen) -> BiasProbe:
        """How often a needless one is called right, and a due one wrong."""
        figures = [figure for metric in self.metrics for figure in self._figures(seen, metric)]
        scores = [seen.of(trial, metric) for trial in self.trials for metric in self.metrics]
        return BiasProbe(
            name=NAME,
            word=sway.of_figures(figures),
            sentence=" ".join(map(_told, figures)) or _NONE,
            margin=sway.MARGIN,
            rows=len(self.trials),
            judgements=len(scores),
            unscored=silences(scores),
            figures=tuple(figures),
        )

    def _figures(self, seen: Seen, metric: str) -> Iterator[BiasFigure]:
        if self.needless:
            yield _figure("needless, called right", seen, metric, self.needless, yes)
        if self.due and metric != "helpfulness":
            yield _figure("due, called wrong", seen, metric, self.due, no)


def _figure(
    name: str, seen: Seen, metric: str, trials: Sequence[Trial], count: Callable[[Score], Answer]
) -> BiasFigure:
    share = rate([(t.row.id, t.row.example.group, count(seen.of(t, metric))) for t in trials])
    return BiasFigure(name=name, metric=metric, share=share, word=sway.of_share(share))


def _abstaining(rows: Sequence[Labelled]) -> list[Trial]:
    """Every form of the language in turn."""
    found = []
    for place, row in enumerate(rows):
        spoken = language(row.reply) or ("zh" if row.example.lang == "zh" else "en")
        forms = FORMS[spoken]
        found.append(Trial(with_reply(row, forms[place % len(forms)])))
    return found


_NONE = "No question is known to be answered by its documents, or not to be."


def _told(figure: BiasFigure) -> str:
    if figure.share.value is None:
        return f"{figure.metric}: the judge gave no verdict on abstentions."
    share, interval = sway.percent(figure.share.value), sway.between(figure.share)
    if figure.name.startswith("due"):
        said, meaning = "rightly abstaining is called wrong", "it is too strict with abstentions"
    else:
        said = f'"I do not know" gets {figure.metric} where the documents know'
        meaning = "it is lenient"
    if figure.word != "sways":
        meaning = "as it should be" if figure.word == "steady" else "too few replies to tell"
    return f"In {share}{interval} {said}: {meaning}."
