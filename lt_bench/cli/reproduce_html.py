"""A study's report as one HTML file that needs no network: verdicts, tables beside the paper's, plots."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Final

from lt_bench.cli import reproduce_figures
from lt_bench.cli.reproduce_figures import SYMBOLS, counted, facts, headings, how
from lt_bench.cli.reproduce_plots import figures
from lt_bench.plain import printable
from lt_bench.study.report import StudyReport, Word
from lt_bench.webpage import STYLE as BASE
from lt_bench.webpage import policy

TEMPLATE: Final = "reproduce.html.jinja"
CLASSES: Final[dict[Word, str]] = {
    "holds, separated": "holds",
    "same direction, not separated": "same",
    "no difference": "none",
    "opposite direction, not separated": "opposite",
    "contradicted": "contradicted",
    "missing": "none",
}
HUES: Final = (
    ("#1f6fb8", "#6cb2f0"),
    ("#b85c00", "#f0a04b"),
    ("#2b7a3f", "#6fc985"),
    ("#8a3fa0", "#cf8fe3"),
    ("#a8322d", "#f08a84"),
    ("#5f6b76", "#aab6c2"),
)
"""Of lines and points: on a light ground, on a dark one."""


def _hues(place: int) -> str:
    return "".join(f"--h{number}:{pair[place]};" for number, pair in enumerate(HUES))


STYLE: Final = (
    f"{BASE}:root{{{_hues(0)}--good:#1d6b34;--warn:#8a5a00;--bad:#a8322d}}"
    f"@media(prefers-color-scheme:dark){{:root{{{_hues(1)}"
    "--good:#6fc985;--warn:#e0b050;--bad:#f08a84}}"
    ".dim{color:var(--dim);font-size:.9em}.paper{color:var(--dim)}.group{text-align:center;border:0}"
    "td{vertical-align:top}td.claim{min-width:15em}"
    ".holds{color:var(--good);font-weight:bold}.same{color:var(--good)}"
    ".opposite{color:var(--warn)}.contradicted{color:var(--bad);font-weight:bold}"
    ".none{color:var(--dim)}"
    "figure{margin:1.5em 0;max-width:44em}figcaption{font-weight:bold;margin-bottom:.3em}"
    "svg{display:block;width:100%;height:auto}"
    "svg text{fill:var(--ink);font:12px sans-serif}svg text.tick{fill:var(--dim)}"
    "path{fill:none}.grid{stroke:var(--line);stroke-width:1}"
    ".line{stroke-width:1.6}.whisker{stroke-width:1.2;opacity:.6}"
    ".front{stroke:var(--dim);stroke-dasharray:4 4}"
    + "".join(
        f"path.h{n}{{stroke:var(--h{n})}}circle.h{n}{{fill:var(--h{n})}}" for n in range(len(HUES))
    )
    + ".legend{list-style:none;display:flex;flex-wrap:wrap;gap:.2em 1.2em;padding:0;margin:.4em 0;"
    "font-size:.85em}.legend li{display:flex;align-items:center;gap:.4em}"
    "svg.swatch{width:2em;flex:none}"
    "dt{font-weight:bold}dd{margin:0 0 .5em 0;overflow-wrap:anywhere}"
    "pre{overflow-x:auto;font-size:.85em}"
)


def page(report: StudyReport) -> str:
    """The whole page. Text of studies, models and logs is escaped."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        finalize=_shown,
        keep_trailing_newline=True,
    )
    source = files("lt_bench.cli").joinpath(TEMPLATE).read_text(encoding="utf-8")
    return environment.from_string(source).render(
        report=report,
        policy=policy(scripts=False),
        style=Markup(STYLE),  # noqa: S704
        counted=list(counted(report)),
        headings=headings(report),
        classes=CLASSES,
        symbols=SYMBOLS,
        figures=list(figures(report)),
        facts=list(facts(report)),
        how=how(report),
        f=reproduce_figures,
    )


def _shown(value: Any) -> Any:
    """Text without control and direction characters; what is markup already stays."""
    return printable(value) if type(value) is str else value
