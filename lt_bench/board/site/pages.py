"""The pages of a board from their templates. Whatever a model, a file or a person wrote is text there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup, escape

from lt_bench.board.model import Board, Column, Entry
from lt_bench.board.site import figures
from lt_bench.board.site.ablations import ablations
from lt_bench.board.site.glossary import MEANS
from lt_bench.board.site.lengths import HEIGHT, WIDTH, areas
from lt_bench.board.site.metrics import metric_rows
from lt_bench.board.site.reported import papers
from lt_bench.board.site.rivals import Rivals
from lt_bench.board.site.sliced import sliced
from lt_bench.board.site.table import Footnotes, kind, leaders, lines
from lt_bench.plain import printable
from lt_bench.records import Estimate
from lt_bench.units import SHOWN
from lt_bench.webpage import policy

if TYPE_CHECKING:
    from jinja2 import Environment, Template

TEMPLATES: Final = files("lt_bench.board.site") / "templates"
_WEB: Final = re.compile(r"https?://[^\s/]+\S*", re.IGNORECASE)


class Pages:
    """Renders the pages of one board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.runs = [entry for entry in board.entries if entry.reported is None]

    @cached_property
    def _environment(self) -> Environment:
        from jinja2 import Environment, FunctionLoader, StrictUndefined

        environment = Environment(
            loader=FunctionLoader(lambda name: (TEMPLATES / name).read_text(encoding="utf-8")),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=_shown,
            keep_trailing_newline=True,
        )
        environment.globals.update(
            board=self.board,
            policy=policy(scripts=True, files=True),
            f=figures,
            kind=kind,
            soft=soft,
            unit=unit,
            web=web,
            figure_of=figure_of,
            headings={column.name: heading(column) for column in self.board.metrics},
            names={entry.id: name_of(entry) for entry in self.board.entries},
            means=MEANS,
            size=(WIDTH, HEIGHT),
        )
        return environment

    def index(self) -> str:
        """The page with the table and the plots."""
        footnotes = Footnotes()
        ranked = [entry for entry in self.runs if not entry.kept_apart]
        apart = [entry for entry in self.runs if entry.kept_apart]
        return self._environment.get_template("index.html.jinja").render(
            root="",
            lines=lines(self.board, ranked, footnotes),
            apart=lines(self.board, apart),
            footnotes=footnotes.numbers,
            kinds=list(dict.fromkeys(map(kind, self.board.shown))),
            papers=list(papers(self.board)),
            ablations=list(ablations(self.board)),
            lengths=self._lengths,
            sliced=bool(self.board.slices),
            leaders=list(leaders(self.board, ranked)),
            costs=list(dict.fromkeys(pareto.cost for pareto in self.board.paretos)),
            fronts=self._fronts,
            undrawn=list(self._undrawn(ranked)),
            compared=[entry for entry in ranked if entry.id in self._rivals.tested],
        )

    def model(self, entry: Entry) -> str:
        """The page of one run."""
        return self._model.render(
            root="../",
            entry=entry,
            metrics=list(metric_rows(self.board, entry, self._soft)),
            fronts=self._fronts.get(entry.id, []),
            rivals=self._rivals.of(entry),
            slices=self._slices.get(entry.id, []),
            length=self._lengths.by_entry.get(entry.id),
            lengths=self._lengths,
        )

    def _undrawn(self, ranked: Sequence[Entry]) -> Iterator[tuple[str, list[Entry]]]:
        """Each cost, and the entries that stand in no plot of it."""
        drawn: dict[str, set[str]] = {}
        for one in self.board.paretos:
            drawn.setdefault(one.cost, set()).update(one.front, one.beaten)
        for cost, there in drawn.items():
            if absent := [entry for entry in ranked if entry.id not in there]:
                yield cost, absent

    @cached_property
    def _model(self) -> Template:
        return self._environment.get_template("model.html.jinja")

    @cached_property
    def _soft(self) -> dict[str, Markup]:
        return {column.name: soft(column.name) for column in self.board.metrics}

    @cached_property
    def _lengths(self) -> Any:
        return areas(self.board)

    @cached_property
    def _rivals(self) -> Rivals:
        return Rivals(self.board)

    @cached_property
    def _slices(self) -> Any:
        return sliced(self.board)

    @cached_property
    def _fronts(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for one in self.board.paretos:
            for entry in one.front:
                found.setdefault(entry, []).append(f"{one.quality} against {one.cost}")
        return found


def soft(name: str) -> Markup:
    """A metric's name that may break behind its underscores."""
    return Markup("_<wbr>").join(escape(printable(name)).split("_"))


def heading(column: Column) -> Markup:
    """Of a column: its name, which way is better, and its unit."""
    return Markup(
        '<span class="head">{}&nbsp;<span class="arrow" aria-hidden="true">{}</span></span>'
        '<span class="unit"><span class="hidden">{} is better, </span>{}</span>'
    ).format(
        soft(column.name),
        "↑" if column.better == "higher" else "↓",
        column.better,
        SHOWN[column.unit].sign or column.unit,
    )


def unit(column: Column) -> str:
    """ "%, higher is better"."""
    return f"{SHOWN[column.unit].sign or column.unit}, {column.better} is better"


def name_of(entry: Entry) -> Markup:
    """A name whose direction of writing does not turn what stands beside it."""
    name = Markup("<bdi>{}</bdi>").format(printable(entry.model))
    if not entry.label:
        return name
    label = Markup(' <span class="label">(<bdi>{}</bdi>)</span>').format(printable(entry.label))
    return name + label


def figure_of(estimate: Estimate | None) -> Markup:
    """A mean with its interval below it."""
    return Markup(figures.stacked(estimate))  # noqa: S704


def web(url: str) -> str:
    """The address if it leads to a page, else nothing: no other scheme becomes a link."""
    return url if _WEB.fullmatch(url) else ""


def _shown(value: Any) -> Any:
    """Text without control and direction characters; what is markup already stays."""
    return printable(value) if type(value) is str else value
